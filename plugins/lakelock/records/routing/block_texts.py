"""The texts that placeholders have in the records of a block, each distinct one once."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.records import reasons
from lakelock.records.dead_letters import BadRecord
from lakelock.records.headers import Headers
from lakelock.records.json.block_parser import not_json, not_objects
from lakelock.records.json.record_fields import RecordFields
from lakelock.records.json.scanned import Fault, Scanned, Scanner
from lakelock.records.reasons import Reason
from lakelock.records.routing.route_one import NoText, Record, decoded
from lakelock.records.routing.templates import Placeholder
from lakelock.records.values import Values

Codes = npt.NDArray[np.int64]
# A text, why there is none, or None for no value.
Found = str | NoText | None
_TWICE, _UNREADABLE_HEADERS = NoText("there twice"), NoText("of headers that cannot be read")
_OBJECT, _LIST = NoText("an object"), NoText("a list")
# Of a column that is absent, or of which any value that it has makes no difference.
NO_CODE = -1
_BACKSLASH = "\\"


@dataclass(slots=True)
class TextColumn:
    """What a placeholder has in each record: *codes* number *found*, `NO_CODE` for nothing."""

    codes: Codes
    found: list[Found]

    def put(self, record: int, found: Found) -> None:
        self.codes[record] = len(self.found)
        self.found.append(found)


@dataclass(frozen=True, slots=True)
class FoundTexts:
    """*columns* are those of the placeholders in their order. *unreadable* are the records whose value is no JSON object,
    in which no field has a text; `reason` says why."""

    columns: tuple[TextColumn, ...]
    unreadable: frozenset[int]
    reason: Callable[[int], Reason]


class BlockTexts:
    """Finds the texts of *placeholders*. Of those in *wanted*, only these texts make a difference."""

    def __init__(
        self, placeholders: Collection[Placeholder], wanted: Mapping[Placeholder, frozenset[str]], scanner: Scanner
    ) -> None:
        self._placeholders = tuple(placeholders)
        self._wanted = wanted
        self.has_fields = any(p.kind == "field" for p in placeholders)
        fields = RecordFields()
        # The objects around a field have texts only so that one which is there twice is noticed.
        for path in (p.path for p in self._placeholders if p.kind == "field"):
            for depth in range(1, len(path) + 1):
                fields.take_text(path[:depth])
        self._slots = {path: slot for slot, path in enumerate(fields.slots)}
        self._scan = scanner(fields.nodes(), len(fields.slots), False) if self.has_fields else None

    def of(self, topic: str, values: Values, metadata: Callable[[str], pa.Array], tombstones: Codes) -> FoundTexts:
        """*metadata* has a column of all records by key; *tombstones* are records without a value, of which that is known."""
        bad = {b.index: b for b in not_objects(values, tombstones)} if self.has_fields else {}
        scanned = None if self._scan is None else self._scan(values)
        unreadable = self._unreadable(scanned, bad, tombstones)
        out = np.zeros(len(values), np.bool_)
        out[list(unreadable)] = True
        twice = np.empty(0, np.int64)
        if scanned is not None:
            twice = np.flatnonzero((scanned.faults == Fault.TWICE) & ~out)
            out[twice] = True
        columns: list[TextColumn] = []
        headers: Headers | None = None
        for place in self._placeholders:
            match place.kind:
                case "key":
                    columns.append(self._of_bytes(metadata("key"), place))
                case "header":
                    headers = headers or Headers(metadata("headers"))
                    columns.append(self._of_header(headers, place))
                case _:
                    assert scanned is not None
                    columns.append(self._of_field(scanned, place, out))
        faults = dict.fromkeys(twice.tolist())
        for record in faults:
            self._put_each(columns, Record(topic, None, None, values[record]), record)

        def reason(record: int) -> Reason:
            if record in bad:
                return bad[record].reason
            assert scanned is not None
            return not_json(values[record]) if record in faults else scanned.fault(record, [])

        no_json = [r for r in faults if Record(topic, None, None, values[r]).is_no_json]
        return FoundTexts(tuple(columns), unreadable | frozenset(no_json), reason)

    @staticmethod
    def _unreadable(scanned: Scanned | None, bad: Mapping[int, BadRecord], tombstones: Codes) -> frozenset[int]:
        if scanned is None:
            return frozenset()
        faulty = np.flatnonzero((scanned.faults != Fault.NONE) & (scanned.faults != Fault.TWICE))
        return frozenset((*bad, *faulty.tolist(), *tombstones.tolist()))

    def _put_each(self, columns: list[TextColumn], record: Record, at: int) -> None:
        """The fields of a record that the scan did not read to its end."""
        for place, column in zip(self._placeholders, columns, strict=True):
            if place.kind == "field":
                try:
                    column.put(at, record.found(place))
                except NoText as fault:
                    column.put(at, fault)

    def _of_field(self, scanned: Scanned, place: Placeholder, out: npt.NDArray[np.bool_]) -> TextColumn:
        inside = np.flatnonzero(~out)
        of_inside, distinct = _distinct(scanned.texts(self._slots[place.path], inside))
        codes = np.full(len(out), NO_CODE)
        codes[inside] = of_inside
        wanted = self._wanted.get(place)
        if wanted is None:
            return TextColumn(codes, [_value(raw) for raw in distinct.to_pylist()])
        # A text of JSON is written in other ways too, with escapes; objects and lists are told of.
        written = [json.dumps(text, ensure_ascii=False) for text in wanted]
        may_be = pc.is_in(distinct, pa.array([*wanted, *written], distinct.type))
        for start in ("{", "["):
            may_be = pc.or_(may_be, pc.starts_with(distinct, start))
        escaped = pc.and_(pc.starts_with(distinct, '"'), pc.match_substring(distinct, _BACKSLASH))
        return _narrowed(codes, distinct, pc.or_(may_be, escaped), _value)

    def _of_bytes(self, texts: pa.Array, place: Placeholder) -> TextColumn:
        codes, distinct = _distinct(texts)
        wanted = self._wanted.get(place)
        if wanted is None or not _is_utf8(distinct):
            return TextColumn(codes, [_decoded(raw) for raw in distinct.to_pylist()])
        may_be = pc.is_in(distinct, pa.array([text.encode() for text in wanted], distinct.type))
        return _narrowed(codes, distinct, may_be, _decoded)

    def _of_header(self, headers: Headers, place: Placeholder) -> TextColumn:
        values, unfit = headers.of_name(place.name, pa.field(place.text, pa.binary()))
        column = self._of_bytes(values, place)
        for record, reason in unfit.items():
            column.put(record, _TWICE if reason.kind == reasons.HEADER_TWICE else _UNREADABLE_HEADERS)
        return column


def distinct_texts(texts: pa.Array) -> TextColumn:
    """*texts* as a column of any placeholder's."""
    codes, distinct = _distinct(texts)
    return TextColumn(codes, distinct.to_pylist())


def _distinct(texts: pa.Array) -> tuple[Codes, pa.Array]:
    """Numbers of distinct texts, `NO_CODE` for nulls, and these texts."""
    found = texts.dictionary_encode()
    return pc.fill_null(found.indices, NO_CODE).to_numpy(zero_copy_only=False).astype(np.int64), found.dictionary


def _narrowed(codes: Codes, distinct: pa.Array, may_be: pa.Array, value: Callable[[Any], Found]) -> TextColumn:
    """Only those of the *distinct* texts that *may_be* wanted."""
    at = np.flatnonzero(may_be.to_numpy(zero_copy_only=False))
    numbers = np.full(len(distinct) + 1, NO_CODE)
    numbers[at] = np.arange(len(at))
    return TextColumn(numbers[codes], [value(raw) for raw in distinct.take(pa.array(at)).to_pylist()])


def _is_utf8(texts: pa.Array) -> bool:
    try:
        texts.cast(pa.large_string() if pa.types.is_large_binary(texts.type) else pa.string())
    except pa.ArrowInvalid:
        return False
    return True


def _decoded(raw: bytes) -> Found:
    try:
        return decoded(raw)
    except NoText as fault:
        return fault


def _value(raw: str) -> Found:
    """Of the text of a JSON value."""
    match raw[0]:
        case '"':
            return str(json.loads(raw)) if _BACKSLASH in raw else raw[1:-1]
        case "{":
            return _OBJECT
        case "[":
            return _LIST
        case "n":
            return None
    return raw
