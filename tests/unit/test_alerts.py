"""Which alerts there are without any configuration, and that the watch reports what the page shows."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kits.views import table
from lakelock.config import Pipeline
from lakelock.errors import Unreachable
from lakelock.model import sightings as sights
from lakelock.model.evolutions import ChangesSeen, ColumnsChanged
from lakelock.model.offsets import Source
from lakelock.model.operator_log import Decided, What
from lakelock.model.overview import OpenParts, PipelineView, TableView
from lakelock.model.sightings import (
    HANGING_S,
    MOST_ENDS,
    MOST_SOURCES,
    WELL_WITHIN,
    LatenessLimits,
    Sights,
    Unread,
    decode,
    encode,
    needs_positions,
    promise_s,
)
from lakelock.monitor.alerts import (
    NOT_WATCHED_S,
    PAUSED_LONG_S,
    Alert,
    EndedRun,
    Runs,
    alerts,
    incidents_of,
    long_paused,
)
from lakelock.monitor.incidents import Incident, IncidentKind, Open, after
from lakelock.monitor.watch import limits_of, watch

A, B = Source("orders", "id-1", 0), Source("orders", "id-1", 1)
NOW_S = 1_800_000_000.0
PROMISE_S = 120.0
LIMITS = LatenessLimits(PROMISE_S, None, 300.0)
FAILED = Runs(failed=EndedRun("scheduled__1", datetime.fromtimestamp(NOW_S - 5, UTC)))


@dataclass(frozen=True)
class At:
    """Where a source stands; `lag_s` is of the oldest record that is not committed: an old one, as a backfill loads."""

    source: Source = A
    committed: int = 100
    end_offset: int = 100
    high: int | None = None
    lag_s: float | None = 9e6

    @property
    def high_offset(self) -> int:
        return self.end_offset if self.high is None else self.high


@dataclass
class Watched:
    """A pipeline that is looked at again and again, *at_s* by the clock of the log."""

    at_s: float = NOW_S
    limits: LatenessLimits = LIMITS
    seen: Sights | None = None
    is_late: bool = False

    def watch(self, *standings: At, after_s: float = 300.0, **given: Any) -> list[Alert]:
        self.at_s += after_s
        facts = {"is_paused": False, "gone": {}, "missing": (), "tables": ("lake.orders",), **given}
        gone, missing = facts.pop("gone"), facts.pop("missing")
        self.seen = sights.sighted(
            self.seen, self.at_s, self.limits, standings, missing, gone, is_late=self.is_late, **facts
        )
        found = self.shown(is_paused=bool(facts["is_paused"]))
        self.is_late = any(a.kind is IncidentKind.LAG for a in found)
        return found

    def shown(self, later_s: float = 0.0, *, is_paused: bool = False, **given: Any) -> list[Alert]:
        """As the page does, without another look."""
        known = {"tables": (), "at": datetime.fromtimestamp(self.at_s + later_s, UTC), "sights": self.seen, **given}
        view = PipelineView("p", 1, 1, None, None, batches=(), **known)
        return list(alerts(view, Runs(is_paused)))


def kinds(found: list[Alert]) -> list[IncidentKind]:
    return [a.kind for a in found]


def test_a_record_is_late_when_it_was_seen_longer_ago_than_the_promise() -> None:
    watched = Watched()
    assert watched.watch(At(end_offset=110)) == []
    assert watched.shown(PROMISE_S - 1) == []
    (late,) = watched.shown(PROMISE_S + 1)
    assert (late.kind, late.since.timestamp()) == (IncidentKind.LAG, watched.at_s)
    assert "later than its promise of 2m: the record at offset 100 of orders-0" in late.line
    assert kinds(watched.watch(At(end_offset=120))) == [IncidentKind.LAG]


def test_what_was_seen_first_is_committed_and_what_came_since_is_not_late() -> None:
    watched = Watched()
    for n in range(5):
        # At each look something is unread, and none of it was unread at the look before.
        assert watched.watch(At(committed=100 + 10 * n, end_offset=110 + 10 * n)) == []
    assert watched.watch(At(committed=149, end_offset=160)) != []


def test_what_the_tables_have_by_now_is_not_late_though_nobody_has_looked_since() -> None:
    watched = Watched()
    watched.watch(At(end_offset=110), At(B, end_offset=120))
    assert kinds(watched.shown(200)) == [IncidentKind.LAG]
    assert kinds(watched.shown(200, reached={A: 110, B: 119})) == [IncidentKind.LAG]
    assert watched.shown(200, reached={A: 110, B: 120}) == []
    assert watched.seen is not None
    assert needs_positions(watched.seen, watched.at_s + 200)
    assert not needs_positions(watched.seen, watched.at_s + 1)


def test_what_a_rollback_took_out_counts_from_the_sights_that_are_still_of_use() -> None:
    watched = Watched()
    watched.watch(At(end_offset=110), after_s=50)
    watched.watch(At(committed=115, end_offset=120), after_s=50)
    assert watched.watch(At(committed=100, end_offset=120), after_s=50) == []
    assert watched.shown(PROMISE_S - 51) == []


def test_old_records_that_were_just_produced_are_not_late() -> None:
    watched = Watched()
    assert watched.watch(At(end_offset=110)) == []
    assert watched.shown(PROMISE_S - 1) == []


def test_a_record_of_the_future_grows_old_from_its_first_sight_on() -> None:
    watched = Watched()
    watched.watch(At(end_offset=110, lag_s=0.0))
    assert kinds(watched.watch(At(end_offset=110, lag_s=0.0))) == [IncidentKind.LAG]


def test_a_record_counts_from_its_own_time_where_that_is_later() -> None:
    watched = Watched()
    watched.watch(At(end_offset=110))
    watched.watch(At(committed=105, end_offset=110, lag_s=PROMISE_S - 10))
    assert watched.shown(5) == []
    assert kinds(watched.shown(15)) == [IncidentKind.LAG]


def test_control_records_alone_make_nothing_late() -> None:
    watched = Watched()
    for _ in range(3):
        assert watched.watch(At(end_offset=101, lag_s=None)) == []
    watched.is_late = True
    assert kinds(watched.watch(At(end_offset=101, lag_s=None))) == [IncidentKind.LAG], "what is not known ends nothing"


def test_a_figure_close_to_the_promise_does_not_end_what_has_begun() -> None:
    for is_late in (False, True):
        watched = Watched(is_late=is_late)
        watched.watch(At(end_offset=110))
        assert bool(watched.shown(PROMISE_S * 0.9)) is is_late
        assert watched.shown(PROMISE_S * WELL_WITHIN - 1) == []


def test_a_paused_pipeline_is_not_late_and_what_came_meanwhile_counts_from_when_it_runs() -> None:
    watched = Watched()
    open_parts = table(planned=OpenParts(1, since_s=NOW_S - 9e3), staged=OpenParts(1, since_s=NOW_S - 9e3))
    for _ in range(3):
        assert watched.watch(At(end_offset=110), is_paused=True) == []
        assert watched.shown(is_paused=True, tables=(open_parts,)) == []
    # Unpaused just now, and the watch has not looked since.
    assert watched.shown(tables=(open_parts,)) == []
    assert watched.watch(At(end_offset=110)) == []
    assert watched.shown(PROMISE_S - 1, tables=(open_parts,)) == []
    assert kinds(watched.shown(PROMISE_S + 1, tables=(open_parts,))) == [IncidentKind.LAG, IncidentKind.WAITING]


def test_what_is_planned_and_not_written_is_late_too() -> None:
    watched = Watched()
    watched.watch()
    watched.watch()
    planned = (table(planned=OpenParts(1, since_s=watched.at_s - PROMISE_S - 1)),)
    (late,) = watched.shown(tables=planned)
    assert "a batch that was planned at" in late.line
    assert watched.shown(tables=(table(planned=OpenParts(1, since_s=watched.at_s - PROMISE_S + 1)),)) == []


def test_parts_that_wait_are_an_alert_of_their_table() -> None:
    watched = Watched()
    watched.watch()
    watched.watch()
    (waits,) = watched.shown(
        tables=(table(staged=OpenParts(1, since_s=watched.at_s - PROMISE_S - 1)), table(table="n.u"))
    )
    assert (waits.kind, waits.table) == (IncidentKind.WAITING, "lake.orders")
    assert "lake.orders" in waits.line
    assert watched.shown(tables=(table(staged=OpenParts(1, since_s=watched.at_s - PROMISE_S + 1)),)) == []


PAUSE = Decided(What.PAUSE, datetime.fromtimestamp(NOW_S, UTC), "ann", "a reader migrates")


def test_files_of_a_paused_table_wait_for_a_person_and_those_of_a_resumed_one_from_then_on() -> None:
    watched = Watched()
    watched.watch()
    watched.watch(after_s=9e3)
    staged = OpenParts(1, since_s=NOW_S + 1)

    def shown(of: Decided, later_s: float = 0.0) -> list[Alert]:
        return watched.shown(later_s, tables=(table(staged=staged, last_pause=of), table(table="n.u")))

    assert shown(PAUSE) == []
    resumed = replace(PAUSE, what=What.RESUME, at=datetime.fromtimestamp(watched.at_s, UTC))
    assert shown(resumed, PROMISE_S) == []
    assert kinds(shown(resumed, PROMISE_S + 1)) == [IncidentKind.WAITING]


def test_a_table_that_stays_paused_for_a_day_is_reported_once_with_who_and_why() -> None:
    watched = Watched()
    watched.watch(tables=("lake.orders", "n.u"), after_s=PAUSED_LONG_S)
    tables = (table(last_pause=PAUSE), table(table="n.u"), table(table="not.of.the.file", last_pause=PAUSE))

    def found(later_s: float, *of: TableView) -> list[Incident]:
        at = datetime.fromtimestamp(watched.at_s + later_s, UTC)
        view = PipelineView("p", 1, 1, None, None, batches=(), tables=of, at=at, sights=watched.seen)
        return incidents_of(list(long_paused(view)))

    assert found(0, *tables) == []
    (forgotten,) = found(1, *tables)
    assert forgotten.kind is IncidentKind.PAUSED
    assert "lake.orders has been paused since 2027-01-15 08:00:00 UTC by ann: a reader migrates." in forgotten.line
    began = after({}, [forgotten], "now")[IncidentKind.PAUSED].notifying("a")
    assert began.due
    later = after({IncidentKind.PAUSED: began}, found(9e5, *tables), "later")[IncidentKind.PAUSED]
    assert later.to_notify(["a"]) == []
    another = found(9e5, tables[0], table(table="n.u", last_pause=PAUSE))
    assert after({IncidentKind.PAUSED: later}, another, "then")[IncidentKind.PAUSED].to_notify(["a"]) == ["a"]
    assert found(9e5, table(last_pause=replace(PAUSE, what=What.RESUME))) == []


def test_limits_of_the_file_take_the_place_of_the_promise_for_paused_pipelines_too() -> None:
    watched = Watched(limits=replace(LIMITS, lag_s=3600.0))
    assert watched.watch(At(end_offset=110, lag_s=3000.0), is_paused=True) == []
    assert watched.shown(590, is_paused=True) == []
    (late,) = watched.watch(At(end_offset=110, lag_s=3300.0), At(B, end_offset=110, lag_s=4000.0), is_paused=True)
    assert late.line == "the oldest uncommitted record of orders-1 is 1h6m40s old"
    assert watched.shown(reached={B: 110}) == []
    assert kinds(watched.shown(700, reached={B: 110})) == [IncidentKind.LAG]
    assert kinds(watched.watch(At(committed=105, end_offset=110, lag_s=None))) == [], "seen just now"
    watched.is_late = True
    watched.watch(At(committed=105, end_offset=110, lag_s=None))
    assert kinds(watched.shown(3600)) == [IncidentKind.LAG, IncidentKind.UNWATCHED][::-1], (
        "what is not known ends nothing"
    )


def test_a_last_stable_offset_that_does_not_move_below_the_high_watermark_is_a_hanging_transaction() -> None:
    watched, open_one = Watched(), At(end_offset=100, high=120)
    for _ in range(1 + int(HANGING_S // 300)):
        assert watched.watch(open_one) == []
    (hangs,) = watched.watch(replace(open_one, high=130))
    assert hangs.kind is IncidentKind.HANGING
    assert "orders-0: its last stable offset is 100" in hangs.line
    assert "find-hanging --topic orders --partition 0`" in hangs.line
    assert "abort --topic orders --partition 0 --start-offset 100`" in hangs.line
    assert watched.shown(is_paused=True) == [hangs]
    assert watched.shown(reached={A: 101}) == []
    # The next transaction holds it elsewhere, which is another one.
    assert watched.watch(replace(open_one, end_offset=105, high=130)) == []
    assert watched.watch(At(committed=130, end_offset=130)) == []


def test_a_dropped_table_is_reported_until_a_look_or_a_commit_finds_it() -> None:
    watched = Watched()
    watched.watch(gone={"lake.orders": "table lake.orders is gone"})
    began = watched.at_s
    (gone,) = watched.watch(gone={"lake.orders": None})
    assert (gone.kind, gone.table, gone.line, gone.since.timestamp()) == (
        IncidentKind.DROPPED,
        "lake.orders",
        "table lake.orders is gone",
        began,
    )
    before, later = (datetime.fromtimestamp(watched.at_s + s, UTC) for s in (-1, 1))
    assert kinds(watched.shown(2, tables=(table(committed_at=before),))) == [IncidentKind.DROPPED]
    assert watched.shown(2, tables=(table(committed_at=later),)) == []
    assert watched.watch() == []
    assert watched.watch(gone={"lake.orders": None}) == [], "what is not known begins nothing"


def test_a_last_run_that_failed_is_an_alert_unless_the_pipeline_is_paused() -> None:
    nothing = PipelineView.unplanned("p")
    (failed,) = alerts(nothing, FAILED)
    assert (failed.kind, failed.table) == (IncidentKind.FAILED, None)
    assert "scheduled__1" in failed.line
    assert alerts(nothing, replace(FAILED, is_paused=True)) == ()
    assert alerts(nothing, Runs()) == ()


def test_runs_that_are_not_known_just_now_begin_nothing_and_end_nothing() -> None:
    pipeline = Pipeline.model_validate({"name": "p", "source": {"topics": ["t"]}, "tables": [{"name": "lake.orders"}]})
    before = {IncidentKind.FAILED: Open("failed", "t", due=True, notified=("run",))}

    def silent() -> None:
        raise Unreachable("Kafka is silent")

    for read, also in ((lambda: None, []), (silent, [IncidentKind.UNREADABLE])):
        assert [i.kind for i in watch(pipeline, read, FAILED, {})[0]] == [IncidentKind.FAILED, *also]
        assert [i.kind for i in watch(pipeline, read, None, before)[0]] == [IncidentKind.FAILED, *also]
        assert [i.kind for i in watch(pipeline, read, None, {})[0]] == also
        assert [i.kind for i in watch(pipeline, read, Runs(), before)[0]] == also
    watched = Watched()
    for is_paused in (True, None, None):
        assert watched.watch(At(end_offset=110), is_paused=is_paused) == []
    for is_paused in (False, None):
        found = watched.watch(At(end_offset=110), is_paused=is_paused)
    assert kinds(found) == [IncidentKind.LAG]


def test_a_watch_that_does_not_look_is_an_alert_of_the_page() -> None:
    watched = Watched()
    bound: dict[str, Any] = {"begun_at": datetime.fromtimestamp(NOW_S, UTC)}
    assert watched.shown(9e9) == [], "nothing was ever read"
    assert watched.shown(NOT_WATCHED_S - 1, **bound) == []
    assert kinds(watched.shown(NOT_WATCHED_S + 1, **bound)) == [IncidentKind.UNWATCHED]
    assert watched.shown(NOT_WATCHED_S + 1, is_paused=True, **bound) == []
    watched.watch()
    assert watched.shown(NOT_WATCHED_S - 1) == []
    assert kinds(watched.shown(NOT_WATCHED_S + 1)) == [IncidentKind.UNWATCHED]
    rare = Watched(limits=replace(LIMITS, watch_every_s=3600.0))
    rare.watch()
    assert rare.shown(NOT_WATCHED_S + 1) == []


def test_an_incident_names_all_alerts_of_its_kind_and_another_one_is_news() -> None:
    watched = Watched()
    one = incidents_of(watched.watch(gone={"lake.orders": "table lake.orders is gone"}))
    known = after({}, one, "t1")[IncidentKind.DROPPED].notifying("run")
    same = after(
        {IncidentKind.DROPPED: known},
        incidents_of(watched.watch(gone={"lake.orders": "table lake.orders is gone"})),
        "t2",
    )
    assert same[IncidentKind.DROPPED].to_notify(["run"]) == []
    (both,) = incidents_of(watched.watch(gone={"lake.orders": "table lake.orders is gone", "n.u": "table n.u is gone"}))
    assert both.line == "table lake.orders is gone; table n.u is gone"
    assert after(same, [both], "t3")[IncidentKind.DROPPED].to_notify(["run"]) == ["run"]


def test_a_hanging_transaction_is_reported_once_however_much_comes_behind_it() -> None:
    watched = Watched()
    for _ in range(2 + int(HANGING_S // 300)):
        found = watched.watch(At(high=120))
    known = after({}, incidents_of(found), "t1")[IncidentKind.HANGING].notifying("run")
    more = incidents_of(watched.watch(At(high=9000)))
    assert after({IncidentKind.HANGING: known}, more, "t2")[IncidentKind.HANGING].to_notify(["run"]) == []


@pytest.mark.parametrize(
    ("settings", "promised_s"),
    [
        ({"schedule": {"every": "5m", "batch_every": "5s"}, "commit": {"max_latency": "5s"}}, 65),
        ({"schedule": {"every": "5m", "batch_every": "30s"}}, 60 + 150),
        ({}, 60 + 5 * 300),
        # A schedule with gaps is not late on Monday morning, and soon late on a Tuesday.
        ({"schedule": {"cron": "0 6 * * 1-5"}}, 60 + (3 + 4) * 86_400),
        ({"schedule": {"cron": "*/10 8-18 * * 1-5"}}, 60 + 61 * 3600 + 600 + 4 * 600),
    ],
)
def test_the_promise_is_of_latency_and_rhythm(settings: dict[str, Any], promised_s: float) -> None:
    known = {"name": "p", "source": {"topics": ["t"]}, "tables": [{"name": "lake.orders"}], **settings}
    limits = limits_of(Pipeline.model_validate(known), 300)
    assert limits == LatenessLimits(promised_s, None, 300)
    with_alert = limits_of(Pipeline.model_validate({**known, "alerts": {"lag": "15m"}}), 300)
    assert with_alert.lag_s == timedelta(minutes=15).total_seconds()
    assert promise_s(1, 1, 1) == 61


def test_of_many_partitions_that_move_the_one_that_stands_is_found() -> None:
    """Commits take longer than a look, and each look sees a transaction of a healthy producer on every partition."""
    many = [Source("t", "id", n) for n in range(3 * MOST_SOURCES)]
    stuck = many[-1]
    found: list[Alert] = []
    watched = Watched()
    for n in range(12):
        moving = [
            At(s, committed=100 + 10 * n, end_offset=130 + 10 * n, high=131 + 10 * n, lag_s=900.0) for s in many[:-1]
        ]
        watched.watch(*moving, At(stuck, committed=100, end_offset=110, high=111, lag_s=300.0 * n + 900))
        found = watched.shown()
    assert {IncidentKind.LAG, IncidentKind.HANGING} <= set(kinds(found))
    assert all(str(stuck) in a.line for a in found if a.kind in {IncidentKind.LAG, IncidentKind.HANGING})


def test_records_from_the_future_are_late_from_their_first_sight_on_also_while_commits_go_on() -> None:
    watched = Watched()
    late = []
    for n in range(30):
        # Always an hour behind: what is committed now was seen twelve looks ago. A stamp to come counts as no lag.
        found = watched.watch(At(committed=100 + 10 * n, end_offset=220 + 10 * n, lag_s=0.0))
        late.append(IncidentKind.LAG in kinds(found))
    assert late[-10:] == [True] * 10


def test_a_steady_lag_is_late_without_a_pause_however_long_it_lasts() -> None:
    watched = Watched(limits=replace(LIMITS, promise_s=5 * 3600.0))
    behind = 84  # looks of five minutes: seven hours
    late = []
    for n in range(400):
        found = watched.watch(
            At(committed=10 * max(0, n - behind), end_offset=10 * (n + 1), lag_s=300.0 * min(n, behind))
        )
        late.append(IncidentKind.LAG in kinds(found))
    first = late.index(True)
    assert all(late[first:])


def test_what_is_kept_is_bounded_and_what_stands_longest_stays() -> None:
    many = [At(Source("t", "id", n), end_offset=110) for n in range(MOST_SOURCES + 50)]
    watched = Watched()
    watched.watch(many[-1])
    stuck = At(many[-2].source, end_offset=110, lag_s=9.1e6)
    for n in range(MOST_ENDS + 20):
        # All but two go on; one is stuck since the first look, one has the oldest record.
        on = [replace(s, committed=100 + n, end_offset=110 + n) for s in many[:-1] if s.source != stuck.source]
        watched.watch(replace(many[-1], end_offset=110 + n), stuck, *on)
    assert watched.seen is not None
    assert len(watched.seen.unread) == MOST_SOURCES
    assert {stuck.source, many[-1].source} <= watched.seen.unread.keys()
    kept = watched.seen.unread[many[-1].source]
    assert MOST_ENDS // 2 <= len(kept.ends) <= MOST_ENDS
    assert kept.ends[0] == (110, NOW_S + 300)
    assert kept.ends[-1] == (110 + MOST_ENDS + 19, watched.at_s)
    assert all(end - 110 <= (at_s - NOW_S) / 300 for end, at_s in kept.ends), "never an earlier sight than there was"


CHANGED = ColumnsChanged("lake.orders", ("x: new, long",), "topic t, partition 0, offset 7", "b", "d/r", 2**62, 7)
offsets = st.integers(0, 2**62)
moments = st.floats(0, 4e9)
sources = st.builds(Source, st.text(max_size=5), st.text(max_size=5), st.integers(0, 9))


@given(
    st.builds(
        Sights,
        moments,
        st.builds(LatenessLimits, moments, st.none() | moments, moments),
        st.none() | moments,
        st.lists(st.text(max_size=5), max_size=3).map(tuple),
        st.booleans(),
        st.dictionaries(
            sources,
            st.builds(
                Unread, offsets, st.none() | moments, st.lists(st.tuples(offsets, moments), min_size=1).map(tuple)
            ),
        ),
        st.dictionaries(sources, st.builds(sights.HangingTransaction, offsets, moments)),
        st.dictionaries(st.text(max_size=5), st.builds(sights.Gone, st.text(), moments)),
        st.none() | st.builds(ChangesSeen, st.dictionaries(st.text(max_size=5), offsets), st.just((CHANGED,))),
    )
)
def test_sights_are_read_as_they_were_kept(kept: Sights) -> None:
    assert decode(json.loads(encode(kept))) == kept
