"""A routed table as the dead-letter table's ledger names it, and another table that takes its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from lakelock.errors import DecisionRefused, State, TableMissing
from lakelock.ingest.bind import load
from lakelock.ingest.commit_loop import UNDONE, Done, Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.outcome import listed
from lakelock.ingest.registration import topics_of
from lakelock.model.batches import LIVE, is_backfill, of_target
from lakelock.model.consistent_cut import lacked
from lakelock.model.joint_mark import inheriting
from lakelock.model.ledger import Ledger, registry_of
from lakelock.model.offsets import OffsetRange, Source, overlap, united
from lakelock.model.older_log import older_log
from lakelock.model.operator_log import Decided
from lakelock.model.registry import RegisteredTable, Registry
from lakelock.model.retirement import Retirement, first_of
from lakelock.ports import TableState


@dataclass(frozen=True, slots=True)
class Registered:
    """The table *name* of *registry*, which all dead-letter tables name together.

    *ledger_of* is the first dead-letter table that has it, with *own* as its entry and at *generation*; *others* are the ledgers
    of the others.
    """

    name: str
    table: RegisteredTable
    registry: Registry
    ledger_of: str
    own: RegisteredTable
    generation: int
    others: tuple[Ledger, ...]

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
        registries = {d: ledger.registry for d, ledger in ledgers.items() if ledger.registry is not None}
        ledger_of = next(d for d, one in registries.items() if name in one.tables)
        others = tuple(ledger for d, ledger in ledgers.items() if d != ledger_of)
        own, generation = registries[ledger_of].tables[name], ledgers[ledger_of].generation
        return cls(name, registry.tables[name], registry, ledger_of, own, generation, others)

    def refuse_older_log(self, context: PipelineContext) -> None:
        """As the function, by the dead-letter table as it is now."""
        ledger = load(context.log, context.tables, context.pipeline.name, self.ledger_of).ledger
        if ledger is not None:
            refuse_older_log(context, ledger, self.name)

    def starts(self, context: PipelineContext) -> dict[Source, int]:
        """Where routing began, for the sources of which any registered configuration may give records to the table, or of which
        dead letters are assigned to it."""
        streams = context.log.streams(context.pipeline.name, LIVE)
        topics = topics_of(self.registry, self.name, {s.source.topic for s in streams})
        return {s.source: s.start_offset for s in streams if s.source.topic in topics}

    def owed(self, context: PipelineContext, again: list[OffsetRange]) -> list[OffsetRange]:
        """Of *again*, which lies below the frontiers, what a new table owes: all before the first batch that is not closed.

        That batch, and those after it, are above the mark. A new table gets a part of each when it is closed, or is read for
        when the log follows.
        """
        firsts = first_of({}, unclosed(context))
        ends = [(r, min(r.end, firsts.get(r.source, r.end))) for r in again]
        return [OffsetRange(r.source, r.start, end) for r, end in ends if r.start < end]

    def replaced_by(self, context: PipelineContext, state: TableState, pause: Callable[[float], None]) -> None:
        """Name *state* in place of the table, and as behind: it has no record yet. Idempotent.

        Raises DecisionRefused if another rebind has named a third one since this was found: the name is bound to that.
        """
        # A batch that is not closed may end earlier, and the rest be planned with others: the table gets records of both.
        ends = {s.source: s.next_offset for s in context.log.streams(context.pipeline.name, LIVE)}
        frontiers, sources = first_of(ends, unclosed(context)), self.starts(context)

        def rebound(ledger: Ledger, registry: Registry) -> Ledger:
            marked = ledger.mark.ranges if ledger.mark is not None else []
            lacks = lacked((r for r in marked if r.source in sources), marked)
            behind = {**ledger.behind, self.name: lacks} if lacks else ledger.behind
            return replace(ledger, registry=registry.rebound(self.name, state.uuid, frontiers), behind=behind)

        self._swapped(
            context,
            pause,
            lambda known: known.uuid == state.uuid and not known.is_retired,
            rebound,
            f"this rebind, to UUID {state.uuid}, was running",
        )

    def retired(
        self, context: PipelineContext, retirement: Retirement, said: Decided, pause: Callable[[float], None]
    ) -> None:
        """Name the table as retired. Idempotent.

        Raises DecisionRefused if the name has another table since this was found.
        """
        self._swapped(
            context,
            pause,
            lambda known: known.uuid == self.table.uuid and known.is_retired,
            lambda ledger, registry: replace(ledger, registry=registry.retiring(self.name, retirement)),
            "this retirement was planned",
            (said,),
        )

    def _swapped(
        self,
        context: PipelineContext,
        pause: Callable[[float], None],
        is_done: Callable[[RegisteredTable], bool],
        after: Callable[[Ledger, Registry], Ledger],
        since: str,
        said: tuple[Decided, ...] = (),
    ) -> None:
        """Land the ledger *after*, if the dead-letter table's own entry is still the one that was found.

        It takes over what the other dead-letter tables name and have marked, as a registration does: it would take it over
        later, and with it their entries of the table.
        """
        commit_id = context.new_id()

        def draft() -> Land[None] | Done[None]:
            now = load(context.log, context.tables, context.pipeline.name, self.ledger_of)
            ledger = now.ledger
            assert ledger is not None
            assert ledger.registry is not None
            refuse_older_log(context, ledger, self.name)
            known = ledger.registry.tables[self.name]
            if is_done(known):
                return Done(None)
            if ledger.generation != self.generation:
                # The log is rebuilt from what the recovery read: what this command has from the log is of before.
                raise DecisionRefused(
                    f"table {self.name}: a recovery went through {self.ledger_of} while {since}.",
                    State.DONE_KEPT,
                    "Run the command again.",
                )
            if known != self.own:
                raise DecisionRefused(
                    f"table {self.name} was bound to UUID {known.uuid} while {since}.",
                    State.NOTHING_CHANGED,
                    "Review the plan again, if it is still wanted.",
                )
            whole, decisions = inheriting(ledger, self.others), (*ledger.decisions, *said)
            assert whole.registry is not None
            decided = replace(after(whole, whole.registry), commit_id=commit_id, decisions=decisions)
            return Land(now, context.change(decided), None)

        until_landed(context.tables, self.ledger_of, draft, pause, *UNDONE)
        context.report(self.ledger_of)


def refuse_while_recovering(context: PipelineContext, table: str, advice: str) -> None:
    """Raise DecisionRefused during a recovery: the table could be changed, but not the log."""
    name = context.pipeline.name
    if (who := context.log.recovering(name)) is not None:
        raise DecisionRefused(
            f"table {table}: {who} started to rebuild the log of {name!r}, and the recovery has not finished.",
            State.NOTHING_CHANGED,
            f"Run `bin/lakelock recover FILE --yes` first{advice}",
        )


def refuse_older_log(context: PipelineContext, ledger: Ledger, table: str) -> None:
    """Raise WalUnusable if *ledger*, of the table or of its dead letters, has offsets that the log has not planned.

    Postgres was restored then. So it was if they are planned but not closed, and marked. By its frontiers, a table that takes the
    name would not owe these offsets, and one that is retired would be so for records that it has.
    """
    frontiers = {s.source: s.next_offset for s in context.log.streams(context.pipeline.name, LIVE)}
    found = [(of_target(source)[1], covered) for source, covered in ledger.coverage.items()]
    for source, covered in [*found, *(ledger.mark or {}).items()]:
        if frontiers.get(source, 0) < covered.end_offset:
            known = f"table {table}: the write-ahead log has {source} up to {frontiers.get(source, 0)}"
            raise older_log(f"{known}, but tables have it up to {covered.end_offset}", State.NOTHING_CHANGED)
    if ledger.mark is not None and (marked := overlap(united(unclosed(context)), ledger.mark.ranges)):
        known = f"table {table}: the write-ahead log has batches that are not closed"
        raise older_log(f"{known}, but {listed(marked)} is complete in all tables", State.NOTHING_CHANGED)


def unclosed(context: PipelineContext) -> list[OffsetRange]:
    """Ranges of batches that are not closed, without those of backfills, which lie before all others."""
    planned = context.log.planned(context.pipeline.name)
    return [p.range for b in planned if not b.closed and not is_backfill(b.lane) for p in b.ranges]


def keep_topics(context: PipelineContext, table: str, sources: Iterable[Source]) -> None:
    """A log may not know all topics of a routed table: a rebuilt one has them from its ledger, if it was not gone."""
    pipeline, topics = context.pipeline, sorted({s.topic for s in sources})
    context.log.plan(pipeline.name, LIVE, context.new_id(), {}, pipeline.digest, [], {}, {table: topics})
