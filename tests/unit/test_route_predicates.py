"""Rules with predicates, whose letters are given: Spark is not needed to route by them."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kits.predicates import predicate
from lakelock.errors import ConfigFaults, State, TableUnfit
from lakelock.ingest.write_order import evaluable
from lakelock.model.batches import NO_TABLE
from lakelock.ports import WriteOrder
from lakelock.ports.write_jobs import Writer
from lakelock.records import reasons
from lakelock.records.headers import headers_array
from lakelock.records.reasons import Reason
from lakelock.records.routing.block_routes import BlockRoutes, RoutedBlock
from lakelock.records.routing.predicates import NAMES, Predicates
from lakelock.records.routing.route_one import Routed, route
from lakelock.records.routing.router import Router, RouteRule
from lakelock.records.routing.seen_columns import seen
from lakelock.records.routing.templates import Rendered
from lakelock.records.sql.expressions import Evaluable
from lakelock.records.sql.outcomes import CHECKED, FAILS, IS_FALSE, PASSES
from lakelock.records.values import Values
from lakelock.workers.slice_routes import READERS

FIRST, SECOND, OF_VALUE = predicate("offset > 1"), predicate("partition = 1"), predicate("value is null")
RULES = (
    RouteRule("tables", ("lake.{type}",), where=FIRST),
    RouteRule("filter", when=(("type", ("a",)),), where=SECOND),
    RouteRule("tables", ("lake.x", "lake.y"), topics=("t",), where=FIRST),
    RouteRule("dead_letter", where=OF_VALUE),
    RouteRule("tables", ("lake.all",), topics_regex="u.*", where=SECOND),
    RouteRule("tables", ("lake.rest",), when=(("type", ("b",)),)),
)
VALUES = st.sampled_from([b'{"type":"a"}', b'{"type":"b"}', b"{}", b'{"type":null}'])
LETTERS = st.sampled_from([PASSES, IS_FALSE, FAILS])


def in_block(
    router: Router, topic: str, values: Sequence[bytes | None], letters: Sequence[str], **more: Any
) -> list[Routed]:
    made: list[Rendered] = []

    def number(table: Rendered, topic: str) -> int:
        if table not in made:
            made.append(table)
        return made.index(table)

    def metadata(key: str) -> pa.Array:
        raise AssertionError(key)

    outcomes = pa.array([CHECKED + of_record for of_record in letters], pa.string())
    unfit = more.pop("unfit", {})
    routes = BlockRoutes(router, READERS, number)
    found: RoutedBlock = routes.of(topic, Values.from_list(list(values)), metadata, unfit, outcomes=outcomes, **more)
    tables: list[list[Rendered]] = [[] for _ in values]
    for record, table in zip(found.records.tolist(), found.tables.tolist(), strict=True):
        tables[record].append(made[table])
    bad, filtered = {b.index: b.reason for b in found.bad}, set(found.filtered.tolist())
    return [Routed(tuple(tables[i]), i in filtered, bad.get(i)) for i in range(len(values))]


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.sampled_from(RULES), min_size=1, max_size=5),
    st.sampled_from(["t", "u"]),
    st.lists(st.tuples(VALUES, st.lists(LETTERS, min_size=3, max_size=3)), max_size=12),
)
def test_a_block_is_routed_by_letters_as_each_of_its_records(
    rules: list[RouteRule], topic: str, records: list[tuple[bytes, list[str]]]
) -> None:
    router = Router((*rules, RouteRule("filter")))
    predicates = Predicates.of(router)
    asked = list(predicates.predicates) if predicates else []
    letters = ["".join(given[: len(asked)]) for _, given in records]
    values = [value for value, _ in records]
    for found, value, of_record in zip(in_block(router, topic, values, letters), values, letters, strict=True):
        wanted = route(router, topic, None, (), value, dict(zip(asked, of_record, strict=True)))
        assert found == Routed(wanted.tables, wanted.filtered, wanted.reason)


def routed(letter: str, *, value: bytes = b'{"type":"a"}') -> Routed:
    rules = (
        RouteRule("tables", ("lake.{type}",), where=FIRST),
        RouteRule("tables", ("lake.rest",)),
    )
    return route(Router(rules), "t", None, (), value, {FIRST: letter})


def test_true_fits_and_false_or_null_do_not() -> None:
    assert [t.name for t in routed(PASSES).tables] == ["lake.a"]
    assert [t.name for t in routed(IS_FALSE).tables] == ["lake.rest"]


def test_a_predicate_that_fails_makes_its_record_a_dead_letter_and_no_row() -> None:
    found = routed(FAILS)
    assert (found.tables, found.filtered, found.rule) == ((), False, 0)
    assert found.reason == Reason(
        reasons.PREDICATE_FAILED, "route.rules[0].where: its SQL fails for this record", "route.rules[0].where"
    )


def test_one_that_fails_is_nothing_to_a_record_that_its_rule_does_not_fit_otherwise() -> None:
    assert [t.name for t in routed(FAILS, value=b"{}").tables] == ["lake.rest"]


def test_a_value_that_cannot_be_decompressed_is_reported_if_a_predicate_reads_it() -> None:
    why = Reason(reasons.NOT_COMPRESSED, "not gzip")
    for where, kind in ((OF_VALUE, reasons.NOT_COMPRESSED), (FIRST, reasons.NO_ROUTE)):
        router = Router((RouteRule("filter", where=where), RouteRule("dead_letter")))
        (found,) = in_block(router, "t", [None], [IS_FALSE], unfit={0: why})
        assert found.reason is not None
        assert found.reason.kind == kind
    router = Router((RouteRule("tables", ("lake.x",), where=OF_VALUE), RouteRule("dead_letter")))
    (skipped,) = in_block(router, "t", [None], [IS_FALSE], skips_tombstones=True)
    assert skipped.filtered


def test_equal_predicates_are_evaluated_once() -> None:
    router = Router(
        (RouteRule("filter"), *(RouteRule("filter", where=w) for w in (FIRST, SECOND, FIRST)), RouteRule("filter"))
    )
    found = Predicates.of(router)
    assert found is not None
    assert found.predicates == {FIRST: "route.rules[1].where", SECOND: "route.rules[2].where"}
    assert found.columns_seen == ["partition", "offset"]
    assert found.verdicts("cpe") == {FIRST: PASSES, SECOND: FAILS}
    assert Predicates.of(Router((RouteRule("filter"),))) is None
    assert pickle.loads(pickle.dumps(found)) == found


def test_what_cannot_be_read_as_text_is_null() -> None:
    columns = {
        "key": pa.array([b"k", b"\xff", None], pa.large_binary()),
        "topic": pa.array(["t"] * 3),
        "partition": pa.array([0, 1, 2], pa.int32()),
        "offset": pa.array([7, 8, 9], pa.int64()),
        "timestamp": pa.array([None, 1, 2], pa.timestamp("us", "UTC")),
        "headers": headers_array([(("a", b"1"), ("a", None)), None, ()]),
    }
    rows = seen(NAMES, Values.from_list([b"\xff", b"v", None]), columns.__getitem__)
    found = {name: rows.column(name).to_pylist() for name in ("key", "value", "headers")}
    assert found == {
        "key": ["k", None, None],
        "value": [None, "v", None],
        "headers": [[{"key": "a", "value": b"1"}, {"key": "a", "value": None}], None, None],
    }
    assert seen([], Values.of_none(3), columns.__getitem__).num_rows == 3


def test_a_batch_is_not_read_if_spark_refuses_a_predicate() -> None:
    class Refusing:
        def unfit(self, targets: Sequence[Evaluable], state: State) -> dict[str, TableUnfit]:
            (rules,) = targets
            assert isinstance(rules, Predicates)
            return {NO_TABLE: TableUnfit("route.rules[0].where: no.", state, "Correct the pipeline file.")}

    order = cast(WriteOrder, SimpleNamespace(router=Router((RouteRule("filter", where=FIRST),)), targets=()))
    with pytest.raises(ConfigFaults, match=r"route\.rules\[0\]\.where: no\. Nothing was staged"):
        evaluable(cast(Writer, Refusing()), order, cast(Any, None), {})
