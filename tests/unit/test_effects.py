"""What the next run makes of an edited file: each setting, topic and table, by what the log knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.check.config_diff import SETTINGS, Effect, Now, effects, flat, rule_of
from lakelock.config import Pipeline
from lakelock.config.section import Section
from lakelock.model.batches import StreamState
from lakelock.model.coverage import Coverage, Interval, SourceCoverage
from lakelock.model.offsets import FOREVER, Source
from lakelock.model.past import PastPipeline

A0, A1, B0 = Source("a", "id-a", 0), Source("a", "id-a", 1), Source("b", "id-b", 0)
STREAMS = (StreamState(A0, 0, 120), StreamState(A1, 5, 80))


def config(
    tables: tuple[dict[str, Any], ...] = ({"name": "n.t"},), topics: tuple[str, ...] = ("a",), **more: Any
) -> dict[str, Any]:
    source = {"topics": topics, **more.pop("source", {})}
    return Pipeline.model_validate({"name": "p", "source": source, "tables": tables, **more}).resolved()


def known(before: dict[str, Any] | None = None, **more: Any) -> PastPipeline:
    facts: dict[str, Any] = {"streams": STREAMS, "topics": {"n.t": ("a",)}, "made": ("n.t",)}
    return PastPipeline(before or config(), **(facts | more))


FOUND: dict[Source, int | None] = {A0: None, A1: None}


def said(known: PastPipeline, now: dict[str, Any], found: dict[Source, int | None] | None = FOUND) -> dict[str, Effect]:
    out = effects(known, Now(now, found))
    assert len({e.about for e in out}) == len(out), "one effect for each thing"
    return {e.about: e for e in out}


def leaves(section: type[Section], prefix: str = "") -> Iterator[str]:
    for name, field in section.model_fields.items():
        kinds = [k for k in (field.annotation, *get_args(field.annotation)) if isinstance(k, type)]
        inner = next((k for k in kinds if issubclass(k, Section)), None)
        if inner is not None and (get_origin(field.annotation) is not tuple or name == "tables"):
            yield from leaves(inner, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


# The file's name, what is never in a configuration, and what is reported by table.
SAID_ELSEWHERE = ("name", "tables.name", "alerts.", "backfill.")


def test_it_is_known_of_every_setting_what_a_change_of_it_does() -> None:
    paths = [p for p in leaves(Pipeline) if not p.startswith(SAID_ELSEWHERE)]
    assert len(paths) > 35
    for path in paths:
        rule_of(path)
    used = {next(s for s in sorted(SETTINGS, key=len, reverse=True) if f"{p}.".startswith(f"{s}.")) for p in paths}
    assert used == set(SETTINGS), "a rule that no setting has"


def test_an_unedited_file_changes_nothing() -> None:
    assert said(known(), config()) == {}


@given(st.sampled_from(["owner", "commit", "batch", "publish", "schedule"]), st.integers(1, 1000))
def test_what_is_reported_is_what_was_changed(section: str, value: int) -> None:
    edit: Any = {
        "owner": f"team-{value}",
        "commit": {"keep_snapshots": 10 + value},
        "batch": {"max_records": value},
        "publish": {"group_prefix": f"g{value}."},
        "schedule": {"every": f"{value}s"},
    }[section]
    now = config(**{section: edit})
    old, new = flat(config()), flat(now)
    changed = {path for path in {*old, *new} if old.get(path) != new.get(path)}
    assert set(said(known(), now)) == changed


def test_a_start_that_was_followed_is_followed_once() -> None:
    effect = said(known(), config(source={"start": "latest"}))["source.start"]
    assert effect.change == "earliest -> latest"
    assert effect.then.startswith("nothing: ")


def test_a_new_pipeline_begins_where_its_file_says() -> None:
    nobody = PastPipeline(None)
    found = said(nobody, config(), {A0: 7, A1: 0})
    assert found["topic a"].change == "new"
    assert found["topic a"].then == "read from a-0 7, a-1 0 on"
    assert "begins at a-0 7, a-1 0" in found["table n.t"].then
    assert "earlier records" not in found["table n.t"].then


def test_a_table_that_is_added_begins_at_the_frontier_and_gets_nothing_before_it() -> None:
    effect = said(known(), config(({"name": "n.t"}, {"name": "n.u"})))["table n.u"]
    assert (effect.change, "begins at a-0 120, a-1 80; it does not get earlier records" in effect.then) == (
        "added",
        True,
    )


def test_a_table_that_is_taken_away_keeps_its_rows_and_lands_what_is_open() -> None:
    before = config(({"name": "n.t"}, {"name": "n.u"}))
    facts = known(before, made=("n.t", "n.u"), topics={"n.t": ("a",), "n.u": ("a",)}, open_parts={"n.u": (1, 3)})
    effect = said(facts, config())["table n.u"]
    assert effect.change == "removed"
    assert "its 1 planned and 3 staged parts are still committed" in effect.then
    assert "table, rows, tag and property stay" in effect.then


def covered(a0_end: int) -> Coverage:
    return Coverage({A0: SourceCoverage(0, (Interval(0, a0_end, 0),)), A1: SourceCoverage(5, (Interval(5, 80, 0),))})


@pytest.mark.parametrize(("a0_end", "stops"), [(120, False), (90, True)])
def test_a_table_that_comes_back_is_reported_what_it_lacks(a0_end: int, stops: bool) -> None:
    facts = known(made=("n.t", "n.u"), topics={"n.t": ("a",), "n.u": ("a",)}, coverage={"n.u": covered(a0_end)})
    effect = said(facts, config(({"name": "n.t"}, {"name": "n.u"})))["table n.u"]
    assert effect.change == "added again"
    assert ("it lacks a-0 [90, 120)," in effect.then) == stops
    assert ("bin/lakelock recover FILE" in effect.then) == stops


def test_a_table_that_comes_back_is_reported_what_it_skips_of_what_began_meanwhile() -> None:
    facts = known(
        config(topics=("a", "b")),
        streams=(*STREAMS, StreamState(B0, 0, 9)),
        made=("n.t", "n.u"),
        topics={"n.t": ("a", "b"), "n.u": ("a",)},
        coverage={"n.u": covered(120)},
    )
    now = config(({"name": "n.t"}, {"name": "n.u"}), topics=("a", "b"))
    then = said(facts, now, FOUND | {B0: None})["table n.u"].then
    assert (
        then == "continues where it was; in partitions added since, it begins at b-0 9; it does not get earlier records"
    )


def test_a_log_that_was_rebuilt_and_has_no_batch_says_nothing_of_tables_that_go_on() -> None:
    facts = known(coverage={"n.t": covered(120)})
    assert effects(replace(facts, before=None), Now(config(), FOUND)) == []
    (lacking,) = effects(replace(facts, before=None, coverage={"n.t": covered(90)}), Now(config(), FOUND))
    assert "it lacks a-0 [90, 120)," in lacking.then


def test_a_table_that_takes_only_what_is_new_misses_nothing() -> None:
    now = config(({"name": "n.t", "topics": ["a"]}, {"name": "n.u", "topics": ["b"]}), topics=("a", "b"))
    then = said(known(config(({"name": "n.t", "topics": ["a"]},))), now, FOUND | {B0: 0})["table n.u"].then
    assert then.endswith("begins at b-0 0")


def test_what_is_read_no_more_is_no_beginning_of_a_table() -> None:
    facts = known(config(topics=("a", "b")), streams=(*STREAMS, StreamState(B0, 0, 9)), topics={"n.t": ("a", "b")})
    then = said(facts, config(({"name": "n.t"}, {"name": "n.u"})))["table n.u"].then
    assert "begins at a-0 120, a-1 80; it does not get" in then


def test_a_topic_that_is_taken_away_stays_where_it_is_and_one_that_is_added_begins() -> None:
    effect = said(known(), config(topics=("b",)), {B0: 3})
    assert effect["topic a"].change == "removed"
    assert "it continues at a-0 120, a-1 80" in effect["topic a"].then
    assert effect["topic b"] == Effect("topic b", "added", "read from b-0 3 on")


def test_without_kafka_a_topic_that_is_added_begins_nobody_knows_where() -> None:
    effect = said(known(), config(topics=("a", "b")), None)
    assert effect["topic b"].then == "read from the next run on; the start offsets are unknown without Kafka"
    assert "topic a" not in effect


def test_without_kafka_a_topic_that_is_taken_away_is_reported_unless_a_pattern_may_name_it() -> None:
    assert said(known(), config(topics=("b",)), None)["topic a"].change == "removed"
    assert "topic a" not in said(known(), config(topics=("b",), source={"topics_regex": "a.*"}), None)


def test_what_is_open_for_a_table_that_comes_back_lands_first() -> None:
    facts = known(topics={"n.t": ("a",), "n.u": ("a",)}, coverage={"n.u": covered(90)}, open_parts={"n.u": (0, 1)})
    then = said(facts, config(({"name": "n.t"}, {"name": "n.u"})))["table n.u"].then
    assert then.startswith("its open batches are still committed; if it then lacks")


def test_a_table_that_was_only_declared_comes_for_the_first_time() -> None:
    facts = known(topics={"n.t": ("a",), "n.u": ()})
    assert said(facts, config(({"name": "n.t"}, {"name": "n.u"})))["table n.u"].change == "added"


def test_a_topic_that_was_retired_stays_so() -> None:
    retired = tuple(replace(s, next_offset=FOREVER) for s in STREAMS)
    effect = said(known(streams=retired), config())
    assert effect["topic a"] == Effect("topic a", "retired", "named by the file, but no longer read")


def test_a_topic_that_was_bound_again_is_read_from_its_start() -> None:
    retired = tuple(replace(s, next_offset=FOREVER) for s in STREAMS)
    effect = said(known(streams=retired), config(), {Source("a", "another id", 0): 3})
    assert effect["topic a"].then == "read from a-0 3 on"


def test_of_a_table_that_is_there_only_readings_count_until_the_file_is_applied() -> None:
    now = config(({"name": "n.t", "columns": {"id": "long"}, "partition_by": ["id"]},))
    there, to_make = said(known(), now), said(known(made=()), now)
    assert there["n.t: columns"].then.startswith("`zone`, `field`, `cast`, `constant`, `mask` and `sql` apply from")
    assert there["n.t: partition_by"].then.startswith("applies to an existing table with `bin/lakelock apply FILE`")
    assert {e.then for e in to_make.values()} == {"applies when the table is created"}


def test_topics_of_a_table_end_and_begin_for_it_alone() -> None:
    streams = (*STREAMS, StreamState(B0, 0, 9))
    before = config(({"name": "n.t", "topics": ["a"]}, {"name": "n.rest"}), topics=("a", "b"))
    now = config(({"name": "n.t", "topics": ["b"]}, {"name": "n.rest"}), topics=("a", "b"))
    facts = known(before, streams=streams, topics={"n.t": ("a",), "n.rest": ("a", "b")}, made=("n.t", "n.rest"))
    (effect,) = said(facts, now, {A0: None, A1: None, B0: None}).values()
    assert effect.about == "n.t: topics"
    assert effect.then.startswith("a: no longer written to it")
    assert "begins at b-0 9; it does not get earlier records" in effect.then


@pytest.mark.parametrize(
    ("made", "there"), [(("n.t", "n.p__dead_letters"), "keeps its rows"), (("n.t",), "was never created")]
)
def test_another_dead_letter_table_leaves_the_old_one_as_it_is(made: tuple[str, ...], there: str) -> None:
    facts = known(made=made, dead_letters=made[1:], open_parts={"n.p__dead_letters": (0, 2)})
    effect = said(facts, config(dead_letters={"table": "n.letters"}))["dead_letters.table"]
    assert effect.change == "n.p__dead_letters -> n.letters"
    assert f"n.p__dead_letters {there}, and still gets the dead letters of planned and staged batches" in effect.then


def test_a_planned_batch_that_nothing_follows_from_yet_takes_an_edited_route() -> None:
    def routed(table: str, max_tables: int, **more: Any) -> dict[str, Any]:
        return config((), route={"rules": [{"table": table}], "max_tables": max_tables}, **more)

    found = said(known(routed("n.{a}", 8)), routed("n.x_{a}", 14, batch={"max_records": 5}))
    taken = (
        "from the next planned batch on, and in a planned batch of which nothing is staged, if no entry of `tables` takes its "
        "records and no run that worked on it was killed; other planned batches keep the old "
    )
    assert found["route"].then.startswith(f"{taken}rules. ")
    assert found["batch.max_records"].then == f"{taken}value"
    assert found["route.max_tables"].then.startswith("from the next attempt on, also for planned batches; ")
    without = said(known(), config(batch={"max_records": 5}))
    assert without["batch.max_records"].then == "from the next planned batch on; planned batches keep the old value"
