"""What runs as a process: tasks of an ingest run, rollbacks, recover; each with ports of its own, as in a task or CLI."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import cast

from lakelock.audit import audit as auditing
from lakelock.backfill import backfill_batches as filling
from lakelock.backfill.backfill import Backfills
from lakelock.backfill.span import Span
from lakelock.config import Pipeline
from lakelock.errors import LakelockError, Retryable, RollbackRefused, Terminal, WalUnusable
from lakelock.gaps.rebind import Rebinding
from lakelock.gaps.retired_table import RetiringTables
from lakelock.ingest import bind as binding
from lakelock.ingest import marking
from lakelock.ingest import plan as planning
from lakelock.ingest import publish as publishing
from lakelock.ingest import window as windows
from lakelock.ingest import write as writing
from lakelock.ingest.commit import Committer
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.left_over import existing
from lakelock.ingest.outcome import CommitOutcome, PlanOutcome, WriteOutcome
from lakelock.ingest.write_order import no_keys
from lakelock.model.batches import Batch
from lakelock.model.ledger import Mode
from lakelock.model.offsets import OffsetRange
from lakelock.ports import Broker, Copier, Log, Storage, TableDefinition, Tables, Writer
from lakelock.ports.redrive_jobs import DeadLetterStore, Redriver
from lakelock.recovery.findings import Finding
from lakelock.recovery.recover import Recovery
from lakelock.redrive.new_tables import make_routed
from lakelock.redrive.redrive import Redrives
from lakelock.redrive.redrive_preview import ApprovedDeadLetters as ShownDeadLetters
from lakelock.redrive.redrive_preview import RedriveRequest
from lakelock.replace.replace import Replacing
from lakelock.replace.replace_preview import ReplaceLookup
from lakelock.rollback.rollback import ApprovedRollback, Rollbacks
from lakelock.testing.kafka import MemoryCopier
from lakelock.testing.redrive import MemoryDeadLetters, MemoryLetterRoutes
from lakelock.testing.table_files import MemoryStorage
from lakelock.testing.tables import MemoryTables
from lakelock.upkeep.compact import Compaction, CompactOutcome, Settings
from lakelock.upkeep.keeper import Keeper

from simulation.actors import (
    Actor,
    BrokerPort,
    CopierPort,
    DeadLettersPort,
    LogPort,
    RedriverPort,
    StoragePort,
    TablesPort,
    WriterPort,
)
from simulation.world import World

_DEFINITION = TableDefinition((), created_by="p")


class Clock:
    def __init__(self, world: World) -> None:
        self.world = world

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.world.now, UTC)

    def monotonic(self) -> float:
        return self.world.now


class Process:
    """`lakelock.app.runtime.Runtime` over the ports in memory, with the pipeline file as it is when the process starts."""

    def __init__(self, actor: Actor) -> None:
        world = actor.world
        self.world, self.actor, self.file = world, actor, world.pipeline
        # A port has its methods from the Protocol, where a type checker does not see them.
        self.log = cast("Log", LogPort(actor, world.log))
        self.tables = self._tables_of(self.log.installation_id())
        self.broker = cast("Broker", BrokerPort(actor, world.kafka))
        self.writer = cast("Writer", WriterPort(actor, world.writer))

    @cached_property
    def pipeline(self) -> Pipeline:
        """With the routed tables that the log knows at its first use."""
        return self.file if self.file.route is None else self.file.with_routed(self.log.routed("p"))

    def _tables_of(self, installation_id: str) -> Tables:
        return cast("Tables", TablesPort(self.actor, MemoryTables(self.world.catalog, installation_id)))

    @property
    def context(self) -> PipelineContext:
        return PipelineContext(self.log, self.tables, self.pipeline, self.world.new_id)

    def pause(self, seconds: float) -> None:
        self.world.advance(0.2)
        self.actor.point()

    def table_fault(self, name: str) -> Terminal | None:
        try:
            binding.load(self.log, self.tables, "p", name)
        except Terminal as fault:
            known = isinstance(fault, WalUnusable) or self.log.bound_uuid("p", name) is not None
            return fault if known else None
        return None

    def plan(self, passed_over: Collection[str] = (), max_records: int | None = None) -> PlanOutcome:
        return planning.plan(
            self.file,
            self.log,
            self.broker,
            new_id=self.world.new_id,
            table_fault=self.table_fault,
            passed_over=passed_over,
            max_records=max_records,
        )

    def write_run(self, batch_id: str, run: str) -> None:
        """As the task `write`: one attempt for all that it writes."""
        attempt = f"try{self.world.number()}"
        windows.write_run(
            Clock(self.world),
            plan=self.plan,
            waiting=lambda: 0,
            write=lambda batch: self.write(batch, attempt, run),
            batch_id=batch_id,
            max_offsets=self.pipeline.batch.max_records,
            report=lambda outcome: None,
        )

    def write_window(self, batch_id: str | None, run: str, window_s: float) -> None:
        attempt = f"try{self.world.number()}"
        windows.write_window(
            self.log,
            Clock(self.world),
            "p",
            plan=self.plan,
            write=lambda batch: self.write(batch, attempt, run),
            reconnect=lambda: None,
            first_batch_id=batch_id,
            until=datetime.fromtimestamp(self.world.now + window_s, UTC),
            batch_every_s=1.0,
            pause=self.rest,
            report=lambda outcome: None,
        )

    def rest(self, seconds: float) -> None:
        self.world.advance(seconds)
        self.actor.point()

    def write(self, batch_id: str, attempt: str, run: str) -> WriteOutcome:
        return writing.write(
            self.log,
            self.tables,
            self.writer,
            {},
            pipeline_name="p",
            batch_id=batch_id,
            attempt=attempt,
            run=run,
            new_id=self.world.new_id,
            pause=self.rest,
            define=_define,
            today=self.file,
        )

    def commit(self, now: bool) -> None:
        names = [self.pipeline.dead_letter_table, *(t.name for t in self.pipeline.tables)]
        names += existing(self.context, set(self.log.staged_tables(self.context.pipeline.name)) - set(names))
        steps = PipelineContext(self.log, self.tables, self.file, self.world.new_id)
        committer = Committer(steps, self.pause, names)
        fault: LakelockError | None = None
        for name in names:
            try:
                committer.commit(name, now=now)
            except LakelockError as error:
                self.world.say(f"{self.actor.name}: commit of {name}: {type(error).__name__}: {error}")
                fault = fault or error
        if fault is not None:
            raise fault

    def publish(self) -> None:
        names, is_routed = [t.name for t in self.pipeline.tables], self.file.route is not None
        publishing.publish(self.log, self.broker, "p", names, "group", is_routed=is_routed)
        if is_routed:
            marking.mark(self.context, self.pause)

    @property
    def rollbacks(self) -> Rollbacks:
        return Rollbacks(self.context, self.broker, self.pause)

    @property
    def backfills(self) -> Backfills:
        return Backfills(self.context, self.broker, Clock(self.world), self.pause)

    def backfill(self, interval: Sequence[OffsetRange] | None, run: str) -> None:
        attempt = f"try{self.world.number()}"
        filling.write_all(
            self.log, "p", interval, lambda batch: self.write(batch, attempt, run), report=lambda outcome: None
        )

    def compact(self, table: str) -> CompactOutcome:
        return Compaction(self.keeper, lambda: self.copier).compact(table, Settings(2, -1, 3_600_000))

    @property
    def keeper(self) -> Keeper:
        storage = cast("Storage", StoragePort(self.actor, MemoryStorage(self.world.catalog)))
        return Keeper(self.context, storage, self.pause)

    @property
    def copier(self) -> Copier:
        return cast("Copier", CopierPort(self.actor, MemoryCopier(self.world.catalog)))

    def replace(self, span: Span, who: str) -> list[CommitOutcome]:
        lookup = ReplaceLookup(self.keeper, self.broker)
        replacing = Replacing(lookup, Clock(self.world), lambda: self.writer, lambda: self.copier, dict)
        return replacing.replace(span, who, "because", lambda outcome: None)

    @property
    def redrives(self) -> Redrives:
        world = self.world
        box = cast("DeadLetterStore", DeadLettersPort(self.actor, MemoryDeadLetters(world.catalog)))
        redriver = cast("Redriver", RedriverPort(self.actor, world.redriver))
        routes = MemoryLetterRoutes(world.kafka, world.catalog)

        def make(pipeline: Pipeline, name: str, sample: Sequence[bytes]) -> None:
            make_routed(
                self.log, self.tables, pipeline, name, sample, _define, no_keys, self.world.new_id, pause=self.pause
            )

        return Redrives(
            self.context,
            box,
            lambda: redriver,
            lambda order: world.redriver.one(order, 0, writes=False),
            self.pause,
            routes.route,
            make,
        )

    @property
    def rebinding(self) -> Rebinding:
        def create(name: str) -> None:
            self.tables.create(name, _DEFINITION)

        return Rebinding(self.context, self.broker, Clock(self.world), create, self.pause)

    def recovery(self, mode: Mode, needs: Collection[str], who: str) -> Recovery:
        flags = {"announced": "announced" in needs, "take_over": "take over" in needs, "accept_loss": "new" in needs}
        return Recovery(self.context, self.broker, self._tables_of, self.pause, mode=mode, who=who, **flags)

    def audit(self) -> auditing.PipelineAudit:
        return auditing.audit(self.pipeline, self.log, self.tables, self.broker, Clock(self.world))


def _define(pipeline: object, name: str, batch: Batch, sample: Sequence[bytes] | None = None) -> TableDefinition:
    return _DEFINITION


def attempted(actor: Actor, what: str, task: Callable[[], object]) -> LakelockError | None:
    """One try of a task; its error, reported."""
    try:
        task()
    except LakelockError as fault:
        actor.world.counts["errors"] += 1
        actor.world.say(f"{actor.name}: {what} ended with {type(fault).__name__}: {fault}")
        return fault
    return None


class Ingest:
    """One Airflow run. Its tasks are retried, also beside one that is still alive somewhere.

    With *window_s* it is a window of that length; its commits land beside it where it has any *beside*.
    """

    def __init__(self, world: World, now: bool = True, window_s: float | None = None, beside: int = 0) -> None:
        self.world, self.now, self.window_s, self.beside = world, now, window_s, beside
        self.run = f"run{world.number()}"
        self.batch_id: str | None = None
        self.task = "plan"
        self.retries = 1
        self.faults: list[LakelockError] = []

    def start(self) -> None:
        self.world.start(f"ingest {self.run} {self.task}", self.work, self.struck)
        if self.beside:
            self.world.start(f"commits beside {self.run}", self._commit_beside, None)

    def struck(self) -> None:
        """Airflow starts the task again, on what the run knows."""
        if self.retries > 0 and not self.world.calm and self.world.rng.random() < 0.6:
            self.retries -= 1
            twin = Ingest(self.world, self.now, self.window_s)
            twin.run, twin.batch_id, twin.task, twin.retries = self.run, self.batch_id, self.task, self.retries
            twin.start()

    def work(self, actor: Actor) -> None:
        if self.task == "plan":
            self._try(actor, lambda: self._plan(actor))
            self.task = "write"
        if self.task == "write":
            fault = self._try(actor, lambda: self._write(actor))
            if isinstance(fault, Retryable) and self.retries:
                self._try(actor, lambda: self._write(actor))
        self.task = "commit"
        self._try(actor, lambda: Process(actor).commit(self.now))
        self.task = "publish"
        self._try(actor, lambda: Process(actor).publish())

    def _try(self, actor: Actor, task: Callable[[], object]) -> LakelockError | None:
        fault = attempted(actor, self.task, task)
        if fault is not None:
            self.faults.append(fault)
        return fault

    def _plan(self, actor: Actor) -> None:
        self.batch_id = Process(actor).plan().batch_id

    def _write(self, actor: Actor) -> None:
        if self.window_s is not None:
            Process(actor).write_window(self.batch_id, self.run, self.window_s)
        elif self.batch_id is not None:
            Process(actor).write_run(self.batch_id, self.run)

    def _commit_beside(self, actor: Actor) -> None:
        for _ in range(self.beside):
            attempted(actor, "commit", lambda: Process(actor).commit(self.now))
            for _ in range(self.world.rng.randrange(6)):
                actor.point()


class Backfill:
    """A run that asks for *span* and loads it; without one, what was asked for before. Killed, it is tried again."""

    def __init__(self, world: World, span: Span | None) -> None:
        self.world, self.span = world, span
        self.run = f"backfill{world.number()}"
        self.interval: tuple[OffsetRange, ...] | None = None
        self.retries = 1
        self.faults: list[LakelockError] = []

    def start(self) -> None:
        self.world.start(self.run, self.work, self.struck)

    def struck(self) -> None:
        if self.retries > 0 and not self.world.calm and self.world.rng.random() < 0.6:
            self.retries -= 1
            twin = Backfill(self.world, self.span)
            twin.run, twin.retries = self.run, self.retries
            twin.start()

    def work(self, actor: Actor) -> None:
        if not self._try(actor, "ask", lambda: self._ask(actor)):
            return
        if self.interval != ():
            self._try(actor, "backfill", lambda: Process(actor).backfill(self.interval, self.run))
        self._try(actor, "commit", lambda: Process(actor).commit(now=True))

    def _try(self, actor: Actor, what: str, task: Callable[[], object]) -> bool:
        if (fault := attempted(actor, what, task)) is not None:
            self.faults.append(fault)
        return fault is None

    def _ask(self, actor: Actor) -> None:
        backfills = Process(actor).backfills
        if self.span is None:
            waits = not backfills.waiting().nothing
            backfills.go_on()
            self.interval = None if waits else ()
            return
        planned = backfills.preview(self.span)
        self.interval = planned.interval
        backfills.request(planned, self.run, "because")
        self.world.counts["backfills"] += any(share.requesting for share in planned.all_shares.values())
        self.world.counts["backfills of routed tables"] += planned.routed is not None and bool(
            planned.routed.requesting
        )


class Compact:
    """A maintenance run: what it leaves, the next one sees to."""

    def __init__(self, world: World, table: str) -> None:
        self.world, self.table = world, table

    def start(self) -> None:
        self.world.start(f"compact {self.table}", self.work, None)

    def work(self, actor: Actor) -> None:
        def act() -> None:
            done = Process(actor).compact(self.table)
            self.world.counts["compactions"] += done.groups
            self.world.say(f"{actor.name}: {done.line}")

        attempted(actor, "compact", act)


class Replace:
    """A run that reads what tables have of *span* again. Killed, it is tried again."""

    def __init__(self, world: World, span: Span, retries: int = 1) -> None:
        self.world, self.span, self.retries = world, span, retries
        self.who = f"replace{world.number()}"

    def start(self) -> None:
        self.world.start(self.who, self.work, self.struck)

    def struck(self) -> None:
        if self.retries > 0 and not self.world.calm and self.world.rng.random() < 0.6:
            Replace(self.world, self.span, self.retries - 1).start()

    def work(self, actor: Actor) -> None:
        def act() -> None:
            for done in Process(actor).replace(self.span, self.who):
                self.world.counts["replaces"] += done.rows > 0
                self.world.say(f"{actor.name}: {done.line}")

        attempted(actor, "replace", act)


class Redrive:
    """A person looks, approves, and the approved is done; killed, it is tried again with what was shown then."""

    def __init__(self, world: World, request: RedriveRequest) -> None:
        self.world, self.request = world, request
        self.who = f"redrive{world.number()}"
        self.shown: ShownDeadLetters | None = None
        self.retries = 2
        self.faults: list[LakelockError] = []

    def start(self) -> None:
        self.world.start(self.who, self.work, self.struck)

    def struck(self) -> None:
        if self.shown is not None and self.retries > 0 and self.world.rng.random() < 0.7:
            self.retries -= 1
            self.world.start(f"{self.who} again", self.work, self.struck)

    def work(self, actor: Actor) -> None:
        if self.shown is None:
            if not self._try(actor, "look", lambda: self._preview(actor)):
                return
            for _ in range(self.world.rng.randrange(12)):
                actor.point()
        if not self._try(actor, "redrive", lambda: self._act(actor)) and self.retries > 0:
            self.retries -= 1
            self._try(actor, "redrive", lambda: self._act(actor))

    def _try(self, actor: Actor, what: str, task: Callable[[], object]) -> bool:
        if (fault := attempted(actor, what, task)) is not None:
            self.faults.append(fault)
        return fault is None

    def _preview(self, actor: Actor) -> None:
        planned = Process(actor).redrives.preview(self.request)
        self.shown = ShownDeadLetters.of(planned.shown.text)
        self.world.say(f"{actor.name}: approved: " + "; ".join(planned.lines))

    def _act(self, actor: Actor) -> None:
        assert self.shown is not None
        for done in Process(actor).redrives.redrive(self.request, self.who, "because", self.shown, lambda done: None):
            self.world.counts["redriven"] += done.rows
            self.world.counts["redrives"] += bool(done.rows)
            self.world.say(f"{actor.name}: {'; '.join(done.lines)}")


class RollBack:
    """A person looks, approves, and the approved is done; killed, it is tried again with the same words."""

    def __init__(self, world: World, table: str, to: str, mode: Mode) -> None:
        self.world, self.table, self.to, self.mode = world, table, to, mode
        self.who = f"approval{world.number()}"
        self.approved: str | None = None
        self.shown: ApprovedRollback | None = None
        self.retries = 2

    def start(self) -> None:
        self.world.start(f"rollback {self.who}", self.work, self.struck)

    def struck(self) -> None:
        if self.approved and self.retries > 0 and self.world.rng.random() < 0.7:
            self.retries -= 1
            self.world.start(f"rollback {self.who} again", self.work, self.struck)

    def work(self, actor: Actor) -> None:
        if self.approved is None:
            if attempted(actor, "look", lambda: self._preview(actor)) is not None:
                return
            for _ in range(self.world.rng.randrange(12)):
                actor.point()
        fault = attempted(actor, "roll back", lambda: self._act(actor))
        if fault is not None and not isinstance(fault, RollbackRefused) and self.retries > 0:
            self.retries -= 1
            attempted(actor, "roll back", lambda: self._act(actor))

    def _preview(self, actor: Actor) -> None:
        planned = Process(actor).rollbacks.preview(self.table, self.to, self.mode)
        self.approved, self.shown = str(planned.to.id), planned.shown
        self.world.say(f"{actor.name}: approved: " + "; ".join(planned.lines))

    def _act(self, actor: Actor) -> None:
        assert self.approved is not None
        assert self.shown is not None
        Process(actor).rollbacks.roll_back(self.table, self.approved, self.mode, self.who, "because", self.shown)
        self.world.counts["rollbacks"] += 1


class Rebind:
    """A person lets another table take the place of one that was dropped; killed, it is tried again."""

    def __init__(self, world: World, table: str, retries: int = 1) -> None:
        self.world, self.table, self.retries = world, table, retries
        self.who = f"rebind{world.number()}"

    def start(self) -> None:
        self.world.start(f"{self.who} {self.table}", self.work, self.struck)

    def struck(self) -> None:
        if self.retries > 0 and not self.world.calm and self.world.rng.random() < 0.6:
            Rebind(self.world, self.table, self.retries - 1).start()

    def work(self, actor: Actor) -> None:
        def act() -> None:
            rebinding = Process(actor).rebinding
            planned = rebinding.preview(self.table, True)
            self.world.rebound.add(self.table)
            self.world.dropped.pop(self.table, None)
            self.world.known.discard(self.table)
            self.world.happenings.add("rebind")
            rebinding.rebind(self.table, True, self.who, "because", planned.shown)
            self.world.counts["rebinds"] += 1

        attempted(actor, "rebind", act)


class Retire:
    """A person retires a routed table; killed, it is tried again."""

    def __init__(self, world: World, table: str, retries: int = 1) -> None:
        self.world, self.table, self.retries = world, table, retries
        self.who = f"retire{world.number()}"

    def start(self) -> None:
        self.world.start(f"{self.who} {self.table}", self.work, self.struck)

    def struck(self) -> None:
        if self.retries > 0 and not self.world.calm and self.world.rng.random() < 0.6:
            Retire(self.world, self.table, self.retries - 1).start()

    def work(self, actor: Actor) -> None:
        def act() -> None:
            process = Process(actor)
            retiring = RetiringTables(process.context, Clock(self.world), process.pause)
            planned = retiring.preview(self.table)
            self.world.retired.add(self.table)
            retiring.retire(self.table, self.who, "because", planned.shown)
            self.world.counts["tables retired"] += 1

        attempted(actor, "retire", act)


def nowhere(world: World, line: str) -> bool:
    """Reported, and rightly: an edited file gives to another table what was on its way when the log was lost."""
    return "edit" in world.happenings and "is in no table" in line


class Recover:
    """A person runs recover, with the flags that what happened asks for."""

    def __init__(self, world: World, mode: Mode) -> None:
        self.world, self.mode = world, mode
        self.fault: LakelockError | None = None
        self.left: list[Finding] = []

    def start(self) -> None:
        self.world.start(f"recover {self.mode.value}", self.work, None)

    def work(self, actor: Actor) -> None:
        world, losses, needs = self.world, self.world.losses, set(self.world.needs)
        recovery = Process(actor).recovery(self.mode, needs, "somebody")

        def act() -> None:
            found = recovery.recover()
            # The log is whole all the same.
            self.left = [f for f in found if f.left and not nowhere(world, f.what)]
            for finding in found:
                world.say(f"{actor.name}: {finding.line}")
                world.counts["dead letters put back"] += "puts it back" in finding.then
                world.counts["dead letters declared lost"] += "declares exactly these" in finding.then

        self.fault = attempted(actor, f"recover {sorted(needs)}", act)
        if self.fault is None:
            world.counts["recovers"] += 1
            if not self.left and losses == world.losses:
                world.needs -= needs
