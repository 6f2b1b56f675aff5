"""Columns that change while data is in flight: every order of steps of two pipelines, another engine and a rollback of metadata.

A small world of its own, because columns touch nothing else of the protocol: one table, records that need a column by name or
none, and files that are written for the columns that a writer knew. `python -m model.columns` writes docs/proofs/columns.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lakelock.model.column_changes import Added
from lakelock.model.column_types import Column, Integer
from lakelock.records.evolution import Evolution, Evolving
from lakelock.records.observed_fields import ObservedField

from model.breadth_first import Broken, Result, search

PAGE = Path(__file__).parents[2] / "docs" / "proofs" / "columns.md"
RULES = {
    "fresh": "a change of columns is decided on the table as it is when it is swapped",
    "swap": "a change of columns asserts the columns that it was decided on",
    "content": "files are for columns of that content, not of that schema id",
    "there": "files are committed only while every column of theirs is there",
    "assert": "a commit asserts the columns that it was decided on",
    "dropped": "a column that was dropped is not added again",
    "all": "a part names the columns of all its files",
}


class Col(NamedTuple):
    """*made* is when it was made: no other column ever has it, while an id may be given again."""

    name: str
    id: int
    made: int


class Metadata(NamedTuple):
    """*schemas* by id; ids of columns count on from *last_id*."""

    schemas: tuple[frozenset[Col], ...]
    current: int
    last_id: int

    @property
    def columns(self) -> frozenset[Col]:
        return self.schemas[self.current]

    @property
    def gone(self) -> frozenset[str]:
        """Names that the table had, and has not."""
        return frozenset(c.name for s in self.schemas for c in s) - {c.name for c in self.columns}


class File(NamedTuple):
    schema_id: int
    columns: frozenset[Col]


class Pipe(NamedTuple):
    """*records* are the names that each slice's record needs (empty: none); *known* is what the writer loaded, *drafted* what a
    change or commit is decided on; *files* are those of slices that are done.
    """

    records: tuple[str, ...]
    step: str = "load"
    known: Metadata | None = None
    drafted: Metadata | None = None
    files: tuple[File | None, ...] = ()
    attempts: int = 0


class World(NamedTuple):
    now: Metadata
    before: Metadata | None
    pipes: tuple[Pipe, ...]
    made: int
    drops: int
    adds: int
    registers: int


def asked(columns: frozenset[Col], names: frozenset[str], gone: frozenset[str]) -> list[str]:
    """Names of columns that the product would add for records that need *names*."""
    found = ObservedField()
    found.add(dict.fromkeys(sorted(names), 1))
    known = tuple(Column(c.name, Integer(64)) for c in sorted(columns))
    evolving = Evolving(known, True, True, dropped=tuple((name,) for name in sorted(gone)))
    return [change.path[0] for change in Evolution(evolving).changes(found) if isinstance(change, Added)]


class Model:
    def __init__(self, without: str = "") -> None:
        self._without = without

    def has(self, rule: str) -> bool:
        return rule != self._without

    def search(self, start: World, most: int = 400_000) -> Result:
        return search("columns", start, self.steps, most)

    def steps(self, world: World) -> Iterator[tuple[str, World]]:
        for number, pipe in enumerate(world.pipes):
            for said, after, pipe_after in self._of_pipe(world, pipe):
                pipes = (*world.pipes[:number], pipe_after, *world.pipes[number + 1 :])
                yield f"pipeline {number}: {said}", after._replace(pipes=pipes)
        yield from self._of_others(world)

    def _of_others(self, world: World) -> Iterator[tuple[str, World]]:
        now = world.now
        for column in sorted(now.columns) if world.drops else ():
            after = _with(now, now.columns - {column})
            yield f"{column.name} is dropped", world._replace(now=after, drops=world.drops - 1)
        if world.adds and "x" not in {c.name for c in now.columns}:
            after, made = _added(now, ["x"], world.made)
            yield "another engine adds x", world._replace(now=after, made=made, adds=world.adds - 1)
        if world.registers and world.before is None:
            yield "a copy of the metadata is kept", world._replace(before=now)
        if world.registers and world.before not in (None, now):
            assert world.before is not None
            yield "older metadata is registered", world._replace(now=world.before, registers=world.registers - 1)

    def _of_pipe(self, world: World, pipe: Pipe) -> Iterator[tuple[str, World, Pipe]]:
        now = world.now
        match pipe.step:
            case "load" if pipe.attempts < 3:
                empty = (None,) * len(pipe.records)
                loaded = pipe._replace(step="write", known=now, files=empty, drafted=None, attempts=pipe.attempts + 1)
                yield "loads the table", world, loaded
            case "write":
                assert pipe.known is not None
                yield "writes its slices", world, self._written(pipe, pipe.known)
            case "evolve":
                yield "loads the table to change it", world, pipe._replace(step="swap", drafted=now)
            case "swap":
                yield from self._swapped(world, pipe)
            case "commit":
                yield from self._decided(world, pipe)
            case "land":
                yield from self._landed(world, pipe)

    def _written(self, pipe: Pipe, known: Metadata) -> Pipe:
        """Slices whose record needs what is not there report it; others have a file, unless they have one."""
        names = {c.name for c in known.columns} | (known.gone if self.has("dropped") else frozenset())
        files = tuple(
            done or (File(known.current, known.columns) if not need or need in names else None)
            for need, done in zip(pipe.records, pipe.files, strict=True)
        )
        return pipe._replace(step="commit" if all(files) else "evolve", files=files)

    def _swapped(self, world: World, pipe: Pipe) -> Iterator[tuple[str, World, Pipe]]:
        drafted = pipe.drafted
        assert drafted is not None
        assert pipe.known is not None
        now, base = world.now, drafted if self.has("fresh") else pipe.known
        if self.has("swap") and now != drafted:
            yield "its change is refused", world, pipe._replace(step="evolve", drafted=None)
            return
        needs = frozenset(n for n, f in zip(pipe.records, pipe.files, strict=True) if f is None)
        names = asked(base.columns, needs, base.gone if self.has("dropped") else frozenset())
        after, made = _added(now, names, world.made, base.columns)
        if now.columns - after.columns:
            raise Broken(f"a change takes {sorted(c.name for c in now.columns - after.columns)} away")
        if back := {c.name for c in after.columns - now.columns} & now.gone:
            raise Broken(f"a change adds {sorted(back)} again, which was dropped")
        again = pipe._replace(step="write", known=after, drafted=None)
        yield f"adds {names}", world._replace(now=after, made=made), again

    def _decided(self, world: World, pipe: Pipe) -> Iterator[tuple[str, World, Pipe]]:
        files = [f for f in pipe.files if f] if self.has("all") else [max(f for f in pipe.files if f)]
        if all(self._fits(world.now, file) for file in files):
            yield "decides to commit", world, pipe._replace(step="land", drafted=world.now)
        else:
            yield "will write again", world, pipe._replace(step="load", drafted=None)

    def _fits(self, now: Metadata, file: File) -> bool:
        known = now.schemas[file.schema_id] if file.schema_id < len(now.schemas) else None
        if known is None:
            return False
        # A digest has ids and names. Two columns that agree in both cannot be distinguished, and hold the same field.
        if self.has("content") and {c[:2] for c in known} != {c[:2] for c in file.columns}:
            return False
        ids = {c.id for c in now.columns}
        return not self.has("there") or all(c.id in ids for c in known)

    def _landed(self, world: World, pipe: Pipe) -> Iterator[tuple[str, World, Pipe]]:
        now = world.now
        if self.has("assert") and now != pipe.drafted:
            yield "its commit is refused", world, pipe._replace(step="commit", drafted=None)
            return
        by_id = {c.id: c for c in now.columns}
        for file in pipe.files:
            assert file is not None
            for column in file.columns:
                if (there := by_id.get(column.id)) is None:
                    raise Broken(f"values of {column.name} are hidden")
                if there.name != column.name:
                    raise Broken(f"values of {column.name} are read as {there.name}")
        yield "commits", world, pipe._replace(step="done", known=None, drafted=None, files=())


def _with(now: Metadata, columns: frozenset[Col], last_id: int | None = None) -> Metadata:
    last = now.last_id if last_id is None else last_id
    if columns == now.columns:
        return now
    return Metadata((*now.schemas, columns), len(now.schemas), last)


def _added(now: Metadata, names: list[str], made: int, base: frozenset[Col] | None = None) -> tuple[Metadata, int]:
    columns = now.columns if base is None else base
    for name in names:
        made += 1
        columns |= {Col(name, now.last_id + 1, made)}
        now = now._replace(last_id=now.last_id + 1)
    return _with(now, columns), made


ID = Col("id", 1, 1)
TABLE = Metadata((frozenset({ID}),), 0, 1)
X, Y = Col("x", 2, 2), Col("y", 3, 3)
# By name: a start, in which at most so much happens beside.
WORLDS: dict[str, World] = {
    "two pipelines with the same and with other columns": World(
        TABLE, None, (Pipe(("x", "")), Pipe(("x", "y"))), 1, 0, 0, 0
    ),
    "another engine adds and drops": World(TABLE, None, (Pipe(("x", "")), Pipe(("y",))), 1, 1, 1, 0),
    "a column is dropped while parts wait": World(
        Metadata((frozenset({ID, X}),), 0, 2), None, (Pipe(("x", "y")), Pipe(("",))), 2, 2, 0, 0
    ),
    "older metadata is registered": World(TABLE, None, (Pipe(("x",)), Pipe(("y",))), 1, 0, 1, 1),
}


def counterexample(rule: str) -> Result | None:
    """The shortest of all worlds without *rule*."""
    found = [r for world in WORLDS.values() if (r := Model(rule).search(world)).wrong]
    return min(found, key=lambda r: len(r.trace), default=None)


def page() -> str:
    """docs/proofs/columns.md."""
    lines = [
        "# Columns that change while data is in flight",
        "",
        "`python -m model.columns` (with `PYTHONPATH=plugins:tests`) writes this page. It searches every",
        "order of steps of one or two pipelines whose columns follow the records, of another engine that adds",
        "and drops columns, and of a copy of older metadata that is registered again. The changes that",
        "records ask for are decided by the product (`records.evolution`).",
        "",
        "With all rules, no value is hidden or in another column, no change takes a column away, and none",
        "adds a dropped one:",
        "",
        "| world | states |",
        "|---|---|",
        *(f"| {name} | {Model().search(world).states:,} |" for name, world in WORLDS.items()),
        "",
        "Without a rule, the shortest way to a fault:",
        "",
        "| rule | steps | fault |",
        "|---|---|---|",
    ]
    for rule, said in RULES.items():
        found = counterexample(rule)
        assert found is not None
        lines.append(f"| {said} | {'; '.join(found.trace)} | {found.wrong} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE.relative_to(Path.cwd()))
