"""Headers of records as columns of a table."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.records import reasons
from lakelock.records.reasons import Reason

# Of a block's headers, in order: null for a record without any, and a list of one null for headers that cannot be read.
HEADERS = pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())]))
UNREADABLE = pa.scalar([None], HEADERS)
# A column, and the reasons why records have no value of it, by index.
Fitted = tuple[pa.Array, dict[int, Reason]]
_TWICE, _NO_TEXT = "the record has header {!r} twice", "the value of header {!r} is not UTF-8"
_Indexes = npt.NDArray[np.int64]


class Headers:
    """Headers of a block's records; *column* is of type HEADERS. A record of which anything is unclear is refused."""

    def __init__(self, column: pa.Array) -> None:
        self._column = column
        lengths = pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False)
        self._names, self._values = column.flatten().flatten()
        # Of each header, the index of its record.
        self._records: _Indexes = np.repeat(np.arange(len(column)), lengths)
        self._bounds = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)

    def of_name(self, name: str, field: pa.Field) -> Fitted:
        """The value of one header, null without it; *field* is text or binary."""
        is_it = pc.fill_null(pc.equal(self._names, name), False).to_numpy(zero_copy_only=False)
        at = np.flatnonzero(is_it)
        records = self._records[at]
        places = np.full(len(self._column), -1)
        places[records] = at
        values = self._values.take(pa.array(places, mask=places < 0))
        unfit: dict[int, Reason] = {}
        if pa.types.is_string(field.type):
            values, bad = texts(values)
            unfit |= dict.fromkeys(bad.tolist(), _reason(field, reasons.NOT_UTF8, _NO_TEXT.format(name)))
        twice = records[1:][records[1:] == records[:-1]].tolist()
        unfit |= dict.fromkeys(twice, _reason(field, reasons.HEADER_TWICE, _TWICE.format(name)))
        return values, unfit | self._refused(field)

    def all(self, field: pa.Field) -> Fitted:
        """All headers, null without any; *field* is a list of structs, or a map."""
        kind, names, values, unfit = field.type, self._names, self._values, dict[int, Reason]()
        if names.null_count:
            # Only records have them that are refused.
            names = pc.fill_null(names, "")
        value = kind.item_field if pa.types.is_map(kind) else kind.value_type.field(1)
        if not value.nullable and values.null_count:
            at = np.flatnonzero(values.is_null().to_numpy(zero_copy_only=False))
            unfit |= self._said(field, at, reasons.REQUIRED_NULL, "its values are required, but header {!r} has none")
        bounds, nulls = pa.array(self._bounds), self._column.is_null() if self._column.null_count else None
        if not pa.types.is_map(kind):
            structs = pa.StructArray.from_arrays([names, values], fields=list(kind.value_type))
            return pa.ListArray.from_arrays(bounds, structs, type=kind, mask=nulls), unfit | self._refused(field)
        if pa.types.is_string(value.type):
            values, bad = texts(values)
            unfit |= self._said(field, bad, reasons.NOT_UTF8, _NO_TEXT)
        unfit |= self._said(field, self._repeated, reasons.HEADER_TWICE, _TWICE)
        return pa.MapArray.from_arrays(bounds, names, values, type=kind, mask=nulls), unfit | self._refused(field)

    def _said(self, field: pa.Field, at: _Indexes, kind: str, text: str) -> dict[int, Reason]:
        """Reasons for the records of the headers *at* these places; the first one counts."""
        return {int(self._records[n]): _reason(field, kind, text.format(self._name(n))) for n in at[::-1]}

    def _name(self, at: int) -> str:
        return self._names[int(at)].as_py() or ""

    @cached_property
    def _repeated(self) -> _Indexes:
        """Places of the headers whose name an earlier one of the same record has."""
        names = self._names.dictionary_encode()
        pairs = self._records * (len(names.dictionary) + 1) + names.indices.fill_null(-1).to_numpy()
        _, first = np.unique(pairs, return_index=True)
        return np.delete(np.arange(len(pairs)), first) if len(first) < len(pairs) else first[:0]

    def _refused(self, field: pa.Field) -> dict[int, Reason]:
        if not self._names.null_count:
            return {}
        at = np.flatnonzero(self._names.is_null().to_numpy(zero_copy_only=False))
        reason = _reason(field, reasons.UNREADABLE_HEADERS, "the record's headers cannot be read")
        return dict.fromkeys(self._records[at].tolist(), reason)


def name_texts(names: pa.Array) -> pa.Array:
    """Names as text; bytes that are not UTF-8 are written as `\\xff`."""
    try:
        return names.cast(pa.string())
    except pa.ArrowInvalid:
        return pa.array([n.decode(errors="backslashreplace") for n in names.to_pylist()], pa.string())


def headers_array(records: Iterable[Iterable[tuple[str, bytes | None]] | None]) -> pa.Array:
    """A column of type HEADERS; None are headers that cannot be read."""
    return pa.array([listed(headers) for headers in records], HEADERS)


def listed(headers: Iterable[tuple[str, bytes | None]] | None) -> list[dict[str, object] | None] | None:
    """A value of a column of type HEADERS."""
    return [None] if headers is None else [{"key": k, "value": v} for k, v in headers] or None


def not_texts(values: pa.Array) -> _Indexes:
    """Indexes of the values that are not UTF-8."""
    try:
        values.cast(pa.large_string())
    except pa.ArrowInvalid:
        return np.array([i for i, value in enumerate(values.to_pylist()) if not _is_text(value)], np.int64)
    return np.empty(0, np.int64)


def texts(values: pa.Array) -> tuple[pa.Array, _Indexes]:
    """*values* as text, null where they are none, and their indexes."""
    bad = not_texts(values)
    if len(bad):
        kept = np.ones(len(values), np.bool_)
        kept[bad] = False
        values = pc.if_else(pa.array(kept), values, None)
    return values.cast(pa.string()), bad


def _is_text(value: bytes | None) -> bool:
    try:
        (value or b"").decode()
    except UnicodeDecodeError:
        return False
    return True


def _reason(field: pa.Field, kind: str, said: str) -> Reason:
    return Reason(kind, f"column {field.name!r}: {said}", field.name)
