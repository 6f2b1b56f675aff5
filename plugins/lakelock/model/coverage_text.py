"""Coverage as text, the form stored in ledgers and the write-ahead log.

One JSON object: {topic id: {"topic": name, "<partition>":
"<start>|<interval>,…|<totals>|<pair>,…|<pair>,…|<pair>,…"}} with an interval `<from>-<to>` or
`<from>-<to>@<generation><kind letter>`; `-<to>` is exclusive, the default is data of generation 0. Totals are
`<written>,<dead>,<filtered>`. Each field of `PAIRS` has its pairs `<from>-<to>`.
Trailing zeros of the totals and trailing empty fields are omitted.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable

from lakelock.errors import LedgerUnreadable, State
from lakelock.model.coverage import PAIRS, Coverage, Interval, Kind, SourceCoverage, Totals
from lakelock.model.offsets import Source, merged

_KINDS = {kind.value: kind for kind in Kind}
_INTERVAL = re.compile(r"(\d+)-(\d+)(?:@(\d+)([slr]?))?")

# With ten thousand sources, decoding would cost more than the rest of a commit, and a process that commits repeatedly
# reads back the text that it has just written. Both text and value are immutable.
_RECENT = 4
_recent: dict[str, Coverage] = {}


def encode(coverage: Coverage) -> str:
    topics: dict[tuple[str, str], dict[int, str]] = {}
    for source, covered in coverage.items():
        partitions = topics.setdefault((source.topic, source.topic_id), {})
        partitions[source.partition] = _source_text(covered)
    out = {
        topic_id: {"topic": topic, **{str(p): partitions[p] for p in sorted(partitions)}}
        for (topic, topic_id), partitions in sorted(topics.items())
    }
    text = json.dumps(out, separators=(",", ":"))
    _remember(text, coverage)
    return text


def decode(text: str) -> Coverage:
    """Raise LedgerUnreadable for anything that `encode` does not write: coverage is never guessed."""
    known = _recent.get(text)
    if known is not None:
        return known
    try:
        out: dict[Source, SourceCoverage] = {}
        for topic_id, topic in json.loads(text).items():
            name = topic.pop("topic")
            for partition, covered in topic.items():
                out[Source(name, topic_id, int(partition))] = _source_coverage(covered)
    except (ValueError, KeyError, AttributeError, TypeError) as fault:
        raise LedgerUnreadable(
            f"the coverage in the table's newest lakelock snapshot cannot be read ({fault}).",
            State.NOTHING_CHANGED,
            "Another tool changed or truncated the snapshot properties: roll the table back to a snapshot that has them intact.",
        ) from fault
    coverage = Coverage(out)
    _remember(text, coverage)
    return coverage


def _remember(text: str, coverage: Coverage) -> None:
    _recent[text] = coverage
    for old in list(_recent)[:-_RECENT]:
        _recent.pop(old, None)


def _source_text(covered: SourceCoverage) -> str:
    text = f"{covered.start_offset}|{','.join(map(_text, covered.intervals))}"
    totals = [covered.totals.written, covered.totals.dead, covered.totals.filtered]
    while totals and not totals[-1]:
        totals.pop()
    fields = [",".join(map(str, totals)), *(_pairs_text(getattr(covered, n)) for n in PAIRS)]
    while fields and not fields[-1]:
        fields.pop()
    return "|".join([text, *fields])


def _source_coverage(text: str) -> SourceCoverage:
    start, intervals, *more = text.split("|")
    parsed = tuple(map(_interval, intervals.split(","))) if intervals else ()
    if len(parsed) > 1 and any(a.end > b.start for a, b in itertools.pairwise(parsed)):
        raise ValueError(f"intervals overlap or are out of order: {intervals}")
    counts = [int(n) for n in more[0].split(",")] if more and more[0] else []
    if len(more) > 1 + len(PAIRS) or (len(more) > 1 and not more[-1]) or any(n < 0 for n in counts):
        raise ValueError(f"not totals: {text!r}")
    pairs = dict(zip(PAIRS, map(_pairs, more[1:]), strict=False))
    covered = SourceCoverage(int(start), parsed, Totals(*counts), **pairs)
    if fault := covered.fault:
        raise ValueError(f"{fault}: {text!r}")
    return covered


def _pairs_text(pairs: Iterable[tuple[int, int]]) -> str:
    return ",".join(f"{a}-{b}" for a, b in pairs)


def _pairs(text: str) -> tuple[tuple[int, int], ...]:
    found = list(map(_interval, text.split(","))) if text else []
    pairs = tuple((i.start, i.end) for i in found)
    if list(pairs) != merged(pairs) or any(i != Interval(i.start, i.end) for i in found):
        raise ValueError(f"offsets overlap or are out of order: {text!r}")
    return pairs


def _text(i: Interval) -> str:
    if i.generation == 0 and i.kind is Kind.DATA:
        return f"{i.start}-{i.end}"
    return f"{i.start}-{i.end}@{i.generation}{i.kind.value}"


def _interval(text: str) -> Interval:
    match = _INTERVAL.fullmatch(text)
    if not match or int(match[1]) >= int(match[2]):
        raise ValueError(f"not an interval: {text!r}")
    return Interval(int(match[1]), int(match[2]), int(match[3] or 0), _KINDS[match[4] or ""])
