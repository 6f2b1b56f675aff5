"""Assign dead letters without a table to the tables that today's rules name, once and for all of their tables together.

From then on a redrive treats them like dead letters of these tables: each table that gets a row says so in its own ledger.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lakelock.config import Pipeline
from lakelock.errors import LakelockError, RedriveRefused, Retryable, State, Terminal
from lakelock.ingest.assigned_letters import assigned_letters
from lakelock.ingest.bind import Binder
from lakelock.ingest.commit_loop import UNDONE, Done, Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.dead_letter_state import coverage_of
from lakelock.ingest.new_tables import refuse_names
from lakelock.ingest.plan import refuse_other_tables
from lakelock.ingest.registration import inherited, retired_now
from lakelock.ingest.tables_to_write import dead_letter_tables, most_tables_of_record
from lakelock.model.batches import NO_TABLE, of_target, plain_range
from lakelock.model.coverage import Coverage
from lakelock.model.joint_coverage import joined
from lakelock.model.joint_mark import inheriting
from lakelock.model.offsets import OffsetRange, offsets_in, overlap, united, without
from lakelock.model.operator_log import Decided
from lakelock.model.registry import Registry
from lakelock.ports import TableState
from lakelock.ports.redrive_jobs import DeadLetterStore, LettersToRoute, OpenDeadLetters, RoutedLetters, RoutedTable
from lakelock.records.routing.router import Router
from lakelock.redrive import decision as decisions
from lakelock.redrive.dead_letter_lookup import DeadLetterLookup
from lakelock.redrive.redrive_preview import ApprovedTable, RedriveOutcome, RedriveRequest, UnassignedLetters

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Assignment:
    """*tables* are the dead-letter tables, the current one first if it exists. *route* applies a router to letters.

    *make* creates a table from values, binds it, and names it in the current dead-letter table's ledger.
    """

    lookup: DeadLetterLookup
    tables: tuple[TableState, ...]
    route: Callable[[LettersToRoute], RoutedLetters]
    make: Callable[[Pipeline, str, Sequence[bytes]], None]
    pause: Callable[[float], None]

    @classmethod
    def begin(
        cls,
        lookup: DeadLetterLookup,
        route: Callable[[LettersToRoute], RoutedLetters],
        make: Callable[[Pipeline, str, Sequence[bytes]], None],
        pause: Callable[[float], None],
    ) -> Assignment | None:
        """None without routes, or before the pipeline has a dead-letter table."""
        pipeline = lookup.context.pipeline
        refuse_other_tables(pipeline, lookup.context.log)
        there = lookup.dead_letter_tables() if pipeline.route is not None else ()
        tables = tuple(t for t in there if t.ledger is not None)
        return cls(lookup, tables, route, make, pause) if tables else None

    @property
    def context(self) -> PipelineContext:
        return self.lookup.context

    @property
    def box(self) -> DeadLetterStore:
        return self.lookup.box

    def of(self, request: RedriveRequest) -> list[str]:
        """Tables to which dead letters are assigned that *request* is about."""
        is_routed = self.context.pipeline.is_routed
        return [n for n in self.registry.assigned if is_routed(n) and request.table in {None, NO_TABLE, n}]

    def of_retired(self, request: RedriveRequest) -> dict[str, tuple[OffsetRange, ...]]:
        """Dead letters that *request* is about and that wait for retired tables, by table."""
        if request.table not in {None, NO_TABLE}:
            return {}
        context, registry = self.context, self.registry
        away = [name for name in registry.assigned if not context.pipeline.is_routed(name)]
        found = assigned_letters(context.log, context.tables, context.pipeline.name, registry, away).waiting
        retired = {name: tuple(request.of(of.ranges)) for name, of in found.items() if of.is_retired}
        return {name: ranges for name, ranges in retired.items() if ranges}

    @property
    def registry(self) -> Registry:
        return inherited(self.tables[0], self.tables[1:])

    def preview(self, request: RedriveRequest) -> UnassignedLetters | None:
        """None if *request* is about a table."""
        if request.table not in {None, NO_TABLE}:
            return None
        found = self._open(request)
        tried = decisions.sample(found.ranges)
        routed = self.route(self._order(tried)) if tried else RoutedLetters()
        new = tuple(sorted(routed.tables.keys() - self.registry.tables.keys()))
        return UnassignedLetters(
            found.ranges, found.causes, offsets_in(tried), {n: offsets_in(t.ranges) for n, t in routed.tables.items()},
            new, routed.unroutable, self.seen,
        )  # fmt: skip

    @property
    def seen(self) -> ApprovedTable:
        """What an approval is for: these dead letters, under this file."""
        current = self.tables[0]
        assert current.head_id is not None
        known = {s.name: s.head_id for s in self.tables if s.head_id is not None}
        return ApprovedTable(0, current.head_id, known, self.context.pipeline.digest)

    def assign(self, request: RedriveRequest, seen: ApprovedTable, said: Decided) -> Iterator[RedriveOutcome]:
        """Assign what was there at the preview. Yield the result so far after each chunk."""
        if seen.digest != self.context.pipeline.digest:
            raise RedriveRefused(
                "the pipeline file was edited after the preview.", State.NOTHING_CHANGED, decisions.AGAIN
            )
        current = self._with_current()
        within = letters_in(current.lookup.letters_at(current.tables, seen))
        yield from current._assigned(request, within, said)

    def _with_current(self) -> Assignment:
        """With the dead-letter table that the pipeline file names now, which no batch may have created yet."""
        context, pipeline = self.context, self.context.pipeline
        if self.tables[0].name == pipeline.dead_letter_table:
            return self
        binder = Binder.of_file(context.log, context.tables, pipeline, context.new_id, self.pause)
        return replace(self, tables=dead_letter_tables(binder, pipeline.dead_letter_table).all)

    def _assigned(
        self, request: RedriveRequest, within: Sequence[OffsetRange], said: Decided
    ) -> Iterator[RedriveOutcome]:
        done = RedriveOutcome(NO_TABLE)
        # Each table of a letter has a piece of its own in the ledger.
        most = max(1, decisions.CHUNK_PIECES // most_tables_of_record(self.context.pipeline))
        for chunk in decisions.chunks(self._open(request, within).ranges, most_pieces=most):
            routed = self.route(self._order(tuple(chunk)))
            made = self._made(routed, State.DONE_KEPT if done.has_landed else State.NOTHING_CHANGED)
            done = done.assigned(offsets_in(chunk), self._landed(made, said), routed.unroutable)
            yield done

    def _open(self, request: RedriveRequest, within: Sequence[OffsetRange] | None = None) -> OpenDeadLetters:
        places = without(letters_in(joined(map(coverage_of, self.tables))), self.registry.all_assigned)
        if within is not None:
            places = overlap(places, within)
        ranges: list[OffsetRange] = []
        causes: Counter[str] = Counter()
        for state in self.tables:
            found = self.box.open(
                state, NO_TABLE, request.of(united(places)), request.reason, decisions.MOST_OPEN_PIECES
            )
            if found is None:
                raise decisions.hidden(state.name)
            ranges += found.ranges
            causes.update(found.causes)
        decisions.refuse_open_pieces(NO_TABLE, len(united(ranges)))
        return OpenDeadLetters(tuple(united(ranges)), dict(causes))

    def _order(self, ranges: tuple[OffsetRange, ...]) -> LettersToRoute:
        files = tuple(self.box.files(s, NO_TABLE) for s in self.tables)
        return LettersToRoute(self._router(), ranges, files, self.context.pipeline.value.compression)

    def _router(self) -> Router:
        pipeline, registry = self.context.pipeline, self.registry
        router = pipeline.router
        assert router is not None
        retired = retired_now(registry, self.context.log, pipeline.name)
        known = {n: t.raw_name for n, t in registry.tables.items() if n not in retired}
        taken = router.taken.union(s.name for s in self.tables)
        return replace(router, known={**self.context.routed(), **known}, taken=taken, retired=retired)

    def _made(self, routed: RoutedLetters, state: State) -> dict[str, RoutedTable]:
        """Tables of *routed*, created if they are new. A letter of which one table cannot be made is assigned to none.

        *state* is that of a refusal.
        """
        pipeline, registry = self.context.pipeline, self.registry
        there = self.context.routed()
        new = sorted(routed.tables.keys() - registry.tables.keys() - there.keys())
        assert pipeline.route is not None
        limit = pipeline.route.max_tables
        refuse_names(pipeline, self.context.log, new, len(there), limit, "the dead letters", state)
        raw_names = {**self.context.routed(), **{name: routed.tables[name].raw_name for name in new}}
        away: list[OffsetRange] = []
        for name in sorted(routed.tables):
            known = registry.tables.get(name)
            if known is not None and known.uuid is not None and not self._is_unadopted(name):
                continue
            try:
                self.make(pipeline.with_routed(raw_names), name, routed.tables[name].sample)
            except Retryable:
                raise
            except LakelockError as fault:
                logger.error("%s: its dead letters are not assigned: %s", name, fault)
                away += routed.tables[name].ranges
        return {name: replace(t, ranges=tuple(without(t.ranges, away))) for name, t in routed.tables.items()}

    def _landed(self, made: Mapping[str, RoutedTable], said: Decided) -> dict[str, tuple[OffsetRange, ...]]:
        """Name the tables of the dead letters in the current dead-letter table's ledger; those that this did."""
        context, commit_id, done = self.context, self.context.new_id(), dict[str, tuple[OffsetRange, ...]]()

        def draft() -> Land[None] | Done[None]:
            tables = [context.followed(s.name)[0] for s in self.tables]
            if (landed := context.tables.find_commit(tables[0], commit_id)) is not None:
                return Done(None, landed)
            ledger = tables[0].ledger
            assert ledger is not None
            joint = inheriting(ledger, [t.ledger for t in tables[1:] if t.ledger is not None])
            registry = joint.registry or Registry()
            # Another redrive may have been first, and dead letters may have been removed.
            free = without(letters_in(joined(map(coverage_of, tables))), registry.all_assigned)
            done.clear()
            done.update({name: of for name, t in made.items() if (of := tuple(overlap(t.ranges, free)))})
            if not done:
                return Done(None)
            registry = registry.assigning(done)
            decisions.refuse_assigned_pieces(tables[0].name, sum(len(of) for of in registry.assigned.values()))
            after = replace(joint, commit_id=commit_id, registry=registry, decisions=(*ledger.decisions, said))
            return Land(tables[0], context.change(after), None)

        if any(t.ranges for t in made.values()):
            until_landed(context.tables, self.tables[0].name, draft, self.pause, *UNDONE)
            context.report(self.tables[0].name)
        return done

    def _is_unadopted(self, name: str) -> bool:
        """Whether a redrive or a batch was killed between the table's registration and its first commit."""
        try:
            return self.context.tables.load(name).ledger is None
        except Terminal:
            # The letters are assigned to it; a redrive says what is wrong with it.
            return False


def letters_in(dead_letters: Coverage) -> list[OffsetRange]:
    """Ranges that have dead letters without a table."""
    return united(plain_range(r) for r in dead_letters.data.ranges if of_target(r.source)[0] == NO_TABLE)
