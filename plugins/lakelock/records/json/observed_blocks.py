"""Observe the fields of whole blocks at the speed of Arrow's parser, which infers types."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pj

from lakelock.model.column_types import Timestamp
from lakelock.records.json.conversion_by_type import converted
from lakelock.records.observed_fields import (
    EMPTY_LIST,
    EMPTY_OBJECT,
    EXACT,
    EXACT_SINGLE,
    INT,
    LARGEST_SINGLE,
    LONG,
    MOST_DIGITS,
    RFC3339,
    ObservedField,
    digits_of,
    observed,
)
from lakelock.records.reasons import Unfit
from lakelock.records.values import Values

_RFC3339 = f"^(?:{RFC3339.pattern})$"
# Most texts are no timestamps, as the first ones show.
_FIRST = 100
# Arrow has a column for each name, as long as the block: many names, or ever new ones, are observed record by record.
_MOST_NAMES, _PROBES, _NEW_ONES = 3_000, 200, 20
# Numbers that JSON does not have, and Arrow reads.
_CONSTANTS = (b"NaN", b"Inf")
_Flags = npt.NDArray[np.bool_]
_Numbers = npt.NDArray[np.float64]


def observed_block(values: Values, indexes: Sequence[int]) -> ObservedField:
    """As `observed`, of the values at *indexes*, all of which look like objects."""
    if not indexes:
        return ObservedField()
    chosen = values if len(indexes) == len(values) else values.take(indexes)
    if _has_many_names(chosen):
        return observed(chosen)
    try:
        return _observed(_parsed(chosen))
    # Values of one field are of several kinds, or something is no JSON: both are known only record by record.
    except pa.ArrowException:
        return observed(chosen)


def _observed(rows: pa.Table) -> ObservedField:
    top = ObservedField()
    empty = np.ones(rows.num_rows, np.bool_)
    for name, column in zip(rows.schema.names, rows.columns, strict=True):
        # Concatenating lists of nulls fails in Arrow; one block gives one chunk.
        child, is_empty = _of(column.chunk(0) if column.num_chunks == 1 else column.combine_chunks())
        top.child(name).add_all(child)
        empty &= is_empty
    _count(top, "object", EMPTY_OBJECT, int(empty.sum()), len(empty))
    return top


def _has_many_names(values: Values) -> bool:
    probes = [values[i] for i in range(0, len(values), max(1, len(values) // _PROBES))]
    half = _names(observed(probes[: len(probes) // 2]))
    every = _names(observed(probes))
    return every > _MOST_NAMES or every - half > max(_NEW_ONES, half // 10)


def _names(found: ObservedField) -> int:
    within = [*found.children.values(), *([found.element] if found.element else [])]
    return len(found.children) + sum(map(_names, within))


def _parsed(values: Values) -> pa.Table:
    """Raises ArrowException."""
    text = values.text
    joined = text.to_pybytes()
    if any(constant in joined for constant in _CONSTANTS):
        raise pa.ArrowInvalid("perhaps a number that JSON does not have")
    read = pj.ReadOptions(use_threads=False, block_size=len(text) + 1)
    rows = pj.read_json(pa.BufferReader(text), read_options=read)
    if any(_has_times(field.type) for field in rows.schema):
        schema = pa.schema([field.with_type(_as_texts(field.type)) for field in rows.schema])
        rows = pj.read_json(pa.BufferReader(text), read_options=read, parse_options=pj.ParseOptions(schema))
    # Of a list that begins with nulls, the parser infers one that lacks them.
    rows.validate()
    if rows.num_rows != len(values) or len(set(rows.schema.names)) < rows.num_columns:
        raise pa.ArrowInvalid("rows and values are not aligned")
    return rows


def _has_times(kind: pa.DataType) -> bool:
    if pa.types.is_timestamp(kind):
        return True
    return any(_has_times(kind.field(i).type) for i in range(kind.num_fields))


def _as_texts(kind: pa.DataType) -> pa.DataType:
    """*kind* with text for timestamps, of which the parser knows other forms."""
    if pa.types.is_timestamp(kind):
        return pa.string()
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_as_texts(field.type)) for field in kind])
    return pa.list_(_as_texts(kind.value_type)) if pa.types.is_list(kind) else kind


def _of(array: pa.Array) -> tuple[ObservedField, _Flags]:
    """What is in *array*, and which of its values are empty, nulls included."""
    found, kind = ObservedField(), array.type
    nulls = np.asarray(array.is_null())
    present = array.drop_null() if array.null_count else array
    if array.null_count:
        found.kinds["null"] = array.null_count
    if not len(present):
        return found, nulls
    inner_empty = np.zeros(len(present), np.bool_)
    if pa.types.is_struct(kind):
        inner_empty[:] = True
        # A struct's own children do not know that it is null.
        for field, child in zip(kind, present.flatten(), strict=True):
            of_child, is_empty = _of(child)
            found.child(field.name).add_all(of_child)
            inner_empty &= is_empty
        _count(found, "object", EMPTY_OBJECT, int(inner_empty.sum()), len(present))
    elif pa.types.is_list(kind):
        found.element, is_empty = _of(present.flatten())
        lengths = np.asarray(pc.list_value_length(present))
        owners = np.repeat(np.arange(len(present)), lengths)
        inner_empty = np.bincount(owners[~is_empty], minlength=len(present)) == 0
        _count(found, "list", EMPTY_LIST, int(inner_empty.sum()), len(present))
    elif pa.types.is_boolean(kind):
        found.kinds["boolean"] = len(present)
    elif pa.types.is_integer(kind):
        _add_integers(found, present.to_numpy(zero_copy_only=False))
    elif pa.types.is_floating(kind):
        numbers = present.to_numpy(zero_copy_only=False)
        if ((np.abs(numbers) >= EXACT) & (np.abs(numbers) <= LONG)).any():
            raise pa.ArrowInvalid("integers may have been rounded")
        found.kinds["number"] = len(present)
        _add_numbers(found, numbers)
    else:
        found.kinds["text"] = len(present)
        found.all_rfc3339 = _are_times(present.slice(0, _FIRST)) and _are_times(present)
    empty = nulls.copy()
    empty[~nulls] = inner_empty
    return found, empty


def _count(found: ObservedField, kind: str, empty_kind: str, empty: int, of: int) -> None:
    for name, count in ((kind, of - empty), (empty_kind, empty)):
        if count:
            found.kinds[name] = count


def _add_integers(found: ObservedField, numbers: npt.NDArray[np.int64]) -> None:
    found.kinds["integer"] = len(numbers)
    _add_numbers(found, numbers.astype(np.float64))
    # Not by absolute values: the least of all integers has none.
    found.big_integers = int(((numbers < -EXACT) | (numbers > EXACT)).sum())


def _add_numbers(found: ObservedField, numbers: _Numbers) -> None:
    finite = numbers[np.isfinite(numbers)]
    whole = finite[finite == np.floor(finite)]
    found.fractions = len(numbers) - len(whole)
    found.longs = int(((whole < -INT) | (whole >= INT)).sum() - ((whole < -LONG) | (whole >= LONG)).sum())
    found.inexact_singles = _beyond_single(numbers)
    found.digits = set(filter(lambda n: n <= MOST_DIGITS, map(digits_of, _one_of_each_size(finite))))


def _one_of_each_size(finite: _Numbers) -> list[float]:
    """Numbers with each number of digits that there is."""
    sizes = np.abs(finite)
    powers = 10.0 ** np.arange(MOST_DIGITS + 2)
    _, first = np.unique(np.searchsorted(powers, sizes, side="right"), return_index=True)
    return [float(size) for size in sizes[first]]


def _beyond_single(numbers: _Numbers) -> int:
    """Count of those for which `is_beyond_single`."""
    sizes = np.abs(numbers)
    far = sizes[~(sizes <= EXACT_SINGLE)]
    with np.errstate(over="ignore"):
        inexact = far.astype(np.float32).astype(np.float64) != far
    is_integer = far == np.floor(far)
    return int((~(far <= LARGEST_SINGLE) | (is_integer & (inexact | (far > EXACT)))).sum())


def _are_times(texts: pa.Array) -> bool:
    if not pc.all(pc.match_substring_regex(texts, _RFC3339)).as_py():
        return False
    try:
        converted(texts, Timestamp(zoned=True), pa.timestamp("us", "UTC"))
    except (Unfit, pa.ArrowException):
        return False
    return True
