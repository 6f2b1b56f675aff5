"""Files and seconds of one batch into 1,000 partitions: written to them, or landed without and partitioned by a compaction.

    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_landing.py

Starts no server: the tables are in a SQLite catalog on the local disk. The writing tasks of a batch run one after another in
this process, from rows in memory, so the figures have no Kafka and no decoding in them. Both ways run in turn.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
import uuid
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
from kits.columns import columns
from kits.iceberg import HOUR_US, adopted, change, open_tables, plain_catalog
from lakelock.adapters.iceberg import IcebergStorage, IcebergTables
from lakelock.adapters.parquet.row_copy import copy_files
from lakelock.adapters.parquet.writer import TableWriter
from lakelock.config import Table
from lakelock.ingest.landing import as_written
from lakelock.ingest.write_order import target_of
from lakelock.model.batches import DataFile
from lakelock.ports.edits import Rewrite
from lakelock.upkeep import compact_decision as compact
from lakelock.upkeep.compact import order_of

COLUMNS = columns({"id": "long", "name": "string", "ratio": "double", "ts": "timestamptz", "place": "string"})
BLOCK_ROWS = 50_000
BUCKETS = 64


@dataclass(frozen=True)
class Cost:
    """*batch_files* of the batch, *files* after the compaction, if there is one."""

    batch_files: int
    files: int
    write_s: float
    commit_s: float
    compact_s: float


def blocks(slice_no: int, rows: int, hours: int) -> list[pa.Table]:
    out = []
    for start in range(slice_no * rows, (slice_no + 1) * rows, BLOCK_ROWS):
        ids = range(start, min(start + BLOCK_ROWS, (slice_no + 1) * rows))
        out.append(
            pa.table({
                "id": pa.array(ids, pa.int64()), "name": [f"name of {i}" for i in ids], "ratio": [i / 7 for i in ids],
                "ts": pa.array([i % hours * HOUR_US for i in ids], pa.timestamp("us", "UTC")),
                "place": [f"p{i % 50}" for i in ids],
            })
        )  # fmt: skip
    return out


def batch(tables: IcebergTables, slices: list[list[pa.Table]], landing: str | None) -> Cost:
    name = f"bench.t_{uuid.uuid4().hex[:8]}"
    adopted(tables, name, columns=COLUMNS, partition_by=("hour(ts)", f"bucket({BUCKETS}, id)"))
    state = as_written(Table.model_validate({"name": name, "landing": landing}), tables.load(name), tables)
    files: list[DataFile] = []
    began = time.perf_counter()
    for some in slices:
        target = target_of(state, tables.storage(state))
        writer = TableWriter(target, str(uuid.uuid4()), str(uuid.uuid4()), file_bytes=512 << 20)
        for rows in some:
            writer.write(rows.cast(writer.arrow_schema))
        files += writer.finish()
    write_s = time.perf_counter() - began
    began = time.perf_counter()
    now = tables.load(name)
    tables.commit(now, change(now, 0, sum(f.rows for f in files), files=tuple(files)))
    commit_s = time.perf_counter() - began
    began = time.perf_counter()
    if landing is not None:
        partitioned(tables, name)
    live = len(list(plain_catalog(tables).load_table(name).scan().plan_files()))
    return Cost(len(files), live, write_s, commit_s, time.perf_counter() - began if landing is not None else 0.0)


def partitioned(tables: IcebergTables, name: str) -> None:
    """What a compaction does, without a log and with its tasks in this process."""
    storage, state = IcebergStorage(tables.border), tables.load(name)
    when = compact.When(compact.DEFAULT_TARGET_BYTES, 5, 1 << 62, storage.landed(state), keeps_newest=False)
    for due in compact.plan(storage.live_files(state), when, lambda some: storage.unfit(state, some)).groups:
        now = tables.load(name)
        group, order = order_of(due, str(uuid.uuid4()), target_of(now, tables.storage(now)))
        new = tuple(f for n in range(len(order.slices)) for f in copy_files(order, n).files)
        tables.commit(now, change(now, edit=Rewrite(tuple(f.path for f in group.files), new)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slices", type=int, default=8)
    parser.add_argument("--rows", type=int, default=250_000, help="of each slice")
    parser.add_argument("--hours", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=1)
    args = parser.parse_args()
    slices = [blocks(n, args.rows, args.hours) for n in range(args.slices)]
    found: dict[str, list[Cost]] = {"to partitions": [], "landing": []}
    with tempfile.TemporaryDirectory(prefix="lakelock-bench-") as folder:
        place = Path(folder)
        uri = f"sqlite:///{place}/catalog.db"
        tables = open_tables({"type": "sql", "uri": uri, "warehouse": f"file://{place}/warehouse"})
        batch(tables, [some[:1] for some in slices[:1]], None)
        for _ in range(args.rounds):
            for way, landing in (("to partitions", None), ("landing", "unpartitioned")):
                found[way].append(batch(tables, slices, landing))
    print(f"{args.slices * args.rows:,} rows in {args.slices} slices, {args.hours * BUCKETS:,} partitions")
    for way, costs in found.items():
        middle = {f: statistics.median(getattr(c, f) for c in costs) for f in ("write_s", "commit_s", "compact_s")}
        last = replace(costs[-1], **middle)
        print(
            f"{way:>14}: {last.batch_files:,} files, write {last.write_s:.1f} s, commit {last.commit_s:.1f} s, "
            f"compact {last.compact_s:.1f} s; then {last.files:,} files"
        )


if __name__ == "__main__":
    main()
