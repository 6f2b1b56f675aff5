"""What people read of a status, an audit, and of what a pipeline file will make."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, timedelta

from lakelock.config.dags import PlannedDag
from lakelock.core.day_cost import TASK_S, DayCost
from lakelock.core.effects import Effect
from lakelock.core.incidents import missing_line
from lakelock.core.units import counted, format_duration
from lakelock.core.valid_through import text
from lakelock.foresight import Foresight
from lakelock.steps.audit import PipelineAudit, TableAudit
from lakelock.steps.outcome import one_line
from lakelock.steps.status import PipelineStatus

# Beside windows: one for a run that asks a person or tidies, one for the runs of all pipelines without windows.
FREE_SLOTS = 2


def status_text(s: PipelineStatus) -> str:
    """What a person reads: a line per source, then decisions, rollbacks, open batches and last commits."""
    lines = [f"{s.pipeline}: {counted(s.lag_offsets, 'offset')} behind in {counted(len(s.sources), 'partition')}"]
    lines.append(_row("source", "low", "end", "frontier", "committed", "lag", "lag s", "retention left s"))
    lines += [
        _row(
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
    if s.valid_through_ms:
        said = (f"{t} {'unknown' if at is None else text(at)}" for t, at in s.valid_through_ms.items())
        lines.append(f"valid through: {', '.join(said)}")
    if s.missing:
        lines.append(missing_line(s.missing))
    if s.stopped:
        lines.append(f"the next run stops: {s.stopped}")
    if s.waiting_s:
        lines.append("staged, oldest part: " + ", ".join(f"{t} {age:.1f} s" for t, age in s.waiting_s.items()))
    if s.decisions:
        lines += ["last decisions:", *(f"  {d}" for d in s.decisions)]
    if s.rollbacks:
        lines += ["last rollbacks; what was committed before them may be left out:", *(f"  {r}" for r in s.rollbacks)]
    if s.parts:
        lines.append("open batches and last commits:")
        lines += [
            f"  {p.state:9} {p.table}  batch {p.batch_id}  {counted(p.rows, 'row')}, {counted(p.files, 'file')}"
            + (f", snapshot {p.snapshot_id}" if p.snapshot_id else "")
            + (f", {p.at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" if p.at else "")
            for p in s.parts
        ]
    return "\n".join(lines)


def audit_text(a: PipelineAudit) -> str:
    """What a person reads: a line per source of each table, then what is wrong with it."""
    outside = any(_outside(table) for table in a.tables)
    complete = "complete" + (": each offset is accounted for, and some are not in their table" if outside else "")
    lines = [f"{a.pipeline}: {complete if a.complete else 'NOT COMPLETE'}"]
    lines += [f"  FAULT  {fault}" for fault in a.faults]
    for table in a.tables:
        about = [f"snapshot {table.snapshot_id}, generation {table.generation}"] if table.snapshot_id else []
        about += [table.note] if table.note else []
        about += _outside(table)
        about += [f"not counted: {reason}" for reason in table.not_counted]
        about += [f"beside {table.rows_without_offset} rows without an offset"] if table.rows_without_offset else []
        lines.append("; ".join([table.table, *about]))
        if table.sources:
            heads = ("start", "end", "held", "open", "lag", "no record", "written", "dead", "filtered", "rows")
            lines.append(_row("source", *heads))
        for s in table.sources:
            books = (s.without_record, s.totals.written, s.totals.dead, s.totals.filtered)
            rows = "-" if s.counted is None else s.counted.rows
            lines.append(_row(str(s.source), s.start_offset, s.end_offset, s.held, s.open, s.lag, *books, rows))
            lines += [f"    declared as not to be read: {n} offsets, {kind}" for kind, n in s.gaps.items()]
            lines += [f"    asked for, a backfill is to bring it: {s.asked} offsets"] if s.asked else []
            lines += [f"    redriven: {counted(s.redriven, 'dead letter')}, rows by now"] if s.redriven else []
            lines += [f"    retired: nothing from {s.retired_from} on is read"] if s.retired_from is not None else []
        lines += [f"  dead letters  {one_line(c.line)}" for c in table.causes]
        redriven = sum(s.redriven for s in table.sources)
        lines += [f"  dead letters  {redriven:,} of these are rows now"] if redriven and table.causes else []
        lines += [f"  decided  {d.line}" for d in table.decisions]
        lines += [f"  last rolled back  {table.last_rollback}"] if table.last_rollback else []
        lines += [f"  FAULT  {fault}" for fault in table.faults]
    return "\n".join(lines)


def _outside(t: TableAudit) -> list[str]:
    """Complete means accounted for: offsets that are not in the table all the same."""
    coming = sum(s.open + s.lag for s in t.sources)
    asked, left_out = sum(s.asked for s in t.sources), sum(n for s in t.sources for n in s.gaps.values())
    return [
        *([f"{counted(coming, 'offset')} still to come"] if coming else []),
        *([f"{counted(asked, 'offset')} that a backfill will load"] if asked else []),
        *([f"{counted(left_out, 'offset')} left out by decisions"] if left_out else []),
    ]


def foresight_text(f: Foresight) -> str:
    """The DAGs, what the next run makes of the file, and what a day costs."""
    return "\n\n".join([dags_text(f.dags), _effects_text(f.effects, f.is_first), _cost_text(f.cost)])


def dags_text(dags: Sequence[PlannedDag]) -> str:
    """A line per DAG."""
    return "\n".join(["DAGs:", *(f"  {d.dag_id:32}  {d.schedule:24}  {d.purpose}" for d in dags)])


def _effects_text(effects: Sequence[Effect] | None, is_first: bool) -> str:
    if effects is None:
        return "what the next run makes of this file: not known without the write-ahead log"
    head = "what the first run does:" if is_first else "what the next run makes of this file:"
    if not effects and is_first:
        return f"{head} nothing is known yet"
    if not effects:
        # No batch keeps these two: the list of DAGs above tells how long a square of a backfill is.
        return f"{head} nothing is changed (alerts and backfill are not compared)"
    return "\n".join([head, *(f"  {e.about}: {e.change}\n      {e.then}" for e in effects)])


def slots_text(held: int) -> str:
    """*held* are the worker slots that windows hold."""
    return (
        f"windows of these pipelines hold {counted(held, 'worker slot')} for as long as they last: give Airflow at least "
        f"{held + FREE_SLOTS} ([core] parallelism, and slots of the pool), or a run that asks a person waits for a window's end"
    )


def _cost_text(c: DayCost) -> str:
    """Assumptions below the figures: who reads a number reads what it stands on."""
    commits, kept = c.tables[0].commits, c.tables[0]
    often = "" if commits.fewest == commits.most else f"{_count(commits.fewest)} to "
    asked, per_table = c.requests, c.tables[0].requests
    rows = [
        ("runs", _count(c.rhythm.runs)),
        ("Spark jobs", f"up to {_count(c.spark_jobs)}"),
        ("commits to each table", f"{often}{_count(commits.most)}"),
        ("snapshots kept of each", f"{kept.kept_snapshots}: those of {_span(kept.kept_s)} at the most commits"),
        ("object-store requests", f"up to {asked.all:.0f}: {asked.get:.0f} GET, {asked.put:.0f} PUT, {asked.head:.0f} HEAD, "
         f"{asked.delete:.0f} DELETE ({per_table.all:.0f} for each of {len(c.tables)} tables)"),
        ("worker slots", f"{c.slots_on_average:.2f} on average: " + ", ".join(
            f"{s.task} {s.held_s:.0f} s, {_count(s.a_day)} times" for s in c.slots)),
    ]  # fmt: skip
    seen = (
        f"the newest {c.seen.batches} batches: {c.seen.files:.1f} files of a table in each, {c.seen.write_s:.1f} s to write one"
        if c.seen.batches
        else "no batch yet: one file of a table in each, and nothing for the writing itself"
    )
    assumed = [
        "every run finds records for every table, and no backlog; an idle run starts no Spark and commits nothing",
        "the fewer commits while little is staged (commit.max_latency), the more where each batch has commit.min_bytes",
        f"a task takes {TASK_S:.0f} s beside its work",
        seen,
        "without dead letters, compaction, expiry by maintain, audits, readers and reads of Kafka",
    ]
    return "\n".join(
        [
            "a day costs:",
            *(f"  {what:32}  {value}" for what, value in rows),
            "  taken for granted:",
            *(f"    {a}" for a in assumed),
        ]
    )


def _count(number: float) -> str:
    return f"{number:.0f}" if number >= 10 else f"{number:.1f}"


def _span(seconds: float) -> str:
    whole = timedelta(seconds=round(seconds))
    return format_duration(whole - whole % timedelta(hours=1) if whole > timedelta(days=1) else whole)


def _row(first: str, *rest: object) -> str:
    return f"  {first:32}" + "".join(f"  {x!s:>11}" for x in rest)
