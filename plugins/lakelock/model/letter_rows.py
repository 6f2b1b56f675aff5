"""Dead letters that became rows, by the target that they had."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lakelock.model.batches import NO_TABLE
from lakelock.model.offsets import OffsetRange, united, without
from lakelock.model.registry import Registry


def rows_of_letters(registry: Registry, rows: Mapping[str, Sequence[OffsetRange]]) -> dict[str, list[OffsetRange]]:
    """*rows* are those that became rows of tables, by table.

    A dead letter without a table became a row once each table to which it is assigned has it.
    """
    out = {table: without(of, registry.assigned.get(table, ())) for table, of in rows.items() if table != NO_TABLE}
    waiting = united(r for table, of in registry.assigned.items() for r in without(of, rows.get(table, ())))
    return {**out, NO_TABLE: without(registry.all_assigned, waiting)}
