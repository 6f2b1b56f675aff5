"""Schemas that go from a table's metadata: what is read, staged and known of the table stays as it was."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pytest
from kits.changed_tables import evolved
from kits.columns import columns
from kits.iceberg import adopted, change, open_tables, plain_catalog, raw
from lakelock.adapters.iceberg import IcebergStorage, IcebergTables
from lakelock.adapters.iceberg.column_history import column_beginnings
from lakelock.adapters.parquet.writer import TableWriter
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.errors import CommitConflict, OutcomeUnknown
from lakelock.ingest.write_order import target_of
from lakelock.model.batches import DataFile
from lakelock.model.column_changes import Added
from lakelock.model.type_notation import parse_type
from lakelock.ports import TableState
from lakelock.ports.edits import Evolve, Expire
from lakelock.upkeep.expiry_decision import ExpiryLimits, expired, unneeded_columns
from pyiceberg import exceptions as iceberg
from pyiceberg.table.update import RemoveSchemasUpdate, SetCurrentSchemaUpdate
from pyiceberg.types import LongType, StringType

if TYPE_CHECKING:
    from stack.spark import SparkConnect

COLUMNS = columns({"id": "long", "gone": "string", "before": "string"})


@dataclass
class Lake:
    tables: IcebergTables
    name: str

    @property
    def storage(self) -> IcebergStorage:
        return IcebergStorage(self.tables.border)

    def load(self) -> TableState:
        return self.tables.load(self.name)

    def evolve(self, *paths: str) -> None:
        for path in paths:
            state = self.load()
            self.tables.commit(state, change(state, edit=Evolve((Added((path,), parse_type("long")),))))

    def alter(self, *steps: Callable[[Any], object]) -> None:
        evolved(*steps)(plain_catalog(self.tables).load_table(self.name))

    def staged(self, **row: Any) -> tuple[DataFile, ...]:
        state = self.load()
        target = target_of(state, self.tables.storage(state))
        writer = TableWriter(target, str(uuid.uuid4()), str(uuid.uuid4()), file_bytes=1 << 29)
        writer.write(pa.Table.from_pylist([row], schema=writer.arrow_schema))
        return writer.finish()

    def land(self, files: tuple[DataFile, ...], offset: int) -> None:
        state = self.load()
        self.tables.commit(state, change(state, offset, offset + 1, files=files))

    def due(self, *layouts: str) -> Expire:
        state = self.load()
        lineage, limits = self.storage.lineage(state), ExpiryLimits(0)
        now_ms = max(s.at_ms for s in lineage.history) + 1
        versions = expired(lineage, limits, "p", now_ms)
        sets = self.storage.column_sets(state, layouts)
        return Expire(tuple(versions), tuple(unneeded_columns(sets, lineage, versions, limits, now_ms)))

    def expire(self, *layouts: str) -> Expire:
        edit = self.due(*layouts)
        state = self.load()
        self.tables.commit(state, change(state, edit=edit))
        return edit

    @property
    def schema_ids(self) -> list[int]:
        return [s.schema_id for s in raw(self.load()).metadata.schemas]


@pytest.fixture
def lake(any_catalog: dict[str, str], namespace: str) -> Lake:
    tables, name = open_tables(any_catalog), f"{namespace}.evolving"
    adopted(tables, name, columns=COLUMNS)
    return Lake(tables, name)


def changed_often(lake: Lake) -> tuple[str, tuple[DataFile, ...]]:
    """A row, a file that was staged for an earlier layout, a dropped and a renamed column, and 30 added ones."""
    lake.land(lake.staged(id=1, gone="g", before="b"), 0)
    lake.evolve(*(f"c{n}" for n in range(15)))
    lake.alter(lambda u: u.delete_column("gone"), lambda u: u.rename_column("before", "after"))
    layout, files = lake.load().layout.token, lake.staged(id=2, after="a", c14=7)
    lake.evolve(*(f"c{n}" for n in range(15, 30)))
    lake.land(lake.staged(id=3, c29=9), 1)
    return layout, files


def test_engines_read_the_table_and_staged_files_land_after_schemas_have_gone(
    lake: Lake, spark_connect: SparkConnect, any_catalog: dict[str, str]
) -> None:
    layout, files = changed_often(lake)
    before = lake.load()
    assert len(lake.schema_ids) == 33
    past, metadata = lake.tables.past_columns(before), raw(before).metadata
    edit = lake.expire(layout)
    after = raw(lake.load()).metadata
    # The last with each old name (the second was also staged for), the current one.
    assert lake.schema_ids == [15, 16, 17, 32]
    assert len(edit.column_sets) == 29
    assert (after.current_schema_id, after.last_column_id) == (metadata.current_schema_id, metadata.last_column_id)
    assert lake.tables.past_columns(lake.load()) == past
    assert past.dropped == {("gone",)}
    assert past.renamed == {("before",): ("after",)}
    assert lake.tables.misfits(lake.load(), {layout}) == {}
    lake.land(files, 2)
    rows = {1: ("b", None, None), 2: ("a", 7, None), 3: (None, None, 9)}
    table = plain_catalog(lake.tables).load_table(lake.name)
    found = table.scan().to_arrow().to_pylist()
    assert {r["id"]: (r["after"], r["c14"], r["c29"]) for r in found} == rows
    assert sum(len(table.scan(snapshot_id=s.snapshot_id).to_arrow()) for s in table.snapshots()) > 0, "time travel"
    with open_connect(spark_connect.remote, "reader", lake.name) as spark:
        name = lake.name
        if any_catalog["type"] == "rest":
            for key, value in {
                "": "org.apache.iceberg.spark.SparkCatalog",
                ".type": "rest",
                ".uri": any_catalog["uri"],
            }.items():
                spark.conf.set(f"spark.sql.catalog.served{key}", value)
        of = f"{'served' if any_catalog['type'] == 'rest' else 'lake'}.{name}"
        listed = spark.sql(f"SELECT id, after, c14, c29 FROM {of}").collect()
        assert {r.id: (r.after, r.c14, r.c29) for r in listed} == rows
        for snapshot in table.snapshots():
            spark.sql(f"SELECT count(*) FROM {of} VERSION AS OF {snapshot.snapshot_id}").collect()
        # Spark changes the table and compacts it.
        spark.sql(f"ALTER TABLE {of} ADD COLUMN theirs int").collect()
        catalog = of.partition(".")[0]
        spark.sql(
            f"CALL {catalog}.system.rewrite_data_files(table => '{name}', options => map('rewrite-all', 'true'))"
        ).collect()
        assert spark.sql(f"SELECT count(*) AS n FROM {of} WHERE theirs IS NULL").collect()[0].n == 3
    assert lake.schema_ids[-1] == 33, "no id is given twice"
    paths = [t.file.file_path.removeprefix("file://") for t in raw(lake.load()).scan().plan_files()]
    by_duckdb = duckdb.sql(f"SELECT id, after, c14, c29 FROM read_parquet({paths!r}) ORDER BY id").fetchall()
    assert by_duckdb == [(i, *values) for i, values in rows.items()]
    state = lake.load()
    lake.tables.commit(state, change(state, edit=Evolve((Added(("ours",), parse_type("string")),))))
    metadata = raw(lake.load()).metadata
    # 3 at first, 30, one of Spark's and one of ours; of these one was dropped.
    assert (metadata.last_column_id, len(set(metadata.schema().field_ids))) == (35, 34)


def test_metadata_has_a_few_schemas_however_often_columns_change(lake: Lake) -> None:
    lake.evolve(*(f"c{n}" for n in range(60)))
    path = plain_catalog(lake.tables).load_table(lake.name)
    size_before = len(path.io.new_input(path.metadata_location))
    lake.expire()
    path = plain_catalog(lake.tables).load_table(lake.name)
    size = len(path.io.new_input(path.metadata_location))
    assert len(lake.schema_ids) <= 2
    print(f"metadata: {size_before} bytes with 61 schemas, {size} bytes with {len(lake.schema_ids)}")
    assert size < size_before / 4


def test_an_expiry_is_refused_if_another_writer_was_faster(lake: Lake) -> None:
    lake.evolve("a", "b")
    edit, state = lake.due(), lake.load()
    assert edit.column_sets
    lake.alter(lambda u: u.add_column("theirs", LongType()))
    with pytest.raises(CommitConflict):
        lake.tables.commit(state, change(state, edit=edit))


def test_files_of_a_schema_that_is_gone_do_not_land_even_if_its_id_is_given_again(lake: Lake) -> None:
    """Another engine may remove the schema with the highest id, while an earlier one is current: the next gets its id."""
    lake.alter(lambda u: u.add_column("x", LongType()))
    layout = lake.load().layout.token
    plain = plain_catalog(lake.tables)

    def send(*updates: Any) -> None:
        plain.commit_table(plain.load_table(lake.name), (), updates)

    send(SetCurrentSchemaUpdate.model_validate({"schema-id": 0}))
    assert 1 not in lake.due().column_sets
    send(RemoveSchemasUpdate.model_validate({"schema-ids": [1]}))
    (why,) = lake.tables.misfits(lake.load(), {layout}).values()
    assert why.endswith("the table has no such schema")
    lake.alter(lambda u: u.add_column("x", StringType()))
    assert lake.schema_ids == [0, 1]
    (why,) = lake.tables.misfits(lake.load(), {layout}).values()
    assert why.endswith("the table has no such schema")


def test_since_when_a_column_is_there_is_not_said_once_earlier_schemas_are_gone(lake: Lake) -> None:
    lake.evolve("a", "b")
    known = column_beginnings(lake.load())
    assert {n: (s.schema_id, s.or_before) for n, s in known.items() if n in ["id", "a", "b"]} == {
        "id": (0, False), "a": (1, False), "b": (2, False),
    }  # fmt: skip
    assert known["a"].at_ms is not None
    lake.expire()
    lake.evolve("c")
    known = column_beginnings(lake.load())
    assert {n: (s.schema_id, s.or_before) for n, s in known.items() if n in ["id", "a", "b", "c"]} == {
        "id": (2, True), "a": (2, True), "b": (2, True), "c": (3, False),
    }  # fmt: skip
    assert known["id"].at_ms is None
    assert known["c"].at_ms is not None


@pytest.mark.parametrize("any_catalog", ["sql"], indirect=True)
def test_a_catalog_that_does_not_know_the_update_keeps_its_schemas(
    lake: Lake, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    lake.evolve("a", "b")
    edit, state = lake.due(), lake.load()
    catalog = lake.tables.catalog
    commit = catalog.commit_table

    def refusing(table: Any, requirements: Any, updates: Any) -> Any:
        if any(isinstance(u, RemoveSchemasUpdate) for u in updates):
            raise iceberg.BadRequestError("Invalid metadata update action: remove-schemas")
        return commit(table, requirements, updates)

    monkeypatch.setattr(catalog, "commit_table", refusing)
    for _ in range(2):
        with pytest.raises(OutcomeUnknown):
            lake.tables.commit(state, change(state, edit=edit))
    assert "remove-schemas" in lake.tables.refusal(state, edit)
    assert caplog.text.count("does not remove schemas") == 1
    plain = Expire(edit.versions)
    assert lake.tables.refusal(state, plain) == ""
    lake.tables.commit(state, change(state, edit=plain))
    assert lake.schema_ids == [0, 1, 2]
