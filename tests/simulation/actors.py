"""Processes as greenlets: each runs until it comes to a port call, where it may be switched away, killed or frozen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from greenlet import GreenletExit, greenlet
from lakelock.errors import OutcomeUnknown, Unreachable

from simulation import tell

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
        """Before and after each effect."""
        if self.dead:
            raise GreenletExit
        if self.doom is not None:
            self.doom -= 1
            if self.doom < 0:
                self.doom = None
                self.world.strike(self)
                self.world.hub.switch()
                self._awake()
                return
        self.turns -= 1
        if self.turns <= 0:
            self.turns = self.world.turns()
            self.world.hub.switch()
            self._awake()

    def _awake(self) -> None:
        if self.dead:
            raise GreenletExit

    def call(
        self, port: str, name: str, effect: Callable[..., Any], args: tuple[Any, ...], more: dict[str, Any]
    ) -> Any:
        """One port call: a point, perhaps a fault, the effect, perhaps another fault, a point."""
        self.point()
        world = self.world
        fault = world.fault(port, name)
        if fault == "before":
            self._say(port, name, args, "Unreachable, nothing was sent")
            raise Unreachable(f"{port} did not answer")
        if fault == "late":
            world.deliver_later(lambda: effect(*args, **more))
            self._say(port, name, args, "no answer; it may land later")
            raise OutcomeUnknown(f"{port}: no answer")
        try:
            result = effect(*args, **more)
            if fault == "twice":
                result = effect(*args, **more)
        except Exception as error:
            self._say(port, name, args, error)
            self.point()
            raise
        self._say(port, name, args, result)
        world.happened(self, port, name, args, result)
        self.point()
        if fault == "after":
            self._say(port, name, args, "done, but the answer is lost")
            raise OutcomeUnknown(f"{port}: the answer of {name} is lost")
        return result

    def _say(self, port: str, name: str, args: tuple[Any, ...], what: object) -> None:
        if self.world.trace is not None and (told := tell.call(port, name, args, what)) is not None:
            self.world.say(f"{self.name}: {told}")


class Port:
    """A port as one actor has it."""

    def __init__(self, actor: Actor, kind: str, target: Callable[[], Any]) -> None:
        self._actor, self._kind, self._target = actor, kind, target

    def __getattr__(self, name: str) -> Callable[..., Any]:
        actor, kind, target = self._actor, self._kind, self._target

        def call(*args: Any, **more: Any) -> Any:
            return actor.call(kind, name, getattr(target(), name), args, more)

        self.__dict__[name] = call
        return call


class LogPort(Port):
    """Postgres under its address: whichever server answers there now. The installation id is asked for once."""

    def __init__(self, actor: Actor, kind: str, target: Callable[[], Any]) -> None:
        super().__init__(actor, kind, target)
        self._installation: str = target().installation_id()

    def installation_id(self) -> str:
        return self._installation


class WriterPort(Port):
    parallelism = 1


class TablesPort(Port):
    """The catalog; `installation_id` is the one the process began with."""

    def for_pipeline(self, pipeline: str, installation_id: str) -> TablesPort:
        mine = self._target().for_pipeline(pipeline, installation_id)
        return TablesPort(self._actor, self._kind, lambda: mine)
