"""Text of a pipeline's status for `bin/lakelock status`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from fnmatch import fnmatchcase
from itertools import groupby

from lakelock.ingest.outcome import listed
from lakelock.model.batches import PartSummary
from lakelock.model.units import as_row, counted
from lakelock.model.valid_through import text
from lakelock.monitor.cut_status import CutStatus
from lakelock.monitor.incidents import missing_line
from lakelock.monitor.status import PARTS, PipelineStatus

# Tables of one list; a pipeline may have thousands.
TABLES = 20
# Of what one table lacks.
RANGES = 5


def status_text(s: PipelineStatus, find: str = "", most: int = TABLES) -> str:
    """The status as text: a line per source, tables, then decisions, rollbacks, open batches and last commits.

    Without *find*, the tables are those with offsets on their way. Of each list of tables, the first *most* are shown.
    """
    lines = [f"{s.pipeline}: {counted(s.lag_offsets, 'offset')} behind in {counted(len(s.sources), 'partition')}"]
    lines.append(as_row("source", "low", "end", "frontier", "committed", "lag", "lag s", "retention left s"))
    lines += [
        as_row(
            str(x.source),
            x.low_offset,
            x.end_offset,
            x.frontier,
            x.committed,
            x.lag_offsets,
            "?" if x.lag_s is None else f"{x.lag_s:.1f}",
            ("?" if x.retention_unknown else "-") if x.retention_left_s is None else f"{x.retention_left_s:.0f}",
        )
        for x in s.sources
    ]
    lines += _tables(s, find, most)
    if s.cut:
        lines += [s.cut.line, *_behind(s.cut, find, most)]
    if s.valid_through_ms:
        said = [
            f"{t} {'unknown' if at is None else text(at)}" for t, at in s.valid_through_ms.items() if _fits(t, find)
        ]
        lines.append(f"valid through: {_some(said, most)}")
    if s.missing:
        lines.append(missing_line(s.missing))
    if s.stopped:
        lines.append(f"stopped: {s.stopped}")
    if s.waiting_s:
        oldest = sorted(s.waiting_s.items(), key=lambda of: -of[1])
        lines.append(f"staged, oldest part: {_some([f'{t} {age:.1f} s' for t, age in oldest if _fits(t, find)], most)}")
    if s.decisions:
        lines += ["last decisions:", *(f"  {d}" for d in s.decisions)]
    if s.paused:
        lines += ["paused tables:", *_rows(s.paused, most)]
    if s.rollbacks:
        lines += ["last rollbacks; earlier commits may have been removed:", *_rows(s.rollbacks, most)]
    if s.unclosed:
        lines.append("planned batches whose tables are not known yet:")
        lines += [
            f"  batch {b.batch_id}: {listed(b.ranges)}, {counted(b.offsets, 'offset')}" for b in s.unclosed[:PARTS]
        ]
        lines += _left(len(s.unclosed), PARTS)
    if s.parts:
        lines.append("open batches and last commits:")
        lines += _parts(s.parts)
    return "\n".join(lines)


def _tables(s: PipelineStatus, find: str, most: int) -> list[str]:
    """The tables that fit *find*; without it, those with offsets on their way."""
    shown = [t for t in s.tables if fnmatchcase(t.table, _pattern(find))] if find else s.behind
    total = counted(len(s.tables), "table")
    number = f"{len(s.behind):,}" if s.behind else "none"
    lines = [
        f"{total}, {number} with offsets on their way"
        + (f", {len(shown):,} named like {find}" if find else "")
        + (":" if shown else "")
    ]
    if shown:
        lines.append(as_row("table", "on their way", "lag s", "staged s", "retention left s"))
        lines += [
            as_row(
                t.table + (" (paused)" if t.paused else ""),
                t.open_offsets,
                _seconds(t.lag_s, known=not t.open_offsets),
                _seconds(t.staged_s, known=True),
                _seconds(t.retention_left_s, known=not t.open_offsets),
            )
            for t in shown[:most]
        ]
    return [*lines, *_left(len(shown), most)]


def _behind(cut: CutStatus, find: str, most: int) -> list[str]:
    shown = [t for t in cut.behind if _fits(t.table, find)]
    lines = ["tables behind the cut:"] if shown else []
    for t in shown[:most]:
        left, lag = _seconds(t.retention_left_s, known=False), _seconds(t.lag_s, known=False)
        lacks = _some(list(map(str, t.ranges)), RANGES)
        lines.append(f"  {t.table} lacks {lacks}; lag {lag} s, retention left {left} s")
    return [*lines, *_left(len(shown), most)]


def _seconds(value: float | None, *, known: bool) -> str:
    return f"{value:.1f}" if value is not None else "-" if known else "?"


def _fits(table: str, find: str) -> bool:
    return not find or fnmatchcase(table, _pattern(find))


def _pattern(find: str) -> str:
    """Without wildcards, a part of a name."""
    return find if set(find) & set("*?[") else f"*{find}*"


def _some(values: Sequence[str], most: int) -> str:
    return ", ".join([*values[:most], *([f"and {len(values) - most:,} more"] if len(values) > most else [])])


def _rows(values: Sequence[str], most: int) -> list[str]:
    return [*(f"  {value}" for value in values[:most]), *_left(len(values), most)]


def _left(count: int, most: int) -> list[str]:
    return [f"  and {count - most:,} more; see --limit and --table"] if count > most else []


def _parts(parts: Sequence[PartSummary]) -> list[str]:
    """A line for each open batch and each commit, which may contain several batches."""
    lines = []
    together = [list(some) for _, some in groupby(enumerate(parts), lambda of: _commit_of(*of))]
    for place, some in enumerate(together):
        of_commit, first = [p for _, p in some], some[0][1]
        # The list may end in the middle of a commit.
        cut = "at least " if len(parts) >= PARTS and place == len(together) - 1 and len(of_commit) > 1 else ""
        # Dead letters of several tables may come from one batch.
        more = len({p.batch_id for p in of_commit}) - 1
        others = f" and {cut}{more} more" if more else ""
        rows, files = sum(p.rows for p in of_commit), sum(p.files for p in of_commit)
        lines.append(
            f"  {first.state:9} {first.table}  batch {first.batch_id}{others}  "
            f"{cut}{counted(rows, 'row')}, {cut}{counted(files, 'file')}"
            + (f", snapshot {first.version_id}" if first.version_id else "")
            + (f", {first.at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" if first.at else "")
        )
    return lines


def _commit_of(place: int, part: PartSummary) -> object:
    """The same value for the batches of one commit, and another one for each batch that is in none."""
    committed = part.state == "committed" and part.version_id is not None
    return (part.table, part.version_id) if committed else place
