"""Outputs of slices and of the tasks that wrote what these sent become those of a job without a shuffle, or an error."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from lakelock.adapters.kafka.block import Block
from lakelock.errors import BooksUnbalanced, Retryable, State, TableUnfit
from lakelock.model.batches import Books, DataFile
from lakelock.model.layouts import Layout
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import SentCount, Shuffle, SliceNews, SliceOutput, TableOutput, Target, WriteOrder
from lakelock.records.observed_fields import ObservedField
from lakelock.records.values import Values
from lakelock.workers.range_books import SliceBooks
from lakelock.workers.shuffled_outputs import joined_outputs
from lakelock.workers.shuffled_records import Counts

SOURCE = Source("t", "id", 0)
FIRST, SECOND = OffsetRange(SOURCE, 0, 10), OffsetRange(SOURCE, 10, 20)


def target(name: str) -> Target:
    return Target(name, "u", 0, Layout("l"), "file:///t", (), {}, ("t",), is_routed=True)


ORDER = WriteOrder(
    "p",
    "batch",
    "attempt",
    ((FIRST,), (SECOND,)),
    (target("a"), target("b"), target("own")),
    target("dead"),
    kafka={},
    shuffle=Shuffle(frozenset({"a", "b"}), 2, 2, 1),
)
SENT = {("a", 0, "t", 0): SentCount(4, 44), ("a", 1, "t", 0): SentCount(5, 55), ("b", 1, "t", 0): SentCount(1, 11)}
OWN = TableOutput("own", (), (Books(FIRST, 6, 6), Books(SECOND, 4, 4)))


def slices(**more: Any) -> list[SliceOutput]:
    first = SliceOutput(0, (OWN,), (), shuffled={k: v for k, v in SENT.items() if not k[1]})
    second = SliceOutput(1, (), (), shuffled={k: v for k, v in SENT.items() if k[1]})
    return [first, replace(second, **more)]


def of_a(number: int, read: int, **more: Any) -> TableOutput:
    files = (DataFile(f"a{number}", read, 1, b""),)
    return replace(TableOutput("a", files, (Books(FIRST, 2, 2), Books(SECOND, read - 2, read - 2))), **more)


def writers(*tables: TableOutput) -> list[SliceOutput]:
    """Two tasks, each of which has half of the records of table a, and one that has table b."""
    a, other_a, b = tables or (
        of_a(0, 4),
        of_a(1, 5),
        TableOutput("b", (), (Books(FIRST, 0, 0), Books(SECOND, 1, 0, 1))),
    )
    letters = TableOutput("b", (DataFile("letters", 1, 1, b""),), (Books(SECOND, 1, 1),))
    a_letters = TableOutput("a", (DataFile("a letters", 1, 1, b""),), (Books(FIRST, 1, 1),))
    return [
        SliceOutput(
            2, (a,), (a_letters,), shuffled={("a", 0, "t", 0): SentCount(2, 4), ("a", 1, "t", 0): SentCount(2, 50)}
        ),
        SliceOutput(
            3, (other_a,), (), shuffled={("a", 0, "t", 0): SentCount(2, 40), ("a", 1, "t", 0): SentCount(3, 5)}
        ),
        SliceOutput(4, (b,), (letters,), shuffled={("b", 1, "t", 0): SentCount(1, 11)}),
    ]


def tables_of(outputs: list[SliceOutput]) -> dict[str, TableOutput]:
    return {t.table: t for o in outputs for t in o.tables}


def test_tables_have_the_files_of_all_tasks_and_books_of_each_slice() -> None:
    found = joined_outputs(ORDER, [*slices(), *writers()])
    tables = tables_of(found)
    assert [f.path for f in tables["a"].files] == ["a0", "a1"]
    assert tables["a"].books == (Books(FIRST, 4, 4), Books(SECOND, 5, 5))
    assert tables["b"].books == (Books(FIRST, 0, 0), Books(SECOND, 1, 0, 1))
    assert tables["own"] == OWN
    assert {f.path for o in found for t in o.dead_letters for f in t.files} == {"letters", "a letters"}
    assert not any(o.shuffled for o in found)


def test_books_end_where_a_slice_ended() -> None:
    unread = OffsetRange(SOURCE, 17, 20)
    found = joined_outputs(ORDER, [*slices(unread=(unread,)), *writers()])
    assert [b.range for b in tables_of(found)["a"].books] == [FIRST, replace(SECOND, end=17)]


def test_a_range_that_a_slice_has_not_begun_has_no_books() -> None:
    first, _ = slices()
    task = SliceOutput(2, (replace(of_a(0, 4), books=(Books(FIRST, 4, 4),)),), (), shuffled=first.shuffled)
    found = joined_outputs(ORDER, [first, SliceOutput(1, (), (), unread=(SECOND,)), task])
    assert [b.range for b in tables_of(found)["a"].books] == [FIRST]


@pytest.mark.parametrize("tally", [SentCount(3, 50), SentCount(2, 51)])
def test_other_records_than_were_sent_fail_the_job(tally: SentCount) -> None:
    first, *others = writers()
    first = replace(first, shuffled={**first.shuffled, ("a", 1, "t", 0): tally})
    others_arrived = "5 others arrived" if tally.count == 2 else "6 arrived"
    with pytest.raises(
        Retryable, match=rf"table a: slice 1 sent 5 records of topic t, partition 0, and {others_arrived}"
    ):
        joined_outputs(ORDER, [*slices(), first, *others])


def test_a_task_without_a_result_fails_the_job() -> None:
    with pytest.raises(Retryable, match="table b: slice 1 sent 1 records of topic t, partition 0, and 0 arrived"):
        joined_outputs(ORDER, [*slices(), *writers()[:2]])


def test_a_task_that_counts_other_records_than_it_got_is_a_defect() -> None:
    (b,) = writers()[2].tables
    with pytest.raises(BooksUnbalanced, match="table a: slice 1 sent 5 records of .*, and the books say 4"):
        joined_outputs(ORDER, [*slices(), *writers(of_a(0, 4), of_a(1, 4), b)])
    elsewhere = replace(b, books=(*b.books, Books(OffsetRange(SOURCE, 20, 30), 1, 1)))
    with pytest.raises(BooksUnbalanced, match="table b: records are of ranges that no slice has read"):
        joined_outputs(ORDER, [*slices(), *writers(of_a(0, 4), of_a(1, 5), elsewhere)])


def test_a_fault_of_one_task_is_one_of_the_table() -> None:
    fault = TableUnfit("no", State.PART_PLANNED, "do")
    (b,) = writers()[2].tables
    tables = tables_of(
        joined_outputs(ORDER, [*slices(), *writers(of_a(0, 4), TableOutput("a", (), (), fault=fault), b)])
    )
    assert (tables["a"].fault, tables["a"].files, tables["a"].books) == (fault, (), ())
    assert tables["b"].fault is None


def test_news_of_one_task_are_of_all_records_of_the_table() -> None:
    news = SliceNews(ObservedField(), (SECOND,), "t", 0, 12)
    (b,) = writers()[2].tables
    found = joined_outputs(ORDER, [*slices(), *writers(of_a(0, 4), TableOutput("a", (), (), news=news), b)])
    (a,) = [t for o in found for t in o.tables if t.table == "a"]
    assert a == TableOutput("a", (), (), news=replace(news, ranges=(FIRST, SECOND)))
    # Those of the table are written again with its rows.
    assert {t.table for o in found for t in o.dead_letters} == {"b"}


def block(offsets: list[int], partitions: list[int]) -> Block:
    at = np.array(offsets, np.int64)
    values = Values.from_list([b"x"] * len(offsets))
    stamps = np.where(at % 4 == 3, -1, at * 1_000)
    return Block("t", None, values, np.array(partitions, np.int32), at, stamps)  # type: ignore[arg-type]


def tally_of(offsets: list[int]) -> SentCount:
    counts = Counts(["a"])
    numbers = np.zeros(len(offsets), np.int64)
    counts.add(block([99, *offsets], [0] * (len(offsets) + 1)), np.arange(len(offsets)) + 1, numbers)
    return counts.tallies["a", "t", 0]


def test_offsets_with_the_same_number_and_sum_are_told_apart() -> None:
    assert tally_of([5, 8]) != tally_of([6, 7])
    assert tally_of([1, 1]) != tally_of([0, 2])
    assert tally_of([5, 8]) == tally_of([8, 5])


def test_a_partition_with_several_ranges_is_counted_by_offset() -> None:
    books = SliceBooks()
    books.open([SECOND, FIRST, OffsetRange(Source("t", "id", 1), 0, 50)])
    read = block([3, 7, 9, 10, 12, 40], [0, 0, 0, 0, 0, 1])
    books.count(read, read.shares(), [1, 5], [3], np.array([2, 4], np.int64))
    found = {(b.range.source.partition, b.range.start): b for b in books.ended(())}
    assert found[0, 0].books() == Books(FIRST, 3, 1, 1, 1, 9_000, 9_000)
    assert found[0, 10].books() == Books(SECOND, 2, 0, 1, 1, 10_000, 12_000)
    assert (found[0, 0].dead_letters, found[0, 0].settled) == (1, 0)
    assert (found[0, 10].dead_letters, found[0, 10].settled) == (0, 1)
    assert (found[1, 0].dead_letters, found[1, 0].read) == (1, 1)
