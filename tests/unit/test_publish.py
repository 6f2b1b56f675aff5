"""'Nothing depends on publish', but the log's folding does: a group in use must not let Postgres grow for ever."""

from __future__ import annotations

from typing import Any

import pytest
from kits.coverage import booked
from lakelock.errors import Retryable
from lakelock.ingest.publish import publish
from lakelock.model.batches import StreamState
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source

A = Source("t", "id", 0)


def test_the_log_is_folded_also_when_the_group_cannot_be_set() -> None:
    folded: list[str] = []

    class Log:
        def ledgers(self, _: str) -> dict[str, Ledger]:
            return {"db.t": Ledger("i", "p", "c", 0, "cfg", Coverage().adding(booked(OffsetRange(A, 0, 5)), {}, 0))}

        def streams(self, *_: Any) -> list[StreamState]:
            return [StreamState(A, 0, 5)]

        def coalesce(self, pipeline: str, _: int) -> int:
            folded.append(pipeline)
            return 1

    class Broker:
        def publish(self, *_: Any) -> None:
            raise Retryable("consumers are members of the group")

    with pytest.raises(Retryable):
        publish(Log(), Broker(), "p", ["db.t"], "group")  # type: ignore[arg-type]
    assert folded == ["p"]


def test_without_a_group_the_log_is_folded_and_kafka_is_not_asked() -> None:
    class Log:
        def coalesce(self, *_: Any) -> int:
            return 7

    line = publish(Log(), object(), "p", ["db.t"], None)  # type: ignore[arg-type]
    assert line == "no consumer group (publish.group is false); folded 7 batches"
