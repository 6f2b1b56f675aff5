"""Try one change of a table until its outcome is certain."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from lakelock.errors import CommitConflict, OutcomeUnknown, State
from lakelock.ports import Change, Tables, TableState
from lakelock.ports.table_capabilities import refuse_lacking

logger = logging.getLogger(__name__)

ATTEMPTS = 12
# Fields of the CommitConflict of a command that an operator ran.
UNDONE = (State.NOTHING_CHANGED, "Run the command again.")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Land(Generic[T]):
    """A change to commit to the table as loaded, and the *result* to return once it has landed."""

    state: TableState
    change: Change
    result: T


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """The *result* and its version; None if there was nothing to commit."""

    result: T
    version_id: int | None = None


@dataclass(frozen=True, slots=True)
class Again:
    """The draft changed what it had read before, so it must be made from the start."""


Draft = Callable[[], Land[T] | Done[T] | Again]


def until_landed(
    tables: Tables,
    table: str,
    draft: Draft[T],
    pause: Callable[[float], None],
    state: State,
    do: str,
    read: Callable[[], TableState] | None = None,
) -> Done[T]:
    """Call *draft* and commit its change, until one lands or there is nothing to commit.

    *draft* loads the table and decides from the start in each try. *state* and *do* are fields of the CommitConflict
    after the last try. *read* loads the table after an unknown outcome, if `tables.load` might still refuse it. Raises
    TableUnfit for an edit that the table's format cannot do.
    """
    for attempt in range(ATTEMPTS):
        drafted = draft()
        if isinstance(drafted, Again):
            continue
        if isinstance(drafted, Done):
            return drafted
        refuse_lacking(table, tables.table_capabilities(), drafted.change.edit)
        version_id = send(tables, drafted.state, drafted.change, attempt, pause, read)
        if version_id is not None:
            return Done(drafted.result, version_id)
    raise CommitConflict(f"table {table}: other writers committed first {ATTEMPTS} times in a row.", state, do)


def send(
    tables: Tables,
    state: TableState,
    change: Change,
    attempt: int,
    pause: Callable[[float], None],
    read: Callable[[], TableState] | None = None,
) -> int | None:
    """Try one commit: the version's id if it landed; None, after a pause, if the table must be read again."""
    try:
        return tables.commit(state, change)
    except CommitConflict as fault:
        # The error names the table.
        logger.info("%s Reloading the table and trying again.", fault)
        pause(min(5.0, 0.05 * 2**attempt) * (0.5 + random.random()))
        return None
    except OutcomeUnknown as fault:
        logger.warning("%s", fault)
        pause(min(5.0, 0.1 * 2**attempt) * (0.5 + random.random()))
        return tables.find_commit(read() if read else tables.load(state.name), change.ledger.commit_id)
