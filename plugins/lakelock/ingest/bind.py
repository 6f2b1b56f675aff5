"""Bind a pipeline to its tables: create or adopt each table, and check that it is still the same one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lakelock.config import Pipeline
from lakelock.config.commit_sections import Commit
from lakelock.errors import LedgerDetached, State, TableMissing, TableReplaced, TableUnfit, WalUnusable
from lakelock.ingest.commit_loop import Done, Draft, Land, until_landed
from lakelock.model.coverage import Coverage
from lakelock.model.coverage_gaps import declaring, lacking
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source, overlap
from lakelock.ports import Change, Log, TableDefinition, Tables, TableState
from lakelock.ports.edits import Edit, LedgerOnly

logger = logging.getLogger(__name__)
NOTHING = Coverage()


@dataclass(frozen=True, slots=True)
class Owner:
    """The writer that a ledger names: pipeline, installation and configuration."""

    pipeline: str
    installation_id: str
    config: Mapping[str, object]
    config_digest: str


def change(
    settings: Commit,
    ledger: Ledger,
    edit: Edit | None = None,
    *,
    config: Mapping[str, object] | None = None,
    **more: Any,
) -> Change:
    """A change of a table, with the pipeline's own limits on what may expire with it. *more* is as in `Change`."""
    return Change(
        ledger,
        config,
        edit or LedgerOnly(),
        keep_snapshots=settings.keep_snapshots,
        keep_younger_ms=settings.rollback_window_ms,
        **more,
    )


def load(log: Log, tables: Tables, pipeline: str, name: str) -> TableState:
    """Load a table and check that it is the one that the pipeline is bound to.

    Raises TableMissing if the catalog has no such table (bound or not), TableReplaced if it has another UUID than the
    bound table, and WalUnusable if its ledger shows that the pipeline wrote to it but the log has no binding.
    """
    return load_bound(log, tables, pipeline, name, log.bound_uuid(pipeline, name))


def load_bound(log: Log, tables: Tables, pipeline: str, name: str, bound: str | None) -> TableState:
    """As `load`, of a table of which the caller has read the *bound* UUID."""
    try:
        state = tables.load(name)
    except TableMissing as fault:
        if bound is None:
            raise
        raise TableMissing(
            f"table {name} (UUID {bound}) is gone from the catalog.",
            State.TABLE_WAITS,
            f"{tables.way_back(name, bound, log.staged_files(name), log.bound(pipeline))}, then run again. "
            f"{with_a_new_one(log, pipeline, name)}",
        ) from fault
    if bound is not None and bound != state.uuid:
        raise TableReplaced(
            f"table {name} was replaced: lakelock wrote to UUID {bound}, but the catalog now has {state.uuid}.",
            State.TABLE_WAITS,
            "To put the old table back, drop the new one without its files, never by purge. "
            f"{tables.way_back(name, bound, log.staged_files(name), log.bound(pipeline))}, then run again. "
            f"{with_a_new_one(log, pipeline, name)}",
        )
    if bound is None and state.ledger is not None and state.ledger.is_used:
        raise WalUnusable(
            f"pipeline {pipeline!r} has written to table {name}, but the write-ahead log does not know the table: "
            "Postgres was lost or restored.",
            State.NOTHING_CHANGED,
            "Run `bin/lakelock recover FILE` to preview the rebuild.",
        )
    return state


def with_a_new_one(log: Log, pipeline: str, name: str) -> str:
    """What to do about a table that cannot be put back."""
    if name in log.dead_letter_tables(pipeline):
        return "No new table can replace it: it holds dead letters that other tables depend on."
    dropped = f" If it is no longer needed: `bin/lakelock retire FILE --table {name} --why TEXT`."
    new = f"To continue with a new table, which gets all records from the start: {rebind(name)}."
    return f"{new}{dropped}" if name in log.routed(pipeline) else new


def rebind(table: str) -> str:
    """The command that continues with the table that now has this name."""
    return f"`bin/lakelock rebind FILE --table {table} --why TEXT`"


@dataclass(frozen=True, slots=True)
class Binder:
    """Binds tables for one writer; *pause* sleeps the given seconds between attempts."""

    log: Log
    tables: Tables
    owner: Owner
    settings: Commit
    new_id: Callable[[], str]
    pause: Callable[[float], None]

    @classmethod
    def of_file(
        cls, log: Log, tables: Tables, pipeline: Pipeline, new_id: Callable[[], str], pause: Callable[[float], None]
    ) -> Binder:
        """For the pipeline file as it is now."""
        owner = Owner(pipeline.name, log.installation_id(), pipeline.resolved(), pipeline.digest)
        return cls(log, tables, owner, pipeline.commit, new_id, pause)

    def bind(
        self,
        name: str,
        *,
        define: Callable[[], TableDefinition],
        declare_starts: bool,
        routed_starts: Callable[[], Mapping[Source, int]] | None = None,
        registered: str | None = None,
    ) -> TableState:
        """Load the table, or create it from *define*, and adopt it. Safe if two tasks do this at once.

        Adopting is one commit, without files, of the owner and of a ledger with the declared starts.
        The dead-letter table has no declared starts, because its coverage has no order. The log knows those of a routed table
        only after its first part: *routed_starts* gives them for a comparison with other pipelines. A routed table is adopted
        once it is *registered*, with this UUID, and bound: a recovery then knows it before another installation can own it.
        """
        log, pipeline = self.log, self.owner.pipeline
        bound = log.bound_uuid(pipeline, name)
        state = self.existing(name, define, bound or registered)
        if state.ledger is None and routed_starts is None:
            state = self.adopted(name, declare_starts)
        if bound != state.uuid and log.bind(pipeline, name, state.uuid) != state.uuid:
            return load(log, self.tables, pipeline, name)
        if state.ledger is None:
            state = self.adopted(name, declare_starts, routed_starts or dict, state.uuid)
        first = log.first_ledger(pipeline, name)
        return self._recorded(state, first) if first else state

    def existing(self, name: str, define: Callable[[], TableDefinition], bound: str | None) -> TableState:
        """The table, created from *define* if it does not exist and has no *bound* UUID; it may have no ledger yet."""
        log, tables, pipeline = self.log, self.tables, self.owner.pipeline
        try:
            return load_bound(log, tables, pipeline, name, bound)
        except TableMissing:
            if bound is not None or log.bound_uuid(pipeline, name) is not None:
                raise
        tables.create(name, define())
        logger.info("created table %s", name)
        return tables.load(name)

    def adopted(
        self,
        name: str,
        declare_starts: bool,
        routed_starts: Callable[[], Mapping[Source, int]] | None = None,
        uuid: str | None = None,
        owing: Coverage = NOTHING,
    ) -> TableState:
        """The table with a ledger: this task's, or that of another task that was first. A routed one has this *uuid*, and may
        be *owing* offsets."""
        owner, commit_id = self.owner, self.new_id()

        def draft() -> Land[TableState | None] | Done[TableState | None]:
            state = load_bound(self.log, self.tables, owner.pipeline, name, uuid) if uuid else self.tables.load(name)
            if state.ledger is not None:
                return Done(state)
            if (routed_starts is None or was_written(self.tables, state, owner.pipeline)) and self.log.bound_uuid(
                owner.pipeline, name
            ) is not None:
                raise without_ledger(state, owner.pipeline)
            starts = self.log.declared_starts(owner.pipeline, name) if declare_starts else {}
            others = self.tables.others(state)
            refuse_twice(name, {**(routed_starts() if others and routed_starts else {}), **starts}, others)
            coverage = owing.starting(starts)
            ledger = Ledger(owner.installation_id, owner.pipeline, commit_id, 0, owner.config_digest, coverage)
            return Land(state, change(self.settings, ledger, config=owner.config), None)

        state = self._until_landed(name, draft, "adopted")
        if state.ledger is None:
            raise without_ledger(state, owner.pipeline)
        return state

    def _recorded(self, state: TableState, first: Ledger) -> TableState:
        """Add decisions that were made before the table existed to its ledger; *first* is the ledger that the log kept.

        Called after the table is bound: `load` takes gaps in the ledger of an unbound table as a sign of a lost log.
        """
        commit_id, loaded = self.new_id(), [state]

        def draft() -> Land[TableState | None] | Done[TableState | None]:
            now = loaded.pop() if loaded else self.tables.load(state.name)
            if now.ledger is None:
                raise without_ledger(now, self.owner.pipeline)
            gaps = lacking(first.coverage, now.ledger.coverage)
            if not gaps:
                return Done(now)
            starts = {source: covered.start_offset for source, covered in first.coverage.items()}
            recorded = now.ledger.decided(
                commit_id,
                declaring(now.ledger.coverage, gaps, starts, now.ledger.generation),
                (*now.ledger.decisions, *(d for d in first.decisions if d not in now.ledger.decisions)),
            )
            return Land(now, change(self.settings, recorded), None)

        return self._until_landed(state.name, draft, "recorded the decisions that were made before the table existed")

    def _until_landed(self, table: str, draft: Draft[TableState | None], done: str) -> TableState:
        """The table afterwards, as the draft found it if another task was first; else *done* is logged."""
        state, do = State.NOTHING_WRITTEN, "The next run tries again."
        if (found := until_landed(self.tables, table, draft, self.pause, state, do).result) is not None:
            return found
        logger.info("table %s: %s", table, done)
        return self.tables.load(table)


def was_written(tables: Tables, state: TableState, pipeline: str) -> bool:
    """Whether the table's history shows a commit of *pipeline*, such as its adoption."""
    return any(version.pipeline == pipeline for version in tables.history(state))


def without_ledger(state: TableState, pipeline: str) -> LedgerDetached:
    """The error for a table that the pipeline has written to but that carries no ledger."""
    return LedgerDetached(
        f"pipeline {pipeline!r} has written to table {state.name} (UUID {state.uuid}), but the table carries neither "
        f"its {state.marks.owner} nor its {state.marks.newest}, so lakelock does not know what the table holds.",
        State.TABLE_WAITS,
        f"{state.marks.restore}.",
    )


def refuse_twice(table: str, starts: Mapping[Source, int], others: Mapping[str, Coverage]) -> None:
    """Raise TableUnfit if another pipeline's ledger in the table covers offsets from *starts* on.

    Otherwise a renamed pipeline would write records a second time.
    """
    for other, theirs in sorted(others.items()):
        for source, start in sorted(starts.items()):
            covered = theirs.get(source)
            theirs_of_it = [*((i.start, i.end) for i in covered.intervals), *covered.requested] if covered else []
            after = [(a, b) for a, b in sorted(theirs_of_it) if b > start]
            if after:
                there = OffsetRange(source, max(start, after[0][0]), after[-1][1])
                raise TableUnfit(
                    f"table {table} already holds {there} from pipeline {other!r}: this pipeline would write these records "
                    "a second time.",
                    State.NOTHING_WRITTEN,
                    f"If the file was renamed, rename it to {other}.yaml. Otherwise write to another table, or set "
                    f"source.start to offset {there.end}.",
                )


def refuse_brought(table: str, ranges: Sequence[OffsetRange], others: Mapping[str, Coverage]) -> None:
    """Raise TableUnfit if another pipeline's ledger in the table has any of *ranges*, which a backfill reads for all tables."""
    for other, theirs in sorted(others.items()):
        if there := overlap(ranges, [*theirs.data.ranges, *theirs.requested]):
            raise TableUnfit(
                f"table {table} already holds {', '.join(map(str, there))} from pipeline {other!r}: this backfill would write "
                "these records a second time.",
                State.PART_PLANNED,
                "If the pipeline does not need the table, retire it. Otherwise move its rows of the other pipeline away.",
            )
