"""One batch in several Spark jobs: each reads what the one before it left, until nothing is left or the batch ends earlier."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

import pytest
from lakelock.errors import BooksUnbalanced, TableUnfit
from lakelock.ingest.jobs import run_jobs
from lakelock.model.layouts import Layout
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import SliceOutput, TableOutput, Target, WriteOrder, Writer

SOURCE = Source("t", "id", 0)


def r(start: int, end: int) -> OffsetRange:
    return OffsetRange(SOURCE, start, end)


class Reads:
    """Reads so many offsets of each slice."""

    def __init__(self, most: int, fault: TableUnfit | None = None) -> None:
        self.most, self.fault = most, fault
        self.jobs: list[tuple[tuple[OffsetRange, ...], ...]] = []

    def run(self, order: WriteOrder, ended: Callable[[int], None] = lambda slices: None) -> list[SliceOutput]:
        self.jobs.append(order.slices)
        out = []
        for number, ranges in enumerate(order.slices):
            assert len({piece.source for piece in ranges}) == len(ranges), "a consumer has one position in a partition"
            unread, room = [], self.most
            for piece in ranges:
                read = min(room, piece.offsets)
                room -= read
                unread += [OffsetRange(SOURCE, piece.start + read, piece.end)] if read < piece.offsets else []
            table = TableOutput("n.t", (), (), fault=self.fault)
            out.append(SliceOutput(number, (table,), (), unread=tuple(unread)))
        return out


def run(
    reads: Reads, slices: Sequence[Sequence[OffsetRange]], agree: Callable[[Mapping[Source, int]], bool]
) -> list[SliceOutput]:
    target = Target("n.t", "u", 0, Layout("l"), "file:///nowhere", (), {}, ("t",), storage={})
    order = WriteOrder("p", "b", "a", tuple(map(tuple, slices)), (target,), target, {})
    return run_jobs(cast("Writer", reads), order, 1, agree)


def test_what_a_job_leaves_is_read_by_the_next_where_the_batch_must_not_end_earlier() -> None:
    reads, requested = Reads(4), list[Mapping[Source, int]]()

    def never(ends: Mapping[Source, int]) -> bool:
        requested.append(ends)
        return False

    assert len(run(reads, [[r(0, 10)]], never)) == 3
    assert reads.jobs == [((r(0, 10),),), ((r(4, 10),),), ((r(8, 10),),)]
    assert requested == [{SOURCE: 4}, {SOURCE: 8}]


def test_a_batch_that_may_ends_behind_its_first_job() -> None:
    reads = Reads(4)
    run(reads, [[r(0, 10)]], lambda ends: ends == {SOURCE: 4})
    assert len(reads.jobs) == 1


def test_a_batch_does_not_end_before_a_hole_is_read() -> None:
    reads = Reads(4)
    run(reads, [[r(0, 6)], [r(6, 12)]], lambda ends: True)
    assert reads.jobs == [((r(0, 6),), (r(6, 12),)), ((r(4, 6),),)]


def test_where_it_must_not_end_earlier_all_is_read() -> None:
    reads = Reads(4)
    run(reads, [[r(0, 6)], [r(6, 14)]], lambda ends: False)
    assert reads.jobs == [((r(0, 6),), (r(6, 14),)), ((r(4, 6),),), ((r(10, 14),),)]


def test_what_no_table_can_be_written_of_is_not_read_on() -> None:
    reads = Reads(4, TableUnfit("n.t"))
    run(reads, [[r(0, 10)]], lambda ends: False)
    assert len(reads.jobs) == 1


def test_a_job_that_reads_nothing_is_no_endless_loop() -> None:
    with pytest.raises(BooksUnbalanced, match="read nothing of 10 offsets"):
        run(Reads(0), [[r(0, 10)]], lambda ends: False)
