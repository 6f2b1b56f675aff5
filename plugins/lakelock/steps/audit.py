"""audit: proves, source by source, that a pipeline's tables hold each offset once. Reads only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from lakelock.config import Pipeline
from lakelock.core.audit import Accounts, Counted, Letters, SourceAudit, countable, judge
from lakelock.core.batch import LIVE
from lakelock.core.offsets import Source
from lakelock.errors import LakelockError, Retryable, TopicMissing
from lakelock.ports import Broker, Clock, Log, Tables, TableState


@dataclass(frozen=True, slots=True)
class TableAudit:
    """One table. `fault` is why it could not be judged; `rows_not_counted` why only ledger and books were compared."""

    table: str
    snapshot_id: int | None = None
    generation: int | None = None
    sources: tuple[SourceAudit, ...] = ()
    rows_not_counted: str | None = None
    rows_without_offset: int = 0
    fault: str | None = None

    @property
    def faults(self) -> list[str]:
        return [
            *([self.fault] if self.fault else []),
            *([f"{self.rows_without_offset} rows have no offset"] if self.rows_without_offset else []),
            *(f"{s.source}: {fault}" for s in self.sources for fault in s.faults),
        ]


@dataclass(frozen=True, slots=True)
class PipelineAudit:
    pipeline: str
    at: datetime
    tables: tuple[TableAudit, ...]

    @property
    def complete(self) -> bool:
        return not any(table.faults for table in self.tables)


def audit(
    pipeline: Pipeline, log: Log, tables: Tables, broker: Broker, clock: Clock, count_rows: bool = True
) -> PipelineAudit:
    """Judges every table of the file, and those that were written once and left it. Safe beside a running pipeline.

    A table that cannot be read now is Retryable; what its ledger says against itself is a fault of the table.
    """
    accounts = log.accounts(pipeline.name)
    bound = log.bound(pipeline.name)
    ends = _ends(pipeline, broker)
    letters = _load(tables, pipeline.dead_letter_table) if pipeline.dead_letter_table in bound else None
    names = dict.fromkeys([*(t.name for t in pipeline.tables), *bound])
    names.pop(pipeline.dead_letter_table, None)
    judged = []
    for name in names:
        if name not in bound:
            judged.append(TableAudit(name, rows_not_counted="nothing was written yet"))
            continue
        state = _load(tables, name)
        if isinstance(state, str):
            judged.append(TableAudit(name, fault=state))
            continue
        after = {s.source: s.next_offset for s in log.streams(pipeline.name, LIVE)}
        judged.append(_judge(pipeline, tables, state, letters, accounts, after, ends, count_rows))
    if isinstance(letters, str):
        judged.append(TableAudit(pipeline.dead_letter_table, fault=letters))
    return PipelineAudit(pipeline.name, clock.now(), tuple(judged))


def _load(tables: Tables, name: str) -> TableState | str:
    try:
        return tables.load(name)
    except Retryable:
        raise
    except LakelockError as fault:
        return str(fault)


def _ends(pipeline: Pipeline, broker: Broker) -> Mapping[Source, int]:
    """Kafka's ends; nothing where a topic is gone: what was read of it is judged all the same."""
    try:
        sources = broker.sources(pipeline.source.topics, pipeline.source.topics_regex)
    except TopicMissing:
        return {}
    return {source: span.end_offset for source, span in broker.watermarks(sources).items()}


def _judge(
    pipeline: Pipeline,
    tables: Tables,
    state: TableState,
    letters: TableState | str | None,
    accounts: Accounts,
    after: Mapping[Source, int],
    ends: Mapping[Source, int],
    count_rows: bool,
) -> TableAudit:
    if state.ledger is None:
        return TableAudit(state.name, fault="the table was written to, but carries no ledger of this pipeline")
    coverage = state.ledger.coverage
    counted: Mapping[int | None, Counted] = {}
    dead: Mapping[tuple[str, int], Letters] | None = None
    why_not = None if count_rows else "not asked for"
    if count_rows:
        counted, why_not = _counted(pipeline, tables, state)
        if isinstance(letters, TableState):
            dead = tables.count_dead_letters(letters, state.name)
    frontiers = {s.source: s.next_offset for s in accounts.streams}
    incarnations = Counter((s.topic, s.partition) for s in coverage)
    judged = []
    for source, held in sorted(coverage.items()):
        # A dead letter names its topic, not the topic's id: of two that had the name nobody can tell whose it is.
        told_apart = dead is not None and incarnations[(source.topic, source.partition)] == 1
        judged.append(
            judge(
                state.name,
                source,
                held,
                frontier=frontiers.get(source),
                frontier_after=after.get(source),
                end_offset=ends.get(source),
                in_flight=accounts.open.get(state.name, ()),
                totals=accounts.totals.get((state.name, "", source)),
                counted=None if why_not else counted.get(source.partition, Counted(0, 0, 0)),
                letters=dead.get((source.topic, source.partition), Letters(0, 0))
                if dead is not None and told_apart
                else None,
            )
        )
    strangers = sum(c.rows for p, c in counted.items() if p not in {s.partition for s in coverage})
    return TableAudit(state.name, state.head_snapshot_id, state.ledger.generation, tuple(judged), why_not, strangers)


def _counted(pipeline: Pipeline, tables: Tables, state: TableState) -> tuple[Mapping[int | None, Counted], str | None]:
    """Rows by partition number, or why they cannot be told apart."""
    columns = pipeline.metadata_columns_by_key
    assert state.ledger is not None
    if "partition" not in columns or "offset" not in columns:
        return {}, "the pipeline keeps no partition and offset columns"
    by_number = countable(state.ledger.coverage)
    if by_number is None:
        return {}, "several topics share the table, so a partition number means several"
    held = {number: state.ledger.coverage[source] for number, source in by_number.items()}
    found = tables.count_rows(state, columns["partition"], columns["offset"], held)
    return ({}, "the table has delete files, compact it first") if found is None else (found, None)
