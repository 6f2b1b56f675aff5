"""What shaping costs: from values to data files, with and without it, for the same columns of the same records.

    export PYTHONPATH=plugins:bin:tests
    python tests/benchmarks/bench_shaping.py                  under a minute, needs no server
    python tests/benchmarks/bench_shaping.py --records 2000000 --rounds 5
    python tests/benchmarks/bench_shaping.py --whole --records 1000000        the whole path, with a broker of its own

Each side decodes blocks of 20,000 values and writes them to Parquet files, as a task does after it consumed them; consuming
costs the same on both sides, and is not part of the figures, but for those of the whole path. Both sides run in turn in one process; the CPU time of the fastest
round counts.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import bench_write_path as path
import pyarrow as pa
from bench_write_path import small_values
from kits.shaping import pipeline, rows_of
from lakelock.adapters.parquet.writer import TableWriter
from lakelock.records.values import Values

GOAL = 1.15
BLOCK = 20_000
KEYS = {"masking_key": "example"}
FLAT = "columns: {id: long, user_account: string, user_amount: double, meta_event_ts: string, meta_note: string}"
TEXT = (
    "columns: {id: long, account: {type: string, field: payload.account}, amount: {type: double, field: payload.amount},"
    " event_ts: {type: string, field: payload.event_ts}, note: {type: string, field: payload.note}}"
)
PLAIN = "columns: {id: long, account: string, amount: double, event_ts: string, note: string}"


@dataclass(frozen=True)
class Side:
    """Keys of a table, and what its topic has of a record of five fields."""

    table: str
    value: Callable[[dict[str, object]], object]


def nested(r: dict[str, object]) -> object:
    return {
        "id": r["id"],
        "user": {"account": r["account"], "amount": r["amount"]},
        "meta": {"event_ts": r["event_ts"], "note": r["note"]},
    }


def joined(r: dict[str, object]) -> object:
    names = {"account": "user_account", "amount": "user_amount", "event_ts": "meta_event_ts", "note": "meta_note"}
    return {names.get(k, k): v for k, v in r.items()}


def payload(r: dict[str, object]) -> dict[str, object]:
    return {k: v for k, v in r.items() if k != "id"}


SIDES = {
    "flatten": (Side(FLAT, joined), Side(f"{FLAT}\n    flatten: {{}}", nested)),
    "parse_json": (
        Side(TEXT, lambda r: {"id": r["id"], "payload": payload(r)}),
        Side(f"{TEXT}\n    parse_json: [payload]", lambda r: {"id": r["id"], "payload": json.dumps(payload(r))}),
    ),
    **{
        name: (
            Side(PLAIN, lambda r: r),
            Side(PLAIN.replace("account: string", f"account: {{type: string, {key}}}"), lambda r: r),
        )
        for name, key in (
            ("sha256", "mask: sha256"),
            ("hmac_sha256", "mask: {hmac_sha256: masking_key}"),
            ("keep_last", "mask: {keep_last: 4}"),
        )
    },
    "constant": (
        Side(PLAIN, lambda r: r),
        Side(PLAIN.replace("note: string", "region: {type: string, constant: eu-1}, note: string"), lambda r: r),
    ),
}


def blocks(side: Side, count: int) -> Iterator[Values]:
    dumped = (json.dumps(side.value(json.loads(v)), separators=(",", ":")).encode() for v in small_values(count))
    while block := list(islice(dumped, BLOCK)):
        yield Values.from_list(block)


def cost(side: Side, read: list[Values]) -> float:
    """Seconds of processor time."""
    with tempfile.TemporaryDirectory(prefix="lakelock-bench-") as out:
        of = rows_of(Path(out), pipeline(Path(out), side.table), KEYS)
        target = of._filled._target
        writer = TableWriter(target, str(uuid.uuid4()), str(uuid.uuid4()), 512 << 20)
        before = time.process_time()
        rows = 0
        for values in read:
            # There are no metadata columns.
            decoded = of.decode(values, lambda key: pa.nulls(0))
            writer.write(decoded.table)
            rows += decoded.table.num_rows
        writer.finish()
        spent = time.process_time() - before
        assert rows == sum(map(len, read))
        return spent


def whole(address: str, side: Side, load: path.Load) -> float:
    """Seconds of processor time of a task's path, from the broker to files."""
    with tempfile.TemporaryDirectory(prefix="lakelock-bench-") as folder:
        (table,) = pipeline(Path(folder), side.table).tables
    return path.run_ours(address, load, columns=table.declared, mask_keys=KEYS, **table.reading_settings).cpu_s


def runs(options: argparse.Namespace, sides: tuple[Side, ...], address: str | None) -> list[Callable[[], float]]:
    if address is None:
        return [partial(cost, side, list(blocks(side, options.records))) for side in sides]
    loads = [
        path.produce(address, [], (v for block in blocks(side, options.records) for v in block if v is not None))
        for side in sides
    ]
    return [partial(whole, address, side, load) for side, load in zip(sides, loads, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=400_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default=",".join(SIDES))
    parser.add_argument("--whole", action="store_true")
    options = parser.parse_args()
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, pyarrow {pa.__version__}, {options.records:,} records"
    )
    print("| | without, µs CPU a row | with | ratio | |\n|---|---|---|---|---|")
    with path.broker(None) if options.whole else nullcontext() as address:
        for name in options.only.split(","):
            compare(options, name, address)


def compare(options: argparse.Namespace, name: str, address: str | None) -> None:
    both = runs(options, SIDES[name], address)
    costs: list[list[float]] = [[], []]
    for _ in range(options.rounds):
        for n, run in enumerate(both):
            costs[n].append(run())
    without, shaped = (min(c) / options.records * 1e6 for c in costs)
    verdict = "reached" if shaped / without <= GOAL else "MISSED"
    print(f"| {name} | {without:.2f} | {shaped:.2f} | {shaped / without:.2f} | goal: {GOAL}, {verdict} |", flush=True)


if __name__ == "__main__":
    main()
