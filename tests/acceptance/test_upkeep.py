"""Tables are tidied beside everything else, and end with each record once, readable, and without a file too many."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import uuid
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from lakelock.adapters.connections import postgres_dsn
from lakelock.compose import Runtime
from lakelock.core.expiry import Limits
from lakelock.core.ledger import Mode
from lakelock.errors import CleanUpRefused, RollbackRefused
from pyiceberg.table import Table
from stack.settings import REPOSITORY

from acceptance.world import World, file_of, open_with, write_next

DAY_MS = 86_400_000
# Everything but the newest is old.
FEW = Limits(1, 3)


class Killed(BaseException):
    pass


def landed(world: World, times: int = 4, bad: int = 0) -> None:
    for _ in range(times):
        world.produce(10, bad=[b"{"] * bad)
        world.run()


def table_of(world: World) -> Table:
    return world.catalog.load_table(world.table)


def on_disk(table: Table, kind: str = "data") -> set[str]:
    folder = Path(table.location().removeprefix("file://")) / kind
    return {f"file://{p}" for p in folder.rglob("*") if p.is_file()}


def named(table: Table) -> set[str]:
    """What the table's snapshots need, by PyIceberg alone."""
    out = {s.manifest_list for s in table.snapshots()}
    for snapshot in table.snapshots():
        for manifest in snapshot.manifests(table.io):
            out.add(manifest.manifest_path)
            out |= {e.data_file.file_path for e in manifest.fetch_manifest_entry(table.io)}
    return out


def avro(table: Table) -> set[str]:
    return {p for p in on_disk(table, "metadata") if p.endswith(".avro")}


def aged(table: Table, days: float = 2) -> None:
    """All files in the table's folders were written days ago."""
    for path in on_disk(table) | on_disk(table, "metadata"):
        file = Path(path.removeprefix("file://"))
        then = file.stat().st_mtime - days * 86_400
        os.utime(file, (then, then))


def compacted(world: World) -> None:
    """Another engine writes the same rows into other files, and records keep coming."""
    table = table_of(world)
    table.overwrite(table.scan().to_arrow())
    landed(world, 2)


def roll_back(runtime: Runtime, table: str, to: str, mode: Mode) -> None:
    planned = runtime.rollbacks.plan(table, to, mode)
    runtime.rollbacks.roll_back(table, str(planned.to.snapshot_id), mode, "tester", "a test")


def clean_up(world: World) -> tuple[str, ...]:
    """Paths that went."""
    with closing(world.runtime()) as runtime:
        planned = runtime.orphans.plan(world.table, DAY_MS)
        done = runtime.orphans.clean_up(world.table, DAY_MS)
        assert [f.path for f in planned.files] == [f.path for f in done.files]
        assert done.deleted is None or done.deleted == len(done.files)
        again = runtime.orphans.clean_up(world.table, DAY_MS)
        assert not again.files
        assert again.deleted is None
    return tuple(f.path for f in done.files)


def lost_attempt(world: World) -> set[str]:
    """The files of an attempt that wrote and never staged; another one has staged the batch since."""
    before = on_disk(table_of(world))

    def killed(*_: object) -> None:
        raise Killed

    with closing(world.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.log.stage = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            runtime.write(str(uuid.uuid4()), "test/1", planned.batch_id)
    files = on_disk(table_of(world)) - before
    with closing(world.runtime()) as runtime:
        runtime.write(str(uuid.uuid4()), "test/1", planned.batch_id)
    return files


# expire


def test_old_snapshots_go_with_their_files_and_once_more_nothing_does(moved: World) -> None:
    landed(moved)
    compacted(moved)
    with closing(moved.runtime()) as runtime:
        planned = runtime.expiry.plan(moved.table, FEW)
        before = table_of(moved)
        done = runtime.expiry.expire(moved.table, FEW)
        assert done.files == planned.files
        assert done.deleted == len(done.files.paths) > 10
        assert done.files.size_bytes > 0
        head = table_of(moved).metadata_location
        assert runtime.expiry.expire(moved.table, FEW).snapshots == ()
        assert table_of(moved).metadata_location == head
    after = table_of(moved)
    assert len(after.snapshots()) == 3 < len(before.snapshots())
    assert on_disk(after) == {t.file.file_path for t in after.scan().plan_files()}
    assert avro(after) == {p for p in named(after) if p.endswith(".avro")}
    moved.audit()
    landed(moved, 1)
    moved.audit()


def test_nothing_that_is_young_goes(moved: World) -> None:
    landed(moved)
    head = table_of(moved).metadata_location
    with closing(moved.runtime()) as runtime:
        assert runtime.expiry.expire(moved.table, Limits(DAY_MS, 2)).snapshots == ()
        assert runtime.expiry.expire(moved.table, runtime.expiry_limits).snapshots == ()
    assert table_of(moved).metadata_location == head


@pytest.mark.parametrize("mode", [Mode.RECOMMIT, Mode.REPLAY])
def test_a_rollback_to_what_stays_is_possible_and_one_further_back_is_refused(moved: World, mode: Mode) -> None:
    landed(moved)
    with closing(moved.runtime()) as runtime:
        runtime.expiry.expire(moved.table, FEW)
        with pytest.raises(RollbackRefused, match="not in the branch's history, which is kept back to snapshot"):
            runtime.rollbacks.plan(moved.table, "last:3", mode)
        before = moved.rows()
        roll_back(runtime, moved.table, "last:1", mode)
        assert len(moved.rows()) == len(before) - 10
        for _ in range(3):
            moved.cycle(runtime)
        assert moved.rows() == before
    moved.audit()


def test_what_a_rollback_took_out_and_is_to_land_again_keeps_its_files(moved: World) -> None:
    landed(moved, bad=1)
    files = {t.file.file_path for t in table_of(moved).scan().plan_files()}
    with closing(moved.runtime()) as runtime:
        roll_back(runtime, moved.table, "last:2", Mode.RECOMMIT)
        done = runtime.expiry.expire(moved.table, FEW)
        assert done.aside == 2
        assert not files & set(done.files.paths)
        aged(table_of(moved))
        assert not files & set(clean_up(moved))
        moved.commit(runtime)
    assert {t.file.file_path for t in table_of(moved).scan().plan_files()} == files, "nothing was read again"
    moved.audit(dead=4)


def test_what_a_rollback_left_behind_goes_when_nobody_needs_it(moved: World) -> None:
    landed(moved)
    with closing(moved.runtime()) as runtime:
        files = on_disk(table_of(moved))
        roll_back(runtime, moved.table, "last:2", Mode.REPLAY)
        for _ in range(3):
            moved.cycle(runtime)
        assert files <= on_disk(table_of(moved))
        done = runtime.expiry.expire(moved.table, Limits(1, 50))
        assert (len(done.snapshots), done.aside) == (2, 2)
        left = on_disk(table_of(moved))
    assert left == {t.file.file_path for t in table_of(moved).scan().plan_files()}
    assert len(files - left) == 2
    moved.audit()


def test_a_rollback_whose_log_never_heard_of_it_keeps_its_files(moved: World) -> None:
    landed(moved)
    files = on_disk(table_of(moved))

    def killed(*_: object) -> None:
        raise Killed

    with closing(moved.runtime()) as runtime:
        runtime.log.follow = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            roll_back(runtime, moved.table, "last:2", Mode.RECOMMIT)
    with closing(moved.runtime()) as runtime:
        assert runtime.expiry.expire(moved.table, FEW).aside == 2
        moved.commit(runtime)
    assert on_disk(table_of(moved)) == files
    moved.audit()


def test_tags_and_snapshots_of_others_survive(moved: World) -> None:
    table = table_of(moved)
    first = table.snapshots()[1]
    table.manage_snapshots().create_tag(first.snapshot_id, "month-end").commit()
    landed(moved, 2)
    table = table_of(moved)
    head = table.current_snapshot()
    assert head is not None
    table.manage_snapshots().create_branch(head.snapshot_id, "audit").commit()
    landed(moved, 3)
    compacted(moved)
    with closing(moved.runtime()) as runtime:
        done = runtime.expiry.expire(moved.table, FEW)
        assert done.snapshots
    aged(table_of(moved))
    clean_up(moved)
    table = table_of(moved)
    assert table.scan(snapshot_id=table.metadata.refs["month-end"].snapshot_id).to_arrow().num_rows == 20
    assert table.scan(snapshot_id=table.metadata.refs["audit"].snapshot_id).to_arrow().num_rows == 40
    moved.audit()


def test_a_tag_made_in_the_very_moment_keeps_its_snapshot(moved: World) -> None:
    landed(moved)
    oldest = table_of(moved).snapshots()[1].snapshot_id
    with closing(moved.runtime()) as runtime:
        sending = runtime.tables.catalog.commit_table

        def meanwhile(*arguments: Any) -> Any:
            if "keep" not in table_of(moved).metadata.refs:
                table_of(moved).manage_snapshots().create_tag(oldest, "keep").commit()
            return sending(*arguments)

        runtime.tables.catalog.commit_table = meanwhile  # type: ignore[method-assign]
        done = runtime.expiry.expire(moved.table, FEW)
    assert oldest not in {s.snapshot_id for s in done.snapshots}
    table = table_of(moved)
    assert table.scan(snapshot_id=table.metadata.refs["keep"].snapshot_id).to_arrow().num_rows == 20
    moved.audit()


def test_a_rollback_in_flight_to_what_expires_cannot_land(moved: World) -> None:
    landed(moved)
    with closing(moved.runtime()) as runtime, closing(moved.runtime()) as other:
        planned = runtime.rollbacks.plan(moved.table, "last:3", Mode.RECOMMIT)
        sending = runtime.tables.catalog.commit_table
        expired = []

        def meanwhile(*arguments: Any) -> Any:
            if not expired:
                expired.append(other.expiry.expire(moved.table, FEW))
            return sending(*arguments)

        runtime.tables.catalog.commit_table = meanwhile  # type: ignore[method-assign]
        with pytest.raises(RollbackRefused, match="not in the branch's history"):
            runtime.rollbacks.roll_back(moved.table, str(planned.to.snapshot_id), Mode.RECOMMIT, "tester", "a test")
        assert planned.to.snapshot_id in {s.snapshot_id for s in expired[0].snapshots}
    moved.run()
    moved.audit()


@pytest.mark.parametrize("lands", [True, False])
def test_after_a_lost_answer_files_go_only_if_the_snapshots_did(moved: World, lands: bool) -> None:
    landed(moved)
    compacted(moved)
    with closing(moved.runtime()) as runtime:
        sending, deleting = runtime.tables.catalog.commit_table, runtime.keeper.storage.delete
        answers: list[object] = []

        def lost(*arguments: Any) -> Any:
            if answers:
                return sending(*arguments)
            answers.append(sending(*arguments) if lands else None)
            raise ConnectionResetError("no answer")

        def checked(state: Any, paths: Any) -> int:
            assert not named(table_of(moved)) & set(paths)
            return deleting(state, paths)

        runtime.tables.catalog.commit_table = lost  # type: ignore[method-assign]
        runtime.keeper.storage.delete = checked  # type: ignore[method-assign]
        done = runtime.expiry.expire(moved.table, FEW)
        assert done.deleted == len(done.files.paths) > 10
    assert len(table_of(moved).snapshots()) == 3
    moved.audit()


def test_killed_between_the_commit_and_the_files_it_leaves_them_to_orphans(moved: World) -> None:
    landed(moved)
    compacted(moved)

    def killed(*_: object) -> None:
        raise Killed

    with closing(moved.runtime()) as runtime:
        planned = runtime.expiry.plan(moved.table, FEW)
        runtime.keeper.storage.delete = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            runtime.expiry.expire(moved.table, FEW)
    moved.audit()
    aged(table_of(moved))
    metadata = set(clean_up(moved))
    assert metadata
    assert all(p.endswith(".avro") for p in metadata), "the log still knows the data files"
    with closing(moved.runtime()) as runtime:
        runtime.log.coalesce(moved.name, 0)
    gone = metadata | set(clean_up(moved))
    ours = {p for p in planned.files.paths if "lakelock-" in Path(p).name or p in gone}
    assert ours == gone
    assert on_disk(table_of(moved)) == {t.file.file_path for t in table_of(moved).scan().plan_files()}
    moved.audit()


# orphans


def test_files_of_a_lost_attempt_go_when_they_are_old(moved: World) -> None:
    moved.produce(10)
    files = lost_attempt(moved)
    assert files
    assert clean_up(moved) == (), "they are young"
    aged(table_of(moved))
    assert set(clean_up(moved)) == files
    for _ in range(2):
        moved.run()
    moved.audit()
    aged(table_of(moved))
    assert clean_up(moved) == ()
    moved.audit()


def test_files_of_a_part_that_was_given_up_go_and_what_is_staged_or_committed_stays(moved: World) -> None:
    landed(moved, bad=1)
    moved.produce(10)
    with closing(moved.runtime()) as runtime:
        write_next(runtime)
        given_up = {f.path for p in runtime.log.staged(moved.name, moved.table) for f in p.result.files}
        roll_back(runtime, moved.table, "last:1", Mode.REPLAY)
        write_next(runtime)
        staged = {f.path for p in runtime.log.staged(moved.name) for f in p.result.files}
        assert staged
        aged(table_of(moved))
        gone = set(clean_up(moved))
        assert given_up <= gone
        assert not staged & gone
        for _ in range(3):
            moved.cycle(runtime)
    moved.audit(dead=4)


def test_an_attempt_that_is_still_writing_keeps_its_files_however_old(moved: World) -> None:
    moved.produce(10)
    with closing(moved.runtime()) as runtime:
        staging = runtime.log.stage
        gone: list[str] = []

        def frozen(*arguments: Any) -> None:
            aged(table_of(moved))
            gone.extend(clean_up(moved))
            staging(*arguments)

        runtime.log.stage = frozen  # type: ignore[method-assign]
        moved.cycle(runtime)
    assert gone == []
    moved.audit()


def test_a_commit_that_was_frozen_with_its_manifests_cannot_land_without_them(moved: World) -> None:
    moved.produce(10)
    with closing(moved.runtime()) as runtime:
        write_next(runtime)
        sending = runtime.tables.catalog.commit_table
        gone: list[str] = []

        def frozen(*arguments: Any) -> Any:
            if not gone:
                aged(table_of(moved))
                gone.extend(clean_up(moved))
            return sending(*arguments)

        runtime.tables.catalog.commit_table = frozen  # type: ignore[method-assign]
        moved.commit(runtime)
    assert len(gone) == 2, "a manifest and a list"
    moved.audit()


def test_what_is_not_ours_stays_whatever_its_age(moved: World) -> None:
    table = table_of(moved)
    folder = Path(table.location().removeprefix("file://"))
    strange = [
        folder / "data" / "part-0.parquet",
        folder / "data" / str(uuid.uuid4()) / "x" / "part-0.parquet",
        folder / "data" / "day=1" / f"{uuid.uuid4()}.parquet",
        folder / "metadata" / f"snap-1-1-{uuid.uuid4()}.avro",
        folder / "metadata" / "statistics.puffin",
        folder / "metadata" / "lakelock-config-1.json",
    ]
    for file in strange:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")
    moved.produce(5)
    files = lost_attempt(moved)
    aged(table_of(moved))
    assert set(clean_up(moved)) == files
    assert all(file.exists() for file in strange)


def test_while_recover_would_find_something_no_file_goes(moved: World) -> None:
    landed(moved, 1)
    moved.produce(5)
    files = lost_attempt(moved)
    aged(table_of(moved))
    table = table_of(moved)
    head = table.current_snapshot()
    assert head is not None
    assert head.parent_snapshot_id is not None
    table.manage_snapshots().set_current_snapshot(head.parent_snapshot_id).commit()
    with closing(moved.runtime()) as runtime, pytest.raises(CleanUpRefused, match="rolled back by hand.*Run recover"):
        runtime.orphans.clean_up(moved.table, DAY_MS)
    assert files <= on_disk(table_of(moved))
    with closing(moved.runtime()) as runtime:
        runtime.recovery("tester").recover()
    assert set(clean_up(moved)) >= files
    for _ in range(3):
        moved.run()
    moved.audit()


def test_a_log_that_was_set_back_lets_no_file_go(moved: World) -> None:
    landed(moved, 1)
    moved.produce(5)
    files = lost_attempt(moved)
    aged(table_of(moved))
    with psycopg.connect(postgres_dsn(moved.connections["lakelock_postgres"]), autocommit=True) as connection:
        connection.execute("CREATE TEMP TABLE before AS SELECT stream_id, next_offset FROM lakelock.streams")
        connection.execute("UPDATE lakelock.streams SET next_offset = start_offset")
        with closing(moved.runtime()) as runtime, pytest.raises(CleanUpRefused, match="the log: it is behind"):
            runtime.orphans.clean_up(moved.table, DAY_MS)
        assert files <= on_disk(table_of(moved))
        connection.execute(
            "UPDATE lakelock.streams s SET next_offset = b.next_offset FROM before b WHERE b.stream_id = s.stream_id"
        )
    assert set(clean_up(moved)) == files
    moved.run()
    moved.audit()


def test_two_tables_in_one_folder_are_left_alone(moved: World) -> None:
    location = table_of(moved).location()
    other = f"{moved.namespace}.other"
    settings = f"{{name: {other}, location: '{location}'}}"
    with open_with(moved, file_of(moved, moved.table, settings)) as runtime:
        moved.produce(5)
        write_next(runtime)
        runtime.commit([moved.table, other], now=True)
        with pytest.raises(CleanUpRefused, match="is one of table"):
            runtime.orphans.clean_up(moved.table, DAY_MS)


# both, beside the pipeline


def test_both_go_on_while_records_are_committed_and_tables_go_back(moved: World) -> None:
    faults: list[BaseException] = []
    over = threading.Event()

    def tidy() -> None:
        try:
            with closing(moved.runtime()) as runtime:
                while not over.is_set():
                    for table in runtime.all_tables():
                        runtime.expiry.expire(table, FEW)
                        aged(moved.catalog.load_table(table))
                        runtime.orphans.clean_up(table, DAY_MS)
        except BaseException as fault:
            faults.append(fault)

    tidying = threading.Thread(target=tidy)
    with closing(moved.runtime()) as runtime:
        tidying.start()
        try:
            for n in range(12):
                moved.produce(10, bad=[b"{"])
                moved.cycle(runtime)
                if n % 4 == 3:
                    roll_back(runtime, moved.table, "last:1", (Mode.RECOMMIT, Mode.REPLAY)[n // 4 % 2])
        finally:
            over.set()
            tidying.join()
        assert not faults, faults
        for _ in range(4):
            moved.cycle(runtime)
    moved.audit(dead=12)
    table = table_of(moved)
    assert table.scan().to_arrow().num_rows == moved.next_id
    assert all(Path(p.removeprefix("file://")).exists() for p in named(table))


def test_the_commands_show_first_and_act_only_when_told(moved: World) -> None:
    landed(moved)
    moved.produce(5)
    files = lost_attempt(moved)
    aged(table_of(moved))

    def run(command: str, *more: str) -> subprocess.CompletedProcess[str]:
        line = [str(REPOSITORY / "bin" / "lakelock"), command, str(moved.file), *more]
        line = [sys.executable, "-m", "lakelock.cli", *line[1:]]
        return subprocess.run(line, env=moved.environment(), capture_output=True, text=True, check=False)

    expire = ("expire", "--older-than", "1ms", "--keep", "3")
    head = table_of(moved).metadata_location
    for line in (expire, ("orphans",)):
        shown = run(*line)
        assert shown.returncode == 0, shown.stderr
        assert "Nothing was changed" in shown.stdout
    assert f"{moved.table}: {len(files)} orphan files of" in shown.stdout
    assert table_of(moved).metadata_location == head
    done = run(*expire, "--table", moved.table, "--yes")
    assert done.returncode == 0, done.stderr
    assert f"{moved.table}: 4 snapshots, the oldest of" in done.stdout
    assert "its history then begins at" in done.stdout
    done = run("orphans", "--yes")
    assert done.returncode == 0, done.stderr
    assert f"{len(files)} deleted" in done.stdout
    assert f"{moved.table}: no orphan files" in run("orphans").stdout
    refused = run("orphans", "--older-than", "1m")
    assert refused.returncode == 1
    assert "at least 1h" in refused.stderr
    moved.run()
    moved.audit()
