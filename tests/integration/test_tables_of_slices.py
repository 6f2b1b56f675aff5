"""The tables that a slice names because it does not have them, and those that it does not name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer
from kits.routed_slices import BY_TYPE, WAYS, by_place, routed, targets_of, writing
from kits.slices import dead_letters, order, rows, whole
from kits.topics import produce
from lakelock.model.batches import NO_TABLE
from lakelock.ports import SliceOutput, WriteOrder
from stack.kafka import Kafka

pytestmark = pytest.mark.drawn(0.3, about=("records/routing", "lakelock/workers/", "adapters/kafka"))


@pytest.fixture(params=WAYS)
def write(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[WriteOrder], SliceOutput]:
    return writing(request.param, monkeypatch)


def test_names_that_collide_are_dead_letters_and_too_many_tables_are_reported(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, folder: Path, write: Callable[..., SliceOutput]
) -> None:
    topic = new_topic(1)
    produce(producer, topic, [b'{"id":%d,"type":"%s"}' % (n, t) for n, t in enumerate([b"a", b"A", b"b", b"c"])], 0)
    wanted = order(kafka, folder, whole(kafka, topic), *targets_of(folder, [topic], "a"))
    output = write(routed(wanted, BY_TYPE, known={"ns.a": "ns.a"}, taken=frozenset({"ns.b"}), max_tables=1))
    assert [r["id"] for r in rows(output, "ns.a")] == [0]
    assert {r["offset"]: r["kind"] for r in dead_letters(output, NO_TABLE)} == {
        1: "names of tables collide", 2: "name of a table taken",
    }  # fmt: skip
    # While a table is not known yet, each of its raw names is reported.
    found = write(routed(wanted, BY_TYPE, max_tables=5)).routed
    assert found is not None
    assert [(u.table, u.raw_name) for u in found.unknown] == [("ns.b", "ns.b"), ("ns.c", "ns.c")]
    found = write(routed(replace(wanted, targets=()), BY_TYPE, max_tables=2)).routed
    assert found is not None
    assert [u.raw_name for u in found.unknown] == ["ns.a", "ns.A", "ns.b"]


@pytest.mark.parametrize(
    ("of_others", "without_table"),
    [
        # Of a closed batch, other tables have their parts. That of a retired one is a dead letter, unless it was given up.
        ({"only": frozenset({"ns.a"}), "max_tables": 3}, 0),
        ({"retired": frozenset({"ns.b"}), "left_out": frozenset({"ns.c"})}, 3),
    ],
    ids=["not written", "retired"],
)
def test_known_tables_that_get_no_rows_are_not_reported(
    kafka: Kafka,
    new_topic: Callable[..., str],
    producer: Producer,
    folder: Path,
    write: Callable[..., SliceOutput],
    of_others: dict[str, Any],
    without_table: int,
) -> None:
    topic = new_topic(1)
    produce(producer, topic, [b'{"id":%d,"type":"%s"}' % (n, b"abc"[n % 3 : n % 3 + 1]) for n in range(9)], 0)
    wanted = order(kafka, folder, whole(kafka, topic), *targets_of(folder, [topic], "a"))
    known = {f"ns.{name}": f"ns.{name}" for name in "abc"}
    output = write(routed(wanted, BY_TYPE, known=known, **of_others))
    assert sorted(r["id"] for r in rows(output, "ns.a")) == [0, 3, 6]
    assert output.routed is not None
    assert not output.routed.unknown
    assert by_place(output.routed.books) == {(topic, 0): (9, 9 - without_table, without_table, 0)}
