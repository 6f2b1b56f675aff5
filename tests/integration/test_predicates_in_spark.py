"""Predicates of rules in Spark, without a broker: what they give, and blocks that are routed by them as plain code says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from kits.predicates import MEANINGS, Sent, letter, predicate, records
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.adapters.spark.expression_stage import evaluate, unfit
from lakelock.config import load_pipeline
from lakelock.errors import State
from lakelock.records.headers import headers_array
from lakelock.records.routing.block_routes import BlockRoutes
from lakelock.records.routing.predicates import Predicates
from lakelock.records.routing.route_one import Routed, route
from lakelock.records.routing.router import Router, RouteRule
from lakelock.records.routing.seen_columns import seen
from lakelock.records.routing.templates import Rendered
from lakelock.records.sql.outcomes import OUTCOME
from lakelock.records.values import Values
from lakelock.workers.slice_routes import READERS
from stack.settings import REPOSITORY
from stack.spark import SparkConnect

pytestmark = pytest.mark.drawn(0.5, about=("records/routing", "adapters/spark", "records/sql"))

PAGE = (REPOSITORY / "docs" / "routing.md").read_text(encoding="utf-8")
LETTERS = RouteRule("dead_letter")
WHERE = list(MEANINGS)


@pytest.fixture(scope="module")
def session(warm_spark: SparkConnect) -> Iterator[Any]:
    with open_connect(warm_spark.remote, "predicates", "cases") as session:
        yield session


def metadata_of(sent: Sequence[Sent]) -> Callable[[str], pa.Array]:
    columns = {
        "key": pa.array([s.key for s in sent], pa.large_binary()),
        "topic": pa.array([s.topic for s in sent]),
        "partition": pa.array([s.partition for s in sent], pa.int32()),
        "offset": pa.array([s.offset for s in sent], pa.int64()),
        "timestamp": pa.array([s.timestamp_ms * 1000 for s in sent], pa.timestamp("us", "UTC")),
        "headers": headers_array(s.headers for s in sent),
    }
    return columns.__getitem__


def outcomes(session: Any, router: Router, sent: Sequence[Sent]) -> pa.Array:
    found = Predicates.of(router)
    assert found is not None
    assert unfit(session, found, State.PART_PLANNED) is None
    rows = seen(found.columns_seen, Values.from_list([s.value for s in sent]), metadata_of(sent))
    return evaluate(session, found, rows).column(OUTCOME).combine_chunks()


def each(router: Router, topic: str, sent: Sequence[Sent], found: pa.Array) -> list[Routed]:
    """As a block of them is routed."""
    made: list[Rendered] = []

    def number(table: Rendered, topic: str) -> int:
        if table not in made:
            made.append(table)
        return made.index(table)

    values = Values.from_list([s.value for s in sent])
    routed = BlockRoutes(router, READERS, number).of(topic, values, metadata_of(sent), {}, outcomes=found)
    tables: list[list[Rendered]] = [[] for _ in sent]
    for record, table in zip(routed.records.tolist(), routed.tables.tolist(), strict=True):
        tables[record].append(made[table])
    bad, filtered = {b.index: b.reason for b in routed.bad}, set(routed.filtered.tolist())
    return [Routed(tuple(tables[i]), i in filtered, bad.get(i)) for i in range(len(sent))]


def test_each_predicate_gives_what_plain_code_gives(session: Any) -> None:
    sent = records(3_000, "pay", Random(24))
    router = Router((*(RouteRule("filter", where=predicate(sql)) for sql in WHERE), LETTERS))
    found = outcomes(session, router, sent).to_pylist()
    for record, outcome in zip(sent, found, strict=True):
        assert outcome[1:] == "".join(letter(sql, record) for sql in WHERE), record
    assert {c for outcome in found for c in outcome[1:]} == {"p", "f", "e"}


def examples() -> list[Any]:
    lines = (
        PAGE.partition("| key | headers | value | goes to |\n|---|---|---|---|\n")[2].partition("\n\n")[0].splitlines()
    )
    return [pytest.param([cell.strip(" `") for cell in line[1:-1].split("|")], id=line) for line in lines]


@pytest.mark.parametrize("row", examples())
def test_the_examples_of_the_page_are_right(session: Any, tmp_path: Path, row: list[str]) -> None:
    (block,) = [b for b in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if "try_cast" in b]
    (tmp_path / "p.yaml").write_text(f"source: {{topics: [t]}}\n{block}", encoding="utf-8")
    router = load_pipeline(tmp_path / "p.yaml", {}).router
    assert router is not None
    key, header, value, goes_to = row
    sent = [Sent("t", 0, 0, 0, key.encode(), value.encode(), ((header, b""),) if header else ())]
    (found,) = each(router, "t", sent, outcomes(session, router, sent))
    if found.reason is not None:
        assert goes_to == f"a dead letter: `{found.reason.kind}"
    else:
        assert goes_to == ("filtered" if found.filtered else found.tables[0].name)


@pytest.mark.parametrize("seed", range(12))
def test_a_block_is_routed_as_plain_code_routes_each_of_its_records(session: Any, seed: int) -> None:
    chance = Random(seed)
    topic = chance.choice(["pay", "other"])
    sent = records(800, topic, chance)
    whens = [(), (("type", ("a",)),), (("key", ("pay",)),)]
    fates: list[dict[str, Any]] = [
        {"fate": "filter"},
        {"fate": "dead_letter"},
        {"fate": "tables", "templates": ("ns.t",)},
    ]
    fates += [{"fate": "tables", "templates": ("ns.{type}",)}, {"fate": "tables", "templates": ("ns.{type}", "ns.all")}]
    rules = [
        RouteRule(
            **chance.choice(fates),
            topics=chance.choice([(), (), ("pay",)]),
            topics_regex=chance.choice([None, None, "o.*"]),
            when=chance.choice(whens),
            where=predicate(chance.choice(WHERE)) if chance.random() < 0.7 else None,
        )
        for _ in range(4)
    ]
    rules.append(RouteRule("filter", where=predicate(WHERE[seed % len(WHERE)])))
    router = Router((*rules, LETTERS), known={"ns.b": "ns.B"})
    routed = each(router, topic, sent, outcomes(session, router, sent))
    wheres = [rule.where for rule in rules if rule.where is not None]
    for record, found in zip(sent, routed, strict=True):
        verdicts = {where: letter(where.sql, record) for where in wheres}
        wanted = route(router, topic, record.key, record.headers, record.value, verdicts)
        if wanted.reason is not None and wanted.reason.kind == "no rule fits" and found.reason is not None:
            # Of a value that cannot be read, a block says that.
            continue
        assert found == Routed(wanted.tables, wanted.filtered, wanted.reason)


def test_a_predicate_that_fails_is_nothing_to_records_that_do_not_reach_it(session: Any) -> None:
    sent = [Sent("pay", 0, n, 0, None, b'{"type":"%s"}' % (b"a" if n % 2 else b"b")) for n in range(10)]
    fails = predicate("10 / (offset % 5) > 4")
    rules = (
        RouteRule("tables", ("ns.a",), when=(("type", ("a",)),)),
        RouteRule("tables", ("ns.{none}",), where=fails),
        RouteRule("tables", ("ns.b",), topics=("other",), where=fails),
        RouteRule("tables", ("ns.c",), where=fails),
        RouteRule("tables", ("ns.d",)),
    )
    router = Router((*rules, LETTERS))
    found = each(router, "pay", sent, outcomes(session, router, sent))
    names = [r.tables[0].name if r.tables else r.reason.kind if r.reason else "" for r in found]
    assert names == ["predicate failed", "ns.a", "ns.c", "ns.a", "ns.d", "ns.a", "ns.c", "ns.a", "ns.d", "ns.a"]
    (reason,) = [r.reason for r in found if r.reason is not None]
    assert (reason.message, reason.field) == (
        "route.rules[3].where: its SQL fails for this record",
        "route.rules[3].where",
    )


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("length(value)", "its SQL is int, and must be boolean"),
        ("array_size(value) = 1", "Spark refuses its SQL: "),
        ("cast(value as timestamp) > timestamp", "its SQL casts 'value#"),
    ],
)
def test_what_spark_refuses_is_said_of_each_rule(session: Any, sql: str, why: str) -> None:
    good, bad = predicate("offset > 1"), Predicates({predicate("offset > 1"): "a", predicate(sql): "b"})
    fault = unfit(session, bad, State.NOTHING_CHANGED)
    assert fault is not None
    assert fault.what.startswith(f"b: {why}")
    assert unfit(session, Predicates({good: "a"}), State.NOTHING_CHANGED) is None
    both = unfit(session, Predicates({predicate(sql): "a", predicate(f"({sql})"): "b"}), State.NOTHING_CHANGED)
    assert both is not None
    assert [part.partition(":")[0] for part in both.what.split("; ") if part[:2] in ("a:", "b:")] == ["a", "b"]
