"""What decides on batches whose tables become known while they are written."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lakelock.ingest.closing_decision import as_planned, fault_of, fault_of_letters, without_gaps
from lakelock.model.batches import NO_TABLE, Books, Closing, PartResult, TableIdentity
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import PartNote, PartState
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.route_evidence import RouteEvidence

A, B = Source("a", "id-a", 0), Source("b", "id-b", 0)
RANGES = frozenset((OffsetRange(A, 0, 10), OffsetRange(B, 0, 20)))
BOOKS = tuple(Books(r, 10, 9, 1) for r in sorted(RANGES))
ROUTED = ("ns.r", "ns.s")


def letters(*books: Books) -> PartResult:
    return PartResult("ns.d", TableIdentity("u", 0, "l"), (), books, NO_TABLE)


def test_a_closing_names_routed_tables_with_topics_of_the_batch() -> None:
    assert fault_of(Closing({"ns.r": ("a",), "ns.s": ("a", "b")}, BOOKS), RANGES, (), ROUTED) is None
    assert fault_of(Closing({}, BOOKS), RANGES, (), ()) is None


@pytest.mark.parametrize(
    ("closing", "why"),
    [
        (Closing({"ns.t": ("a",)}, BOOKS), "not recorded as a routed table"),
        (Closing({"ns.s": ("a",)}, BOOKS), "has a part already"),
        (Closing({"ns.r": ()}, BOOKS), "other topics"),
        (Closing({"ns.r": ("a", "c")}, BOOKS), "other topics"),
        (Closing({"ns.r": ("a", "a")}, BOOKS), "other topics"),
        (Closing({}, BOOKS[:1]), "not of its ranges"),
        (Closing({}, (*BOOKS, BOOKS[0])), "not of its ranges"),
        (Closing({}, (BOOKS[0], replace(BOOKS[1], read=11))), "do not add up"),
    ],
)
def test_a_closing_that_does_not_fit_the_batch_is_refused(closing: Closing, why: str) -> None:
    assert why in (fault_of(closing, RANGES, ("ns.s",), ROUTED) or "")


def test_dead_letters_without_a_table_are_those_that_the_books_count() -> None:
    one, none = OffsetRange(A, 0, 10), OffsetRange(B, 0, 20)
    counted = {one: 2, none: 0}

    def fault(part: PartResult | None, *, due: bool = True, writes_routed: bool = True) -> str | None:
        return fault_of_letters(counted, part, due=due, writes_routed=writes_routed)

    assert fault(letters(Books(one, 2, 2))) is None
    assert "are missing" in str(fault(None))
    assert fault(None, writes_routed=False) is None
    assert fault(None, due=False) is None
    assert "with the closing only" in str(fault(letters(Books(one, 2, 2)), due=False))
    for books in ((Books(one, 1, 1),), (Books(one, 2, 2), Books(none, 1, 1)), (Books(one, 2, 2), Books(one, 2, 2)), ()):
        assert "are not those" in str(fault(letters(*books)))


def test_what_is_open_in_newer_notes_is_not_covered() -> None:
    """The batch of the second part was closed after the evidence was read."""
    evidence = RouteEvidence({A: 0}, {A: 5}, {A: 0}, (OffsetRange(A, 0, 5),), {A: 30})
    ledger = Ledger("i", "p", "c", 0, "d", Coverage().starting({A: 0}).owing([OffsetRange(A, 20, 21)]))
    notes = [
        PartNote(1, PartState.PLANNED, (OffsetRange(A, 0, 5),)),
        PartNote(2, PartState.STAGED, (OffsetRange(A, 5, 10),), "l"),
        PartNote(3, PartState.COMMITTED, (OffsetRange(A, 10, 12),), "l"),
    ]
    assert as_planned(None, ledger, notes) is ledger.coverage
    covered = as_planned(evidence, ledger, notes)
    assert covered.ranges == [OffsetRange(A, 10, 20), OffsetRange(A, 21, 30)]
    assert evidence.effective(ledger.coverage, 0).ranges == [], "dead letters without a table have not landed"


def test_a_batch_that_is_not_closed_is_read_around_what_is_given_up() -> None:
    ranges = sorted(RANGES)
    assert without_gaps(ranges, [OffsetRange(A, 10, 30)]) is None
    assert without_gaps(ranges, [OffsetRange(A, 3, 4)]) == [
        OffsetRange(A, 0, 3),
        OffsetRange(A, 4, 10),
        OffsetRange(B, 0, 20),
    ]
    assert without_gaps(ranges, ranges) == []
