"""Jobs and their outcomes on the way to a driver of their own and back, as JSON text."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, cast

import pytest
from lakelock import app
from lakelock.app.evaluation import Evaluate, Evaluated, Judge
from lakelock.app.jobs import (
    Backfill,
    Compact,
    Job,
    Replace,
    Write,
    WriteWindow,
    from_hand_off,
    hand_off,
    run_and_pack,
    unpacked,
)
from lakelock.app.redrive import PreviewRedrive, Redrive
from lakelock.app.runtime import Runtime
from lakelock.backfill.span import Span
from lakelock.config import Table
from lakelock.errors import Fenced
from lakelock.ingest.outcome import CommitOutcome, WriteOutcome
from lakelock.ingest.plan_decision import StopAt
from lakelock.model.evolutions import ColumnsChanged
from lakelock.model.offsets import OffsetRange, Source
from lakelock.records.routing.router import Predicate
from lakelock.redrive.redrive_preview import (
    ApprovedDeadLetters,
    ApprovedTable,
    RedriveOutcome,
    RedrivePlan,
    RedriveRequest,
    TableDeadLetters,
)
from lakelock.upkeep.compact import CompactOutcome

AT = datetime(2026, 1, 31, 12, 30, 0, 1, tzinfo=UTC)
SQL = Table.model_validate(
    {
        "name": "n.t",
        "columns": {
            "id": "long",
            "raw": {"type": "json", "field": "$"},
            "at": {"type": "timestamptz", "field": ["a.b"], "cast": ["epoch_s", "rfc3339"]},
            "day": {"type": "date", "sql": "to_date(at)"},
        },
        "checks": {"positive": "id > 0"},
    }
)
RANGES = (OffsetRange(Source("t.ü", "id", 3), 0, 2**62),)
CHANGED = ColumnsChanged("n.t", ("x: new, long", "ü.y: long now"), "topic t, partition 3, offset 7", "b", "r", 2**62)
EXAMPLES: list[tuple[Job[Any], list[Any]]] = [
    (Write("a", "dag/run", "b"), [WriteOutcome("b", "line", 7, True, 7, 6, 1, 2, 3, 0.5, False)]),
    (WriteWindow("a", "r", AT, 5.0), []),
    (
        WriteWindow("a", "r", AT, 0.5, 10, "b", StopAt(AT, {"t": {0: 15, 11: 2**60}})),
        [WriteOutcome("b", "one"), WriteOutcome("c", "two", waits=True), WriteOutcome("d", "").after([CHANGED])],
    ),
    (Backfill("a", "r", RANGES), [WriteOutcome("b", "line")]),
    (Backfill("a", "r"), []),
    (Backfill("a", "r", ()), []),
    (Replace(Span(AT, AT, "n.t"), "who", "why"), [CommitOutcome("n.t", 2**63 - 1, RANGES, 3, "line")]),
    (Replace(Span(AT, AT), "who", "why"), [CommitOutcome("n.t", None, (), 0, "line")]),
    (
        Redrive(
            RedriveRequest("n.t", "t", 0, 1, 9, "number"),
            "who",
            "why",
            ApprovedDeadLetters({"n.t": ApprovedTable(3, 2**63 - 1, {"n.d": 4})}),
        ),
        [RedriveOutcome("n.t", 5, 3, 1, {"no column": 2}, RANGES, (1, 2))],
    ),
    (Redrive(RedriveRequest(), "who", "why", ApprovedDeadLetters()), [RedriveOutcome("n.t")]),
    (
        PreviewRedrive(RedriveRequest("n.t")),
        [RedrivePlan(RedriveRequest("n.t"), (TableDeadLetters("n.t", None, RANGES),))],
    ),
    (Evaluate(SQL, {"id": "long"}, "cm93cw=="), [Evaluated("cmVzdWx0cw==")]),
    (Evaluate(Table(name="n.t"), {}), [Evaluated("")]),
    (Judge({"route.rules[0].where": Predicate("offset > 1", ("offset",))}, "cm93cw=="), [Evaluated("cmVzdWx0cw==")]),
    (Compact("n.t"), [CompactOutcome("n.t", 2, 9, 100, 2, ("one stays",))]),
]


class Scripted(Job[Any]):
    """Reports outcomes of another job's type, and ends with an error if one is given."""

    def __init__(self, of: Job[Any], outcomes: list[Any], error: Exception | None = None) -> None:
        self.outcome = of.outcome  # type: ignore[misc]
        self._outcomes, self._error = outcomes, error

    def run(self, runtime: Any, report: Any) -> None:
        for outcome in self._outcomes:
            report(outcome)
        if self._error:
            raise self._error


def by_text(value: Any) -> Any:
    return json.loads(json.dumps(value))


@pytest.mark.parametrize(("job", "outcomes"), EXAMPLES)
def test_a_job_and_its_outcomes_arrive_as_they_were(job: Job[Any], outcomes: list[Any]) -> None:
    assert from_hand_off(by_text(hand_off(job))) == job
    reported: list[Any] = []
    packed = by_text(run_and_pack(Scripted(job, outcomes), cast("Runtime", None)))
    assert unpacked(job, packed, reported.append) == reported == outcomes


def test_each_job_has_an_example() -> None:
    modules = [import_module(f"lakelock.app.{m.name}") for m in iter_modules(app.__path__)]
    jobs = {x for m in modules for x in vars(m).values() if isinstance(x, type) and issubclass(x, Job) and x is not Job}
    assert {type(job) for job, _ in EXAMPLES} == jobs


def test_outcomes_are_reported_before_the_error_that_ended_the_job() -> None:
    reported: list[WriteOutcome] = []
    job = EXAMPLES[2][0]
    one = WriteOutcome("b", "one")
    packed = by_text(
        run_and_pack(Scripted(job, [one], Fenced("a newer attempt, ü.\nTwo lines")), cast("Runtime", None))
    )
    with pytest.raises(Fenced, match="^a newer attempt, ü.\nTwo lines$"):
        unpacked(job, packed, reported.append)
    assert reported == [one]


def test_a_fault_of_the_code_ends_the_driver() -> None:
    with pytest.raises(ZeroDivisionError):
        run_and_pack(Scripted(EXAMPLES[0][0], [], ZeroDivisionError()), cast("Runtime", None))
