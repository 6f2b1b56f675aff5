"""The text of a registry, as the dead-letter table's ledger has it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from lakelock.errors import LedgerUnreadable, State
from lakelock.model import retirement as retirement_codec
from lakelock.model.offsets import Source
from lakelock.model.operator_log import ranges_of, rows_of
from lakelock.model.registry import PlannedConfig, RegisteredConfig, RegisteredTable, Registry
from lakelock.model.retirement import NEVER


def encode(registry: Registry) -> str:
    """As JSON. Tables: name to UUID, or to [UUID, raw name] where that is another, with the retirement behind it if there was
    one (or null), and true behind that if it is refilled; configurations: see `_offsets`."""
    tables = {name: _table(name, t) for name, t in sorted(registry.tables.items())}
    configs = [{"digest": c.digest, "from": _offsets(c.first_offsets), "config": c.config} for c in registry.configs]
    found: dict[str, Any] = {"tables": tables, "configs": configs}
    if registry.assigned:
        found["assigned"] = {table: rows_of(ranges) for table, ranges in registry.assigned.items()}
    if registry.backfills:
        found["backfills"] = [[b.digest, rows_of(b.ranges), b.config] for b in registry.backfills]
    return json.dumps(found, separators=(",", ":"), ensure_ascii=False)


@lru_cache(maxsize=4)
def decode(text: str) -> Registry:
    """Raises LedgerUnreadable for anything that `encode` does not write. Thousands of tables take a while: they are kept."""
    try:
        found = json.loads(text)
        tables = {
            name: RegisteredTable(name, of)
            if not isinstance(of, list)
            else RegisteredTable(of[1], of[0])
            if len(of) == 2
            else RegisteredTable(
                of[1], of[0], NEVER if of[2] is None else retirement_codec.decode(of[2]), of[3:] == [True]
            )
            for name, of in found["tables"].items()
        }
        configs = tuple(RegisteredConfig(c["digest"], c["config"], _sources(c["from"])) for c in found["configs"])
        assigned = {table: ranges_of(rows) for table, rows in found.get("assigned", {}).items()}
        backfills = tuple(PlannedConfig(d, c, ranges_of(rows)) for d, rows, c in found.get("backfills", ()))
    except (KeyError, ValueError, TypeError, AttributeError, IndexError) as fault:
        raise LedgerUnreadable(
            f"the routed tables in the dead-letter table's newest lakelock snapshot cannot be read ({fault}).",
            State.NOTHING_CHANGED,
            "Another tool changed or truncated the snapshot properties: roll the table back to a snapshot that has them intact.",
        ) from fault
    return Registry(tables, configs, assigned, backfills)


def _table(name: str, table: RegisteredTable) -> Any:
    if table.refilled or table.retirement != NEVER:
        retired = retirement_codec.encode(table.retirement) if table.retirement != NEVER else None
        return [table.uuid, table.raw_name, retired, *([True] if table.refilled else [])]
    return table.uuid if table.raw_name == name else [table.uuid, table.raw_name]


def _offsets(first_offsets: Mapping[Source, int]) -> dict[str, dict[str, Any]]:
    """{topic id: {"topic": name, "<partition>": first offset}}"""
    out: dict[str, dict[str, Any]] = {}
    for source, offset in sorted(first_offsets.items()):
        out.setdefault(source.topic_id, {"topic": source.topic})[str(source.partition)] = offset
    return out


def _sources(offsets: Mapping[str, Mapping[str, Any]]) -> dict[Source, int]:
    return {
        Source(of["topic"], topic_id, int(partition)): int(offset)
        for topic_id, of in offsets.items()
        for partition, offset in of.items()
        if partition != "topic"
    }
