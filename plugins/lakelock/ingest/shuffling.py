"""Which tables get their records from all slices of a job through a shuffle."""

from __future__ import annotations

from lakelock.model.distribution import distribution
from lakelock.ports import Shuffle, Target, WriteOrder

# Neighbouring tables share a bucket. So many for each task that writes, because hashing distributes them.
BUCKETS_A_TASK = 64
# Records of one bucket, before compression, that one task writes.
BUCKET_BYTES = 256 << 20


def shuffle_of(order: WriteOrder) -> Shuffle | None:
    """None if slices write all records themselves, as a single slice does: its tables have one file each."""
    if order.router is None or len(order.slices) < 2:
        return None
    tables = frozenset(t.table for t in order.targets if may_be_shuffled(t) and distribution(t.properties) == "hash")
    if not tables:
        return None
    tasks = min(len(order.slices), len(tables))
    buckets = min(len(tables), tasks * BUCKETS_A_TASK)
    return Shuffle(tables, buckets, tasks, max(BUCKET_BYTES // len(order.slices), 1))


def may_be_shuffled(target: Target) -> bool:
    """Spark evaluates the expressions of a table where its records are read."""
    return target.is_routed and target.expressions is None
