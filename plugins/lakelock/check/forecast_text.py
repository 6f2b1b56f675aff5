"""Text of a pipeline file's forecast for `bin/lakelock check`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from lakelock.check.config_diff import Effect
from lakelock.check.day_cost import TASK_S, DayCost
from lakelock.check.forecast import Foresight
from lakelock.config.planned_dags import PlannedDag
from lakelock.model.units import counted, format_duration

# Beside windows: one for a run that waits for approval or maintains, one for runs of pipelines without windows.
FREE_SLOTS = 2


def foresight_text(f: Foresight) -> str:
    """The DAGs, the effects of the next run, and the cost of a day."""
    return "\n\n".join([dags_text(f.dags), _effects_text(f.effects, f.is_first), _cost_text(f.cost)])


def dags_text(dags: Sequence[PlannedDag]) -> str:
    """A line per DAG."""
    return "\n".join(["DAGs:", *(f"  {d.dag_id:32}  {d.schedule:24}  {d.purpose}" for d in dags)])


def _effects_text(effects: Sequence[Effect] | None, is_first: bool) -> str:
    if effects is None:
        return "changes with the next run: unknown without the write-ahead log"
    head = "the first run:" if is_first else "changes with the next run:"
    if not effects and is_first:
        return f"{head} nothing is known yet"
    if not effects:
        # No batch keeps these two; the list of DAGs above shows the length of a backfill's interval.
        return f"{head} none (alerts and backfill are not compared)"
    return "\n".join([head, *(f"  {e.about}: {e.change}\n      {e.then}" for e in effects)])


def slots_text(taken: int) -> str:
    """Advice for *taken* worker slots, those that windows hold."""
    return (
        f"windows of these pipelines hold {counted(taken, 'worker slot')} all the time: give Airflow at least "
        f"{taken + FREE_SLOTS} ([core] parallelism, and slots of the pool), or a run that asks for an approval waits until a "
        "window ends"
    )


def _cost_text(c: DayCost) -> str:
    """The figures, with their assumptions below."""
    commits, kept = c.tables[0].commits, c.tables[0]
    often = "" if commits.fewest == commits.most else f"{_count(commits.fewest)} to "
    sent, per_table = c.requests, c.tables[0].requests
    count = sum(t.count for t in c.tables)
    each = f" ({per_table.all:.0f} for each of {_few(count)} tables)" if count > 1 else ""
    marks = [("its own commits to " + c.marks.table, f"up to {_count(c.marks.commits.most)}")] if c.marks else []
    rows = [
        ("runs", _count(c.rhythm.runs)),
        ("Spark jobs", f"up to {_count(c.spark_jobs)}"),
        ("commits to each table", f"{often}{_count(commits.most)}"),
        *marks,
        ("snapshots kept of each", f"{kept.kept_snapshots}: those of {_span(kept.kept_s)} at the highest number of commits"),
        ("object-store requests", f"up to {sent.all:.0f}: {sent.get:.0f} GET, {sent.put:.0f} PUT, {sent.head:.0f} HEAD, "
         f"{sent.delete:.0f} DELETE{each}"),
        ("worker slots", f"{c.slots_on_average:.2f} on average: " + ", ".join(
            f"{s.task} {s.held_s:.0f} s, {_count(s.a_day)} times" for s in c.slots)),
    ]  # fmt: skip
    seen = (
        f"the newest {c.seen.batches} batches: {c.seen.files:.1f} files of a table in each, {c.seen.write_s:.1f} s to write one"
        if c.seen.batches
        else "no batch was written yet: one file of a table in each batch, written in no time"
    )
    assumed = [
        f"every run finds records for {_tables(c)}, without a backlog; an idle run does not start Spark and commits nothing",
        "the lower number of commits if commit.max_latency makes them due, the higher if each batch reaches commit.min_bytes",
        f"each task takes {TASK_S:.0f} s in addition to its work",
        seen,
        "without dead letters, compaction, expiry by maintain, audits, readers and reads of Kafka",
    ]
    return "\n".join(
        [
            "a day costs:",
            *(f"  {what:32}  {value}" for what, value in rows),
            "  assumptions:",
            *(f"    {a}" for a in assumed),
        ]
    )


def _tables(c: DayCost) -> str:
    if not c.routed:
        return "every table"
    entries = f"{counted(len(c.tables) - 1, 'entry', 'entries')} of tables and " if len(c.tables) > 1 else ""
    if c.seen.routed:
        return f"{entries}{_few(c.routed)} routed tables, the mean of the newest batches"
    return f"{entries}one routed table; `check --sample N` lists those that records go to"


def _few(number: float) -> str:
    return f"{number:.0f}" if number.is_integer() else f"{number:.1f}"


def _count(number: float) -> str:
    return f"{number:.0f}" if number >= 10 else f"{number:.1f}"


def _span(seconds: float) -> str:
    whole = timedelta(seconds=round(seconds))
    return format_duration(whole - whole % timedelta(hours=1) if whole > timedelta(days=1) else whole)
