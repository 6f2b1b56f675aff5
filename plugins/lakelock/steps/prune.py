"""prune-airflow: old successful runs leave Airflow's own database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

# A person's decisions, and who approved them, are in these alone.
KEPT = ("rollback__", "recover__")


class Run(Protocol):
    @property
    def ended_at(self) -> datetime: ...

    @property
    def is_scheduled(self) -> bool: ...


R = TypeVar("R", bound=Run)


@dataclass(frozen=True, slots=True)
class Pruned:
    """Runs of one DAG that were deleted, or would be."""

    dag_id: str
    runs: int


def prune(
    dag_ids: Sequence[str],
    runs: Callable[[str], Iterable[R]],
    delete: Callable[[R], None] | None,
    now: datetime,
    older_than: timedelta,
    keep: int,
) -> list[Pruned]:
    """Deletes runs that ended longer ago than *older_than*, except the newest *keep* of each DAG; without *delete* only counts.

    *runs* tells a DAG's successful runs, newest first. The newest of the schedule stays in any case: Airflow computes from it
    which comes next, and would run it once more.
    """
    done = []
    for dag_id in dag_ids:
        if dag_id.startswith(KEPT):
            continue
        known = list(runs(dag_id))
        last = next((run for run in known if run.is_scheduled), None)
        old = [run for run in known[keep:] if run is not last and now - run.ended_at > older_than]
        if delete is not None:
            # Oldest first: what is left has no hole when this is killed.
            for run in reversed(old):
                delete(run)
        done.append(Pruned(dag_id, len(old)))
    return done
