"""What a sample of records shows, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lakelock.errors import CheckFailed, LakelockError, State, TableUnfit
from lakelock.model.units import counted


@dataclass(frozen=True, slots=True)
class CheckedSample:
    """*faults* say why records of the sample would wait, or stop their batch, or why all of a table are dead letters."""

    text: str
    faults: Sequence[LakelockError] = ()


def faults_of_rows(table: str, rows: int, dead: int, stopping: int) -> list[LakelockError]:
    """What is wrong with sampled records of a table that would become *rows* and *dead* letters, or stop the batch.

    Dead letters beside rows are no fault.
    """
    if stopping:
        return [
            CheckFailed(
                f"table {table}: {counted(stopping, 'sampled record')} would stop the batch: a check with on_fail: stop does not "
                "hold.",
                State.NOTHING_CHANGED,
                "Correct the check or the records, or give it another on_fail.",
            )
        ]
    if dead and not rows:
        return [
            TableUnfit(
                f"table {table}: none of its sampled records would become a row, and {counted(dead, 'record')} would become dead "
                "letters.",
                State.NOTHING_CHANGED,
                "Correct the columns, or which records go to this table.",
            )
        ]
    return []
