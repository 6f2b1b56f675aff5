"""Tables are tidied beside everything else, and end with each record once, readable, and without a file too many."""

from __future__ import annotations

import subprocess
import uuid
from argparse import Namespace
from collections import Counter
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from kits.forks import lakelock
from kits.topics import delete_before
from kits.upkeep import (
    DAY_MS,
    FEW,
    SOME,
    Killed,
    aged,
    aged_in,
    clean_up,
    files_in,
    landed,
    moves_while,
    named,
    on_disk,
    roll_back,
    table_of,
)
from kits.world import World, file_of, open_with, write_next
from lakelock.adapters.airflow.postgres_settings import postgres_dsn
from lakelock.adapters.iceberg.pyiceberg_private import CachingSqlCatalog
from lakelock.app.runtime import Runtime
from lakelock.cli import upkeep
from lakelock.errors import CleanUpRefused, RollbackRefused
from lakelock.gaps.gap_preview import Which
from lakelock.model.ledger import Mode
from lakelock.model.operator_log import What
from lakelock.orchestration import maintenance_tasks
from lakelock.recovery.findings import Finding
from lakelock.recovery.recover import Recovery
from lakelock.upkeep.expire import ExpiryOutcome
from lakelock.upkeep.expiry_decision import ExpiryLimits
from lakelock.upkeep.orphans import Orphans
from pyiceberg.table import Table

pytestmark = pytest.mark.drawn(0.15, about=("upkeep/expire", "upkeep/orphans"))


def avro(table: Table) -> set[str]:
    return {p for p in on_disk(table, "metadata") if p.endswith(".avro")}


def compacted(world: World) -> None:
    """Another engine writes the same rows into other files, and records keep coming."""
    table = table_of(world)
    table.overwrite(table.scan().to_arrow())
    landed(world, 2)


def lost_attempt(world: World, folder: Path | None = None) -> set[str]:
    """The files of an attempt that wrote and never staged; another one has staged the batch since."""
    folder = folder or Path(table_of(world).location().removeprefix("file://")) / "data"
    before = files_in(folder)

    def killed(*_: object) -> None:
        raise Killed

    with closing(world.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.log.stage = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            runtime.write(str(uuid.uuid4()), "test/1", planned.batch_id)
    files = files_in(folder) - before
    with closing(world.runtime()) as runtime:
        runtime.write(str(uuid.uuid4()), "test/1", planned.batch_id)
    return files


# expire


def test_old_snapshots_go_with_their_files_and_once_more_nothing_does(near: World) -> None:
    landed(near)
    compacted(near)
    with closing(near.runtime()) as runtime:
        planned = runtime.expiry.preview(near.table, FEW)
        before = table_of(near)
        done = runtime.expiry.expire(near.table, FEW)
        assert done.files == planned.files
        assert done.deleted == len(done.files.paths) > 10
        assert done.files.size_bytes > 0
        head = table_of(near).metadata_location
        assert runtime.expiry.expire(near.table, FEW).snapshots == ()
        assert table_of(near).metadata_location == head
    after = table_of(near)
    assert len(after.snapshots()) == 3 < len(before.snapshots())
    assert on_disk(after) == {t.file.file_path for t in after.scan().plan_files()}
    assert avro(after) == {p for p in named(after) if p.endswith(".avro")}
    near.audit()
    landed(near, 1)
    near.audit()


def test_nothing_that_is_young_goes(near: World) -> None:
    landed(near)
    head = table_of(near).metadata_location
    with closing(near.runtime()) as runtime:
        assert runtime.expiry.expire(near.table, ExpiryLimits(DAY_MS, 2)).snapshots == ()
        assert runtime.expiry.expire(near.table, runtime.expiry_limits).snapshots == ()
    assert table_of(near).metadata_location == head


@pytest.mark.parametrize("mode", [Mode.RECOMMIT, Mode.REPLAY])
def test_a_rollback_to_what_stays_is_possible_and_one_further_back_is_refused(near: World, mode: Mode) -> None:
    landed(near)
    with closing(near.runtime()) as runtime:
        runtime.expiry.expire(near.table, FEW)
        with pytest.raises(RollbackRefused, match="not in the branch's history, which goes back to snapshot"):
            runtime.rollbacks.preview(near.table, "last:3", mode)
        before = near.rows()
        roll_back(runtime, near.table, "last:1", mode)
        assert len(near.rows()) == len(before) - 10
        for _ in range(3):
            near.cycle(runtime)
        assert near.rows() == before
    near.audit()


def test_what_a_rollback_took_out_and_is_to_land_again_keeps_its_files(near: World) -> None:
    landed(near, bad=1)
    files = {t.file.file_path for t in table_of(near).scan().plan_files()}
    with closing(near.runtime()) as runtime:
        roll_back(runtime, near.table, "last:2", Mode.RECOMMIT)
        done = runtime.expiry.expire(near.table, FEW)
        assert done.aside == 2
        assert not files & set(done.files.paths)
        aged(table_of(near))
        assert not files & set(clean_up(near))
        near.commit(runtime)
    assert {t.file.file_path for t in table_of(near).scan().plan_files()} == files, "nothing was read again"
    near.audit(dead=4)


def test_what_a_rollback_left_behind_goes_when_nobody_needs_it(near: World) -> None:
    landed(near)
    with closing(near.runtime()) as runtime:
        files = on_disk(table_of(near))
        roll_back(runtime, near.table, "last:2", Mode.REPLAY)
        for _ in range(3):
            near.cycle(runtime)
        assert files <= on_disk(table_of(near))
        done = runtime.expiry.expire(near.table, ExpiryLimits(1, 50))
        assert (len(done.snapshots), done.aside) == (2, 2)
        left = on_disk(table_of(near))
    assert left == {t.file.file_path for t in table_of(near).scan().plan_files()}
    assert len(files - left) == 2
    near.audit()


def test_a_rollback_whose_log_never_heard_of_it_keeps_its_files(near: World) -> None:
    landed(near)
    files = on_disk(table_of(near))

    def killed(*_: object) -> None:
        raise Killed

    with closing(near.runtime()) as runtime:
        runtime.log.follow = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            roll_back(runtime, near.table, "last:2", Mode.RECOMMIT)
    with closing(near.runtime()) as runtime:
        assert runtime.expiry.expire(near.table, FEW).aside == 2
        near.commit(runtime)
    assert on_disk(table_of(near)) == files
    near.audit()


def test_tags_and_snapshots_of_others_survive(near: World) -> None:
    table = table_of(near)
    first = table.snapshots()[1]
    table.manage_snapshots().create_tag(first.snapshot_id, "month-end").commit()
    landed(near, 2)
    table = table_of(near)
    head = table.current_snapshot()
    assert head is not None
    table.manage_snapshots().create_branch(head.snapshot_id, "audit").commit()
    landed(near, 3)
    compacted(near)
    with closing(near.runtime()) as runtime:
        done = runtime.expiry.expire(near.table, FEW)
        assert done.snapshots
    aged(table_of(near))
    clean_up(near)
    table = table_of(near)
    assert table.scan(snapshot_id=table.metadata.refs["month-end"].snapshot_id).to_arrow().num_rows == 20
    assert table.scan(snapshot_id=table.metadata.refs["audit"].snapshot_id).to_arrow().num_rows == 40
    near.audit()


def test_a_tag_made_in_the_very_moment_keeps_its_snapshot(near: World) -> None:
    landed(near)
    oldest = table_of(near).snapshots()[1].snapshot_id
    with closing(near.runtime()) as runtime:
        sending = runtime.tables.catalog.commit_table

        def meanwhile(*arguments: Any) -> Any:
            if "keep" not in table_of(near).metadata.refs:
                table_of(near).manage_snapshots().create_tag(oldest, "keep").commit()
            return sending(*arguments)

        runtime.tables.catalog.commit_table = meanwhile  # type: ignore[method-assign, assignment]
        done = runtime.expiry.expire(near.table, FEW)
    assert oldest not in {s.id for s in done.snapshots}
    table = table_of(near)
    assert table.scan(snapshot_id=table.metadata.refs["keep"].snapshot_id).to_arrow().num_rows == 20
    near.audit()


def test_a_rollback_in_flight_to_what_expires_cannot_land(near: World) -> None:
    landed(near)
    with closing(near.runtime()) as runtime, closing(near.runtime()) as other:
        planned = runtime.rollbacks.preview(near.table, "last:3", Mode.RECOMMIT)
        sending = runtime.tables.catalog.commit_table
        expired: list[ExpiryOutcome] = []

        def meanwhile(*arguments: Any) -> Any:
            if not expired:
                expired.append(other.expiry.expire(near.table, FEW))
            return sending(*arguments)

        runtime.tables.catalog.commit_table = meanwhile  # type: ignore[method-assign, assignment]
        to = str(planned.to.id)
        with pytest.raises(RollbackRefused, match="not in the branch's history"):
            runtime.rollbacks.roll_back(near.table, to, Mode.RECOMMIT, "tester", "a test", planned.shown)
        assert planned.to.id in {s.id for s in expired[0].snapshots}
    near.run()
    near.audit()


@pytest.mark.parametrize("lands", [True, False])
def test_after_a_lost_answer_files_go_only_if_the_snapshots_did(near: World, lands: bool) -> None:
    landed(near)
    compacted(near)
    with closing(near.runtime()) as runtime:
        sending, deleting = runtime.tables.catalog.commit_table, runtime.keeper.storage.delete
        answers: list[object] = []

        def lost(*arguments: Any) -> Any:
            if answers:
                return sending(*arguments)
            answers.append(sending(*arguments) if lands else None)
            raise ConnectionResetError("no answer")

        def checked(state: Any, paths: Any) -> int:
            assert not named(table_of(near)) & set(paths)
            return deleting(state, paths)

        runtime.tables.catalog.commit_table = lost  # type: ignore[method-assign, assignment]
        runtime.keeper.storage.delete = checked  # type: ignore[method-assign]
        done = runtime.expiry.expire(near.table, FEW)
        assert done.deleted == len(done.files.paths) > 10
    assert len(table_of(near).snapshots()) == 3
    near.audit()


def test_killed_between_the_commit_and_the_files_it_leaves_them_to_orphans(near: World) -> None:
    landed(near)
    compacted(near)

    def killed(*_: object) -> None:
        raise Killed

    with closing(near.runtime()) as runtime:
        planned = runtime.expiry.preview(near.table, FEW)
        runtime.keeper.storage.delete = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            runtime.expiry.expire(near.table, FEW)
    near.audit()
    aged(table_of(near))
    metadata = set(clean_up(near))
    assert metadata
    assert all(p.endswith(".avro") for p in metadata), "the log still knows the data files"
    with closing(near.runtime()) as runtime:
        runtime.log.coalesce(near.name, 0)
    gone = metadata | set(clean_up(near))
    ours = {p for p in planned.files.paths if "lakelock-" in Path(p).name or p in gone}
    assert ours == gone
    assert on_disk(table_of(near)) == {t.file.file_path for t in table_of(near).scan().plan_files()}
    near.audit()


# orphans


def test_files_of_a_lost_attempt_go_when_they_are_old(near: World) -> None:
    near.produce(10)
    files = lost_attempt(near)
    assert files
    assert clean_up(near) == (), "they are young"
    aged(table_of(near))
    assert set(clean_up(near)) == files
    for _ in range(2):
        near.run()
    near.audit()
    aged(table_of(near))
    assert clean_up(near) == ()
    near.audit()


def test_files_of_a_part_that_was_given_up_go_and_what_is_staged_or_committed_stays(near: World) -> None:
    landed(near, bad=1)
    near.produce(10)
    with closing(near.runtime()) as runtime:
        write_next(runtime)
        given_up = {f.path for p in runtime.log.staged(near.name, near.table) for f in p.result.files}
        roll_back(runtime, near.table, "last:1", Mode.REPLAY)
        write_next(runtime)
        staged = {f.path for p in runtime.log.staged(near.name) for f in p.result.files}
        assert staged
        aged(table_of(near))
        gone = set(clean_up(near))
        assert given_up <= gone
        assert not staged & gone
        for _ in range(3):
            near.cycle(runtime)
    near.audit(dead=4)


def test_an_attempt_that_is_still_writing_keeps_its_files_however_old(near: World) -> None:
    near.produce(10)
    with closing(near.runtime()) as runtime:
        staging = runtime.log.stage
        gone: list[str] = []

        def frozen(*arguments: Any) -> None:
            aged(table_of(near))
            gone.extend(clean_up(near))
            staging(*arguments)

        runtime.log.stage = frozen  # type: ignore[method-assign, assignment]
        near.cycle(runtime)
    assert gone == []
    near.audit()


def test_a_commit_that_was_frozen_with_its_manifests_cannot_land_without_them(near: World) -> None:
    near.produce(10)
    with closing(near.runtime()) as runtime:
        write_next(runtime)
        sending = runtime.tables.catalog.commit_table
        gone: list[str] = []

        def frozen(*arguments: Any) -> Any:
            if not gone:
                aged(table_of(near))
                gone.extend(clean_up(near))
            return sending(*arguments)

        runtime.tables.catalog.commit_table = frozen  # type: ignore[method-assign, assignment]
        near.commit(runtime)
    assert len(gone) == 2, "a manifest and a list"
    near.audit()


def test_what_is_not_ours_stays_whatever_its_age(near: World) -> None:
    table = table_of(near)
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
    near.produce(5)
    files = lost_attempt(near)
    aged(table_of(near))
    assert set(clean_up(near)) == files
    assert all(file.exists() for file in strange)


def test_while_recover_would_find_something_no_file_goes(near: World) -> None:
    landed(near, 1)
    near.produce(5)
    files = lost_attempt(near)
    aged(table_of(near))
    table = table_of(near)
    head = table.current_snapshot()
    assert head is not None
    assert head.parent_snapshot_id is not None
    table.manage_snapshots().set_current_snapshot(head.parent_snapshot_id).commit()
    with (
        closing(near.runtime()) as runtime,
        pytest.raises(CleanUpRefused, match="another tool rolled it back.*Run `bin/lakelock recover FILE` first"),
    ):
        runtime.orphans.clean_up(near.table, DAY_MS)
    assert files <= on_disk(table_of(near))
    with closing(near.runtime()) as runtime:
        runtime.recovery("tester").recover()
    assert set(clean_up(near)) >= files
    for _ in range(3):
        near.run()
    near.audit()


def test_a_log_that_was_set_back_lets_no_file_go(near: World) -> None:
    landed(near, 1)
    near.produce(5)
    files = lost_attempt(near)
    aged(table_of(near))
    with psycopg.connect(postgres_dsn(near.connections["lakelock_postgres"]), autocommit=True) as connection:
        connection.execute("CREATE TEMP TABLE before AS SELECT stream_id, next_offset FROM lakelock.streams")
        connection.execute("UPDATE lakelock.streams SET next_offset = start_offset")
        with closing(near.runtime()) as runtime, pytest.raises(CleanUpRefused, match="the log: it is behind"):
            runtime.orphans.clean_up(near.table, DAY_MS)
        assert files <= on_disk(table_of(near))
        connection.execute(
            "UPDATE lakelock.streams s SET next_offset = b.next_offset FROM before b WHERE b.stream_id = s.stream_id"
        )
    assert set(clean_up(near)) == files
    near.run()
    near.audit()


@pytest.mark.parametrize("dropped", [False, True])
def test_a_table_that_was_renamed_or_dropped_before_a_rebind_keeps_its_files(near: World, dropped: bool) -> None:
    """The new one of its name lies in the same folder."""
    landed(near)
    near.produce(5)
    with closing(near.runtime()) as runtime:
        write_next(runtime)
    old, kept = table_of(near), f"{near.namespace}.kept"
    if dropped:
        near.catalog.drop_table(near.table)
    else:
        near.catalog.rename_table(near.table, kept)
    with closing(near.runtime()) as runtime:
        runtime.rebinding.rebind(near.table, False, "tester", "a test")
    landed(near, 2)
    assert table_of(near).location() == old.location()
    near.produce(5)
    lost = lost_attempt(near)
    near.run()
    with closing(near.runtime()) as runtime:
        runtime.log.coalesce(near.name, 0)
    aged(old)
    gone = set(clean_up(near))
    assert gone == lost
    if dropped:
        near.catalog.register_table(kept, old.metadata_location)
    still = near.catalog.load_table(kept)
    assert still.scan().to_arrow().num_rows == 60
    assert all(Path(p.removeprefix("file://")).exists() for p in named(still))
    near.audit()


def test_two_pipelines_whose_tables_share_folders_keep_each_others_files(near: World) -> None:
    """Data by a property of both, metadata by another; one log has folded its batches away."""
    two, shared = replace(near, name="two"), near.folder / "shared"
    two.run()
    for world in (near, two):
        with world.catalog.load_table(world.table).transaction() as change:
            change.set_properties(
                {"write.data.path": f"file://{shared}/data", "write.metadata.path": f"file://{shared}/metadata"}
            )
    near.produce(10)
    lost = lost_attempt(near, shared / "data")
    for world in (near, two):
        world.run()
    for _ in range(3):
        near.produce(5)
        for world in (near, two):
            world.run()
    assert lost
    with closing(two.runtime()) as runtime:
        roll_back(runtime, two.table, "last:1", Mode.REPLAY)
        runtime.log.coalesce(two.name, 0)
    aged_in(shared)
    before = files_in(shared)
    assert set(clean_up(near)) == lost
    assert before - files_in(shared) == lost
    two.next_id = near.next_id
    for world in (near, two):
        for _ in range(3):
            world.run()
        world.audit()


def test_two_tables_in_one_place_keep_each_others_files(near: World) -> None:
    location = table_of(near).location()
    other = f"{near.namespace}.other"
    settings = f"{{name: {other}, location: '{location}'}}"
    with open_with(near, file_of(near, near.table, settings)) as runtime:
        for _ in range(4):
            near.produce(5)
            write_next(runtime)
            runtime.commit([near.table, other], now=True)
        near.produce(5)
        write_next(runtime)
        runtime.keeper.storage.delete = lambda *_: 0  # type: ignore[method-assign]
        assert runtime.expiry.expire(other, FEW).files.paths
        assert runtime.expiry.expire(near.table, FEW).files.paths
    with open_with(near, file_of(near, near.table, settings)) as runtime:
        aged(table_of(near))
        gone = runtime.orphans.clean_up(near.table, DAY_MS).files
        assert gone
        assert all(str(table_of(near).metadata.table_uuid) in f.path for f in gone)
        runtime.commit([near.table, other], now=True)
        assert runtime.orphans.clean_up(other, DAY_MS).files
    for name, count in ((near.table, near.next_id), (other, near.next_id - 20)):
        table = near.catalog.load_table(name)
        assert all(Path(p.removeprefix("file://")).exists() for p in named(table))
        assert table.scan().to_arrow().num_rows == count
    near.audit()


@pytest.mark.parametrize("way", ["shown", "done", "task"])
def test_tables_and_log_are_checked_once_for_all_tables(
    near: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], way: str
) -> None:
    """Each look loads every table and asks Kafka."""
    others = [f"{near.namespace}.{n}" for n in ("a", "b", "c")]
    with open_with(near, file_of(near, near.table, *others)) as runtime:
        near.produce(5, bad=[b"{"])
        write_next(runtime)
        runtime.commit([near.table, *others], now=True)
        assert len(runtime.all_tables()) == 5
        previews = []
        preview = Recovery.preview

        def counted(recovery: Recovery) -> list[Finding]:
            previews.append(preview(recovery))
            return previews[-1]

        monkeypatch.setattr(Recovery, "preview", counted)
        if way == "task":
            monkeypatch.setattr(maintenance_tasks, "step", lambda *_: nullcontext(runtime))
            form = {"params": {"table": None, "dry_run": False}}
            monkeypatch.setattr(maintenance_tasks, "get_current_context", lambda: form)
            maintenance_tasks.orphans({})
        else:
            monkeypatch.setattr(upkeep, "opened", lambda _: nullcontext(runtime))
            given = Namespace(file=near.folder, table=None, older_than=None, yes=way == "done")
            assert upkeep.orphans(given) == 0
            assert capsys.readouterr().out.count("no orphan files") == 5
    assert previews == [[]]


def test_what_is_found_at_a_table_is_checked_again_and_the_others_go_on(near: World) -> None:
    landed(near, 1, bad=1)
    dead_letters = f"{near.table}__dead_letters"
    wrong = Finding(near.table, "it looks wrong", "is left")
    for answers, refused, checked in (([[wrong], []], False, 2), ([[wrong]] * 9, True, 4)):
        with closing(near.runtime()) as runtime:
            left = iter(answers)
            requests: list[int] = []
            orphans = Orphans(runtime.keeper, lambda left=left, requests=requests: requests.append(1) or next(left))  # type: ignore[misc]
            with pytest.raises(CleanUpRefused, match="it looks wrong") if refused else nullcontext():
                orphans.clean_up(near.table, DAY_MS)
            orphans.clean_up(dead_letters, DAY_MS)
            with pytest.raises(CleanUpRefused, match="it looks wrong") if refused else nullcontext():
                orphans.clean_up(near.table, DAY_MS)
        assert len(requests) == checked


def test_two_names_of_one_table_are_left_alone(near: World) -> None:
    landed(near, 1)
    twin = f"{near.namespace}.twin"
    near.catalog.register_table(twin, table_of(near).metadata_location)
    with closing(near.runtime()) as runtime:
        runtime.log.bind(near.name, twin, str(table_of(near).metadata.table_uuid))
        with pytest.raises(CleanUpRefused, match=f"table {twin} has the same UUID"):
            runtime.orphans.clean_up(near.table, DAY_MS)
        near.catalog.drop_table(twin)
        assert not runtime.orphans.clean_up(near.table, DAY_MS).files


def test_a_commit_that_slept_while_its_files_were_cleaned_up_lands_readably_when_it_is_tried_again(
    near: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first try wrote a file of decisions; the next one's has the same text."""
    near.produce(40)
    delete_before(near, 0, 15)
    swap = CachingSqlCatalog.commit_table

    def asleep(catalog: CachingSqlCatalog, *of: Any) -> Any:
        monkeypatch.setattr(CachingSqlCatalog, "commit_table", swap)
        written = on_disk(table_of(near), "metadata")
        aged(table_of(near))
        with closing(near.runtime()) as other:
            assert other.orphans.clean_up(near.table, DAY_MS).deleted
        assert any("lakelock-decisions-" in path for path in written - on_disk(table_of(near), "metadata"))
        return swap(catalog, *of)

    with closing(near.runtime()) as runtime:
        monkeypatch.setattr(CachingSqlCatalog, "commit_table", asleep)
        runtime.decisions.decide(Which(What.ACCEPT_LOSS), "tester", "w" * 5000)
    assert all(Path(p.removeprefix("file://")).exists() for p in named(table_of(near)))
    with closing(near.runtime()) as runtime:
        state = runtime.tables.load(near.table)
    assert state.ledger is not None
    assert state.ledger.decisions[-1].why == "w" * 5000


# both, beside the pipeline


def test_both_go_on_while_records_are_committed_and_tables_go_back(near: World) -> None:
    expired: Counter[str] = Counter()

    def tidy(runtime: Runtime, table: str) -> None:
        expired[table] += len(runtime.expiry.expire(table, SOME).snapshots)
        aged(near.catalog.load_table(table))
        runtime.orphans.clean_up(table, DAY_MS)

    moves_while(near, tidy)
    assert expired[near.table]
    near.audit(dead=12)
    table = table_of(near)
    assert table.scan().to_arrow().num_rows == near.next_id
    assert all(Path(p.removeprefix("file://")).exists() for p in named(table))


def test_the_commands_show_first_and_act_only_when_reported(near: World) -> None:
    landed(near)
    near.produce(5)
    files = lost_attempt(near)
    aged(table_of(near))

    def run(command: str, *more: str) -> subprocess.CompletedProcess[str]:
        return lakelock(command, near.file, *more, environment=near.environment())

    expire = ("expire", "--older-than", "1ms", "--keep", "3")
    head = table_of(near).metadata_location
    for line in (expire, ("orphans",)):
        shown = run(*line)
        assert shown.returncode == 0, shown.stderr
        assert "Nothing was changed" in shown.stdout
    assert f"{near.table}: {len(files)} orphan files of" in shown.stdout
    assert table_of(near).metadata_location == head
    done = run(*expire, "--table", near.table, "--yes")
    assert done.returncode == 0, done.stderr
    assert f"{near.table}: 4 snapshots, the oldest of" in done.stdout
    assert "its history will then begin at" in done.stdout
    done = run("orphans", "--yes")
    assert done.returncode == 0, done.stderr
    assert f"{len(files)} deleted" in done.stdout
    assert f"{near.table}: no orphan files" in run("orphans").stdout
    refused = run("orphans", "--older-than", "1m")
    assert refused.returncode == 1
    assert "at least 1h" in refused.stderr
    near.run()
    near.audit()
