"""Small files into large ones: our compaction beside Spark's `rewrite_data_files`, on the same files and the same server.

    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_compact.py                       a few minutes
    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_compact.py --files 20 --rows 2000 --rounds 1
    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_compact.py --files 2548 --partitions 1460 --rows 670 --rounds 2

Starts Postgres and a Connect server of its own. Each round makes two tables of the same files, which are compacted in turn, so
that both see the same machine; a round before the first is not counted. Wall time from the look at the table to the commit.
With partitions, the files are dealt to them in turn, and those of a partition with two or more are compacted.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa
from kits.columns import columns
from kits.iceberg import adopted, change, open_tables, plain_catalog, raw
from lakelock.adapters.iceberg import IcebergStorage, IcebergTables
from lakelock.adapters.parquet.data_file_json import encode_data_file
from lakelock.adapters.parquet.row_copy import copy_files
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.adapters.spark.jobs import SparkCopier
from lakelock.ingest.write_order import target_of
from lakelock.model.batches import DataFile
from lakelock.ports.edits import Rewrite
from lakelock.upkeep import compact_decision as compact
from lakelock.upkeep.compact import order_of
from pyiceberg.io.pyarrow import _dataframe_to_data_files
from stack import jars, machine
from stack.postgres import Postgres
from stack.settings import CATALOG
from stack.spark import SparkConnect, catalog_settings

DATABASE = "iceberg"
COLUMNS = columns(
    {"id": "long", "name": "string", "ratio": "double", "ts": "timestamptz", "place": "string", "part": "int"}
)


@contextmanager
def servers() -> Iterator[tuple[str, IcebergTables]]:
    java = machine.java()
    with tempfile.TemporaryDirectory(prefix="lakelock-bench-") as home:
        folder = Path(home)
        folder.chmod(0o755)
        (folder / "warehouse").mkdir()
        warehouse = f"file://{folder}/warehouse"
        postgres = Postgres(folder / "postgres")
        postgres.start()
        settings = catalog_settings(postgres.port, DATABASE, warehouse, ("lake", CATALOG))
        spark = SparkConnect(folder / "spark", machine.java_home(java), jars.folder("spark"), settings)
        spark.start()
        uri = postgres.dsn(DATABASE).replace("postgresql://", "postgresql+psycopg://")
        try:
            yield spark.remote, open_tables({"type": "sql", "uri": uri, "warehouse": warehouse})
        finally:
            spark.stop()
            postgres.stop()


def filled(tables: IcebergTables, files: int, rows: int, partitions: int) -> tuple[str, int]:
    """A table of *files* files with *rows* rows each, and their bytes."""
    name = f"bench.t_{uuid.uuid4().hex[:8]}"
    state = adopted(tables, name, columns=COLUMNS, partition_by=("part",) if partitions else ())
    table, made = raw(state), []
    for n in range(files):
        ids = range(n * rows, (n + 1) * rows)
        data = pa.table({
            "id": pa.array(ids, pa.int64()), "name": [f"name of {i}" for i in ids], "ratio": [i / 7 for i in ids],
            "ts": pa.array([i * 1_000_000 for i in ids], pa.timestamp("us", "UTC")), "place": [f"p{i % 50}" for i in ids],
            "part": pa.array([n % (partitions or 1)] * rows, pa.int32()),
        })  # fmt: skip
        for file in _dataframe_to_data_files(table.metadata, data, table.io, uuid.uuid4()):
            file.spec_id = 0
            made.append(
                DataFile(file.file_path, file.record_count, file.file_size_in_bytes, encode_data_file(file, 0))
            )  # fmt: skip
    tables.commit(state, change(state, files=tuple(made)))
    return name, sum(f.size_bytes for f in made)


def ours(tables: IcebergTables, name: str, session: Any) -> None:
    """What the step does, without a log."""
    storage, state = IcebergStorage(tables.border), tables.load(name)
    when, read_at = compact.When(compact.target_bytes(state.properties), 2, 1 << 62), state.head_sequence
    found = compact.plan(storage.live_files(state), when, lambda some: storage.unfit(state, some))
    copier, read = SparkCopier(session, copy_files), dict[str, Any]()
    for planned in found.groups:
        group, order = order_of(planned, str(uuid.uuid4()), target_of(state, tables.storage(state)))
        outputs = copier.run(order)
        files = tuple(f for o in outputs for f in o.files)
        state = tables.load(name)
        paths = {f.path for f in group.files}
        now = compact.FilesNow(tuple(storage.live_among(state, paths, read)), 0)
        judged = compact.judged(group, [[f.path for f in o.files] for o in outputs], 0, now, read_at)
        assert not judged.left
        assert not tables.missing_files(state, files)
        tables.commit(state, change(state, edit=Rewrite(tuple(paths), files, read_at)))


def theirs(name: str, session: Any) -> None:
    options = "map('min-input-files', '2')"
    session.sql(f"CALL lake.system.rewrite_data_files(table => '{name}', options => {options})").collect()


def cpu_s() -> float:
    """Of this process and of the servers that it started, which are alive until the end; what else runs adds nothing to it."""
    here = psutil.Process()
    times = [p.cpu_times() for p in (here, *here.children(recursive=True))]
    return float(sum(t.user + t.system for t in times))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--rows", type=int, default=20_000, help="of each file")
    parser.add_argument("--partitions", type=int, default=0, help="none: the table has no partitions")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    seconds: dict[str, list[float]] = {"ours": [], "rewrite_data_files": []}
    with servers() as (remote, tables), open_connect(remote, "bench", "compact") as session:
        for n in range(args.rounds + 1):
            for way, took in seconds.items():
                name, size_bytes = filled(tables, args.files, args.rows, args.partitions)
                before = len(plain_catalog(tables).load_table(name).snapshots())
                began, cpu_began = time.perf_counter(), cpu_s()
                ours(tables, name, session) if way == "ours" else theirs(name, session)
                took.append(time.perf_counter() - began)
                cpu = cpu_s() - cpu_began
                table = plain_catalog(tables).load_table(name)
                left = [t.file.record_count for t in table.scan().plan_files()]
                assert sum(left) == args.files * args.rows
                commits = len(table.snapshots()) - before
                print(
                    f"{'warming' if n == 0 else n:>8} {way:<20} {took[-1]:7.2f} s, {cpu:6.1f} s of CPU, {args.files} files of "
                    f"{size_bytes / 2**20:.1f} MiB, {len(left)} left, commits: {commits}",
                    flush=True,
                )
    rows = args.files * args.rows
    middles = {way: statistics.median(took[1:]) for way, took in seconds.items()}
    for way, middle in middles.items():
        print(f"{way:<20} median {middle:7.2f} s, {rows / middle:12,.0f} rows/s")
    print(f"rewrite_data_files / ours: {middles['rewrite_data_files'] / middles['ours']:.2f}")


if __name__ == "__main__":
    main()
