"""Wide records: GitHub's webhooks, 10 kB each and 3,600 leaf columns, against a raw loop over the same records.

    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_wide.py                   a few minutes; needs npm
    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_wide.py --records 3000 --rounds 1

The raw loop is librdkafka -> pyarrow.json -> zstd Parquet with the same schema, in two processes. It cannot read records whose types
conflict: both sides read those that fit, then ours alone reads all, of which one in thirty becomes a dead letter.
"""

from __future__ import annotations

import argparse
import itertools
import os
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
from bench_write_path import (
    METADATA,
    PROCESSES,
    RAW_CONSUMER,
    Cost,
    Load,
    _cpu_s,
    broker,
    compare,
    our_process,
    produce,
    two_processes,
)
from bench_write_path import order as plain_order
from kits.webhooks import examples, packed, payloads
from lakelock.adapters.iceberg.definitions import schema_of
from lakelock.adapters.parquet_file import arrow_schema
from lakelock.core import json_types
from lakelock.core.define import schema_with_metadata
from lakelock.core.infer import infer_schema
from lakelock.core.json_decode import JsonDecoder
from lakelock.core.offsets import OffsetRange
from lakelock.ports import TableDefinition, WriteOrder

Schema = dict[str, Any]


def raw_range(bootstrap: str, r: OffsetRange, wire: pa.Schema, path: str) -> int:
    import pyarrow.json as pj
    import pyarrow.parquet as pq
    from confluent_kafka import Consumer, TopicPartition

    consumer = Consumer({**RAW_CONSUMER, "bootstrap.servers": bootstrap})
    consumer.assign([TopicPartition(r.source.topic, r.source.partition, r.start)])
    position, rows, size = r.start, 0, 0
    buffer: list[bytes] = []
    with pq.ParquetWriter(path, wire, compression="zstd", compression_level=1) as writer:
        while position < r.end:
            messages = consumer.consume(min(2_000, r.end - position), timeout=0.2)
            if messages:
                buffer += [m.value() for m in messages]
                size += sum(len(m.value()) for m in messages)
                position = messages[-1].offset() + 1
            if buffer and (size >= 32 << 20 or position >= r.end):
                table = pj.read_json(
                    pa.BufferReader(b"\n".join(buffer)),
                    parse_options=pj.ParseOptions(explicit_schema=wire, unexpected_field_behavior="ignore"),
                    read_options=pj.ReadOptions(use_threads=False, block_size=1 << 27),
                )
                writer.write_table(table)
                rows, size, buffer = rows + table.num_rows, 0, []
    consumer.close()
    return rows


def raw_process(arguments: tuple[str, Sequence[OffsetRange], pa.Schema, str]) -> tuple[int, float]:
    bootstrap, ranges, wire, out = arguments
    before = _cpu_s()
    rows = sum(raw_range(bootstrap, r, wire, f"{out}/{uuid.uuid4()}.parquet") for r in ranges)
    return rows, _cpu_s() - before


def run_raw(bootstrap: str, load: Load, wire: pa.Schema) -> Cost:
    with two_processes() as pool, tempfile.TemporaryDirectory(prefix="lakelock-bench-") as out:
        work = [(bootstrap, load.ranges[n::PROCESSES], wire, out) for n in range(PROCESSES)]
        began = time.perf_counter()
        results = list(pool.map(raw_process, work))
        wall = time.perf_counter() - began
    assert sum(rows for rows, _ in results) == load.records
    return Cost(wall, sum(cpu for _, cpu in results))


def order(load: Load, out: str, bootstrap: str, schema: Schema) -> WriteOrder:
    from dataclasses import replace

    plain = plain_order(load, out, bootstrap)
    return replace(plain, targets=(replace(plain.targets[0], schema=schema),))


def run_ours(bootstrap: str, load: Load, schema: Schema) -> Cost:
    with two_processes() as pool, tempfile.TemporaryDirectory(prefix="lakelock-bench-") as out:
        whole = order(load, out, bootstrap, schema)
        began = time.perf_counter()
        results = list(pool.map(our_process, [(whole, n) for n in range(PROCESSES)]))
        wall = time.perf_counter() - began
    assert sum(r[0] for r in results) == load.records
    return Cost(wall, sum(r[1] for r in results), max(r[2] for r in results))


def fitting(found: list[dict[str, Any]], schema: Schema) -> Iterator[dict[str, Any]]:
    """Those that no type conflict makes a dead letter."""
    from pyiceberg.schema import Schema as Iceberg

    decoder = JsonDecoder(
        schema["fields"],
        arrow_schema(Iceberg.model_validate(schema)),
        zones={},
        skip=frozenset(METADATA.values()),
        unknown_fields="dead_letter",
    )
    bad = {b.index for b in decoder.decode([packed(one) for one in found]).bad}
    return itertools.compress(found, [n not in bad for n in range(len(found))])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, pyarrow {pa.__version__}")
    found = examples()
    inferred = infer_schema([packed(one) for one in found], METADATA.values())
    definition = TableDefinition(schema_with_metadata("bench.rows", list(inferred.fields), METADATA))
    schema: Schema = schema_of(definition).model_dump(by_alias=True, mode="json")
    own = [f for f in schema["fields"] if f["name"] not in METADATA.values()]
    wire = pa.schema([(f["name"], json_types.wire_type(f["type"])) for f in own])
    print(f"{len(own)} columns, {sum(json_types.leaves(f['type']) for f in own)} leaf columns")
    with broker(None) as address:
        fits = produce(address, [], payloads(list(fitting(found, schema)), asked.records))
        conflicts = produce(address, [], payloads(found, asked.records))
        compare(
            "wide",
            asked.rounds,
            asked.records,
            raw=lambda: run_raw(address, fits, wire),
            ours=lambda: run_ours(address, fits, schema),
        )
        compare(
            "types that conflict",
            asked.rounds,
            asked.records,
            clean=lambda: run_ours(address, fits, schema),
            bad=lambda: run_ours(address, conflicts, schema),
        )


if __name__ == "__main__":
    main()
