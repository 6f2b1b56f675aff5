"""The tables of the webhooks, as DuckDB reads them beside the topic: each record once, in the table of its event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lakelock.model.units import counted

from stack.lake import Lake
from stack.webhooks import LETTERS, NAMESPACE, Place

if TYPE_CHECKING:
    from pyiceberg.table import Table

ROWS = "SELECT _kafka_partition, _kafka_offset FROM {table}"
DEAD = 'SELECT target_table, "partition", "offset" FROM {table} WHERE stage <> \'redriven\''


@dataclass(frozen=True, slots=True)
class Found:
    """A table as it is now: its rows by the snapshot's summary, its columns, and how often they were changed."""

    rows: int
    columns: int
    changes: int


@dataclass(frozen=True, slots=True)
class Look:
    """All tables of the webhooks at one moment."""

    tables: Mapping[str, Found] = field(default_factory=dict)
    dead: int = 0

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())

    @property
    def records(self) -> int:
        return self.rows + self.dead

    def news_since(self, before: Look) -> list[str]:
        """Lines about tables and columns that appeared."""
        new = [name.partition(".")[2] for name in self.tables if name not in before.tables]
        wider = {
            name.partition(".")[2]: found.columns - before.tables[name].columns
            for name, found in self.tables.items()
            if name in before.tables and found.columns > before.tables[name].columns
        }
        return [
            *([f"[green]+[/] {counted(len(new), 'table')}: {', '.join(new)}"] if new else []),
            *([f"[cyan]~[/] columns: {', '.join(f'{name} +{n}' for name, n in wider.items())}"] if wider else []),
        ]


def look(lake: Lake) -> Look:
    """The tables as they are; none before the first one exists."""
    tables = {
        name: table
        for name in lake.names(NAMESPACE)
        if name.startswith(f"{NAMESPACE}.github_") and (table := lake.table(name))
    }
    letters = lake.table(LETTERS)
    return Look({name: _found(lake, table) for name, table in tables.items()}, lake.rows(letters) if letters else 0)


def _found(lake: Lake, table: Table) -> Found:
    return Found(lake.rows(table), len(table.schema().column_names), len(table.schemas()) - 1)


def by_duckdb(lake: Lake, names: Sequence[str]) -> tuple[dict[str, list[Place]], list[tuple[str, Place]]]:
    """The places of the rows of each table, and of the dead letters by their target."""
    rows = {
        name: [(int(p), int(o)) for p, o in lake.by_duckdb(ROWS, table)]
        for name in names
        if (table := lake.table(name))
    }
    letters = lake.table(LETTERS)
    dead = lake.by_duckdb(DEAD, letters) if letters else []
    return rows, [(str(target), (int(p), int(o))) for target, p, o in dead]


def differences(
    topic: Mapping[Place, str], rows: Mapping[str, Sequence[Place]], dead: Sequence[tuple[str, Place]]
) -> list[str]:
    """A line for each table that does not have exactly its records of *topic*, once, as a row or as a dead letter.

    A dead letter may also be a row: that of a redrive.
    """
    wanted: dict[str, set[Place]] = {}
    for place, table in topic.items():
        wanted.setdefault(table, set()).add(place)
    letters: dict[str, Counter[Place]] = {}
    for target, place in dead:
        letters.setdefault(target, Counter())[place] += 1
    out = []
    for table in sorted({*wanted, *rows, *letters}):
        here, there = wanted.get(table, set()), Counter(rows.get(table, ()))
        own = letters.get(table, Counter())
        faults = {
            "lacks": len(here - there.keys() - own.keys()),
            "has twice": sum(n > 1 for n in [*there.values(), *own.values()]),
            "has of other tables": len((there.keys() | own.keys()) - here),
        }
        out += [f"{table} {what} {counted(n, 'record')}" for what, n in faults.items() if n]
    return out
