"""Which runs leave Airflow's database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from lakelock.steps.prune import Pruned, prune

NOW = datetime(2026, 1, 31, tzinfo=UTC)


@dataclass(frozen=True)
class Run:
    dag_id: str
    ended_at: datetime
    is_scheduled: bool = False


def runs(dag_id: str) -> list[Run]:
    return [Run(dag_id, NOW - timedelta(days=n)) for n in range(10)]


def test_the_newest_stay_however_old_and_the_young_however_many() -> None:
    gone: list[Run] = []
    assert prune(["a"], runs, gone.append, NOW, timedelta(days=6), 3) == [Pruned("a", 3)]
    assert gone == [runs("a")[9], runs("a")[8], runs("a")[7]]
    assert prune(["a"], runs, gone.append, NOW, timedelta(days=1), 8) == [Pruned("a", 2)]
    assert prune(["a"], runs, gone.append, NOW, timedelta(days=90), 1) == [Pruned("a", 0)]


def test_the_newest_of_the_schedule_stays_behind_any_number_of_others() -> None:
    at = [Run("a", NOW - timedelta(days=n), is_scheduled=n in (5, 8)) for n in range(10)]
    gone: list[Run] = []
    assert prune(["a"], lambda dag_id: at, gone.append, NOW, timedelta(days=1), 2) == [Pruned("a", 7)]
    assert at[5] not in gone
    assert at[8] in gone


def test_what_a_person_approved_stays() -> None:
    assert prune(["recover__p", "rollback__p", "maintain__p"], runs, None, NOW, timedelta(days=1), 1) == [
        Pruned("maintain__p", 8)
    ]
