"""Which batches one run writes: what is read again first, then what is new, and never without end."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest
from lakelock.errors import TableUnfit
from lakelock.steps.outcome import PlanOutcome, WriteOutcome
from lakelock.steps.window import write_run

MOST = 100


class Batches:
    """Open batches in planning order, by id with their outcomes; behind them there is always something new."""

    def __init__(self, again: Mapping[str, WriteOutcome | TableUnfit]) -> None:
        self.again = dict(again)
        self.written: list[str] = []

    def plan(self, passed_over: Collection[str]) -> PlanOutcome:
        still = [b for b in self.again if b not in self.written and b not in passed_over]
        return PlanOutcome(still[0] if still else f"new-{len(self.written)}", False, False, "")

    def write(self, batch_id: str) -> WriteOutcome:
        outcome = self.again.get(batch_id, WriteOutcome(batch_id, "", 10))
        if isinstance(outcome, TableUnfit):
            raise outcome
        self.written.append(batch_id)
        return outcome

    def run(self) -> list[str]:
        first = self.plan(()).batch_id
        assert first is not None
        return [o.batch_id for o in write_run(self.plan, self.write, first, MOST)]


def again(batch_id: str, offsets: int) -> WriteOutcome:
    return WriteOutcome(batch_id, "", offsets, goes_on=True)


def test_a_run_moves_one_new_batch() -> None:
    assert Batches({}).run() == ["new-0"]


def test_small_batches_that_are_read_again_come_first_and_hold_up_nothing_new() -> None:
    split = again("whole", 0)
    batches = Batches({"whole": split, "left half": again("left half", 5), "right half": again("right half", 5)})
    assert batches.run() == ["whole", "left half", "right half", "new-3"]


def test_what_is_read_again_takes_no_more_than_a_batch_of_each_run() -> None:
    batches = Batches({"a": again("a", 60), "b": again("b", 60), "c": again("c", 60)})
    assert batches.run() == ["a", "b"]
    assert batches.run() == ["c", "new-3"]


def test_a_batch_that_waits_for_dead_letters_ends_the_run_whose_commits_land_them() -> None:
    assert Batches({"waits": WriteOutcome("waits", "")}).run() == ["waits"]


def test_a_batch_that_a_person_must_mend_first_is_passed_over_and_told_at_the_end() -> None:
    batches = Batches({"broken": TableUnfit("mend the table"), "b": again("b", 5)})
    with pytest.raises(TableUnfit, match="mend the table"):
        batches.run()
    assert batches.written == ["b", "new-1"]


def test_where_nothing_else_can_be_written_the_fault_is_told() -> None:
    batches = Batches({"broken": TableUnfit("mend the table")})
    with pytest.raises(TableUnfit, match="mend the table"):
        write_run(lambda _: PlanOutcome("broken", False, False, ""), batches.write, "broken", MOST)
