"""Which tables get their records from all slices of a job through a shuffle."""

from __future__ import annotations

from lakelock.model.distribution import distribution
from lakelock.model.offsets import offsets_in
from lakelock.ports import Shuffle, Target, WriteOrder

# Without a mode: files with fewer records than this cost more than the way of the records through Spark.
LEAST_RECORDS_A_FILE = 200
# Neighbouring tables share a bucket. So many for each task that writes, because hashing distributes them.
BUCKETS_A_TASK = 64
# Records of one bucket, before compression, that one task writes.
BUCKET_BYTES = 128 << 20


def shuffle_of(order: WriteOrder) -> Shuffle | None:
    """None if slices write all records themselves, as a single slice does: its tables have one file each."""
    slices = len(order.slices)
    if order.router is None or slices < 2:
        return None
    # Spark evaluates expressions where records are read.
    may_be_shuffled = [t for t in order.targets if t.is_routed and t.expressions is None]
    tables = _with_mode(may_be_shuffled, "hash")
    undecided = _with_mode(may_be_shuffled, None)
    records = sum(offsets_in(ranges) for ranges in order.slices)
    if records < LEAST_RECORDS_A_FILE * len(undecided) * slices:
        tables |= undecided
    if not tables:
        return None
    tasks = min(slices, len(tables))
    return Shuffle(tables, min(len(tables), tasks * BUCKETS_A_TASK), tasks, max(BUCKET_BYTES // slices, 1))


def _with_mode(targets: list[Target], mode: str | None) -> frozenset[str]:
    return frozenset(t.table for t in targets if distribution(t.properties) == mode)
