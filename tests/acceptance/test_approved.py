"""What a person approves hours after it was shown: no more than that is done, by the tasks that Airflow runs."""

from __future__ import annotations

from typing import Any

import pytest
from kits.approvals import Run, tasks_of
from kits.decisions import recreate, settled
from kits.redrives import fit, fixed, produce_unfit, proven
from kits.world import World
from lakelock.errors import DecisionRefused


@pytest.fixture
def tasks(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Any:
    return tasks_of(tmp_path_factory.mktemp("airflow"), monkeypatch)


def test_a_topic_that_was_created_once_more_is_not_gone_on_with(near: World, tasks: Any) -> None:
    recreate(near)
    run = Run(near, tasks, decision="rebind", topic=near.topic, why="a test").preview()
    recreate(near)
    with pytest.raises(DecisionRefused, match="the topic of id"):
        run.act()
    run.preview().act()
    near.produce(4)
    settled(near)


def test_dead_letters_that_came_after_the_look_are_not_redriven(near: World, tasks: Any) -> None:
    fixed(near)
    run = Run(near, tasks, decision="redrive", table=near.table, why="a column was added").preview()
    assert f"{near.table}: 3 open dead letters" in run.seen["text"]
    fit(near, fits=False)
    produce_unfit(near, 1)
    near.run()
    fit(near)
    run.act()
    assert len(near.rows()) == near.next_id - 1
    Run(near, tasks, decision="redrive", reason="no column takes", why="the rest").preview().act()
    proven(near, redriven=3, dead=1)
    with pytest.raises(Exception, match="nothing to recover"):
        Run(near, tasks, decision="redrive", reason="no column takes", why="again").preview()
