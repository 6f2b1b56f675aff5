"""Runs: a process is killed or frozen at a point, another goes on, and what that cost is counted."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from stack.spark import SparkConnect

from campaigns import child
from campaigns.child import Did, Job, Settled
from campaigns.forks import Child, End, Forks
from campaigns.gate import Gate
from campaigns.place import Databases, Place, Servers, Topic
from campaigns.points import READS, Fault, Kind
from campaigns.scenarios import (
    BASES,
    KEEP,
    LOSE,
    RESTORE,
    WITH_EVOLUTION,
    WITH_LANDING,
    WITH_ROUTES,
    WITH_ROUTES_AND_A_TABLE,
    WITH_SHUFFLE,
    WITH_SQL,
    Act,
    Scenario,
)


@dataclass(frozen=True)
class Run:
    """One run: the act's fault, perhaps one of its twin, perhaps a rule that does not hold. *pairs*: its twin's points are
    wanted, too."""

    scenario: Scenario
    fault: Fault
    second: Fault | None = None
    broken: str | None = None
    pairs: bool = False

    @property
    def in_task(self) -> bool:
        """Whether the fault meets a job of Spark's at the gate in its tasks."""
        return self.fault.point.startswith("in a ")

    @property
    def kinds(self) -> str:
        """What happens to its processes."""
        return " + ".join([self.fault.kind.value, *([self.second.kind.value] if self.second else [])])

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

    def __init__(self, servers: Servers, folder: Path, spark: SparkConnect | None = None) -> None:
        self.servers, self.spark, self.folder = servers, spark, folder
        self.forks = Forks(folder)
        self.databases = Databases(servers.dsn)

    def close(self) -> None:
        self.forks.close()

    def build(self, topic: Topic, base: str) -> Place:
        """A place in the state that *base* names."""
        made = self.databases
        # One database for both is quicker to copy.
        log = made.log()
        place = Place(self.servers, topic, f"ns_{base.replace(' ', '_')}_{time.time_ns()}", log, log)
        kept: str | None = None
        for step in BASES[base]:
            if step == WITH_SQL:
                place = replace(place, sql=True)
            elif step == WITH_EVOLUTION:
                place = replace(place, evolves=True)
            elif step == WITH_LANDING:
                place = replace(place, lands=True)
            elif step == WITH_ROUTES:
                place = replace(place, routed=True)
            elif step == WITH_ROUTES_AND_A_TABLE:
                place = replace(place, routed=True, mixed=True)
            elif step == WITH_SHUFFLE:
                place = replace(place, shuffled=True)
            elif step == KEEP:
                kept = made.copy(place.log_database)
            elif step == LOSE:
                place = replace(place, log_database=made.log())
            elif step == RESTORE:
                assert kept is not None
                place = replace(place, log_database=kept)
            else:
                did = self._do(Job(place, step[0], step[1:]))
                assert did.fault is None, did.fault
                place = replace(place, known={**place.known, **did.known})
        return place

    def record(self, base: Place, scenario: Scenario, *, reads: bool = False) -> tuple[str, ...]:
        """The points of the scenario's act, in order."""
        with self._own(base, scenario.base) as place:
            did = self._do(self._job(place, scenario, scenario.act, reads=reads))
            assert (did.fault or "").partition(":")[0] == scenario.stops, f"{scenario.name}: {did.fault}"
            return did.points

    def run(self, base: Place, run: Run) -> Outcome:
        began, children = time.monotonic(), list[Child]()
        with self._own(base, run.scenario.base) as place:
            try:
                out = self._run(place, run, children)
            except TimeoutError as fault:
                # A test waits for what never comes: that is a result, too.
                out = Outcome(run, True, 0.0, unclear=(str(fault),), logs=tuple(c.said() for c in children))
            finally:
                for one in children:
                    one.end()
        return replace(out, seconds=time.monotonic() - began)

    def _run(self, place: Place, run: Run, children: list[Child]) -> Outcome:
        scenario, fault = run.scenario, run.fault
        reads = _is_read(fault) or (run.second is not None and _is_read(run.second))
        gate = Gate(tempfile.mkdtemp(dir=self.folder), fault.point.removeprefix("in a ")) if run.in_task else None

        def start(act: Act, fault: Fault | None, gate: Gate | None = None) -> Child:
            job = self._job(place, scenario, act, fault=fault, reads=reads, broken=run.broken, gate=gate)
            children.append(self.forks.start(child.act, job))
            return children[-1]

        first = start(scenario.act, None if gate else fault, gate)
        end = self._met(first, gate, fault.kind) if gate else first.wait()
        if not gate and not (end.killed if fault.kind is Kind.KILL else end.frozen):
            return self._outcome(Outcome(run, False, 0.0), children, end.result)
        if scenario.log_lost:
            place = replace(place, log_database=self.databases.log())
        dids: list[Did | None] = [end.result]
        # After a kill the first ordinary run is the retry of a cycle.
        if end.frozen or scenario.meanwhile[0] != "cycle" or run.pairs or run.second:
            second = start(scenario.meanwhile, run.second).wait()
            dids.append(second.result)
            if run.second and not second.killed:
                return self._outcome(Outcome(run, False, 0.0), children, *dids)
            if run.second:
                dids.append(start(scenario.meanwhile, None).wait().result)
        if gate:
            gate.open()
        if end.frozen:
            first.wake()
            dids.append(first.wait().result)
        may_skip = {place.known["table"]: place.known["taken_out"]} if scenario.skips else {}
        children.append(self.forks.start(child.settle, self._job(place, scenario, (), broken=run.broken), may_skip))
        out = Outcome(run, True, 0.0, children[-1].wait().result)
        if scenario.log_lost:
            self.databases.drop(place.log_database)
        return self._outcome(out, children, *dids)

    def _met(self, first: Child, gate: Gate, kind: Kind) -> End:
        """The fault, once a task stands at the gate."""
        workers = gate.workers()
        if kind is Kind.KILL:
            first.kill()
        elif kind is Kind.FREEZE:
            first.freeze()
        elif kind is Kind.WORKER:
            for pid in workers:
                os.kill(pid, signal.SIGKILL)
            gate.open()
        else:
            assert self.spark is not None
            self.spark.kill()
            self.spark.start()
            gate.open()
        return first.wait()

    def _outcome(self, out: Outcome, children: Sequence[Child], *dids: Did | None) -> Outcome:
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

    @contextmanager
    def _own(self, base: Place, name: str) -> Iterator[Place]:
        """A copy of *base* that one run may change; where catalogs cannot be copied, one built from the start."""
        made = self.databases
        if self.servers.lake.copied and BASES[name]:
            own = {name: made.copy(name) for name in {base.log_database, base.lake_database}}
            place = replace(base, log_database=own[base.log_database], lake_database=own[base.lake_database])
        else:
            place = self.build(base.topic, name)
        try:
            yield place
        finally:
            made.drop(*{place.log_database, place.lake_database})


def _is_read(fault: Fault) -> bool:
    return fault.point.split()[0].rpartition(".")[2] in READS
