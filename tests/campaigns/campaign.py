"""Many runs on the same servers: states and points are made once, and the work is shared among lanes."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

from campaigns.lanes import Lane, Outcome, Run
from campaigns.place import Place, Topic
from campaigns.scenarios import Scenario

R = TypeVar("R")


@dataclass
class Campaign:
    """Builds each state once and shares the runs among lanes."""

    lanes: Sequence[Lane]
    topic: Topic
    bases: dict[str, Place] = field(default_factory=dict)
    _points: dict[tuple[str, bool], tuple[str, ...]] = field(default_factory=dict)

    def points(self, scenario: Scenario, *, reads: bool = False) -> tuple[str, ...]:
        self.record([scenario], reads=reads)
        return self._points[scenario.name, reads]

    def record(self, scenarios: Iterable[Scenario], *, reads: bool = False) -> None:
        """The points of all of them, by all lanes at once: each takes a run without a fault."""
        wanted = {s.name: s for s in scenarios if (s.name, reads) not in self._points}
        self.build(s.base for s in wanted.values())

        def recorded(scenario: Scenario) -> Callable[[Lane], tuple[str, tuple[str, ...]]]:
            return lambda lane: (scenario.name, lane.record(self.bases[scenario.base], scenario, reads=reads))

        for name, points in self._by_lanes([recorded(s) for s in wanted.values()]):
            self._points[name, reads] = points

    def build(self, names: Iterable[str]) -> None:
        """States that runs start from."""
        wanted = [name for name in dict.fromkeys(names) if name not in self.bases]

        def built(name: str) -> Callable[[Lane], tuple[str, Place]]:
            # Where catalogs cannot be copied, each run builds its own.
            return lambda lane: (name, lane.build(self.topic, name if lane.servers.lake.copied else "new"))

        self.bases |= dict(self._by_lanes([built(name) for name in wanted]))

    def outcomes(self, runs: Iterable[Run]) -> Iterator[Outcome]:
        """As they come."""
        chosen = list(runs)
        self.build(run.scenario.base for run in chosen)

        def done(run: Run) -> Callable[[Lane], Outcome]:
            return lambda lane: lane.run(self.bases[run.scenario.base], run)

        yield from self._by_lanes([done(run) for run in chosen])

    def _by_lanes(self, jobs: Sequence[Callable[[Lane], R]]) -> Iterator[R]:
        """What each comes to; a lane that is free takes the next."""
        waiting: queue.SimpleQueue[Callable[[Lane], R]] = queue.SimpleQueue()
        done: queue.SimpleQueue[R | BaseException] = queue.SimpleQueue()
        for job in jobs:
            waiting.put(job)

        def work(lane: Lane) -> None:
            with suppress(queue.Empty):
                while True:
                    job = waiting.get_nowait()
                    try:
                        done.put(job(lane))
                    except BaseException as fault:
                        done.put(fault)

        threads = [threading.Thread(target=work, args=(lane,)) for lane in self.lanes[: len(jobs)]]
        for thread in threads:
            thread.start()
        try:
            for _ in jobs:
                out = done.get()
                if isinstance(out, BaseException):
                    raise out
                yield out
        except BaseException:
            # A campaign that is interrupted begins no further run: its servers are about to stop.
            with suppress(queue.Empty):
                while True:
                    waiting.get_nowait()
            raise
        for thread in threads:
            thread.join()
