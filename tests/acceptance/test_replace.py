"""Replace on real servers: rows are read again under today's columns, each record stays once, and readers see old or new."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

# Airflow binds its log to what stdout is at its import, which must outlive any one test.
import airflow.providers.apache.spark.hooks.spark_submit  # noqa: F401
import duckdb
import pyarrow as pa
import pytest
from kits.backfills import ALWAYS, snapshots
from kits.forks import lakelock
from kits.here_writer import HereWriter
from kits.replaces import new_column, notes, of_two_times, read_again
from kits.rollbacks import landed, roll_back, settle
from kits.topics import delete_before, new_producer, produce
from kits.upkeep import DUE, aged, clean_up, compacted, moves_while, named, on_disk, table_of
from kits.world import World, connection, file_of, open_with
from lakelock.adapters.iceberg.page_snapshots import SnapshotViews
from lakelock.app.runtime import Runtime
from lakelock.backfill.span import Span
from lakelock.errors import ReplaceRefused, ReplaceUnfinished, TableUnfit
from lakelock.ingest.outcome import CommitOutcome
from lakelock.model.ledger import Mode
from lakelock.model.offsets import offsets_in
from lakelock.model.operator_log import What
from lakelock.ports import SliceOutput, WriteOrder
from lakelock.replace import decision as decisions
from lakelock.replace.replace_preview import ReplacePlan
from pyiceberg.table.snapshots import Operation
from pyiceberg.types import LongType, TimestamptzType

pytestmark = pytest.mark.drawn(0.15, about="lakelock/replace/")


def refused(runtime: Runtime, span: Span = ALWAYS) -> str:
    """The reason, in the plan and in the error alike."""
    planned: ReplacePlan = runtime.replacing.preview(span)
    ((said, *_),) = [list(planned.refused.values())]
    with pytest.raises(ReplaceRefused) as fault:
        read_again(runtime, span)
    assert str(fault.value) == said
    return said


def has_notes(world: World, ids: range) -> None:
    """Just the notes of these ids are those that Kafka has."""
    assert notes(world) == {i: f"n{i}" if i in ids else None for i in range(world.next_id)}


def test_old_rows_get_what_a_new_column_takes_of_them_and_the_tail_goes_on_beside_them(fresh: World) -> None:
    landed(fresh, 3, bad=1)
    before = fresh.rows()
    new_column(fresh)
    has_notes(fresh, range(0))
    with closing(fresh.runtime()) as runtime:
        planned = runtime.replacing.preview(ALWAYS)
        head = snapshots(fresh)
        assert "30 rows in" in planned.lines[1]
        assert "3 dead letters of this time stay unchanged" in planned.lines[1]
        fresh.produce(10)
        tail = threading.Thread(target=fresh.run)
        tail.start()
        (done,) = read_again(runtime)
        tail.join()
        assert (done.rows >= 30, done.version_id in snapshots(fresh)) == (True, True)
        assert len(snapshots(fresh)) == len(head) + 2
    # What the tail wrote meanwhile has the column anyway.
    has_notes(fresh, range(40))
    assert fresh.rows()[: len(before)] != []
    fresh.audit(dead=3)
    summary = next(s for s in table_of(fresh).snapshots() if s.snapshot_id == done.version_id).summary
    assert summary is not None
    assert summary.operation is Operation.OVERWRITE
    assert (summary["added-records"], summary["deleted-records"]) == (str(done.rows),) * 2


def test_recover_reports_that_a_rollback_by_hand_undid_a_replace(near: World) -> None:
    before = table_of(near).current_snapshot()
    assert before is not None
    new_column(near)
    with closing(near.runtime()) as runtime:
        read_again(runtime, who="tester")
        has_notes(near, range(20))
        table_of(near).manage_snapshots().set_current_snapshot(before.snapshot_id).commit()
        (found,) = runtime.recovery("somebody").preview()
        assert "by tester" in found.line
        assert "undoes the replace of" in found.line
        has_notes(near, range(0))
        runtime.recovery("somebody").recover()
        assert runtime.audit().complete


def test_only_the_rows_of_the_time_are_swapped_also_where_a_file_has_others_and_after_a_compaction(near: World) -> None:
    first, second = of_two_times(near)
    near.settings = DUE
    new_column(near)
    with closing(near.runtime()) as runtime:
        compacted(near, runtime)
        (done,) = read_again(runtime, first)
        assert done.rows == 20
        has_notes(near, range(20, 40))
        near.audit()
        compacted(near, runtime)
        (done,) = read_again(runtime, second)
        assert done.rows == 20
        has_notes(near, range(20, 60))
        # The same again: the records are the same.
        (done,) = read_again(runtime, second, who="another")
        assert done.rows == 20
        has_notes(near, range(20, 60))
        near.audit()
        state = runtime.tables.load(near.table)
        views, _ = SnapshotViews(runtime.tables, near.name).snapshots(state, 1)
    assert views[0].kind == "replace"
    ledger = state.ledger
    assert ledger is not None
    assert [d.who for d in ledger.decisions] == ["tester", "another"]
    assert [sum(r.offsets for r in d.ranges) for d in ledger.decisions] == [20, 20]


def test_two_of_one_table_at_once_both_land_though_they_share_a_file(near: World) -> None:
    first, second = of_two_times(near)
    new_column(near)
    with closing(near.runtime()) as runtime, closing(near.runtime()) as other:
        before_send(runtime, lambda: read_again(other, second))
        read_again(runtime, first)
    has_notes(near, range(20, 60))
    near.audit()


def before_send(runtime: Runtime, act: Callable[[], object]) -> None:
    """As a process that is frozen before its commit: once, *act* comes first."""
    sending = runtime.tables.catalog.commit_table
    done: list[int] = []

    def late(*arguments: Any) -> Any:
        if not done:
            done.append(1)
            act()
        return sending(*arguments)

    runtime.tables.catalog.commit_table = late  # type: ignore[method-assign, assignment]


def test_a_twin_that_was_faster_is_not_undone_by_one_that_slept(near: World) -> None:
    new_column(near)
    with closing(near.runtime()) as runtime, closing(near.runtime()) as twin:
        before_send(runtime, lambda: read_again(twin))
        with pytest.raises(ReplaceUnfinished, match="has replaced some of these records since"):
            read_again(runtime)
    has_notes(near, range(20))
    near.audit()


def test_what_was_read_under_other_columns_or_before_a_rollback_does_not_land(near: World) -> None:
    landed(near)
    with closing(near.runtime()) as runtime:
        before_send(runtime, lambda: new_column(near))
        with pytest.raises(ReplaceUnfinished, match="columns or its partition spec changed"):
            read_again(runtime)
    has_notes(near, range(0))
    with closing(near.runtime()) as runtime, closing(near.runtime()) as other:
        before_send(runtime, lambda: roll_back(other, near.table, "last:1", Mode.RECOMMIT))
        with pytest.raises(ReplaceUnfinished, match="rolled back during the replace"):
            read_again(runtime)
        settle(near, runtime)
    near.audit()


def test_killed_before_its_commit_it_leaves_orphans_alone_and_is_simply_run_again(near: World) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    new_column(near)
    with closing(near.runtime()) as runtime:
        runtime.tables.catalog.commit_table = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            read_again(runtime)
    left = {f for f in on_disk(table_of(near)) - named(table_of(near)) if f"/{decisions.ATTEMPT}/" in f}
    assert left
    # As long as they may be of use, `orphans` keeps them.
    assert not left & set(clean_up(near))
    aged(table_of(near))
    assert left <= set(clean_up(near))
    with closing(near.runtime()) as runtime:
        read_again(runtime)
    has_notes(near, range(20))
    aged(table_of(near))
    clean_up(near)
    has_notes(near, range(20))
    near.audit()


def test_a_late_one_is_given_up_before_a_clean_up_takes_its_files(near: World) -> None:
    with closing(near.runtime()) as runtime:
        now = runtime.log.now
        times = iter([now(), *[now().replace(year=now().year + 1)] * 9])
        runtime.log.now = lambda: next(times)  # type: ignore[method-assign]
        before = snapshots(near)
        with pytest.raises(ReplaceUnfinished, match="must take at most 45"):
            read_again(runtime)
        assert snapshots(near) == before


@pytest.mark.parametrize("mode", list(Mode))
def test_a_rollback_to_before_it_shows_the_old_rows_and_over_the_records_reads_them_again(
    near: World, mode: Mode
) -> None:
    landed(near)
    new_column(near)
    with closing(near.runtime()) as runtime:
        read_again(runtime)
        has_notes(near, range(50))
        before = snapshots(near)
        shown = runtime.rollbacks.preview(near.table, str(before[-2]), mode)
        assert [line for line in shown.lines if line.startswith("undoes the replace of")]
        roll_back(runtime, near.table, str(before[-2]), mode)
        has_notes(near, range(0))
        near.audit()
        read_again(runtime)
        # The first commit of records alone stays.
        has_notes(near, range(50))
        planned = roll_back(runtime, near.table, "last:3", mode)
        if mode is Mode.SKIP:
            assert len(near.rows()) == 20
            return
        assert sum(r.offsets for r in planned.reread) == 30
        reported_of = notes(near)
        assert set(reported_of.values()) == {None}
        settle(near, runtime)
        assert {i: n for i, n in notes(near).items() if i >= 20} == {i: f"n{i}" for i in range(20, 50)}
    near.audit()


def test_all_goes_on_while_records_are_replaced_and_compacted(near: World) -> None:
    def tidy(runtime: Runtime, table: str) -> None:
        if table == near.table:
            try:
                read_again(runtime)
            except (ReplaceUnfinished, ReplaceRefused) as fault:
                print(fault)
            runtime.compact(table)

    near.settings = DUE
    moves_while(near, tidy)
    with closing(near.runtime()) as runtime:
        read_again(runtime)
    near.audit(dead=12)
    assert all(n == f"n{i}" for i, n in notes(near).items())


# refusals


def test_records_that_fit_no_more_refuse_it_with_their_number(near: World) -> None:
    table = table_of(near)
    with table.update_schema() as change:
        change.delete_column("note")
    with closing(near.runtime()) as runtime:
        before = snapshots(near)
        with pytest.raises(ReplaceRefused, match=r"10 records do not fit the table's columns.*fix the columns first"):
            read_again(runtime)
        assert snapshots(near) == before
    assert len(near.rows()) == 20


def test_dead_letters_stay_dead_letters_though_they_would_fit_by_now(near: World) -> None:
    near.produce(0, bad=[b'{"id": 99, "note": "x", "more": 1}'])
    near.run()
    with table_of(near).update_schema() as change:
        change.add_column("more", LongType())
    with closing(near.runtime()) as runtime:
        (done,) = read_again(runtime)
        assert done.rows == 20
    near.audit(dead=1)


def test_a_fault_of_its_files_reports_no_batch(near: World) -> None:
    with table_of(near).transaction() as change:
        change.set_properties({"write.parquet.page-row-limit": "0"})
    with closing(near.runtime()) as runtime, pytest.raises(TableUnfit) as fault:
        read_again(runtime)
    assert "page-row-limit" in str(fault.value)
    assert "Nothing was changed: the rows stay as they are." in str(fault.value)
    assert "planned" not in str(fault.value)


def test_what_another_engine_changed_is_reported_before_it_is_undone(near: World) -> None:
    table = table_of(near)
    with closing(near.runtime()) as runtime:
        assert len(runtime.replacing.preview(ALWAYS).lines) == 2
        row = table.scan(row_filter="id = 3").to_arrow()
        note = row.schema.get_field_index("note")
        table.overwrite(row.set_column(note, row.schema.field(note), pa.array(["erased"])), "id = 3")
        changed = next(s for s in table.snapshots() if s.summary and s.summary.operation is Operation.OVERWRITE)
        planned = runtime.replacing.preview(ALWAYS)
        assert f"in snapshots {changed.snapshot_id} (overwrite, " in planned.lines[2]
        assert "will be undone" in planned.lines[2]
        read_again(runtime)
        has_notes(near, range(20))
        # Nothing of it is left to be undone.
        assert len(runtime.replacing.preview(ALWAYS).lines) == 2
    near.audit()


def test_a_time_without_records_is_reported(near: World) -> None:
    with closing(near.runtime()) as runtime:
        planned = runtime.replacing.preview(Span(datetime(2090, 1, 1, tzinfo=UTC), datetime(2091, 1, 1, tzinfo=UTC)))
    assert planned.nothing
    assert planned.lines[1:] == ["nothing to replace: no records are of this time"]


def test_what_kafka_dropped_refuses_it_to_the_offset(near: World) -> None:
    delete_before(near, 0, 4)
    with closing(near.runtime()) as runtime:
        said = refused(runtime, Span(datetime(1970, 1, 1, tzinfo=UTC), ALWAYS.end))
    assert "Kafka no longer holds" in said
    assert f"{near.topic}-0 [0, 4)" in said
    near.audit()


def send(world: World, partition: int, at: datetime) -> None:
    """One record of that time."""
    producer = new_producer(world.connections["kafka_default"].extra["bootstrap.servers"])
    value = json.dumps({"id": world.next_id, "note": f"n{world.next_id}"}).encode()
    producer.produce(world.topic, value, partition=partition, timestamp=int(at.timestamp() * 1000))
    world.next_id += 1
    assert producer.flush(60) == 0


def test_what_kafka_dropped_of_an_idle_partition_stays_where_no_row_of_it_is_of_the_time(near: World) -> None:
    first, second = of_two_times(near)
    send(near, 1, second.start + timedelta(minutes=5))
    near.run()
    # Nothing is left of this partition: no start is later than what Kafka holds of it.
    delete_before(near, 0, 30)
    new_column(near)
    kept = [row for row in near.rows() if row[0] == 0]
    with closing(near.runtime()) as runtime:
        said = refused(runtime, Span(first.start, second.end))
        later = second.start + timedelta(milliseconds=1)
        assert (
            f"{near.topic}-0 [10, 30) with 20 rows; set the start to {later.isoformat(timespec='milliseconds')} or later"
            in said
        )
        span = Span(later, second.end)
        planned = runtime.replacing.preview(span)
        assert (
            f"{near.topic}-0 [0, 30), which Kafka no longer holds, has no rows of this time and stays unchanged"
            in planned.lines[1]
        )
        (done,) = read_again(runtime, span)
    assert (done.rows, [str(r) for r in done.ranges]) == (1, [f"{near.topic}-1 [30, 31)"])
    assert [row for row in near.rows() if row[0] == 0] == kept
    has_notes(near, range(60, 61))
    near.audit()


def test_rows_that_kafka_dropped_and_whose_time_nobody_knows_refuse_it(near: World) -> None:
    _, second = of_two_times(near)
    delete_before(near, 0, 30)
    with table_of(near).update_schema() as change:
        change.delete_column("_kafka_timestamp")
    with closing(near.runtime()) as runtime:
        assert "[0, 30) with 30 rows; the table has no column for Kafka's timestamp" in refused(runtime, second)
    with table_of(near).update_schema() as change:
        change.add_column("_kafka_timestamp", TimestamptzType())
    with closing(near.runtime()) as runtime:
        assert "30 of them have no value in column '_kafka_timestamp'" in refused(runtime, second)


def test_what_kafka_drops_while_it_is_read_refuses_it_and_nothing_is_to_be_accepted_as_lost(near: World) -> None:
    class Late(HereWriter):
        """Retention is faster than it."""

        def run(self, order: WriteOrder, ended: Callable[[int], None] = lambda slices: None) -> list[SliceOutput]:
            delete_before(near, 0, 4)
            return super().run(order)

    near.writer = Late()
    before = near.rows()
    with closing(near.runtime()) as runtime, pytest.raises(ReplaceRefused, match="since the preview") as stop:
        read_again(runtime)
    assert "accept-loss" not in str(stop.value)
    assert near.rows() == before


def test_rows_that_somebody_else_put_there_or_took_away_refuse_it(near: World) -> None:
    table = table_of(near)
    table.append(table.scan(limit=1).to_arrow())
    with closing(near.runtime()) as runtime, pytest.raises(ReplaceRefused, match="1 offsets have more than one row"):
        read_again(runtime)
    table = table_of(near)
    table.overwrite(table.scan().to_arrow().slice(0, 5))
    with closing(near.runtime()) as runtime, pytest.raises(ReplaceRefused, match="have no row now, but would get one"):
        read_again(runtime)


def test_a_table_without_offset_columns_is_refused(near: World) -> None:
    plain = replace(near, name="plain", settings="metadata_columns: false\n")
    plain.run()
    with closing(plain.runtime()) as runtime:
        assert "it has no columns for Kafka's partition and offset" in refused(runtime)


def test_what_is_open_refuses_it_until_it_has_landed(near: World) -> None:
    with closing(near.runtime()) as runtime:
        near.produce(10)
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.write("a", "test/open", planned.batch_id)
        marked = runtime.log.committed
        runtime.log.committed = lambda *_: None  # type: ignore[method-assign]
        # It landed, and its mark was lost.
        runtime.commit([near.table], now=True)
        runtime.log.committed = marked  # type: ignore[method-assign]
        assert "is in an open batch" in refused(runtime)
        runtime.commit([near.table], now=True)
        read_again(runtime)
    near.audit()


# the command


def test_the_command_shows_it_first_and_then_does_it(near: World) -> None:
    def replaced(*more: str) -> str:
        done = lakelock("replace", near.file, *more, environment=near.environment())
        return f"{done.returncode} {done.stdout}{done.stderr}"

    times = ("--from", "2000-01-01T00:00:00Z", "--to", "2100-01-01T00:00:00Z", "--why", "a test")
    before = snapshots(near)
    shown = replaced(*times)
    assert shown.startswith("0 replace of records of"), shown
    assert "20 rows in 1 file to be read from Kafka again, with the current columns of the table" in shown
    assert "Repeat with --yes to run it" in shown
    assert snapshots(near) == before
    assert replaced(*times[:2]).startswith("2 ")
    assert replaced("--from", times[3], "--to", times[1], "--why", "x").startswith("2 ")
    delete_before(near, 0, 4)
    assert replaced("--from", "1970-01-01T00:00:00Z", *times[2:], "--yes").startswith("1 ")


@pytest.mark.long
def test_a_driver_of_its_own_replaces_too(near: World) -> None:
    new_column(near)
    near.writer = near.copier = None
    near.connections["spark_default"] = connection("spark_default", "spark", host="local[2]")
    with closing(near.runtime()) as runtime:
        (done,) = read_again(runtime)
    assert done.rows == 20
    has_notes(near, range(20))
    near.audit()


def test_a_table_that_several_topics_feed_is_refused(near: World, new_topic: Callable[..., str]) -> None:
    other = new_topic(2)
    text = f"source: {{topics: [{near.topic}, {other}]}}\ntables: [{{name: {near.namespace}.both}}]\n"
    both = replace(near, name="both")
    produce(new_producer(near.connections["kafka_default"].extra["bootstrap.servers"]), other, [b'{"id": 1}'])
    with open_with(both, text) as runtime:
        both.cycle(runtime)
        assert "it has rows of several topics" in refused(runtime)


@pytest.mark.parametrize(
    "own_driver", [False, pytest.param(True, marks=pytest.mark.long)], ids=["here", "in a driver of its own"]
)
def test_a_table_that_is_refused_keeps_no_other_from_its_part(near: World, own_driver: bool) -> None:
    second = replace(near, name="second")
    both = file_of(near, near.table, second.table)
    new_column(near)
    with open_with(near, both) as runtime:
        near.produce(10)
        near.cycle(runtime)
        runtime.commit([second.table], now=True)
    table = table_of(second)
    table.append(table.scan(limit=1).to_arrow())
    if own_driver:
        near.writer = near.copier = None
        near.connections["spark_default"] = connection("spark_default", "spark", host="local[2]")
    with open_with(near, both) as runtime:
        landed_: list[CommitOutcome] = []
        with pytest.raises(ReplaceRefused, match="more than one row"):
            runtime.replace(ALWAYS, "tester", "a test", landed_.append)
        (done,) = landed_
        assert (done.table, done.rows, offsets_in(done.ranges)) == (near.table, 30, 30)
        # The page reads the log's copy.
        assert runtime.log.ledgers("orders")[near.table].decisions[-1].what is What.REPLACE
    has_notes(near, range(30))


# what only the file says


def zoned(world: World, zone: str) -> closing[Runtime]:
    """The pipeline, with times without a zone meant as those of *zone*."""
    columns = f"{{id: long, at: {{type: timestamptz, zone: {zone}}}}}"
    return open_with(world, file_of(world, f"{{name: {world.table}, new_fields: ignore, columns: {columns}}}"))


def moments(world: World) -> set[datetime]:
    """Of all rows, by DuckDB."""
    paths = [t.file.file_path.removeprefix("file://") for t in table_of(world).scan().plan_files()]
    found = duckdb.sql(f'SELECT DISTINCT epoch_ms("at") FROM read_parquet({paths!r})').fetchall()
    return {datetime.fromtimestamp(ms / 1000, UTC) for (ms,) in found}


def test_a_zone_that_was_wrong_is_fixed_in_rows_that_are_there_and_in_those_that_a_rollback_takes_out(
    near: World, new_topic: Callable[..., str]
) -> None:
    clock = replace(near, name="clock", topic=new_topic(2))
    values: list[bytes | None] = [f'{{"id": {n}, "at": "2026-07-01T12:00:00"}}'.encode() for n in range(20)]
    produce(new_producer(near.connections["kafka_default"].extra["bootstrap.servers"]), clock.topic, values)
    wrong, right = datetime(2026, 7, 1, 12, tzinfo=UTC), datetime(2026, 7, 1, 10, tzinfo=UTC)
    with zoned(clock, "UTC") as runtime:
        clock.cycle(runtime)
        before = snapshots(clock)
        assert moments(clock) == {wrong}
    with zoned(clock, "UTC") as old, zoned(clock, "Europe/Berlin") as runtime:
        before_send(old, lambda: read_again(runtime, who="another"))
        with pytest.raises(ReplaceUnfinished, match="another has replaced some of these records since"):
            read_again(old)
        assert moments(clock) == {right}
        # Its staged files have the wrong ones.
        roll_back(runtime, clock.table, str(before[0]), Mode.RECOMMIT)
        assert clock.rows() == []
        settle(clock, runtime)
        assert moments(clock) == {right}
        assert len(clock.rows()) == 20
        assert runtime.audit().complete


def test_it_is_read_in_bounded_jobs_and_lands_in_one_commit(near: World, monkeypatch: pytest.MonkeyPatch) -> None:
    landed(near, 2)
    new_column(near)
    with open_with(near, file_of(near, near.table, rest="batch: {max_records: 50}\n")) as runtime:
        writer, orders = runtime.writer, list[WriteOrder]()

        def run(order: WriteOrder, ended: Callable[[int], None]) -> list[SliceOutput]:
            orders.append(order)
            return type(writer).run(writer, order, ended)

        monkeypatch.setattr(writer, "run", run)
        head = snapshots(near)
        read_again(runtime)
    assert [sum(r.offsets for ranges in o.slices for r in ranges) for o in orders] == [5] * (near.next_id // 5)
    assert len(snapshots(near)) == len(head) + 1
    has_notes(near, range(near.next_id))
    near.audit()
