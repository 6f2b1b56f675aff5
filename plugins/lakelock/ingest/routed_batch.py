"""The routed tables of one batch: those that it begins with, those that its records ask for, and how it is closed."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lakelock.config import Pipeline
from lakelock.errors import BatchChanged, LakelockError, State
from lakelock.ingest import bind as binding
from lakelock.ingest import books as bookkeeping
from lakelock.ingest.dead_letter_state import DeadLetterTables
from lakelock.ingest.edited_rules import refuse_edited
from lakelock.ingest.new_tables import NewTables, refuse_names
from lakelock.ingest.registration import inherited, register, with_those_of_log
from lakelock.ingest.tables_to_write import TablesToWrite, most_tables, sample_of
from lakelock.model.batches import LIVE, NO_TABLE, Batch, Books, Closing, PartResult, is_backfill
from lakelock.model.offsets import OffsetRange
from lakelock.model.registry import PlannedConfig, RegisteredTable, Registry
from lakelock.model.retirement import NEVER, Retirement
from lakelock.ports import SliceOutput, TableState, UnknownTable
from lakelock.records.routing.router import Router

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class RoutedBatch:
    """What an attempt knows of the routed tables of *batch*, which was planned under *file*.

    *raw_names* are the names of all routed tables before corrections, by table, without those that are retired; *retirements* has
    these, and those that were retired once. *dead_letters* is the dead-letter table as it was when the attempt began, *former*
    are those of earlier names. There may be *max_tables* routed tables, by the pipeline file as it is now. Records of the batch
    *asked* for tables that were no targets then.
    """

    binder: binding.Binder
    file: Pipeline
    batch: Batch
    dead_letters: TableState
    former: tuple[TableState, ...]
    max_tables: int
    raw_names: Mapping[str, str] = field(default_factory=dict)
    retirements: Mapping[str, RegisteredTable] = field(default_factory=dict)
    created: list[str] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    # With the names that it was made for.
    _with_routed: tuple[Mapping[str, str], Pipeline] | None = None

    @classmethod
    def begin(
        cls, binder: binding.Binder, file: Pipeline, batch: Batch, dead_letters: DeadLetterTables, max_tables: int
    ) -> RoutedBatch:
        """Know what the registry and the log know. The registry decides: it outlives the log."""
        current, former = dead_letters.current, dead_letters.former
        registry = inherited(current, former)
        retirements = registry.retirements(binder.log.retirements(file.name))
        retired = {name for name, t in retirements.items() if t.is_retired}
        there = {name: t.raw_name for name, t in registry.tables.items() if name not in retired}
        names = with_those_of_log(binder.log, file.name, there)
        for name in retired:
            names.pop(name, None)
        # Until they are given up, its parts are written like others.
        names |= {name: retirements[name].raw_name for name in retired.intersection(batch.planned_tables)}
        return cls(binder, file, batch, current, former, max_tables, names, retirements)

    @property
    def pipeline(self) -> Pipeline:
        """The file of the batch with all routed tables."""
        if self._with_routed is None or self._with_routed[0] is not self.raw_names:
            self._with_routed = self.raw_names, self.file.with_routed(self.raw_names)
        return self._with_routed[1]

    @property
    def registry(self) -> Registry:
        return inherited(self.dead_letters, self.former)

    def refuse_edited(self) -> None:
        """Raise ConfigFaults or WalUnusable as the function of this name, for all that a registration would name."""
        binder, planned = self.binder, self._planned()
        refuse_edited(binder.log, binder.tables, self.file.name, self.registry, planned, State.BATCH_PLANNED)

    @property
    def first(self) -> list[str]:
        """Tables to write from the start: planned ones and, until the batch is closed, those that lately had records.

        A routed table that does not exist yet is created when records ask for it: its columns follow from these alone.
        """
        log, known = self.binder.log, self.raw_names
        names = [n for n in self.batch.planned_tables if n != NO_TABLE]
        routed = [n for n in names if n in known]
        bound = log.bound(self.file.name, routed) if routed else {}
        names = [n for n in names if n not in known or n in bound]
        if not self.batch.closed:
            # One that another attempt has added since is still unknown here.
            lately, retired = log.lately_routed(self.file.name, most_tables(self.file, self.batch)), self.retired
            names += [n for n in lately if n in known and n not in retired]
        return list(dict.fromkeys(names))

    @property
    def retired(self) -> frozenset[str]:
        """Tables that get no records of the batch: of a backfill, also those that were retired before it is closed."""
        ranges, is_open = [p.range for p in self.batch.ranges], self._is_backfill and not self.batch.closed
        return frozenset(
            name for name, t in self.retirements.items() if t.retirement.has(ranges) or (is_open and t.is_retired)
        )

    @property
    def _is_backfill(self) -> bool:
        """Whether it lies before what was planned when a table was retired."""
        return is_backfill(self.batch.lane)

    @property
    def only(self) -> frozenset[str] | None:
        """The tables that a closed batch still needs, perhaps also NO_TABLE; None if it may have records for any."""
        return frozenset(self.batch.planned_tables) if self.batch.closed else None

    @property
    def router(self) -> Router | None:
        """The rules of the batch's file for what is known now.

        None if it needs none of their tables: it is closed, and other batches decide which of its records have no table.
        """
        router, only = self.file.router, self.only
        assert router is not None
        if only is not None and only.isdisjoint((NO_TABLE, *self.raw_names)):
            return None
        # A former dead-letter table has a place in the catalog, and letters that decide.
        # A rebuilt log may know a routed table as one without topics: its attempt was killed before it was registered.
        of_letters = (t.name for t in self.former if t.ledger and (t.ledger.holds_dead_letters or t.ledger.registry))
        taken = router.taken.union(of_letters)
        # Records for a table that was retired after the batch was closed are no dead letters: they were given up.
        away = {
            name: t.raw_name
            for name, t in self.retirements.items()
            if t.is_retired and name not in {*self.retired, *self.raw_names}
        }
        return replace(
            router,
            known={**self.raw_names, **away},
            taken=taken,
            retired=self.retired,
            left_out=frozenset(away),
            only=only,
            max_tables=self.max_tables,
        )

    def staged(
        self, parts: Sequence[PartResult], closing: Closing | None, without_table: Sequence[PartResult]
    ) -> list[PartResult]:
        """*parts* as the batch has them: tables without a record have none, and nothing is staged before it is registered."""
        # Only the log may know a name yet, which makes dead letters of records with another one. A table that is known without
        # its UUID could not be created when it was registered.
        there = self.registry.tables
        new = [name for name in self.raw_names if name not in there or there[name].uuid is None]
        uuids = self.binder.log.bound(self.file.name, new) if new else {}
        uuids |= {p.table: p.identity.uuid for p in parts if not p.target}
        self.register({name: RegisteredTable(self.raw_names[name], uuids.get(name)) for name in new})
        if closing is None:
            return [*without_table, *parts]
        static = {t.name for t in self.file.tables}
        named = closing.tables.keys() | static
        return [*without_table, *(p for p in parts if (p.target or p.table) in named)]

    def wanted(self, outputs: Sequence[SliceOutput]) -> dict[str, list[UnknownTable]]:
        """Tables without a target that records of *outputs* are routed to, by name. Raises RouteLimit and ConfigFaults."""
        found: dict[str, list[UnknownTable]] = {}
        for unknown in (u for o in outputs if o.routed for u in o.routed.unknown):
            found.setdefault(unknown.table, []).append(unknown)
        new = found.keys() - self.raw_names.keys()
        who = f"the records of batch {self.batch.batch_id}"
        refuse_names(self.file, self.binder.log, new, len(self.raw_names), self.max_tables, who, State.BATCH_PLANNED)
        self.asked = set(found)
        return dict(sorted(found.items()))

    def made(
        self, wanted: Mapping[str, Sequence[UnknownTable]], prepare: TablesToWrite
    ) -> tuple[dict[str, TableState], dict[str, LakelockError]]:
        """Create the *wanted* tables that are new, register all of them, and prepare them: states and faults by name."""
        names = {name: every[0].raw_name for name, every in wanted.items() if name not in self.raw_names}
        if names:
            self.raw_names = {**self.raw_names, **self.binder.log.keep_routed(self.file.name, names)}
            if retired := sorted(names.keys() - self.raw_names.keys()):
                raise BatchChanged(
                    f"table {retired[0]} was retired since this attempt at batch {self.batch.batch_id} began.",
                    State.NOTHING_WRITTEN,
                    "The next attempt begins with what is there now.",
                )
        new = NewTables(replace(prepare, known=self.registry.tables), self.pipeline, self.register)
        states = new.made({name: sample_of(every) for name, every in wanted.items()})
        self.created += sorted(states.keys() & names.keys())
        return states, new.faults

    def collide(self, wanted: Mapping[str, Sequence[UnknownTable]]) -> bool:
        """Whether some records ask for a table that belongs to another name: the first pass did not know that."""
        return any(u.raw_name != self.raw_names[name] for name, every in wanted.items() for u in every)

    def register(self, tables: Mapping[str, RegisteredTable]) -> Registry:
        """Name *tables* and the batch's configuration in the dead-letter table's ledger, if it does not name them (T4, T5).

        Returns what the ledger names then.
        """
        planned = [] if self.batch.closed else self._planned()
        left_out = Retirement.of([p.range for p in self.batch.ranges]) if self._is_backfill else NEVER
        retiring = dict.fromkeys(() if self.batch.closed else self.retired, left_out)
        registry = register(self.binder, self.dead_letters, tables, planned, self.former, retiring)
        ledger = self.dead_letters.ledger
        assert ledger is not None
        self.dead_letters = replace(self.dead_letters, ledger=replace(ledger, registry=registry))
        return registry

    def _planned(self) -> list[PlannedConfig]:
        """The configurations of this batch, and of all batches planned before it that are not closed either.

        Those that are read again come first: an operator may have cut a live batch since later ones were planned.
        """
        log, out = self.binder.log, []
        others = log.planned(self.file.name) if log.has_other_unclosed(self.file.name, self.batch.batch_id) else []
        for batch in sorted(others, key=lambda b: b.lane == LIVE):
            if batch.batch_id == self.batch.batch_id:
                break
            if not batch.closed and not is_backfill(batch.lane):
                out.append(PlannedConfig(batch.config_digest, batch.config, [p.range for p in batch.ranges]))
        ranges = [p.range for p in self.batch.ranges]
        # That of a backfill was registered with the request.
        return [] if self._is_backfill else [*out, PlannedConfig(self.batch.config_digest, self.batch.config, ranges)]

    def closing(
        self, outputs: Sequence[SliceOutput], faulty: Collection[str], ranges: Sequence[OffsetRange]
    ) -> Closing | None:
        """How the batch is closed, of which *ranges* were read; None if it is closed already.

        The books leave out dead letters that are not written again. Its tables are those with records: rows, dead letters, or
        filtered ones; and *faulty* ones, which have records that were not written.
        """
        if self.batch.closed:
            return None
        books = bookkeeping.combined(ranges, (b for o in outputs if o.routed for b in o.routed.books))
        books = tuple(_without_settled(b, outputs) for b in books)
        pipeline, static = self.pipeline, {t.name for t in self.file.tables}
        with_records = {*self.asked, *faulty}
        for table in (t for o in outputs for t in o.tables):
            if table.fault is not None or any(b.read for b in table.books):
                with_records.add(table.table)
        topics = sorted({r.source.topic for r in ranges})
        tables = {
            name: tuple(t for t in topics if pipeline.feeds(name, t))
            for name in sorted(with_records - static - {NO_TABLE})
        }
        return Closing(tables, books)


def _without_settled(books: Books, outputs: Sequence[SliceOutput]) -> Books:
    """*books* with dead letters that are not written again as filtered: those that are there, or were declared lost."""
    reported = (b for o in outputs for t in o.dead_letters if t.table == NO_TABLE for b in t.books)
    new = sum(b.read for b in bookkeeping.dead_letter_books([books.range], reported))
    return replace(books, dead=new, filtered=books.filtered + books.dead - new)
