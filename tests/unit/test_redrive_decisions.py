from __future__ import annotations

import pickle
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.audit.decision import judge
from lakelock.errors import BooksUnbalanced, RedriveRefused, RedriveTooSlow
from lakelock.ingest.changed_records import dead_letters_again
from lakelock.model.batches import Books, TableIdentity, covered_source
from lakelock.model.counts import Accounts, Counted, DeadLetterCounts
from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage, Totals
from lakelock.model.ledger import Ledger, Mode, Rollback, parse, summary
from lakelock.model.offsets import OffsetRange, Source, offsets_in, united
from lakelock.model.operator_log import Decided, What
from lakelock.redrive import decision as redrive
from lakelock.redrive.redrive_preview import RedrivePlan, RedriveRequest, TableDeadLetters, by_cause
from lakelock.rollback.decision import rolled_back

A = Source("t", "id-a", 0)
B = Source("t", "id-a", 1)
T = "ns.t"


def r(start: int, end: int, source: Source = A) -> OffsetRange:
    return OffsetRange(source, start, end)


def covered(*redriven: tuple[int, int], dead: int = 9, end: int = 20) -> Coverage:
    return Coverage({A: SourceCoverage(0, (Interval(0, end),), Totals(end - dead, dead), (), redriven)})


def recorded(*ranges: tuple[int, int], kind: Kind = Kind.DATA, of: str = T) -> Coverage:
    return Coverage({covered_source(A, of): SourceCoverage(0, tuple(Interval(a, b, 0, kind) for a, b in ranges))})


def ledger(coverage: Coverage, *decided: Decided) -> Ledger:
    return Ledger("i", "p", "c", 0, "d", coverage, decisions=decided)


def test_open_dead_letters_are_looked_for_where_table_and_dead_letters_hold_records() -> None:
    assert redrive.places(T, covered((3, 5)), recorded((0, 10), (15, 30))) == [r(0, 3), r(5, 10), r(15, 20)]
    assert redrive.places(T, covered(), recorded((0, 10), kind=Kind.SKIPPED)) == []
    assert redrive.places(T, covered(), recorded((0, 10), of="ns.other")) == []
    assert redrive.not_landed(T, covered(), recorded((15, 30))) == [r(20, 30)]


def test_the_table_then_has_rows_and_no_dead_letters_of_them() -> None:
    after = redrive.redriven(covered((3, 5)), [r(5, 6), r(9, 10)])
    assert after[A].redriven == ((3, 6), (9, 10))
    assert after[A].totals == Totals(13, 7)
    assert redrive.pieces(after) == 2
    assert redrive.are_rows([r(3, 4), r(9, 10)], after)
    assert not redrive.are_rows([r(9, 11)], after)


@pytest.mark.parametrize("rows", [[r(4, 6)], [r(19, 21)], [r(0, 10)]], ids=["twice", "not held", "more than dead"])
def test_no_other_offsets_are_reported_as_redriven(rows: list[OffsetRange]) -> None:
    with pytest.raises(ValueError, match="are not all dead letters of it"):
        redrive.redriven(covered((3, 5)), rows)


@given(
    st.lists(st.tuples(st.sampled_from([A, B]), st.integers(0, 200), st.integers(1, 30)), max_size=8),
    st.integers(1, 40),
)
def test_chunks_and_slices_have_each_offset_once(raw: list[tuple[Source, int, int]], most: int) -> None:
    found = united(r(a * 40, a * 40 + n, s) for s, a, n in raw)
    wanted = {(x.source, o) for x in found for o in range(x.start, x.end)}
    chunks = redrive.chunks(found, most)
    there = [(x.source, o) for chunk in chunks for x in chunk for o in range(x.start, x.end)]
    assert len(there) == len(set(there))
    assert set(there) == wanted
    assert all(0 < offsets_in(chunk) <= most for chunk in chunks)


def test_dead_letters_far_apart_from_each_other_land_some_at_a_time() -> None:
    apart = [r(2 * n, 2 * n + 1) for n in range(12_000)]
    assert [len(chunk) for chunk in redrive.chunks(apart)] == [5_000, 5_000, 2_000]
    assert [len(ranges) for ranges in redrive.slices(apart, 4)] == [12_000]


def test_what_a_producer_sent_makes_no_link_and_no_line_where_a_person_is_asked() -> None:
    sent = {"begins with '[x](http://y)\n<b>'": 2, "begins with '[x](http://y) <b>'": 1}
    assert by_cause(sent) == ["begins with '[x] (http: //y) ‹b>': 3"]


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("see https://a.example/x?y=1", "see https: //a.example/x?y=1"),
        ("see HTTP://a.example", "see HTTP: //a.example"),
        ("at WWW.a.example, www.b", "at WWW .a.example, www .b"),
        ("ask me@a.example", "ask me @ a.example"),
        # What Markdown itself would make an address of.
        (r"https\://a www\.b https&#58;//c", r"https\ : //a www\ .b https& #58;//c"),
        ("column 'a.b' is 1:2, not \"3\" & 4", "column 'a.b' is 1:2, not \"3\" & 4"),
    ],
)
def test_what_somebody_sent_is_no_link_and_still_to_be_read(sent: str, shown: str) -> None:
    assert by_cause({sent: 1}) == [f"{shown}: 1"]


def test_nor_is_the_reason_that_somebody_asks_for() -> None:
    assert "reason with 'https: //a'" in RedrivePlan(RedriveRequest(reason="https://a"), ()).lines[0]


def test_few_dead_letters_are_one_slice_and_many_are_spread() -> None:
    assert redrive.slices([r(0, 10)], 8) == ((r(0, 10),),)
    spread = redrive.slices([r(0, 90_000)], 4)
    assert [offsets_in(s) for s in spread] == [22_500] * 4
    assert sum(offsets_in(s) for s in redrive.slices([r(0, 30_001)], 4)) == 30_001


def test_a_sample_is_the_newest_of_each_source() -> None:
    assert redrive.sample([r(0, 10), r(50, 60), r(3, 4, B)], 6) == (r(57, 60), r(3, 4, B))
    assert redrive.sample([r(0, 10)], 100) == (r(0, 10),)


WAS = TableIdentity("u", 1, "layout")


@pytest.mark.parametrize(
    ("now", "misfit", "there", "said"),
    [
        (replace(WAS, uuid="v"), "", covered(), "was replaced by another one"),
        (replace(WAS, generation=2), "", covered(), "rolled back or recovered"),
        (
            replace(WAS, layout="other"),
            "column 'x' was dropped",
            covered(),
            "since the preview: column 'x' was dropped",
        ),
        (WAS, "", covered((4, 5)), "from another redrive"),
        (WAS, "", covered(end=4), "no longer holds some of these offsets"),
    ],
)
def test_rows_land_only_in_the_table_that_they_were_written_for(
    now: TableIdentity, misfit: str, there: Coverage, said: str
) -> None:
    for fits in (WAS, replace(WAS, layout="other")):
        redrive.refuse_moved(T, [r(3, 5)], WAS, fits, "", covered())
    with pytest.raises(RedriveRefused, match=said) as refused:
        redrive.refuse_moved(T, [r(3, 5)], WAS, now, misfit, there)
    assert "Nothing was changed" in str(refused.value)
    assert pickle.loads(pickle.dumps(refused.value)).args == refused.value.args


def test_rows_land_only_while_their_dead_letters_are_there() -> None:
    redrive.refuse_gone(T, [r(3, 5)], recorded((0, 10)), T)
    for gone in (recorded((0, 4)), recorded((0, 10), kind=Kind.SKIPPED), recorded((0, 10), of="ns.other")):
        with pytest.raises(RedriveRefused, match="removed from the dead-letter table after the preview"):
            redrive.refuse_gone(T, [r(3, 5)], gone, T)


def test_dead_letters_without_a_table_become_rows_that_the_books_did_not_have() -> None:
    before = Coverage().adding([Books(r(0, 10), 4, 3, 1)], {A: 0}, 0)
    after = redrive.received(before, [r(3, 5), r(7, 8)])
    assert (after[A].redriven, after[A].totals.written, after[A].totals.dead) == (((3, 5), (7, 8)), 6, 1)
    for rows in ([r(4, 6)], [r(9, 11)]):
        with pytest.raises(ValueError, match="are not all offsets of it, or are rows"):
            redrive.received(after, rows)
    assert redrive.waiting([r(0, 4), r(7, 20)], after) == [r(0, 3), r(8, 10)]


def test_more_dead_letters_than_the_books_have_are_refused() -> None:
    redrive.refuse_beyond_books(T, [r(0, 9)], covered())
    with pytest.raises(RedriveRefused, match="there are 10 open dead letters of t-0, but its books count 9"):
        redrive.refuse_beyond_books(T, [r(0, 10)], covered())
    with pytest.raises(RedriveRefused, match="too many to compare with its books"):
        redrive.refuse_beyond_books(T, [r(0, 1)] * (redrive.MOST_COUNTED_PIECES + 1), covered())


def test_what_the_ledger_carries_is_bounded() -> None:
    redrive.refuse_pieces(T, redrive.MOST_PIECES)
    with pytest.raises(
        RedriveRefused, match="holds at most 20000 separate ranges .* What was staged or committed before is kept"
    ):
        redrive.refuse_pieces(T, redrive.MOST_PIECES + 1)
    redrive.refuse_assigned_pieces("dead", redrive.MOST_PIECES)
    with pytest.raises(
        RedriveRefused, match=r"table dead: .* 20000 separate ranges of dead letters that were assigned"
    ):
        redrive.refuse_assigned_pieces("dead", redrive.MOST_PIECES + 1)
    redrive.refuse_open_pieces(T, redrive.MOST_OPEN_PIECES)
    with pytest.raises(RedriveRefused, match="more than 100000 separate offset ranges"):
        redrive.refuse_open_pieces(T, redrive.MOST_OPEN_PIECES + 1)


def test_each_dead_letter_becomes_a_row_or_stays_reported() -> None:
    redrive.check_books(T, 5, 3, 2, 3)
    for books in ((5, 3, 1, 3), (5, 3, 2, 2), (5, 4, 2, 4)):
        with pytest.raises(BooksUnbalanced):
            redrive.check_books(T, *books)


def test_old_files_do_not_land() -> None:
    redrive.check_in_time(T, 0, 45 * 60_000)
    with pytest.raises(RedriveTooSlow, match="took 46 minutes, but must take at most 45"):
        redrive.check_in_time(T, 0, 46 * 60_000)


def test_a_ledger_with_what_was_redriven_is_read_as_it_was_written() -> None:
    said = Decided(What.REDRIVE, datetime(2026, 1, 1, tzinfo=UTC), "who", "why", "2 of 3 dead letters")
    for one in (ledger(covered((3, 5))), ledger(covered(), said)):
        assert parse(summary(one, (), ()), T) == one


def test_of_two_ledgers_the_one_that_redrove_more_is_the_newer() -> None:
    assert ledger(covered((3, 5))).size == ledger(covered()).size + 2


@pytest.mark.parametrize("mode", list(Mode))
def test_a_rollback_to_before_a_redrive_opens_its_dead_letters_again(mode: Mode) -> None:
    record = Rollback(2, 1, mode, "who", "why")
    head, at = ledger(redrive.redriven(covered((3, 5)), [r(8, 9)])), ledger(covered((3, 5)))
    after = rolled_back(head, at, record, "c")
    assert after.coverage[A].redriven == ((3, 5),)
    assert after.coverage[A].totals == Totals(11, 9)
    assert offsets_in(dead_letters_again(head.coverage, after.coverage)) == 1
    # What takes the range out takes out what was redriven of it.
    gone = rolled_back(head, None, record, "c")
    assert gone.coverage.redriven == []
    assert offsets_in(dead_letters_again(head.coverage, gone.coverage)) == 3


def test_an_audit_expects_redriven_dead_letters_as_both() -> None:
    coverage = redrive.redriven(covered(), [r(3, 5)])
    accounts = Accounts({}, {}, (), {})

    def faults(rows: int, dead_letters: int) -> list[str]:
        found = judge(
            T,
            A,
            ledger(coverage),
            coverage[A],
            accounts,
            taken=True,
            frontier_after=20,
            end_offset=20,
            counted=Counted(rows, rows),
            dead_letters=DeadLetterCounts(dead_letters, dead_letters),
        )
        assert found.redriven == 2
        assert found.without_record == 0
        return list(found.faults)

    assert coverage[A].dead_letters == 9
    assert faults(13, 9) == []
    assert faults(11, 9) == ["13 rows were written, 11 are there"]
    assert faults(13, 7) == ["9 dead letters were written, 7 are there"]


def test_nobody_is_asked_where_all_dead_letters_were_tried_and_none_fits() -> None:
    def nothing(*tables: TableDeadLetters) -> bool:
        return RedrivePlan(RedriveRequest(), tables).nothing

    none, some = TableDeadLetters(T, found=(r(0, 9),), tried=9), TableDeadLetters(T, found=(r(0, 9),), tried=9, fits=1)
    assert nothing()
    assert nothing(TableDeadLetters(T), none)
    assert not nothing(none, some)
    assert not nothing(TableDeadLetters(T, found=(r(0, 9),), tried=8)), "one that was not tried may fit"
