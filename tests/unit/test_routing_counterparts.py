"""What docs/proofs/counterparts.md says of other tools' routing is where lakelock sends such records."""

from __future__ import annotations

import pytest
from kits.routing_counterparts import CONNECT, DEAD, ROUTERS, Case
from lakelock.records.routing.route_one import route
from lakelock.records.routing.router import Router


@pytest.mark.parametrize("name", [*CONNECT, *ROUTERS])
def test_a_record_is_routed_as_in_the_case_of_another_tool(name: str) -> None:
    case: Case = {**CONNECT, **ROUTERS}[name]
    router = Router((*case.rules, DEAD))
    for sent in case.records:
        found = route(router, sent.topic, None, sent.headers, sent.raw)
        if found.reason is not None:
            assert found.reason.kind == sent.goes_to
        elif found.filtered:
            assert sent.goes_to == "filter"
        else:
            assert tuple(table.name for table in found.tables) == sent.goes_to
