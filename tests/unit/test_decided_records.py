"""Records that were routed once do not become dead letters without a table when they are read again."""

from __future__ import annotations

import pytest
from lakelock.errors import TableUnfit, WalUnusable
from lakelock.ingest.decided_records import refuse_behind, refuse_decided
from lakelock.model.batches import NO_TABLE, Books, covered_range
from lakelock.model.coverage import Coverage, Kind
from lakelock.model.coverage_gaps import declaring
from lakelock.model.offsets import FOREVER, OffsetRange, Source

A, B = Source("t", "T", 0), Source("t", "T", 1)
LATE = [Books(OffsetRange(A, 50, 60), 2, 2)]


def covered(*ranges: OffsetRange) -> Coverage:
    return Coverage().adding([Books(r, 0, 0) for r in ranges], {}, 0)


@pytest.mark.parametrize(("start", "end", "refused"), [(0, 50, False), (0, 51, True), (59, 90, True), (60, 90, False)])
def test_no_record_becomes_a_letter_where_any_routed_table_has_its_range(start: int, end: int, refused: bool) -> None:
    held = {"lake.far": covered(OffsetRange(B, 0, 100)), "lake.push": covered(OffsetRange(A, start, end))}
    if not refused:
        refuse_decided(LATE, held, Coverage())
        return
    with pytest.raises(TableUnfit, match=r"2 records.*lake\.push has records"):
        refuse_decided(LATE, held, Coverage())


@pytest.mark.parametrize("target", ["lake.push", NO_TABLE])
def test_no_record_becomes_a_letter_where_the_letters_of_its_batch_are_committed(target: str) -> None:
    committed = covered(covered_range(OffsetRange(A, 50, 60), target))
    with pytest.raises(TableUnfit, match="dead-letter table"):
        refuse_decided(LATE, {}, committed)
    refuse_decided([Books(OffsetRange(B, 50, 60), 2, 2)], {}, committed)
    refuse_decided([Books(OffsetRange(A, 60, 70), 2, 2)], {}, committed)


def test_a_declared_gap_says_nothing_about_the_records_in_it() -> None:
    gap = (OffsetRange(A, 40, FOREVER), Kind.RETIRED)
    refuse_decided(LATE, {"lake.push": declaring(Coverage(), [gap], {}, 0)}, Coverage())


def test_a_batch_that_is_not_closed_has_nothing_that_is_complete() -> None:
    mark = covered(OffsetRange(A, 0, 50), OffsetRange(B, 0, 20))
    refuse_behind("lake.dead", mark, [OffsetRange(A, 50, 60), OffsetRange(B, 20, 30)])
    refuse_behind("lake.dead", None, [OffsetRange(A, 0, 60)])
    for ranges in ([OffsetRange(A, 49, 60)], [OffsetRange(A, 50, 60), OffsetRange(B, 10, 15)]):
        with pytest.raises(WalUnusable, match="restored"):
            refuse_behind("lake.dead", mark, ranges)
