"""One seeded world: servers in memory, a virtual clock, and a scheduler that decides who goes on, dies or sleeps."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from greenlet import getcurrent
from lakelock.config import Pipeline
from lakelock.model.offsets import OffsetRange
from lakelock.ports import Target
from lakelock.testing import kafka
from lakelock.testing.catalog import MemoryCatalog, Meta
from lakelock.testing.kafka import Kafka
from lakelock.testing.log import MemoryLog
from lakelock.testing.log_rows import LogRows, PartRow
from lakelock.testing.redrive import MemoryRedriver
from lakelock.testing.routing import kind_of
from lakelock.testing.shuffling import MemoryShuffle
from lakelock.workers.shuffled_outputs import joined_outputs

from simulation import pipelines, routes
from simulation.actors import Actor

LOG_WRITES = frozenset(
    [
        "plan",
        "claim",
        "end_earlier",
        "stage",
        "committed",
        "replan",
        "plan_instead",
        "replan_unwritten",
        "follow",
        "give_up",
        "rebuild",
        "fill",
        "fill_requested",
        "declare",
        "rebind",
        "retire_table",
        "give_up_parts",
        "release",
        "await_generation",
        "bind",
        "coalesce",
        "keep_routed",
    ]
)


class Violation(BaseException):
    """Something that must never be. Not an Exception: no step may take it for an error of its own."""


class World:
    """*trace* collects what happens, for people. The profile of a seed is drawn first, then its events."""

    def __init__(self, seed: int, trace: list[str] | None = None, *, routed: bool = False) -> None:
        self.seed, self.trace = seed, trace
        self.rng = rng = random.Random(seed)
        self.hub: Any = getcurrent()
        self.now = 1_000_000.0
        self.beaten_at = self.now
        self.last_number = 0
        self.counts: Counter[str] = Counter()
        # Profile.
        self.switch_every = rng.choice((1, 2, 4, 8, 20))
        self.fault_every = rng.choice((0, 0, 15, 40, 100))
        self.doom_chance = rng.choice((0.0, 0.15, 0.3, 0.5))
        self.keep_batches = rng.choice((0, 1, 3, 1000, 1000))
        self.hurry = rng.choice((0.0, 0.0, 0.1, 0.5))
        self.calm = False
        self.steps = 0
        self.fault_in = self._next_fault()
        # Servers.
        self.kafka = Kafka()
        self.catalog = MemoryCatalog(self.number, lambda: int(self.now * 1000), rng.random() < 0.5)
        self.log = MemoryLog("inst-1", lambda: self.now)
        self.log.restaged = self._restaged
        self.writer = MemoryShuffle(self.kafka, self.catalog, self._wrote, joined_outputs)
        self.writer.reads_until = self._reads_until
        self.writer.runs_again = self._runs_again
        self.redriver = MemoryRedriver(self.kafka, self.catalog, self._wrote)
        self.backups: list[LogRows] = []
        # What a person knows.
        self.pipeline: Pipeline = pipelines.pipeline((), None, pipelines.DEAD_LETTERS[0], 100, 1000)
        self.needs: set[str] = set()
        # How often a person changed the columns of a table back.
        self.losses = 0
        self.happenings: set[str] = set()
        self.dead_letters, self.keep_snapshots = False, 1000
        # Whether the file says to start with what comes after the first run.
        self.starts_late = False
        self.dead_letter_names: tuple[str, ...] = pipelines.DEAD_LETTERS[:1]
        self.choosy = kafka.OLD
        # Treatment of records without a value, in each version of the file.
        self.tombstones = "dead_letter"
        # Drawn apart, so that the other worlds of these seeds are as they were.
        self.evolves = random.Random(f"evolves {seed}").random() < 0.4
        # Drawn apart as well. A job of several slices has a shuffle if rules name its tables.
        self.of_slices = random.Random(f"slices {seed}")
        self.slices_at_once = self.of_slices.choice((1, 1, 2, 3))
        self.repeats = self.of_slices.choice((0.0, 0.2))
        # Rules name the tables, beside the tables that are *static*, with their topics.
        of_routes = random.Random(f"routes {seed}")
        self.routed = of_routes.random() < 0.35 or routed
        topics = of_routes.choice(((), (pipelines.Y,), None, None, None)) if self.routed else None
        self.static: dict[str, tuple[str, ...]] = {} if topics is None else {pipelines.A: topics}
        self.rules = of_routes.randrange(len(routes.RULES))
        self.words = of_routes.choice((("a", "b"), ("a", "b", "c", "A"), ("a", "A", "b", "B", ""), routes.WORDS))
        # Tables that a person dropped, as they were then, and those that a person gave another table.
        self.dropped: dict[str, Meta] = {}
        self.rebound: set[str] = set()
        # Those that a person ever retired.
        self.retired: set[str] = set()
        # Of those that were dropped, tables that the dead-letter table named to each process.
        self.known: set[str] = set()
        # Columns that a written file has beside those of its variant, with their ids, by path.
        self.extras_of: dict[str, dict[str, int]] = {}
        self.claims: dict[str, str] = {}
        # Generation under which a file may land, by path.
        self.blessed: dict[str, int] = {}
        # The table that a written file is for, by path.
        self.table_of: dict[str, str] = {}
        self.actors: list[Actor] = []
        self.runnable: list[Actor] = []
        self.sleeping: list[tuple[int, Actor]] = []
        self.late: list[Callable[[], Any]] = []
        self.happened: Callable[[str, tuple[Any, ...]], None] = lambda name, args: None
        self.turn = 0

    def expects(self, record: int) -> bool:
        """Whether a record must become a row or a dead letter."""
        record = kind_of(record)
        return record != kafka.NONE and (record != kafka.TOMBSTONE or self.tombstones != "skip")

    def file(self, max_records: int) -> Pipeline:
        """The pipeline file of a world with routes."""
        name, keep = pipelines.DEAD_LETTERS[0], self.keep_snapshots
        static = self.static.get(pipelines.A) if self.static else None
        return pipelines.pipeline(
            (),
            None,
            name,
            max_records,
            keep,
            tombstones=self.tombstones,
            evolves=self.evolves,
            start="latest" if self.starts_late else "earliest",
            route=self.rules,
            static=static,
        )

    def number(self) -> int:
        self.last_number += 1
        return self.last_number

    def new_id(self) -> str:
        return f"id{self.number()}"

    def _reads_until(self, r: OffsetRange) -> int:
        """Where the time of a slice is over."""
        if self.calm or self.rng.random() >= self.hurry:
            return r.end
        self.counts["slices out of time"] += 1
        return self.rng.randrange(r.start, r.end)

    def _runs_again(self) -> Callable[[OffsetRange], int] | None:
        """Where a slice ends if Spark runs it again after it has sent its records."""
        if self.calm or self.of_slices.random() >= self.repeats:
            return None
        self.counts["slices run again"] += 1
        return lambda r: self.of_slices.choice((r.end, self.of_slices.randrange(r.start, r.end)))

    def turns(self) -> int:
        if self.calm:
            return 100
        every = self.switch_every
        return 1 if every == 1 else self.rng.randrange(1, 2 * every)

    def say(self, what: str) -> None:
        if self.trace is not None:
            self.trace.append(f"{self.turn:5} {self.now - 1e6:9.2f}s  {what}")

    # Faults.

    def _next_fault(self) -> int:
        return self.rng.randrange(1, 2 * self.fault_every) if self.fault_every else -1

    def fault(self, port: str, name: str) -> str | None:
        self.fault_in = self._next_fault()
        kinds: tuple[str, ...] = ("before",)
        if port == "log" and name in LOG_WRITES:
            kinds = ("before", "after", "twice", "twice")
        elif (port, name) == ("tables", "commit"):
            kinds = ("before", "after", "late")
        elif port == "log":
            return None
        kind = self.rng.choice(kinds)
        self.counts["unreachable" if kind == "before" else "repeated" if kind == "twice" else "unknown outcomes"] += 1
        return kind

    def deliver(self) -> None:
        """Requests that were on their way all the time arrive."""
        while self.late:
            effect = self.late.pop(self.rng.randrange(len(self.late)))
            try:
                effect()
                self.say("a late commit landed")
                self.counts["late commits"] += 1
            except Exception as fault:
                self.say(f"a late commit was refused: {fault}")

    # Time.

    def advance(self, seconds: float) -> None:
        self.now += seconds
        if self.now - self.beaten_at >= 5:
            self.beaten_at = self.now
            for actor in self.runnable:
                if actor.holds is not None and not self.log.heartbeat(*actor.holds):
                    actor.fenced = True

    # Processes.

    def start(self, name: str, work: Callable[[Actor], None], on_doom: Callable[[], None] | None = None) -> Actor:
        actor = Actor(self, f"{name}#{self.number()}", work)
        if not self.calm and self.rng.random() < self.doom_chance:
            actor.doom = self.rng.randrange(60)
            actor.doom_kind = self.rng.choice(("kill", "freeze"))
        actor.on_doom = on_doom
        self.actors.append(actor)
        self.runnable.append(actor)
        self.say(f"{actor.name} starts")
        return actor

    def strike(self, actor: Actor) -> None:
        """SIGKILL, or a process that stops for a long time."""
        self.runnable.remove(actor)
        if actor.doom_kind == "kill":
            actor.dead = True
            self.counts["crashes"] += 1
            self.say(f"{actor.name} is killed")
        else:
            actor.frozen = True
            self.sleeping.append((self.turn + self.rng.randrange(5, 300), actor))
            self.counts["zombies"] += 1
            self.say(f"{actor.name} freezes")
        if actor.on_doom is not None:
            actor.on_doom()

    def wake(self, *, everybody: bool = False) -> None:
        for at, actor in list(self.sleeping):
            if everybody or at <= self.turn:
                self.sleeping.remove((at, actor))
                actor.frozen = False
                self.runnable.append(actor)
                self.say(f"{actor.name} wakes up")

    def resume(self, actor: Actor) -> None:
        self.turn += 1
        self.advance(0.05)
        actor.greenlet.switch()
        if actor.done and actor in self.runnable:
            self.runnable.remove(actor)

    def run(self, events: list[Callable[[], None]]) -> None:
        """Until all events have come and no process is left that could continue."""
        rng = self.rng
        hurry = rng.choice((0.02, 0.1, 0.3))
        while events or self.runnable:
            self.wake()
            if self.late and rng.random() < 0.1:
                self.deliver()
            if events and (not self.runnable or rng.random() < hurry):
                self.turn += 1
                events.pop(0)()
            else:
                self.resume(self.runnable[rng.randrange(len(self.runnable))])

    def close(self) -> None:
        """Ends what is left; nothing of it has an effect any more."""
        for actor in self.actors:
            if not actor.done:
                actor.dead = True
                actor.greenlet.throw()
            # No cycle is left for the collector.
            del actor.greenlet, actor.work
            actor.on_doom = None
        self.actors.clear()
        self.sleeping.clear()
        self.catalog.watch = lambda before, after: None
        self.kafka.published = lambda offsets: None

    # What the oracle must know of files.

    def _wrote(self, path: str, target: Target) -> None:
        self.blessed[path] = target.generation
        self.table_of[path] = target.table
        self.extras_of[path] = dict(target.layout.details["extras"])  # type: ignore[call-overload]

    def _restaged(self, part: PartRow, generation: int) -> None:
        for file in part.files:
            self.blessed[file.path] = max(generation, self.blessed.get(file.path, 0))
