"""Rules between the keys of a pipeline, beyond what each key must look like by itself."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from lakelock.config.broken import Broken, Path
from lakelock.config.case_rules import case_rules
from lakelock.config.column_sections import ColumnSettings
from lakelock.config.csv_rules import csv_rules
from lakelock.config.described_tables import described_tables
from lakelock.config.model import Pipeline
from lakelock.config.new_fields_rules import new_fields_rules
from lakelock.config.route_rules import route_rules
from lakelock.config.sql_rules import sql_rules
from lakelock.config.table_sections import Table, TableSettings
from lakelock.model.column_types import Column, ColumnType, Text
from lakelock.model.partition_expressions import parse_partition, parse_sort
from lakelock.model.type_notation import parse_type
from lakelock.model.units import format_duration
from lakelock.records.casts import Reading, unfit_reading
from lakelock.records.json.record_fields import RecordFields
from lakelock.records.masks import unfit_mask
from lakelock.records.metadata import named, takes, types_text
from lakelock.records.reasons import Unfit

DAY = timedelta(days=1)
# Each is a run with a handful of tasks: Airflow, not Kafka, would be what a backfill waits for.
BACKFILL_AT_LEAST = timedelta(minutes=1)
ORPHANS_AFTER_AT_LEAST = timedelta(hours=1)
# Clocks of brokers, producers and Postgres differ, and a new partition is not seen at once.
MAX_LATENESS_AT_LEAST = timedelta(minutes=1)
_TOPICS: tuple[Path, ...] = (("source", "topics"), ("source", "topics_regex"), ("tables", 0, "topics"))


def broken_rules(pipeline: Pipeline, table_defaults: TableSettings | None) -> Iterator[Broken]:
    yield from _schedule(pipeline)
    yield from _source(pipeline)
    yield from _tables(pipeline)
    yield from route_rules(pipeline, table_defaults)
    yield from csv_rules(pipeline)
    yield from sql_rules(pipeline)
    yield from _maintenance(pipeline)
    yield from _backfill(pipeline.backfill.interval)
    lateness = pipeline.publish.max_lateness
    if lateness is not None and lateness < MAX_LATENESS_AT_LEAST:
        yield Broken(("publish", "max_lateness"), f"must be at least {format_duration(MAX_LATENESS_AT_LEAST)}")
    for at, table in described_tables(pipeline):
        yield from _columns(pipeline, table, at)


def _schedule(pipeline: Pipeline) -> Iterator[Broken]:
    schedule = pipeline.schedule
    if schedule.cron is not None:
        if schedule.every is not None:
            yield Broken(("schedule", "cron"), "give either every or cron, not both")
        if schedule.batch_every is not None:
            yield Broken(("schedule", "batch_every"), "needs every: a window must be as long as the time between runs")
        if (problem := _cron_problem(schedule.cron)) is not None:
            yield Broken(("schedule", "cron"), f"{schedule.cron!r} is not a cron expression: {problem}")
    period = schedule.period
    if period is not None and schedule.batch_every is not None and schedule.batch_every >= period:
        yield Broken(("schedule", "batch_every"), "must be shorter than every, the length of the window")
    deadline = pipeline.alerts.deadline
    if period is not None and schedule.batch_every is not None and deadline is not None and deadline <= period:
        yield Broken(
            ("alerts", "deadline"),
            f"every run would miss it: a window takes {format_duration(period)}",
            (("schedule", "every"), ("schedule", "batch_every")),
        )


def _maintenance(pipeline: Pipeline) -> Iterator[Broken]:
    commit, maintenance, schedule = pipeline.commit, pipeline.maintenance, pipeline.schedule
    window = commit.rollback_window
    if window is not None:
        if window > maintenance.expire_after:
            yield Broken(
                ("commit", "rollback_window"),
                f"is longer than maintenance.expire_after ({format_duration(maintenance.expire_after)}): snapshots would expire "
                "that a rollback may need",
                (("maintenance", "expire_after"),),
            )
        # The closest that runs of a cron expression can be.
        apart = schedule.batch_every or schedule.period or timedelta(minutes=1)
        commits = math.ceil(window / apart)
        if commits > commit.keep_snapshots:
            yield Broken(
                ("commit", "rollback_window"),
                f"with a commit every {format_duration(apart)} it has up to {commits} snapshots, and commit.keep_snapshots is "
                f"{commit.keep_snapshots}: raise that, shorten the window, or make batches rarer",
                (
                    ("commit", "keep_snapshots"),
                    ("schedule", "every"),
                    ("schedule", "batch_every"),
                    ("schedule", "cron"),
                ),
            )
    if maintenance.orphans_after < ORPHANS_AFTER_AT_LEAST:
        yield Broken(("maintenance", "orphans_after"), f"must be at least {format_duration(ORPHANS_AFTER_AT_LEAST)}")


def _backfill(interval: timedelta) -> Iterator[Broken]:
    """Only such lengths begin at the same time of every day."""
    if interval < BACKFILL_AT_LEAST:
        yield Broken(("backfill", "interval"), f"must be at least {format_duration(BACKFILL_AT_LEAST)}")
    elif DAY % interval and interval % DAY:
        yield Broken(("backfill", "interval"), "must divide a day, as 15m and 6h do, or be whole days")


def _cron_problem(expression: str) -> str | None:
    from croniter import CroniterError, croniter  # type: ignore[import-untyped]

    if len(expression.split()) != 5:
        return "write five fields: minute, hour, day of month, month, day of week"
    try:
        runs = croniter(expression)
    except (CroniterError, ValueError, KeyError) as error:
        return str(error)
    try:
        runs.get_next()
    except CroniterError:
        return "there is no such day"
    return None


def _source(pipeline: Pipeline) -> Iterator[Broken]:
    source = pipeline.source
    if not source.topics and source.topics_regex is None:
        yield Broken(("source",), "needs topics or topics_regex", (("source", "topics"), ("source", "topics_regex")))
    for name, count in Counter(source.topics).items():
        if count > 1:
            yield Broken(("source", "topics"), f"topic {name!r} is listed {count} times")
    if source.topics_regex is not None:
        try:
            re.compile(source.topics_regex)
        except re.error as error:
            yield Broken(("source", "topics_regex"), f"not a regular expression: {error}")
    elif isinstance(source.start, dict):
        for topic in source.start:
            if topic not in source.topics:
                yield Broken(
                    ("source", "start", topic), f"topic {topic!r} is not in source.topics", (("source", "topics"),)
                )


def _tables(pipeline: Pipeline) -> Iterator[Broken]:
    source, tables = pipeline.source, pipeline.tables
    for name, count in Counter(t.name for t in tables).items():
        if count > 1:
            last = max(i for i, t in enumerate(tables) if t.name == name)
            yield Broken(("tables", last, "name"), f"table {name!r} is listed {count} times")
    if source.topics_regex is None:
        for i, table in enumerate(tables):
            for topic in table.topics:
                if topic not in source.topics:
                    yield Broken(("tables", i, "topics"), f"topic {topic!r} is not in source.topics", _TOPICS)
    elif pipeline.route is None and all(t.topics for t in tables):
        message = "source.topics_regex can find more topics: at least one table must take them all (have no topics of its own)"
        yield Broken(("source", "topics_regex"), message, _TOPICS)
    for topic in dict.fromkeys(source.topics):
        if tables and pipeline.route is None and not any(pipeline.takes(t, topic) for t in tables):
            yield Broken(("source", "topics"), f"topic {topic!r} goes to no table", _TOPICS)
    if tables and any(t.name == pipeline.dead_letter_table for t in tables):
        yield Broken(
            ("dead_letters", "table"),
            f"{pipeline.dead_letter_table} must be a table of its own",
            (("tables", 0, "name"),),
        )
    names = list(pipeline.metadata_columns_by_key.values())
    if len(set(names)) < len(names):
        yield Broken(("metadata_columns",), "names must differ")


def _column_problem(pipeline: Pipeline, column: ColumnSettings) -> str | None:
    reading = column.reading
    is_constant = column.constant is not None
    if (reading or is_constant) and column.name in pipeline.metadata_columns_by_key.values():
        return f"is a metadata column, which no {'constant' if is_constant else 'field'} fills"
    if is_constant and (reading or column.mask):
        return "has a constant, so it has no field, cast or mask, nor type json"
    if column.type is None:
        has_more = column.zone or reading or is_constant or column.mask or column.sql
        needed = "needs a type (or a zone, field, cast, constant, mask or sql, for a column of an existing table)"
        return None if has_more else needed
    if column.zone and column.type not in ("timestamp", "timestamptz"):
        return f"zone is for timestamp and timestamptz, not for {column.type}"
    kind = parse_type(column.type)
    if is_constant:
        return _unfit_constant(column, kind)
    unfit = unfit_reading(kind, reading, column.zone) if reading else None
    return unfit or (unfit_mask(kind, column.mask) if column.mask else None)


def _unfit_constant(column: ColumnSettings, kind: ColumnType) -> str | None:
    if isinstance(kind, Text) and isinstance(column.constant, str):
        return None
    # Loads Arrow, so only for files that need it: DAG files are parsed all the time.
    from lakelock.records.constants import unfit_constant

    return unfit_constant(Column(column.name, kind), column.constant_text, column.zone)


def _clash(pipeline: Pipeline, table: Table) -> str | None:
    """Columns that read one field in different ways."""
    fields, others = RecordFields(), {*pipeline.metadata_columns_by_key.values(), table.rest_column, *table.unread}
    inputs = table.expressions.inputs if table.expressions else ()
    try:
        for column in (*table.declared, *inputs):
            reading = table.readings.get(column.name, Reading((column.name,)))
            if column.name not in others and not reading.whole:
                fields.read(column, reading, table.zones.get(column.name))
        fields.check()
    except Unfit as fault:
        return str(fault)
    return None


def _reshaped(pipeline: Pipeline, table: Table, at: Path) -> Iterator[Broken]:
    used = "flatten" if table.flatten is not None else "parse_json"
    if table.reshape is not None and pipeline.value.format != "json":
        yield Broken((*at, used), f"is for format json, not for {pipeline.value.format}", (("value", "format"),))
    if table.flatten is None or table.flatten.depth is not None:
        return
    joined = table.flatten.separator
    for column in table.columns:
        if (reading := column.reading) and len(reading.path) > 1:
            message = f"with flatten, no field is within another: write field: [{joined.join(reading.path)}]"
            yield Broken((*at, "columns", column.name), message, ((*at, "flatten"),))
    for path in table.drop_fields or ():
        if len(path) > 1:
            yield Broken((*at, "drop_fields"), f"with flatten, write [{joined.join(path)}]", ((*at, "flatten"),))


def _columns(pipeline: Pipeline, table: Table, at: Path) -> Iterator[Broken]:
    typed = [c for c in table.columns if c.type]
    if typed and len(typed) < len(table.columns):
        untyped = next(c.name for c in table.columns if not c.type)
        message = (
            "has no type, but other columns do: give all columns a type, or none (for the `zone`, `field`, `cast`, "
            "`constant`, `mask` and `sql` of an existing table)"
        )
        yield Broken((*at, "columns", untyped), message)
    for column in table.columns:
        if problem := _column_problem(pipeline, column):
            yield Broken((*at, "columns", column.name), problem, (("metadata_columns",),))
    # Each column of delimited text reads its field by itself.
    if pipeline.value.options is None and (problem := _clash(pipeline, table)):
        yield Broken((*at, "columns"), problem)
    else:
        yield from case_rules(pipeline, table, at)
    yield from new_fields_rules(pipeline, table, at)
    yield from _reshaped(pipeline, table, at)
    for key, name in pipeline.metadata_columns_by_key.items():
        declared = next((c for c in typed if c.name == name), None)
        if declared is not None and not takes(key, parse_type(declared.type or "")):
            message = (
                f"is the metadata column for {named(key)}, so its type must be {types_text(key)}; or rename it under "
                "metadata_columns"
            )
            yield Broken((*at, "columns", name), message, (("metadata_columns",),))
    columns = {c.name: c for c in typed}
    for name in table.id_columns if columns else ():
        if name not in columns:
            yield Broken((*at, "id_columns"), f"column {name!r} is not declared; there are {', '.join(columns)}")
        elif not columns[name].required:
            yield Broken((*at, "id_columns"), f"column {name!r} must be required: {name}: {{type: …, required: true}}")
    known = {*columns, *pipeline.metadata_columns_by_key.values()}
    used = [("partition_by", parse_partition(text).column) for text in table.partition_by]
    used += [("sort_by", parse_sort(text).transform.column) for text in table.sort_by]
    for key, name in used if columns else ():
        # A name may have dots of its own, and one of a struct's field begins with the struct's.
        if not any(name == k or name.startswith(f"{k}.") for k in known):
            yield Broken((*at, key), f"column {name!r} is not declared; there are {', '.join(columns)}")
