"""A pipeline on the in-memory ports: the product's own runtime and steps, without a server. A cycle takes milliseconds."""

from __future__ import annotations

import itertools
import json
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn, cast

from lakelock.adapters.airflow.connections import Connection
from lakelock.adapters.kafka.sample import SampledRecord
from lakelock.app.redrive import REDRIVER
from lakelock.app.runtime import Runtime
from lakelock.audit.audit_text import audit_text
from lakelock.config import Pipeline
from lakelock.ingest.outcome import CommitOutcome
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import Target
from lakelock.redrive.redrive import Redrives
from lakelock.testing import (
    BAD,
    GOOD,
    NONE,
    Kafka,
    MemoryCatalog,
    MemoryCopier,
    MemoryLog,
    MemoryStorage,
    MemoryTables,
    MemoryWriter,
)
from lakelock.testing.redrive import MemoryDeadLetters, MemoryLetterRoutes, MemoryRedriver
from lakelock.testing.routing import kind_of, text_of, to_of
from lakelock.testing.table_reading import PIPELINE
from lakelock.upkeep.keeper import Keeper

TABLE, DEAD_LETTERS = "ns.orders", "ns.dead"


@dataclass
class MemoryWorld:
    """One pipeline with its table and its dead letters; `kits.world.World` on memory.

    Each runtime is a process of its own: what a test replaces in one, the others do not see. `log` may be exchanged, as a
    Postgres that is lost or restored.
    """

    settings: dict[str, Any] = field(default_factory=dict)
    tables: list[dict[str, Any]] = field(default_factory=lambda: [{"name": TABLE}])
    topics: list[str] = field(default_factory=lambda: ["x"])
    dead_letters: str = DEAD_LETTERS
    table: str = TABLE
    topic: str = "x"
    now_s: float = 1_000_000.0
    wrote: list[tuple[str, Target]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._numbers = itertools.count(1)
        self.kafka = Kafka()
        self.catalog = MemoryCatalog(lambda: next(self._numbers), lambda: int(self.now_s * 1000))
        self.log = self.new_log()
        self.add_topic(self.topic)

    def new_log(self, installation_id: str = "inst-1") -> MemoryLog:
        return MemoryLog(installation_id, lambda: self.now_s)

    def add_topic(self, topic: str, partitions: int = 2) -> None:
        for partition in range(partitions):
            self.kafka.add(Source(topic, f"id-{topic}", partition))

    @property
    def pipeline(self) -> Pipeline:
        """The pipeline file as it is now."""
        return Pipeline.model_validate(
            {
                "name": PIPELINE,
                "source": {"topics": tuple(self.topics)},
                "tables": self.tables,
                "dead_letters": {"table": self.dead_letters},
                **self.settings,
            }
        )

    def runtime(self) -> MemoryRuntime:
        return MemoryRuntime(self)

    def open(self) -> closing[MemoryRuntime]:
        return closing(self.runtime())

    def produce(self, count: int, records: Sequence[int] = (), topic: str | None = None) -> None:
        """*count* good records in turn over the topic's partitions, and *records* of other kinds behind them."""
        sources = self.kafka.sources([topic or self.topic])
        for n, record in enumerate([*[GOOD] * count, *records]):
            self.kafka.records[sources[n % len(sources)]].append(record)

    def run(self) -> list[CommitOutcome]:
        with self.open() as runtime:
            return self.cycle(runtime)

    def cycle(self, runtime: Runtime, *tables: str) -> list[CommitOutcome]:
        """As an ingest run; commits the dead letters and *tables*, or those of the pipeline file."""
        planned = runtime.plan()
        if planned.batch_id is not None:
            runtime.write(str(uuid.uuid4()), f"test/{uuid.uuid4()}", planned.batch_id)
        landed = runtime.commit(list(tables) or [t["name"] for t in self.tables], now=True)
        runtime.publish()
        return landed

    def sent(self, *kinds: int, topic: str | None = None) -> list[tuple[str, int, int]]:
        """(topic, partition, offset) of every record of these kinds, or good one, of one topic or of all, in order."""
        wanted = kinds or (GOOD,)
        return [
            (s.topic, s.partition, offset)
            for s, records in sorted(self.kafka.records.items())
            for offset, record in enumerate(records)
            if record in wanted and topic in {None, s.topic}
        ]

    def rows(self, table: str | None = None) -> list[tuple[str, int, int]]:
        """(topic, partition, offset) of every live row of ours, in order."""
        if (table or self.table) not in self.catalog.tables:
            return []
        live = self.catalog.live(self.catalog.get(table or self.table))
        return sorted((row[1], row[3], row[4]) for row in live if row is not None)

    def files(self, table: str | None = None) -> frozenset[str]:
        """The data files that the newest snapshot names."""
        head = self.catalog.get(table or self.table).head
        return frozenset(head.files if head else ())

    def head(self, table: str | None = None) -> int:
        """The newest snapshot's id."""
        head = self.catalog.get(table or self.table).head
        assert head is not None
        return head.snapshot_id

    def set_back(self, table: str | None = None, snapshots: int = 1) -> int:
        """A rollback by hand over so many snapshots; returns the one that is the newest then."""
        name = table or self.table
        past = self.catalog.get(name).ancestry(self.catalog.get(name).head)[snapshots]
        self.catalog.set_back(name, past.snapshot_id)
        return past.snapshot_id

    def audit(self, dead: int = 0, missing: int = 0, former: Sequence[str] = (), *, counted: bool = True) -> None:
        """Each record once, in a table of its topic or in the dead letters, but for *missing* of them; the books balance.

        *former* are dead-letter tables of older names. Where a table takes several topics, rows cannot be *counted* by source.
        """
        dead_letters = [place for name in (self.dead_letters, *former) for place in self.rows(name)]
        stored = [place for t in self.tables for place in self.rows(t["name"])] + dead_letters
        assert len(stored) == len(set(stored)), "an offset is there twice"
        assert len(dead_letters) == dead
        assert not any(self._kind(place) == GOOD for place in dead_letters), "a record that fits is a dead letter"
        assert len(stored) == sum(len(r) for s, r in self.kafka.records.items() if s.topic in self.topics) - missing
        with self.open() as runtime:
            found = runtime.audit()
        assert found.complete, audit_text(found)
        assert not any(t.faults for t in found.tables), audit_text(found)
        assert any(t.not_counted for t in found.tables) is not counted, audit_text(found)

    def _kind(self, place: tuple[str, int, int]) -> int:
        topic, partition, offset = place
        return next(r for s, r in self.kafka.records.items() if (s.topic, s.partition) == (topic, partition))[offset]


class MemoryRuntime(Runtime):
    """`lakelock.app.runtime.Runtime` with the ports in memory behind it: all else is the product's.

    The servers in memory are for one thread.
    """

    tables_at_once = 1

    def __init__(self, world: MemoryWorld) -> None:
        memory = (world.kafka, world.catalog, lambda path, target: world.wrote.append((path, target)))
        self._redriver = MemoryRedriver(*memory)
        super().__init__(
            world.pipeline,
            _no_connection,
            {"writer": MemoryWriter(*memory), "copier": MemoryCopier(world.catalog), "redriver": self._redriver},
        )
        self.world = world
        # Of this process alone: a test may replace its methods.
        self.memory_log = _Own(world.log)
        self.memory_tables = MemoryTables(world.catalog, world.log.installation_id())

    @property
    def kafka_config(self) -> dict[str, str]:
        return {}

    @cached_property
    def broker(self) -> Any:
        return _Broker(self.world.kafka)

    @cached_property
    def log(self) -> Any:
        return self.memory_log

    @cached_property
    def tables(self) -> Any:
        return self.memory_tables

    @property
    def keeper(self) -> Keeper:
        return Keeper(self.context, cast("Any", MemoryStorage(self.world.catalog)), _no_time)

    @property
    def redrives(self) -> Redrives:
        box = cast("Any", MemoryDeadLetters(self.world.catalog))
        tried = self._redriver.one
        return Redrives(
            self.context,
            box,
            lambda: self.on_spark(REDRIVER),
            lambda order: tried(order, 0, writes=False),
            _no_time,
            MemoryLetterRoutes(self.world.kafka, self.world.catalog).route,
            self.make_routed,
        )


class _Own:
    """A server as one process has it: what is replaced here stays there."""

    def __init__(self, server: object) -> None:
        self.__dict__["_server"] = server

    def __getattr__(self, name: str) -> Any:
        return getattr(self._server, name)


class _Broker(_Own):
    def sample(self, sources: Sequence[Source], limit: int) -> list[SampledRecord]:
        ends = {s: len(self.records.get(s, [])) for s in sources}
        return self.sample_ranges([OffsetRange(s, 0, end) for s, end in ends.items() if end], limit)

    def sample_ranges(self, ranges: Sequence[OffsetRange], limit: int) -> list[SampledRecord]:
        """Of what Kafka still has: a record that fits no table is no JSON object either."""
        records, low = self.records, self.low
        stored = [
            (r.source, at, records[r.source][at])
            for r in ranges
            for at in range(max(r.start, low.get(r.source, 0)), min(r.end, len(records.get(r.source, []))))
        ]
        found = [
            SampledRecord(source, at, 0, None, _value(record))
            for source, at, record in stored
            if kind_of(record) != NONE
        ]
        return found[:limit]


def _value(record: int) -> bytes:
    if kind_of(record) == BAD:
        return b"{"
    to = {"to": text_of(to_of(record))} if to_of(record) else {}
    return json.dumps({"v0": 1, **to}).encode()


def _no_connection(conn_id: str) -> Connection:
    raise AssertionError(f"a test in memory asked for the connection {conn_id}")


def _no_time(seconds: float) -> None:
    """In memory nothing is waited for that does not happen at once."""


@contextmanager
def killed_at(server: Any, method: str) -> Iterator[None]:
    """A process that dies when it is about to call *method*."""

    def dies(*_: object, **__: object) -> NoReturn:
        raise Killed

    keep = getattr(server, method)
    setattr(server, method, dies)
    try:
        yield
    except Killed:
        pass
    else:
        raise AssertionError(f"{method} was not called")
    finally:
        setattr(server, method, keep)


class Killed(Exception):
    """A process that a test has ended."""
