"""The texts that fields have in the values of a block.

A quick reader takes the records in which each of the fields is certainly a text or absent. The others are scanned.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.records.dead_letters import BadRecord
from lakelock.records.json.block_parser import not_json, not_objects
from lakelock.records.json.field_tree import tree_of_texts
from lakelock.records.json.record_fields import RecordFields
from lakelock.records.json.scanned import Fault, Scanned
from lakelock.records.reasons import Reason
from lakelock.records.routing.numbered_texts import NO_CODE, Codes, Found, Numbered, TextColumn, itself
from lakelock.records.routing.readers import Readers
from lakelock.records.routing.record_texts import NoText, Record
from lakelock.records.routing.templates import Placeholder
from lakelock.records.values import Flags, Values

_OBJECT, _LIST = NoText("an object"), NoText("a list")
_BACKSLASH = "\\"
# If more than one in so many records of a block is left, the next blocks are only scanned.
_ONE_IN, _BLOCKS_SCANNED = 4, 20


@dataclass(frozen=True, slots=True)
class FoundFields:
    """*columns* are those of the placeholders in their order. *unreadable* are the records whose value has no fields, such as
    one that is no JSON object; `reason` says why."""

    columns: Sequence[TextColumn]
    unreadable: frozenset[int]
    reason: Callable[[int], Reason]


class FieldTexts:
    """Finds the texts of *placeholders*, which are fields of values of JSON. Of those in *wanted*, only these texts make a
    difference."""

    def __init__(
        self,
        placeholders: Sequence[Placeholder],
        wanted: Mapping[Placeholder, frozenset[str]],
        readers: Readers,
        root: tuple[str, ...],
    ) -> None:
        """Paths of *placeholders* begin at *root*."""
        self._placeholders, self._wanted, self._root = placeholders, wanted, root
        fields = RecordFields()
        # The objects around a field have texts only so that one which is there twice is noticed.
        paths = [(*root, *p.path) for p in placeholders]
        for path in paths:
            for depth in range(1, len(path) + 1):
                fields.take_text(path[:depth])
        self._slots = {path: slot for slot, path in enumerate(fields.slots)}
        self._scan = readers.scanner(fields.nodes(), len(fields.slots), False)
        tree = tree_of_texts(paths)
        self._read = None if tree is None else readers.reader(tree)
        self._scanned_blocks = 0

    def of(
        self, topic: str, values: Values, tombstones: Codes, numbered: Mapping[Placeholder, Numbered]
    ) -> FoundFields:
        """*tombstones* are records without a value, of which that is known."""
        if self._read is None or self._scanned_blocks:
            self._scanned_blocks = max(self._scanned_blocks - 1, 0)
            return self._scanned(topic, values, tombstones, numbered)
        out = np.zeros(len(values), np.bool_)
        out[tombstones] = True
        if not values.is_utf8():
            out[values.beyond_ascii()] = True
        read = self._read(values, out)
        rest = np.flatnonzero(~read.taken)
        if len(rest) * _ONE_IN > len(values):
            self._scanned_blocks = _BLOCKS_SCANNED
        if len(rest) == len(values):
            return self._scanned(topic, values, tombstones, numbered)
        found = [
            self._codes(texts, place, itself, numbered)
            for place, texts in zip(self._placeholders, read.arrays, strict=True)
        ]
        if not len(rest):
            columns = [
                TextColumn(codes, numbered[place]) for place, codes in zip(self._placeholders, found, strict=True)
            ]
            return FoundFields(columns, frozenset(), no_reason)
        left = self._scanned(topic, values.take(rest), np.flatnonzero(np.isin(rest, tombstones)), numbered)
        columns = []
        for place, of_taken, of_left in zip(self._placeholders, found, left.columns, strict=True):
            codes = np.empty(len(values), np.int64)
            codes[read.taken], codes[rest] = of_taken, of_left.codes
            columns.append(TextColumn(codes, numbered[place]))
        unreadable = frozenset(rest[[*left.unreadable]].tolist())
        return FoundFields(columns, unreadable, lambda record: left.reason(int(np.searchsorted(rest, record))))

    def _scanned(
        self, topic: str, values: Values, tombstones: Codes, numbered: Mapping[Placeholder, Numbered]
    ) -> FoundFields:
        bad = {b.index: b for b in not_objects(values, tombstones)}
        scanned = self._scan(values)
        unreadable = self._unreadable(scanned, bad, tombstones)
        out = np.zeros(len(values), np.bool_)
        out[list(unreadable)] = True
        twice = np.flatnonzero((scanned.faults == Fault.TWICE) & ~out)
        out[twice] = True
        columns = [self._of_field(scanned, place, out, numbered) for place in self._placeholders]
        faults = dict.fromkeys(twice.tolist())
        for record in faults:
            self._put_each(columns, self._record(topic, values[record]), record)

        def reason(record: int) -> Reason:
            if record in bad:
                return bad[record].reason
            return not_json(values[record]) if record in faults else scanned.fault(record, [])

        no_json = [r for r in faults if self._record(topic, values[r]).is_no_json]
        return FoundFields(columns, unreadable | frozenset(no_json), reason)

    def _record(self, topic: str, value: bytes | None) -> Record:
        return Record(topic, None, None, value, root=self._root)

    @staticmethod
    def _unreadable(scanned: Scanned, bad: Mapping[int, BadRecord], tombstones: Codes) -> frozenset[int]:
        faulty = np.flatnonzero((scanned.faults != Fault.NONE) & (scanned.faults != Fault.TWICE))
        return frozenset((*bad, *faulty.tolist(), *tombstones.tolist()))

    def _put_each(self, columns: Sequence[TextColumn], record: Record, at: int) -> None:
        """The fields of a record that the scan did not read to its end."""
        for place, column in zip(self._placeholders, columns, strict=True):
            try:
                column.put(at, record.found(place))
            except NoText as fault:
                column.put(at, fault)

    def _of_field(
        self, scanned: Scanned, place: Placeholder, out: Flags, numbered: Mapping[Placeholder, Numbered]
    ) -> TextColumn:
        inside = np.flatnonzero(~out)
        codes = np.full(len(out), NO_CODE)
        codes[inside] = self._codes(
            scanned.texts(self._slots[*self._root, *place.path], inside), place, _value, numbered
        )
        return TextColumn(codes, numbered[place])

    def _codes(
        self,
        texts: pa.Array,
        place: Placeholder,
        value: Callable[[Any], Found],
        numbered: Mapping[Placeholder, Numbered],
    ) -> Codes:
        wanted = self._wanted.get(place)
        if wanted is None:
            return numbered[place].codes(texts, value)
        return numbered[place].codes_of_some(texts, lambda distinct: _may_be(distinct, wanted), value)


def _may_be(distinct: pa.Array, wanted: Collection[str]) -> pa.Array:
    """Which texts of JSON may be one of those *wanted*: it is written in other ways too, with escapes. Objects and lists are
    named in dead letters."""
    written = [json.dumps(text, ensure_ascii=False) for text in wanted]
    may_be = pc.is_in(distinct, pa.array([*wanted, *written], distinct.type))
    for start in ("{", "["):
        may_be = pc.or_(may_be, pc.starts_with(distinct, start))
    escaped = pc.and_(pc.starts_with(distinct, '"'), pc.match_substring(distinct, _BACKSLASH))
    return pc.or_(may_be, escaped)


def no_reason(record: int) -> Reason:
    raise AssertionError(f"the fields of record {record} can be read")


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
