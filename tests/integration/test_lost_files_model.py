"""The tables in memory beside the real ones, with all their data files and with one of them gone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import pyarrow as pa
from kits.dead_letter_rows import REQUIRED
from kits.iceberg import INSTALLATION, open_tables
from lakelock.errors import TableUnfit
from lakelock.model.coverage import Interval, SourceCoverage
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.versions import PastVersion, Version
from lakelock.ports import TableDefinition, Tables, TableState
from lakelock.records import dead_letters
from lakelock.testing import MemoryCatalog, MemoryTables

NAME, TARGET, OTHER = "shop.dead", "ns.t", "ns.u"
SOURCE = Source("t", "id-t", 0)
COLUMNS = ("partition", "offset")
# A file each.
DEAD_LETTERS = ((TARGET, (0, 1)), (TARGET, (4,)), (OTHER, (0, 1, 2)))
Ask = Callable[[Tables, TableState], object]
COVERED = {SOURCE: SourceCoverage(0, (Interval(0, 5, 0),))}


class Both:
    """A table of dead letters here and there."""

    def __init__(self, folder: Path) -> None:
        self.real = open_tables(
            {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/warehouse"}
        )
        numbers = count(1)
        self.catalog = MemoryCatalog(lambda: next(numbers), lambda: 0)
        self.memory = MemoryTables(self.catalog, INSTALLATION)
        self.real.create(NAME, TableDefinition(dead_letters.COLUMNS))
        self.memory.create(NAME, TableDefinition(()))
        self.paths: list[tuple[str, str]] = []
        for target, offsets in DEAD_LETTERS:
            self._append(target, offsets)

    def _append(self, target: str, offsets: Sequence[int]) -> None:
        table = self.real.catalog.load_table(NAME)
        before = self._real_paths()
        table.append(_dead_letters(table.schema().as_arrow(), target, offsets))
        (theirs,) = self._real_paths() - before
        self.catalog.append(NAME, rows=_rows(target, offsets))
        self.paths.append((theirs, self.catalog.get(NAME).ancestry(self.catalog.get(NAME).head)[0].files[-1]))

    def _real_paths(self) -> set[str]:
        return {task.file.file_path for task in self.real.catalog.load_table(NAME).scan().plan_files()}

    def lose(self, number: int) -> None:
        theirs, mine = self.paths[number]
        self.real.catalog.load_table(NAME).io.delete(theirs)
        self.catalog.deleted.add(mine)

    def agree(self, ask: Ask) -> object:
        """What both answer of the newest snapshot; of the one before they answer the same, too."""
        answer: object = None
        for back in (1, 0):
            said = _outcome(ask, self.real, back)
            answer = _outcome(ask, self.memory, back)
            assert answer == said
        return answer


def _rows(target: str, offsets: Sequence[int]) -> tuple[tuple[str, str, str, int, int], ...]:
    return tuple((target, SOURCE.topic, SOURCE.topic_id, SOURCE.partition, offset) for offset in offsets)


def _dead_letters(schema: pa.Schema, target: str, offsets: Sequence[int]) -> pa.Table:
    row: dict[str, object] = {"target_table": target, "topic": "t", "topic_id": "id-t", "partition": 0}
    row |= REQUIRED
    return pa.Table.from_pylist([{**row, "offset": o} for o in offsets], schema=schema)


def _version(past: PastVersion) -> Version:
    return Version(past.id, past.sequence, past.at_ms)


def _outcome(ask: Ask, tables: Tables, back: int) -> object:
    state = tables.load(NAME)
    then = replace(state, head=_version(tables.history(state)[back]))
    try:
        return ask(tables, then)
    except TableUnfit:
        return TableUnfit


@dataclass(frozen=True)
class DeadLetters:
    target: str
    start: int
    end: int

    def __call__(self, tables: Tables, state: TableState) -> object:
        return tables.dead_letters(state, self.target, [OffsetRange(SOURCE, self.start, self.end)])


def count_rows(tables: Tables, state: TableState) -> object:
    return tables.count_rows(state, COLUMNS, {0: COVERED[SOURCE]})


def count_dead_letters(tables: Tables, state: TableState) -> object:
    return tables.count_dead_letters(state, TARGET, COVERED)


def test_what_a_lost_file_hides_is_refused_alike(folder: Path) -> None:
    both = Both(folder)
    opens_all: list[Ask] = [count_rows, count_dead_letters]
    dead_letters: list[Ask] = [
        DeadLetters(target, *span) for target in (TARGET, OTHER) for span in ((0, 2), (4, 5), (7, 9))
    ]
    assert TableUnfit not in map(both.agree, (*opens_all, *dead_letters))
    both.lose(1)
    assert {*map(both.agree, opens_all)} == {TableUnfit}
    # Only files that may have what is asked for are opened for this.
    assert [both.agree(ask) is TableUnfit for ask in dead_letters] == [False, True, False, False, False, False]
