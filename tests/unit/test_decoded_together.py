"""Tables that decode a topic's records together get the rows and dead letters that each of them gets alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lakelock.adapters.csv.splitter import splitter
from lakelock.adapters.json.reader import reader
from lakelock.adapters.json.scanner import scanner
from lakelock.records import reasons
from lakelock.records.decoding import NONE, Decoded, Decoder, Indexes, RowShape
from lakelock.records.json.decode import JsonDecoder
from lakelock.records.json.format import JSON
from lakelock.records.json.shaped import ShapedDecoder
from lakelock.records.json.together import together
from lakelock.records.reasons import Unfit
from lakelock.records.values import Values
from unit.test_shaped import Schema, drawn_record, drawn_schema

SEEDS = st.integers(0, 2**64)
assert JSON.together is together


def no_check(rows: pa.Table) -> None:
    pass


def not_seven(rows: pa.Table) -> None:
    if any(7 in rows.column(n).to_pylist() for n in ("id", "again") if n in rows.column_names):
        raise Unfit("seven has no partition", reasons.PARTITION_VALUE, "id")


def shape(schema: Schema, check: Callable[[pa.Table], None] = no_check) -> RowShape:
    return RowShape(
        schema.all,
        schema.arrow,
        scanner,
        splitter,
        zones=schema.zones,
        skip=frozenset(("_offset",)),
        unknown_fields=schema.unknown,
        readings=schema.readings,
        rest=schema.rest,
        dropped=(),
        check=check,
        reader=reader,
    )


def shared(shapes: list[RowShape]) -> tuple[list[Decoder], list[Decoder]]:
    own = [JSON.decoder(s) for s in shapes]
    return own, together(shapes, [JSON.decoder(s) for s in shapes])


def said(decoded: Decoded, kept: list[int]) -> object:
    """All of it, for values of which those *kept* were not filtered."""
    good = kept if decoded.good is None else list(decoded.good)
    assert sorted([*good, *(b.index for b in decoded.bad)]) == kept
    return good, repr(decoded.table.to_pylist()), [(b.index, b.stage, b.reason) for b in decoded.bad]


@given(SEEDS)
@settings(max_examples=60)
def test_tables_decode_together_as_alone(seed: int) -> None:
    random = Random(seed)
    schemas = [drawn_schema(random) for _ in range(random.choice((2, 3, 5)))]
    if random.random() < 0.5:
        for one in schemas:
            one.rest, one.unknown = None, "ignore"
        schemas = [Schema(s.names, None, "ignore", tuple(c.name for c in s.columns if c.required)) for s in schemas]
    shapes = [shape(s, random.choice((no_check, not_seven))) for s in schemas]
    own, joined = shared(shapes)
    for _ in range(3):
        records = [drawn_record(random) for _ in range(random.choice((1, 8, 25)))]
        values = Values.from_list(records)
        filtered = np.array(sorted(random.sample(range(len(records)), random.randrange(2))), np.int64)
        kept = [n for n in range(len(records)) if n not in filtered]
        for alone, decoder in zip(own, joined, strict=True):
            found, wanted = decoder.decode(values, filtered), alone.decode(Values.from_list(records), filtered)
            assert said(found, kept) == said(wanted, kept)
            assert found.table.schema.equals(wanted.table.schema, check_metadata=True)


def test_tables_of_one_topic_share_one_decoding(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = [shape(Schema(names, None, "ignore")) for names in (["id", "p"], ["l", "id"], ["m"])]
    shapes = [replace(s, readings={}) for s in shapes]
    own, joined = shared(shapes)
    assert not {map(type, own)} & {map(type, joined)}
    values = Values.from_list([b'{"id":1,"p":"text","l":[{"x":1}],"m":{"k":null}}'] * 50)
    monkeypatch.setattr(JsonDecoder, "decode", lambda *_: pytest.fail("a table decodes alone"))
    rows = [d.decode(values, NONE).table.to_pylist() for d in joined]
    assert [set(map(_filled, table)) for table in rows] == [{("id", "p")}, {("id", "l")}, {("m",)}]


def _filled(row: dict[str, object]) -> tuple[str, ...]:
    return tuple(sorted(n for n, v in row.items() if v is not None))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Schema(["id"], "rest"), Schema(["id"], "rest")),
        (Schema(["id"]), Schema(["id", "n_plain"])),
        (Schema(["id"]), Schema(["id"], None, "ignore")),
        (Schema(["p"], None, "ignore"), Schema(["id"], None, "ignore")),
        (Schema(["s"], None, "ignore"), Schema(["s_x"], None, "ignore")),
        (Schema(["at"], None, "ignore"), Schema(["at_berlin"], None, "ignore")),
    ],
)
def test_tables_that_would_refuse_other_records_decode_alone(one: Schema, other: Schema) -> None:
    shapes = [shape(one), shape(other)]
    own = [JSON.decoder(s) for s in shapes]
    assert together(shapes, own) == own


def test_tables_that_read_no_field_get_a_row_for_each_record() -> None:
    filled = frozenset(("_offset", "id"))
    for unknown in ("ignore", "dead_letter"):
        _, joined = shared([replace(shape(Schema(["id"], None, unknown)), skip=filled) for _ in range(2)])
        for values in ([b"{}"] * 3, [b"{}", b"x", b"{}"]):
            for decoder in joined:
                decoded = decoder.decode(Values.from_list(values))
                assert decoded.table.num_rows + len(decoded.bad) == 3
                assert [b.index for b in decoded.bad] == [n for n, v in enumerate(values) if v == b"x"]


def test_each_table_refuses_what_it_requires_and_what_it_cannot_hold() -> None:
    schemas = [
        Schema(["id", "z"], None, "ignore", ("z",)),
        Schema(["id"], None, "ignore"),
        Schema(["z"], None, "ignore"),
    ]
    _, joined = shared([shape(schemas[0]), shape(schemas[1], not_seven), shape(schemas[2])])
    values = Values.from_list(
        [b'{"id":%d,"s":{"deep":{"z":%s}}}' % (n, b"null" if n == 3 else b"1") for n in range(20)]
    )
    assert [[b.index for b in d.decode(values).bad] for d in joined] == [[3], [7], []]


def test_where_a_table_refuses_many_records_nothing_is_decoded_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    schemas = [Schema(["id", "m"], None, "ignore", ("m",)), Schema(["id"], None, "ignore")]
    _, joined = shared([replace(shape(s), readings={}) for s in schemas])
    of_both: list[Values] = []
    decode = ShapedDecoder.decode

    def noted(self: ShapedDecoder, values: Values, filtered: Indexes) -> Decoded:
        of_both.append(values)
        return decode(self, values, filtered)

    monkeypatch.setattr(ShapedDecoder, "decode", noted)
    for n in range(42):
        values = Values.from_list([b'{"id":1}', b'{"id":2,"m":{"k":null}}'] * 10)
        assert [(d.table.num_rows, len(d.bad)) for d in (one.decode(values) for one in joined)] == [(10, 10), (20, 0)]
        assert len(of_both) == 1 + n // 21


def test_where_many_records_are_bad_tables_decode_alone_for_a_while() -> None:
    shapes = [shape(Schema([name], None, "ignore")) for name in ("id", "z")]
    _, joined = shared(shapes)
    for text in [b'{"id":"x"}'] * 3 + [b'{"id":1}'] * 40:
        values = Values.from_list([text] * 20)
        for decoder, bad in zip(joined, (20 if b"x" in text else 0, 0), strict=True):
            assert len(decoder.decode(values).bad) == bad
