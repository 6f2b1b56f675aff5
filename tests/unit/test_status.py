"""What a status says of what is not known: a topic that is not shown, an age or a retention that no server reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from lakelock.config import Pipeline
from lakelock.model.batches import Books, StreamState
from lakelock.model.counts import Accounts
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import FOREVER, OffsetRange, Source
from lakelock.model.overview import PipelineView
from lakelock.model.sightings import LatenessLimits, Sights, Unread
from lakelock.monitor.alerts import Runs
from lakelock.monitor.incidents import IncidentKind, Open
from lakelock.monitor.status import PipelineStatus, status
from lakelock.monitor.status_text import status_text
from lakelock.monitor.watch import WatchResult, see, watch
from lakelock.ports import Watermarks

A, B, OTHER = Source("t.a", "ida", 0), Source("t.b", "idb", 0), Source("other", "ido", 0)
NOW = datetime(2026, 1, 31, tzinfo=UTC)
NOW_MS = int(NOW.timestamp() * 1000)
OPEN = {
    kind: Open("was", "2026-01-01", due=True, notified=("a",)) for kind in (IncidentKind.LAG, IncidentKind.RETENTION)
}


def viewed(
    shown: list[Source],
    streams: list[StreamState],
    *,
    ages: Mapping[Source, int | None] | None = None,
    retention: Mapping[str, int | None] | None = None,
    requested: Sequence[OffsetRange] = (),
) -> PipelineStatus:
    """Every source begins at 5, ends at 10 and is committed as far as it was planned."""
    starts = {s.source: s.start_offset for s in streams}
    read = [Books(OffsetRange(s.source, s.start_offset, s.next_offset), 2, 2) for s in streams if not s.retired]
    ledger = Ledger("i", "p", "c", 0, "d", Coverage().adding(read, starts, 0).requesting(requested, starts))
    log: Any = SimpleNamespace(
        streams=lambda name, lane: streams,
        accounts=lambda name: Accounts({s.source: s for s in streams}, {}, (), {"n.t": ledger}),
        recent=lambda name, limit: [],
        staged_tables=lambda name: {},
    )
    reported = dict.fromkeys(shown, NOW_MS - 5000) if ages is None else ages
    broker: Any = SimpleNamespace(
        sources=lambda topics, regex: shown,
        watermarks=lambda sources: {s: Watermarks(0, 10, 10) for s in sources},
        timestamps_at=lambda offsets: {s: reported.get(s) for s in offsets},
        retention_ms=lambda topics: dict.fromkeys(topics, 3_600_000) if retention is None else retention,
    )
    clock: Any = SimpleNamespace(now=lambda: NOW)
    return status(PIPELINE, log, broker, clock)


LONG_AGO_S = NOW.timestamp() - 9000


def kinds(found: PipelineStatus, before: Mapping[IncidentKind, Open]) -> list[IncidentKind]:
    """What the watch makes of it, after a look of long ago that saw the last record of B unread."""
    was = Sights(
        LONG_AGO_S, LatenessLimits(60, 60, 300), LONG_AGO_S, unread={B: Unread(7, LONG_AGO_S, ((10, LONG_AGO_S),))}
    )
    kept: list[Sights] = []
    log: Any = SimpleNamespace(
        begun=lambda name: True,
        bound=lambda name: {},
        now=lambda: NOW,
        sights=lambda name: was,
        saw=lambda name, now: kept.append(now),
        view=lambda name: PipelineView(name, 1, 1, NOW, None, (), (), at=NOW, sights=kept[-1]),
    )

    def read() -> WatchResult | None:
        no_tables: Any = None
        is_late = IncidentKind.LAG in before
        return see(PIPELINE, log, lambda: found, no_tables, watch_every_s=300, is_paused=False, is_late=is_late)

    return [i.kind for i in watch(PIPELINE, read, Runs(), before)[0]]


PIPELINE = Pipeline.model_validate(
    {
        "name": "p",
        "source": {"topics_regex": r"t\..*"},
        "tables": [{"name": "n.t"}],
        "alerts": {"lag": "1m", "retention_left": "10m"},
    }
)


def at(source: Source, offset: int) -> StreamState:
    return StreamState(source, 5, offset)


def test_a_topic_that_kafka_no_longer_shows_is_missing_and_ends_no_incident() -> None:
    found = viewed([A], [at(A, 10), at(B, 7)])
    assert found.missing == (B,)
    assert "Kafka no longer shows t.b, which was read before" in status_text(found)
    assert kinds(found, OPEN) == [IncidentKind.MISSING, IncidentKind.RETENTION, IncidentKind.LAG]
    assert kinds(found, {}) == [IncidentKind.MISSING]
    assert kinds(viewed([A, B], [at(A, 10), at(B, 10)]), OPEN) == []


def test_what_was_retired_or_is_no_longer_named_or_was_created_again_is_not_missing() -> None:
    assert viewed([A], [at(A, 10), at(B, FOREVER)]).missing == ()
    assert viewed([A], [at(A, 10), at(OTHER, 7)]).missing == ()
    again = viewed([Source("t.a", "new", 0)], [at(A, 10)])
    assert (again.missing, again.stopped.split(":")[0]) == ((), "TopicRecreated")


def test_a_retention_that_nobody_reports_is_unknown_where_something_is_unread() -> None:
    behind, there = viewed([A, B], [at(A, 7), at(B, 10)], retention={}).sources
    assert (behind.retention_unknown, behind.retention_left_s) == (True, None)
    assert not there.retention_unknown
    hidden = viewed([A], [at(A, 7)], retention={})
    assert kinds(hidden, OPEN) == [IncidentKind.RETENTION]
    assert kinds(hidden, {}) == []
    (row,) = viewed([A], [at(A, 7)]).sources
    assert (row.retention_unknown, row.retention_left_s) == (False, 3595)
    assert "?" in status_text(hidden)


def test_nothing_is_unknown_where_kafka_keeps_it_for_ever() -> None:
    (row,) = viewed([A], [at(A, 7)], ages={}, retention={"t.a": None}).sources
    assert (row.lag_s, row.retention_left_s, row.retention_unknown) == (None, None, False)


def test_an_age_that_is_not_known_leaves_the_time_unknown_that_kafka_keeps_it() -> None:
    (row,) = viewed([A], [at(A, 7)], ages={}).sources
    assert (row.lag_s, row.retention_left_s, row.retention_unknown) == (None, None, True)
    requested = [OffsetRange(A, 2, 5)]
    (row,) = viewed([A], [at(A, 10)], ages={}, requested=requested).sources
    assert (row.lag_s, row.retention_left_s, row.retention_unknown) == (0.0, None, True)
    (row,) = viewed([A], [at(A, 10)], requested=requested).sources
    assert (row.retention_left_s, row.retention_unknown) == (3595, False)
