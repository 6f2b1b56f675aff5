"""What a day of a pipeline costs: Spark jobs, commits, snapshots, requests to the object store, worker slots.

What a commit asks of the store was counted, and a test counts it again (tests/integration/test_commit_requests.py).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from lakelock.model.past import PastLoad

DAY_S = 86_400.0
# A task's process, its connections and what it asks of them, where nothing is to be read or committed.
TASK_S = 3.0


@dataclass(frozen=True, slots=True)
class Requests:
    """By kind; a client may send a HEAD of its own before a GET, and a large file in several parts."""

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


# Metadata, configuration, the parent's list of manifests; once as many snapshots are there as are kept, a list that
# expires and a manifest that is merged. Manifest, list and metadata are written and their like of long ago deleted.
PER_COMMIT = Requests(get=5, put=3, head=1, delete=3)
# A catalog behind HTTP reads, writes and deletes metadata by itself.
OF_METADATA = Requests(get=1, put=1, delete=1)
# The table's metadata, and those of the dead-letter table once there is one.
PER_TABLE_OF_A_BATCH = Requests(get=1)
PER_FILE = Requests(put=1)


@dataclass(frozen=True, slots=True)
class Rhythm:
    """*period_s* is the mean time between runs; with *batch_every_s* each run is a window as long as that."""

    period_s: float
    batch_every_s: float | None = None

    @property
    def runs(self) -> float:
        return DAY_S / self.period_s

    @property
    def batches(self) -> float:
        """The most in a day without a backlog; a run without new records makes none."""
        return DAY_S / (self.batch_every_s or self.period_s)


@dataclass(frozen=True, slots=True)
class CommitsADay:
    """Of one table that gets records all day: *fewest* while little is staged, *most* when each batch has `min_bytes`."""

    fewest: float
    most: float


def commits(rhythm: Rhythm, max_latency_s: float, min_bytes: int) -> CommitsADay:
    """By `ingest.commit_decision.due`: what a run stages is committed by that run, or a later one, once the oldest is due."""
    most = rhythm.batches
    if not min_bytes:
        return CommitsADay(most, most)
    if rhythm.batch_every_s is not None:
        # Commit tasks wake by themselves; the first batch behind a commit begins the next wait.
        between = (math.floor(max_latency_s / rhythm.batch_every_s) + 1) * rhythm.batch_every_s
    else:
        # Only a run commits, and with what waited it lands what it has just staged.
        between = (
            (math.ceil(max_latency_s / rhythm.period_s) + 1) * rhythm.period_s if max_latency_s else rhythm.period_s
        )
    return CommitsADay(DAY_S / between, most)


@dataclass(frozen=True, slots=True)
class Slots:
    """Tasks that hold a worker slot: so many a day, each for *held_s*."""

    task: str
    a_day: float
    held_s: float
    at_once: int = 1

    @property
    def on_average(self) -> float:
        """Slots that are held at any time."""
        return self.a_day * self.held_s / DAY_S


def slots(rhythm: Rhythm, commit_tasks: int, write_s: float) -> list[Slots]:
    """Of a day in which each run finds records and something to commit; *write_s* is how long a batch takes to write."""
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
    """*kept_s* is how long a snapshot stays at the most commits a day, by `keep_snapshots` alone."""

    table: str
    commits: CommitsADay
    kept_snapshots: int
    kept_s: float
    requests: Requests


@dataclass(frozen=True, slots=True)
class DayCost:
    """One pipeline's. `spark_jobs` are those of `write`, at most."""

    rhythm: Rhythm
    spark_jobs: float
    tables: tuple[TableCost, ...]
    slots: tuple[Slots, ...]
    seen: PastLoad

    @property
    def requests(self) -> Requests:
        out = Requests()
        for table in self.tables:
            out = out + table.requests
        return out

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
) -> DayCost:
    """Of a day in which every batch has records for every table."""
    a_day = commits(rhythm, max_latency_s, min_bytes)
    per_commit = PER_COMMIT + OF_METADATA.times(-1) if catalog_is_http else PER_COMMIT
    per_batch = PER_TABLE_OF_A_BATCH.times(0 if catalog_is_http else 2) + PER_FILE.times(seen.files)
    each = per_commit.times(a_day.most) + per_batch.times(rhythm.batches)
    kept_s = keep_snapshots * DAY_S / a_day.most
    return DayCost(
        rhythm,
        rhythm.batches,
        tuple(TableCost(name, a_day, keep_snapshots, kept_s, each) for name in tables),
        tuple(slots(rhythm, commit_tasks, seen.write_s)),
        seen,
    )
