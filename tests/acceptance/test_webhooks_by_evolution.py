"""GitHub's example webhooks, one event after another, into a table whose columns all come from the records."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

import pytest
from kits.evolution import BOTH
from kits.topics import new_producer, produce
from kits.upkeep import table_of
from kits.world import World, file_of, open_with
from lakelock.records.observed_fields import RFC3339, ObservedField, observed
from stack import github_examples

# Of 329, whether the events come one after another or many at once.
DEAD = 12


def meaning(value: Any) -> Any:
    """Without nulls, and objects and lists of which nothing is left; times are instants, however they are written."""
    if isinstance(value, dict):
        kept = {name: meaning(inner) for name, inner in value.items()}
        return {name: inner for name, inner in kept.items() if inner is not None} or None
    if isinstance(value, list):
        # PyIceberg shows a null list as an empty one.
        return [meaning(inner) for inner in value] or None
    if isinstance(value, str) and RFC3339.fullmatch(value):
        return datetime.fromisoformat(value.upper()).astimezone(UTC)
    return value.astimezone(UTC) if isinstance(value, datetime) else value


def at(found: ObservedField, path: str) -> ObservedField:
    for name in path.split("."):
        inner = found.element if name == "element" else found.children[name]
        assert inner is not None
        found = inner
    return found


@pytest.mark.skipif(not github_examples.is_possible(), reason=github_examples.MISSING)
@pytest.mark.parametrize("events_a_batch", [20, pytest.param(1, marks=pytest.mark.long)])
def test_only_values_of_another_kind_than_in_earlier_events_are_dead_letters(fresh: World, events_a_batch: int) -> None:
    by_event = [
        [payload for _, payload in found] for _, found in groupby(github_examples.by_event(), key=lambda e: e[0])
    ]
    batches = [
        [p for payloads in by_event[n : n + events_a_batch] for p in payloads]
        for n in range(0, len(by_event), events_a_batch)
    ]
    producer = new_producer(fresh.connections["kafka_default"].extra["bootstrap.servers"])
    sent: dict[tuple[int, int], Any] = {}
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, {BOTH}}}")) as runtime:
        for payloads in batches:
            ends = Counter(partition for partition, _ in sent)
            produce(producer, fresh.topic, [json.dumps(p).encode() for p in payloads])
            for n, payload in enumerate(payloads):
                sent[n % 2, ends[n % 2] + n // 2] = payload
            fresh.cycle(runtime)
        assert runtime.audit().complete
    rows = table_of(fresh).scan().to_arrow().to_pylist(maps_as_pydicts="strict")
    for row in rows:
        of_record = {name: value for name, value in row.items() if not name.startswith("_kafka")}
        assert meaning(of_record) == meaning(sent[row["_kafka_partition"], row["_kafka_offset"]])
    letters = fresh.catalog.load_table(f"{fresh.table}__dead_letters").scan().to_arrow().to_pylist()
    assert len(rows) + len(letters) == len(sent) == sum(map(len, by_event))
    whole = observed(json.dumps(p).encode() for p in sent.values())
    for letter in letters:
        kinds = set(at(whole, letter["field"]).kinds) - {"null"}
        assert len(kinds - {"number"}) > 1, (letter["field"], letter["reason"], kinds)
    assert len(letters) == DEAD
