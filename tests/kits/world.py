"""One pipeline on real servers, driven step by step in this process, and its table audited by another engine."""

from __future__ import annotations

import json
import os
import subprocess
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import duckdb
from lakelock.adapters.airflow.connections import Connection
from lakelock.app.runtime import Runtime
from lakelock.audit.audit_text import audit_text
from lakelock.config import load_pipeline
from lakelock.ingest.outcome import CommitOutcome
from lakelock.ports import Copier, Writer
from lakelock.ports.redrive_jobs import Redriver
from pyiceberg.catalog import Catalog, load_catalog
from pyiceberg.exceptions import NoSuchTableError
from stack.settings import REPOSITORY

from kits.topics import new_producer, produce

CATALOG = "iceberg_default"
STRICT = "new_fields: dead_letter"


@dataclass
class World:
    """`run` is one whole cycle; `audit` says that the table holds exactly the topic's records."""

    folder: Path
    namespace: str
    topic: str
    connections: dict[str, Connection]
    sent: dict[int, list[int]] = field(default_factory=dict)
    name: str = "orders"
    settings: str = ""
    next_id: int = 0
    writer: Writer | None = None
    copier: Copier | None = None
    redriver: Redriver | None = None
    start: str = "earliest"
    # The pipeline file, if it is another than one with a single table.
    text: str = ""

    @property
    def table(self) -> str:
        return f"{self.namespace}.{self.name}"

    @property
    def in_place_of_spark(self) -> dict[str, Any]:
        return {"writer": self.writer, "copier": self.copier, "redriver": self.redriver}

    @property
    def file(self) -> Path:
        """The pipeline file as it is now. Records that do not fit are dead letters, also those with a new field."""
        file = self.folder / f"{self.name}.yaml"
        if self.text:
            file.write_text(self.text)
            return file
        source = f"source: {{topics: [{self.topic}], start: '{self.start}'}}\n"
        file.write_text(f"{source}tables: [{{name: {self.table}, {STRICT}}}]\n{self.settings}")
        return file

    def runtime(self) -> Runtime:
        return Runtime(load_pipeline(self.file), self.connections.__getitem__, self.in_place_of_spark)

    def environment(self) -> dict[str, str]:
        """For a command line of its own: the connections as Airflow reads them."""
        env = {**os.environ, "PYTHONPATH": str(REPOSITORY / "plugins")}
        for known in self.connections.values():
            fields = {k: v for k, v in asdict(known).items() if v and k != "conn_id"}
            env[f"AIRFLOW_CONN_{known.conn_id.upper()}"] = json.dumps(fields)
        return env

    def produce(self, count: int, bad: Sequence[bytes | None] = ()) -> None:
        """*count* records with ids of their own over two partitions, and bad ones behind them."""
        values: list[bytes | None] = []
        for _ in range(count):
            values.append(json.dumps({"id": self.next_id, "note": f"n{self.next_id}"}).encode())
            self.next_id += 1
        servers = self.connections["kafka_default"].extra["bootstrap.servers"]
        produce(new_producer(servers), self.topic, [*values, *bad])

    def run(self, max_records: int | None = None) -> list[CommitOutcome]:
        with closing(self.runtime()) as runtime:
            return self.cycle(runtime, max_records)

    def cycle(self, runtime: Runtime, max_records: int | None = None) -> list[CommitOutcome]:
        planned = runtime.plan(max_records)
        if planned.batch_id is not None:
            runtime.write(str(uuid.uuid4()), f"test/{uuid.uuid4()}", planned.batch_id)
        return self.commit(runtime)

    def run_as_cli(self, start: Callable[[World], subprocess.Popen[str]]) -> None:
        process = start(self)
        said, _ = process.communicate(timeout=120)
        assert process.returncode == 0, said

    def commit(self, runtime: Runtime) -> list[CommitOutcome]:
        landed = runtime.commit([self.table], now=True)
        runtime.publish()
        return landed

    @property
    def catalog(self) -> Catalog:
        connection = self.connections[CATALOG]
        return load_catalog(CATALOG, uri=connection.host, **connection.extra)

    def rows(self, table: str | None = None) -> list[tuple[Any, ...]]:
        """(partition, offset, id) of every live row, read by DuckDB; `id` is None in the dead-letter table."""
        try:
            found = self.catalog.load_table(table or self.table)
        except NoSuchTableError:
            return []
        files = [task.file.file_path.removeprefix("file://") for task in found.scan().plan_files()]
        columns = 'partition, "offset", NULL' if table else "_kafka_partition, _kafka_offset, id"
        query = f"SELECT {columns} FROM read_parquet({files!r}) ORDER BY 1, 2"
        return duckdb.sql(query).fetchall() if files else []

    def files_by_offset(self) -> dict[tuple[int, int], str]:
        """(partition, offset) of each live row, with its file, as DuckDB reads them."""
        paths = [task.file.file_path for task in self.catalog.load_table(self.table).scan().plan_files()]
        out: dict[tuple[int, int], str] = {}
        for path in paths:
            query = f"SELECT _kafka_partition, _kafka_offset FROM read_parquet('{path.removeprefix('file://')}')"
            out |= dict.fromkeys(duckdb.sql(query).fetchall(), path)
        return out

    def audit(self, dead: int = 0, faults: Sequence[str] = ()) -> None:
        """Each offset once, in the table or in the dead letters, none missing below the frontier; each id once.

        *faults* are parts of what `lakelock audit` has to say of the pipeline beside that, in order.
        """
        rows, dead_letters = self.rows(), self.rows(f"{self.table}__dead_letters")
        stored = [(p, o) for p, o, _ in [*rows, *dead_letters]]
        assert len(stored) == len(set(stored)), "an offset is there twice"
        assert sorted(r[2] for r in rows) == list(range(self.next_id)), "ids are not each there once"
        assert len(dead_letters) == dead
        by_partition: dict[int, list[int]] = {}
        for partition, offset in sorted(stored):
            by_partition.setdefault(partition, []).append(offset)
        for offsets in by_partition.values():
            assert offsets == list(range(offsets[0], offsets[-1] + 1)), "an offset is missing"
        with closing(self.runtime()) as runtime:
            found = runtime.audit()
        assert len(found.faults) == len(faults), audit_text(found)
        assert all(part in said for part, said in zip(faults, found.faults, strict=True)), audit_text(found)
        assert not any(t.faults for t in found.tables), audit_text(found)
        assert found.complete == (not faults)
        assert not any(t.not_counted for t in found.tables), audit_text(found)


def open_with(world: World, text: str) -> closing[Runtime]:
    file = world.folder / f"{world.name}.yaml"
    file.write_text(text)
    known = world.connections.__getitem__
    return closing(Runtime(load_pipeline(file), known, world.in_place_of_spark))


def file_of(world: World, *tables: str, rest: str = "") -> str:
    """*tables* are names, of tables with the settings of the world's own, or maps."""
    listed = "".join(f"  - {t if t.startswith('{') else f'{{name: {t}, {STRICT}}}'}\n" for t in tables)
    return f"source: {{topics: [{world.topic}]}}\ntables:\n{listed}{rest}"


def write_next(runtime: Runtime) -> None:
    planned = runtime.plan()
    assert planned.batch_id is not None, planned.line
    runtime.write(str(uuid.uuid4()), f"test/{uuid.uuid4()}", planned.batch_id)


def connection(conn_id: str, conn_type: str, **fields: Any) -> Connection:
    return Connection(conn_id, conn_type, **fields)


def with_extra(known: Connection, **extra: Any) -> Connection:
    merged: Mapping[str, Any] = {**known.extra, **extra}
    return Connection(known.conn_id, known.conn_type, host=known.host, port=known.port, extra=merged)


def new_world(
    folder: Path,
    namespace: str,
    log_dsn: str,
    bootstrap: str,
    spark_port: int,
    catalog_properties: dict[str, str],
    topic: str,
) -> World:
    address = log_dsn.removeprefix("postgresql://lakelock@")
    place, _, database = address.partition("/")
    extra = {k: v for k, v in catalog_properties.items() if k != "uri"}
    known = [
        connection("kafka_default", "kafka", extra={"bootstrap.servers": bootstrap}),
        connection("iceberg_default", "iceberg", host=catalog_properties["uri"], extra=extra),
        connection(
            "lakelock_postgres",
            "postgres",
            host="127.0.0.1",
            port=int(place.split(":")[1]),
            login="lakelock",
            schema=database,
        ),
        connection("spark_default", "spark_connect", host="sc://127.0.0.1", port=spark_port),
    ]
    return World(folder, namespace, topic, {c.conn_id: c for c in known})
