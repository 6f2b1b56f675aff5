"""Estimate a pipeline's cost per day: Spark jobs, commits, snapshots, object-store requests, worker slots.

The requests of a commit were counted, and a test counts them again (tests/integration/test_commit_requests.py).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from lakelock.model.past import PastLoad

DAY_S = 86_400.0
# A task without work: its process, its connections, and their requests.
TASK_S = 3.0


@dataclass(frozen=True, slots=True)
class Requests:
    """Counts by kind; a client may add a HEAD before a GET, and send a large file in several parts."""

    get: float = 0
    put: float = 0
    head: float = 0
    delete: float = 0

    def __add__(self, other: Requests) -> Requests:
        return Requests(self.get + other.get, self.put + other.put, self.head + other.head, self.delete + other.delete)

    def times(self, count: float) -> Requests:
        return Requests(self.get * count, self.put * count, self.head * count, self.delete * count)

    @property
    def all(self) -> float:
        return self.get + self.put + self.head + self.delete


# GET: metadata, configuration, and the parent's manifest list; once `keep_snapshots` is reached also an expiring list
# and a merged manifest. PUT: manifest, list and metadata. DELETE: the old ones of the same kinds.
PER_COMMIT = Requests(get=5, put=3, head=1, delete=3)
# A catalog behind HTTP reads, writes and deletes metadata itself.
OF_METADATA = Requests(get=1, put=1, delete=1)
# The metadata of the table, and of the dead-letter table once there is one.
PER_TABLE_OF_A_BATCH = Requests(get=1)
PER_FILE = Requests(put=1)
# Stands for the routed tables, whose names follow from the records. No table has this name.
ROUTED = "*"


@dataclass(frozen=True, slots=True)
class Rhythm:
    """*period_s* is the mean time between runs; with *batch_every_s* each run is a window of that length."""

    period_s: float
    batch_every_s: float | None = None

    @property
    def runs(self) -> float:
        return DAY_S / self.period_s

    @property
    def batches(self) -> float:
        """The most per day without a backlog; a run without new records makes none."""
        return DAY_S / (self.batch_every_s or self.period_s)


@dataclass(frozen=True, slots=True)
class CommitsADay:
    """For a table that gets records all day: *fewest* while little is staged, *most* if each batch has `min_bytes`."""

    fewest: float
    most: float


def commits(rhythm: Rhythm, max_latency_s: float, min_bytes: int) -> CommitsADay:
    """Commits per day, by the rule of `ingest.commit_decision.due_in_s`.

    A run commits its staged parts if the oldest one is due; otherwise a later run does.
    """
    most = rhythm.batches
    if not min_bytes:
        return CommitsADay(most, most)
    if rhythm.batch_every_s is not None:
        # Commit tasks wake by themselves; the first batch after a commit begins the next wait.
        between = (math.floor(max_latency_s / rhythm.batch_every_s) + 1) * rhythm.batch_every_s
    else:
        # Only a run commits, including the parts that it has just staged.
        between = (
            (math.ceil(max_latency_s / rhythm.period_s) + 1) * rhythm.period_s if max_latency_s else rhythm.period_s
        )
    return CommitsADay(DAY_S / between, most)


@dataclass(frozen=True, slots=True)
class Slots:
    """Tasks that hold a worker slot: their number per day, each for *held_s*."""

    task: str
    a_day: float
    held_s: float
    at_once: int = 1

    @property
    def on_average(self) -> float:
        """Average number of slots held at any time."""
        return self.a_day * self.held_s / DAY_S


def slots(rhythm: Rhythm, commit_tasks: int, write_s: float) -> list[Slots]:
    """Slots on a day when each run finds records and something to commit; *write_s* is the time to write a batch."""
    plan = Slots("plan", rhythm.runs, TASK_S)
    publish = Slots("publish", rhythm.runs, TASK_S)
    if rhythm.batch_every_s is not None:
        write = Slots("write", rhythm.runs, rhythm.period_s)
        commit = Slots("commit", rhythm.runs * commit_tasks, rhythm.period_s, commit_tasks)
    else:
        write = Slots("write", rhythm.runs, TASK_S + write_s)
        commit = Slots("commit", rhythm.runs * commit_tasks, TASK_S, commit_tasks)
    return [plan, write, commit, publish]


@dataclass(frozen=True, slots=True)
class TableCost:
    """*kept_s* is how long a snapshot is kept at the most commits per day, by `keep_snapshots` alone.

    Of routed tables there is one entry for all, and *count* is how many of them a batch has records for. The *requests* are
    those of one.
    """

    table: str
    commits: CommitsADay
    kept_snapshots: int
    kept_s: float
    requests: Requests
    count: float = 1.0


@dataclass(frozen=True, slots=True)
class DayCost:
    """One pipeline's cost. `spark_jobs` are those of `write`, at most; `marks` are commits of the dead-letter table."""

    rhythm: Rhythm
    spark_jobs: float
    tables: tuple[TableCost, ...]
    slots: tuple[Slots, ...]
    seen: PastLoad
    marks: TableCost | None = None

    @property
    def requests(self) -> Requests:
        out = Requests()
        for table in [*self.tables, *([self.marks] if self.marks else [])]:
            out = out + table.requests.times(table.count)
        return out

    @property
    def routed(self) -> float:
        """How many routed tables a batch has records for."""
        return sum(t.count for t in self.tables if t.table == ROUTED)

    @property
    def slots_on_average(self) -> float:
        return sum(s.on_average for s in self.slots)


def day_cost(
    rhythm: Rhythm,
    tables: list[str],
    *,
    max_latency_s: float,
    min_bytes: int,
    keep_snapshots: int,
    commit_tasks: int,
    catalog_is_http: bool,
    seen: PastLoad,
    marked: str | None = None,
    mark_every_s: float = DAY_S,
) -> DayCost:
    """The cost of a day on which every batch has records for every table.

    *marked* is the dead-letter table of a pipeline with routes. Batches then also have records for as many routed tables as the
    batches before, or for one; and this table gets a commit each *mark_every_s* at most, whatever there is in its own.
    """
    a_day = commits(rhythm, max_latency_s, min_bytes)
    per_commit = PER_COMMIT + OF_METADATA.times(-1) if catalog_is_http else PER_COMMIT
    per_batch = PER_TABLE_OF_A_BATCH.times(0 if catalog_is_http else 2) + PER_FILE.times(seen.files)
    each = per_commit.times(a_day.most) + per_batch.times(rhythm.batches)
    kept_s = keep_snapshots * DAY_S / a_day.most
    costs = [TableCost(name, a_day, keep_snapshots, kept_s, each) for name in tables]
    marks = None
    if marked is not None:
        costs.append(TableCost(ROUTED, a_day, keep_snapshots, kept_s, each, seen.routed or 1.0))
        most = min(rhythm.batches, DAY_S / mark_every_s)
        kept_s = keep_snapshots * DAY_S / most
        marks = TableCost(marked, CommitsADay(0.0, most), keep_snapshots, kept_s, per_commit.times(most))
    return DayCost(
        rhythm,
        rhythm.batches,
        tuple(costs),
        tuple(slots(rhythm, commit_tasks, seen.write_s)),
        seen,
        marks,
    )
