"""Kills and freezes real processes at every point, lets others go on, and counts what was lost and what is there twice."""

from __future__ import annotations

import dataclasses
import queue
import re
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from campaigns import child
from campaigns.child import Did, Job, Settled
from campaigns.forks import Child, Forks
from campaigns.place import Databases, Place, Servers, Topic
from campaigns.points import Fault, Kind
from campaigns.scenarios import BASES, KEEP, LOSE, RESTORE, Act, Scenario


@dataclass(frozen=True)
class Run:
    """One run: the act's fault, perhaps one of its twin, perhaps a rule that does not hold."""

    scenario: Scenario
    fault: Fault
    second: Fault | None = None
    broken: str | None = None

    @property
    def name(self) -> str:
        second = f", then {self.second.kind.value} {self.second.point}" if self.second else ""
        return f"{self.scenario.name}: {self.fault.kind.value} {self.fault.point}{second}"


@dataclass(frozen=True)
class Outcome:
    """`reached` is whether every fault came about: only such runs count. `twin_points` are for pairs."""

    run: Run
    reached: bool
    seconds: float
    settled: Settled | None = None
    faults: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()
    twin_points: tuple[str, ...] = ()
    logs: tuple[str, ...] = ()

    @property
    def lost(self) -> int:
        return self.settled.verdict.lost if self.settled else 0

    @property
    def doubled(self) -> int:
        return self.settled.verdict.doubled if self.settled else 0

    @property
    def stuck(self) -> bool:
        return self.settled is None or self.settled.stuck is not None

    @property
    def well(self) -> bool:
        if not self.reached:
            return True
        return self.settled is not None and self.settled.verdict.well and not self.stuck and not self.unclear

    @property
    def line(self) -> str:
        said = list(self.unclear)
        if self.settled:
            verdict = self.settled.verdict
            said += [f"lost {verdict.lost}, doubled {verdict.doubled}", *verdict.details, *verdict.faults]
            said += [f"stuck: {self.settled.stuck}"] if self.settled.stuck else []
        return "\n    ".join([self.run.name, *said, *(f"({f})" for f in self.faults)])


class Lane:
    """Runs one thing at a time, in processes of its own."""

    def __init__(self, servers: Servers, folder: Path) -> None:
        self.servers = servers
        self.forks = Forks(folder)
        self.databases = Databases(servers.dsn)

    def close(self) -> None:
        self.forks.close()
        self.databases.close()

    def build(self, topic: Topic, base: str) -> Place:
        """A place in the state that *base* names."""
        made = self.databases
        place = Place(self.servers, topic, f"ns_{base.replace(' ', '_')}_{time.time_ns()}", made.log(), made.new())
        kept: str | None = None
        for step in BASES[base]:
            if step == KEEP:
                kept = made.copy(place.log_database)
            elif step == LOSE:
                place = self._with_log(place, made.log())
            elif step == RESTORE:
                assert kept is not None
                place = self._with_log(place, kept)
            else:
                did = self._do(Job(place, step[0], step[1:]))
                assert did.fault is None, did.fault
                place = replace(place, known={**place.known, **did.known})
        return place

    def record(self, base: Place, scenario: Scenario, *, reads: bool = False) -> tuple[str, ...]:
        """The points of the scenario's act, in order."""
        with self._own(base, scenario.base) as place:
            did = self._do(self._job(place, scenario, scenario.act, reads=reads))
            assert did.fault is None, f"{scenario.name}: {did.fault}"
            return did.points

    def run(self, base: Place, run: Run) -> Outcome:
        began = time.monotonic()
        with self._own(base, run.scenario.base) as place:
            out = self._run(place, run)
        return replace(out, seconds=time.monotonic() - began)

    def _run(self, place: Place, run: Run) -> Outcome:
        scenario, children = run.scenario, []
        reads = _is_read(run.fault) or (run.second is not None and _is_read(run.second))

        def start(act: Act, fault: Fault | None) -> Child:
            job = self._job(place, scenario, act, fault=fault, reads=reads, broken=run.broken)
            children.append(self.forks.start(child.act, job))
            return children[-1]

        first = start(scenario.act, run.fault)
        end = first.wait()
        if not (end.killed if run.fault.kind is Kind.KILL else end.frozen):
            return self._told(Outcome(run, False, 0.0), children, end.result)
        if scenario.log_lost:
            place = self._with_log(place, self.databases.log(), keep=True)
        second = start(scenario.meanwhile, run.second).wait()
        dids = [second.result]
        if run.second is not None:
            if not second.killed:
                if end.frozen:
                    first.end()
                return self._told(Outcome(run, False, 0.0), children, second.result)
            dids.append(start(scenario.meanwhile, None).wait().result)
        if end.frozen:
            first.wake()
            dids.append(first.wait().result)
        may_skip = {}
        if scenario.skips:
            may_skip = {place.known["table"]: place.known["taken_out"]}
        job = self._job(place, scenario, (), broken=run.broken)
        children.append(self.forks.start(child.settle, job, may_skip))
        settled = children[-1].wait(120).result
        return self._told(Outcome(run, True, 0.0, settled), children, *dids)

    def _told(self, out: Outcome, children: Sequence[Child], *dids: Did | None) -> Outcome:
        known = [d for d in dids if d is not None]
        out = replace(
            out,
            faults=tuple(d.fault for d in known if d.fault),
            unclear=tuple(d.fault for d in known if d.unclear and d.fault),
            twin_points=known[0].points if known else (),
        )
        logs = () if out.well else tuple(c.said() for c in children)
        for one in children:
            one.forget()
        return replace(out, logs=logs)

    def _job(self, place: Place, scenario: Scenario, act: Act, **more: Any) -> Job:
        return Job(place, act[0] if act else "", act[1:], spark=scenario.spark, **more)

    def _do(self, job: Job) -> Did:
        one = self.forks.start(child.act, job)
        end = one.wait()
        if not isinstance(end.result, Did):
            raise RuntimeError(one.said())
        one.forget()
        return end.result

    def _with_log(self, place: Place, database: str, keep: bool = False) -> Place:
        return replace(place, log_database=database)

    @contextmanager
    def _own(self, base: Place, name: str) -> Iterator[Place]:
        """A copy of *base* that one run may change; where catalogs cannot be copied, one built anew."""
        made = self.databases
        if self.servers.lake.copied and BASES[name]:
            place = replace(base, log_database=made.copy(base.log_database), lake_database=made.copy(base.lake_database))
        else:
            place = self.build(base.topic, name)
        try:
            yield place
        finally:
            made.drop(place.log_database, place.lake_database)


def _is_read(fault: Fault) -> bool:
    from campaigns.points import READS

    return fault.point.split()[0].rpartition(".")[2] in READS


@dataclass
class Campaign:
    """Builds each state once and shares the runs among lanes."""

    lanes: Sequence[Lane]
    topic: Topic
    bases: dict[str, Place] = field(default_factory=dict)
    _building: threading.Lock = field(default_factory=threading.Lock)

    def base(self, name: str) -> Place:
        with self._building:
            if name not in self.bases:
                self.bases[name] = self.lanes[0].build(self.topic, name)
            return self.bases[name]

    def points(self, scenario: Scenario, *, reads: bool = False) -> tuple[str, ...]:
        return self.lanes[0].record(self.base(scenario.base), scenario, reads=reads)

    def outcomes(self, runs: Iterable[Run]) -> Iterator[Outcome]:
        """As they come."""
        waiting: queue.SimpleQueue[Run] = queue.SimpleQueue()
        done: queue.SimpleQueue[Outcome | BaseException] = queue.SimpleQueue()
        count = 0
        for run in runs:
            self.base(run.scenario.base)
            waiting.put(run)
            count += 1

        def work(lane: Lane) -> None:
            while True:
                try:
                    run = waiting.get_nowait()
                except queue.Empty:
                    return
                try:
                    done.put(lane.run(self.bases[run.scenario.base], run))
                except BaseException as fault:
                    done.put(fault)

        threads = [threading.Thread(target=work, args=(lane,)) for lane in self.lanes]
        for thread in threads:
            thread.start()
        for _ in range(count):
            out = done.get()
            if isinstance(out, BaseException):
                raise out
            yield out
        for thread in threads:
            thread.join()


def call_of(point: str) -> str:
    """The call that a point belongs to: without its number in the run, without before and after."""
    return re.sub(r"( \d+)? (before|after)$", "", point)


def both(scenario: Scenario, points: Sequence[str], kinds: Sequence[Kind] = tuple(Kind)) -> list[Run]:
    return [Run(scenario, Fault(point, kind)) for point in points for kind in kinds]


_ = (dataclasses, Mapping)
