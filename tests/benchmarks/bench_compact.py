"""Small files into large ones: our compaction beside Spark's `rewrite_data_files`, on the same files and the same server.

    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_compact.py                       a few minutes
    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_compact.py --files 20 --rows 2000 --rounds 1

Starts Postgres and a Connect server of its own. Each round makes two tables of the same files, which are compacted in turn, so
that both see the same machine; a round before the first is not counted. Wall time from the look at the table to the commit.
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

import pyarrow as pa
from kits.iceberg import adopted, change, open_tables, plain_catalog, raw
from lakelock.adapters.data_file_json import encode_data_file
from lakelock.adapters.iceberg import IcebergStorage, IcebergTables
from lakelock.adapters.parquet_copy import copy_files
from lakelock.adapters.spark import SparkCopier
from lakelock.adapters.spark_connect import open_connect
from lakelock.core import compact
from lakelock.core.batch import DataFile
from lakelock.ports import CopyOrder
from lakelock.steps.orders import target_of
from pyiceberg.io.pyarrow import _dataframe_to_data_files
from stack import bootstrap
from stack.postgres import Postgres
from stack.settings import CATALOG
from stack.spark import SparkConnect, catalog_settings

DATABASE = "iceberg"
SCHEMA = {"type": "struct", "fields": [
    {"name": "id", "type": "long", "required": False}, {"name": "name", "type": "string", "required": False},
    {"name": "ratio", "type": "double", "required": False}, {"name": "ts", "type": "timestamptz", "required": False},
    {"name": "place", "type": "string", "required": False},
]}  # fmt: skip


@contextmanager
def servers() -> Iterator[tuple[str, IcebergTables]]:
    java = bootstrap.java()
    with tempfile.TemporaryDirectory(prefix="lakelock-bench-") as home:
        folder = Path(home)
        folder.chmod(0o755)
        (folder / "warehouse").mkdir()
        warehouse = f"file://{folder}/warehouse"
        postgres = Postgres(folder / "postgres")
        postgres.start()
        settings = catalog_settings(postgres.port, DATABASE, warehouse, ("lake", CATALOG))
        spark = SparkConnect(folder / "spark", bootstrap.java_home(java), bootstrap.jars("spark"), settings)
        spark.start()
        uri = postgres.dsn(DATABASE).replace("postgresql://", "postgresql+psycopg://")
        try:
            yield spark.remote, open_tables({"type": "sql", "uri": uri, "warehouse": warehouse})
        finally:
            spark.stop()
            postgres.stop()


def filled(tables: IcebergTables, files: int, rows: int) -> str:
    """A table of *files* files with *rows* rows each."""
    name = f"bench.t_{uuid.uuid4().hex[:8]}"
    state = adopted(tables, name, schema=SCHEMA)
    table, made = raw(state), []
    for n in range(files):
        ids = range(n * rows, (n + 1) * rows)
        data = pa.table({
            "id": pa.array(ids, pa.int64()), "name": [f"name of {i}" for i in ids], "ratio": [i / 7 for i in ids],
            "ts": pa.array([i * 1_000_000 for i in ids], pa.timestamp("us", "UTC")), "place": [f"p{i % 50}" for i in ids],
        })  # fmt: skip
        for file in _dataframe_to_data_files(table.metadata, data, table.io, uuid.uuid4()):
            file.spec_id = 0
            made.append(
                DataFile(file.file_path, file.record_count, file.file_size_in_bytes, encode_data_file(file))
            )  # fmt: skip
    tables.commit(state, change(state, files=tuple(made)))
    return name


def ours(tables: IcebergTables, name: str, session: Any) -> None:
    """What the step does, without a log."""
    storage, state = IcebergStorage(tables.border), tables.load(name)
    when = compact.When(compact.target_bytes(state.properties), 2, 1 << 62)
    found = compact.plan(storage.live_files(state), when, lambda some: storage.unfit(state, some))
    for group in found.groups:
        slices = tuple(tuple((f.path, f.rows) for f in one) for one in group.bins)
        order = CopyOrder(str(uuid.uuid4()), group.partition, target_of(state, tables.storage(state)), slices)
        outputs = SparkCopier(session, copy_files).run(order)
        files = tuple(o.file for o in outputs if o.file is not None)
        tables.commit(state, change(state, files=files, replaces=tuple(f.path for f in group.files)))


def theirs(name: str, session: Any) -> None:
    options = "map('min-input-files', '2')"
    session.sql(f"CALL lake.system.rewrite_data_files(table => '{name}', options => {options})").collect()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--rows", type=int, default=20_000, help="of each file")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    seconds: dict[str, list[float]] = {"ours": [], "rewrite_data_files": []}
    with servers() as (remote, tables), open_connect(remote, "bench", "compact") as session:
        for n in range(args.rounds + 1):
            for way, took in seconds.items():
                name = filled(tables, args.files, args.rows)
                began = time.perf_counter()
                ours(tables, name, session) if way == "ours" else theirs(name, session)
                took.append(time.perf_counter() - began)
                table = plain_catalog(tables).load_table(name)
                left = [t.file.record_count for t in table.scan().plan_files()]
                assert sum(left) == args.files * args.rows
                print(
                    f"{'warming' if n == 0 else n:>8} {way:<20} {took[-1]:7.2f} s, {len(left)} files left", flush=True
                )
    rows = args.files * args.rows
    for way, took in seconds.items():
        middle = statistics.median(took[1:])
        print(f"{way:<20} median {middle:7.2f} s, {rows / middle:12,.0f} rows/s")


if __name__ == "__main__":
    main()
