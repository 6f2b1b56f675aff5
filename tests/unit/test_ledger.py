"""A table's facts become a ledger, or a stop that says what is not in order."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lakelock.adapters.iceberg.ledger_reading import marks_of
from lakelock.errors import LedgerDetached, LedgerForeign
from lakelock.model.coverage import Coverage, Interval, SourceCoverage
from lakelock.model.ledger import Ledger, Mode, Rollback, parse, summary
from lakelock.model.ledger_facts import LedgerFacts, resolve
from lakelock.model.offsets import Source
from lakelock.model.registry import RegisteredTable, Registry

LEDGER = Ledger("mine", "p", "c", 0, "cfg", Coverage())
FACTS = LedgerFacts("n.t", "mine", summary(LEDGER, (), ()), True, marks_of("p"))


SOURCE = Source("t", "id", 0)


def test_a_table_in_order_has_its_ledger() -> None:
    assert resolve(FACTS, "p", "mine") == LEDGER
    assert resolve(replace(FACTS, owner=None, summary=None), "p", "mine") is None


def test_the_ledger_of_a_pipeline_with_routes_has_its_mark_and_its_registry() -> None:
    mark = Coverage({SOURCE: SourceCoverage(0, (Interval(0, 7),))})
    registry = Registry({"n.a": RegisteredTable("n.A", "uuid"), "n.b": RegisteredTable("n.b")})
    routed = replace(LEDGER, mark=mark, registry=registry)
    text = summary(routed, (), ())
    assert parse(text, "n.d") == routed
    assert text.keys() - summary(LEDGER, (), ()).keys() == {"lakelock.mark", "lakelock.registry"}
    assert routed.is_used
    assert not LEDGER.is_used
    # Of two ledgers the larger one is newer, also after a commit of the mark alone.
    assert routed.size > LEDGER.size
    assert routed.decided("c2", Coverage(), ()).mark == mark


@pytest.mark.parametrize(
    "facts",
    [
        replace(FACTS, owner="theirs"),
        replace(FACTS, summary=summary(replace(LEDGER, installation_id="theirs"), (), ())),
        replace(FACTS, summary=summary(replace(LEDGER, pipeline="q"), (), ())),
    ],
    ids=["property", "snapshot", "pipeline"],
)
def test_each_sign_of_another_owner_stops(facts: LedgerFacts) -> None:
    with pytest.raises(LedgerForeign):
        resolve(facts, "p", "mine")


@pytest.mark.parametrize("in_ancestry", [False, None])
def test_a_tag_that_is_not_behind_the_branch_stops(in_ancestry: bool | None) -> None:
    with pytest.raises(LedgerDetached):
        resolve(replace(FACTS, is_in_history=in_ancestry), "p", "mine")


def test_a_generation_that_went_back_to_no_older_snapshot_is_no_way_from_a_to_a() -> None:
    went_back = Rollback(7, 5, Mode.REPLAY, "ann", "wrong zone").line
    stayed = Rollback(7, 7, Mode.RECOMMIT, "ann", "recover").line
    assert went_back == "from snapshot 7 to 5, replay, by ann: wrong zone"
    assert stayed == "at snapshot 7, which stayed current, recommit, by ann: recover"
