"""Numbers that a column holds exactly: only fractions of doubles are rounded, and nothing overflows."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.model import column_types as types
from lakelock.model.column_types import ColumnType, Floating, ListOf, MapOf, Struct
from lakelock.records.reasons import Unfit

_INTEGER = re.compile(r"-?[0-9]+")
_EXACT_INTEGERS = {pa.float64(): float(2**53), pa.float32(): float(2**24)}
# By bits, the largest double that rounds to a finite value: 3.4028235e38, as the largest float is written, is above it.
MOST = {32: 3.4028235677973362e38, 64: sys.float_info.max}


def floating(array: pa.Array, kind: Floating) -> pa.Array:
    """Refuse overflow, NaN and infinity (not JSON); large integers are left to `has_inexact_integer`."""
    bounds = pc.min_max(array)
    low, high = bounds["min"].as_py(), bounds["max"].as_py()
    finite = pc.all(pc.is_finite(array)).as_py()
    if finite is False:
        raise Unfit("not a finite number")
    if kind.bits == 32 and low is not None and max(abs(low), abs(high)) > MOST[32]:
        raise Unfit("too large for a float")
    return array


def decimal(array: pa.Array, kind: types.Decimal) -> pa.Array:
    """As decimal128, of which the digits fit at the column's scale; the parser checks them only as written."""
    bounds = pc.min_max(array)
    for bound in (bounds["min"].as_py(), bounds["max"].as_py()):
        if bound is not None and bound.copy_abs() >= Decimal(10) ** (kind.precision - kind.scale):
            raise Unfit(f"{bound} has more than {kind.precision} digits at scale {kind.scale}")
    return array.cast(pa.decimal128(kind.precision, kind.scale))


def may_hold_inexact_integers(array: pa.Array) -> bool:
    """Whether a double or float in the column, at any depth, is so large that an integer may have been rounded."""
    if pa.types.is_struct(array.type):
        return any(may_hold_inexact_integers(child) for child in array.flatten())
    if pa.types.is_list(array.type):
        # With values of null lists, if there are any: `flatten` fails for nested extension types, such as uuid.
        return may_hold_inexact_integers(array.values)
    if pa.types.is_map(array.type):
        return may_hold_inexact_integers(array.keys) or may_hold_inexact_integers(array.items)
    exact = _EXACT_INTEGERS.get(array.type)
    if exact is None:
        return False
    bounds = pc.min_max(array)
    return any(v is not None and abs(v) >= exact for v in (bounds["min"].as_py(), bounds["max"].as_py()))


def is_exact(integer: Decimal, kind: Floating) -> bool:
    """Whether a double or float holds *integer* exactly, given that it is in range."""
    return Decimal(float(integer) if kind.bits == 64 else float(np.float32(float(integer)))) == integer


def in_range(number: Decimal, kind: Floating) -> bool:
    """Whether *number* is in the range of a double or float."""
    return abs(float(number)) <= MOST[kind.bits]


def has_inexact_integer(value: bytes | None, kinds: Mapping[str, ColumnType]) -> bool:
    """Whether a double or float column of this record has an integer that it cannot hold exactly, or may have one."""
    try:
        record = json.loads((value or b"{}").decode(), parse_int=Decimal, parse_float=float)
    except RecursionError:
        # Python's parser stops at a thousand levels, Arrow's does not.
        return True
    except ValueError:
        return False
    return any(_inexact(record.get(name), kind) for name, kind in kinds.items())


def _inexact(value: object, kind: ColumnType) -> bool:
    match kind:
        case Floating():
            return isinstance(value, Decimal) and not is_exact(value, kind)
        case Struct(fields):
            return isinstance(value, dict) and any(_inexact(value.get(f.name), f.type) for f in fields)
        case MapOf():
            if not isinstance(value, dict):
                return False
            keys = map(Decimal, filter(_INTEGER.fullmatch, value)) if isinstance(kind.key, Floating) else ()
            return any(_inexact(k, kind.key) for k in keys) or any(_inexact(v, kind.value) for v in value.values())
        case ListOf():
            return isinstance(value, list) and any(_inexact(v, kind.element) for v in value)
    return False
