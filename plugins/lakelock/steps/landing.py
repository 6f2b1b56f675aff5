"""landing: one change of a table, tried until it is certain that it is there."""

from __future__ import annotations

from collections.abc import Callable

from lakelock.errors import CommitConflict
from lakelock.ports import Change, Tables, TableState
from lakelock.steps.commit import send

ATTEMPTS = 12


def until_landed(
    tables: Tables,
    table: str,
    draft: Callable[[], tuple[TableState, Change] | None],
    pause: Callable[[float], None],
    undone: str,
    read: Callable[[], TableState] | None = None,
) -> int | None:
    """The snapshot id of the change that *draft* made last; None where it made none.

    *draft* loads the table and decides, anew for each try. *undone* says what CommitConflict means for the operator.
    """
    for attempt in range(ATTEMPTS):
        drafted = draft()
        if drafted is None:
            return None
        snapshot_id = send(tables, *drafted, attempt, pause, read)
        if snapshot_id is not None:
            return snapshot_id
    raise CommitConflict(f"table {table}: other writers moved it {ATTEMPTS} times in a row. {undone}")
