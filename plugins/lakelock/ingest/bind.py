"""Bind a pipeline to its tables: create or adopt each table, and check that it is still the same one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lakelock.config.commit_sections import Commit
from lakelock.errors import (
    CommitConflict,
    LedgerDetached,
    OutcomeUnknown,
    State,
    TableMissing,
    TableReplaced,
    TableUnfit,
    WalUnusable,
)
from lakelock.model.coverage import Coverage
from lakelock.model.coverage_gaps import declaring, lacking
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import Change, Log, TableDefinition, Tables, TableState

logger = logging.getLogger(__name__)

ADOPT_ATTEMPTS = 8


@dataclass(frozen=True, slots=True)
class Owner:
    """The writer that a ledger names: pipeline, installation and configuration."""

    pipeline: str
    installation_id: str
    config: Mapping[str, object]
    config_digest: str


def change(settings: Commit, ledger: Ledger, config: Mapping[str, object] | None = None, **more: Any) -> Change:
    """A change of a table, with the pipeline's own limits on what may expire with it. *more* is as in `Change`."""
    return Change(
        ledger, config, keep_snapshots=settings.keep_snapshots, keep_younger_ms=settings.rollback_window_ms, **more
    )


def load(log: Log, tables: Tables, pipeline: str, name: str) -> TableState:
    """Load a table and check that it is the one that the pipeline is bound to.

    Raises TableMissing if the catalog has no such table (bound or not), TableReplaced if it has another UUID than the
    bound table, and WalUnusable if its ledger shows that the pipeline wrote to it but the log has no binding.
    """
    bound = log.bound(pipeline).get(name)
    try:
        state = tables.load(name)
    except TableMissing as fault:
        if bound is None:
            raise
        raise TableMissing(
            f"table {name} (UUID {bound}) is gone from the catalog.",
            State.TABLE_WAITS,
            f"{tables.way_back(name, bound, log.staged_files(name))}, then run again. "
            f"{_with_a_new_one(log, pipeline, name)}",
        ) from fault
    if bound is not None and bound != state.uuid:
        raise TableReplaced(
            f"table {name} was replaced: lakelock wrote to UUID {bound}, but the catalog now has {state.uuid}.",
            State.TABLE_WAITS,
            "To put the old table back, drop the new one without its files, never by purge. "
            f"{tables.way_back(name, bound, log.staged_files(name))}, then run again. "
            f"{_with_a_new_one(log, pipeline, name)}",
        )
    if bound is None and state.ledger is not None and state.ledger.is_used:
        raise WalUnusable(
            f"pipeline {pipeline!r} has written to table {name}, but the write-ahead log does not know the table: "
            "Postgres was lost or restored.",
            State.NOTHING_CHANGED,
            "Run `bin/lakelock recover FILE` to preview the rebuild.",
        )
    return state


def _with_a_new_one(log: Log, pipeline: str, name: str) -> str:
    if name in log.dead_letter_tables(pipeline):
        return "No new table can replace it: it holds dead letters that other tables depend on."
    return f"To continue with a new table, which gets all records from the start: {rebind(name)}."


def rebind(table: str) -> str:
    """The command that continues with the table that now has this name."""
    return f"`bin/lakelock rebind FILE --table {table} --why TEXT`"


def bind(
    log: Log,
    tables: Tables,
    owner: Owner,
    name: str,
    *,
    define: Callable[[], TableDefinition],
    declare_starts: bool,
    new_id: Callable[[], str],
    settings: Commit,
) -> TableState:
    """Load the table, or create it from *define*, and adopt it. Safe if two tasks do this at once.

    Adopting is one commit: the owner property, the tag and a snapshot without files that holds the declared starts.
    The dead-letter table has no declared starts, because its coverage has no order.
    """
    try:
        state = load(log, tables, owner.pipeline, name)
    except TableMissing:
        if name in log.bound(owner.pipeline):
            raise
        tables.create(name, define())
        state = tables.load(name)
        logger.info("created table %s", name)
    for _ in range(ADOPT_ATTEMPTS):
        if state.ledger is not None:
            break
        if name in log.bound(owner.pipeline):
            raise without_ledger(state, owner.pipeline)
        starts = log.declared_starts(owner.pipeline, name) if declare_starts else {}
        refuse_twice(name, starts, tables.others(state))
        coverage = Coverage().starting(starts)
        ledger = Ledger(owner.installation_id, owner.pipeline, new_id(), 0, owner.config_digest, coverage)
        try:
            tables.commit(state, change(settings, ledger, owner.config))
            logger.info("adopted table %s (UUID %s)", name, state.uuid)
        except (CommitConflict, OutcomeUnknown) as fault:
            # The next load shows who adopted the table: this task, another one, or none.
            logger.info("adopting %s: %s", name, fault)
        state = tables.load(name)
    if state.ledger is None:
        raise _overtaken(name)
    bound = log.bind(owner.pipeline, name, state.uuid)
    if bound != state.uuid:
        return load(log, tables, owner.pipeline, name)
    first = log.first_ledger(owner.pipeline, name)
    return _recorded(tables, state, first, new_id, settings) if first else state


def _recorded(
    tables: Tables, state: TableState, first: Ledger, new_id: Callable[[], str], settings: Commit
) -> TableState:
    """Add decisions that were made before the table existed to its ledger; *first* is the ledger that the log kept.

    Called after the table is bound: `load` takes gaps in the ledger of an unbound table as a sign of a lost log.
    """
    for _ in range(ADOPT_ATTEMPTS):
        ledger = state.ledger
        assert ledger is not None
        gaps = lacking(first.coverage, ledger.coverage)
        if not gaps:
            return state
        starts = {source: covered.start_offset for source, covered in first.coverage.items()}
        recorded = ledger.decided(
            new_id(),
            declaring(ledger.coverage, gaps, starts, ledger.generation),
            (*ledger.decisions, *(d for d in first.decisions if d not in ledger.decisions)),
        )
        try:
            tables.commit(state, change(settings, recorded))
            logger.info("%s: recorded the decisions that were made before the table existed", state.name)
        except (CommitConflict, OutcomeUnknown) as fault:
            logger.info("recording decisions in %s: %s", state.name, fault)
        state = tables.load(state.name)
    raise _overtaken(state.name)


def _overtaken(table: str) -> CommitConflict:
    return CommitConflict(
        f"table {table}: other writers committed first {ADOPT_ATTEMPTS} times in a row.",
        State.NOTHING_WRITTEN,
        "The next run tries again.",
    )


def without_ledger(state: TableState, pipeline: str) -> LedgerDetached:
    """The error for a table that the pipeline has written to but that carries no ledger."""
    return LedgerDetached(
        f"pipeline {pipeline!r} has written to table {state.name} (UUID {state.uuid}), but the table carries neither "
        "its property nor its tag, so lakelock does not know what the table holds.",
        State.TABLE_WAITS,
        "Restore both (the tag names the newest snapshot with 'lakelock.' properties).",
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
