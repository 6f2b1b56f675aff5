"""Dead letters that fit now become rows once, and stay recorded as what they were, whatever happens meanwhile."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from kits.decisions import set_back
from kits.here_writer import HereRedriver
from kits.recoveries import postgres_of, recover
from kits.redrives import fit, fixed, made, produce_unfit, proven, redrive, write_all
from kits.rollbacks import dead_letters_of, on_the_way, roll_back, settle
from kits.upkeep import Killed
from kits.world import World, connection, file_of, open_with
from lakelock.adapters.iceberg.page_snapshots import SnapshotViews
from lakelock.app.redrive import Redrive
from lakelock.app.runtime import Runtime
from lakelock.cli.main import main
from lakelock.errors import CommitConflict, RedriveRefused, Unreachable
from lakelock.model.ledger import Mode
from lakelock.model.offsets import offsets_in
from lakelock.ports import Change, TableState
from lakelock.ports.redrive_jobs import RedriveOrder, RedriveOutput
from lakelock.redrive.decision import chunks
from lakelock.redrive.redrive_preview import ApprovedDeadLetters, RedriveOutcome, RedriveRequest
from lakelock.upkeep.expiry_decision import ExpiryLimits
from pyiceberg.table import Table
from pyiceberg.table.update.schema import UpdateSchema
from pyiceberg.transforms import BucketTransform
from pyiceberg.types import LongType

pytestmark = pytest.mark.drawn(0.14, about="lakelock/redrive/")


def test_dead_letters_that_fit_by_now_become_rows_once(near: World) -> None:
    fixed(near)
    with closing(near.runtime()) as runtime:
        planned = runtime.redrives.preview(RedriveRequest())
        assert (planned.tables[0].dead_letters, planned.tables[0].tried, planned.tables[0].fits) == (3, 3, 2)
        assert sum(planned.tables[0].unfit.values()) == 1
        assert not planned.nothing
        (done,) = redrive(runtime)
        assert (done.tried, done.rows) == (3, 2)
        assert list(done.unfit) == ["not a JSON object"]
        proven(near, redriven=2, dead=1)
        left = runtime.redrives.preview(RedriveRequest())
        assert left.nothing, "what changes nothing needs no approval"
        assert left.lines[:2] == [
            "redrive dead letters of all topics: none of them fits its table now",
            f"{near.table}: 1 open dead letter: {left.tables[0].found[0]}",
        ]
        (again,) = redrive(runtime)
        assert (again.tried, again.rows) == (1, 0)
        near.produce(5)
        near.cycle(runtime)
    proven(near, redriven=2, dead=1)


def test_pressed_twice_at_once_makes_each_row_once(near: World) -> None:
    fixed(near)
    with closing(near.runtime()) as slow, closing(near.runtime()) as fast:
        shown = slow.redrives.preview(RedriveRequest()).shown
        on_the_way(slow, slow.tables, lambda: redrive(fast))
        (late,) = slow.run(Redrive(RedriveRequest(), "somebody", "twice", shown))
        assert (late.rows, late.twice, late.tried) == (0, 2, 3)
        assert "2 became rows by another redrive" in late.lines[0]
    proven(near, redriven=2, dead=1)


def test_what_another_redrive_made_in_part_changes_nothing(near: World) -> None:
    fixed(near)
    with closing(near.runtime()) as slow, closing(near.runtime()) as fast:
        planned = slow.redrives.preview(RedriveRequest())
        first = planned.tables[0].found[0]
        part = RedriveRequest(
            topic=near.topic, partition=first.source.partition, start=first.start, end=first.start + 1
        )
        on_the_way(slow, slow.tables, lambda: redrive(fast, part))
        with pytest.raises(RedriveRefused, match="some of these dead letters as rows, from another redrive"):
            slow.run(Redrive(RedriveRequest(), "somebody", "beside", planned.shown))
        assert made(redrive(slow)) == 1
    proven(near, redriven=2, dead=1)


def test_rows_that_landed_are_reported_though_a_later_chunk_of_their_table_fails(
    near: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixed(near)
    monkeypatch.setattr("lakelock.redrive.decision.chunks", lambda found, most=1, *more: chunks(found, most, *more))

    class Failing(HereRedriver):
        runs = 0

        def run(self, order: RedriveOrder) -> list[RedriveOutput]:
            self.runs += 1
            if self.runs > 1:
                raise Unreachable("no Spark")
            return super().run(order)

    near.redriver = Failing()
    with closing(near.runtime()) as runtime:
        reported: list[RedriveOutcome] = []
        with pytest.raises(Unreachable, match="no Spark"):
            runtime.run(
                Redrive(RedriveRequest(), "somebody", "in part", runtime.redrives.preview(RedriveRequest()).shown),
                reported.append,
            )
        (done,) = reported
        assert (done.tried, done.rows, offsets_in(done.ranges)) == (1, 1, 1)
        assert done.landed.version_id == done.snapshots[-1]
    near.redriver = HereRedriver()
    with closing(near.runtime()) as runtime:
        assert made(redrive(runtime)) == 1
    proven(near, redriven=2, dead=1)


def test_one_that_finds_its_commit_landed_in_a_later_try_is_reported_to_the_log(near: World) -> None:
    fixed(near)
    with closing(near.runtime()) as runtime:
        commit = runtime.tables.commit

        def landed(state: TableState, change: Change) -> int:
            runtime.tables.commit = commit  # type: ignore[method-assign]
            commit(state, change)
            raise CommitConflict("it seems so")

        runtime.tables.commit = landed  # type: ignore[method-assign]
        (done,) = redrive(runtime)
        assert (done.rows, len(done.snapshots)) == (2, 1)
        assert offsets_in(runtime.log.ledgers("orders")[near.table].coverage.redriven) == 2
    proven(near, redriven=2, dead=1)


def test_each_chunk_reaches_the_files_by_tables_as_they_are_loaded_then(
    near: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Credentials that a catalog hands out with a table do not last for all of them."""
    fixed(near)
    monkeypatch.setattr("lakelock.redrive.decision.chunks", lambda found, most=1, *more: chunks(found, most, *more))
    with closing(near.runtime()) as runtime:
        storage, used = runtime.tables.storage, list[TableState]()

        def noted(state: TableState) -> Mapping[str, str]:
            used.append(state)
            return storage(state)

        runtime.tables.storage = noted  # type: ignore[method-assign, assignment]
        planned = runtime.redrives.preview(RedriveRequest())
        used.clear()
        runtime.run(Redrive(RedriveRequest(), "somebody", "in chunks", planned.shown))
        assert len({state.head_id for state in used}) == 3
    proven(near, redriven=2, dead=1)


@pytest.mark.parametrize("after", [False, True], ids=["before its commit", "after it"])
def test_a_redrive_that_is_killed_is_repeated(near: World, after: bool) -> None:
    fixed(near)

    def kill(*_: Any) -> None:
        raise Killed

    with closing(near.runtime()) as dying:
        if after:
            dying.log.fill_requested = kill  # type: ignore[method-assign, assignment]
        else:
            dying.tables.commit = kill  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            redrive(dying)
    with closing(near.runtime()) as runtime:
        assert made(redrive(runtime)) == (0 if after else 2)
    proven(near, redriven=2, dead=1)


def test_a_redrive_that_wakes_up_late_lands_nothing_in_a_table_that_went_back(near: World) -> None:
    fixed(near)
    with closing(near.runtime()) as zombie, closing(near.runtime()) as runtime:
        shown = zombie.redrives.preview(RedriveRequest()).shown
        on_the_way(zombie, zombie.tables, lambda: roll_back(runtime, near.table, "last:1", Mode.RECOMMIT))
        with pytest.raises(RedriveRefused, match="was rolled back or recovered after the preview"):
            zombie.run(Redrive(RedriveRequest(), "somebody", "late", shown))
        settle(near, runtime)
        assert made(redrive(runtime)) == 2
    proven(near, redriven=2, dead=1)


def test_dead_letters_that_came_after_a_person_looked_are_left(near: World) -> None:
    fixed(near)
    with closing(near.runtime()) as runtime:
        shown = runtime.redrives.preview(RedriveRequest()).shown
        fit(near, fits=False)
        produce_unfit(near, 1)
        near.cycle(runtime)
        fit(near)
        (done,) = runtime.run(Redrive(RedriveRequest(), "somebody", "as shown", ApprovedDeadLetters.of(shown.text)))
        assert (done.tried, done.rows) == (3, 2)
        assert made(redrive(runtime)) == 1
    proven(near, redriven=3, dead=1)


def test_a_redrive_that_landed_since_the_rollback_was_shown_is_reported(
    near: World, caplog: pytest.LogCaptureFixture
) -> None:
    fixed(near)
    with closing(near.runtime()) as runtime:
        rollbacks = runtime.rollbacks
        planned = rollbacks.preview(near.table, "last:1", Mode.RECOMMIT)
        assert not planned.undone.left
        redrive(runtime)
        to = str(planned.to.id)
        rollbacks.roll_back(near.table, to, Mode.RECOMMIT, "somebody", "a test", planned.shown)
        assert "2 redriven dead letters are open again: redrive them again" in caplog.text
        views, _ = SnapshotViews(runtime.tables, near.name).snapshots(runtime.tables.load(near.table), 10)
        assert [(view.kind, view.decided) for view in views if view.kind == "rollback"] == [("rollback", ())]
        settle(near, runtime)
        assert made(redrive(runtime)) == 2
    proven(near, redriven=2, dead=1)


@pytest.mark.parametrize("mode", [Mode.RECOMMIT, Mode.REPLAY])
def test_a_table_that_goes_back_before_a_redrive_has_dead_letters_again(near: World, mode: Mode) -> None:
    fixed(near)
    with closing(near.runtime()) as runtime:
        redrive(runtime)
        planned = roll_back(runtime, near.table, "last:1", mode)
        assert planned.lines[-1] == "2 redriven dead letters are open again: redrive them again"
        settle(near, runtime)
        table = runtime.audit().tables[0]
        assert (sum(s.redriven for s in table.sources), sum(s.totals.dead for s in table.sources)) == (0, 3)
        assert made(redrive(runtime)) == 2
    proven(near, redriven=2, dead=1)


def test_a_table_that_left_the_file_after_a_person_looked_is_reported(near: World) -> None:
    fixed(near)
    with closing(near.runtime()) as runtime:
        shown = runtime.redrives.preview(RedriveRequest()).shown
    other = f"{near.namespace}.other"
    with (
        open_with(near, f"source: {{topics: [{near.topic}]}}\ntables: [{{name: {other}}}]\n") as runtime,
        pytest.raises(RedriveRefused, match=f"{near.table} was in the preview, but is no longer in the file"),
    ):
        runtime.run(Redrive(RedriveRequest(), "tester", "a test", shown))


def lose_dead_letters(world: World) -> None:
    """The dead-letter table is set back by hand to before its last three commits, and a person leaves it so."""
    set_back(world, dead_letters_of(world), snapshots=3)
    with closing(world.runtime()) as runtime:
        runtime.recovery("tester", mode=Mode.SKIP).recover()


def test_rows_whose_dead_letters_are_declared_lost_are_shown_before_they_go_for_good(near: World) -> None:
    fixed(near)
    with closing(near.runtime()) as runtime:
        redrive(runtime)
        lose_dead_letters(near)
        assert runtime.audit().complete
        planned = roll_back(runtime, near.table, "last:1", Mode.RECOMMIT)
        assert planned.lines[-1].startswith("2 redriven dead letters are lost with their rows")
        assert not any("redrive them again" in line for line in planned.lines)
        assert runtime.redrives.preview(RedriveRequest()).nothing


def test_a_table_that_goes_back_further_gets_its_rows_and_the_dead_letters_stay(near: World) -> None:
    fixed(near)
    with closing(near.runtime()) as runtime:
        redrive(runtime)
        roll_back(runtime, near.table, "last:3", Mode.REPLAY)
        settle(near, runtime)
        assert made(redrive(runtime)) == 2
    proven(near, redriven=2, dead=1)


def test_a_lost_postgres_changes_nothing_of_it(near: World, new_log: Callable[[], str]) -> None:
    fixed(near)
    with closing(near.runtime()) as runtime:
        redrive(runtime)
    dsn = new_log()
    postgres_of(near, dsn)
    recover(near, take_over=True)
    near.produce(3)
    near.run()
    proven(near, redriven=2, dead=1)
    with closing(near.runtime()) as runtime:
        assert made(redrive(runtime)) == 0


def test_dead_letters_in_a_table_of_an_older_name_are_redriven_too(near: World) -> None:
    fixed(near, dead_letters=1)
    other = f"{near.table}__other_letters"
    with open_with(near, file_of(near, near.table, rest=f"dead_letters: {{table: {other}}}\n")) as runtime:
        fit(near, fits=False)
        produce_unfit(near, 2)
        near.cycle(runtime)
        fit(near)
        (done,) = redrive(runtime)
        assert (done.tried, done.rows) == (3, 2)
        assert runtime.audit().complete
    assert len(near.rows(dead_letters_of(near))) + len(near.rows(other)) == 3


def test_the_filter_takes_a_part(near: World) -> None:
    fixed(near)
    with closing(near.runtime()) as runtime:
        planned = runtime.redrives.preview(RedriveRequest(reason="no json"))
        assert planned.tables[0].dead_letters == 1
        assert planned.tables[0].fits == 0
        assert runtime.redrives.preview(RedriveRequest(reason="never heard of")).nothing
        assert runtime.redrives.preview(RedriveRequest(topic="another")).nothing
        found = runtime.redrives.preview(RedriveRequest()).tables[0].found
        source = found[0].source
        part = RedriveRequest(near.table, near.topic, source.partition, found[0].start, found[0].start + 1)
        assert made(redrive(runtime, part)) == 1
        assert made(redrive(runtime)) == 1
    proven(near, redriven=2, dead=1)


def test_dead_letters_wait_until_their_range_is_in_the_table(near: World) -> None:
    produce_unfit(near, 3)
    with closing(near.runtime()) as runtime:
        write_all(runtime)
        runtime.commit([dead_letters_of(near)], now=True)
        fit(near)
        planned = runtime.redrives.preview(RedriveRequest())
        assert planned.nothing
        assert "wait until the table has these offsets" in planned.lines[-1]
        near.commit(runtime)
        assert runtime.audit().complete


def test_a_live_tail_goes_on_beside(near: World) -> None:
    fixed(near)

    class Meanwhile(HereRedriver):
        def run(self, order: RedriveOrder) -> list[RedriveOutput]:
            out = super().run(order)
            near.produce(4)
            near.run()
            return out

    near.redriver = Meanwhile()
    with closing(near.runtime()) as runtime:
        assert made(redrive(runtime)) == 2
    proven(near, redriven=2, dead=1)


def test_dead_letters_that_are_declared_lost_meanwhile_become_no_rows(near: World) -> None:
    fixed(near)

    class Meanwhile(HereRedriver):
        def run(self, order: RedriveOrder) -> list[RedriveOutput]:
            out = super().run(order)
            lose_dead_letters(near)
            return out

    near.redriver = Meanwhile()
    reported = "were removed from the dead-letter table after the preview"
    with closing(near.runtime()) as runtime:
        with pytest.raises(RedriveRefused, match=reported):
            redrive(runtime)
        assert runtime.redrives.preview(RedriveRequest()).nothing
        assert runtime.audit().complete


class Meanwhile(HereRedriver):
    """Changes the table's columns between the files and their commit."""

    def __init__(self, table: Callable[[], Table], *steps: Callable[[UpdateSchema], object]) -> None:
        self._table, self._steps = table, steps

    def run(self, order: RedriveOrder) -> list[RedriveOutput]:
        out = super().run(order)
        for step in self._steps:
            with self._table().update_schema() as columns:
                step(columns)
        return out


def test_a_column_added_meanwhile_keeps_nothing_from_landing(near: World) -> None:
    fixed(near)
    near.redriver = Meanwhile(
        lambda: near.catalog.load_table(near.table), lambda columns: columns.add_column("another", LongType())
    )
    with closing(near.runtime()) as runtime:
        assert made(redrive(runtime)) == 2
    near.redriver = HereRedriver()
    proven(near, redriven=2, dead=1)


def test_a_column_replaced_meanwhile_refuses_what_was_written(near: World) -> None:
    fixed(near)
    near.redriver = Meanwhile(
        lambda: near.catalog.load_table(near.table),
        lambda columns: columns.delete_column("unheard_of"),
        lambda columns: columns.add_column("unheard_of", LongType()),
    )
    other = "has changed since the preview: .* column unheard_of was dropped"
    with closing(near.runtime()) as runtime, pytest.raises(RedriveRefused, match=other):
        redrive(runtime)
    near.redriver = HereRedriver()
    with closing(near.runtime()) as runtime:
        assert made(redrive(runtime)) == 2
    proven(near, redriven=2, dead=1)


def test_more_open_dead_letters_than_the_books_have_are_not_made_rows(near: World) -> None:
    """As where a dead letter was written twice, once as such and once as a row: it would be a row twice."""
    fixed(near)
    table = near.catalog.load_table(dead_letters_of(near))
    rows = table.scan().to_arrow()
    offsets = pc.subtract(rows.column("offset"), 1)
    table.append(rows.set_column(rows.schema.get_field_index("offset"), rows.schema.field("offset"), offsets))
    reported = "there are .* open dead letters of .*, but its books count"
    # Nor a part of them, which may be just the one that is a row.
    offset = offsets[0].as_py()
    one = RedriveRequest(near.table, near.topic, rows.column("partition")[0].as_py(), offset, offset + 1)
    for request in (RedriveRequest(), one, RedriveRequest(reason="x")):
        with closing(near.runtime()) as runtime, pytest.raises(RedriveRefused, match=reported):
            runtime.redrives.preview(request)


def test_rows_go_into_the_partitions_that_the_table_has_by_now(near: World) -> None:
    fixed(near)
    with near.catalog.load_table(near.table).update_spec() as spec:
        spec.add_field("id", BucketTransform(4), "of_id")
    with closing(near.runtime()) as runtime:
        (done,) = redrive(runtime)
    table = near.catalog.load_table(near.table)
    found = [t.file for t in table.scan(snapshot_id=done.snapshots[0]).plan_files()]
    partitioned = [f for f in found if f.spec_id == table.spec().spec_id]
    assert sum(f.record_count for f in partitioned) == 2
    assert all(f.partition[0] is not None for f in partitioned)
    proven(near, redriven=2, dead=1)


def test_dead_letters_that_are_there_twice_become_one_row(near: World) -> None:
    fixed(near)
    table = near.catalog.load_table(dead_letters_of(near))
    dead_letters = table.scan().to_arrow()
    # In a file of their own, and twice in that one.
    table.append(pa.concat_tables([dead_letters, dead_letters]))
    with closing(near.runtime()) as runtime:
        (done,) = redrive(runtime)
        assert (done.tried, done.rows) == (3, 2)
    rows = near.rows()
    assert len({(p, o) for p, o, _ in rows}) == len(rows) == near.next_id


def test_the_command_shows_first_and_does_just_that_when_approved(
    near: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fixed(near)
    monkeypatch.setattr(os, "environ", near.environment())
    monkeypatch.setattr(Runtime, "on_spark", lambda self, server: HereRedriver())
    monkeypatch.setattr("lakelock.app.runtime.Runtime.spark_target", near)
    monkeypatch.setattr(near, "kind", "connect", raising=False)
    command = ["redrive", str(near.file), "--why", "a column was added"]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "3 open dead letters" in said
    assert "2 of the 3 that were tried now fit the table" in said
    assert "Nothing was changed. Repeat with --yes to run it." in said
    assert main([*command, "--yes"]) == 0
    said = capsys.readouterr().out
    assert "2 of 3 dead letters became rows" in said
    assert "redriven: " in said
    assert "  dead letters  2 of these became rows\n" in said
    assert "a column was added (2 of 3 dead letters of all topics)" in said
    assert main([*command, "--table", near.table, "--yes"]) == 0
    proven(near, redriven=2, dead=1)


@pytest.mark.long
def test_it_runs_on_a_warm_spark(world: World) -> None:
    world.produce(5)
    world.run()
    fixed(world)
    with closing(world.runtime()) as runtime:
        (done,) = redrive(runtime)
        assert (done.tried, done.rows) == (3, 2)
    proven(world, redriven=2, dead=1)


@pytest.mark.long
def test_a_driver_of_its_own_redrives_too(near: World, capfd: pytest.CaptureFixture[str]) -> None:
    fixed(near)
    near.redriver = None
    near.connections["spark_default"] = connection("spark_default", "spark", host="local[2]")
    with closing(near.runtime()) as runtime:
        planned = runtime.redrives.preview(RedriveRequest(reason="no column"))
        assert "Spark-Submit cmd" not in "".join(capfd.readouterr())
        (done,) = runtime.run(Redrive(RedriveRequest(reason="no column"), "somebody", "columns fixed", planned.shown))
        assert (done.tried, done.rows, len(done.snapshots), offsets_in(done.ranges)) == (2, 2, 1, 2)
        assert "Spark-Submit cmd" in "".join(capfd.readouterr())
    near.redriver = HereRedriver()
    proven(near, redriven=2, dead=1)


def test_what_was_redriven_outlives_compaction_expiry_and_clean_up(near: World) -> None:
    fixed(near)
    near.settings = "maintenance: {compact_min_files: 2, compact_after: 1ms}\n"
    with closing(near.runtime()) as runtime:
        redrive(runtime)
        for name in (near.table, dead_letters_of(near)):
            runtime.compact(name)
            runtime.expiry.expire(name, ExpiryLimits(0, 1))
            runtime.orphans.clean_up(name, 3_600_000)
        proven(near, redriven=2, dead=1)
        near.produce(4)
        near.cycle(runtime)
        assert made(redrive(runtime)) == 0
    proven(near, redriven=2, dead=1)
