"""A person approves a plan hours after it was shown: the tasks that Airflow runs do that plan and nothing beyond it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from kits.approvals import Run, tasks_of
from kits.memory_decisions import delete_before
from kits.memory_world import TABLE, MemoryWorld
from kits.recoveries import meanwhile
from kits.rollbacks import settle
from kits.world import write_next
from lakelock.audit.audit_text import audit_text
from lakelock.errors import DecisionRefused, RecoveryRefused
from lakelock.gaps.gap_preview import ApprovedGaps, Which
from lakelock.model.ledger import Mode
from lakelock.model.operator_log import What

OTHER = "ns.other"


@pytest.fixture
def tasks(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Any:
    return tasks_of(tmp_path_factory.mktemp("airflow"), monkeypatch)


def standing(world: MemoryWorld) -> Sequence[object]:
    """What must not change: the tables, and all of the log that says where the pipeline stands."""
    with world.open() as runtime:
        log, name = runtime.log, world.pipeline.name
        return (
            dict(world.catalog.tables),
            log.streams(name, "live"),
            log.planned(name),
            [replace(p, age_s=0.0) for p in log.staged(name)],
            log.ledgers(name),
        )


def settled(world: MemoryWorld) -> None:
    """The pipeline goes on by itself, and its audit is complete."""
    with world.open() as runtime:
        settle(world, runtime)
        found = runtime.audit()
    assert found.complete, audit_text(found)


def without(world: MemoryWorld, partition: int, start: int, end: int) -> list[tuple[str, int, int]]:
    """All that was sent, but for [start, end) of the partition."""
    return [place for place in world.sent() if place[1] != partition or not start <= place[2] < end]


def test_a_loss_that_grew_after_it_was_shown_is_not_declared(memory: MemoryWorld, tasks: Any) -> None:
    memory.produce(60)
    delete_before(memory, 0, 15)
    run = Run(memory, tasks, decision="accept-loss", why="retention").preview()
    assert "x-0 [10, 15) is lost" in run.seen["text"]
    delete_before(memory, 0, 30)
    before = standing(memory)
    with pytest.raises(DecisionRefused, match=r"the plan changed after you approved it: .*-0 \[15, 30\)"):
        run.act()
    assert standing(memory) == before
    run.preview().act()
    settled(memory)
    assert memory.rows() == without(memory, 0, 10, 30)


def test_a_file_that_says_more_than_was_shown_is_not_applied(memory: MemoryWorld, tasks: Any) -> None:
    memory.produce(10)
    memory.run()
    memory.tables = [{"name": TABLE, "properties": {"a": "1"}}]
    run = Run(memory, tasks, decision="apply", why="a test").preview()
    assert f"{TABLE}: property a: 1" in run.seen["text"]
    memory.tables = [{"name": TABLE, "properties": {"a": "1", "b": "2"}}]
    before = standing(memory)
    with pytest.raises(DecisionRefused, match="needs more than the preview showed: property b: 2"):
        run.act()
    assert standing(memory) == before
    run.preview().act()
    properties = memory.catalog.tables[TABLE].properties
    assert (properties["a"], properties["b"]) == ("1", "2")
    with memory.open() as runtime:
        ledger = runtime.tables.load(TABLE).ledger
    assert ledger is not None
    assert [(d.what, d.why) for d in ledger.decisions] == [(What.APPLY, "a test")]
    settled(memory)


def test_a_question_that_was_passed_over_is_not_taken_for_approved(memory: MemoryWorld, tasks: Any) -> None:
    """As where a person marks its task as success."""
    memory.produce(60)
    delete_before(memory, 0, 15)
    run = Run(memory, tasks, decision="accept-loss", why="retention").preview()
    run.answer = None
    before = standing(memory)
    # Airflow is imported with its own folder only.
    from airflow.sdk.exceptions import AirflowFailException

    with pytest.raises(AirflowFailException, match="the preview was not approved"):
        run.act()
    assert standing(memory) == before


def test_what_a_look_finds_after_the_question_was_asked_is_not_done(memory: MemoryWorld, tasks: Any) -> None:
    """As where a person clears the task `look` alone, while the question waits for its answer."""
    memory.produce(60)
    delete_before(memory, 0, 15)
    run = Run(memory, tasks, decision="accept-loss", why="retention").preview()
    shown = run.shown
    delete_before(memory, 0, 30)
    run.preview()
    run.shown = shown
    before = standing(memory)
    with pytest.raises(DecisionRefused, match=r"the plan changed after you approved it: .*-0 \[15, 30\)"):
        run.act()
    assert standing(memory) == before


def test_a_loss_that_shrank_is_declared_as_it_is(memory: MemoryWorld, tasks: Any) -> None:
    memory.produce(20)
    with memory.open() as reader:
        planned = reader.plan()
        assert planned.batch_id is not None
        run = Run(memory, tasks, decision="accept-loss", why="retention")

        def after_it_was_read() -> None:
            delete_before(memory, 0, 15)
            run.preview()

        meanwhile(reader, "stage", after_it_was_read)
        reader.write("a", "r", planned.batch_id)
    assert "[10, 15) is lost" in run.seen["text"]
    run.act()
    settled(memory)
    memory.audit()


def test_what_is_unread_only_since_the_look_is_not_declared_beside_the_rest(memory: MemoryWorld) -> None:
    """Between the plan and the table: a staged batch loses its files and must be read again."""
    memory.produce(20)
    with memory.open() as runtime:
        write_next(runtime)
        memory.produce(20)
        delete_before(memory, 0, 25)
        which = Which(What.ACCEPT_LOSS)
        shown = ApprovedGaps.of(runtime.decisions.preview(which).shown.text)
        starts = runtime.log.declared_starts
        (part,) = runtime.log.staged(memory.pipeline.name, memory.table)
        approvals = []

        def unstaged(*arguments: Any) -> Any:
            approvals.append(1)
            if len(approvals) == 2:
                runtime.log.replan(part, "its files are gone")
            return starts(*arguments)

        runtime.log.declared_starts = unstaged
        runtime.decisions.decide(which, "tester", "a test", shown)
        assert len(approvals) >= 2
        ledger = runtime.tables.load(memory.table).ledger
    assert ledger is not None
    assert [str(r) for d in ledger.decisions for r in d.ranges] == ["x-0 [20, 25)"]


@pytest.mark.parametrize("after", ["another", "dropped", "lost"])
def test_a_table_that_was_never_shown_is_not_adopted(memory: MemoryWorld, tasks: Any, after: str) -> None:
    table, name = memory.table, memory.pipeline.name
    memory.produce(10)
    memory.run()
    memory.catalog.drop(table)
    if after != "another":
        memory.catalog.create(table)
    delete_before(memory, 0, 4)
    run = Run(memory, tasks, decision="rebind", table=table, accept_loss=True, why="a test").preview()
    why = {
        "another": "its UUID is now",
        "dropped": "the table is gone",
        "lost": r"-0 \[4, 8\) is lost",
    }[after]
    if after == "another":
        memory.catalog.create(table)
    elif after == "dropped":
        memory.catalog.drop(table)
    else:
        delete_before(memory, 0, 8)
    with memory.open() as runtime:
        bound = runtime.log.bound(name)
        with pytest.raises(DecisionRefused, match=why):
            run.act()
        assert runtime.log.bound(name) == bound
    run.preview().act()
    settled(memory)
    assert memory.rows() == without(memory, 0, 0, 8 if after == "lost" else 4)


def test_a_second_table_that_was_set_back_after_the_look_is_not_skipped(memory: MemoryWorld, tasks: Any) -> None:
    memory.tables.append({"name": OTHER})
    for _ in range(2):
        memory.produce(10)
        memory.run()
    memory.set_back()
    run = Run(memory, tasks, mode=Mode.SKIP.value).preview()
    memory.set_back(OTHER)
    with pytest.raises(RecoveryRefused, match=f"{OTHER}: another tool rolled it back"):
        run.act()
    run.preview().act()
    with memory.open() as runtime:
        found = runtime.audit()
        assert found.complete, audit_text(found)


def test_a_second_try_of_the_task_goes_on_where_the_first_died(memory: MemoryWorld, tasks: Any) -> None:
    memory.produce(4)
    memory.run()
    run = Run(memory, tasks, restored=True).preview()
    with memory.open() as runtime:
        runtime.log.give_up(memory.pipeline.name, "somebody", "another", None, lambda notes: None)
    run.act()
    memory.produce(4)
    settled(memory)
    memory.audit()


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"decision": "rebind", "topic": "t", "partition": 1}, "rebound as a whole"),
        (
            {"decision": "rebind", "topic": "t", "partition": 1, "from": 1, "to": 2},
            "only accept-loss and redrive have --from and --to",
        ),
        (
            {"decision": "retire", "topic": "t", "partition": 1, "from": 1, "to": 2},
            "only accept-loss and redrive have --from and --to",
        ),
        ({"decision": "accept-loss", "accept_loss": True}, "is only for rebinding a table"),
        ({"decision": "rebind", "topic": "t", "accept_loss": True}, "is only for rebinding a table"),
        ({"decision": "accept-loss", "table": "a.b"}, "leave Table empty"),
        ({"decision": "retire", "topic": "t", "table": "a.b"}, "retire needs a table, or a topic"),
        ({"decision": "retire"}, "retire needs a table, or a topic"),
        ({"decision": "accept-loss", "restored": True}, "are only for a run without a decision"),
        ({"decision": "accept-loss", "take_over": True}, "are only for a run without a decision"),
        ({"decision": "accept-loss", "mode": "skip"}, "are only for a run without a decision"),
        ({"decision": "redrive", "accept_loss": True, "table": "a.b"}, "is only for rebinding a table"),
        ({"decision": "redrive", "from": 1, "to": 2}, "need --topic and --partition"),
        ({"decision": "retire", "topic": "t", "reason": "x"}, "Reason is only for redrive"),
        ({"decision": "apply", "topic": "t"}, "apply is about tables: leave Topic empty"),
        ({"decision": "apply", "reason": "x"}, "Reason is only for redrive"),
        ({"reason": "x"}, "are only for a decision"),
        ({"topic": "t"}, "are only for a decision"),
        ({"table": "a.b"}, "are only for a decision"),
    ],
)
def test_a_field_that_would_be_ignored_is_refused(
    memory: MemoryWorld, tasks: Any, form: dict[str, Any], why: str
) -> None:
    with pytest.raises(Exception, match=why):
        Run(memory, tasks, why="a test", **form).preview()
