"""Run the checks of `bin/lakelock check`: each server that a pipeline needs, and a sample of its records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyiceberg.table.sorting import UNSORTED_SORT_ORDER

from lakelock.adapters.iceberg import check_compare_and_swap
from lakelock.adapters.iceberg.definitions import partition_spec_of, schema_of, sort_order_of
from lakelock.adapters.iceberg.layout import expressions_text, layout_of, layout_text
from lakelock.adapters.kafka.sample import SampledRecord
from lakelock.adapters.parquet.file import arrow_schema
from lakelock.adapters.parquet.partition_limits import PartitionLimits
from lakelock.adapters.parquet.routes import Router
from lakelock.adapters.spark.connect import open_connect
from lakelock.adapters.spark.jobs import SparkWriter
from lakelock.adapters.spark.submit import check_target
from lakelock.app.runtime import Runtime
from lakelock.config import Table, columns_text, table_text
from lakelock.errors import CatalogUnfit, LakelockError
from lakelock.ingest import fan_out
from lakelock.ingest.define import SAMPLE_BYTES
from lakelock.model.batches import LIVE
from lakelock.model.offsets import Source
from lakelock.model.schema_types import type_text
from lakelock.model.units import counted, one_line
from lakelock.ports import Log, TableDefinition
from lakelock.records.decompression import first_part
from lakelock.records.infer import infer_schema
from lakelock.records.json.decode import JsonDecoder
from lakelock.records.metadata import schema_with_metadata
from lakelock.records.reasons import Reason
from lakelock.workers.write import write_slice

CAUSES = 10


@dataclass(frozen=True, slots=True)
class Result:
    """One check: *detail* is its finding, *error* its fault; *needs* names failed checks that it depends on."""

    name: str
    detail: str = ""
    error: LakelockError | None = None
    needs: str | None = None

    @property
    def fault(self) -> str | None:
        """The error's class and text."""
        return None if self.error is None else f"{type(self.error).__name__}: {self.error}"

    @property
    def line(self) -> str:
        if self.needs is not None:
            return f"-     {self.name}: not checked: needs {self.needs}"
        return f"{'ok  ' if self.error is None else 'FAIL'}  {self.name}: {self.fault or self.detail}"

    @property
    def of_use(self) -> bool:
        """Whether checks that need this one can be made; an unfit catalog still answers."""
        return self.needs is None and (self.error is None or isinstance(self.error, CatalogUnfit))


def run(runtime: Runtime) -> list[Result]:
    """Make all checks except those that need a failed server, so that each fault is reported once.

    Leaves nothing behind.
    """
    pipeline = runtime.pipeline
    # Runs beside the others, because each server may take its full time-out.
    with ThreadPoolExecutor(1) as beside:
        catalog_check = beside.submit(_made, "catalog and warehouse", lambda: _catalog(runtime))
        file = Result("pipeline file", f"{pipeline.name}, configuration {pipeline.digest[:12]}")
        postgres = _made("Postgres", lambda: _postgres(runtime))
        log = runtime.log if postgres.of_use else None
        kafka = _made("Kafka", lambda: _kafka(runtime, log))
        records = _made("records", lambda: _records(runtime), postgres, kafka)
        catalog = catalog_check.result()
    tables = _made("tables", lambda: _tables(runtime, records), postgres, catalog)
    spark = _made("Spark", lambda: _spark(runtime, log))
    return [file, postgres, kafka, records, catalog, tables, spark]


def _made(name: str, check: Callable[[], str], *needed: Result) -> Result:
    if lacking := [n.name for n in needed if not n.of_use]:
        return Result(name, needs=", ".join(lacking))
    try:
        return Result(name, check())
    except LakelockError as fault:
        return Result(name, error=fault)


def _postgres(runtime: Runtime) -> str:
    installation = runtime.log.installation_id()
    streams = runtime.log.streams(runtime.pipeline.name, LIVE)
    return f"write-ahead log of installation {installation}, {len(streams)} partitions known"


def _kafka(runtime: Runtime, log: Log | None) -> str:
    """Count topics, partitions and offsets; without a log, retired topics are not recognized."""
    from lakelock.ingest.plan import current_sources

    streams = log.streams(runtime.pipeline.name, LIVE) if log else []
    found = current_sources(runtime.pipeline, streams, runtime.broker)
    spans = runtime.broker.watermarks(found)
    records = sum(s.end_offset - s.low_offset for s in spans.values())
    topics = len({s.topic for s in found})
    return f"{counted(topics, 'topic')}, {counted(len(found), 'partition')}, {counted(records, 'offset')} held"


def _records(runtime: Runtime) -> str:
    """Check that Kafka still has the next batch's first records in the topics that were read before."""
    to_plan = sum(max(0, end - next_offset) for next_offset, end in _reached(runtime).values())
    streams = runtime.log.streams(runtime.pipeline.name, LIVE)
    planned = sum(s.next_offset - s.start_offset for s in streams if not s.retired)
    return f"{to_plan:,} to plan, {planned:,} planned so far, in offsets"


def _reached(runtime: Runtime) -> dict[Source, tuple[int, int]]:
    """The offset at which the next batch begins to read each source, and Kafka's end."""
    from lakelock.ingest.plan import survey

    streams, starts, spans = survey(runtime.pipeline, runtime.log, runtime.broker)
    reached = {s.source: s.next_offset for s in streams} | starts
    return {source: (reached[source], span.end_offset) for source, span in spans.items() if source in reached}


def _catalog(runtime: Runtime) -> str:
    namespace = runtime.pipeline.tables[0].name.rpartition(".")[0]
    check_compare_and_swap(runtime.tables_of(""), namespace)
    return f"stale commits are refused; a scratch table was written and dropped in {namespace}"


def _tables(runtime: Runtime, records: Result) -> str:
    from lakelock.errors import TableMissing
    from lakelock.ingest.bind import load, refuse_twice, without_ledger

    out = []
    pipeline = runtime.pipeline
    bound = runtime.log.bound(pipeline.name)
    for table in pipeline.tables:
        try:
            state = load(runtime.log, runtime.tables, pipeline.name, table.name)
            if state.ledger is None and table.name in bound:
                raise without_ledger(state, pipeline.name)
            if state.ledger is None and records.of_use and (others := runtime.tables.others(state)):
                begins = {s: at for s, (at, _) in _reached(runtime).items() if pipeline.takes(table, s.topic)}
                begins |= runtime.log.declared_starts(pipeline.name, table.name)
                refuse_twice(table.name, begins, others)
            known = "carries this pipeline's ledger" if state.ledger else "exists and will be adopted"
            other = _differing_columns(table.fields, state.schema)
            out.append("; ".join([f"{table.name} {known}, {layout_of(state)}", *other]))
        except TableMissing:
            if table.name in bound:
                raise
            out.append(f"{table.name} will be created, {_planned_layout(runtime, table)}")
    return "; ".join(out)


def _differing_columns(declared: Sequence[Mapping[str, Any]], schema: Mapping[str, Any]) -> list[str]:
    """Declared columns that an existing table lacks or has with another type: the table is used as it is."""
    there = _types(schema["fields"])
    return [
        f"column {name} is {kind} in the file, and "
        + (f"{there[name]} in the table" if name in there else "the table does not have it")
        for name, kind in _types(declared).items()
        if there.get(name) != kind
    ]


def _types(fields: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    return {f["name"]: type_text(f["type"]) for f in fields}


def _planned_layout(runtime: Runtime, table: Table) -> str:
    """The layout as understood if the file declares columns; otherwise its expressions."""
    if not table.fields:
        return expressions_text(table.partition_by, table.sort_by)
    schema = schema_of(_definition(runtime, table, table.fields))
    return layout_text(schema, partition_spec_of(table.partition_by, schema), sort_order_of(table.sort_by, schema))


def _definition(runtime: Runtime, table: Table, fields: Sequence[Mapping[str, Any]]) -> TableDefinition:
    metadata = runtime.pipeline.metadata_columns_by_key
    return TableDefinition(schema_with_metadata(table.name, fields, metadata))


def _spark(runtime: Runtime, log: Log | None) -> str:
    """Check Spark; without a log, in a session of the check alone, because the log names the lane's session."""
    target = runtime.spark_target
    runtime.check_spark_ui()
    if target.kind == "submit":
        return check_target(target)
    where = target.remote.partition(";")[0]
    if log is not None:
        return f"{where} answers, {runtime.writer.parallelism} tasks at once"
    with open_connect(target.remote, runtime.pipeline.name, "check", conf=target.conf) as session:
        return f"{where} answers, {SparkWriter(session, write_slice).parallelism} tasks at once"


def sample(runtime: Runtime, limit: int, checked: Sequence[Result] = ()) -> str:
    """Read the newest *limit* records without a group: their columns as YAML, and counts of rows and dead letters.

    Skips Kafka if its check among *checked* failed.
    """
    if any(r.name == "Kafka" and not r.of_use for r in checked):
        return Result("sample", needs="Kafka").line
    pipeline = runtime.pipeline
    source = pipeline.source
    records = runtime.broker.sample(runtime.broker.sources(source.topics, source.topics_regex), limit)
    return "\n\n".join(
        _sampled(runtime, t, [r for r in records if pipeline.takes(t, r.source.topic)]) for t in pipeline.tables
    )


def _sampled(runtime: Runtime, table: Table, records: list[SampledRecord]) -> str:
    pipeline = runtime.pipeline
    read = first_part([r.value for r in records], pipeline.value.compression, SAMPLE_BYTES)
    records = records[: len(read.values)]
    inferred = infer_schema([v for v in read.values if v is not None], pipeline.metadata_columns_by_key.values())
    lines = [f"# {table.name}: {len(records)} sampled records of {len({r.source for r in records})} Kafka partitions"]
    fields = table.fields or list(inferred.fields)
    if table.fields:
        lines += _beside(table, inferred.fields)
    else:
        lines += [f"# {one_line(note)}" for note in inferred.notes]
        # For a table with other settings, or one of several, only the columns: a pasted table would lose the rest.
        is_all = len(pipeline.tables) == 1 and table == Table(name=table.name)
        lines.append(table_text(table.name, fields) if is_all else columns_text(fields))
    if not fields:
        return "\n".join([*lines, "# no columns: nothing could be written"])
    schema = schema_of(_definition(runtime, table, fields))
    arrow = arrow_schema(schema)
    spec = partition_spec_of(table.partition_by, schema)
    metadata = pipeline.metadata_columns_by_key
    decoder = JsonDecoder(
        schema.model_dump(by_alias=True)["fields"],
        arrow,
        zones=table.zones,
        skip=frozenset(metadata.values()),
        unknown_fields=table.unknown_fields,
        check=PartitionLimits(schema, spec).check,
    )
    decoded = decoder.decode(read.values)
    good = range(len(records)) if decoded.good is None else decoded.good
    columns = {
        "partition": [records[i].source.partition for i in good],
        "offset": [records[i].offset for i in good],
        "timestamp": [None if (at := records[i].timestamp_ms) is None else at * 1000 for i in good],
    }
    rows = decoded.table
    for key, name in metadata.items():
        field = arrow.field(name)
        values = pa.array(columns[key], pa.int64())
        kind = pa.timestamp("us", "UTC") if key == "timestamp" else field.type
        rows = rows.set_column(arrow.get_field_index(name), field, values.cast(kind))
    _, touched = Router(schema, spec, UNSORTED_SORT_ORDER).routed(rows)
    lines.append(
        f"# would become {counted(rows.num_rows, 'row')} in {counted(len(touched), 'table partition')}, "
        f"{counted(len(decoded.bad), 'dead letter')}"
    )
    small = [sum(len(read.values[i] or b"") for i in good) // max(len(touched), 1)] * len(touched)
    if spec.fields and (said := fan_out.warning(table.name, small)):
        lines.append(f"# {said}")
    return "\n".join([*lines, *_causes([read.unfit.get(b.index, b.reason) for b in decoded.bad])])


# Inference only knows the wider type of each pair.
_SAME_IN_JSON = ({"int", "long"}, {"float", "double"})


def _beside(table: Table, inferred: Sequence[Mapping[str, Any]]) -> list[str]:
    """For declared columns: those whose records look different, and fields that are not declared."""
    declared = _types(table.fields)
    out = [f"# {counted(len(declared), 'declared column')}"]
    for name, kind in _types(inferred).items():
        if name not in declared:
            out.append(f"#   {one_line(name)}: not declared; it looks like {kind}")
        elif declared[name] != kind and {declared[name], kind} not in _SAME_IN_JSON:
            out.append(f"#   {one_line(name)}: declared as {declared[name]}; it looks like {kind}")
    return out


def _causes(found: Sequence[Reason]) -> list[str]:
    """The most frequent causes, each with an example."""
    examples = {r.cause: r.message for r in reversed(found)}
    shown = Counter(r.cause for r in found).most_common(CAUSES)
    lines = [f"#   {one_line(cause)}: {n:,} ({one_line(examples[cause])})" for cause, n in shown]
    rest = len(found) - sum(n for _, n in shown)
    return [*lines, f"#   other causes: {rest:,}"] if rest else lines
