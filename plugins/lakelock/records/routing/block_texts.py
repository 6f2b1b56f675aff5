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


class Numbered:
    """What a placeholder has, numbered over all blocks; most blocks have nothing new."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self._numbers: dict[Found, int] = {}
        self._texts: pa.Array = None
        # By place in these texts; the last one is for none.
        self._of_texts = np.array([NO_CODE])

    def number(self, found: Found) -> int:
        number = self._numbers.setdefault(found, len(self.found))
        if number == len(self.found):
            self.found.append(found)
        return number

    def codes(self, texts: pa.Array, value: Callable[[Any], Found]) -> Codes:
        """Numbers of what *value* makes of each text, `NO_CODE` for nulls."""
        known = pa.array([], texts.type) if self._texts is None else self._texts
        at = pc.index_in(texts, known)
        if at.null_count > texts.null_count:
            new = texts.filter(pc.and_(at.is_null(), texts.is_valid())).unique()
            numbers = [self.number(value(raw)) for raw in new.to_pylist()]
            known = self._texts = pa.concat_arrays([known, new])
            self._of_texts = np.concatenate([self._of_texts[:-1], numbers, [NO_CODE]]).astype(np.int64)
            at = pc.index_in(texts, known)
        codes: Codes = self._of_texts[pc.fill_null(at, -1).to_numpy(zero_copy_only=False)]
        return codes


@dataclass(slots=True)
class TextColumn:
    """What a placeholder has in each record: *codes* are numbers in *of*, `NO_CODE` for nothing."""

    codes: Codes
    of: Numbered

    def put(self, record: int, found: Found) -> None:
        self.codes[record] = self.of.number(found)


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
        self._numbered: dict[Placeholder, Numbered] = {}
        self.forget()

    def forget(self) -> None:
        """Number what blocks have from zero again."""
        self._numbered = {place: Numbered() for place in self._placeholders}

    @property
    def numbered(self) -> int:
        """The most numbers that a placeholder has."""
        return max((len(of.found) for of in self._numbered.values()), default=0)

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
        numbered = self._numbered[place]
        inside = np.flatnonzero(~out)
        texts = scanned.texts(self._slots[place.path], inside)
        wanted = self._wanted.get(place)
        if wanted is None:
            of_inside = numbered.codes(texts, _value)
        else:
            of_inside = _narrowed(texts, lambda distinct: _may_be(distinct, wanted), _value, numbered)
        codes = np.full(len(out), NO_CODE)
        codes[inside] = of_inside
        return TextColumn(codes, numbered)

    def _of_bytes(self, texts: pa.Array, place: Placeholder) -> TextColumn:
        numbered, wanted = self._numbered[place], self._wanted.get(place)
        if wanted is None or not _is_utf8(texts):
            return TextColumn(numbered.codes(texts, _decoded), numbered)
        raw = pa.array([text.encode() for text in wanted], texts.type)
        return TextColumn(_narrowed(texts, lambda distinct: pc.is_in(distinct, raw), _decoded, numbered), numbered)

    def _of_header(self, headers: Headers, place: Placeholder) -> TextColumn:
        values, unfit = headers.of_name(place.name, pa.field(place.text, pa.binary()))
        column = self._of_bytes(values, place)
        for record, reason in unfit.items():
            column.put(record, _TWICE if reason.kind == reasons.HEADER_TWICE else _UNREADABLE_HEADERS)
        return column


def _narrowed(
    texts: pa.Array, may_be: Callable[[pa.Array], pa.Array], value: Callable[[Any], Found], numbered: Numbered
) -> Codes:
    """Only those of the distinct texts that *may_be* wanted get a number."""
    found = texts.dictionary_encode()
    at = np.flatnonzero(may_be(found.dictionary).to_numpy(zero_copy_only=False))
    numbers = np.full(len(found.dictionary) + 1, NO_CODE)
    numbers[at] = [numbered.number(value(raw)) for raw in found.dictionary.take(pa.array(at)).to_pylist()]
    codes: Codes = numbers[pc.fill_null(found.indices, -1).to_numpy(zero_copy_only=False)]
    return codes


def _may_be(distinct: pa.Array, wanted: Collection[str]) -> pa.Array:
    """Which texts of JSON may be one of those *wanted*: it is written in other ways too, with escapes. Objects and lists are
    told of."""
    written = [json.dumps(text, ensure_ascii=False) for text in wanted]
    may_be = pc.is_in(distinct, pa.array([*wanted, *written], distinct.type))
    for start in ("{", "["):
        may_be = pc.or_(may_be, pc.starts_with(distinct, start))
    escaped = pc.and_(pc.starts_with(distinct, '"'), pc.match_substring(distinct, _BACKSLASH))
    return pc.or_(may_be, escaped)


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
