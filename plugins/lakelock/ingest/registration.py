"""Record routed tables and configurations in the dead-letter table's ledger, before anything that needs them is staged."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from lakelock.errors import BatchBusy, State
from lakelock.ingest import bind as binding
from lakelock.ingest.commit_loop import Done, Land, until_landed
from lakelock.model.ledger import Ledger
from lakelock.model.registry import PlannedConfig, RegisteredTable, Registry
from lakelock.model.units import counted
from lakelock.ports import TableState

logger = logging.getLogger(__name__)


def registered(state: TableState) -> Registry:
    """What the dead-letter table *state* names."""
    return (state.ledger.registry if state.ledger else None) or Registry()


def register(
    binder: binding.Binder,
    dead_letters: TableState,
    tables: Mapping[str, RegisteredTable],
    planned: Sequence[PlannedConfig],
) -> Registry:
    """The registry after it names *tables* and the configurations of *planned*, with at most one commit.

    *dead_letters* is the dead-letter table as it was when the attempt began. If it went to another generation since, a recovery
    has read the registry: this attempt may be of before, and would cut back what was registered since. Raises BatchBusy then.
    """
    name, before = dead_letters.name, registered(dead_letters)
    if before.with_tables(tables).with_configs(planned) == before:
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
        now = registered(state)
        found[0] = now.with_tables(tables).with_configs(planned)
        if found[0] == now:
            return Done(None)
        after = replace(ledger, commit_id=commit_id, registry=found[0])
        return Land(state, binding.change(binder.settings, after, config=binder.owner.config), None)

    until_landed(binder.tables, name, draft, binder.pause, State.NOTHING_WRITTEN, "The next run tries again.")
    if new := tables.keys() - before.tables.keys():
        logger.info("%s: registered %s: %s", name, counted(len(new), "table"), ", ".join(sorted(new)[:20]))
    return found[0]


def generation_of(state: TableState) -> int:
    ledger: Ledger | None = state.ledger
    return ledger.generation if ledger else 0
