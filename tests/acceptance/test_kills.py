"""A process killed or frozen between any two steps loses nothing and doubles nothing."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from kits.world import World
from lakelock.errors import Fenced
from stack.process import wait_until


def start_cli(world: World) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "lakelock.cli", "run", str(world.file), "--once"]
    return subprocess.Popen(
        command, env=world.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def data_files(world: World) -> set[Path]:
    folder = Path(world.catalog.load_table(world.table).location().removeprefix("file://"))
    return set(folder.glob("data/*/*/*/*.parquet"))


@pytest.mark.long
def test_a_process_killed_at_each_stage_loses_and_doubles_nothing(world: World) -> None:
    world.produce(20)
    world.run()
    for stage in ("plan:", "a data file", "write:", "a snapshot", "commit:"):
        world.produce(200)
        files, head = data_files(world), world.catalog.load_table(world.table).metadata_location
        process = start_cli(world)
        assert process.stdout is not None
        seen: list[str] = []
        reader = threading.Thread(target=lambda out=process.stdout, seen=seen: seen.extend(out), daemon=True)
        conditions: dict[str, Callable[[], bool]] = {
            "a data file": lambda files=files: bool(data_files(world) - files),  # type: ignore[misc]
            "a snapshot": lambda head=head: world.catalog.load_table(world.table).metadata_location != head,  # type: ignore[misc]
        }
        said = lambda stage=stage, seen=seen: any(line.startswith(stage) for line in seen)  # noqa: E731
        reader.start()
        wait_until(conditions.get(stage, said), 120, f"{stage} in {seen}", every_s=0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
    for _ in range(3):
        world.run_as_cli(start_cli)
    world.audit()


def test_a_frozen_write_that_wakes_up_after_its_twin_stages_nothing(near: World) -> None:
    near.produce(50)
    with closing(near.runtime()) as zombie, closing(near.runtime()) as twin:
        planned = zombie.plan()
        assert planned.batch_id is not None
        zombie.log.claim(planned.batch_id, "zombie", "test/1", 30)
        twin.write("twin", "test/1", planned.batch_id)
        part = twin.log.staged(near.name, near.table)[0]
        with pytest.raises(Fenced):
            zombie.log.stage(planned.batch_id, "zombie", [part.result])
        near.commit(twin)
        # The frozen one goes on as if nothing had happened: every further step finds its work done.
        assert "staged already" in zombie.write("zombie-2", "test/1", planned.batch_id).line
        assert zombie.commit([near.table], now=True)[0].version_id is None
    near.audit()


def test_committers_that_race_land_each_part_once(near: World) -> None:
    near.produce(50)
    with closing(near.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.write(str(uuid.uuid4()), "test/1", planned.batch_id)
    runtimes = [near.runtime() for _ in range(4)]
    with ThreadPoolExecutor(len(runtimes)) as pool:
        landed = list(pool.map(lambda one: one.commit([near.table], now=True)[0].version_id, runtimes))
    for one in runtimes:
        one.close()
    assert len([s for s in landed if s is not None]) == 1
    near.audit()


def test_a_snapshot_without_its_mark_is_marked_not_repeated(near: World) -> None:
    near.produce(50)
    with closing(near.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.write(str(uuid.uuid4()), "test/1", planned.batch_id)
        committer = runtime.committer

        class Killed(Exception):
            pass

        def killed(*_: object) -> None:
            raise Killed

        marking = runtime.log.committed
        runtime.log.committed = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            committer.commit(near.table, now=True)
        runtime.log.committed = marking  # type: ignore[method-assign]
        snapshots = len(near.catalog.load_table(near.table).snapshots())
        assert [o.version_id for o in committer.commit(near.table, now=True)] == [None]
        assert len(near.catalog.load_table(near.table).snapshots()) == snapshots
        assert not runtime.log.staged(near.name)
    near.audit()
