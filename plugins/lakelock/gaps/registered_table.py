"""A routed table as the dead-letter table's ledger names it, and another table that takes its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from lakelock.config import Pipeline
from lakelock.errors import DecisionRefused, State, TableMissing
from lakelock.ingest.bind import load
from lakelock.ingest.commit_loop import UNDONE, Done, Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.model.batches import LIVE, is_backfill
from lakelock.model.ledger import Ledger, registry_of
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.operator_log import Decided
from lakelock.model.registry import RegisteredTable, Registry
from lakelock.model.retirement import Retirement, first_of
from lakelock.ports import TableState


@dataclass(frozen=True, slots=True)
class Registered:
    """The table *name* of *registry*, which the dead-letter table *ledger_of* has."""

    name: str
    table: RegisteredTable
    registry: Registry
    ledger_of: str

    @classmethod
    def find(cls, context: PipelineContext, name: str) -> Registered | None:
        """The registered table; None if no dead-letter table names it. Raises TableMissing if one is gone."""
        ledgers, pipeline = dict[str, Ledger](), context.pipeline.name
        for dead_letters in context.dead_letter_tables:
            try:
                ledger = load(context.log, context.tables, pipeline, dead_letters).ledger
            except TableMissing:
                # One that no run has made yet names nothing. One that is away names all tables that rules made.
                if name in {**context.log.routed(pipeline, [name]), **context.log.retirements(pipeline)}:
                    raise
                continue
            ledgers |= {dead_letters: ledger} if ledger is not None else {}
        registry = registry_of(ledgers.values())
        if registry is None or name not in registry.tables:
            return None
        named = (d for d, ledger in ledgers.items() if ledger.registry is not None and name in ledger.registry.tables)
        return cls(name, registry.tables[name], registry, next(named))

    def starts(self, context: PipelineContext) -> dict[Source, int]:
        """Where routing began, for the sources of which any registered configuration may give records to the table, or of which
        dead letters are assigned to it."""
        files = [Pipeline.from_resolved(c.config) for c in self.registry.configs]
        routed = [file.with_routed({self.name: self.table.raw_name}) for file in files]
        streams = context.log.streams(context.pipeline.name, LIVE)
        assigned = {r.source.topic for r in self.registry.assigned.get(self.name, ())}
        topics = {t for t in {s.source.topic for s in streams} if any(p.feeds(self.name, t) for p in routed)}
        return {s.source: s.start_offset for s in streams if s.source.topic in topics | assigned}

    def owed(self, context: PipelineContext, again: list[OffsetRange]) -> list[OffsetRange]:
        """Of *again*, which lies below the frontiers, what a new table owes: all before the first batch that is not closed.

        That batch, and those after it, are above the mark. A new table gets a part of each when it is closed, or is read for
        when the log follows.
        """
        unclosed: dict[Source, int] = {}
        for r in _unclosed(context):
            unclosed[r.source] = min(r.start, unclosed.get(r.source, r.start))
        ends = [(r, min(r.end, unclosed.get(r.source, r.end))) for r in again]
        return [OffsetRange(r.source, r.start, end) for r, end in ends if r.start < end]

    def replaced_by(self, context: PipelineContext, state: TableState, pause: Callable[[float], None]) -> None:
        """Name *state* in place of the table. Idempotent.

        Raises DecisionRefused if another rebind has named a third one since this was found: the name is bound to that.
        """
        commit_id, uuid = context.new_id(), state.uuid
        # A batch that is not closed may end earlier, and the rest be planned with others: the table gets records of both.
        unclosed = _unclosed(context)
        ends = {s.source: s.next_offset for s in context.log.streams(context.pipeline.name, LIVE)}
        frontiers = first_of(ends, unclosed)

        def draft() -> Land[None] | Done[None]:
            now = load(context.log, context.tables, context.pipeline.name, self.ledger_of)
            assert now.ledger is not None
            assert now.ledger.registry is not None
            known = now.ledger.registry.tables[self.name]
            named = known.uuid
            if named == uuid and not known.is_retired:
                return Done(None)
            if known != self.table:
                raise DecisionRefused(
                    f"table {self.name} was bound to UUID {named} while this rebind, to UUID {uuid}, was running.",
                    State.NOTHING_CHANGED,
                    "Review the plan again, if the table is still to be rebound.",
                )
            registry = now.ledger.registry.rebound(self.name, uuid, frontiers)
            return Land(now, context.change(replace(now.ledger, commit_id=commit_id, registry=registry)), None)

        until_landed(context.tables, self.ledger_of, draft, pause, *UNDONE)

    def retired(
        self, context: PipelineContext, retirement: Retirement, said: Decided, pause: Callable[[float], None]
    ) -> None:
        """Name the table as retired. Idempotent."""
        commit_id = context.new_id()

        def draft() -> Land[None] | Done[None]:
            now = load(context.log, context.tables, context.pipeline.name, self.ledger_of)
            assert now.ledger is not None
            assert now.ledger.registry is not None
            if now.ledger.registry.tables[self.name].uuid != self.table.uuid:
                raise DecisionRefused(
                    f"table {self.name} was bound to another UUID since this retirement was planned.",
                    State.NOTHING_CHANGED,
                    "Review the plan again.",
                )
            if self.name in now.ledger.registry.retired:
                return Done(None)
            ledger = replace(
                now.ledger,
                commit_id=commit_id,
                registry=now.ledger.registry.retiring(self.name, retirement),
                decisions=(*now.ledger.decisions, said),
            )
            return Land(now, context.change(ledger), None)

        until_landed(context.tables, self.ledger_of, draft, pause, *UNDONE)


def _unclosed(context: PipelineContext) -> list[OffsetRange]:
    """Ranges of batches that are not closed, without those of backfills, which lie before all others."""
    planned = context.log.planned(context.pipeline.name)
    return [p.range for b in planned if not b.closed and not is_backfill(b.lane) for p in b.ranges]


def keep_topics(context: PipelineContext, table: str, sources: Iterable[Source]) -> None:
    """A log may not know all topics of a routed table: a rebuilt one has them from its ledger, if it was not gone."""
    pipeline, topics = context.pipeline, sorted({s.topic for s in sources})
    context.log.plan(pipeline.name, LIVE, context.new_id(), {}, pipeline.digest, [], {}, {table: topics})
