"""Peak memory of a commit task that finds many staged files.

    export PYTHONPATH=plugins:bin:tests
    python tests/benchmarks/bench_commit_memory.py --files 100 10000

A write-ahead log and a SQL catalog on a real Postgres; 20 columns with statistics; the data files are entries only (a
commit never opens them). Each commit runs in a process of its own that has imported what a task has.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import tempfile
import time
import uuid
from contextlib import closing
from pathlib import Path

import orjson
import pyarrow as pa
from kits.columns import columns
from kits.iceberg import raw
from lakelock.adapters.airflow.connections import Connection
from lakelock.adapters.parquet.data_file_json import encode_data_file
from lakelock.adapters.wal import migrate
from lakelock.app.runtime import Runtime
from lakelock.app.servers import new_id
from lakelock.config import Pipeline, load_pipeline
from lakelock.ingest.bind import Binder, Owner
from lakelock.model.batches import LIVE, Books, DataFile, PartResult, PlannedRange
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import TableDefinition
from pyiceberg.io.pyarrow import _dataframe_to_data_files
from stack.postgres import Postgres

COLUMNS = 20
FILES_A_BATCH = 100
OFFSETS = 1_000
SOURCE = Source("wide", "AAAAAAAAAAAAAAAAAAAAAA", 0)


def runtime(pipeline: Pipeline, port: int, warehouse: Path) -> Runtime:
    iceberg = f"postgresql+psycopg://lakelock@127.0.0.1:{port}/iceberg"
    known = {
        "iceberg_default": Connection(
            "iceberg_default", "iceberg", host=iceberg, extra={"type": "sql", "warehouse": f"file://{warehouse}"}
        ),
        "lakelock_postgres": Connection(
            "lakelock_postgres", "postgres", host="127.0.0.1", port=port, login="lakelock", schema="lakelock"
        ),
    }
    return Runtime(pipeline, known.__getitem__)


def stage(work: Runtime, count: int) -> None:
    """*count* files in batches of FILES_A_BATCH."""
    pipeline, log, tables = work.pipeline, work.log, work.tables
    table = pipeline.tables[0].name
    definition = TableDefinition(columns({f"column_{i}": "string" for i in range(COLUMNS)}))
    file: dict[str, object] = {}
    for n in range(count // FILES_A_BATCH):
        start = n * OFFSETS
        ranges = [PlannedRange(OffsetRange(SOURCE, start, start + OFFSETS), 0)]
        batch = log.plan(
            pipeline.name, LIVE, new_id(), pipeline.resolved(), pipeline.digest, ranges, {} if n else {SOURCE: 0},
            {table: ["wide"]},
        )  # fmt: skip
        owner = Owner(pipeline.name, log.installation_id(), batch.config, batch.config_digest)
        binder = Binder(log, tables, owner, pipeline.commit, new_id, time.sleep)
        state = binder.bind(table, define=lambda: definition, declare_starts=True)
        if not file:
            texts = [f"some text of row {i}" for i in range(OFFSETS // FILES_A_BATCH)]
            rows = pa.table({f"column_{i}": texts for i in range(COLUMNS)})
            (written,) = _dataframe_to_data_files(
                table_metadata=raw(state).metadata, df=rows, io=raw(state).io, write_uuid=uuid.uuid4()
            )
            written.spec_id = raw(state).metadata.default_spec_id
            file = orjson.loads(encode_data_file(written, raw(state).metadata.current_schema_id))
        files = []
        for _ in range(FILES_A_BATCH):
            path = f"{raw(state).location()}/data/{batch.batch_id}/{uuid.uuid4()}.parquet"
            files.append(DataFile(path, OFFSETS // FILES_A_BATCH, 30_000, orjson.dumps({**file, "path": path})))
        identity = state.identity
        books = (Books(ranges[0].range, OFFSETS, OFFSETS),)
        attempt = new_id()
        log.claim(batch.batch_id, attempt, "bench", 60)
        log.stage(batch.batch_id, attempt, [PartResult(table, identity, tuple(files), books)])


def commit(file: Path, port: int, warehouse: Path) -> tuple[str, float, int, int]:
    import lakelock.orchestration.ingest_tasks  # noqa: F401

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with closing(runtime(load_pipeline(file), port, warehouse)) as work:
        began = time.process_time()
        (outcome,) = work.commit([work.pipeline.tables[0].name], now=True)
        cpu_s = time.process_time() - began
    return outcome.line, cpu_s, before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", nargs="+", type=int, default=[100, 10_000])
    wanted = parser.parse_args().files
    with tempfile.TemporaryDirectory(prefix="lakelock-bench-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        home.chmod(0o755)
        server = Postgres(home / "postgres")
        server.start()
        try:
            migrate(server.dsn("lakelock"))
            for count in wanted:
                file = home / f"wide_{count}.yaml"
                file.write_text(f"source: {{topics: [wide]}}\ntables: [{{name: bench.wide_{count}}}]\n")
                with closing(runtime(load_pipeline(file), server.port, home / f"warehouse-{count}")) as work:
                    stage(work, count)
                with multiprocessing.get_context("spawn").Pool(1) as pool:
                    line, cpu_s, before, after = pool.apply(commit, (file, server.port, home / f"warehouse-{count}"))
                print(
                    f"{count} files: {before / 1024:.0f} MiB before, {after / 1024:.0f} MiB at most, {cpu_s:.2f} s CPU; {line}"
                )
        finally:
            server.stop()


if __name__ == "__main__":
    main()
