"""What the page says of a record that became a row, or another row, after it was taken in; and what each snapshot was for."""

from __future__ import annotations

import re
from contextlib import closing
from typing import Any

import pytest
from kits.backfills import fill
from kits.page_log import PageAnswers, dead_letters
from kits.redrives import fixed, made, redrive
from kits.replaces import new_column, of_two_times, read_again
from kits.rollbacks import landed
from kits.upkeep import DUE, compacted
from kits.world import World
from lakelock.page import table_answers

pytestmark = pytest.mark.drawn(0.15)


def kinds(answers: PageAnswers) -> list[tuple[str, list[str]]]:
    """Of each snapshot, newest first, and the decisions it names, without their moments."""
    found = answers.of_table("snapshots", 100)["snapshots"]
    return [(s["kind"], [re.sub(r" of \S+ \S+ by", " by", d) for d in s["decided"]]) for s in found]


def at(answers: PageAnswers, place: tuple[int, int]) -> tuple[Any, Any]:
    """What the page says of one offset, and of its source."""
    found = answers.of_table("where", answers.world.topic, *place)
    (source,) = found["sources"]
    return found, source


def test_a_dead_letter_that_became_a_row_is_reported_by_its_redrive(near: World) -> None:
    fixed(near)
    before = set(near.files_by_offset())
    with closing(near.runtime()) as runtime:
        assert made(redrive(runtime)) == 2
    # More commits than files of one offset are opened, each with offsets of both partitions around it.
    for _ in range(22):
        near.produce(4)
        near.run()
    answers, files = PageAnswers(near), near.files_by_offset()
    dead = {(p, o) for p, o, _ in dead_letters(near)}
    for place in dead & set(files):
        assert place not in before
        found, source = at(answers, place)
        assert (source["standing"], source["became"], source["snapshot"]["kind"]) == ("covered", "redriven", "commit")
        (step,) = source["since"]
        assert (step["how"], step["snapshot"]["kind"], step["expired"]) == ("redriven", "redrive", False)
        assert re.fullmatch(r"redrive of \S+ \S+ by somebody: columns fixed", step["said"])
        assert [f["path"] for f in found["files"]] == [files[place]]
    (open_one,) = dead - set(files)
    assert at(answers, open_one)[1]["since"] == []
    assert ("redrive", ["redrive by somebody: columns fixed"]) in kinds(answers)
    with closing(near.runtime()) as runtime:
        read_again(runtime)
    for place in dead & set(files):
        assert [s["how"] for s in at(answers, place)[1]["since"]] == ["redriven", "replaced"]
    assert at(answers, open_one)[1]["since"] == []
    reported = answers.dead_letters(True)
    assert {(r["count"], r["redriven"]) for r in reported["causes"]} == {(2, 2), (1, 0)}
    hidden = answers.dead_letters(False)
    assert sum(r["count"] for r in hidden["causes"]) == 3
    assert sum(r["redriven"] for r in hidden["causes"]) == 2


def test_what_was_read_again_while_it_was_a_dead_letter_is_no_row_of_that(near: World) -> None:
    fixed(near)
    with closing(near.runtime()) as runtime:
        read_again(runtime)
        assert made(redrive(runtime)) == 2
    answers = PageAnswers(near)
    rows = {(p, o) for p, o, _ in dead_letters(near)} & set(near.files_by_offset())
    assert len(rows) == 2
    assert [[s["how"] for s in at(answers, place)[1]["since"]] for place in rows] == [["redriven"]] * 2


def test_a_row_that_was_read_again_is_reported_by_its_replace_and_a_compaction_is_called_so(near: World) -> None:
    first, _ = of_two_times(near)
    near.settings = DUE
    new_column(near)
    with closing(near.runtime()) as runtime:
        read_again(runtime, first)
        files = near.files_by_offset()
        answers = PageAnswers(near)
        ((what, (by,)), *_) = kinds(answers)
        assert (what, by) == ("replace", "replace by tester: a test")
        replaced = [p for p in files if at(answers, p)[1]["since"]]
        assert len(replaced) == 20
        found, source = at(answers, replaced[0])
        (step,) = source["since"]
        assert (step["how"], step["snapshot"]["kind"]) == ("replaced", "replace")
        assert step["snapshot"]["snapshot_id"] != source["snapshot"]["snapshot_id"]
        assert re.fullmatch(r"replace of \S+ \S+ by tester: a test", step["said"])
        assert [f["path"] for f in found["files"]] == [files[replaced[0]]]
        compacted(near, runtime)
        read_again(runtime, first, who="another")
    assert [k for k, _ in kinds(answers)][:3] == ["replace", "compaction", "replace"]
    assert at(answers, replaced[0])[1]["since"][0]["said"].endswith("by another: a test")


def test_a_snapshot_that_requested_a_backfill_says_so(late: World) -> None:
    with closing(late.runtime()) as runtime:
        fill(runtime)
    (brought, (what, said), *_) = kinds(PageAnswers(late))
    assert brought[0] == "commit"
    assert (what, said) == ("decision", ["backfill by tester: a test"])


def test_ranges_of_dead_letters_are_named_by_their_topic(near: World) -> None:
    landed(near, 1, bad=1)
    answers = PageAnswers(near)
    opened = answers.opened
    answered = table_answers.snapshots(opened, f"{near.table}__dead_letters", answers.sources.tables(opened), 10)
    found = answers._plain(answered)
    ids = {r["topic_id"] for s in found["snapshots"] for r in s["ranges"]}
    assert ids
    assert {found["topics"][i] for i in ids} == {near.topic}


def test_all_is_reported_with_when_it_was_so(near: World) -> None:
    landed(near, 1, bad=1)
    answers = PageAnswers(near)
    for found in (
        answers.of_table("snapshots", 1),
        answers.of_table("files", 1),
        answers.dead_letters(True),
        answers.table(),
    ):
        assert found["at"]
    assert (
        answers.table()["maintained"] == answers.pipeline()["maintained"] == [near.table, f"{near.table}__dead_letters"]
    )
