"""The rows in which pieces of records go through Spark's shuffle, without Spark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lakelock.adapters.spark.shuffled_stage import WriteSentTask, sent_batches
from lakelock.adapters.spark.task import unpacked
from lakelock.ports import Pieces, SentPiece


@dataclass(frozen=True)
class Order:
    slices: tuple[tuple[()], ...] = ((), ())
    secrets: tuple[Any, ...] = ()


def test_buckets_have_numbers_beyond_those_of_an_int() -> None:
    """Tables by the ten thousands, each with many pieces."""
    bucket = 2**31 + 5

    def run() -> Iterator[Any]:
        yield Pieces([(bucket, b"a"), (bucket, b"b")])
        yield "read"

    def write(order: Order, number: int, pieces: Iterable[SentPiece]) -> str:
        return f"{number}: " + ", ".join(f"{p.bucket} {bytes(p.body).decode()}" for p in pieces)

    sent = list(sent_batches(Order(), 1, run))
    found = [row for batch in WriteSentTask(Order(), write)(sent) for row in batch.to_pylist()]
    results = {row["slice_no"]: unpacked([row["body"]]) for row in found}
    assert results == {bucket + 2: f"{bucket + 2}: {bucket} a, {bucket} b", 1: "read"}
