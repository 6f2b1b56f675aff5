"""Blocks are routed as their records are one at a time."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lakelock.records import reasons
from lakelock.records.headers import headers_array
from lakelock.records.reasons import Reason
from lakelock.records.routing.block_routes import KEPT_DECISIONS, BlockRoutes, RoutedBlock
from lakelock.records.routing.numbered_texts import Combinations
from lakelock.records.routing.record_texts import Headers
from lakelock.records.routing.route_one import Routed, route
from lakelock.records.routing.router import Router, RouteRule
from lakelock.records.routing.templates import Rendered
from lakelock.records.values import Values
from lakelock.workers.slice_routes import READERS

Record = tuple[bytes | None, Headers | None, bytes | None]


class Routing:
    """One router over blocks, with its tables by number."""

    def __init__(self, router: Router) -> None:
        self.tables: list[Rendered] = []
        self._routes = BlockRoutes(router, READERS, self._number)

    def _number(self, made: Rendered, topic: str) -> int:
        if made not in self.tables:
            self.tables.append(made)
        return self.tables.index(made)

    def block(self, topic: str, records: Sequence[Record], unfit: dict[int, Reason], *, skips: bool) -> RoutedBlock:
        def metadata(key: str) -> pa.Array:
            if key == "key":
                return pa.array([key for key, _, _ in records], pa.large_binary())
            assert key == "headers"
            return headers_array(headers for _, headers, _ in records)

        values = Values.from_list([value for _, _, value in records])
        return self._routes.of(topic, values, metadata, unfit, skips_tombstones=skips)

    def each(self, topic: str, records: Sequence[Record], *, skips: bool = False) -> list[Routed]:
        found = self.block(topic, records, {}, skips=skips)
        tables: list[list[Rendered]] = [[] for _ in records]
        for record, table in zip(found.records.tolist(), found.tables.tolist(), strict=True):
            tables[record].append(self.tables[table])
        bad, filtered = {b.index: b for b in found.bad}, set(found.filtered.tolist())
        return [
            Routed(tuple(tables[i]), i in filtered, bad[i].reason if i in bad else None) for i in range(len(records))
        ]


RULES = (
    RouteRule("tables", ("lake.audit",), topics=("audit",)),
    RouteRule("tables", ("raw.{topic.1}",), topics_regex="tenant_(.*)", when=(("n", ("1", "true", "x\ny")),)),
    RouteRule("filter", when=(("a.b", ("deleted", "7")),)),
    RouteRule("dead_letter", when=(("key", ("bad",)),)),
    RouteRule("tables", ("lake.push", "lake.{a.b}"), when=(("n", ("1", "2", "push")),)),
    RouteRule("tables", ("h.{header.h}_{key}",)),
    RouteRule("tables", ("lake.{a.b}",)),
    RouteRule("tables", ("k.{a}{n}",), when=(("header.g", ("1", "é")),)),
    RouteRule("tables", ("lake.{value.key}",)),
)
LAST = [RouteRule("dead_letter"), RouteRule("filter"), RouteRule("tables", ("lake.rest",))]

TEXTS = st.sampled_from(["push", "Push", "deleted", "x\ny", "", "é", "\ud800", "\0", "1", "true", "a.b", "x" * 130])
SCALARS = TEXTS | st.sampled_from([1, 2, 7, 1.5, -0.0, True, False, None]) | st.integers()
NAMES = st.sampled_from(["a", "b", "n", "key", "é", "A"])
OBJECTS = st.recursive(
    SCALARS, lambda inner: st.dictionaries(NAMES, inner, max_size=4) | st.lists(inner, max_size=2), max_leaves=6
)


@st.composite
def texts_of_json(draw: st.DrawFn) -> bytes:
    """Objects, some of which have a name twice, escapes, white space, or a fault."""
    pairs = draw(st.lists(st.tuples(NAMES, OBJECTS), max_size=5))
    ascii_only = draw(st.booleans())
    members = [
        f"{json.dumps(name, ensure_ascii=ascii_only)}:{json.dumps(value, ensure_ascii=ascii_only)}"
        for name, value in pairs
    ]
    text = "{" + ",".join(members) + "}"
    if draw(st.integers(0, 9)) == 0:
        text = draw(
            st.sampled_from(["", "[1]", "7", '{"a":NaN}', text + "x", text[:-1], " " + text + "\n", '{"a":1,"a":'])
        )
    return text.encode("utf-8", "surrogatepass")


VALUES = texts_of_json() | st.none() | st.sampled_from([b"\xff", b'{"n":"\xff"}'])
HEADERS = st.none() | st.lists(
    st.tuples(st.sampled_from(["h", "g"]), st.sampled_from([None, b"1", b"\xff", "é".encode(), b""])), max_size=3
)
KEYS = st.sampled_from([None, b"bad", b"k", b"", b"\xff"])
RECORDS = st.lists(st.tuples(KEYS, HEADERS, VALUES), max_size=12)


def expected(router: Router, topic: str, record: Record, *, has_fields: bool) -> Routed:
    found = route(router, topic, *record)
    return Routed(found.tables, found.filtered, found.reason)


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.sampled_from(RULES), min_size=1, max_size=5),
    st.sampled_from(LAST),
    st.sampled_from(["audit", "tenant_x", "t"]),
    RECORDS,
)
@example([RULES[6]], LAST[0], "t", [(None, (), b'{"a":{"b":"x"},"a":{}}')])
@example([RULES[6]], LAST[0], "t", [(None, (), b'{"a":{"b":1,"b":2}')])
@example([RULES[5], RULES[4]], LAST[0], "t", [(b"\xff", None, b'{"n":"p\\u0075sh","a":{"b":1E3}}')])
def test_a_block_is_routed_as_each_of_its_records(
    rules: list[RouteRule], last: RouteRule, topic: str, records: list[Record]
) -> None:
    router = Router(
        (*rules, last), known={"lake.push": "lake.push", "lake.x": "lake.X"}, taken=frozenset({"lake.true"})
    )
    routing = Routing(router)
    for found, record in zip(routing.each(topic, records), records, strict=True):
        wanted = expected(router, topic, record, has_fields=True)
        if found.reason is not None and found.reason.kind != getattr(wanted.reason, "kind", None):
            assert wanted.reason is not None
            assert wanted.reason.kind == reasons.NO_ROUTE
            assert found.reason.kind in (
                reasons.NO_VALUE, reasons.NOT_UTF8, reasons.NOT_JSON, reasons.NOT_AN_OBJECT, reasons.EMPTY_VALUE,
            )  # fmt: skip
        else:
            assert found == wanted
    # Decisions are kept for the next block.
    assert routing.each(topic, records) == Routing(router).each(topic, records)


CODES = st.integers(-1, 3) | st.sampled_from([100_000, (1 << 31) - 2])
ROWS = st.lists(st.tuples(CODES, CODES, CODES), max_size=8)


@settings(deadline=None)
@given(st.lists(ROWS, min_size=1, max_size=4), st.integers(0, 3))
@example([[(0, 1, 0), (1, 0, 0)], [(0, 0, 1), (0, 1, 0)]], 3)
def test_records_have_one_number_if_all_their_codes_are_the_same(
    blocks: list[list[tuple[int, ...]]], columns: int
) -> None:
    combinations, numbers = Combinations(), dict[tuple[int, ...], int]()
    for rows in blocks:
        codes = [np.array([row[n] for row in rows], np.int64) for n in range(columns)]
        for row, number in zip(rows, combinations.of(codes, len(rows)).tolist(), strict=True):
            assert numbers.setdefault(row[:columns], number) == number
    assert len({*numbers.values()}) == len(numbers)


def test_a_tombstone_of_a_retired_table_is_left_out_if_tombstones_are() -> None:
    routing = Routing(Router((RouteRule("tables", ("t.{key}",)), LAST[0]), retired=frozenset({"t.a"})))
    records: list[Record] = [(b"a", (), None), (b"a", (), b"{}"), (b"b", (), None)]
    kept, left_out = (routing.each("t", records, skips=skips) for skips in (False, True))
    assert [r.reason.kind if r.reason else None for r in kept] == [reasons.TABLE_RETIRED, reasons.TABLE_RETIRED, None]
    assert left_out == [Routed(filtered=True), kept[1], Routed(filtered=True)]


def test_only_a_rule_for_dead_letters_has_a_tombstone_that_is_skipped() -> None:
    router = Router((RULES[3], RouteRule("tables", ("t.{key}",)), LAST[0]))
    records: list[Record] = [(b"bad", (), None), (b"a", (), None), (None, (), None), (b"a", (), b"{}")]
    found = Routing(router).each("t", records, skips=True)
    singly = [route(router, "t", *record) for record in records]
    wanted = [*(one.without_tombstone for one in singly[:3]), singly[3]]
    assert [(f.tables, f.filtered, f.reason) for f in found] == [(w.tables, w.filtered, w.reason) for w in wanted]
    assert [f.filtered for f in found] == [False, True, True, False]


def test_what_routing_keeps_is_bounded() -> None:
    """All keys that are not UTF-8 have one number, and each topic of a slice is read once."""
    routes = BlockRoutes(Router((RouteRule("tables", ("lake.{key}",)), LAST[0])), READERS, lambda made, topic: 0)
    for n in range(24):
        keys = pa.array([b"\xff%d" % (n * 5_000 + i) for i in range(5_000)], pa.large_binary())
        routes.of(f"t{n % 2}", Values.from_list([b"{}"] * 5_000), lambda key, keys=keys: keys, {})  # type: ignore[misc]
    (kept,) = routes._topics.values()
    assert kept._texts.numbered <= KEPT_DECISIONS + 5_000
