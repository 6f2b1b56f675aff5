"""JSON values to rows of a table: whole blocks at Arrow's speed, and exactly the records that do not fit left out.

A block is trusted only when it proves that rows and values are aligned: every value is UTF-8, begins with `{` and ends
with `}` (white space aside), and the parser gives as many rows as there were values. Two objects in one value give one
row too many; no value can borrow from its neighbour, because objects side by side need a comma between them and a raw
line break inside a string is refused.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pj

from lakelock.records import reasons
from lakelock.records.dead_letters import BadRecord
from lakelock.records.json import maps as json_maps
from lakelock.records.json import wire_types
from lakelock.records.json.conversion import converted
from lakelock.records.json.diagnosis import Diagnosis
from lakelock.records.json.exact_numbers import has_inexact_integer, may_hold_inexact_integers
from lakelock.records.reasons import Reason, Unfit

WHITE = " \t\r\n"
# Once a block had bad records the next ones likely have some, too: smaller pieces make finding them cheap.
PIECE = 512
ALONE = 24
# Each fault that the parser points at costs another parse of the piece. With so many leaf columns that costs more than a look
# at all of its records, which is then taken first where one of so many records of the last block was bad.
WIDE, ONE_BAD_IN = 500, 200
UNKNOWN_NAMES = 100
EMPTY_NAMES = 100
# Rows as they were parsed, with the values that they were parsed from.
Rows = tuple[pa.Table, Sequence[bytes | None]]
# Rows of the table, with the indexes of their values.
Piece = tuple[pa.Table, Sequence[int]]
# Numbers that JSON does not have, and that the parser reads, also where no column takes them; most blocks have no such text.
_CONSTANTS = (b"NaN", b"Inf")
_CONSTANT = re.compile(rb"[:,\[]\s*-?(?:NaN|Inf(?:inity)?)\s*[,}\]]")
_UNEXPECTED = "unexpected field"
_ROW = re.compile(r" in row (\d+)$")
_LITERAL = re.compile(r"parse:(\S+)$|: (\S+) requires |string '([^']*)'")


class _UnknownField(Exception):
    """The parser met a field that it does not know."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Rows of the good records in the order of their indexes; *bad* is in order, too."""

    table: pa.Table
    good: Sequence[int] | None
    bad: Sequence[BadRecord]

    def without(self, indexes: frozenset[int]) -> Decoded:
        """Neither rows nor bad records of *indexes*."""
        good = range(self.table.num_rows) if self.good is None else self.good
        kept = [(row, i) for row, i in enumerate(good) if i not in indexes]
        table = self.table.take(pa.array([row for row, _ in kept], pa.int64()))
        return Decoded(table, [i for _, i in kept], [b for b in self.bad if b.index not in indexes])


class JsonDecoder:
    """Decodes blocks for one table. `schema` is Arrow's, with every column; `fields` are the Iceberg fields of it.

    Columns named in *skip* (metadata columns) are not read from JSON and come out as nulls. `unknown_fields` collects
    names of fields that no column takes, where a record is refused for that.
    """

    def __init__(
        self,
        fields: Sequence[Mapping[str, Any]],
        schema: pa.Schema,
        *,
        zones: Mapping[str, str],
        skip: frozenset[str],
        unknown_fields: str,
        check: Callable[[pa.Table], None] = lambda rows: None,
    ) -> None:
        """*check* raises Unfit for rows that the table cannot hold although each column takes them."""
        self._schema = schema
        self._check = check
        self._zones = zones
        readable = [f for f in fields if f["name"] not in skip and wire_types.wire_type(f["type"]) is not None]
        self._fields = {f["name"]: f for f in readable}
        self._wire = pa.schema([(f["name"], wire_types.wire_type(f["type"])) for f in readable])
        self._required = [f["name"] for f in fields if f.get("required") and f["name"] not in skip]
        self._strict = unknown_fields == "dead_letter"
        self._empty: set[tuple[str, ...]] = set()
        # By index in the block that is decoded.
        self._without_empty: dict[int, bytes] = {}
        self._parse = self._options()
        kinds = {name: f["type"] for name, f in self._fields.items()}
        self._diagnosis = Diagnosis(kinds, self._required, self._strict, zones)
        self._quick = replace(self._diagnosis, texts=False)
        self._maps = any(json_maps.has_map(f["type"]) for f in readable)
        self._wary = self._looks_first = False
        self._is_wide = sum(wire_types.leaves(f["type"]) for f in readable) >= WIDE
        self.unknown_fields: set[str] = set()

    def _options(self) -> pj.ParseOptions:
        """The parser refuses a field that it does not know, also one that holds nothing: those are made known to it."""
        wire = wire_types.with_empty(
            {"type": "struct", "fields": [*self._fields.values()]}, pa.struct(self._wire), self._empty
        )
        return pj.ParseOptions(
            explicit_schema=pa.schema(list(wire)), unexpected_field_behavior="error" if self._strict else "ignore"
        )

    def _learns(self, values: Sequence[bytes | None], indexes: Sequence[int]) -> bool:
        """Whether there are fields that hold nothing and that the parser did not know.

        It knows the first ones from now on; records with further ones are read without them, as names may come once, like ids.
        """
        learned, before = False, len(self._empty)
        for i in indexes:
            value = values[i] or b""
            with contextlib.suppress(ValueError, RecursionError):
                new = self._diagnosis.empty_names(value) - self._empty
                if len(self._empty) + len(new) <= EMPTY_NAMES:
                    self._empty |= new
                elif i not in self._without_empty:
                    self._without_empty[i] = json_maps.without_empty(value, self._diagnosis.kinds)
                    learned = True
        if len(self._empty) > before:
            self._parse = self._options()
            return True
        return learned

    def decode(self, values: Sequence[bytes | None]) -> Decoded:
        """All of *values*; a record is in the table or in `bad`, never both, never neither."""
        self._without_empty.clear()
        count = len(values)
        bad = self._not_objects(values)
        keep = _but(range(count), bad)
        found: list[BadRecord] = []
        if self._looks_first:
            found = self._unfit(values, keep)
            keep = _but(keep, found)
        pieces = self._at_once(values, keep) if not self._wary or self._looks_first else None
        if pieces is None:
            self._wary = True
            pieces = self._carefully(values, keep, found)
            if keep and not found:
                self._wary = False
        self._looks_first = self._is_wide and len(found) * ONE_BAD_IN >= count
        table = pa.concat_tables([rows for rows, _ in pieces]) if pieces else self._schema.empty_table()
        if not bad and not found:
            return Decoded(table, None, bad)
        good = [i for _, indexes in pieces for i in indexes]
        return Decoded(table, good, sorted([*bad, *found], key=lambda b: b.index))

    def _at_once(self, values: Sequence[bytes | None], keep: Sequence[int]) -> list[Piece] | None:
        """None if any record is bad."""
        if not keep:
            return []
        try:
            return [(self._converted(*self._read(values, keep)), keep)]
        except (Unfit, pa.ArrowException):
            return None

    def _not_objects(self, values: Sequence[bytes | None]) -> list[BadRecord]:
        suspects: Sequence[int] = range(len(values))
        try:
            text = pa.array(values, pa.binary()).cast(pa.string())
            trimmed = pc.utf8_trim(text, WHITE)
            fine = pc.fill_null(pc.and_(pc.starts_with(trimmed, "{"), pc.ends_with(trimmed, "}")), False)
            if pc.all(fine).as_py():
                return []
            suspects = pc.indices_nonzero(pc.invert(fine)).to_pylist()
        except pa.ArrowInvalid:
            pass
        return [BadRecord(i, "decode", why) for i in suspects if (why := _not_an_object(values[i]))]

    def _read(self, values: Sequence[bytes | None], indexes: Sequence[int]) -> Rows:
        """Parses the values at *indexes*, which all look like objects; raises unless each of them gives one row."""
        chosen = values if len(indexes) == len(values) else [values[i] for i in indexes]
        read_values = [self._without_empty.get(i, values[i]) for i in indexes] if self._without_empty else chosen
        if self._maps:
            read_values = [self._with_entries(v) for v in read_values]
        # The line break at the end keeps the parser from taking the last line for the start of another block.
        joined = b"\n".join([*read_values, b""])  # type: ignore[list-item]
        read = pj.ReadOptions(use_threads=False, block_size=len(joined) + 1)
        rows = pj.read_json(pa.BufferReader(joined), parse_options=self._parse, read_options=read)
        if rows.num_rows != len(chosen):
            raise Unfit("rows and values are not aligned")
        if not self._strict and any(c in joined for c in _CONSTANTS) and _CONSTANT.search(joined):
            _without_constants(chosen)
        return rows, chosen

    def _converted(self, rows: pa.Table, values: Sequence[bytes | None]) -> pa.Table:
        """Parsed *rows* as the table's; *values* are what they were parsed from. Raises unless every one of them fits."""
        for name in self._required:
            if name not in self._fields or rows.column(name).null_count:
                raise Unfit(f"column {name!r} is required")
        rows = rows.combine_chunks()
        arrays = []
        inexact = False
        for field in self._schema:
            source = self._fields.get(field.name)
            if source is None:
                arrays.append(pa.nulls(len(values), field.type))
                continue
            column = rows.column(field.name)
            array = column.chunk(0) if column.num_chunks else pa.array([], column.type)
            try:
                arrays.append(converted(array, source["type"], field.type, self._zones.get(field.name)))
            except (Unfit, pa.ArrowException) as fault:
                raise Unfit(f"field {field.name!r}: {' '.join(str(fault).split())}", field=field.name) from fault
            inexact = inexact or may_hold_inexact_integers(arrays[-1])
        if inexact and any(has_inexact_integer(v, self._fields) for v in values):
            raise Unfit("an integer is too large to be exact in its column", reasons.NOT_EXACT)
        table = pa.Table.from_arrays(arrays, schema=self._schema)
        self._check(table)
        return table

    def _carefully(self, values: Sequence[bytes | None], keep: Sequence[int], found: list[BadRecord]) -> list[Piece]:
        """The good records of *keep*, in order, as converted pieces; adds the bad ones to *found*.

        Parsing in small pieces finds most bad records; what is left is converted at once, and only if that fails piece
        by piece, too.
        """
        parsed: list[tuple[Rows, Sequence[int]]] = []
        start, restarts, knows_all_of, known = 0, 0, -1, len(found)
        while start < len(keep):
            piece, had = keep[start : start + PIECE], len(found)
            try:
                parsed += self._isolate(values, piece, found, knows_all_of == start)
                start += PIECE
            except _UnknownField:
                del found[had:]
                if not self._learns(values, piece if not restarts else keep):
                    knows_all_of = start
                    continue
                # What was parsed before has other columns.
                parsed, start, restarts = [], 0, restarts + 1
                del found[known:]
        if not parsed:
            return []
        try:
            whole = pa.concat_tables([rows for (rows, _), _ in parsed])
            table = self._converted(whole, [v for (_, chosen), _ in parsed for v in chosen])
            return [(table, [i for _, indexes in parsed for i in indexes])]
        except (Unfit, pa.ArrowException):
            pieces: list[Piece] = []
        for read, indexes in parsed:
            try:
                pieces.append((self._converted(*read), indexes))
            except (Unfit, pa.ArrowException):
                pieces += self._fitting(read, indexes, found)
        return pieces

    def _fitting(self, read: Rows, indexes: Sequence[int], found: list[BadRecord]) -> list[Piece]:
        """As `_isolate`, of values that are parsed already: one half after the other is converted, down to single rows."""
        rows, values = read
        done: list[Piece] = []
        todo = [(0, len(indexes))]
        while todo:
            start, end = todo.pop()
            try:
                some = self._converted(rows.take(pa.array(range(start, end))), values[start:end])
                done.append((some, indexes[start:end]))
            except (Unfit, pa.ArrowException) as fault:
                if end - start == 1:
                    found.append(BadRecord(indexes[start], "convert", self._reason(values[start], fault)))
                else:
                    middle = (start + end) // 2
                    todo += [(middle, end), (start, middle)]
        return done

    def _with_entries(self, value: bytes | None) -> bytes:
        try:
            return json_maps.with_entries(value or b"", self._fields)
        except (ValueError, RecursionError) as fault:
            raise Unfit(str(fault)) from fault

    def _isolate(
        self, values: Sequence[bytes | None], piece: Sequence[int], found: list[BadRecord], knows_all: bool
    ) -> list[tuple[Rows, Sequence[int]]]:
        """*piece*'s good records, parsed, in order; finds the bad ones by what the parser says.

        Raises _UnknownField for a field that may hold nothing, unless the parser *knows all* that do.
        """
        done: list[tuple[Rows, Sequence[int]]] = []
        todo = [piece]
        faults = 0
        while todo:
            indexes = todo.pop()
            if not indexes:
                continue
            try:
                done.append((self._read(values, indexes), indexes))
                continue
            except (Unfit, pa.ArrowException) as fault:
                unknown = not knows_all and _UNEXPECTED in str(fault)
                if len(indexes) == 1:
                    value = values[indexes[0]]
                    if unknown and self._diagnose(value, self._diagnosis) is None:
                        raise _UnknownField from None
                    found.append(BadRecord(indexes[0], "convert", self._reason(value, fault)))
                    continue
                faults += 1
                suspects = self._suspects(values, indexes, "" if self._is_wide and faults > 1 else str(fault))
            if suspects:
                found.extend(suspects)
                todo.append(_but(indexes, suspects))
            elif unknown:
                raise _UnknownField
            else:
                middle = len(indexes) // 2
                todo += [indexes[middle:], indexes[:middle]]
        return done

    def _suspects(self, values: Sequence[bytes | None], indexes: Sequence[int], message: str) -> list[BadRecord]:
        """Records that are certainly bad, among those the message points at; often it points at none."""
        match = _ROW.search(message)
        if match and int(match[1]) < len(indexes):
            # Rows count parsed objects; up to the first fault each is one value.
            pointed: Sequence[int] = [indexes[int(match[1])]]
        elif literal := _LITERAL.search(message):
            wanted = next(g for g in literal.groups() if g is not None).encode()
            pointed = [i for i in indexes if wanted in (values[i] or b"")][:64]
        else:
            pointed = indexes
        if len(indexes) <= ALONE:
            pointed = indexes
        return self._unfit(values, pointed)

    def _unfit(self, values: Sequence[bytes | None], indexes: Sequence[int]) -> list[BadRecord]:
        """Records that are certainly bad, among those at *indexes*."""
        found = [(i, self._diagnose(values[i], self._quick)) for i in indexes]
        return [BadRecord(i, "convert", why) for i, why in found if why]

    def _diagnose(self, value: bytes | None, diagnosis: Diagnosis) -> Reason | None:
        try:
            why = diagnosis.of(value or b"")
            if why and why.kind == reasons.UNKNOWN_FIELD and len(self.unknown_fields) < UNKNOWN_NAMES:
                names = diagnosis.unknown_names(value or b"")
                self.unknown_fields.update(n.encode("utf-8", "backslashreplace").decode() for n in names)
        except (ValueError, ArithmeticError, RecursionError):
            # Numbers of thousands of digits, or with such exponents, and objects in objects: Python has limits of its own.
            return None
        return why

    def _reason(self, value: bytes | None, fault: Exception) -> Reason:
        if why := self._diagnose(value, self._diagnosis):
            return why
        if isinstance(fault, Unfit):
            return fault.reason
        return Reason(reasons.UNREADABLE, _ROW.sub("", str(fault)).removeprefix("JSON parse error: "))


def _but(indexes: Sequence[int], bad: Sequence[BadRecord]) -> Sequence[int]:
    """*indexes* without those of *bad*."""
    if not bad:
        return indexes
    out = {b.index for b in bad}
    return [i for i in indexes if i not in out]


def _not_an_object(value: bytes | None) -> Reason | None:
    if value is None:
        return Reason(reasons.NO_VALUE, "the record has no value (a tombstone)")
    try:
        text = value.decode().strip(WHITE)
    except UnicodeDecodeError as fault:
        return Reason(reasons.NOT_UTF8, f"not UTF-8: byte {fault.start} is {value[fault.start]:#04x}")
    if not text:
        return Reason(reasons.EMPTY_VALUE, "the value is empty")
    if not text.startswith("{"):
        return Reason(reasons.NOT_AN_OBJECT, f"not a JSON object: begins with {text[:20]!r}")
    if not text.endswith("}"):
        return Reason(reasons.NOT_AN_OBJECT, "not a JSON object: cut off before its closing brace")
    return None


def _without_constants(values: Sequence[bytes | None]) -> None:
    """Raises Unfit unless what looks like such numbers is text."""
    for value in values:
        if value is None or not _CONSTANT.search(value):
            continue
        try:
            json.loads(value.decode(), parse_constant=_no_constant)
        except RecursionError:
            pass
        except ValueError as fault:
            raise Unfit(f"not JSON: {fault}", reasons.NOT_JSON) from fault


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")
