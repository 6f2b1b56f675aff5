"""Observe the fields of whole blocks at the speed of Arrow's parser, which infers types."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pj

from lakelock.records.observed_fields import (
    EXACT,
    EXACT_SINGLE,
    LARGEST_SINGLE,
    RFC3339,
    ObservedField,
    bits_of,
    digits_of,
    observed,
)
from lakelock.records.values import Values

_RFC3339 = f"^(?:{RFC3339.pattern})$"
# Most texts are no timestamps, as the first ones show.
_FIRST = 100


def observed_block(values: Values, indexes: Sequence[int]) -> ObservedField:
    """As `observed`, of the values at *indexes*, all of which look like objects."""
    if not indexes:
        return ObservedField()
    chosen = values if len(indexes) == len(values) else values.take(indexes)
    try:
        rows = _parsed(chosen)
    # Values of one field are of several kinds, or something is no JSON: both are known only record by record.
    except pa.ArrowException:
        return observed(chosen)
    top = ObservedField()
    top.kinds["object"] = len(chosen)
    for name, column in zip(rows.schema.names, rows.columns, strict=True):
        # Concatenating lists of nulls fails in Arrow; one block gives one chunk.
        top.child(name).add_all(_of(column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()))
    return top


def _parsed(values: Values) -> pa.Table:
    """Raises ArrowException."""
    text = values.text
    read = pj.ReadOptions(use_threads=False, block_size=len(text) + 1)
    rows = pj.read_json(pa.BufferReader(text), read_options=read)
    if any(_has_times(field.type) for field in rows.schema):
        schema = pa.schema([field.with_type(_as_texts(field.type)) for field in rows.schema])
        rows = pj.read_json(pa.BufferReader(text), read_options=read, parse_options=pj.ParseOptions(schema))
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


def _of(array: pa.Array) -> ObservedField:
    found, kind = ObservedField(), array.type
    present = array.drop_null() if array.null_count else array
    if array.null_count:
        found.kinds["null"] = array.null_count
    if not len(present):
        return found
    if pa.types.is_struct(kind):
        found.kinds["object"] = len(present)
        # A struct's own children do not know that it is null.
        for field, child in zip(kind, present.flatten(), strict=True):
            found.child(field.name).add_all(_of(child))
    elif pa.types.is_list(kind):
        found.kinds["list"] = len(present)
        inner = present.flatten()
        found.element = _of(inner) if len(inner) else ObservedField()
    elif pa.types.is_boolean(kind):
        found.kinds["boolean"] = len(present)
    elif pa.types.is_integer(kind):
        _add_integers(found, present.to_numpy(zero_copy_only=False))
    elif pa.types.is_floating(kind):
        _add_numbers(found, present.to_numpy(zero_copy_only=False))
    else:
        found.kinds["text"] = len(present)
        found.all_rfc3339 = _are_times(present.slice(0, _FIRST)) and _are_times(present)
    return found


def _add_integers(found: ObservedField, numbers: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
    found.kinds["integer"] = len(numbers)
    least, most = int(numbers.min()), int(numbers.max())
    found.bits = max(bits_of(least), bits_of(most))
    found.digits = len(str(max(abs(least), abs(most))))
    if max(abs(least), abs(most)) > EXACT_SINGLE:
        # Not by absolute values: the least of all integers has none.
        found.big_integers = int(((numbers < -EXACT) | (numbers > EXACT)).sum())
        found.inexact_singles = _beyond_single(numbers.astype(np.float64))


def _add_numbers(found: ObservedField, numbers: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
    found.kinds["number"] = len(numbers)
    finite = np.abs(numbers[np.isfinite(numbers)])
    found.inexact_singles = _beyond_single(numbers)
    found.digits = digits_of(float(finite.max())) if len(finite) else 0


def _beyond_single(numbers: np.ndarray[tuple[int], np.dtype[np.float64]]) -> int:
    """Count of those for which `is_beyond_single`."""
    sizes = np.abs(numbers)
    far = sizes[~(sizes <= EXACT_SINGLE)]
    with np.errstate(over="ignore"):
        inexact = far.astype(np.float32).astype(np.float64) != far
    is_integer = far == np.floor(far)
    return int((~(far <= LARGEST_SINGLE) | (is_integer & (inexact | (far > EXACT)))).sum())


def _are_times(texts: pa.Array) -> bool:
    return bool(pc.all(pc.match_substring_regex(texts, _RFC3339)).as_py())
