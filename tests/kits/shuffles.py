"""A job with a shuffle in one process: pieces go to the tasks that write them in any order, as Spark sends them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from lakelock.ports import Pieces, SentPiece, Shuffle, SliceOutput, WriteOrder
from lakelock.workers.shuffled_outputs import joined_outputs
from lakelock.workers.shuffled_write import send_slice, write_sent

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
