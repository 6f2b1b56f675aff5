"""Rules by fields of delimited text and of Connect's JSON: blocks are routed as each of their records."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lakelock.records import reasons
from lakelock.records.csv.options import DEAD_LETTER, SKIP, CsvOptions
from lakelock.records.routing.block_routes import BlockRoutes
from lakelock.records.routing.route_one import Routed, route
from lakelock.records.routing.router import Router, RouteRule
from lakelock.records.routing.templates import Rendered
from lakelock.records.values import Values
from lakelock.workers.slice_routes import READERS

COLUMNS = ("kind", "a.b", "n")
BY_KIND, BY_AB = (
    RouteRule("tables", ("lake.{kind}",)),
    RouteRule("tables", ("lake.x_{a.b}",), when=(("n", ("1", "é")),)),
)
BY_TOPIC, NONE, FILTER = RouteRule("tables", ("lake.{topic}",)), RouteRule("dead_letter"), RouteRule("filter")
CELLS = st.sampled_from(["", "push", "Push", "1", "é", '"a,b"', '"x""y"', '""', "kind", "a.b", "n", "0\0"])
LINES = st.lists(CELLS, min_size=2, max_size=4).map(lambda cells: ",".join(cells).encode())
VALUES = LINES | st.sampled_from([None, b"", b"\n", b"\xff,a,1", b'"', b"a\nb", b"kind,a.b,n", b"kind,a.b,n\r\n"])


def each(router: Router, values: Sequence[bytes | None], *, skips: bool = False) -> list[Routed]:
    made: list[Rendered] = []

    def number(table: Rendered, topic: str) -> int:
        if table not in made:
            made.append(table)
        return made.index(table)

    def metadata(key: str) -> pa.Array:
        raise AssertionError(key)

    found = BlockRoutes(router, READERS, number).of(
        "t", Values.from_list([*values]), metadata, {}, skips_tombstones=skips
    )
    tables: list[list[Rendered]] = [[] for _ in values]
    for record, table in zip(found.records.tolist(), found.tables.tolist(), strict=True):
        tables[record].append(made[table])
    bad, filtered = {b.index: b.reason for b in found.bad}, set(found.filtered.tolist())
    return [Routed(tuple(tables[i]), i in filtered, bad.get(i)) for i in range(len(values))]


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.sampled_from([BY_KIND, BY_AB]), max_size=2),
    st.sampled_from([BY_TOPIC, NONE, FILTER]),
    st.sampled_from([None, SKIP, DEAD_LETTER]),
    st.lists(VALUES, max_size=12),
)
@example([BY_KIND], NONE, SKIP, [b"kind,a.b,n", b"push,,", b"kind,a.b,m"])
@example([BY_AB], BY_TOPIC, SKIP, [b"kind,a.b,n", b",x,1"])
def test_a_block_of_delimited_text_is_routed_as_each_of_its_records(
    rules: list[RouteRule], last: RouteRule, header: str | None, values: list[bytes | None]
) -> None:
    options = CsvOptions(columns=COLUMNS, header=header)
    router = Router((*rules, last), format="csv", csv=options)
    for found, value in zip(each(router, values), values, strict=True):
        wanted = route(router, "t", None, None, value)
        if found.reason is not None and wanted.reason is not None and found.reason.kind != wanted.reason.kind:
            assert wanted.reason.kind == reasons.NO_ROUTE
            assert found.reason.kind in (
                reasons.NO_VALUE, reasons.NOT_UTF8, reasons.EMPTY_VALUE, reasons.FIELD_COUNT, reasons.NOT_DELIMITED,
                reasons.SEVERAL_LINES, reasons.HEADER_LINE,
            )  # fmt: skip
            assert found == Routed(reason=found.reason)
        else:
            assert (found.tables, found.filtered, found.reason) == (wanted.tables, wanted.filtered, wanted.reason)


@pytest.mark.parametrize(
    ("header", "last", "wanted"),
    [
        (None, NONE, ("lake.kind", False, None)),
        (SKIP, NONE, (None, True, None)),
        (SKIP, BY_TOPIC, ("lake.t", False, None)),
        (DEAD_LETTER, NONE, (None, False, reasons.HEADER_LINE)),
        (DEAD_LETTER, FILTER, (None, True, None)),
    ],
)
def test_a_header_line_names_no_table(
    header: str | None, last: RouteRule, wanted: tuple[str | None, bool, str | None]
) -> None:
    """A table that a rule without fields gives it leaves it out or refuses it itself."""
    router = Router((BY_KIND, last), format="csv", csv=CsvOptions(columns=COLUMNS, header=header))
    (found,) = each(router, [b"kind,a.b,n"])
    table = found.tables[0].name if found.tables else None
    assert (table, found.filtered, found.reason and found.reason.kind) == wanted


@pytest.mark.parametrize("header", [None, SKIP, DEAD_LETTER])
def test_a_header_line_is_left_out_under_rules_without_fields_as_well(header: str | None) -> None:
    other = RouteRule("tables", ("lake.{key}",), topics=("u",))
    router = Router((other, NONE), format="csv", csv=CsvOptions(columns=COLUMNS, header=header))
    values: list[bytes | None] = [b"kind,a.b,n", b"push,,"]
    found = each(router, values)
    assert found == [route(router, "t", None, None, value) for value in values]
    assert [r.filtered for r in found] == [header == SKIP, False]


def test_a_tombstone_that_is_skipped_is_no_dead_letter() -> None:
    router = Router((BY_KIND, NONE), format="csv", csv=CsvOptions(columns=COLUMNS))
    kept, left_out = (each(router, [None, b"push,,"], skips=skips) for skips in (False, True))
    assert [r.reason.kind if r.reason else None for r in kept] == [reasons.NO_VALUE, None]
    assert left_out == [Routed(filtered=True), kept[1]]


def test_fields_of_connect_json_are_those_of_its_payload() -> None:
    rules = (RouteRule("tables", ("lake.{source.table}",), when=(("op", ("c", "r")),)), NONE)
    router = Router(rules, format="connect_json")

    def value(payload: object, schema: object = None) -> bytes:
        return json.dumps({"schema": schema, "payload": payload}).encode()

    row = {"op": "c", "source": {"table": "orders"}, "after": {"op": "d"}}
    values = [
        value(row),
        value(row, {"type": "struct"}),
        value({**row, "op": "d"}),
        value({"op": "r", "source": {"table": ["a"]}}),
        json.dumps(row).encode(),
        value(None),
        b'{"payload": {"op": "c", "op": "r", "source": {"table": "orders"}}}',
        b"{",
    ]
    found = each(router, values)
    assert [[t.name for t in f.tables] for f in found] == [["lake.orders"], ["lake.orders"], *[[]] * 6]
    assert [f.reason.kind for f in found if f.reason] == [*[reasons.NO_ROUTE] * 5, reasons.NOT_AN_OBJECT]
    assert [(f.tables, f.filtered) for f in found] == [
        (w.tables, w.filtered) for w in (route(router, "t", None, None, v) for v in values)
    ]
    assert found[3].reason is not None
    assert "source.table" in found[3].reason.message
