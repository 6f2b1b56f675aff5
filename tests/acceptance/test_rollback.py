"""A table goes back and forth in every mode, beside what is on its way, and ends with each record once."""

from __future__ import annotations

import shlex
import subprocess
from contextlib import closing

import pytest
from kits.forks import lakelock
from kits.rollbacks import landed, roll_back, settle
from kits.world import World
from lakelock.model.ledger import Mode


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


# The modes differ in what the steps do, which the tests above show; the command hands one on as the other.
@pytest.mark.parametrize("mode", [m if m is Mode.REPLAY else pytest.param(m, marks=pytest.mark.long) for m in Mode])
def test_the_command_shows_first_and_does_just_that_when_approved(near: World, mode: Mode) -> None:
    landed(near)

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return lakelock(*command, environment=near.environment())

    preview = [
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
    shown = run(*preview)
    assert shown.returncode == 0, shown.stderr
    assert "1 commit of this pipeline: 10 rows" in shown.stdout
    assert "Nothing was changed" in shown.stdout
    assert near.rows() == before
    for unseen in (["--yes"], ["--yes", "--seen", "1"]):
        refused = run(*preview, *unseen)
        assert refused.returncode == 2
        assert "runs only a previewed rollback" in refused.stderr
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
    assert "already done before; nothing was changed" in again.stdout
    with closing(near.runtime()) as runtime:
        settle(near, runtime, 3)
    if mode is Mode.SKIP:
        assert len(near.rows()) == near.next_id - 10
    else:
        near.audit()
