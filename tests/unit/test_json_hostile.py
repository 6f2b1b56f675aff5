"""One record must never stop a slice, and a record's fate must not depend on its neighbours."""

from __future__ import annotations

import pyarrow as pa
import pytest
from lakelock.core.json_decode import JsonDecoder

FIELDS = [
    {"id": 1, "name": "i", "type": "long", "required": False},
    {"id": 2, "name": "dec", "type": "decimal(6, 2)", "required": False},
    {"id": 3, "name": "wide", "type": "decimal(38, 0)", "required": False},
]
SCHEMA = pa.schema([("i", pa.int64()), ("dec", pa.decimal128(6, 2)), ("wide", pa.decimal128(38, 0))])


def decoder() -> JsonDecoder:
    return JsonDecoder(FIELDS, SCHEMA, zones={}, skip=frozenset(), unknown_fields="ignore")


@pytest.mark.parametrize(
    "poison",
    [
        b'{"dec":1e1000000}',  # abs() of a Decimal: decimal.Overflow
        b'{"i":1e99999999999999999999}',  # Decimal("1e999…") itself: decimal.InvalidOperation
        b'{"i":1,"not_a_column":1e99999999999999999999}',
    ],
)
def test_a_number_with_a_huge_exponent_is_a_dead_letter_not_a_crash(poison: bytes) -> None:
    decoded = decoder().decode([b'{"i":1}', poison, b'{"i":2}'])
    assert [b.index for b in decoded.bad] == [1]
    assert decoded.table.column("i").to_pylist() == [1, 2]


def test_a_decimal_with_trailing_zeros_does_not_become_bad_beside_a_bad_record() -> None:
    record = b'{"dec":1.500}'
    assert not decoder().decode([record]).bad
    assert [b.index for b in decoder().decode([record, b'{"i":"x"}']).bad] == [1]


@pytest.mark.parametrize("digits", ["9" * 38, "-" + "9" * 38, "9" * 37 + "8"])
def test_all_38_digits_of_a_decimal_fit(digits: str) -> None:
    assert decoder().decode([b'{"wide":%s}' % digits.encode()]).bad == []


def strict(unknown_fields: str = "dead_letter") -> JsonDecoder:
    fields = [
        {"id": 1, "name": "i", "type": "long", "required": False},
        {"id": 2, "name": "u", "type": "uuid", "required": False},
    ]
    schema = pa.schema([("i", pa.int64()), ("u", pa.binary(16))])
    return JsonDecoder(fields, schema, zones={}, skip=frozenset(), unknown_fields=unknown_fields)


def test_a_long_integer_in_an_unknown_field_is_a_dead_letter_not_a_crash() -> None:
    decoded = strict().decode([b'{"i":1}', b'{"zz":%s}' % (b"9" * 5000)])
    assert [b.index for b in decoded.bad] == [1]


@pytest.mark.parametrize("text", ["1_345678-1234-5678-1234-567812345678", " 2345678-1234-5678-1234-567812345678",
                                  "+2345678-1234-5678-1234-567812345678"])  # fmt: skip
def test_text_that_is_no_uuid_is_not_stored_as_another_one(text: str) -> None:
    decoded = strict().decode([b'{"u":"%s"}' % text.encode()])
    assert [b.index for b in decoded.bad] == [0]
