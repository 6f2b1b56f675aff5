"""JSON values to rows of a table: whole blocks at Arrow's speed, and exactly the records that do not fit left out.

A block is trusted only when it proves that rows and values are aligned: every value is UTF-8, begins with `{` and ends
with `}` (white space aside), and the parser gives as many rows as there were values. Two objects in one value give one
row too many; no value can borrow from its neighbour, because objects side by side need a comma between them and a raw
line break inside a string is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pj

from lakelock.core import json_maps, json_types
from lakelock.core.dead_letters import BadRecord
from lakelock.core.json_diagnosis import NO_COLUMN, diagnose, unknown_names
from lakelock.core.json_types import Unfit

WHITE = " \t\r\n"
# Once a block had bad records the next ones likely have some, too: smaller pieces make finding them cheap.
PIECE = 1024
ALONE = 24
UNKNOWN_NAMES = 100
_ROW = re.compile(r" in row (\d+)$")
_LITERAL = re.compile(r"parse:(\S+)$|: (\S+) requires |string '([^']*)'")


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
    ) -> None:
        self._schema = schema
        self._zones = zones
        readable = [f for f in fields if f["name"] not in skip and json_types.wire_type(f["type"]) is not None]
        self._fields = {f["name"]: f for f in readable}
        self._wire = pa.schema([(f["name"], json_types.wire_type(f["type"])) for f in readable])
        self._required = [f["name"] for f in fields if f.get("required") and f["name"] not in skip]
        self._strict = unknown_fields == "dead_letter"
        self._parse = pj.ParseOptions(
            explicit_schema=self._wire, unexpected_field_behavior="error" if self._strict else "ignore"
        )
        self._maps = any(json_maps.has_map(f["type"]) for f in readable)
        self._wary = False
        self.unknown_fields: set[str] = set()

    def decode(self, values: Sequence[bytes | None]) -> Decoded:
        """All of *values*; a record is in the table or in `bad`, never both, never neither."""
        count = len(values)
        bad = self._not_objects(values)
        if bad:
            out = {b.index for b in bad}
            keep: Sequence[int] = [i for i in range(count) if i not in out]
        else:
            keep = range(count)
        tables: list[pa.Table] = []
        good: list[int] = []
        found: list[BadRecord] = []
        if not self._wary and keep:
            try:
                tables.append(self._block([values[i] for i in keep] if bad else values))
                good.extend(keep)
                keep = ()
            except (Unfit, pa.ArrowException):
                self._wary = True
        for start in range(0, len(keep), PIECE):
            self._isolate(values, keep[start : start + PIECE], tables, good, found)
        if self._wary and keep and not found:
            self._wary = False
        table = pa.concat_tables(tables) if tables else self._schema.empty_table()
        if not bad and not found:
            return Decoded(table, None, ())
        return Decoded(table, good, sorted([*bad, *found], key=lambda b: b.index))

    def _not_objects(self, values: Sequence[bytes | None]) -> list[BadRecord]:
        try:
            text = pa.array(values, pa.binary()).cast(pa.string())
            trimmed = pc.utf8_trim(text, WHITE)
            fine = pc.and_(pc.starts_with(trimmed, "{"), pc.ends_with(trimmed, "}"))
            if pc.all(pc.fill_null(fine, False)).as_py():
                return []
        except pa.ArrowInvalid:
            pass
        return [BadRecord(i, "decode", why) for i, v in enumerate(values) if (why := _not_an_object(v))]

    def _block(self, values: Sequence[bytes | None]) -> pa.Table:
        """The rows of values that all look like objects; raises unless every one of them fits."""
        read_values = [self._with_entries(v) for v in values] if self._maps else values
        # The line break at the end keeps the parser from taking the last line for the start of another block.
        joined = b"\n".join([*read_values, b""])  # type: ignore[list-item]
        read = pj.ReadOptions(use_threads=False, block_size=len(joined) + 1)
        rows = pj.read_json(pa.BufferReader(joined), parse_options=self._parse, read_options=read)
        if rows.num_rows != len(values):
            raise Unfit("rows and values are not aligned")
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
            arrays.append(json_types.converted(array, source["type"], field.type, self._zones.get(field.name)))
            inexact = inexact or json_types.may_hold_inexact_integers(arrays[-1])
        if inexact and any(_has_inexact_integer(v, self._fields) for v in values):
            raise Unfit("an integer is too large to be exact in its column")
        return pa.Table.from_arrays(arrays, schema=self._schema)

    def _with_entries(self, value: bytes | None) -> bytes:
        try:
            return json_maps.with_entries(value or b"", self._fields)
        except (ValueError, RecursionError) as fault:
            raise Unfit(str(fault)) from fault

    def _isolate(
        self,
        values: Sequence[bytes | None],
        piece: Sequence[int],
        tables: list[pa.Table],
        good: list[int],
        found: list[BadRecord],
    ) -> None:
        """Adds the rows of *piece*'s good records, in order, and its bad ones; finds them by what the parser says."""
        todo = [piece]
        while todo:
            indexes = todo.pop()
            if not indexes:
                continue
            try:
                tables.append(self._block([values[i] for i in indexes]))
                good.extend(indexes)
                continue
            except (Unfit, pa.ArrowException) as fault:
                if len(indexes) == 1:
                    found.append(BadRecord(indexes[0], "convert", self._reason(values[indexes[0]], str(fault))))
                    continue
                suspects = self._suspects(values, indexes, str(fault))
            if suspects:
                found.extend(suspects)
                out = {s.index for s in suspects}
                todo.append([i for i in indexes if i not in out])
            else:
                middle = len(indexes) // 2
                todo += [indexes[middle:], indexes[:middle]]

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
        reasons = [(i, self._diagnose(values[i])) for i in pointed]
        return [BadRecord(i, "convert", why) for i, why in reasons if why]

    def _diagnose(self, value: bytes | None) -> str | None:
        why = diagnose(value or b"", self._fields, self._required, self._strict)
        if why and why.endswith(NO_COLUMN) and len(self.unknown_fields) < UNKNOWN_NAMES:
            self.unknown_fields.update(unknown_names(value or b"", self._fields))
        return why

    def _reason(self, value: bytes | None, message: str) -> str:
        return self._diagnose(value) or _ROW.sub("", message).removeprefix("JSON parse error: ")


def _not_an_object(value: bytes | None) -> str | None:
    if value is None:
        return "the record has no value (a tombstone)"
    try:
        text = value.decode().strip(WHITE)
    except UnicodeDecodeError as fault:
        return f"not UTF-8: byte {fault.start} is {value[fault.start]:#04x}"
    if not text:
        return "the value is empty"
    if not (text.startswith("{") and text.endswith("}")):
        return f"not a JSON object: begins with {text[:20]!r}"
    return None


def _has_inexact_integer(value: bytes | None, fields: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a double column of this record has an integer that a double cannot hold."""
    try:
        record = json.loads((value or b"{}").decode(), parse_int=Decimal, parse_float=float)
    except (ValueError, RecursionError):
        return False
    return any(_inexact(record.get(name), field["type"]) for name, field in fields.items())


def _inexact(value: object, kind: Any) -> bool:
    if isinstance(kind, str):
        if kind not in ("double", "float") or not isinstance(value, Decimal):
            return False
        stored = float(value) if kind == "double" else float(np.float32(float(value)))
        return Decimal(stored) != value
    if kind["type"] == "struct":
        return isinstance(value, dict) and any(_inexact(value.get(f["name"]), f["type"]) for f in kind["fields"])
    if kind["type"] == "map":
        return isinstance(value, dict) and any(_inexact(v, kind["value"]) for v in value.values())
    return isinstance(value, list) and any(_inexact(v, kind["element"]) for v in value)
