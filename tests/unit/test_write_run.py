"""Which batches one run writes: what is read again first, then what is new, and never without end."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import cast

import pytest
from lakelock.config import Pipeline, Table
from lakelock.errors import ConnectionFault, LakelockError, NothingToInfer, TableUnfit, Unreachable
from lakelock.ingest.attempt import reported_fault
from lakelock.ingest.bind import Binder
from lakelock.ingest.outcome import PlanOutcome, WriteOutcome
from lakelock.ingest.tables_to_write import TablesToWrite
from lakelock.ingest.window import GOES_ON_S, write_run
from lakelock.model.batches import LIVE, Batch
from lakelock.ports import TableDefinition
from lakelock.ports.tables import PastColumns

MOST = 100


class Stopped:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.at_s = 0.0

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.at_s, UTC)

    def monotonic(self) -> float:
        return self.at_s


class Batches:
    """Open batches in planning order, by id with their outcomes; behind them there is always something new."""

    def __init__(
        self, again: Mapping[str, WriteOutcome | TableUnfit], new_offsets: int = 10, waiting: Sequence[int] = ()
    ) -> None:
        self.again = dict(again)
        self.new_offsets, self.waiting = new_offsets, list(waiting)
        self.most = MOST if new_offsets < MOST else 100 * new_offsets
        self.requests: list[int] = []
        self.written: list[str] = []
        self.new = 0
        self.reported: list[str] = []
        self.clock = Stopped()
        self.write_s = 0.0

    def plan(self, passed_over: Collection[str], most: int) -> PlanOutcome:
        self.requests.append(most)
        still = [b for b in self.again if b not in self.written and b not in passed_over]
        if still:
            return PlanOutcome(still[0], False, False, "")
        self.new += 1
        return PlanOutcome(f"new-{self.new}", False, False, "", is_new=True)

    def write(self, batch_id: str) -> WriteOutcome:
        outcome = self.again.get(batch_id, WriteOutcome(batch_id, "", self.new_offsets))
        self.clock.at_s += self.write_s
        if isinstance(outcome, TableUnfit):
            raise outcome
        self.written.append(batch_id)
        return outcome

    def run(self) -> list[str]:
        first = self.plan((), self.most).batch_id
        self.requests.clear()
        assert first is not None
        outcomes = write_run(
            self.clock,
            plan=self.plan,
            waiting=lambda: self.waiting.pop(0),
            write=self.write,
            batch_id=first,
            max_offsets=self.most,
            report=lambda outcome: self.reported.append(outcome.batch_id),
        )
        return [o.batch_id for o in outcomes]


def again(batch_id: str, offsets: int) -> WriteOutcome:
    return WriteOutcome(batch_id, "", offsets, goes_on=True)


def test_a_run_moves_one_new_batch() -> None:
    assert Batches({}).run() == ["new-1"]


def test_a_run_goes_on_while_as_much_waits_as_it_has_just_written_and_reads_no_more_than_it_may() -> None:
    batches = Batches({}, new_offsets=2_000, waiting=[2_000, 1_000, 999])
    batches.most = 5_000
    assert batches.run() == ["new-1", "new-2", "new-3"]
    assert batches.requests == [3_000, 1_000]
    batches = Batches({}, new_offsets=2_000, waiting=[2_000, 999])
    assert batches.run() == ["new-1", "new-2"]
    assert Batches({}, new_offsets=999).run() == ["new-1"], "no step asks what is behind it"


def test_small_batches_that_are_read_again_come_first_and_hold_up_nothing_new() -> None:
    split = again("whole", 0)
    batches = Batches({"whole": split, "left half": again("left half", 5), "right half": again("right half", 5)})
    assert batches.run() == ["whole", "left half", "right half", "new-1"]


def test_what_is_read_again_takes_no_more_than_a_batch_of_each_run() -> None:
    batches = Batches({"a": again("a", 60), "b": again("b", 60), "c": again("c", 60)})
    assert batches.run() == ["a", "b"]
    assert batches.run() == ["c", "new-1"]


def test_a_batch_that_waits_for_dead_letters_ends_the_run_whose_commits_land_them() -> None:
    assert Batches({"waits": WriteOutcome("waits", "")}).run() == ["waits"]


def test_a_batch_that_a_person_must_fix_first_is_passed_over_and_reported_at_the_end() -> None:
    batches = Batches({"broken": TableUnfit("fix the table"), "b": again("b", 5)})
    with pytest.raises(TableUnfit, match="fix the table"):
        batches.run()
    assert batches.written == ["b", "new-1"]


def test_where_nothing_else_can_be_written_the_fault_is_reported() -> None:
    batches = Batches({"broken": TableUnfit("fix the table")})
    batches.plan = lambda passed_over, most: PlanOutcome("broken", False, False, "")  # type: ignore[method-assign]
    with pytest.raises(TableUnfit, match="fix the table"):
        batches.run()


def test_what_faults_with_every_new_batch_is_not_planned_to_the_topics_end() -> None:
    faults = {f"new-{n}": TableUnfit(f"fault {n}") for n in range(1, 9)}
    batches = Batches({})
    batches.write = lambda batch_id: (_ for _ in ()).throw(faults[batch_id])  # type: ignore[method-assign]
    with pytest.raises(TableUnfit, match="fault 1"):
        batches.run()
    assert batches.new == 2


def test_outcomes_are_reported_as_they_come_also_where_an_error_follows() -> None:
    batches = Batches({"b": again("b", 5), "broken": TableUnfit("fix the table")})
    with pytest.raises(TableUnfit, match="fix the table"):
        batches.run()
    assert batches.reported == ["b", "new-1"]


def test_nothing_further_is_begun_when_it_is_late() -> None:
    batches = Batches({name: again(name, 1) for name in "abcdef"})
    batches.write_s = GOES_ON_S / 3
    assert batches.run() == ["a", "b", "c"]


def test_a_batch_that_is_planned_again_beside_the_run_is_for_the_next_one() -> None:
    batches = Batches({"a": again("a", 1)})
    batches.plan = lambda passed_over, most: PlanOutcome("a", False, False, "")  # type: ignore[method-assign]
    assert batches.run() == ["a"]


def test_a_batch_that_waits_is_checked_once_and_holds_up_nothing_new() -> None:
    batches = Batches({"waits": WriteOutcome("waits", "", waits=True)})
    assert batches.run() == ["waits", "new-1"]


def test_nothing_but_a_batch_that_waits_ends_the_run() -> None:
    batches = Batches({"waits": WriteOutcome("waits", "", waits=True)})
    batches.plan = lambda passed_over, most: PlanOutcome("waits", False, False, "")  # type: ignore[method-assign]
    assert batches.run() == ["waits"]


@pytest.mark.parametrize(
    ("faults", "all_tables", "raised"),
    [
        ({"b": NothingToInfer("b")}, ["b"], NothingToInfer),
        ({"b": NothingToInfer("b")}, ["a", "b"], NothingToInfer),
        ({"b": NothingToInfer("b"), "c": TableUnfit("c")}, ["b", "c"], TableUnfit),
        ({"b": NothingToInfer("b"), "a": Unreachable("a")}, ["a", "b"], Unreachable),
        ({"b": NothingToInfer("b"), "a": Unreachable("a")}, ["a", "b", "c"], TableUnfit),
    ],
)
def test_a_table_that_waits_hides_no_fault_of_another(
    faults: Mapping[str, LakelockError], all_tables: list[str], raised: type[LakelockError]
) -> None:
    assert type(reported_fault(faults, all_tables)) is raised


def test_a_missing_key_of_a_mask_holds_up_its_table_alone() -> None:
    masked = {"name": "n.masked", "columns": {"id": "long", "c": {"type": "string", "mask": {"hmac_sha256": "key"}}}}
    plain = {"name": "n.plain", "columns": {"id": "long", "c": "string"}}
    pipeline = Pipeline.model_validate({"name": "p", "source": {"topics": ["t"]}, "tables": [masked, plain]})
    state = SimpleNamespace(columns=pipeline.table("n.plain").declared, properties={})
    tables = SimpleNamespace(past_columns=lambda state: PastColumns())
    binder = cast("Binder", SimpleNamespace(bind=lambda *_, **__: state, tables=tables))
    fault = ConnectionFault("connection 'key' has no password.")

    def keys(table: Table) -> Mapping[str, str]:
        if table.mask_key_ids:
            raise fault
        return {}

    def define(*_: object) -> TableDefinition:
        raise AssertionError("both tables exist")

    batch = Batch("", "p", LIVE, {}, "", (), ("n.masked", "n.plain"))
    states, faults = TablesToWrite(binder, batch, define, keys).all(pipeline, batch.planned_tables)
    assert (list(states), faults) == (["n.plain"], {"n.masked": fault})
