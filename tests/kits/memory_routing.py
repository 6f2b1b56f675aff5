"""A pipeline with routes on the in-memory ports: the number in a record's field `to` names its table."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from lakelock.app.runtime import Runtime
from lakelock.ingest.outcome import CommitOutcome
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange
from lakelock.testing import GOOD
from lakelock.testing.routing import routed_record, to_of

from kits.memory_world import DEAD_LETTERS, MemoryWorld
from kits.routed_worlds import ONE, X


@dataclass
class RoutedWorld(MemoryWorld):
    """One topic of one partition."""

    settings: dict[str, Any] = field(default_factory=lambda: {"route": {"rules": [{"table": ["ns.t{to}"]}]}})
    tables: list[dict[str, Any]] = field(default_factory=list)
    table: str = ONE

    def add_topic(self, topic: str, partitions: int = 1) -> None:
        super().add_topic(topic, partitions)

    def send(self, *to: int) -> OffsetRange:
        """A record for each number; 0 goes to no table. Returns their offsets."""
        records = self.kafka.records[X]
        start = len(records)
        records += [routed_record(GOOD, n) for n in to]
        return OffsetRange(X, start, len(records))

    def written(self, runtime: Runtime, *to: int) -> OffsetRange:
        """A batch of these records, planned and staged."""
        sent = self.send(*to)
        write(runtime)
        return sent

    def whole(self) -> None:
        """Each record is in its table once, or a dead letter without a table, and no other row is anywhere."""
        for number in {to_of(r) for r in self.kafka.records[X]} - {0}:
            assert self.rows(f"ns.t{number}") == self._places(number), f"ns.t{number}"
        assert self.rows(DEAD_LETTERS) == self._places(0)

    def _places(self, number: int) -> list[tuple[str, int, int]]:
        return [("x", 0, o) for o, record in enumerate(self.kafka.records[X]) if to_of(record) == number]


def write(runtime: Runtime) -> None:
    planned = runtime.plan()
    assert planned.batch_id is not None
    runtime.write(str(uuid.uuid4()), f"test/{uuid.uuid4()}", planned.batch_id)


def commit(runtime: Runtime, *tables: str) -> list[CommitOutcome]:
    runtime.refresh_tables()
    return runtime.commit(list(tables), now=True)


def ledger(runtime: Runtime, table: str) -> Ledger:
    found = runtime.tables.load(table).ledger
    assert found is not None
    return found
