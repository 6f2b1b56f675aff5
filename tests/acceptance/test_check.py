"""`lakelock check`: each fault once, at the server that has it, and an exit code that says whether a later try may do."""

from __future__ import annotations

import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing

import pytest
from kits.forks import lakelock
from kits.world import World, connection, file_of, open_with
from lakelock.check import preflight
from lakelock.check import sample as records_sample
from stack.ports import free_port

CHECKED_WITHOUT_POSTGRES = ["pipeline file", "Kafka", "catalog and warehouse", "Spark"]


@pytest.fixture
def nobody() -> int:
    return free_port()


@pytest.fixture
def silent() -> Iterator[int]:
    """A server that takes connections and never says a word."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def postgres_at(world: World, port: int) -> None:
    known = world.connections["lakelock_postgres"]
    world.connections["lakelock_postgres"] = connection(
        known.conn_id, "postgres", host="127.0.0.1", port=port, login="lakelock", schema=known.schema
    )


def kafka_at(world: World, port: int) -> None:
    world.connections["kafka_default"] = connection(
        "kafka_default", "kafka", extra={"bootstrap.servers": f"127.0.0.1:{port}"}
    )


def checked(world: World, *more: str) -> subprocess.CompletedProcess[str]:
    return lakelock("check", world.file, *more, environment=world.environment())


def lines(done: subprocess.CompletedProcess[str], mark: str) -> list[str]:
    return [line.removeprefix(mark).strip() for line in done.stdout.splitlines() if line.startswith(mark)]


def test_without_postgres_each_other_server_is_asked_all_the_same(world: World, nobody: int) -> None:
    world.produce(2)
    postgres_at(world, nobody)
    done = checked(world)
    assert done.returncode == 3, done.stdout + done.stderr
    (fault,) = lines(done, "FAIL")
    assert fault.startswith("Postgres: Unreachable: ")
    assert [line.partition(":")[0] for line in lines(done, "ok")] == CHECKED_WITHOUT_POSTGRES
    assert lines(done, "-") == ["records: not checked: needs Postgres", "tables: not checked: needs Postgres"]


def test_a_postgres_that_says_nothing_is_waited_for_once(world: World, silent: int) -> None:
    """The catalog, in the same Postgres here, reports itself that it does not answer."""
    world.produce(2)
    postgres_at(world, silent)
    known = world.connections["iceberg_default"]
    uri = f"postgresql+psycopg://lakelock@127.0.0.1:{silent}/iceberg"
    world.connections["iceberg_default"] = connection(known.conn_id, "iceberg", host=uri, extra=known.extra)
    with closing(world.runtime()) as runtime:
        found = {r.name: r for r in preflight.run(runtime)}
    assert [name for name, r in found.items() if r.fault] == ["Postgres", "catalog and warehouse"]
    assert found["Postgres"].fault != found["catalog and warehouse"].fault
    assert found["tables"].needs == "Postgres, catalog and warehouse"


def test_without_kafka_the_records_are_not_judged_and_no_sample_is_taken(world: World, nobody: int) -> None:
    kafka_at(world, nobody)
    done = checked(world, "--sample", "10")
    assert done.returncode == 3, done.stdout + done.stderr
    (fault,) = lines(done, "FAIL")
    assert fault.startswith("Kafka: Unreachable: ")
    assert lines(done, "-") == ["records: not checked: needs Kafka", "sample: not checked: needs Kafka"]
    assert done.stderr == ""


def test_beside_what_a_person_must_fix_a_server_that_does_not_answer_is_no_reason_to_wait(
    world: World, nobody: int
) -> None:
    postgres_at(world, nobody)
    world.topic = "no-such-topic"
    done = checked(world)
    assert done.returncode == 1, done.stdout + done.stderr
    postgres, kafka = lines(done, "FAIL")
    assert postgres.startswith("Postgres: Unreachable: ")
    assert kafka.startswith("Kafka: TopicMissing: ")
    assert "records: not checked: needs Postgres, Kafka" in lines(done, "-")


def test_a_sample_of_several_tables_prints_their_columns_and_of_declared_ones_what_looks_different(
    fresh: World,
) -> None:
    """A key `tables` pasted in the place of theirs would lose what else they have."""
    fresh.produce(5)
    declared = f"{{name: {fresh.table}_typed, new_fields: ignore, columns: {{id: int, at: timestamptz}}}}"
    with open_with(fresh, file_of(fresh, fresh.table, declared)) as runtime:
        plain, typed = records_sample.sample(runtime, 10).text.split("\n\n")
    assert "\ncolumns:\n  id: long\n  note: string\n" in plain
    assert "tables:" not in plain
    assert "columns:" not in typed
    assert "# 2 declared columns\n#   note: not declared; it looks like string\n" in typed
    assert "5 rows" in typed


def test_a_sample_is_compared_with_the_table_that_exists(fresh: World) -> None:
    """Its column for the field, if it were new, would hide the dead letter."""
    fresh.produce(5)
    fresh.run()
    fresh.produce(0, [b'{"id": 7, "gate": "A"}'])
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, new_fields: dead_letter}}")) as runtime:
        text = records_sample.sample(runtime, 10).text
    assert "# 2 columns of the table\n#   gate: no column; it looks like string\n" in text
    assert "5 rows in 1 table partition, 1 dead letter" in text
    assert "columns:" not in text


def test_columns_of_the_file_that_an_existing_table_has_otherwise_are_named(near: World) -> None:
    declared = f"{{name: {near.table}, columns: {{id: string, note: string, more: int}}}}"
    with open_with(near, file_of(near, declared)) as runtime:
        (found,) = [r for r in preflight.run(runtime) if r.name == "tables"]
    assert found.fault is None
    assert (
        "; `bin/lakelock apply FILE` would change it: more: new, int; cannot be applied: id: string in the file and"
        in found.detail
    )
    assert "column note" not in found.detail


def test_a_column_that_cannot_take_what_the_file_reads_for_it_is_a_fault(near: World) -> None:
    """As a run would say before it reads anything."""
    reads = f"{{name: {near.table}, columns: {{id: {{cast: epoch_s}}}}}}"
    new = f"{{name: {near.table}_new, columns: {{id: {{field: event.id}}}}}}"
    for table, why in (
        (reads, "column 'id': cast 'epoch_s' is not for long"),
        (new, "does not exist, and its columns"),
    ):
        with open_with(near, file_of(near, table)) as runtime:
            (found,) = [r for r in preflight.run(runtime) if r.name == "tables"]
        assert why in (found.fault or "")
        assert "staged" not in (found.fault or "")


def test_properties_of_a_table_without_effect_are_named_by_check_and_write(
    near: World, caplog: pytest.LogCaptureFixture
) -> None:
    bloom = "write.parquet.bloom-filter-enabled.column."
    useless = {"write.object-storage.enabled": "true", f"{bloom}gone": "true"}
    with near.catalog.load_table(near.table).transaction() as change:
        change.set_properties({**useless, f"{bloom}id": "true"})
    said = f"properties without effect here: {', '.join(sorted(useless))}"
    assert f"warning: {said}" in checked(near).stdout
    near.produce(3)
    near.run()
    assert f"{near.table}: {said}" in caplog.text
    near.audit()


def test_a_table_that_no_file_can_be_written_to_is_a_fault_of_check(near: World) -> None:
    with near.catalog.load_table(near.table).transaction() as change:
        change.set_properties({"write.parquet.page-row-limit": "0"})
    done = checked(near)
    assert done.returncode == 1
    assert "write.parquet.page-row-limit is '0'" in done.stdout
    assert not {"planned", "next run"} & set(re.findall("planned|next run", "".join(lines(done, "FAIL"))))


def test_properties_of_a_table_that_will_be_created_are_judged_too(near: World) -> None:
    new = f"{near.table}_new"
    for properties, said in (
        ("{write.parquet.page-row-limit: '0'}", "write.parquet.page-row-limit is '0'"),
        ("{write.format.default: orc}", "warning: properties without effect here: write.format.default"),
    ):
        text = file_of(near, f"{{name: {new}, columns: {{id: long}}, properties: {properties}}}")
        with open_with(near, text) as runtime:
            (found,) = [r for r in preflight.run(runtime) if r.name == "tables"]
        assert said in (found.fault or found.detail)
