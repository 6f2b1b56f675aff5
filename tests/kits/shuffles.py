"""A job with a shuffle in one process: pieces go to the tasks that write them in any order, as Spark sends them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
from lakelock.ingest.books import combined, dead_letter_books
from lakelock.ingest.slicing import slices
from lakelock.model.batches import Books
from lakelock.model.offsets import OffsetRange
from lakelock.ports import Pieces, SentPiece, Shuffle, SliceOutput, Target, WriteOrder
from lakelock.records.routing.router import Router, RouteRule
from lakelock.workers.shuffled_outputs import joined_outputs
from lakelock.workers.shuffled_write import send_slice, write_sent
from stack.kafka import Kafka

from kits.slices import ID, order, target

Sent = dict[int, list[SentPiece]]


def with_shuffle(
    order: WriteOrder, tables: Iterable[str] | None = None, *, tasks: int = 3, bucket_bytes: int = 1 << 20
) -> WriteOrder:
    """*order* with a shuffle of *tables*, or of all that are routed."""
    names = frozenset(tables if tables is not None else (t.table for t in order.targets if t.is_routed))
    return replace(order, shuffle=Shuffle(names, max(len(names) // 2, 1), tasks, bucket_bytes))


def as_one(outputs: Iterable[SliceOutput]) -> SliceOutput:
    """*outputs* as that of one slice, which has several entries for a table."""
    first, *others = outputs
    for one in others:
        first = replace(
            first, tables=(*first.tables, *one.tables), dead_letters=(*first.dead_letters, *one.dead_letters)
        )
    return first


def sent(order: WriteOrder, slice_no: int) -> tuple[Sent, SliceOutput]:
    """The pieces of a slice by the task that they go to, and its output."""
    assert order.shuffle is not None
    pieces: Sent = {}
    output: SliceOutput | None = None
    for one in send_slice(order, slice_no):
        if isinstance(one, Pieces):
            for bucket, body in one.numbered:
                piece = SentPiece(bucket, slice_no, memoryview(body))
                pieces.setdefault((7 * bucket + 3) % order.shuffle.tasks, []).append(piece)
        else:
            output = one
    assert output is not None
    return pieces, output


def shuffled_outputs(
    order: WriteOrder,
    seed: int = 24,
    spoil: Callable[[int, list[SentPiece]], Iterator[SentPiece]] = lambda task, pieces: iter(pieces),
) -> list[SliceOutput]:
    """The outputs of a job; *spoil* has the pieces that reach a task."""
    assert order.shuffle is not None
    of_slices = [sent(order, n) for n in range(len(order.slices))]
    writers = []
    for task in range(order.shuffle.tasks):
        slices = list(range(len(of_slices)))
        random.Random(seed + task).shuffle(slices)
        pieces = [piece for n in slices for piece in of_slices[n][0].get(task, [])]
        if pieces := list(spoil(task, pieces)):
            writers.append(write_sent(order, len(order.slices) + task, pieces))
    return joined_outputs(order, [*(output for _, output in of_slices), *writers])


BY_TYPE = RouteRule("tables", ("ns.{type}",))
ROUTER = Router(
    (
        RouteRule("filter", when=(("type", ("drop",)),)),
        RouteRule("tables", ("ns.t1", "ns.all"), when=(("type", ("t1",)),)),
        BY_TYPE,
        RouteRule("dead_letter"),
    )
)


def routed(
    kafka: Kafka, folder: Path, ranges: Sequence[OffsetRange], targets: Sequence[Target], parallelism: int
) -> WriteOrder:
    targets = [replace(t, is_routed=True) for t in targets]
    return replace(
        order(kafka, folder, ranges, *targets), slices=slices(ranges, parallelism, min_offsets=1), router=ROUTER
    )


def several(folder: Path, topics: Sequence[str], **more: Any) -> list[Target]:
    names = [*(f"t{n}" for n in range(7)), "all"]
    return [target(folder, name, ID, topics, unknown_fields="ignore", **more) for name in names]


def values_of(source: random.Random, count: int) -> list[bytes | None]:
    bad = [b"no json", None, b"{}", b'{"id":"x","type":"t1"}', b'{"id":"x","type":"t2"}', b"\xff"]
    found: list[bytes | None] = []
    for n in range(count):
        value = {"id": n, "type": source.choice(["t0", "t1", "t2", "t3", "t4", "t5", "drop", "new"])}
        found.append(source.choice(bad) if source.random() < 0.1 else json.dumps(value).encode())
    return found


def rows_in(outputs: Sequence[SliceOutput], table: str, kind: str = "tables") -> list[dict[str, Any]]:
    files = [
        f.path.removeprefix("file://") for o in outputs for t in getattr(o, kind) if t.table == table for f in t.files
    ]
    found = duckdb.sql(f"SELECT * FROM read_parquet({files!r})").to_arrow_table().to_pylist() if files else []
    return sorted(found, key=lambda row: [str(row[key]) for key in sorted(row)])


def files_of(outputs: Sequence[SliceOutput], table: str) -> int:
    return sum(len(t.files) for o in outputs for t in o.tables if t.table == table)


def books_of(outputs: Sequence[SliceOutput], table: str, ranges: Sequence[OffsetRange]) -> tuple[Books, ...]:
    return combined(ranges, (b for o in outputs for t in o.tables if t.table == table for b in t.books))


def letters_of(outputs: Sequence[SliceOutput], table: str, ranges: Sequence[OffsetRange]) -> tuple[Books, ...]:
    reported = (b for o in outputs for t in o.dead_letters if t.table == table for b in t.books)
    return dead_letter_books(ranges, reported)
