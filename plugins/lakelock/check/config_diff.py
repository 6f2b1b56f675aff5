"""Predict the effects of an edited pipeline file by comparing it with the write-ahead log. Changes nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lakelock.check.changed_rules import NEXT_BATCH, route_change
from lakelock.check.changed_values import by_name, changed
from lakelock.model.coverage import Coverage
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.past import PastPipeline

SHOWN = 4

_NEXT_RUN = "from the next run on; Airflow updates the DAG"
_NEXT_BATCH = "from the next planned batch on; planned batches keep the old value"
_NEXT_COMMIT = "from the next commit on, also for staged files"
_NEXT_MAINTAIN = "from the next run of maintain on"
_GOES_ON = "continues where it was"
_NOTHING_BEFORE = "; it does not get earlier records"
_AT_CREATION = "applies when a table is created"
_APPLIED = "applies to an existing table with `bin/lakelock apply FILE`, and when a table is created"
_METADATA = "from the next planned batch on, in tables that have a column of that name; no table is altered"

_KEYS_OF_READING = "new_fields new_types case_sensitive drop_fields parse_json flatten inputs where unknown_fields"
# By path, the longest match; None if `effects` describes the topic or table itself.
SETTINGS: Mapping[str, str | None] = {
    "owner": "the DAGs get another owner",
    "tags": "the DAGs get other tags",
    "schedule": _NEXT_RUN,
    "source.conn_id": "the next run reads from the new broker; it stops at a topic with another id there (TopicRecreated)",
    "source.topics": None,
    "source.topics_regex": "topics that no longer match are no longer read, and those that match now are",
    "source.start": "nothing: all known partitions have begun, and partitions that appear later begin at their earliest record",
    "value": _NEXT_BATCH,
    "metadata_columns": _METADATA,
    "catalog.conn_id": "lakelock looks for the tables in the new catalog; a table that is missing or different there stops "
    "(TableMissing, TableReplaced)",
    "catalog.branch": "commits go to the other branch; a table whose tag is not in its history stops (LedgerDetached)",
    "catalog.requests_per_second": "from the next run on",
    "dead_letters.table": None,
    "dead_letters.stop_at": "from the next attempt on, also for planned batches",
    "commit": _NEXT_COMMIT,
    "commit.pool": _NEXT_RUN,
    "maintenance": _NEXT_MAINTAIN,
    "batch": _NEXT_BATCH,
    "spark": "from the next run on",
    "wal": "nothing more: this is already the new log",
    "route.rules": None,
    "route.otherwise": None,
    "route.mark_every": "from the next publish on",
    "route.max_tables": "from the next attempt on, also for planned batches; tables stay, also if there are more of them",
    "publish.group": "progress is mirrored to the consumer group, or no longer mirrored, from the next run on; an "
    "existing group keeps its offsets",
    "publish.group_prefix": "progress is mirrored to the new consumer group; the old one keeps its offsets",
    "publish.max_lateness": "complete hours are reported, or no longer, from the next run on; valid-through timestamps follow "
    "from the next planned batch on",
    "publish.connect_valid_through": _NEXT_COMMIT,
    "tables.topics": None,
    "tables.columns": "`zone`, `field`, `cast`, `constant`, `mask` and `sql` apply from the next planned batch on; the rest "
    "with `bin/lakelock apply FILE`",
    "tables.partition_by": _APPLIED,
    "tables.sort_by": _APPLIED,
    "tables.id_columns": _AT_CREATION,
    "tables.properties": _APPLIED,
    "tables.location": _AT_CREATION,
    "tables.landing": f"{_NEXT_BATCH}. Compactions follow {_NEXT_MAINTAIN}",
    "tables.checks": f"{_NEXT_BATCH}, but a check that no longer stops batches stops none of these",
    **{f"tables.{k}": _NEXT_BATCH for k in _KEYS_OF_READING.split()},
}
_OF_A_TABLE_TO_MAKE = frozenset(("columns", "partition_by", "sort_by", "id_columns", "properties", "location"))


@dataclass(frozen=True, slots=True)
class Effect:
    """A *change* of the setting that *about* names, and its effect."""

    about: str
    change: str
    then: str


@dataclass(frozen=True, slots=True)
class Now:
    """The file as it is now, and the sources that Kafka has of its topics.

    `found` maps each source to its start if it is new, else None; it is None itself if Kafka does not answer.
    """

    config: Mapping[str, object]
    found: Mapping[Source, int | None] | None = None


def effects(known: PastPipeline, now: Now) -> list[Effect]:
    """Effects on settings, then topics, then tables; for a pipeline that never planned, the places where it begins."""
    settings = [] if known.before is None else list(_settings(known, known.before, now.config))
    route = route_change(known.before, now.config)
    return [*settings, *_topics(known, now), *_tables(known, now), *([Effect("route", *route)] if route else [])]


def flat(config: Mapping[str, object], path: str = "") -> dict[str, object]:
    """Leaves by path; lists are leaves, and tables and rules that make them are left out."""
    out: dict[str, object] = {}
    for key, value in config.items():
        here = f"{path}.{key}" if path else key
        if here == "route.otherwise":
            continue
        if isinstance(value, Mapping) and here != "source.start":
            out |= flat(value, here)
        elif here not in ("tables", "name", "route.rules"):
            out[here] = value
    return out


def rule_of(path: str) -> str | None:
    """The entry of SETTINGS for a path. Raises KeyError if there is none."""
    steps = path.split(".")
    for count in range(len(steps), 0, -1):
        if (prefix := ".".join(steps[:count])) in SETTINGS:
            return SETTINGS[prefix]
    raise KeyError(path)


def _settings(known: PastPipeline, before: Mapping[str, object], config: Mapping[str, object]) -> Iterator[Effect]:
    old, new = flat(before), flat(config)
    for path in dict.fromkeys([*old, *new]):
        if old.get(path) == new.get(path) or (path.startswith("route.") and not (path in old and path in new)):
            continue
        if path == "dead_letters.table":
            yield _dead_letters(known, str(old[path]), str(new[path]))
        elif (rule := rule_of(path)) is not None:
            then = NEXT_BATCH if rule == _NEXT_BATCH and "route" in config else rule
            yield Effect(path, changed(old.get(path), new.get(path)), then)
    was, tables = (by_name(c.get("tables")) or {} for c in (before, config))
    for name in tables:
        for key in dict.fromkeys([*was.get(name, {}), *tables[name]]) if name in was else ():
            old_value, new_value = was[name].get(key), tables[name].get(key)
            rule = None if key == "name" or old_value == new_value else rule_of(f"tables.{key}")
            if rule is None:
                continue
            if key in _OF_A_TABLE_TO_MAKE and name not in known.made:
                rule = "applies when the table is created"
            elif rule == _AT_CREATION:
                rule = "nothing: an existing table is used as it is"
            yield Effect(f"{name}: {key}", changed(old_value, new_value), rule)


def _dead_letters(known: PastPipeline, old: str, new: str) -> Effect:
    there = f"{old} keeps its rows" if old in known.made else f"{old} was never created"
    if any(map(any, known.open_parts.values())):
        there += ", and still gets the dead letters of planned and staged batches"
    made = (
        "continues"
        if new in known.made
        else "is created with the first dead letter of a batch that is planned from now on"
    )
    return Effect("dead_letters.table", changed(old, new), f"{new} {made}; {there}")


def _topics(known: PastPipeline, now: Now) -> Iterator[Effect]:
    live = {s.source: s for s in known.streams if not s.retired}
    retired = sorted({s.source.topic for s in known.streams if s.retired} - {s.topic for s in live})
    found, named, beginning = now.found, _named(now.config), _beginning(now, live)
    read = {s.topic for s in live}
    # The pattern may still name it: only Kafka knows.
    unasked = read if "topics_regex" in _source(now.config) else named
    still = unasked if found is None else {s.topic for s in found}
    for topic in sorted(read - still):
        at = {s.source: s.next_offset for s in live.values() if s.source.topic == topic}
        then = (
            f"no longer read; if you name it again, it continues at {_offsets(at)}, as far as Kafka still has its records. "
            "Planned and staged records are still committed. To give it up permanently: "
            f"bin/lakelock retire FILE --topic {topic} --why TEXT"
        )
        yield Effect(f"topic {topic}", "removed", then)
    if found is not None:
        for topic in sorted({s.topic for s in beginning}):
            starts = {s: start for s, start in beginning.items() if s.topic == topic}
            is_known = any(s.topic == topic for s in live)
            change = "has new partitions" if is_known else "added" if known.before is not None else "new"
            yield Effect(f"topic {topic}", change, f"read from {_offsets(starts)} on")
    else:
        for topic in sorted(named - read - set(retired)):
            yield Effect(
                f"topic {topic}", "added", "read from the next run on; the start offsets are unknown without Kafka"
            )
    for topic in retired:
        if topic in named and all(s.topic != topic for s in beginning):
            yield Effect(f"topic {topic}", "retired", "named by the file, but no longer read")


def _tables(known: PastPipeline, now: Now) -> Iterator[Effect]:
    was = by_name((known.before or {}).get("tables")) or {}
    tables = by_name(now.config.get("tables")) or {}
    for name in was:
        if name not in tables:
            yield Effect(f"table {name}", "removed", _removed(known, name))
    frontiers = {s.source: s.next_offset for s in known.streams if not s.retired}
    read_on = frontiers if now.found is None else {s: o for s, o in frontiers.items() if s in now.found}
    offsets = {**_beginning(now, frontiers), **read_on}
    for name, table in tables.items():
        before = was.get(name)
        ever = known.topics.get(name, ())
        taken = {s: o for s, o in offsets.items() if _takes(table, s.topic)}
        if before is None and ever:
            again = _again(known, name, taken, read_on)
            # A rebuilt log knows its tables and no batch: the table never left the file.
            if known.before is not None or again != _GOES_ON:
                yield Effect(f"table {name}", "added again", again)
            continue
        if before is None:
            make = "created" if name not in known.made else "continues"
            where = f"begins at {_offsets(taken)}" if taken else "begins where its topics begin"
            lacks = _NOTHING_BEFORE if read_on.keys() & taken.keys() else ""
            yield Effect(
                f"table {name}",
                "added" if known.before is not None else "new",
                f"{make}, or used as it is if it exists; {where}{lacks}",
            )
            continue
        if before.get("topics") == table.get("topics"):
            continue
        gone = sorted({s.topic for s in frontiers if _takes(before, s.topic) and not _takes(table, s.topic)})
        came = {s: o for s, o in taken.items() if not _takes(before, s.topic)}
        parts = (
            [f"{', '.join(gone)}: no longer written to it; its rows stay, and open batches are still committed"]
            if gone
            else []
        )
        if back := {s: o for s, o in came.items() if s.topic in ever}:
            parts.append(_again(known, name, back, read_on))
        if first := {s: o for s, o in came.items() if s.topic not in ever}:
            parts.append(f"begins at {_offsets(first)}{_NOTHING_BEFORE}")
        yield Effect(
            f"{name}: topics", changed(before.get("topics"), table.get("topics")), "; ".join(parts) or "nothing"
        )


def _beginning(now: Now, begun: Collection[Source]) -> dict[Source, int]:
    """First offsets of sources that Kafka has and that are not in *begun*."""
    return {s: start for s, start in (now.found or {}).items() if start is not None and s not in begun}


def _removed(known: PastPipeline, name: str) -> str:
    planned, staged = known.open_parts.get(name, (0, 0))
    lands = f"its {planned} planned and {staged} staged parts are still committed" if planned or staged else ""
    stays = "table, rows, tag and property stay" if name in known.made else "it was never created"
    again = "if named again, it lacks records that were read in between, and stops until bin/lakelock recover FILE"
    return "; ".join(t for t in ("it gets no new records", lands, stays, again) if t)


def _again(known: PastPipeline, name: str, taken: Mapping[Source, int], begun: Collection[Source]) -> str:
    """Offsets that a table lacks after it or one of its topics left the file for a while.

    *begun* are sources that are still read.
    """
    covered = known.coverage.get(name, Coverage())
    ends = {s: covered[s].end_offset for s in taken if s in covered}
    lacking = [OffsetRange(s, end, taken[s]) for s, end in sorted(ends.items()) if end < taken[s]]
    meanwhile = {s: o for s, o in taken.items() if s in begun and s not in covered} if name in known.coverage else {}
    skipped = f"; in partitions added since, it begins at {_offsets(meanwhile)}{_NOTHING_BEFORE}" if meanwhile else ""
    if known.open_parts.get(name):
        return (
            "its open batches are still committed; if it then lacks records that were read in between, its commit stops "
            f"(TableUnfit) until bin/lakelock recover FILE{skipped}"
        )
    if not lacking:
        return f"{_GOES_ON}{skipped}"
    shown = ", ".join(map(str, lacking[:SHOWN]))
    more = f" and {len(lacking) - SHOWN} more" if len(lacking) > SHOWN else ""
    return (
        f"it lacks {shown}{more}, which was read in between: its next commit stops (TableUnfit) until bin/lakelock recover "
        f"FILE reads it for this table, as far as Kafka has it{skipped}"
    )


def _takes(table: Mapping[str, object], topic: str) -> bool:
    topics = table.get("topics") or ()
    assert isinstance(topics, Sequence)
    return not topics or topic in topics


def _source(config: Mapping[str, object]) -> Mapping[str, Any]:
    source = config["source"]
    assert isinstance(source, Mapping)
    return source


def _named(config: Mapping[str, object]) -> set[str]:
    return set(_source(config).get("topics") or ())


def _offsets(at: Mapping[Source, int]) -> str:
    shown = ", ".join(f"{s} {offset}" for s, offset in sorted(at.items())[:SHOWN])
    return shown if len(at) <= SHOWN else f"{shown} and {len(at) - SHOWN} more"
