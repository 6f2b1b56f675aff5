"""GitHub's example webhooks, one event after another, into a table whose columns are all inferred or evolved."""

from __future__ import annotations

import json
import time
from collections import Counter
from itertools import groupby

import pytest
from kits import webhooks
from kits.evolution import BOTH
from kits.topics import new_producer, produce
from kits.upkeep import table_of
from kits.world import World, file_of, open_with


@pytest.mark.skipif(not webhooks.is_possible(), reason=webhooks.MISSING)
def test_x(fresh: World) -> None:
    events = [(name, [p for _, p in found]) for name, found in groupby(webhooks.by_event(), key=lambda e: e[0])]
    producer = new_producer(fresh.connections["kafka_default"].extra["bootstrap.servers"])
    dead = 0
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, {BOTH}}}")) as runtime:
        for name, payloads in events:
            t = time.time()
            produce(producer, fresh.topic, [json.dumps(p).encode() for p in payloads])
            fresh.cycle(runtime)
            n = len(fresh.rows(f"{fresh.table}__dead_letters"))
            print(
                name,
                len(payloads),
                "dead",
                n - dead,
                round(time.time() - t, 2),
                len(table_of(fresh).schema().field_ids),
            )
            dead = n
        assert runtime.audit().complete
    letters = fresh.catalog.load_table(f"{fresh.table}__dead_letters").scan().to_arrow().to_pylist()
    c = Counter((l["kind"], l["reason"]) if "reason" in l else str(sorted(l)) for l in letters)
    for k, v in c.most_common():
        print(v, k)
    print("METADATA", len(table_of(fresh).metadata.model_dump_json()), len(table_of(fresh).metadata.schemas))
    assert 0
