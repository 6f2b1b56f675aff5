"""Processes as greenlets: each runs until it comes to a port call, where it may be switched away, killed or frozen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from greenlet import GreenletExit, greenlet
from lakelock import ports
from lakelock.errors import OutcomeUnknown, Unreachable
from lakelock.ports import redrive_jobs

from simulation import describe

if TYPE_CHECKING:
    from simulation.world import World


class Actor:
    """One process. `doom` is how many points are left until it is killed or frozen; None: neither.

    `holds` is the (batch, attempt) whose heartbeat it keeps; `fenced` is set once a beat found a newer attempt.
    """

    def __init__(self, world: World, name: str, work: Callable[[Actor], None]) -> None:
        self.world, self.name, self.work = world, name, work
        self.dead = self.done = self.frozen = False
        self.error: BaseException | None = None
        self.turns = world.turns()
        self.doom: int | None = None
        self.doom_kind = "kill"
        self.holds: tuple[str, str] | None = None
        self.fenced = False
        self.on_doom: Callable[[], None] | None = None
        self.greenlet: Any = greenlet(self._run, parent=world.hub)

    def _run(self) -> None:
        try:
            self.work(self)
        except GreenletExit:
            pass
        finally:
            self.done = True

    def point(self) -> None:
        """Before each effect, which is also after the one before: between the two a process only computes."""
        if self.dead:
            raise GreenletExit
        if self.doom is not None:
            self.doom -= 1
            if self.doom < 0:
                self.doom = None
                self.world.strike(self)
                self._switch()
                return
        self.turns -= 1
        if self.turns <= 0:
            self.turns = self.world.turns()
            self._switch()

    def _switch(self) -> None:
        self.world.hub.switch()
        if self.dead:
            raise GreenletExit

    def call(self, port: Port, name: str, args: tuple[Any, ...], more: dict[str, Any]) -> Any:
        """One port call: a point, perhaps a fault, the effect, perhaps another fault."""
        self.point()
        world, kind, fault = self.world, port._kind, None
        world.steps += 1
        world.fault_in -= 1
        if world.fault_in == 0:
            fault = world.fault(kind, name)
        effect = getattr(port._server, name)
        if fault == "before":
            self._say(kind, name, args, "Unreachable, nothing was sent")
            raise Unreachable(f"{kind} did not answer")
        if fault == "late":
            world.late.append(lambda: effect(*args, **more))
            self._say(kind, name, args, "no answer; it may land later")
            raise OutcomeUnknown(f"{kind}: no answer")
        try:
            result = effect(*args, **more)
            if fault == "twice":
                result = effect(*args, **more)
        except Exception as error:
            self._say(kind, name, args, error)
            raise
        if world.trace is not None:
            self._say(kind, name, args, result)
        if kind == "log":
            world.happened(name, args)
        if fault == "after":
            self._say(kind, name, args, "done, but the answer is lost")
            raise OutcomeUnknown(f"{kind}: the answer of {name} is lost")
        return result

    def _say(self, port: str, name: str, args: tuple[Any, ...], what: object) -> None:
        if self.world.trace is not None and (text := describe.call(port, name, args, what)) is not None:
            self.world.say(f"{self.name}: {text}")


class Port:
    """A server as one process has it. Subclasses have the methods of a Protocol, each a call as above."""

    _kind = ""

    def __init__(self, actor: Actor, server: Any) -> None:
        self._actor, self._server = actor, server


def _methods(protocol: type) -> Callable[[type[Port]], type[Port]]:
    def decorated(cls: type[Port]) -> type[Port]:
        for name in dir(protocol):
            if not name.startswith("_") and name not in vars(cls):
                setattr(cls, name, _method(name))
        return cls

    return decorated


def _method(name: str) -> Callable[..., Any]:
    def call(self: Port, *args: Any, **more: Any) -> Any:
        return self._actor.call(self, name, args, more)

    call.__name__ = name
    return call


@_methods(ports.Log)
class LogPort(Port):
    """Postgres under its address: whichever server answers there now. The installation id is asked for once."""

    _kind = "log"

    # Any: the log in memory has only what the simulated steps call.
    def __init__(self, actor: Actor, server: Any) -> None:
        super().__init__(actor, server)
        self._installation: str = server.installation_id()

    def installation_id(self) -> str:
        return self._installation


@_methods(ports.Tables)
class TablesPort(Port):
    _kind = "tables"

    def __init__(self, actor: Actor, server: ports.Tables) -> None:
        super().__init__(actor, server)


@_methods(ports.Storage)
class StoragePort(Port):
    _kind = "tables"

    # Any: in memory it has only what the simulated steps call.
    def __init__(self, actor: Actor, server: Any) -> None:
        super().__init__(actor, server)


@_methods(ports.Copier)
class CopierPort(Port):
    _kind = "writer"

    def __init__(self, actor: Actor, server: ports.Copier) -> None:
        super().__init__(actor, server)


@_methods(redrive_jobs.DeadLetterStore)
class DeadLettersPort(Port):
    _kind = "tables"

    def __init__(self, actor: Actor, server: redrive_jobs.DeadLetterStore) -> None:
        super().__init__(actor, server)


@_methods(redrive_jobs.Redriver)
class RedriverPort(Port):
    _kind = "writer"
    parallelism = 2

    def __init__(self, actor: Actor, server: redrive_jobs.Redriver) -> None:
        super().__init__(actor, server)


@_methods(ports.Broker)
class BrokerPort(Port):
    _kind = "broker"

    def __init__(self, actor: Actor, server: ports.Broker) -> None:
        super().__init__(actor, server)


@_methods(ports.Writer)
class WriterPort(Port):
    _kind = "writer"

    def __init__(self, actor: Actor, server: ports.Writer) -> None:
        super().__init__(actor, server)
        self.parallelism = actor.world.slices_at_once
