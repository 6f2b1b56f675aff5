"""Every way in which a rule names tables, on real servers: the page's own file, and what it leaves out."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from kits.forks import lakelock
from kits.routing import cycle, dead, ids, letters, names, read, routed_file, send
from kits.topics import admin, create_topic, new_producer
from kits.world import World, open_with
from lakelock.app.runtime import Runtime
from lakelock.audit.audit_text import audit_text
from lakelock.errors import ConfigFaults
from unit.test_routing_page import FILE, rows

pytestmark = pytest.mark.drawn(0.35, about=("records/routing", "ingest/routed_batch", "config/route"))

Sent = tuple[str, bytes | None, Sequence[tuple[str, bytes]], Any]


def produced(world: World, *records: Sent) -> None:
    """In order: the topic, key, headers and value of each, all in the first partition."""
    producer = new_producer(world.connections["kafka_default"].extra["bootstrap.servers"])
    for topic, key, headers, value in records:
        raw = value if isinstance(value, bytes) else json.dumps(value).encode()
        producer.produce(topic, raw, key=key, headers=list(headers), partition=0)
    assert producer.flush(60) == 0


def where(world: World, namespace: str, table: str) -> list[tuple[str, int]]:
    """Topic and offset of each row, as DuckDB reads them."""
    found = read(world, f"{namespace}.{table}".removeprefix(f"{world.namespace}."), "_kafka_topic, _kafka_offset")
    return [(str(topic), int(offset)) for topic, offset in found]


def complete(runtime: Runtime) -> None:
    found = runtime.audit()
    assert found.complete, audit_text(found)


def test_the_pages_own_file_does_what_its_table_says(fresh: World) -> None:
    """Four topics, a regex with a group, a filter by field, a list of tables and a template, from the file alone."""
    mine = uuid.uuid4().hex[:12]
    topics = {name: f"{name}_{mine}" for name in ("github.events", "audit.log", "tenant_eu", "tenant_us")}
    text = FILE.replace("lake.", f"{fresh.namespace}.").replace("raw.", f"{fresh.namespace}.raw_")
    for name, topic in topics.items():
        create_topic(admin(fresh), topic, 1)
        text = text.replace(name, topic)
    text = text.replace("'tenant_(.*)'", f"'tenant_(.*)_{mine}'")
    text += f"metadata_columns: {{topic: _kafka_topic}}\ndead_letters: {{table: {letters(fresh)}}}\n"
    table = rows("topic | the record | goes to")
    wanted, without_table, filtered = dict[str, list[tuple[str, int]]](), list[tuple[str, int, str]](), 0
    at, records = dict.fromkeys(topics.values(), 0), list[Sent]()
    for topic, record, goes_to in table:
        name, place = topics[topic.strip("`")], at[topics[topic.strip("`")]]
        records.append((name, None, (), record.strip("`").encode()))
        at[name] += 1
        if goes_to == "filtered":
            filtered += 1
        elif goes_to.startswith("a dead letter"):
            without_table.append((name, place, goes_to.partition("`")[2].strip("`")))
        else:
            for to in goes_to.split(" and "):
                made = to.strip("`").replace("lake.", "").replace("raw.", "raw_")
                wanted.setdefault(made, []).append((name, place))
    produced(fresh, *records)
    with open_with(fresh, text) as runtime:
        cycle(fresh, runtime)
        assert names(fresh) == sorted([*wanted, "letters"])
        assert {name: where(fresh, fresh.namespace, name) for name in wanted} == {
            name: sorted(places) for name, places in wanted.items()
        }
        assert sorted((d["topic"], d["offset"], d["kind"]) for d in dead(fresh)) == sorted(without_table)
        assert {d["target_table"] for d in dead(fresh)} == {"*"}
        complete(runtime)
        routes = runtime.audit().routes
        assert routes is not None
        assert (sum(s.read for s in routes.sums), sum(s.filtered for s in routes.sums)) == (len(table), filtered)
    assert filtered == 1
    assert len(without_table) == 3


def test_topics_keys_headers_and_otherwise_name_tables(fresh: World, new_topic: Callable[..., str]) -> None:
    first, second = new_topic(1), new_topic(1)
    rules = (
        f"- {{topics: [{first}, {second}], when: {{kind: shared}}, table: '{{ns}}.shared'}}",
        "- {when: {key: [eu-1, eu-2]}, table: ['{ns}.of_{key}', '{ns}.keyed']}",
        "- {when: {header.drop: 'yes'}, table: filter}",
        "- {when: {header.drop: 'no'}, table: dead_letter}",
        "- {table: '{ns}.h_{header.to}'}",
        f"- {{topics_regex: '(?P<what>topic)-{second.removeprefix('topic-')}', when: {{kind: t}}, table: '{{ns}}.t_{{topic.what}}'}}",
    )
    text = routed_file(fresh, *rules, rest="  otherwise: '{ns}.rest'".replace("{ns}", fresh.namespace))
    text = text.replace(f"[{fresh.topic}]", f"[{first}, {second}]") + "metadata_columns: {topic: _kafka_topic}\n"
    sent: list[Sent] = [
        (first, b"eu-1", [("to", b"x")], {"id": 0, "kind": "shared"}),
        (second, None, (), {"id": 1, "kind": "shared"}),
        (first, b"eu-1", [("to", b"x")], {"id": 2}),
        (second, b"eu-2", (), {"id": 3}),
        (first, b"us-1", [("to", b"Main List")], {"id": 4}),
        (first, None, [("drop", b"yes"), ("to", b"x")], {"id": 5}),
        (first, None, [("drop", b"no")], {"id": 6}),
        (second, None, (), {"id": 7, "kind": "t"}),
        (second, None, (), {"id": 8, "kind": "other"}),
        (first, None, (), {"id": 9, "kind": "t"}),
    ]
    produced(fresh, *sent)
    expected: Mapping[str, list[int]] = {
        "shared": [0, 1], "of_eu_1": [2], "of_eu_2": [3], "keyed": [2, 3], "h_main_list": [4], "t_topic": [7], "rest": [8, 9],
    }  # fmt: skip
    with open_with(fresh, text) as runtime:
        cycle(fresh, runtime)
        assert names(fresh) == sorted([*expected, "letters"])
        assert {name: ids(fresh, name) for name in expected} == expected
        assert {topic for topic, _ in where(fresh, fresh.namespace, "shared")} == {first, second}
        assert [(d["topic"], d["offset"], d["kind"]) for d in dead(fresh)] == [(first, 4, "routed to the dead letters")]
        complete(runtime)


def test_a_pipeline_of_one_table_gets_rules_and_does_not_lose_them_again(fresh: World) -> None:
    static = f"source: {{topics: [{fresh.topic}]}}\ntables: [{{name: {fresh.namespace}.all}}]\n"
    static += f"dead_letters: {{table: {letters(fresh)}}}\n"
    with open_with(fresh, static) as runtime:
        send(fresh, "push", "fork")
        runtime.plan()
        cycle(fresh, runtime)
        assert ids(fresh, "all") == [0, 1]
    both = routed_file(fresh, "- {table: '{ns}.{event.type}'}", tables=f"tables: [{{name: {fresh.namespace}.all}}]\n")
    with open_with(fresh, both) as runtime:
        send(fresh, "push", "fork")
        cycle(fresh, runtime)
        assert (ids(fresh, "all"), ids(fresh, "push"), ids(fresh, "fork")) == ([0, 1, 2, 3], [2], [3])
        complete(runtime)
    send(fresh, "push")
    file = fresh.folder / f"{fresh.name}.yaml"
    with open_with(fresh, static) as runtime, pytest.raises(ConfigFaults, match="rules made 2 tables") as refused:
        runtime.plan()
    assert refused.value.do == "Put `route` back; its rules may make no further tables."
    done = lakelock("run", file, "--once", environment=fresh.environment())
    assert done.returncode != 0
    assert "has no `route`, but rules made 2 tables" in done.stderr, done.stdout + done.stderr
    assert (ids(fresh, "all"), ids(fresh, "push")) == ([0, 1, 2, 3], [2]), "nothing changed"
    with open_with(fresh, both) as runtime:
        cycle(fresh, runtime)
        assert (ids(fresh, "all"), ids(fresh, "push")) == ([0, 1, 2, 3, 4], [2, 4])
        complete(runtime)
