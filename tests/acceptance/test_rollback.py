"""A table goes back and forth in every mode, beside what is on its way, and ends with each record once."""

from __future__ import annotations

import shlex
import subprocess
import sys
from contextlib import closing

import pytest
from kits.rollbacks import landed, roll_back, settle
from kits.world import World, write_next
from lakelock.core.ledger import Mode
from lakelock.errors import RollbackRefused


@pytest.mark.parametrize("mode", [Mode.RECOMMIT, Mode.REPLAY])
def test_what_a_rollback_takes_out_comes_back_once(near: World, mode: Mode) -> None:
    landed(near, bad=1)
    with closing(near.runtime()) as runtime:
        before = near.rows()
        roll_back(runtime, near.table, "last:2", mode)
        assert len(near.rows()) == 30
        assert runtime.audit().complete
        settle(near, runtime)
        assert near.rows() == before
    near.audit(dead=3)


def test_what_is_skipped_stays_out_and_is_told(near: World) -> None:
    landed(near)
    with closing(near.runtime()) as runtime:
        roll_back(runtime, near.table, "last:2", Mode.SKIP)
        settle(near, runtime)
        found = runtime.audit()
        assert found.complete
        assert sum(s.gaps.get("skipped", 0) for s in found.tables[0].sources) == 20
    assert len(near.rows()) == 30
    near.produce(5)
    near.run()
    assert len(near.rows()) == 35


@pytest.mark.parametrize("mode", list(Mode))
def test_what_is_on_its_way_is_fenced_and_not_lost(near: World, mode: Mode) -> None:
    """A staged batch, a planned one, and one that is being written when the table goes back."""
    landed(near, bad=1)
    with closing(near.runtime()) as runtime:
        near.produce(10, bad=[b"["])
        write_next(runtime)
        near.produce(10)
        planned = runtime.plan()
        assert planned.batch_id is not None
        roll_back(runtime, near.table, "last:2", mode)
        near.produce(5)
        settle(near, runtime, 4)
        found = runtime.audit()
        assert found.complete, found
    lost = 20 if mode is Mode.SKIP else 0
    assert len(near.rows()) == near.next_id - lost
    if mode is not Mode.SKIP:
        near.audit(dead=4)


def test_a_part_written_under_the_old_generation_never_lands(near: World) -> None:
    landed(near)
    with closing(near.runtime()) as zombie, closing(near.runtime()) as runtime:
        near.produce(10)
        planned = zombie.plan()
        assert planned.batch_id is not None
        staging = zombie.log.stage

        def meanwhile(*arguments: object) -> None:
            roll_back(runtime, near.table, "last:1", Mode.RECOMMIT)
            staging(*arguments)  # type: ignore[arg-type]

        zombie.log.stage = meanwhile  # type: ignore[method-assign, assignment]
        zombie.write("zombie", "test/1", planned.batch_id)
        files = {
            f.path for p in runtime.log.staged(near.name) for f in p.result.files if p.batch_id == planned.batch_id
        }
        assert files
        settle(near, runtime)
        table = near.catalog.load_table(near.table)
        assert not files & {t.file.file_path for t in table.scan().plan_files()}
    near.audit()


def test_a_rollback_whose_process_dies_before_the_log_knows_is_followed_by_whoever_commits(near: World) -> None:
    landed(near)

    class Killed(Exception):
        pass

    def killed(*_: object) -> None:
        raise Killed

    with closing(near.runtime()) as runtime:
        runtime.log.follow = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            roll_back(runtime, near.table, "last:2", Mode.RECOMMIT)
    assert len(near.rows()) == 30
    with closing(near.runtime()) as runtime:
        # Nothing is staged and nothing new is there: the announcement makes the commit look at the table.
        near.commit(runtime)
    near.audit()


@pytest.mark.parametrize("mode", [Mode.RECOMMIT, Mode.REPLAY])
def test_a_second_rollback_before_the_first_has_come_back(near: World, mode: Mode) -> None:
    landed(near, 4)
    with closing(near.runtime()) as runtime:
        roll_back(runtime, near.table, "last:2", mode)
        roll_back(runtime, near.table, "last:1", Mode.RECOMMIT)
        settle(near, runtime, 4)
    near.audit()


def test_files_that_vanished_meanwhile_are_read_again(near: World) -> None:
    landed(near)
    with closing(near.runtime()) as runtime:
        before = {t.file.file_path for t in near.catalog.load_table(near.table).scan().plan_files()}
        roll_back(runtime, near.table, "last:1", Mode.RECOMMIT)
        kept = {t.file.file_path for t in near.catalog.load_table(near.table).scan().plan_files()}
        io = near.catalog.load_table(near.table).io
        io.delete(sorted(before - kept)[0])
        settle(near, runtime)
    near.audit()


@pytest.mark.parametrize("mode", [Mode.RECOMMIT, Mode.SKIP])
def test_the_dead_letter_table_goes_back_alone(near: World, mode: Mode) -> None:
    landed(near, bad=2)
    letters = f"{near.table}__dead_letters"
    with closing(near.runtime()) as runtime:
        roll_back(runtime, letters, "last:2", mode)
        assert len(near.rows(letters)) == 2
        runtime.commit([letters], now=True)
        settle(near, runtime)
        with pytest.raises(RollbackRefused, match="holds dead letters"):
            runtime.rollbacks.plan(letters, "last:1", Mode.REPLAY)
        found = runtime.audit()
        assert found.complete, found
    if mode is Mode.RECOMMIT:
        near.audit(dead=6)
    else:
        assert len(near.rows(letters)) == 2


def test_where_a_table_cannot_go_is_said(near: World) -> None:
    landed(near)
    with closing(near.runtime()) as runtime:
        plan = runtime.rollbacks.plan
        for to, said in [
            ("last:99", "not in the branch's history"),
            ("1", "not in the branch's history"),
            ("2001-01-01T00:00:00Z", "not in the branch's history"),
            ("2099-01-01T00:00:00Z", "what the table shows now"),
            ("2026-01-01T00:00:00", "names no zone"),
            ("yesterday", "no snapshot id"),
        ]:
            with pytest.raises(RollbackRefused, match=said):
                plan(near.table, to, Mode.REPLAY)


# The modes differ in what the steps do, which the tests above show; the command hands one on as the other.
@pytest.mark.parametrize("mode", [m if m is Mode.REPLAY else pytest.param(m, marks=pytest.mark.long) for m in Mode])
def test_the_command_shows_first_and_does_just_that_when_told(near: World, mode: Mode) -> None:
    landed(near)
    way = [sys.executable, "-m", "lakelock.cli"]

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*way, *command], env=near.environment(), capture_output=True, text=True, check=False)

    look = [
        "rollback",
        str(near.file),
        "--table",
        near.table,
        "--to",
        "last:1",
        "--mode",
        mode.value,
        "--why",
        "a test",
    ]
    before = near.rows()
    shown = run(*look)
    assert shown.returncode == 0, shown.stderr
    assert "1 commit of this pipeline: 10 rows" in shown.stdout
    assert "Nothing was changed" in shown.stdout
    assert near.rows() == before
    for unseen in (["--yes"], ["--yes", "--seen", "1"]):
        refused = run(*look, *unseen)
        assert refused.returncode == 2
        assert "does what was shown" in refused.stderr
    # What lands after the look was not shown.
    near.produce(10)
    near.run()
    program, *command = shlex.split(shown.stdout.splitlines()[-1])
    assert program == "bin/lakelock"
    done = run(*command)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{near.name}: complete" in done.stdout
    assert f", {mode.value}, by " in done.stdout
    assert f"{near.table}: from snapshot" in run("status", str(near.file)).stdout
    again = run(*command)
    assert again.returncode == 0, again.stdout + again.stderr
    assert "it was done before, nothing was changed" in again.stdout
    with closing(near.runtime()) as runtime:
        settle(near, runtime, 3)
    if mode is Mode.SKIP:
        assert len(near.rows()) == near.next_id - 10
    else:
        near.audit()
