"""A routed table without rows is not behind, and what may still come to it is no fault."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from lakelock.audit.decision import SourceAudit, judge
from lakelock.audit.routed_audit import still_coming, with_coming
from lakelock.model.batches import Books, StreamState
from lakelock.model.counts import Accounts
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.route_evidence import RouteEvidence

A = Source("t", "T", 0)
TABLE = "lake.push"
KNOWN = RouteEvidence({A: 0}, {A: 80}, {A: 80}, (), {A: 100})


def covered(*ranges: OffsetRange) -> Coverage:
    return Coverage().adding([Books(r, 0, 0) for r in ranges], {A: 0}, 0).starting({A: 0})


def verdict(own: Coverage, **known: Any) -> SourceAudit:
    evidence = replace(KNOWN, **known)
    accounts = Accounts({A: StreamState(A, 0, 100)}, {}, (), {})
    accounts = with_coming(accounts, TABLE, still_coming(evidence, own))
    ledger, effective = Ledger("1", "p", "c", 0, "d", own), evidence.effective(own, 0)
    return judge(TABLE, A, ledger, effective[A], accounts, taken=True, frontier_after=100, end_offset=100)


@pytest.mark.parametrize("own", [covered(), covered(OffsetRange(A, 0, 10)), covered(OffsetRange(A, 0, 100))])
def test_a_table_that_no_record_was_routed_to_is_complete(own: Coverage) -> None:
    found = verdict(own)
    assert found.faults == ()
    assert found.lag == 0
    assert found.open == (0 if own[A].end_offset == 100 else 20), "a batch that is not closed may have records for it"


@pytest.mark.parametrize(
    ("known", "still"),
    [
        ({"letters_to": {A: 30}}, 70),
        ({"closed_to": {A: 100}, "letters_to": {A: 100}}, 0),
        ({"closed_to": {A: 100}, "letters_to": {A: 100}, "open": (OffsetRange(A, 20, 40),)}, 20),
    ],
)
def test_what_is_open_is_still_to_come(known: dict[str, Any], still: int) -> None:
    found = verdict(covered(OffsetRange(A, 0, 10)), **known)
    assert found.faults == ()
    assert found.open == still


def test_what_a_table_owes_is_missing_until_it_is_on_its_way() -> None:
    owing = covered(OffsetRange(A, 0, 10)).owing([OffsetRange(A, 10, 30)])
    assert verdict(owing).faults == ("[10, 30) is neither in the table nor on its way",)
    assert verdict(owing, open=(OffsetRange(A, 10, 30),)).faults == ()
