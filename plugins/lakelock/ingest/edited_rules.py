"""Rules that were edited after the log was rebuilt without a routed table: only the table says which records it has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from lakelock.config import Pipeline
from lakelock.errors import ConfigFaults, State, TableMissing, WalUnusable
from lakelock.ingest.bind import with_a_new_one
from lakelock.ingest.outcome import listed
from lakelock.model.offsets import FOREVER, OffsetRange, overlap
from lakelock.model.registry import PlannedConfig, Registry
from lakelock.ports import Log, Tables
from lakelock.records.routing.router import Router


def _same_rules(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    """Whether two resolved configurations route every record to the same tables."""
    return _rules(one) == _rules(other)


def _rules(config: Mapping[str, object]) -> Router | None:
    router = Pipeline.from_resolved(config).router
    return None if router is None else replace(router, known={}, taken=frozenset(), max_tables=0)


def refuse_edited(
    log: Log, tables: Tables, pipeline: str, registry: Registry, planned: Iterable[PlannedConfig], state: State
) -> None:
    """Raise ConfigFaults if *planned* ranges would be routed by other rules than the registered ones, and a table was left out of
    the log that may have their records: by the new rules, these could go to other tables as well.

    WalUnusable if it is back, and the log was not rebuilt with it.
    """
    if not (edited := [r for one in planned for r in one.ranges if _is_edited(registry, one, r)]):
        return
    for name in (n for n in log.left_out(pipeline) if n in registry.tables):
        try:
            table = tables.load(name)
        except TableMissing:
            table = None
        if table is None or table.uuid != registry.tables[name].uuid:
            raise ConfigFaults(
                f"the rules of pipeline {pipeline!r} were edited, but the log was rebuilt without table {name}, which is gone or "
                "was replaced: by the new rules, records that it has could go to other tables as well.",
                state,
                f"Put it back and recover again. {with_a_new_one(log, pipeline, name)} Or undo the edit of the rules until then.",
            )
        later = [replace(r, end=FOREVER) for r in edited]
        if table.ledger is not None and (there := overlap(later, table.ledger.coverage.data.ranges)):
            raise WalUnusable(
                f"table {name} is back, and has {listed(there)}. The log was rebuilt without it, and the rules of pipeline "
                f"{pipeline!r} were edited: by the new rules, these records could go to other tables as well.",
                state,
                "Run `bin/lakelock recover FILE --restored`.",
            )


def _is_edited(registry: Registry, one: PlannedConfig, r: OffsetRange) -> bool:
    former = next(iter(registry.pieces(r)), None)
    return former is not None and former.digest != one.digest and not _same_rules(former.config, one.config)
