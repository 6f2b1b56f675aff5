"""Sample records as `bin/lakelock check --sample` shows them: their columns, and the rows they would become."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pyiceberg.table.sorting import UNSORTED_SORT_ORDER

from lakelock.adapters.iceberg.definitions import partition_spec_of, schema_of
from lakelock.adapters.iceberg.schema_changes import schema_after
from lakelock.adapters.json.reshape import reshaped_texts
from lakelock.adapters.kafka.sample import SampledRecord, sampled_metadata
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.adapters.parquet.routes import PartitionRouter
from lakelock.app.evaluation import results
from lakelock.app.runtime import Runtime
from lakelock.check.preflight import Result, definition_of, types_of
from lakelock.check.renamed_text import renamed_notes
from lakelock.check.routed_records import SHOWN_TABLES, routed_records
from lakelock.check.sample_rows import before_and_after
from lakelock.check.sampled import CheckedSample, faults_of_rows
from lakelock.config import Pipeline, Table, columns_text, table_text
from lakelock.errors import LakelockError, State, TableMissing
from lakelock.ingest import fan_out
from lakelock.ingest.define import SAMPLE_BYTES, inferred_columns
from lakelock.ingest.effective_settings import effective
from lakelock.ingest.evolving import evolving_now, evolving_of
from lakelock.ingest.present_names import PresentNames
from lakelock.ingest.table_fit import check_columns, fitting
from lakelock.ingest.write_order import filling_of, target_of
from lakelock.model.column_changes import ColumnChange, changed, described
from lakelock.model.column_types import Column
from lakelock.model.units import counted, cut, one_line
from lakelock.ports import TableState, Target
from lakelock.records.decompression import Part, first_part
from lakelock.records.evolution import Evolution
from lakelock.records.reasons import Reason, Unfit
from lakelock.records.spelling import spelled, spellings
from lakelock.workers.derived_columns import DerivedColumns
from lakelock.workers.table_blocks import TableBlock, TableBlocks

CAUSES = 10
MOST_CHANGES = 50
# A payload can have hundreds of fields.
TYPE_CHARACTERS = 300


def sample(runtime: Runtime, limit: int, checked: Sequence[Result] = (), *, is_long: bool = False) -> CheckedSample:
    """Read the newest *limit* records without a group: their columns, and counts of rows and dead letters.

    Of a table that does not exist, its columns are shown as YAML; otherwise the differences from the table's columns. Asks
    no server whose check among *checked* failed. Of a pipeline with routes, the columns of few tables are shown, or of more if it
    *is_long*.
    """
    if any(r.name == "Kafka" and not r.of_use for r in checked):
        return CheckedSample(Result("sample", needs="Kafka").line)
    can_load = not any(r.name == "catalog and warehouse" and not r.of_use for r in checked)
    can_evaluate = not any(r.name == "Spark" and not r.of_use for r in checked)
    has_log = not any(r.name == "Postgres" and not r.of_use for r in checked)
    pipeline = runtime.file
    source = pipeline.source
    records = runtime.broker.sample(runtime.broker.sources(source.topics, source.topics_regex), limit)
    of_tables = [(pipeline, t, [r for r in records if pipeline.takes(t, r.source.topic)]) for t in pipeline.tables]
    found, shown = [], len(of_tables)
    if pipeline.route is not None:
        of_rules, routed = routed_records(
            runtime,
            pipeline.route,
            records,
            has_log=has_log,
            can_load=can_load,
            can_evaluate=can_evaluate,
            is_long=is_long,
        )
        found, of_tables = [of_rules], [*of_tables, *routed]
        shown += 1 + (len(routed) if is_long else SHOWN_TABLES)
    found += [
        _sampled(runtime, of_file, t, of_table, can_load=can_load, can_evaluate=can_evaluate)
        for of_file, t, of_table in of_tables
    ]
    return CheckedSample("\n\n".join(s.text for s in found[:shown]), [fault for s in found for fault in s.faults])


def _sampled(
    runtime: Runtime,
    pipeline: Pipeline,
    table: Table,
    records: list[SampledRecord],
    *,
    can_load: bool,
    can_evaluate: bool,
) -> CheckedSample:
    read = first_part([r.value for r in records], pipeline.value.compression, SAMPLE_BYTES)
    records = records[: len(read.values)]
    present = [v for v in read.values if v is not None]
    partitions = counted(len({r.source for r in records}), "Kafka partition")
    lines = [f"# {table.name}: {counted(len(records), 'sampled record')} of {partitions}"]
    try:
        state, now = _existing(runtime, table) if can_load else (None, _new(pipeline, table))
    except LakelockError as fault:
        lines.append(f"# {one_line(fault.what)}")
        return CheckedSample("\n".join(lines), [fault])
    in_effect = effective(pipeline, table, state)
    inferred = inferred_columns(
        pipeline, in_effect, present, reshaped_texts, is_new=state is None and not table.declared
    )
    columns = state.columns if state else table.declared or inferred.columns
    if state or table.declared:
        lines += _beside(runtime, now, state, columns, inferred.columns)
    else:
        lines += [f"# {one_line(note)}" for note in inferred.notes]
        # For a table with other settings, or one of several, only the columns: a pasted table would lose the rest.
        is_all = pipeline.route is None and len(pipeline.tables) == 1 and table == Table(name=table.name)
        lines.append(table_text(table.name, columns) if is_all else columns_text(columns))
    if not columns:
        return CheckedSample("\n".join([*lines, "# no columns: nothing could be written"]))
    target = target_for(runtime, now, state, columns)
    block = decoded_block(runtime, target, read, records)
    if (news := block.decoded.news) is not None and target.evolving is not None:
        asked = Evolution(target.evolving).changes(news.observed)
        lines += _changes(asked)
        target = _evolved(runtime, now, target, state, columns, asked)
        block = decoded_block(runtime, target, read, records)
    layout = FileLayout.of(target.layout)
    decoded = block.decoded
    stopping: Mapping[int, Reason] = {}
    filters = {i: "header line" if read.values[i] is not None else "missing value" for i in block.filtered.tolist()}
    if target.expressions is not None:
        if not can_evaluate:
            return CheckedSample("\n".join([*lines, "# its SQL is not evaluated: needs Spark"]))
        given = results(runtime, now.settings, target.columns, decoded.table)
        filled = DerivedColumns(target, arrow_schema(layout.schema), stops=False).fill(decoded, given)
        decoded = filled.decoded
        filters |= filled.filters
        stopping = {b.index: b.reason for b in decoded.bad if b.index in filled.stopping}
    rows = decoded.table
    good = range(len(records)) if decoded.good is None else decoded.good
    _, touched = PartitionRouter(layout.schema, layout.spec, UNSORTED_SORT_ORDER).routed(rows)
    reasons = {b.index: b.reason for b in decoded.bad}
    dead = len(decoded.bad) - len(stopping)
    lines.append(
        f"# would become {counted(rows.num_rows, 'row')} in {counted(len(touched), 'table partition')}, "
        f"{counted(dead, 'dead letter')}"
        + (f", {counted(len(filters), 'filtered record')} ({_by_filter(filters)})" if filters else "")
    )
    if stopping:
        lines.append(f"# would stop the batch, because of {counted(len(stopping), 'record')}:")
    small = [sum(len(read.values[i] or b"") for i in good) // max(len(touched), 1)] * len(touched)
    if layout.spec.fields and table.landing != "unpartitioned" and (said := fan_out.warning(table.name, small)):
        lines.append(f"# {said}")
    shown = before_and_after(records, read.values, decoded, reasons, filters, stopping, hides=bool(table.masks))
    causes = [*_causes(list(stopping.values())), *_causes([r for i, r in reasons.items() if i not in stopping])]
    return CheckedSample(
        "\n".join([*lines, *causes, *shown]), faults_of_rows(table.name, rows.num_rows, dead, len(stopping))
    )


def as_spelled(
    runtime: Runtime, table: Table, columns: Sequence[Column], inferred: Sequence[Column]
) -> Sequence[Column]:
    """*inferred* columns by the names of the table's *columns* and of its file, if case does not matter."""
    if not table.ignores_case:
        return inferred
    others = {*runtime.file.metadata_columns_by_key.values(), *table.unread, table.rest_column}
    inputs = table.expressions.inputs if table.expressions else ()
    try:
        names = spellings((c for c in (*columns, *inputs) if c.name not in others), table.readings, table.dropped)
    except Unfit:
        return inferred
    return spelled(inferred, names)


def _by_filter(filters: Mapping[int, str]) -> str:
    return ", ".join(f"{one_line(name)}: {count:,}" for name, count in sorted(Counter(filters.values()).items()))


def _new(pipeline: Pipeline, table: Table) -> PresentNames:
    return PresentNames(effective(pipeline, table, None))


def _existing(runtime: Runtime, table: Table) -> tuple[TableState | None, PresentNames]:
    """The table as it is now, None if it does not exist; raises TableUnfit if it cannot take what the file says."""
    try:
        state = runtime.tables.load(table.name)
    except TableMissing:
        return None, _new(runtime.file, table)
    return state, fitting(runtime.file, table, state, runtime.tables)


def target_for(runtime: Runtime, now: PresentNames, state: TableState | None, columns: Sequence[Column]) -> Target:
    """The table as it is, or as it will be created, before it has a place."""
    pipeline, table = runtime.file, now.settings
    filling = filling_of(pipeline, table, runtime.mask_keys(table), now.past_fields)
    if state is not None:
        return target_of(state, {}, evolving=evolving_now(pipeline, now, state), **filling)
    definition = definition_of(runtime, table, table.with_rest_column(tuple(columns)))
    check_columns(pipeline, table, definition.columns, State.NOTHING_CREATED)
    schema = schema_of(definition)
    return Target(
        table=table.name,
        identity_uuid="",
        generation=0,
        layout=FileLayout(schema, partition_spec_of(table.partition_by, schema), UNSORTED_SORT_ORDER).layout,
        location="",
        columns=tuple(definition.columns),
        properties=table.properties,
        topics=(),
        evolving=evolving_of(pipeline, table, definition.columns, table.id_columns),
        **filling,
    )


def _evolved(
    runtime: Runtime,
    now: PresentNames,
    target: Target,
    state: TableState | None,
    columns: Sequence[Column],
    changes: Sequence[ColumnChange],
) -> Target:
    """*target* once the table's *columns* have changed."""
    if state is None:
        return replace(target_for(runtime, now, None, changed(columns, changes)), evolving=None)
    before = FileLayout.of(target.layout)
    layout = FileLayout(schema_after(state, changes), before.spec, before.sort_order).layout
    return replace(target, columns=changed(columns, changes), layout=layout, evolving=None)


def _changes(asked: Sequence[ColumnChange]) -> list[str]:
    shown = [f"#   {one_line(described(change))}" for change in asked[:MOST_CHANGES]]
    more = [f"#   and {len(asked) - MOST_CHANGES} more"] if len(asked) > MOST_CHANGES else []
    return ["# columns would change:", *shown, *more]


def decoded_block(runtime: Runtime, target: Target, read: Part, records: list[SampledRecord]) -> TableBlock:
    schema = arrow_schema(FileLayout.of(target.layout).schema)
    blocks = TableBlocks(target, schema, skips_tombstones=runtime.file.value.tombstones == "skip")
    return blocks.of(read.values, lambda key: sampled_metadata(records, key), read.unfit)


# Inference only knows the wider type of each pair.
_SAME_IN_JSON = ({"int", "long"}, {"float", "double"})


def _beside(
    runtime: Runtime,
    now: PresentNames,
    state: TableState | None,
    columns: Sequence[Column],
    inferred: Sequence[Column],
) -> list[str]:
    """For columns of the file or of the table as it is: those whose records look different, and fields without one."""
    table, pipeline = now.settings, runtime.file
    exists = state is not None
    of_record = [c for c in columns if c.name not in pipeline.metadata_columns_by_key.values()]
    known, readings = types_of(of_record), table.readings
    lacking, there = ("no column", "in the table as") if exists else ("not declared", "declared as")
    # Of delimited text, a name with dots is that of one field.
    is_flat = pipeline.value.options is not None
    taken = {
        ".".join(path) if is_flat else path[0]
        for path in (*(r.path for r in readings.values() if not r.whole), *(table.drop_fields or ()))
    }
    if state is not None:
        taken |= now.past_fields.renamed.keys()
    out = [
        f"# {counted(len(known), 'column')} of the table" if exists else f"# {counted(len(known), 'declared column')}",
        *(f"#   {one_line(note)}" for note in renamed_notes(state, now)),
    ]
    for name, kind in types_of(as_spelled(runtime, table, of_record, inferred)).items():
        if name in taken:
            continue
        if name not in known or name in table.constants:
            if table.rest_column is None:
                out.append(f"#   {one_line(name)}: {lacking}; it looks like {cut(kind, TYPE_CHARACTERS)}")
        elif name not in readings and known[name] != kind and {known[name], kind} not in _SAME_IN_JSON:
            out.append(f"#   {one_line(name)}: {there} {known[name]}; it looks like {cut(kind, TYPE_CHARACTERS)}")
    return out


def _causes(found: Sequence[Reason]) -> list[str]:
    """The most frequent causes, each with an example."""
    examples = {r.cause: r.message for r in reversed(found)}
    shown = Counter(r.cause for r in found).most_common(CAUSES)
    lines = [f"#   {one_line(cause)}: {n:,} ({one_line(examples[cause])})" for cause, n in shown]
    rest = len(found) - sum(n for _, n in shown)
    return [*lines, f"#   other causes: {rest:,}"] if rest else lines
