"""One record must never stop a slice, and a record's fate must not depend on its neighbours."""

from __future__ import annotations

import json
from decimal import Context, Decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kits.columns import columns
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.records.json import block_parser
from lakelock.records.json import decode as json_decode
from lakelock.records.json.decode import JsonDecoder
from lakelock.records.values import Values

COLUMNS = columns({"i": "long", "dec": "decimal(6, 2)", "wide": "decimal(38, 0)"})
SCHEMA = pa.schema([("i", pa.int64()), ("dec", pa.decimal128(6, 2)), ("wide", pa.decimal128(38, 0))])


def decoder() -> JsonDecoder:
    return JsonDecoder(COLUMNS, SCHEMA, zones={}, skip=frozenset(), unknown_fields="ignore")


@pytest.mark.parametrize(
    "poison",
    [
        b'{"dec":1e1000000}',  # abs() of a Decimal: decimal.Overflow
        b'{"i":1e99999999999999999999}',  # Decimal("1e999…") itself: decimal.InvalidOperation
        b'{"i":1,"not_a_column":1e99999999999999999999}',
    ],
)
def test_a_number_with_a_huge_exponent_is_a_dead_letter_not_a_crash(poison: bytes) -> None:
    decoded = decoder().decode(Values.from_list([b'{"i":1}', poison, b'{"i":2}']))
    assert [b.index for b in decoded.bad] == [1]
    assert decoded.table.column("i").to_pylist() == [1, 2]


@pytest.mark.parametrize("number", [b"1.500", b"0.0000", b"-0.00000", b"0e-9"])
def test_a_decimal_with_trailing_zeros_does_not_become_bad_beside_a_bad_record(number: bytes) -> None:
    record = b'{"dec":%s}' % number
    assert not decoder().decode(Values.from_list([record])).bad
    assert [b.index for b in decoder().decode(Values.from_list([record, b'{"i":"x"}'])).bad] == [1]


@pytest.mark.parametrize("digits", ["9" * 38, "-" + "9" * 38, "9" * 37 + "8"])
def test_all_38_digits_of_a_decimal_fit(digits: str) -> None:
    assert decoder().decode(Values.from_list([b'{"wide":%s}' % digits.encode()])).bad == []


def strict(unknown_fields: str = "dead_letter") -> JsonDecoder:
    schema = pa.schema([("i", pa.int64()), ("u", pa.binary(16))])
    return JsonDecoder(
        columns({"i": "long", "u": "uuid"}), schema, zones={}, skip=frozenset(), unknown_fields=unknown_fields
    )


def test_a_long_integer_in_an_unknown_field_is_a_dead_letter_not_a_crash() -> None:
    decoded = strict().decode(Values.from_list([b'{"i":1}', b'{"zz":%s}' % (b"9" * 5000)]))
    assert [b.index for b in decoded.bad] == [1]


@pytest.mark.parametrize("text", ["1_345678-1234-5678-1234-567812345678", " 2345678-1234-5678-1234-567812345678",
                                  "+2345678-1234-5678-1234-567812345678"])  # fmt: skip
def test_text_that_is_no_uuid_is_not_stored_as_another_one(text: str) -> None:
    decoded = strict().decode(Values.from_list([b'{"u":"%s"}' % text.encode()]))
    assert [b.index for b in decoded.bad] == [0]


def nested(depth: int, innermost: bytes) -> bytes:
    return b'{"z":' + b'{"a":' * depth + innermost + b"}" * depth + b"}"


@pytest.mark.parametrize(
    "odd",
    [
        b'{"i":1,"z":{"q":5},"z":null}',
        b'{"i":1,"\\ud800":null}',
        b'{"i":1,"\\ud800":5}',
        b'{"i":"\\ud800"}',
        *(nested(depth, inside) for depth in (40, 500, 900, 1500) for inside in (b"null", b"5", b"{}")),
    ],
)
def test_an_odd_unknown_field_is_one_dead_letter_and_its_neighbours_are_what_they_are(odd: bytes) -> None:
    decoded = strict().decode(Values.from_list([b'{"i":"x"}', b'{"i":1,"known":null}', odd, b'{"i":2}']))
    assert [b.index for b in decoded.bad] == [0, 2]
    assert decoded.table.column("i").to_pylist() == [1, 2]
    for record in decoded.bad:
        for text in (record.reason.message, record.reason.field or "", record.reason.found or ""):
            text.encode()


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("list<uuid>", '["%s"]'),
        ("struct<a: uuid>", '{"a":"%s"}'),
        ("map<uuid, int>", '{"%s":1}'),
        ("map<string, uuid>", '{"a":"%s"}'),
        ("list<struct<a: uuid>>", '[{"a":"%s"}]'),
        ("list<list<uuid>>", '[["%s"],null]'),
    ],
)
def test_uuids_within_others_are_rows_with_and_without_nulls_and_bad_ones_alone_are_dead_letters(
    kind: str, text: str
) -> None:
    """Arrow makes no empty array of such types, which are extensions."""
    (column,) = columns({"c": kind})
    of = JsonDecoder(
        [column], arrow_schema(schema_from((column,))), zones={}, skip=frozenset(), unknown_fields="ignore"
    )
    good = b'{"c":%s}' % (text % "12345678-1234-5678-1234-567812345678").encode()
    for block in ([b'{"c":1}'], [b"{}"], [b"{}", b'{"c":1}', good, b'{"c":null}'], [good]):
        decoded = of.decode(Values.from_list(list(block)))
        assert [b.index for b in decoded.bad] == [i for i, value in enumerate(block) if value == b'{"c":1}']
        assert decoded.table.num_rows == len(block) - len(decoded.bad)
        assert decoded.table.column("c").null_count == sum(value in (b"{}", b'{"c":null}') for value in block)


def test_names_that_come_once_cost_no_columns() -> None:
    """Thousands of them, in a block and in one record: rows all the same, and the parser knows a few."""
    found = strict()
    once = [b'{"i":%d,"only-%d":null,"st-%d":{}}' % (n, n, n) for n in range(3_000)]
    many = b'{"i":7,' + b",".join(b'"name-%d":null' % n for n in range(5_000)) + b"}"
    decoded = found.decode(Values.from_list([*once, many, b'{"i":8}']))
    assert list(decoded.bad) == []
    assert decoded.table.column("i").to_pylist() == [*range(3_000), 7, 8]
    assert len(found._parser._empty) <= block_parser.EMPTY_NAMES
    assert found.decode(Values.from_list([b'{"i":1,"only-9":{}}'])).table.column("i").to_pylist() == [1]


@given(st.data())
def test_a_block_of_unknown_fields_decodes_as_its_records_do_one_by_one(data: st.DataObject) -> None:
    """With few names to learn, so that some are read without."""
    names = st.sampled_from(["i", "u", "a", "b", "c", "d.e", "", "\ud800"])
    inner = st.recursive(
        st.none() | st.integers(0, 3) | st.text(max_size=2),
        lambda x: st.lists(x, max_size=2) | st.dictionaries(names, x, max_size=3),
        max_leaves=6,
    )
    block = [
        json.dumps(r).encode() for r in data.draw(st.lists(st.dictionaries(names, inner, max_size=4), max_size=12))
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block_parser, "EMPTY_NAMES", data.draw(st.integers(0, 3)))
        patch.setattr(json_decode, "PIECE", data.draw(st.integers(1, 5)))
        patch.setattr(json_decode, "ALONE", 1)
        together = strict().decode(Values.from_list(block))
        alone = [strict().decode(Values.from_list([value])) for value in block]
    assert [b.index for b in together.bad] == [n for n, one in enumerate(alone) if one.bad]
    assert together.table.to_pylist() == [row for one in alone for row in one.table.to_pylist()]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("decimal(38, 38)", "3414"),
        ("decimal(38, 10)", "3764033307218820742905298566649147118e1"),
        ("decimal(38, 20)", "68226987698709364676549"),
        ("decimal(38, 2)", "208520085257697291404955.125e14"),
    ],
)
def test_too_many_digits_are_a_dead_letter_and_no_other_number(kind: str, text: str) -> None:
    """Arrow's shift of 128 bits to the scale of the column overflows unseen."""
    (column,) = columns({"d": kind})
    schema = pa.schema([("d", pa.decimal128(38, int(kind[-3:-1])))])
    of = JsonDecoder([column], schema, zones={}, skip=frozenset(), unknown_fields="ignore")
    values = [b'{"d":%s}' % text.encode(), b'{"d":"%s"}' % text.encode(), b'{"d":0.1}']
    assert [b.index for b in of.decode(Values.from_list(list(values))).bad] == [0, 1]


@given(st.data())
def test_a_decimal_is_exact_or_a_dead_letter_at_any_precision(data: st.DataObject) -> None:
    precision = data.draw(st.sampled_from([38, 38, 30, 20, 9]))
    scale = data.draw(st.sampled_from([precision, precision // 2, 10, 2, 0]).filter(lambda s: s <= precision))
    digits = st.builds(lambda whole, size: str(whole % 10**size), st.integers(0, 10**38 - 1), st.integers(1, 38))
    spelled = st.builds(
        "{}{}{}".format, digits, st.sampled_from(["", ".5", ".125"]), st.sampled_from(["", "e1", "e14", "e-3"])
    )
    texts = data.draw(st.lists(spelled, min_size=1, max_size=5))
    of = JsonDecoder(
        columns({"d": f"decimal({precision}, {scale})", "l": f"list<decimal({precision}, {scale})>"}),
        pa.schema([("d", pa.decimal128(precision, scale)), ("l", pa.list_(pa.decimal128(precision, scale)))]),
        zones={},
        skip=frozenset(),
        unknown_fields="ignore",
    )
    for quote in ("", '"'):
        values = [f'{{"d":{quote}{t}{quote},"l":[{quote}{t}{quote}]}}'.encode() for t in texts]
        decoded = of.decode(Values.from_list(values))
        good = range(len(texts)) if decoded.good is None else decoded.good
        for i, row in zip(good, decoded.table.to_pylist(), strict=True):
            assert row == {"d": Decimal(texts[i]), "l": [Decimal(texts[i])]}
        # Python's quantize needs room for every digit.
        wide = Context(prec=200)
        fits = [
            t for t in texts
            if Decimal(t).quantize(Decimal(1).scaleb(-scale), context=wide) == Decimal(t) < Decimal(10) ** (precision - scale)
            and len(Decimal(t).as_tuple().digits) <= precision and "e" not in t
        ]  # fmt: skip
        assert {texts[i] for i in good} >= set(fits)
