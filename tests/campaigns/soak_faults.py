"""What a soak does to a running pipeline, one thing at a time, chosen by chance."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lakelock.app.capabilities import WRITER_GRACE

from campaigns import child, loops
from campaigns.child import Did, Job
from campaigns.forks import Child, End, Forks
from campaigns.place import NAME, ORDERS, Databases, Place

# For the round that follows, on a machine that others use.
SLACK_S = 120.0
LOOPS = {"writer": loops.writer, "committer": loops.committer}


@dataclass
class Soak:
    """A pipeline that works, and its servers. `place` changes when Postgres' database is lost."""

    place: Place
    forks: Forks
    databases: Databases
    servers: dict[str, Any]
    chance: random.Random
    over: Path
    running: dict[str, Child] = field(default_factory=dict)
    may_skip: dict[str, set[tuple[int, int]]] = field(default_factory=dict)
    unclear: list[str] = field(default_factory=list)
    aborted: int = 0
    fixed: bool = False

    def supervise(self) -> None:
        """Begins loops again that are not there, as Airflow would."""
        for name, loop in LOOPS.items():
            one = self.running.get(name)
            if one is not None and (ended := one.ended()) is not None:
                self._check(name, one, ended)
                one = None
            if one is None:
                self.running[name] = self.forks.start(loop, self.place, self.over)

    def end(self) -> None:
        """Lets the loops come to their end: a committer waits out its grace for a batch whose writer was killed last."""
        self.over.touch()
        for name, one in self.running.items():
            try:
                self._check(name, one, one.wait(loops.WINDOW_S + WRITER_GRACE.total_seconds() + SLACK_S))
            except TimeoutError as fault:
                self.unclear.append(str(fault))

    def do(self, act: str, *words: str) -> Did:
        """In a process of its own, with the servers as they are."""
        end = self.forks.run(child.act, Job(self.place, act, words), timeout_s=120)
        did = end.result if isinstance(end.result, Did) else Did(fault=f"ended with {end}", unclear=True)
        if did.unclear:
            self.unclear.append(f"{act} {words}: {did.fault}")
        return did

    def _check(self, name: str, one: Child, end: End) -> None:
        if end.signal == signal.SIGABRT:
            # librdkafka's group requests may abort the process when the broker goes away (confluentinc/librdkafka#4605):
            # one more crash, which costs nothing either.
            self.aborted += 1
        elif not (end.well or end.killed):
            self.unclear.append(f"{name} ended with {end}: {one.said()[-1500:]}")
        one.forget()


def kill(soak: Soak) -> str:
    name = soak.chance.choice(sorted(LOOPS))
    soak.running[name].kill()
    return f"kill the {name}"


def freeze(soak: Soak) -> str:
    """Another takes its place; then it wakes up and both go on for a while, until it is killed."""
    name = soak.chance.choice(sorted(LOOPS))
    zombie = soak.running.pop(name)
    zombie.freeze()
    soak.supervise()
    pause(soak, 2, 8)
    zombie.wake()
    pause(soak, 1, 5)
    zombie.kill()
    zombie.wait_for_its_end()
    return f"freeze the {name}"


def restart(soak: Soak) -> str:
    name = soak.chance.choice(sorted(soak.servers))
    server = soak.servers[name]
    server.kill()
    server.start()
    return f"kill and restart {name}"


def rollback(soak: Soak) -> str:
    """Sometimes killed at some moment, then only asked for again by chance."""
    mode = soak.chance.choice(("recommit", "replay", "skip"))
    approved = soak.do("approve", ORDERS, f"last:{soak.chance.randint(1, 3)}")
    if approved.fault:
        return "rollback, refused"
    place = soak.place
    soak.place = replace(place, known=approved.known)
    try:
        if mode == "skip":
            soak.may_skip.setdefault(ORDERS, set()).update(approved.known["taken_out"])
            did = soak.do("rollback", mode)
        elif soak.chance.random() < 0.5:
            one = soak.forks.start(child.act, Job(soak.place, "rollback", (mode,)))
            pause(soak, 0.1, 1.0)
            with suppress(ProcessLookupError):
                one.kill()
            one.wait_for_its_end()
            return f"rollback, {mode}, killed"
        else:
            did = soak.do("rollback", mode)
    finally:
        soak.place = replace(soak.place, known={})
    return f"rollback, {mode}" + (", refused" if did.fault else "")


def compact(soak: Soak) -> str:
    """Beside all the rest; sometimes killed."""
    return _perhaps_killed(soak, "compact", "compact")


def read_again(soak: Soak) -> str:
    """Refused where anything is open, as it mostly is here; sometimes killed."""
    return _perhaps_killed(soak, "replace", "replace")


def redrive(soak: Soak) -> str:
    """After the first one's columns were fixed; sometimes killed."""
    soak.fixed = soak.fixed or not soak.do("fix").fault
    return _perhaps_killed(soak, "redrive", "look and redrive")


def _perhaps_killed(soak: Soak, reported: str, act: str) -> str:
    if soak.chance.random() < 0.5:
        return reported + (", refused" if soak.do(act).fault else "")
    one = soak.forks.start(child.act, Job(soak.place, act))
    pause(soak, 0.1, 1.0)
    with suppress(ProcessLookupError):
        one.kill()
    one.wait_for_its_end()
    return f"{reported}, killed"


def by_hand(soak: Soak) -> str:
    """With another tool, then `recover`; until then the pipeline stops."""
    did = soak.do("by hand", soak.chance.choice((ORDERS, f"{NAME}__dead_letters")))
    if did.fault:
        return "set back by hand, refused"
    pause(soak, 0.5, 2)
    return _recovered(soak, "set back by hand", "by hand", soak.chance.choice(("recommit", "replay")))


def recover(soak: Soak) -> str:
    return _recovered(soak, "recover as if restored", "restored")


def lose(soak: Soak) -> str:
    """Postgres comes back empty, while an old process may still wake up."""
    old = [soak.running.pop(name) for name in list(soak.running)]
    for one in old:
        one.freeze()
    soak.place = replace(soak.place, log_database=soak.databases.log())
    reported = _recovered(soak, "lose the log", "take-over")
    soak.supervise()
    for one in old:
        one.wake()
    pause(soak, 1, 4)
    for one in old:
        one.kill()
        one.wait_for_its_end()
    return reported


def _recovered(soak: Soak, reported: str, *how: str) -> str:
    """A person repeats the command until it says that it is done."""
    for _ in range(5):
        did = soak.do("recover", *how)
        if not did.fault:
            return reported
    soak.unclear.append(f"{reported}: recover says {did.fault}")
    return f"{reported}, not recovered"


def pause(soak: Soak, least_s: float, most_s: float) -> None:
    """Time that the fault lasts; what has ended meanwhile begins again."""
    until = time.monotonic() + soak.chance.uniform(least_s, most_s)
    waiting = threading.Event()
    while (left := until - time.monotonic()) > 0:
        soak.supervise()
        waiting.wait(min(left, 0.2))


Fault = Callable[[Soak], str]
# How often each comes, relative to the others.
FAULTS: dict[Fault, int] = {
    kill: 6,
    freeze: 4,
    restart: 3,
    rollback: 5,
    compact: 3,
    read_again: 3,
    redrive: 3,
    by_hand: 1,
    recover: 1,
    lose: 1,
}
