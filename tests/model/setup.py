"""The settings of a search: tables, offsets, how records decode, who acts, which faults may come, which rules are off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from model.decisions import ALL_MODES, Core, Mode
from model.state import DEAD_LETTERS, State, Table, Wal, World, snapshot

FAULTS = (
    "attempts",
    "crash",
    "unknown",
    "append",
    "by hand",
    "expire",
    "rollback",
    "lost",
    "restore",
    "replaced",
    "edit",
)


@dataclass(frozen=True)
class Setup:
    """One small configuration of the world.

    *decoding* has, per configuration of the pipeline, one letter per offset: `g` good, `b` bad, `?` either at each attempt
    (an operator fixes the table's columns, or harms them). *files* has per configuration the data tables that the pipeline file
    names. *faults* are how many of each may happen, `attempts` how often a batch may be claimed.
    """

    name: str
    decoding: tuple[str, ...] = ("gg",)
    files: tuple[str, ...] = ("A",)
    sizes: tuple[int, ...] = (1,)
    writers: int = 1
    committers: int = 1
    planners: int = 0
    most: int = 9
    faults: Mapping[str, int] = field(default_factory=dict)
    modes: tuple[Mode, ...] = ALL_MODES
    rolls_back: str = "A"
    most_batches: int = 4
    recover_modes: tuple[Mode, ...] = (Mode.RECOMMIT, Mode.REPLAY)
    # The other way of running to the end: every doubtful record is bad, and what was taken out by hand is read again.
    second_end: bool = True

    @property
    def offsets(self) -> int:
        return len(self.decoding[0])

    @property
    def tables(self) -> tuple[str, ...]:
        return (*sorted(set("".join(self.files))), DEAD_LETTERS)


class Env:
    """A setup, the core it runs on, and which rules of the world around the core are off."""

    def __init__(self, setup: Setup, removed: frozenset[str] = frozenset()) -> None:
        self.setup = setup
        self.core = Core(removed)
        self.has = self.core.has
        self.at = {name: i for i, name in enumerate(setup.tables)}
        self.first_in_line = [DEAD_LETTERS, *setup.tables[:-1]]

    def begin(self) -> State:
        """Tables adopted by installation 0, nothing planned."""
        tables = []
        for name in self.setup.tables:
            first = snapshot(1, self.core.adopted(0, name == DEAD_LETTERS), (), None)
            tables.append(Table(0, 0, first, first, 2, 0))
        n = len(tables)
        wal = Wal(0, 0, (0,) * n, (0,) * n, (0,) * n)
        budget = tuple(self.setup.faults.get(name, 0) for name in FAULTS)
        s = self.setup
        # Writers, committers, then one each of rollback and recover, then planners.
        processes = ((),) * (s.writers + s.committers + 2 + s.planners)
        return State(World(wal, tuple(tables)), processes, budget)
