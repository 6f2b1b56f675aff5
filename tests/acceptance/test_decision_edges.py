"""Decisions about what only servers do: topics that go, files that are deleted, columns that follow from Kafka's records, and claims
that Postgres keeps alive."""

from __future__ import annotations

import uuid
from contextlib import closing
from typing import Any

import psycopg
import pytest
from kits.decisions import LOSS, drop_topic, set_back, settled
from kits.here_writer import HereWriter
from kits.rollbacks import dead_letters_of, roll_back
from kits.topics import admin, create_topic, delete_before
from kits.world import World, file_of, open_with
from lakelock.adapters.airflow.postgres_settings import postgres_dsn
from lakelock.app.runtime import Runtime
from lakelock.audit.audit_text import audit_text
from lakelock.errors import HistoryMissing, RollbackRefused
from lakelock.gaps.gap_preview import Which
from lakelock.ingest import heartbeat
from lakelock.model.ledger import Mode
from lakelock.model.operator_log import What
from stack.process import wait_until


@pytest.mark.parametrize("by_hand", [False, True])
def test_files_that_are_gone_do_not_land_again_where_kafka_cannot_bring_them_back(near: World, by_hand: bool) -> None:
    """As after a compaction, once what it replaced has expired."""
    near.produce(20)
    near.run()
    lost = {path for (_, offset), path in near.files_by_offset().items() if offset >= 10}
    if by_hand:
        set_back(near)
    table = near.catalog.load_table(near.table)
    kept = {path: table.io.new_input(path).open().read() for path in lost}
    for path in lost:
        table.io.delete(path)
    delete_before(near, 0, 15)
    with closing(near.runtime()) as runtime:
        if by_hand:
            (finding,) = [f for f in runtime.recovery("tester").preview() if f.left]
            assert f"{near.topic}-0 [10, 20), but Kafka holds it from 15 on" in finding.line
        else:
            with pytest.raises(RollbackRefused, match=r"-0 \[10, 20\) must be read again, but Kafka holds"):
                runtime.rollbacks.preview(near.table, "last:1", Mode.RECOMMIT)
    for path, content in kept.items():
        with table.io.new_output(path).create() as file:
            file.write(content)
    with closing(near.runtime()) as runtime:
        if by_hand:
            assert not any(f.left for f in runtime.recovery("tester", mode=Mode.RECOMMIT).recover())
        else:
            roll_back(runtime, near.table, "last:1", Mode.RECOMMIT)
    settled(near)
    assert len(near.rows()) == 40


class Idle(HereWriter):
    """Counts who stops what is left on Spark."""

    interrupted = 0

    def interrupt_orphans(self, attempt: str) -> None:
        self.interrupted += 1


def test_a_claim_stays_alive_and_what_the_dead_left_on_spark_is_stopped(
    near: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "INTERVAL_S", 0.05)
    near.writer = Idle()
    near.produce(20)
    with closing(near.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        batch_id = planned.batch_id
        runtime.log.claim(batch_id, str(uuid.uuid4()), "a run that died", 30.0)
        delete_before(near, 0, 15)
        dsn = postgres_dsn(near.connections["lakelock_postgres"])
        age(dsn, batch_id)
        declaring = runtime.log.declare

        def while_it_beats(*arguments: Any) -> None:
            age(dsn, batch_id)
            wait_until(lambda: silent_s(dsn, batch_id) < 30, 120, "a sign of life")
            declaring(*arguments)

        runtime.log.declare = while_it_beats  # type: ignore[method-assign, assignment]
        runtime.decisions.decide(LOSS, "tester", "a test")
        assert near.writer.interrupted == 1
    settled(near)


def age(dsn: str, batch_id: str) -> None:
    with psycopg.connect(dsn) as connection:
        connection.execute(
            "UPDATE lakelock.batches SET heartbeat_at = clock_timestamp() - interval '31 s' WHERE batch_id = %s",
            (batch_id,),
        )


def silent_s(dsn: str, batch_id: str) -> float:
    with psycopg.connect(dsn) as connection:
        query = "SELECT extract(epoch FROM clock_timestamp() - heartbeat_at)::float8 FROM lakelock.batches WHERE batch_id = %s"
        row = connection.execute(query, (batch_id,)).fetchone()
    assert row is not None
    return float(row[0])


def planned_for_two(near: World, late: str) -> str:
    """[10, 20) of each partition is planned for the table and for *late*, which was never made."""
    both = file_of(near, near.table, late)
    with open_with(near, both) as runtime:
        near.produce(20)
        runtime.plan()
    return both


def go_on(near: World, runtime: Runtime, *tables: str, runs: int = 2) -> None:
    for _ in range(runs):
        near.cycle(runtime)
        runtime.commit([*tables, dead_letters_of(near)], now=True)


@pytest.mark.parametrize("in_file", [True, False])
def test_a_table_that_was_never_made_hinders_no_decision(near: World, in_file: bool) -> None:
    """Kafka has nothing from which its columns could follow; the file may have forgotten it."""
    late = f"{near.namespace}.late"
    both = planned_for_two(near, late)
    delete_before(near, 0, 20)
    delete_before(near, 1, 20)
    file = both if in_file else file_of(near, near.table)
    with open_with(near, file) as runtime:
        with pytest.raises(HistoryMissing):
            near.cycle(runtime)
        planned = runtime.decisions.decide(LOSS, "tester", "a test")
        assert sorted(t.table for t in planned.tables if t.gaps) == sorted([near.table, late])
        assert runtime.decisions.preview(LOSS).nothing
        assert not runtime.log.planned(near.name)
        assert not near.catalog.table_exists(late)
        found = runtime.audit()
        assert found.complete, audit_text(found)
    with open_with(near, both) as runtime:
        near.produce(20)
        go_on(near, runtime, late)
        found = runtime.audit()
        ledger = runtime.tables.load(late).ledger
    assert found.complete, audit_text(found)
    assert ledger is not None
    assert [d.who for d in ledger.decisions] == ["tester"]
    assert near.catalog.load_table(late).scan().count() == 20


def test_a_topic_that_is_gone_is_retired_though_a_table_of_it_was_never_made(near: World) -> None:
    late = f"{near.namespace}.late"
    both = planned_for_two(near, late)
    drop_topic(near)
    retire = Which(What.RETIRE, near.topic)
    with open_with(near, both) as runtime:
        runtime.decisions.decide(retire, "tester", "a test")
        assert runtime.decisions.preview(retire).nothing
        go_on(near, runtime)
        found = runtime.audit()
    assert found.complete, audit_text(found)
    create_topic(admin(near), near.topic)
    near.produce(10)
    with open_with(near, both) as runtime:
        go_on(near, runtime, late)
        found = runtime.audit()
        ledger = runtime.tables.load(late).ledger
    assert found.complete, audit_text(found)
    assert ledger is not None
    assert sum(covered.retired for covered in ledger.coverage.values()) == 2
    assert near.catalog.load_table(late).scan().count() == 10
