"""Dead letters whose table was set back by hand: exactly those are declared lost, and counted."""

from __future__ import annotations

from datetime import UTC, datetime

from kits.coverage import booked
from lakelock.model.batches import covered_range
from lakelock.model.coverage import Coverage, Kind, Totals
from lakelock.model.ledger import Ledger
from lakelock.model.lost_dead_letters import MAX_NOTED, declared_lost, lost_dead_letters, missing_from
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.operator_log import Decided, What

SAID = Decided(What.ACCEPT_LOSS, datetime(2026, 1, 1, tzinfo=UTC), "tester", "recover")
FIRST, LATER = (covered_range(OffsetRange(Source("t", "id", 0), n, n + 10), "n.t") for n in (0, 20))
OTHER = covered_range(OffsetRange(Source("t", "id", 1), 0, 10), "n.t")


def ledger(*landed: OffsetRange) -> Ledger:
    return Ledger("inst", "p", "c", 3, "cfg", Coverage().adding(booked(*landed), {}, 0))


def test_lost_ranges_stay_covered_and_count_as_filtered() -> None:
    at, newest = ledger(FIRST), ledger(FIRST, LATER, OTHER)
    assert missing_from(at, newest) == [LATER, OTHER]
    after = declared_lost(at, newest, SAID, [])
    assert after.coverage.gaps == [(LATER, Kind.ACCEPTED_LOSS), (OTHER, Kind.ACCEPTED_LOSS)]
    assert after.coverage.has_records(FIRST)
    assert after.coverage[FIRST.source].totals == Totals(written=10, filtered=10)
    assert after.coverage[OTHER.source].totals == Totals(filtered=10)
    again = declared_lost(None, after, SAID, [])
    assert again.coverage[FIRST.source].totals == Totals(filtered=20)
    assert missing_from(None, after) == [FIRST]


def test_exactly_the_dead_letters_that_are_lost_are_noted() -> None:
    gone = [(LATER.source, 24), (OTHER.source, 5), (LATER.source, 23), (LATER.source, 28)]
    after = declared_lost(ledger(FIRST), ledger(FIRST, LATER, OTHER), SAID, gone)
    exact = [OffsetRange(LATER.source, 23, 25), OffsetRange(LATER.source, 28, 29), OffsetRange(OTHER.source, 5, 6)]
    assert lost_dead_letters(after) == exact
    assert after.decisions[-1].about == "dead letters of n.t"


def test_of_too_many_none_is_noted() -> None:
    """Each commit carries them on."""
    gone = [(LATER.source, 2 * n) for n in range(MAX_NOTED + 1)]
    after = declared_lost(None, ledger(LATER), SAID, gone)
    assert lost_dead_letters(after) == []
    assert after.decisions == (SAID,)
