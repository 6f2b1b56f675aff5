"""Run the checks of `bin/lakelock check`: each server that a pipeline needs, and a sample of its records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from lakelock.adapters.iceberg import check_compare_and_swap
from lakelock.adapters.iceberg.definitions import partition_spec_of, schema_of, sort_order_of
from lakelock.adapters.iceberg.layout_notation import expressions_text, layout_of, layout_text
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.adapters.spark.jobs import SparkWriter
from lakelock.adapters.spark.submit import check_target
from lakelock.app.evaluation import check_predicates, results
from lakelock.app.runtime import Runtime
from lakelock.check.overruled_text import overruled_notes
from lakelock.check.renamed_text import renamed_notes
from lakelock.config import Pipeline, Table
from lakelock.config.described_tables import described_tables
from lakelock.errors import CatalogUnfit, LakelockError, State, TableMissing
from lakelock.ingest.evolving import settings_now
from lakelock.ingest.plan import refuse_other_tables
from lakelock.model.batches import LIVE
from lakelock.model.column_types import Column
from lakelock.model.offsets import Source
from lakelock.model.parquet_options import not_honoured, parquet_options
from lakelock.model.type_notation import type_text
from lakelock.model.units import counted
from lakelock.ports import Log, TableDefinition, TableState
from lakelock.records.masks import leaks
from lakelock.records.metadata import with_metadata_columns
from lakelock.records.routing.predicates import Predicates
from lakelock.workers.write import write_slice

# As many are loaded from the catalog, beside those that the file lists.
ROUTED_TABLES = 20


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
    # Runs beside the others, because each server may take its full time-out.
    with ThreadPoolExecutor(1) as beside:
        catalog_check = beside.submit(_made, "catalog and warehouse", lambda: _catalog(runtime))
        file = _made("pipeline file", lambda: _file(runtime))
        postgres = _made("Postgres", lambda: _postgres(runtime))
        log = runtime.log if postgres.of_use else None
        kafka = _made("Kafka", lambda: _kafka(runtime, log))
        records = _made("records", lambda: _records(runtime), postgres, kafka)
        route = _made("route", lambda: _route(runtime), postgres)
        catalog = catalog_check.result()
    tables = _made("tables", lambda: _tables(runtime, records), postgres, catalog)
    spark = _made("Spark", lambda: _spark(runtime, log))
    found = [file, postgres, kafka, records, catalog, tables, spark]
    if runtime.file.route is not None or route.error is not None:
        found.insert(found.index(records), route)
    if any(t.expressions for _, t in described_tables(runtime.file)) or Predicates.of(runtime.file.router):
        found.append(_made("SQL", lambda: _sql(runtime), catalog, tables, spark))
    return found


def _made(name: str, check: Callable[[], str], *needed: Result) -> Result:
    if lacking := [n.name for n in needed if not n.of_use]:
        return Result(name, needs=", ".join(lacking))
    try:
        return Result(name, check())
    except LakelockError as fault:
        return Result(name, error=fault)


def _file(runtime: Runtime) -> str:
    """Also look up the keys of masks, and name columns that hold what a mask hides, and rules with settings of others."""
    pipeline = runtime.file
    out = [f"{pipeline.name}, configuration {pipeline.digest[:12]}", *overruled_notes(pipeline.route)]
    for _, table in described_tables(pipeline):
        runtime.mask_keys(table)
        out += _leaks(pipeline, table, [c.name for c in table.columns])
    return "; ".join(out)


def _leaks(pipeline: Pipeline, table: Table, columns: Iterable[str]) -> list[str]:
    """Warnings for those of *columns* that hold what a mask hides."""
    no_fields = {*table.constants, *pipeline.metadata_columns_by_key.values(), table.rest_column}
    masks = {name: mask for name, mask in table.masks.items() if name not in no_fields}
    of_fields = [name for name in columns if name not in no_fields]
    found = leaks(masks, table.readings, of_fields, _inputs_by_derived(table))
    return [f"warning: {table.name}: {leak}" for leak in found]


def _inputs_by_derived(table: Table) -> dict[str, list[str]]:
    """Inputs that the SQL of each derived column uses."""
    if table.expressions is None:
        return {}
    from lakelock.records.sql.syntax import columns_used

    inputs = {c.name for c in table.expressions.inputs}
    return {n: [u for u in columns_used(sql) if u in inputs] for n, sql in table.expressions.derived.items()}


def _postgres(runtime: Runtime) -> str:
    installation = runtime.log.installation_id()
    streams = runtime.log.streams(runtime.file.name, LIVE)
    return f"write-ahead log of installation {installation}, {len(streams)} partitions known"


def _kafka(runtime: Runtime, log: Log | None) -> str:
    """Count topics, partitions and offsets; without a log, retired topics are not recognized."""
    from lakelock.ingest.plan import current_sources

    streams = log.streams(runtime.file.name, LIVE) if log else []
    found = current_sources(runtime.file, streams, runtime.broker)
    spans = runtime.broker.watermarks(found)
    records = sum(s.end_offset - s.low_offset for s in spans.values())
    topics = len({s.topic for s in found})
    return f"{counted(topics, 'topic')}, {counted(len(found), 'partition')}, {counted(records, 'offset')} held"


def _records(runtime: Runtime) -> str:
    """Check that Kafka still has the next batch's first records in the topics that were read before."""
    to_plan = sum(max(0, end - next_offset) for next_offset, end in _reached(runtime).values())
    streams = runtime.log.streams(runtime.file.name, LIVE)
    planned = sum(s.next_offset - s.start_offset for s in streams if not s.retired)
    return f"{to_plan:,} to plan, {planned:,} planned so far, in offsets"


def _route(runtime: Runtime) -> str:
    """Check that the tables that rules have made are still made by rules alone."""
    refuse_other_tables(runtime.file, runtime.log)
    most = runtime.file.route.max_tables if runtime.file.route else 0
    return f"{counted(len(runtime.routed_tables), 'table')} made by rules so far; route.max_tables is {most:,}"


def _reached(runtime: Runtime) -> dict[Source, tuple[int, int]]:
    """The offset at which the next batch begins to read each source, and Kafka's end."""
    from lakelock.ingest.plan import survey

    streams, starts, spans = survey(runtime.file, runtime.log, runtime.broker)
    reached = {s.source: s.next_offset for s in streams} | starts
    return {source: (reached[source], span.end_offset) for source, span in spans.items() if source in reached}


def _catalog(runtime: Runtime) -> str:
    tables = [t.name for t in runtime.file.tables] or [runtime.file.dead_letter_table]
    namespace = tables[0].rpartition(".")[0]
    check_compare_and_swap(runtime.tables_of(""), namespace)
    return f"stale commits are refused; a scratch table was written and dropped in {namespace}"


def _tables(runtime: Runtime, records: Result) -> str:
    from lakelock.ingest.bind import load, refuse_twice, was_written, without_ledger
    from lakelock.ingest.table_fit import check_inferable, fitting

    pipeline = runtime.pipeline
    checked, out = _checked_tables(runtime)
    bound = runtime.log.bound(pipeline.name)
    for table in checked:
        try:
            state = load(runtime.log, runtime.tables, pipeline.name, table.name)
            is_new = pipeline.is_routed(table.name) and not was_written(runtime.tables, state, pipeline.name)
            if state.ledger is None and table.name in bound and not is_new:
                raise without_ledger(state, pipeline.name)
            if state.ledger is None and records.of_use and (others := runtime.tables.others(state)):
                begins = {s: at for s, (at, _) in _reached(runtime).items() if pipeline.takes(table, s.topic)}
                begins |= runtime.log.declared_starts(pipeline.name, table.name)
                refuse_twice(table.name, begins, others)
            now = fitting(pipeline, table, state, runtime.tables)
            known = "carries this pipeline's ledger" if state.ledger else "exists and will be adopted"
            other = _differences(runtime, state)
            other += renamed_notes(state, now)
            # Those that the file itself names are known without the table.
            named = {now.of_columns.get(c.name, c.name) for c in table.columns}
            other += _leaks(pipeline, now.settings, [c.name for c in state.columns if c.name not in named])
            other += _properties(pipeline, table.name, state.properties, state.columns)
            other += _landing(pipeline, table, has_partitions=state.layout.is_partitioned)
            out.append("; ".join([f"{table.name} {known}, {layout_of(state)}", *other]))
        except TableMissing:
            if table.name in bound:
                raise
            check_inferable(pipeline, table.name)
            said = _properties(pipeline, table.name, table.properties, table.declared) if table.declared else []
            said += _landing(pipeline, table, has_partitions=bool(table.partition_by))
            out.append("; ".join([f"{table.name} will be created, {_planned_layout(runtime, table)}", *said]))
    return "; ".join(out) or "the rules have made none yet"


def _checked_tables(runtime: Runtime) -> tuple[list[Table], list[str]]:
    """Those of the file, and routed ones that got records lately; and what is said of the others."""
    if runtime.file.route is None:
        return [*runtime.file.tables], []
    lately = runtime.log.lately_routed(runtime.file.name, ROUTED_TABLES)
    lately = [name for name in lately if runtime.pipeline.is_routed(name)]
    rest = len(runtime.routed_tables) - len(lately)
    said = [f"{counted(rest, 'more routed table')}, not checked"] if rest else []
    return [*runtime.file.tables, *map(runtime.pipeline.table, lately)], said


def _properties(pipeline: Pipeline, table: str, properties: Mapping[str, str], columns: Sequence[Column]) -> list[str]:
    """A warning of properties without effect. Raises TableUnfit for those with which no file can be written."""
    parquet_options(table, properties, State.NOTHING_CHANGED)
    useless = not_honoured(properties, columns, may_be_shuffled=pipeline.may_be_shuffled(table))
    return [f"warning: properties without effect here: {', '.join(useless)}"] if useless else []


def _landing(pipeline: Pipeline, table: Table, *, has_partitions: bool) -> list[str]:
    """A warning if files land without partitions and no compaction is scheduled."""
    if table.landing != "unpartitioned" or not has_partitions or pipeline.maintenance.every is not None:
        return []
    return ["warning: its files land without partitions until you run `compact`: set maintenance.every"]


def _differences(runtime: Runtime, state: TableState) -> list[str]:
    """What the file says otherwise: an existing table is used as it is, until the file is applied."""
    found = runtime.applying.differences(state)
    steps = [f"`bin/lakelock apply FILE` would change it: {', '.join(found.lines)}"] if found.lines else []
    return [*steps, *(f"cannot be applied: {why}" for why in found.refused)]


def types_of(columns: Iterable[Column]) -> dict[str, str]:
    return {c.name: type_text(c.type) for c in columns}


def _planned_layout(runtime: Runtime, table: Table) -> str:
    """The layout as understood if the file declares columns; otherwise its expressions."""
    if not table.declared:
        return expressions_text(table.partition_by, table.sort_by)
    schema = schema_of(definition_of(runtime, table, table.declared))
    return layout_text(schema, partition_spec_of(table.partition_by, schema), sort_order_of(table.sort_by, schema))


def definition_of(runtime: Runtime, table: Table, columns: Sequence[Column]) -> TableDefinition:
    metadata = runtime.file.metadata_columns_by_key
    return TableDefinition(with_metadata_columns(table.name, columns, metadata))


def _sql(runtime: Runtime) -> str:
    """Have Spark check the expressions of each table whose columns are known, and the predicates of rules."""
    out = []
    if (predicates := Predicates.of(runtime.file.router)) is not None:
        check_predicates(runtime.run, predicates)
        out.append(counted(len(predicates.predicates), "predicate of rules", "predicates of rules"))
    for table in _checked_tables(runtime)[0]:
        if table.expressions is None:
            continue
        settings = table
        try:
            state = runtime.tables.load(table.name)
            columns = state.columns
            settings = settings_now(runtime.file, table, state, runtime.tables).settings
        except TableMissing:
            columns = tuple(definition_of(runtime, table, table.with_rest_column(table.declared)).columns)
        results(runtime, settings, columns)
        out.append(f"{table.name} {counted(len(table.expressions.all), 'expression')}")
    return ", ".join(out) or "no table has expressions yet"


def _spark(runtime: Runtime, log: Log | None) -> str:
    """Check Spark; without a log, in a session of the check alone, because the log names the lane's session."""
    target = runtime.spark_target
    runtime.check_spark_ui()
    if target.kind == "submit":
        return check_target(target)
    where = target.remote.partition(";")[0]
    if log is not None:
        return f"{where} answers, {runtime.writer.parallelism} tasks at once"
    with open_connect(target.remote, runtime.file.name, "check", conf=target.conf) as session:
        return f"{where} answers, {SparkWriter(session, write_slice).parallelism} tasks at once"
