"""How far the mark of a pipeline with routes may go, and which tables are named as behind."""

from __future__ import annotations

import pytest
from lakelock.ingest.marking import MOST_BEHIND, advanced
from lakelock.model import consistent_cut, valid_through
from lakelock.model.consistent_cut import MOST_RANGES, OpenTable, RoutedProgress, lacked
from lakelock.model.coverage import Coverage
from lakelock.model.joint_mark import Marked
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.valid_through import Reach, Survey
from lakelock.monitor.cut_status import cut_status
from lakelock.monitor.table_status import TableStatus

X, Y = Source("x", "id-x", 0), Source("x", "id-x", 1)
NOTHING = Marked(None, {})


def r(start: int, end: int, source: Source = X) -> OffsetRange:
    return OffsetRange(source, start, end)


def progress(decided: int, **open_: OpenTable) -> RoutedProgress:
    return RoutedProgress({X: 0}, {X: decided}, open_)


def waits(seconds: float, *ranges: OffsetRange) -> OpenTable:
    return OpenTable(ranges, seconds)


def end(marked: Marked) -> int:
    assert marked.mark is not None
    return marked.mark[X].prefix_end


def test_others_wait_for_a_table_that_has_not_waited_for_long() -> None:
    marked = advanced(NOTHING, progress(100, a=waits(9, r(40, 50)), b=waits(1, r(60, 70))), 10)
    assert (end(marked), marked.behind) == (40, {})


def test_the_mark_passes_a_table_that_is_late_and_says_what_it_lacks() -> None:
    marked = advanced(NOTHING, progress(100, a=waits(10, r(40, 50), r(80, 90)), b=waits(1, r(60, 70))), 10)
    assert (end(marked), marked.behind) == (60, {"a": (r(40, 50),)})
    further = advanced(marked, progress(100, a=waits(10, r(40, 50), r(80, 90))), 10)
    assert (end(further), further.behind) == (100, {"a": (r(40, 50), r(80, 90))})


def test_a_table_stays_behind_until_it_has_caught_up() -> None:
    behind = advanced(NOTHING, progress(100, a=waits(10, r(40, 50), r(80, 90))), 10)
    partly = advanced(behind, progress(100, a=waits(0, r(80, 90))), 10)
    assert (end(partly), partly.behind) == (100, {"a": (r(80, 90),)})
    assert advanced(partly, progress(100), 10) == Marked(behind.mark, {})


def test_a_table_that_lost_rows_below_the_mark_is_named_and_the_mark_does_not_go_back() -> None:
    marked = advanced(NOTHING, progress(100), 10)
    after = advanced(marked, progress(120, a=waits(0, r(40, 50))), 10)
    assert (end(after), after.behind) == (100, {"a": (r(40, 50),)})


def test_the_mark_passes_nothing_that_is_undecided() -> None:
    assert end(advanced(NOTHING, progress(30, a=waits(10, r(10, 50))), 10)) == 30


@pytest.mark.parametrize("tables", [MOST_BEHIND, MOST_BEHIND + 1])
def test_with_too_many_tables_behind_the_mark_waits(tables: int) -> None:
    late = {f"t{n}": waits(10, r(40 + n, 41 + n)) for n in range(tables)}
    marked = advanced(NOTHING, progress(500, **late), 10)
    assert (end(marked), len(marked.behind)) == ((500, tables) if tables == MOST_BEHIND else (40, 0))


def test_tables_that_are_behind_stay_so_beside_too_many_others() -> None:
    marked = advanced(NOTHING, progress(100, a=waits(10, r(40, 50))), 10)
    late = {f"t{n}": waits(10, r(110, 115)) for n in range(MOST_BEHIND)}
    after = advanced(marked, progress(120, a=waits(10, r(40, 50), r(90, 95)), **late), 10)
    assert (end(after), after.behind) == (110, {"a": (r(40, 50), r(90, 95))})


def test_too_many_ranges_of_a_table_are_one_of_each_source() -> None:
    many = [r(2 * n, 2 * n + 1) for n in range(MOST_RANGES)]
    assert lacked(many, [r(0, 10_000)]) == tuple(many)
    assert lacked([*many, r(5, 6, Y)], [r(0, 10_000), r(0, 10_000, Y)]) == (r(0, 2 * MOST_RANGES - 1), r(5, 6, Y))


def test_the_text_of_tables_that_are_behind() -> None:
    behind = {"lake.a": (r(1, 5), r(7, 9), r(0, 2, Y)), "lake.b": (r(3, 4),)}
    text = consistent_cut.encode(behind)
    assert text == (
        '{"lake.a":{"id-x":{"topic":"x","0":"1-5,7-9","1":"0-2"}},"lake.b":{"id-x":{"topic":"x","0":"3-4"}}}'
    )
    assert consistent_cut.decode(text) == behind


@pytest.mark.parametrize("pairs", ["5-3", "1-5,4-9", "3-4,1-2"])
def test_other_text_is_refused(pairs: str) -> None:
    with pytest.raises(ValueError, match="out of order"):
        consistent_cut.decode(f'{{"a": {{"id-x": {{"topic": "x", "0": "{pairs}"}}}}}}')


def test_what_is_complete_leaves_out_tables() -> None:
    now = progress(100, a=waits(0, r(40, 50)), b=waits(0, r(60, 70)))
    assert (now.complete, now.complete_but_for(["a"]), now.complete_but_for(["a", "b"])) == ({X: 40}, {X: 60}, {X: 100})


def test_a_mark_begins_where_its_source_does() -> None:
    marked = advanced(NOTHING, RoutedProgress({X: 7, Y: 3}, {X: 20, Y: 3}), 10)
    assert marked.mark is not None
    assert {source: (of.start_offset, of.prefix_end) for source, of in marked.mark.items()} == {X: (7, 20), Y: (3, 3)}


@pytest.mark.parametrize(
    ("reached", "newest", "through_ms"),
    [
        # All that Kafka had is marked: later records are later than the look.
        ({X: Reach(10, has_more=False), Y: Reach(5, has_more=False)}, {}, 1000),
        # The newest marked record of a partition with more.
        ({X: Reach(10, has_more=True), Y: Reach(5, has_more=False)}, {X: 700}, 700),
        ({X: Reach(10, has_more=True), Y: Reach(5, has_more=True)}, {X: 700, Y: 600}, 600),
        # More than is marked was planned.
        ({X: Reach(11, has_more=False), Y: Reach(5, has_more=False)}, {}, None),
        ({X: Reach(11, has_more=False), Y: Reach(5, has_more=False)}, {X: 400}, 400),
        # Nothing is known of a partition with more, or its clock is ahead.
        ({X: Reach(10, has_more=True)}, {}, None),
        ({X: Reach(10, has_more=True)}, {X: 1001}, None),
        # A partition that the mark does not have.
        ({Source("z", "id-z", 0): Reach(0, has_more=False)}, {}, None),
    ],
)
def test_the_time_through_which_all_is_marked(
    reached: dict[Source, Reach], newest: dict[Source, int], through_ms: int | None
) -> None:
    assert valid_through.marked_through_ms(Survey(1000, reached), newest, {X: 10, Y: 5}) == through_ms


def test_the_cut_for_people() -> None:
    mark = advanced(NOTHING, RoutedProgress({X: 0, Y: 0}, {X: 7, Y: 0}, {}), 10).mark
    assert cut_status(Ledger("i", "p", "c", 0, "d", Coverage())) is None
    ledger = Ledger("i", "p", "c", 0, "d", Coverage(), mark=mark, behind={"b": (r(1, 5),), "a": (r(3, 4),)})
    known = TableStatus("a", 1, lag_s=60.0, retention_left_s=5.0)
    found = cut_status(ledger, [known])
    assert found is not None
    assert found.line == "in all tables, but for 2 tables behind: 7 offsets of 2 partitions, through an unknown time"
    assert [(t.table, t.lag_s, t.retention_left_s) for t in found.behind] == [("a", 60.0, 5.0), ("b", None, None)]
    nothing = cut_status(Ledger("i", "p", "c", 0, "d", Coverage(), mark=Coverage().starting({X: 5})))
    assert nothing is not None
    assert nothing.line == "in all tables: nothing yet"
