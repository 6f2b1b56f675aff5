"""Audit a pipeline: prove, source by source, that its tables hold each offset once. Changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from lakelock.audit.decision import SourceAudit, judge
from lakelock.audit.route_sums import RouteAudit
from lakelock.audit.routed_audit import assigned_to, audited_routes, still_coming, with_coming
from lakelock.config import Pipeline
from lakelock.errors import LakelockError, Retryable, TableMissing, Terminal
from lakelock.ingest.bind import load, was_written
from lakelock.ingest.plan import current_sources
from lakelock.ingest.plan_decision import check_history, check_identity
from lakelock.ingest.reconcile_decision import nowhere
from lakelock.model.batches import LIVE, covered_source, is_target
from lakelock.model.counts import Accounts, Counted, DeadLetterCounts, countable
from lakelock.model.coverage import Coverage
from lakelock.model.joint_coverage import joined
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.operator_log import Decided
from lakelock.model.route_evidence import RouteEvidence
from lakelock.ports import Broker, Clock, Log, Tables, TableState, Watermarks
from lakelock.records.reasons import CountedCause, together

# Most causes of dead letters shown per table.
CAUSES = 5
_HIDDEN = "delete files hide rows of {}: apply them first, as Spark's `rewrite_data_files` does"
_GONE = "is gone, and no longer in the pipeline file"


@dataclass(frozen=True, slots=True)
class TableAudit:
    """One table's result. `fault` is why it could not be judged; `not_counted` why only ledger and books were compared.

    Rows without an offset are not lakelock's: they were there before, or another writer added them.
    """

    table: str
    version_id: int | None = None
    generation: int | None = None
    sources: tuple[SourceAudit, ...] = ()
    not_counted: tuple[str, ...] = ()
    rows_without_offset: int = 0
    rows_of_strange_partitions: int = 0
    fault: str | None = None
    note: str | None = None
    decisions: tuple[Decided, ...] = ()
    last_rollback: str | None = None
    causes: tuple[CountedCause, ...] = ()

    @property
    def faults(self) -> list[str]:
        strange = self.rows_of_strange_partitions
        return [
            *([self.fault] if self.fault else []),
            *([f"{strange} rows have a partition that the ledger does not have"] if strange else []),
            *(f"{s.source}: {fault}" for s in self.sources for fault in s.faults),
        ]


@dataclass(frozen=True, slots=True)
class PipelineAudit:
    """A pipeline's result; `faults` are those of the topics and of routing, and each table has its own."""

    pipeline: str
    at: datetime
    faults: tuple[str, ...]
    tables: tuple[TableAudit, ...]
    routes: RouteAudit | None = None

    @property
    def complete(self) -> bool:
        return not self.faults and not any(table.faults for table in self.tables)


def audit(
    pipeline: Pipeline, log: Log, tables: Tables, broker: Broker, clock: Clock, count_rows: bool = True
) -> PipelineAudit:
    """Judge every table of the file, and tables that were written before and left it. Safe beside a running pipeline.

    Raises Retryable if a server does not answer. Any other error that keeps a table from being judged is a fault of
    it.
    """
    accounts, spans, faults = _kafka(pipeline, log, broker)
    bound = log.bound(pipeline.name)
    dead_letters = {
        pipeline.dead_letter_table,
        *(t for t, seen in accounts.seen.items() if any(is_target(s) for s in seen.coverage)),
    }
    shared = _Audit(pipeline, log, tables, spans, sorted(dead_letters & bound.keys()), count_rows)
    for name in accounts.seen.keys() - bound.keys():
        # Decisions about a table that was never written to.
        shared.known.coverage = joined([shared.known.coverage, accounts.seen[name].coverage])
    planned = [name for name, _ in accounts.open]
    names = dict.fromkeys([*(t.name for t in pipeline.tables), *bound, *planned])
    judged = [_table(shared, name, name in bound) for name in names if name not in dead_letters]
    routes = None
    if pipeline.route is not None:
        routes = audited_routes(pipeline.name, log, tables, shared.dead_letter_tables, CAUSES if count_rows else None)
        faults += routes.faults
    # Rules may leave records out, and no table has those. Each routed table is judged up to the frontier.
    if pipeline.route is None and not any(table.fault or table.note == _GONE for table in judged):
        # A batch that ends earlier moves a frontier back, and the rest is planned later.
        now = {s.source: s.next_offset for s in log.streams(pipeline.name, LIVE)}
        reached = [
            replace(s, next_offset=min(s.next_offset, now.get(s.source, s.next_offset)))
            for s in accounts.streams.values()
        ]
        lost = nowhere(reached, shared.known.coverage, shared.known.on_its_way)
        faults += [f"{r} is in no table, and on its way to none" for r in lost]
    return PipelineAudit(pipeline.name, clock.now(), tuple(faults), tuple(judged), routes)


@dataclass(slots=True)
class _Known:
    """Coverage of the tables looked at so far, and the ranges that were on their way just before."""

    coverage: Coverage = field(default_factory=Coverage)
    on_its_way: list[OffsetRange] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Audit:
    pipeline: Pipeline
    log: Log
    tables: Tables
    spans: Mapping[Source, Watermarks]
    dead_letter_tables: Sequence[str]
    count_rows: bool
    known: _Known = field(default_factory=_Known)


def _kafka(pipeline: Pipeline, log: Log, broker: Broker) -> tuple[Accounts, Mapping[Source, Watermarks], list[str]]:
    """The log's accounts, Kafka's watermarks, and faults for unread ranges that Kafka no longer holds."""
    faults: list[str] = []
    spans: Mapping[Source, Watermarks] = {}
    # The pipeline may plan, write and commit between two looks; a real fault stays.
    for _ in range(2):
        faults, accounts = [], log.accounts(pipeline.name)
        try:
            streams = list(accounts.streams.values())
            sources = current_sources(pipeline, streams, broker)
            spans = broker.watermarks(sources)
            check_identity(streams, sources, pipeline.name)
            check_history(streams, spans)
        except Terminal as fault:
            faults.append(str(fault))
        for r in accounts.unwritten:
            if r.source in spans and r.start < spans[r.source].low_offset:
                faults.append(
                    f"{r} is planned and not written, and Kafka holds only from {spans[r.source].low_offset} on"
                )
        if not faults:
            break
    return accounts, spans, faults


def _table(audit: _Audit, name: str, bound: bool) -> TableAudit:
    try:
        # Read before the table, which then shows all that the log has as committed or on its way.
        accounts = audit.log.accounts(audit.pipeline.name)
        audit.known.on_its_way += [r for (to, _), open_now in accounts.open.items() for r in open_now if to == name]
        evidence = audit.log.evidence(audit.pipeline.name, name)
        state = load(audit.log, audit.tables, audit.pipeline.name, name)
        if state.ledger is not None:
            audit.known.coverage = joined([audit.known.coverage, state.ledger.coverage])
            return _judged(audit, state, accounts, evidence)
    except Retryable:
        raise
    except TableMissing as fault:
        if not bound:
            seen = accounts.seen.get(name)
            return TableAudit(name, note="not created yet", decisions=seen.decisions if seen else ())
        if not any(t.name == name for t in audit.pipeline.tables):
            return TableAudit(name, note=_GONE)
        return TableAudit(name, fault=str(fault))
    except LakelockError as fault:
        return TableAudit(name, fault=str(fault))
    if bound and (evidence is None or was_written(audit.tables, state, audit.pipeline.name)):
        return TableAudit(name, fault="this pipeline has written to the table, but the table carries no ledger of it")
    return TableAudit(name, note="nothing has been written to it yet")


def _judged(audit: _Audit, state: TableState, accounts: Accounts, evidence: RouteEvidence | None) -> TableAudit:
    assert state.ledger is not None
    pipeline, log = audit.pipeline, audit.log
    # Add sources that the table takes and that were planned, although nothing of them has landed.
    starts = {s: o for s, o in log.declared_starts(pipeline.name, state.name).items() if s in accounts.streams}
    after = {s.source: s.next_offset for s in log.streams(pipeline.name, LIVE)}
    coverage = state.ledger.coverage.starting(starts)
    if evidence is not None:
        accounts = with_coming(accounts, state.name, still_coming(evidence, state.ledger.coverage))
        coverage = evidence.effective(coverage, state.ledger.generation)
    assigned = [] if evidence is None else assigned_to(audit.tables, audit.dead_letter_tables, state.name)
    counted, dead, not_counted, causes = (
        _counts(audit, state) if audit.count_rows else (None, None, ["rows: not requested"], [])
    )
    judged = [
        judge(
            state.name,
            source,
            state.ledger,
            covered,
            accounts,
            taken=pipeline.feeds(state.name, source.topic),
            frontier_after=after.get(source),
            end_offset=audit.spans[source].end_offset if source in audit.spans else None,
            low_offset=audit.spans[source].low_offset if source in audit.spans else None,
            # If the ledger does not have the source, rows with its partition number may be of another source.
            counted=None
            if counted is None or source not in state.ledger.coverage
            else counted.get(source.partition, Counted()),
            dead_letters=None if dead is None else dead.get(source, DeadLetterCounts()),
            had_no_table=assigned,
        )
        for source, covered in sorted(coverage.items())
    ]
    by_number = counted or {}
    numbers = {s.partition for s in coverage}
    return TableAudit(
        state.name,
        state.head_id,
        state.ledger.generation,
        tuple(judged),
        tuple(not_counted),
        by_number[None].rows if None in by_number else 0,
        sum(c.rows for number, c in by_number.items() if number is not None and number not in numbers),
        decisions=state.ledger.decisions,
        last_rollback=state.ledger.rollback.line if state.ledger.rollback else None,
        causes=tuple(causes),
    )


def _counts(
    audit: _Audit, state: TableState
) -> tuple[
    Mapping[int | None, Counted] | None, Mapping[Source, DeadLetterCounts] | None, list[str], list[CountedCause]
]:
    """Rows and dead letters counted by another engine; None, with the reason, if the count would mean nothing."""
    assert state.ledger is not None
    rows, why_not = _rows(audit, state)
    reasons = [f"rows: {why_not}"] if why_not else []
    dead_letters: dict[Source, DeadLetterCounts] = {}
    causes: list[CountedCause] = []
    covered = state.ledger.coverage
    for name in audit.dead_letter_tables:
        try:
            there = audit.tables.load(name)
            found = audit.tables.count_dead_letters(there, state.name, covered)
            if any(of_source.rows for of_source in (found or {}).values()):
                causes += audit.tables.dead_letter_causes(there, state.name, {s.topic_id for s in covered}, CAUSES)
        except TableMissing:
            # Then the books show more dead letters than exist.
            continue
        if found is None:
            return rows, None, [*reasons, f"dead letters: {_HIDDEN.format(name)}"], []
        recorded = _recorded(there, state)
        for source in {*found, *recorded}:
            more = found.get(source, DeadLetterCounts()).plus(recorded.get(source, DeadLetterCounts()))
            dead_letters[source] = dead_letters.get(source, DeadLetterCounts()).plus(more)
    return rows, dead_letters, reasons, together(causes, CAUSES)


def _recorded(dead_letters: TableState, target: TableState) -> dict[Source, DeadLetterCounts]:
    """Dead letters of *target* that the dead-letter table's ledger records as lost."""
    out: dict[Source, DeadLetterCounts] = {}
    if dead_letters.ledger is None or target.ledger is None:
        return out
    for source in target.ledger.coverage:
        named = covered_source(source, target.name)
        covered = dead_letters.ledger.coverage.get(named)
        if covered and covered.totals.filtered:
            out[source] = DeadLetterCounts(lost=covered.totals.filtered)
    return out


def _rows(audit: _Audit, state: TableState) -> tuple[Mapping[int | None, Counted] | None, str | None]:
    assert state.ledger is not None
    names = audit.pipeline.metadata_columns_by_key
    present = {c.name for c in state.columns}
    partition, offset = names.get("partition"), names.get("offset")
    if partition is None or offset is None or not {partition, offset} <= present:
        return None, "the table has no columns for partition and offset"
    others = [name for name, theirs in audit.tables.others(state).items() if any(h.intervals for h in theirs.values())]
    if others:
        return None, f"{', '.join(sorted(others))} also wrote rows to it"
    coverage = state.ledger.coverage
    by_number = countable(coverage)
    if by_number is None:
        return None, "several topics share the table, so a partition number does not identify one partition"
    covered = {number: coverage[source] for number, source in by_number.items()}
    found = audit.tables.count_rows(state, (partition, offset), covered)
    return (None, _HIDDEN.format(state.name)) if found is None else (found, None)
