"""A table's columns beside the fields of the newest records, for `bin/lakelock schema`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from lakelock.adapters.iceberg.column_history import SummaryEntry, column_beginnings, summary_entries
from lakelock.adapters.json.reshape import reshaped_texts
from lakelock.adapters.kafka.sample import SampledRecord
from lakelock.app.runtime import Runtime
from lakelock.apply.applying import APPLIED
from lakelock.check.renamed_text import renamed_notes
from lakelock.check.sample import as_spelled, decoded_block, target_for
from lakelock.config import Pipeline, Table
from lakelock.errors import TableMissing, TableUnfit
from lakelock.ingest.define import SAMPLE_BYTES, inferred_columns
from lakelock.ingest.effective_settings import EffectiveTable, effective
from lakelock.ingest.evolving import evolving_now, settings_now, settings_with
from lakelock.ingest.present_names import PresentNames
from lakelock.ingest.table_fit import check_fit
from lakelock.model.column_changes import ELEMENT, VALUE, ColumnPath, by_path, described
from lakelock.model.column_types import Column, ColumnType
from lakelock.model.evolutions import EVOLUTION, decode
from lakelock.model.schema_lines import schema_lines
from lakelock.ports import TableState
from lakelock.records.decompression import Part, first_part
from lakelock.records.evolution import Evolution, Evolving
from lakelock.records.formats import EVOLVING


@dataclass(frozen=True, slots=True)
class ColumnView:
    """A column, or a field within one. *seen* is the type that the field's values look like, None if none was seen.

    *since* is the time of the first retained snapshot with the column; *schema* the first retained schema with it, unless
    the column was there *or_before*, in schemas that have expired.
    """

    name: str
    type: str
    required: bool
    doc: str | None
    schema: int | None
    since: datetime | None
    seen: str | None
    or_before: bool = False


@dataclass(frozen=True, slots=True)
class PastChange:
    """A snapshot that changed the table's columns for records (`record`, `batch`, `run`), or for the file (`who`, `why`)."""

    at: datetime
    version_id: int
    changes: Sequence[str]
    asked_by: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class TableSchema:
    """*changes* are those that the next batch would make, *possible* those that it would make with both settings.

    *new_fields* and *new_types* are the settings in effect. *differences* are steps of `apply`, *refused* what differs between
    file and table and cannot be applied, and *notes* about columns that the file calls by earlier names. With a *fault*, the
    table cannot take what the file says, so changes for records are not known.
    """

    table: str
    exists: bool
    sampled: int
    new_fields: str
    new_types: str
    columns: Sequence[ColumnView] = ()
    fields_without_column: Mapping[str, str] | None = None
    columns_without_field: Sequence[str] = ()
    changes: Sequence[str] = ()
    possible: Sequence[str] = ()
    differences: Sequence[str] = ()
    refused: Sequence[str] = ()
    fault: str = ""
    notes: Sequence[str] = ()
    past: Sequence[PastChange] = ()


def table_schemas(runtime: Runtime, table: str | None, limit: int) -> list[TableSchema]:
    """Of *table*, or of all tables of the file, beside the newest *limit* records, which are read without a group."""
    pipeline = runtime.pipeline
    source = pipeline.source
    records = runtime.broker.sample(runtime.broker.sources(source.topics, source.topics_regex), limit)
    return [
        _of_table(runtime, t, [r for r in records if pipeline.takes(t, r.source.topic)])
        for t in pipeline.tables
        if table in (None, t.name)
    ]


def _of_table(runtime: Runtime, table: Table, records: Sequence[SampledRecord]) -> TableSchema:
    pipeline = runtime.pipeline
    read = first_part([r.value for r in records], pipeline.value.compression, SAMPLE_BYTES)
    present = [v for v in read.values if v is not None]
    try:
        state = runtime.tables.load(table.name)
    except TableMissing:
        state = None
    in_effect = effective(pipeline, table, state)
    inferred = inferred_columns(pipeline, in_effect, present, reshaped_texts, is_new=state is None).columns
    settings = (_text_of_new_fields(in_effect), in_effect.new_types or "dead_letter")
    if state is None:
        fields = {".".join(path): _text(c.type) for path, c in by_path(inferred) if len(path) == 1}
        return TableSchema(table.name, False, len(present), *settings, fields_without_column=fields)
    now = settings_now(pipeline, table, state, runtime.tables)
    renamed = now.past_fields.renamed
    spelled = dict(by_path(as_spelled(runtime, now.settings, state.columns, inferred)))
    seen = {(renamed.get(path[0], path[0]), *path[1:]): c for path, c in spelled.items()} | spelled
    places = _places(pipeline, now.settings, state.columns)
    begun = column_beginnings(state)
    views = []
    for path, column in by_path(state.columns):
        since = begun.get(".".join(path))
        place = places.get(path)
        views.append(
            ColumnView(
                ".".join(path),
                _text(column.type),
                column.required,
                column.doc,
                since.schema_id if since else None,
                _at(since.at_ms) if since and since.at_ms is not None else None,
                _text(seen[place].type) if place in seen else None,
                since is not None and since.or_before,
            )
        )
    fault = ""
    try:
        changes, possible = _changes(runtime, in_effect, now, state, list(records[: len(read.values)]), read)
    except TableUnfit as unfit:
        changes, possible, fault = [], [], str(unfit)
    found = runtime.applying.differences(state)
    return TableSchema(
        table.name,
        True,
        len(present),
        *settings,
        views,
        _without_column(now.settings, {p: c for p, c in seen.items() if p[0] not in renamed}, places),
        _without_field(places, seen),
        changes,
        [c for c in possible if c not in changes],
        found.lines,
        found.refused,
        fault,
        renamed_notes(state, now),
        [past for e in summary_entries(state, (EVOLUTION, APPLIED)) if (past := _past(table.name, e)) is not None],
    )


def _text_of_new_fields(table: EffectiveTable) -> str:
    if table.rest_column is not None:
        return "json_column"
    return "evolve" if table.adds_columns else "dead_letter" if table.refuses_new_fields else "ignore"


def _changes(
    runtime: Runtime,
    table: EffectiveTable,
    now: PresentNames,
    state: TableState,
    records: list[SampledRecord],
    read: Part,
) -> tuple[list[str], list[str]]:
    """Changes of columns for these records: with the settings in effect, and with both of them at `evolve`.

    Raises TableUnfit if the table cannot take what the file says.
    """
    pipeline = runtime.pipeline
    if pipeline.value.format not in EVOLVING:
        return [], []
    check_fit(pipeline, now, state)
    every = table.model_copy(update={"new_fields": "evolve", "new_types": "evolve"})
    target = target_for(runtime, settings_with(pipeline, every, state, now.past), state, state.columns)
    news = decoded_block(runtime, target, read, records).decoded.news
    if news is None:
        return [], []
    in_effect = evolving_now(pipeline, now, state)

    def changes_with(evolving: Evolving | None) -> list[str]:
        return [] if evolving is None else [described(c) for c in Evolution(evolving).changes(news.observed)]

    return changes_with(in_effect), changes_with(target.evolving)


def _text(kind: ColumnType) -> str:
    """Fields within have lines of their own."""
    return next(schema_lines([Column("", kind)])).type


def _places(pipeline: Pipeline, table: Table, columns: Sequence[Column]) -> dict[ColumnPath, ColumnPath]:
    """By path of a column, that of the record's field which fills it; columns that no field fills have none."""
    unfilled = {*pipeline.metadata_columns_by_key.values(), *table.unread, table.rest_column}
    readings, out = table.readings, dict[ColumnPath, ColumnPath]()
    for path, _ in by_path(columns):
        reading = readings.get(path[0])
        if path[0] in unfilled or (reading is not None and reading.whole):
            continue
        place = (path[0],) if reading is None else tuple(reading.path)
        out[path] = ((".".join(place),) if pipeline.value.options is not None else place) + path[1:]
    return out


def _without_column(
    table: Table, seen: Mapping[ColumnPath, Column], places: Mapping[ColumnPath, ColumnPath]
) -> dict[str, str]:
    """Fields that no column or expression takes and that are not dropped, each without the fields within it."""
    taken = set(places.values())
    around = {place[:n] for place in taken for n in range(1, len(place))}
    inputs = [c.name for c in table.expressions.inputs] if table.expressions else []
    named = {tuple(r.path) for r in table.readings.values()} | {(name,) for name in inputs}
    known = {*taken, *around, *named, *map(tuple, table.drop_fields or ())}
    # Columns that have fields of their own: not a map, whose keys are no fields.
    structs = {(), *map(_around, taken)}
    fields = {path: c for path, c in seen.items() if path not in known and _around(path) in structs}
    return {".".join(path): _text(c.type) for path, c in fields.items()}


def _around(path: ColumnPath) -> ColumnPath:
    """The column that has the field, be it a struct or a list of them."""
    outer = path[:-1]
    while outer and outer[-1] == ELEMENT:
        outer = outer[:-1]
    return outer


def _without_field(places: Mapping[ColumnPath, ColumnPath], seen: Mapping[ColumnPath, Column]) -> list[str]:
    """Columns of which the sample has no field; of a column without one, the fields within it are not listed."""
    lacking = {path for path, place in places.items() if place not in seen}
    kept = [
        p for p in places if p in lacking and not any(p[:n] in lacking for n in range(1, len(p))) and VALUE not in p
    ]
    return [".".join(p) for p in kept]


def _past(table: str, entry: SummaryEntry) -> PastChange | None:
    """None for a text that lakelock did not write: other tools may edit summaries."""
    if entry.key == EVOLUTION:
        found = decode(entry.text, table, entry.snapshot_id, entry.at_ms)
        if found is None:
            return None
        asked_by = {"record": found.record, "batch": found.batch, "run": found.run}
        return PastChange(_at(entry.at_ms), entry.snapshot_id, found.changes, asked_by)
    try:
        said = json.loads(entry.text)
        changes = [str(text) for text in said["steps"]]
        by = {name: str(said[name]) for name in ("who", "why") if said.get(name)}
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return PastChange(_at(entry.at_ms), entry.snapshot_id, changes, by)


def _at(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)
