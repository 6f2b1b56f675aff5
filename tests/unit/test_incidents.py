"""What is an incident, and who is notified of it when."""

from __future__ import annotations

import json
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st
from lakelock.model.offsets import Source
from lakelock.monitor.incidents import Incident, IncidentKind, Open, after, blind, judge


@dataclass(frozen=True)
class At:
    source: Source
    retention_left_s: float | None = None
    retention_unknown: bool = False


def source(n: int) -> Source:
    return Source("t", "id", n)


LEFT_S = 1000
OPEN = Open("was", "2026-01-01", due=True, notified=("a",))
BOTH = {IncidentKind.LAG: OPEN, IncidentKind.RETENTION: OPEN}


def kinds(found: list[Incident]) -> list[IncidentKind]:
    return [i.kind for i in found]


def test_nothing_is_an_incident_that_nobody_requested_but_a_stop() -> None:
    bad = At(source(0), retention_left_s=-5)
    assert judge([bad], None, "", {}) == []
    assert judge([bad], None, "HistoryMissing: x", {}) == [Incident(IncidentKind.STOPPED, "HistoryMissing: x")]


def test_an_incident_names_the_source_where_it_is_worst() -> None:
    at = [At(source(1), retention_left_s=60), At(source(2), retention_left_s=90)]
    assert [i.line for i in judge(at, LEFT_S, "", {})] == ["Kafka will delete uncommitted records of t-1 in 1m"]
    assert "at any time" in judge([At(source(0), retention_left_s=-1)], LEFT_S, "", {})[0].line


def test_a_figure_close_to_its_limit_does_not_begin_again_and_again() -> None:
    near = [At(source(0), retention_left_s=1100)]
    assert judge(near, LEFT_S, "", {}) == []
    assert kinds(judge(near, LEFT_S, "", BOTH)) == [IncidentKind.RETENTION]
    assert judge([At(source(0), retention_left_s=1400)], LEFT_S, "", BOTH) == []
    over = {kind: Open("was", "t", due=True, over=True, notified=("a",)) for kind in BOTH}
    assert judge(near, LEFT_S, "", over) == []


def test_a_retention_that_is_not_known_just_now_begins_nothing_and_ends_nothing() -> None:
    hidden = [At(source(0), retention_unknown=True), At(source(1), retention_left_s=9000)]
    assert judge(hidden, LEFT_S, "", {}) == []
    assert judge(hidden, LEFT_S, "", BOTH) == [Incident(IncidentKind.RETENTION, "was")]


def test_sources_that_kafka_does_not_show_are_an_incident_and_end_none() -> None:
    well = [At(source(0), retention_left_s=9000)]
    gone = [Source("gone", "id", 0), Source("gone", "id", 1)]
    (missing,) = judge(well, LEFT_S, "", {}, gone)
    assert missing.kind is IncidentKind.MISSING
    assert missing.line.startswith("Kafka no longer shows gone, which was read before")
    assert "retire FILE --topic gone --why" in missing.line
    assert judge(well, LEFT_S, "", BOTH, gone)[1:] == [Incident(IncidentKind.RETENTION, "was")]
    assert kinds(judge([], None, "", {}, gone)) == [IncidentKind.MISSING]


def test_another_topic_that_is_gone_is_news_to_all_who_know_of_the_first() -> None:
    gone = [Source("a", "id", 0)]
    known = after({}, judge([], None, "", {}, gone), "t1")
    known = {kind: was.notifying("run") for kind, was in known.items()}
    same = after(known, judge([], None, "", known, gone), "t2")
    assert same[IncidentKind.MISSING].to_notify(["run"]) == []
    more = after(same, judge([], None, "", same, [*gone, Source("b", "id", 0)]), "t3")
    assert more[IncidentKind.MISSING].to_notify(["run"]) == ["run"]
    assert "a, b" in more[IncidentKind.MISSING].line
    assert more[IncidentKind.MISSING].since == "t1"


def test_what_may_pass_is_reported_when_the_next_look_finds_it_too() -> None:
    down = Incident(IncidentKind.UNREADABLE, "Unreachable: x", may_pass=True)
    first = after({IncidentKind.LAG: OPEN}, blind(down, {IncidentKind.LAG: OPEN}), "t1")
    assert first[IncidentKind.LAG] == OPEN
    assert first[IncidentKind.UNREADABLE].to_notify(["a"]) == []
    assert after(first, [], "t2") == {IncidentKind.LAG: Open("was", "2026-01-01", due=True, over=True, notified=("a",))}
    second = after(first, blind(down, first), "t2")
    assert second[IncidentKind.UNREADABLE] == Open("Unreachable: x", "t1", due=True)
    assert second[IncidentKind.UNREADABLE].to_notify(["a", "b"]) == ["a", "b"]


def test_what_is_not_due_stays_so_while_nobody_can_look() -> None:
    down = Incident(IncidentKind.UNREADABLE, "x", may_pass=True)
    seen = after({}, [down], "t1")
    torn = blind(Incident(IncidentKind.FILE, "torn"), seen)
    assert kinds(torn) == [IncidentKind.FILE]
    assert after(seen, torn, "t2").keys() == {IncidentKind.FILE}
    assert kinds(blind(None, {**seen, **BOTH})) == [IncidentKind.LAG, IncidentKind.RETENTION]


# One of changed columns has no end.
LASTING = [kind for kind in IncidentKind if kind is not IncidentKind.SCHEMA]
watches = st.lists(
    st.tuples(st.lists(st.sampled_from(LASTING), unique=True), st.sets(st.sampled_from("abc"))), max_size=12
)


@given(watches, st.sets(st.sampled_from(LASTING)))
def test_each_recipient_hears_of_beginnings_and_ends_in_turns(
    seen: list[tuple[list[IncidentKind], set[str]]], may_pass: set[IncidentKind]
) -> None:
    """A set of recipients cannot be notified in each run; in the end all of them can."""
    state: dict[IncidentKind, Open] = {}
    heard: dict[tuple[IncidentKind, str], bool] = {}
    quiet: list[tuple[list[IncidentKind], set[str]]] = [([], set()), ([], set())]
    for n, (now, deaf) in enumerate([*seen, *quiet]):
        state = after(state, [Incident(k, "x", k in may_pass) for k in now], str(n))
        state = {k: o for k, o in state.items() if o.notified or not o.over}
        for kind, incident in list(state.items()):
            for recipient in incident.to_notify("abc"):
                if recipient in deaf:
                    continue
                began = not incident.over
                assert began != heard.get((kind, recipient), False)
                heard[kind, recipient] = began
                state[kind] = state[kind].notifying(recipient)
        assert {k for k, o in state.items() if not o.over} == set(now)
        state = {k: Open.of_json(json.loads(json.dumps(o.json()))) for k, o in state.items()}
    assert not any(heard.values())
    assert state == {}
