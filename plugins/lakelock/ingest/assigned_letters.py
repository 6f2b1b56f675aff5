"""Dead letters without a table that are assigned to tables: which of them are no rows yet, and who may still get them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from lakelock.errors import TableMissing
from lakelock.ingest.registration import retired_now
from lakelock.model.coverage import Coverage
from lakelock.model.offsets import OffsetRange, offsets_in, united, without
from lakelock.model.registry import Registry
from lakelock.ports import Log, Tables


class LettersOfTable(NamedTuple):
    """Dead letters that are assigned to a table and are no rows of it. A retired one does not get them before a rebind."""

    ranges: tuple[OffsetRange, ...]
    is_retired: bool

    @property
    def letters(self) -> int:
        return offsets_in(self.ranges)


@dataclass(frozen=True, slots=True)
class AssignedLetters:
    """All *assigned* dead letters, and by table those that are waiting."""

    assigned: tuple[OffsetRange, ...] = ()
    waiting: Mapping[str, LettersOfTable] = field(default_factory=dict)

    @property
    def rows(self) -> list[OffsetRange]:
        """Those that are rows of each table that they are assigned to."""
        return without(self.assigned, united(r for of in self.waiting.values() for r in of.ranges))


def assigned_letters(
    log: Log, tables: Tables, pipeline: str, registry: Registry, among: Collection[str] | None = None
) -> AssignedLetters:
    """Of all tables of *registry*, or *among* some. A table that is gone has no rows."""
    names = [name for name in registry.assigned if among is None or name in among]
    if not names:
        return AssignedLetters()
    ledgers, retired = log.ledgers(pipeline, names), retired_now(registry, log, pipeline)
    waiting = {}
    for name in names:
        # The log keeps no ledger of a retired table.
        covered = ledgers[name].coverage if name in ledgers else _loaded(tables, name)
        if left := tuple(covered.without_rows(registry.assigned[name])):
            waiting[name] = LettersOfTable(left, name in retired)
    return AssignedLetters(tuple(united(r for name in names for r in registry.assigned[name])), waiting)


def _loaded(tables: Tables, name: str) -> Coverage:
    try:
        ledger = tables.load(name).ledger
    except TableMissing:
        return Coverage()
    return ledger.coverage if ledger is not None else Coverage()
