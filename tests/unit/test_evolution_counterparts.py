"""What docs/proofs/counterparts.md says of other tools' schema changes is what lakelock decides for such records."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from kits.evolution_counterparts import FLINK, KAFKA_CONNECT, Asked
from lakelock.model.column_changes import changed, described
from lakelock.model.column_types import Column, ColumnType
from lakelock.model.type_notation import parse_type
from lakelock.records.evolution import Evolution, Evolving
from lakelock.records.observed_fields import observed


def _of(types: Mapping[str, str | ColumnType]) -> tuple[Column, ...]:
    return tuple(
        Column(n, parse_type(t.removesuffix("!")), t.endswith("!")) if isinstance(t, str) else Column(n, t)
        for n, t in types.items()
    )


@pytest.mark.parametrize("name", [*KAFKA_CONNECT, *FLINK])
def test_columns_change_as_in_the_case_of_another_tool(name: str) -> None:
    case: Asked = {**KAFKA_CONNECT, **FLINK}[name]
    seen = observed(json.dumps(record).encode() for record in case.records)
    seen.declare(_of(case.schema))
    declared = {c.name: c.type for c in _of(case.declared)}
    evolving = Evolving(_of(case.columns), True, True, declared=declared, ignores_case=case.ignores_case)
    changes = Evolution(evolving).changes(seen)
    assert [described(c) for c in changes] == list(case.changes)
    after = Evolving(changed(evolving.columns, changes), True, True, ignores_case=case.ignores_case)
    assert Evolution(after).changes(seen) == [], "the columns have not followed"
