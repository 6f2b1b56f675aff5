"""Record routed tables and configurations in the dead-letter table's ledger, before anything that needs them is staged."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from lakelock.config import Pipeline
from lakelock.errors import BatchBusy, State
from lakelock.ingest import bind as binding
from lakelock.ingest.commit_loop import Done, Land, until_landed
from lakelock.model.joint_mark import inheriting
from lakelock.model.ledger import Ledger
from lakelock.model.registry import PlannedConfig, RegisteredTable, Registry
from lakelock.model.retirement import Retirement
from lakelock.model.units import counted
from lakelock.ports import Log, TableState

logger = logging.getLogger(__name__)


def registered(state: TableState) -> Registry:
    """What the dead-letter table *state* names."""
    return (state.ledger.registry if state.ledger else None) or Registry()


def inherited(state: TableState, former: Iterable[TableState]) -> Registry:
    """What *state* names, and what *former* dead-letter tables of the pipeline do."""
    return registered(state).joined(map(registered, former))


def with_those_of_log(log: Log, pipeline: str, registered: Mapping[str, str]) -> dict[str, str]:
    """The raw names of *registered* tables and of those that only the log knows, which gets those that it does not know.

    There may be thousands. The log has all of them read only if the two do not know the same ones: a dead-letter table may have
    taken the place of one that is gone, and the log may have been restored to an earlier moment.
    """
    routed, known = log.routed_without_parts(pipeline)
    if len(registered) + len(known.keys() - registered.keys()) != routed:
        known = log.keep_routed(pipeline, registered)
    return {**known, **registered}


def retired_now(registry: Registry, log: Log, pipeline: str) -> frozenset[str]:
    """Tables that are retired now, by the registry or by the log."""
    return frozenset(name for name, t in registry.retirements(log.retirements(pipeline)).items() if t.is_retired)


def topics_of(registry: Registry, table: str, topics: Iterable[str]) -> set[str]:
    """Those of *topics* of which a registered configuration, or an assignment of dead letters, may give records to *table*."""
    configs = [*(c.config for c in registry.configs), *(b.config for b in registry.backfills)]
    names = {table: registry.tables[table].raw_name}
    files = [Pipeline.from_resolved(config).with_routed(names) for config in configs]
    assigned = {r.source.topic for r in registry.assigned.get(table, ())}
    return {t for t in topics if t in assigned or any(file.feeds(table, t) for file in files)}


def register(
    binder: binding.Binder,
    dead_letters: TableState,
    tables: Mapping[str, RegisteredTable],
    planned: Sequence[PlannedConfig],
    former: Sequence[TableState] = (),
    retiring: Mapping[str, Retirement] = MappingProxyType({}),
) -> Registry:
    """The registry after it names *tables* and the configurations of *planned*, with at most one commit.

    It also takes over what *former* dead-letter tables name and have marked: a recovery knows the newest one alone, and the log
    forgets what is marked. Tables that are *retiring* do not get the records of these offsets.

    *dead_letters* is the dead-letter table as it was when the attempt began. If it went to another generation since, a recovery
    has read the registry: this attempt may be of before, and would cut back what was registered since. Raises BatchBusy then.
    """
    name, before = dead_letters.name, registered(dead_letters)
    others = [state.ledger for state in former if state.ledger is not None]

    def after_all(ledger: Ledger) -> Ledger:
        out = inheriting(ledger, others)
        known = out.registry or Registry()
        registry = known.with_tables(tables).with_configs(planned)
        for table, retirement in retiring.items():
            registry = registry.retiring(table, retirement) if table in registry.tables else registry
        return out if registry == known else replace(out, registry=registry)

    if dead_letters.ledger is not None and after_all(dead_letters.ledger) == dead_letters.ledger:
        return before
    commit_id, found = binder.new_id(), [before]

    def draft() -> Land[None] | Done[None]:
        state = binding.load(binder.log, binder.tables, binder.owner.pipeline, name)
        ledger = state.ledger
        if ledger is None:
            raise binding.without_ledger(state, binder.owner.pipeline)
        if ledger.generation != generation_of(dead_letters):
            raise BatchBusy(
                f"table {name} went from generation {generation_of(dead_letters)} to {ledger.generation} since this attempt "
                "began.",
                State.NOTHING_WRITTEN,
                "The next attempt begins with what is there now.",
            )
        after = after_all(ledger)
        found[0] = after.registry or Registry()
        if after == ledger:
            return Done(None)
        after = replace(after, commit_id=commit_id)
        return Land(state, binding.change(binder.settings, after, config=binder.owner.config), None)

    until_landed(binder.tables, name, draft, binder.pause, State.NOTHING_WRITTEN, "The next run tries again.")
    if new := tables.keys() - before.tables.keys():
        logger.info("%s: registered %s: %s", name, counted(len(new), "table"), ", ".join(sorted(new)[:20]))
    return found[0]


def generation_of(state: TableState) -> int:
    ledger: Ledger | None = state.ledger
    return ledger.generation if ledger else 0
