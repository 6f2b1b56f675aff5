"""What a person approves hours after it was shown: no more than that is done, by the tasks that Airflow runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
from kits.decisions import expected, recreate, replace_table, set_back, settled, standing
from kits.redrives import fit, mended, produce_unfit, proven
from kits.topics import delete_before
from kits.world import World, file_of, write_next
from lakelock.compose import Runtime
from lakelock.core.decisions import What
from lakelock.core.ledger import Mode
from lakelock.errors import DecisionRefused, RecoveryRefused
from lakelock.steps.gap_plan import Shown, Which

FORM: dict[str, Any] = {
    **dict.fromkeys(("topic", "partition", "from", "to", "table", "reason", "why")),
    "decision": "none",
    "accept_loss": False,
    "restored": False,
    "take_over": False,
    "mode": "recommit",
}


class Run:
    """One run of `recover__p`: its look, and its act once somebody approved."""

    def __init__(self, world: World, tasks: Any, **form: Any) -> None:
        self.world, self.tasks, self.form = world, tasks, {**FORM, **form}
        self.seen: dict[str, str] = {}
        self.asked: dict[str, str] | None = None
        self.answer: str | None = "Approve"

    def look(self) -> Run:
        self.seen = self._as_task(self.tasks.look)
        # As the task `approve` does, which then asks.
        self.asked = self.seen
        return self

    def act(self) -> None:
        self._as_task(lambda resolved: self.tasks.recover(resolved, None))

    def _as_task(self, task: Callable[[Any], Any]) -> Any:
        answer = {"chosen_options": [self.answer], "responded_by_user": {"name": "somebody"}} if self.answer else None
        pulled = {("look", None): self.seen, ("approve", None): answer, ("approve", "asked"): self.asked}
        context = {
            "params": self.form,
            "ti": SimpleNamespace(xcom_pull=lambda task_ids, key=None: pulled[task_ids, key]),
            "dag_run": SimpleNamespace(run_id="run"),
        }

        @contextmanager
        def step(*_: Any) -> Iterator[Runtime]:
            with closing(self.world.runtime()) as runtime:
                yield runtime

        self.tasks.step, self.tasks.get_current_context = step, lambda: context
        # Asset events are Airflow's.
        self.tasks.landing = lambda *_: nullcontext(lambda outcome: None)
        return task({})


@pytest.fixture
def tasks(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Any:
    os.environ.setdefault("AIRFLOW_HOME", str(tmp_path_factory.mktemp("airflow")))
    from lakelock import maintenance_tasks

    for name in ("step", "get_current_context", "landing"):
        monkeypatch.setattr(maintenance_tasks, name, getattr(maintenance_tasks, name))
    return maintenance_tasks


def test_a_loss_that_grew_after_it_was_shown_is_not_declared(near: World, tasks: Any) -> None:
    near.produce(60)
    delete_before(near, 0, 15)
    run = Run(near, tasks, decision="accept-loss", why="retention").look()
    assert f"{near.topic}-0 [10, 15) is lost" in run.seen["text"]
    delete_before(near, 0, 30)
    before = standing(near)
    with pytest.raises(DecisionRefused, match=r"more came to it: .*-0 \[15, 30\)"):
        run.act()
    assert standing(near) == before
    run.look().act()
    settled(near)
    assert [r[:2] for r in near.rows()] == expected(near, (0, 10, 30))


def test_a_question_that_was_passed_over_is_not_taken_for_approved(near: World, tasks: Any) -> None:
    """As where somebody marks its task as success."""
    near.produce(60)
    delete_before(near, 0, 15)
    run = Run(near, tasks, decision="accept-loss", why="retention").look()
    run.answer = None
    before = standing(near)
    # Airflow is imported with its own folder only.
    from airflow.sdk.exceptions import AirflowFailException

    with pytest.raises(AirflowFailException, match="nobody has approved"):
        run.act()
    assert standing(near) == before


def test_what_a_look_finds_after_the_question_was_asked_is_not_done(near: World, tasks: Any) -> None:
    """As where somebody clears the task `look` alone, while the question waits for its answer."""
    near.produce(60)
    delete_before(near, 0, 15)
    run = Run(near, tasks, decision="accept-loss", why="retention").look()
    shown = run.asked
    delete_before(near, 0, 30)
    run.look()
    run.asked = shown
    before = standing(near)
    with pytest.raises(DecisionRefused, match=r"more came to it: .*-0 \[15, 30\)"):
        run.act()
    assert standing(near) == before


def test_a_loss_that_shrank_is_declared_as_it_is(near: World, tasks: Any) -> None:
    near.produce(20)
    with closing(near.runtime()) as reader:
        planned = reader.plan()
        assert planned.batch_id is not None
        staging = reader.log.stage
        run = Run(near, tasks, decision="accept-loss", why="retention")

        def after_a_look(*arguments: Any) -> None:
            delete_before(near, 0, 15)
            run.look()
            staging(*arguments)

        reader.log.stage = after_a_look  # type: ignore[method-assign, assignment]
        reader.write("a", "r", planned.batch_id)
    assert "[10, 15) is lost" in run.seen["text"]
    run.act()
    settled(near)
    near.audit()


def test_what_is_unread_only_since_the_look_is_not_declared_beside_the_rest(near: World) -> None:
    """Between the plan and the table: a staged batch loses its files and is to be read again."""
    near.produce(20)
    with closing(near.runtime()) as runtime:
        write_next(runtime)
        near.produce(20)
        delete_before(near, 0, 25)
        which = Which(What.ACCEPT_LOSS)
        shown = Shown.of(runtime.decisions.plan(which).shown.text)
        starts = runtime.log.declared_starts
        (part,) = runtime.log.staged(near.name, near.table)
        asked = []

        def unstaged(*arguments: Any) -> Any:
            asked.append(1)
            if len(asked) == 2:
                runtime.log.replan(part, "its files are gone")
            return starts(*arguments)

        runtime.log.declared_starts = unstaged  # type: ignore[method-assign, assignment]
        runtime.decisions.decide(which, "tester", "a test", shown)
        assert len(asked) >= 2
        ledger = runtime.tables.load(near.table).ledger
    assert ledger is not None
    assert [str(r) for d in ledger.decisions for r in d.ranges] == [f"{near.topic}-0 [20, 25)"]


def test_a_topic_that_was_created_once_more_is_not_gone_on_with(near: World, tasks: Any) -> None:
    recreate(near)
    run = Run(near, tasks, decision="rebind", topic=near.topic, why="a test").look()
    recreate(near)
    with pytest.raises(DecisionRefused, match="the topic of id"):
        run.act()
    run.look().act()
    near.produce(4)
    settled(near)


@pytest.mark.parametrize("after", ["another", "dropped", "lost"])
def test_a_table_that_nobody_was_shown_is_not_adopted(near: World, tasks: Any, after: str) -> None:
    near.produce(10)
    near.run()
    if after == "dropped":
        replace_table(near)
    else:
        near.catalog.drop_table(near.table) if after == "another" else replace_table(near)
    delete_before(near, 0, 4)
    run = Run(near, tasks, decision="rebind", table=near.table, accept_loss=True, why="a test").look()
    said = {"another": "UUID .* has its name", "dropped": "it is gone", "lost": r"-0 \[4, 8\) is lost"}[after]
    if after == "another":
        near.catalog.create_table(near.table, replaced_schema(near))
    elif after == "dropped":
        near.catalog.drop_table(near.table)
    else:
        delete_before(near, 0, 8)
    with closing(near.runtime()) as runtime:
        bound = runtime.log.bound(near.name)
        with pytest.raises(DecisionRefused, match=said):
            run.act()
        assert runtime.log.bound(near.name) == bound
    run.look().act()
    settled(near)


def replaced_schema(world: World) -> Any:
    return world.catalog.load_table(f"{world.table}__dead_letters").schema()


def test_a_second_table_that_was_set_back_after_the_look_is_not_skipped(near: World, tasks: Any) -> None:
    other = f"{near.namespace}.other"
    text = file_of(near, near.table, other)
    near.file.write_text(text)
    world = TwoTables(near, text)
    for _ in range(2):
        near.produce(10)
        with closing(world.runtime()) as runtime:
            write_next(runtime)
            runtime.commit([near.table, other], now=True)
    set_back(near)
    run = Run(world, tasks, mode=Mode.SKIP.value).look()  # type: ignore[arg-type]
    set_back(near, other)
    with pytest.raises(RecoveryRefused, match=f"{other}: it was rolled back by hand"):
        run.act()
    run.look().act()
    with closing(world.runtime()) as runtime:
        assert runtime.audit().complete


class TwoTables:
    def __init__(self, world: World, text: str) -> None:
        self.world, self.text = world, text

    def runtime(self) -> Runtime:
        from lakelock.config import load_pipeline

        file = self.world.folder / f"{self.world.name}.yaml"
        file.write_text(self.text)
        return Runtime(load_pipeline(file), self.world.connections.__getitem__, self.world.writer)


def test_a_second_try_of_the_task_goes_on_where_the_first_died(near: World, tasks: Any) -> None:
    near.produce(4)
    near.run()
    run = Run(near, tasks, restored=True).look()
    with closing(near.runtime()) as runtime:
        runtime.log.give_up(near.name, "somebody", "another", lambda notes: None)
    run.act()
    near.produce(4)
    settled(near)
    near.audit()


def test_dead_letters_that_came_after_the_look_are_not_redriven(near: World, tasks: Any) -> None:
    mended(near)
    run = Run(near, tasks, decision="redrive", table=near.table, why="a column was added").look()
    assert f"{near.table}: 3 open dead letters" in run.seen["text"]
    fit(near, fits=False)
    produce_unfit(near, 1)
    near.run()
    fit(near)
    run.act()
    assert len(near.rows()) == near.next_id - 1
    Run(near, tasks, decision="redrive", reason="no column takes", why="the rest").look().act()
    proven(near, redriven=3, dead=1)
    with pytest.raises(Exception, match="nothing to recover"):
        Run(near, tasks, decision="redrive", reason="no column takes", why="again").look()


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"decision": "rebind", "topic": "t", "partition": 1}, "rebound as a whole"),
        ({"decision": "rebind", "topic": "t", "partition": 1, "from": 1, "to": 2}, "for accept-loss and redrive alone"),
        ({"decision": "retire", "topic": "t", "partition": 1, "from": 1, "to": 2}, "for accept-loss and redrive alone"),
        ({"decision": "accept-loss", "accept_loss": True}, "goes with a table that is rebound"),
        ({"decision": "rebind", "topic": "t", "accept_loss": True}, "goes with a table that is rebound"),
        ({"decision": "accept-loss", "table": "a.b"}, "leave Table empty"),
        ({"decision": "retire", "topic": "t", "table": "a.b"}, "leave Table empty"),
        ({"decision": "accept-loss", "restored": True}, "go with no decision"),
        ({"decision": "accept-loss", "take_over": True}, "go with no decision"),
        ({"decision": "accept-loss", "mode": "skip"}, "go with no decision"),
        ({"decision": "redrive", "accept_loss": True, "table": "a.b"}, "goes with a table that is rebound"),
        ({"decision": "redrive", "from": 1, "to": 2}, "need --topic and --partition"),
        ({"decision": "retire", "topic": "t", "reason": "x"}, "Reason goes with redrive"),
        ({"reason": "x"}, "are of a decision"),
        ({"topic": "t"}, "are of a decision"),
        ({"table": "a.b"}, "are of a decision"),
    ],
)
def test_a_field_that_would_be_ignored_is_refused(near: World, tasks: Any, form: dict[str, Any], said: str) -> None:
    with pytest.raises(Exception, match=said):
        Run(near, tasks, why="a test", **form).look()
