"""Decode JSON values to rows: whole blocks at Arrow's speed, excluding exactly the records that do not fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from lakelock.model.column_types import Column, leaves
from lakelock.records import reasons
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import NONE, Decoded, Indexes, no_rows
from lakelock.records.json.block_parser import (
    BlockParser,
    Rows,
    not_objects,
    pointed_at,
    reason_of,
)
from lakelock.records.json.conversion_by_type import converted
from lakelock.records.json.diagnosis import Diagnosis
from lakelock.records.json.exact_numbers import has_inexact_integer, may_hold_inexact_integers
from lakelock.records.json.wire_types import wire_type
from lakelock.records.reasons import Reason, Unfit
from lakelock.records.values import Values

# After a block with bad records the next ones probably have some, too; small pieces make it cheap to find them.
PIECE = 512
ALONE = 24
# Each fault that the parser points at costs another parse of the piece. If at least one in so many records of the last
# block was bad, that is slower than diagnosing all records, which then comes first. A table is wide with so many leaf
# columns.
ONE_BAD_IN, ONE_BAD_IN_WIDE, WIDE = 40, 200, 500
UNKNOWN_NAMES = 100
# With these treatments of unknown fields, records with such a field are refused. *evolve* knows no type of empty lists.
DEAD_LETTER, EVOLVE = "dead_letter", "evolve"
# Rows of the table, and the indexes of their values.
Piece = tuple[pa.Table, Sequence[int]]


class _UnknownField(Exception):
    """The parser met a field that is not in its schema."""


class JsonDecoder:
    """Decoder of one table. `schema` is its Arrow schema, with all *columns*.

    Columns named in *skip* (metadata columns) are not read from JSON and are all null. `unknown_fields` collects the
    names of unknown fields for which a record was refused.
    """

    def __init__(
        self,
        columns: Sequence[Column],
        schema: pa.Schema,
        *,
        zones: Mapping[str, str],
        skip: frozenset[str],
        unknown_fields: str,
        check: Callable[[pa.Table], None] = lambda rows: None,
    ) -> None:
        """*check* raises Unfit for rows that the table cannot hold although each column accepts them."""
        self._schema = schema
        self._check = check
        self._zones = zones
        readable = [c for c in columns if c.name not in skip and wire_type(c.type) is not None]
        self._required = [c.name for c in columns if c.required and c.name not in skip]
        self._diagnosis = Diagnosis(
            readable, self._required, unknown_fields != "ignore", zones, empty_lists=unknown_fields == EVOLVE
        )
        self._kinds = self._diagnosis.kinds
        self._quick = replace(self._diagnosis, texts=False)
        self._parser = BlockParser(self._diagnosis)
        self._wary = self._checks_first = False
        self._is_wide = sum(leaves(c.type) for c in readable) >= WIDE
        self.unknown_fields: set[str] = set()

    def decode(self, values: Values, filtered: Indexes = NONE) -> Decoded:
        """Decode *values* except for those *filtered*; each record is either a row of the table or in `bad`."""
        return self.decode_objects(values, filtered, not_objects(values, filtered))

    def decode_objects(self, values: Values, filtered: Indexes, bad: Sequence[BadRecord]) -> Decoded:
        """As `decode`, of which *bad* is known; all others look like objects, as `not_objects` finds."""
        self._parser.begin()
        count = len(values)
        keep = _but(range(count) if not len(filtered) else np.delete(np.arange(count), filtered).tolist(), bad)
        found: list[BadRecord] = []
        if self._checks_first:
            found = self._unfit(values, keep)
            keep = _but(keep, found)
        pieces = self._at_once(values, keep) if not self._wary or self._checks_first else None
        if pieces is None:
            self._wary = True
            pieces = self._carefully(values, keep, found)
            if keep and not found:
                self._wary = False
        self._checks_first = len(found) * (ONE_BAD_IN_WIDE if self._is_wide else ONE_BAD_IN) >= count
        table = pa.concat_tables([rows for rows, _ in pieces]) if pieces else no_rows(self._schema)
        if not bad and not found and not len(filtered):
            return Decoded(table, None, bad)
        good = [i for _, indexes in pieces for i in indexes]
        return Decoded(table, good, sorted([*bad, *found], key=lambda b: b.index))

    def _at_once(self, values: Values, keep: Sequence[int]) -> list[Piece] | None:
        """Decode in one parse; None if any record is bad."""
        if not keep:
            return []
        try:
            return [(self._converted(*self._parser.read(values, keep)), keep)]
        except (Unfit, pa.ArrowException):
            return None

    def _converted(self, rows: pa.Table, values: Values) -> pa.Table:
        """Convert parsed *rows*, the rows of *values*, to the table's types; raises if any does not fit."""
        for name in self._required:
            if name not in self._kinds or rows.column(name).null_count:
                raise Unfit(f"column {name!r} is required")
        rows = rows.combine_chunks()
        arrays = []
        inexact = False
        for field in self._schema:
            kind = self._kinds.get(field.name)
            if kind is None:
                arrays.append(pa.nulls(len(values), field.type))
                continue
            column = rows.column(field.name)
            array = column.chunk(0) if column.num_chunks else pa.array([], column.type)
            try:
                arrays.append(converted(array, kind, field.type, self._zones.get(field.name)))
            except (Unfit, pa.ArrowException) as fault:
                of = fault.reason.kind if isinstance(fault, Unfit) else reasons.UNREADABLE
                raise Unfit(f"field {field.name!r}: {' '.join(str(fault).split())}", of, field.name) from fault
            inexact = inexact or may_hold_inexact_integers(arrays[-1])
        if inexact and any(has_inexact_integer(v, self._kinds) for v in values):
            raise Unfit("an integer is too large to be exact in its column", reasons.NOT_EXACT)
        table = pa.Table.from_arrays(arrays, schema=self._schema)
        self._check(table)
        return table

    def _carefully(self, values: Values, keep: Sequence[int], found: list[BadRecord]) -> list[Piece]:
        """The good records of *keep*, in order, as converted pieces; bad ones are added to *found*.

        Parsing in small pieces finds most bad records. The rest is converted at once, and piece by piece only if that
        fails.
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
                if not self._parser.learns(values, piece if not restarts else keep):
                    knows_all_of = start
                    continue
                # Pieces parsed before have other columns.
                parsed, start, restarts = [], 0, restarts + 1
                del found[known:]
        if not parsed:
            return []
        try:
            whole = pa.concat_tables([rows for (rows, _), _ in parsed])
            indexes = [i for _, piece in parsed for i in piece]
            return [(self._converted(whole, values.take(indexes)), indexes)]
        except (Unfit, pa.ArrowException):
            pieces: list[Piece] = []
        for read, piece in parsed:
            try:
                pieces.append((self._converted(*read), piece))
            except (Unfit, pa.ArrowException):
                pieces += self._fitting(read, piece, found)
        return pieces

    def _fitting(self, read: Rows, indexes: Sequence[int], found: list[BadRecord]) -> list[Piece]:
        """Convert parsed values like `_isolate`, halving the range at each fault, down to single rows."""
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

    def _isolate(
        self, values: Values, piece: Sequence[int], found: list[BadRecord], knows_all: bool
    ) -> list[tuple[Rows, Sequence[int]]]:
        """Parse the good records of *piece*, in order; bad ones are found with the parser's messages.

        Raises _UnknownField for a field that may be empty, unless *knows_all* says that the parser has all such fields.
        """
        done: list[tuple[Rows, Sequence[int]]] = []
        todo = [piece]
        faults = 0
        while todo:
            indexes = todo.pop()
            if not indexes:
                continue
            try:
                done.append((self._parser.read(values, indexes), indexes))
                continue
            except (Unfit, pa.ArrowException) as fault:
                unknown = not knows_all and self._parser.may_learn(fault)
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

    def _suspects(self, values: Values, indexes: Sequence[int], message: str) -> list[BadRecord]:
        """Records that are certainly bad, among those that the message points at (often none)."""
        pointed = indexes if len(indexes) <= ALONE else pointed_at(message, values, indexes)
        return self._unfit(values, pointed)

    def _unfit(self, values: Values, indexes: Sequence[int]) -> list[BadRecord]:
        """Records at *indexes* that are certainly bad."""
        chosen = values.take(indexes) if len(indexes) > PIECE else (values[i] for i in indexes)
        found = [(i, self._diagnose(value, self._quick)) for i, value in zip(indexes, chosen, strict=True)]
        return [BadRecord(i, "convert", why) for i, why in found if why]

    def _diagnose(self, value: bytes | None, diagnosis: Diagnosis) -> Reason | None:
        try:
            why = diagnosis.of(value or b"")
            if why and why.kind == reasons.UNKNOWN_FIELD and len(self.unknown_fields) < UNKNOWN_NAMES:
                names = diagnosis.unknown_names(value or b"")
                self.unknown_fields.update(n.encode("utf-8", "backslashreplace").decode() for n in names)
        except (ValueError, ArithmeticError, RecursionError):
            # Python's own limits: numbers with thousands of digits or huge exponents, and deeply nested objects.
            return None
        return why

    def _reason(self, value: bytes | None, fault: Exception) -> Reason:
        return self._diagnose(value, self._diagnosis) or reason_of(fault)


def _but(indexes: Sequence[int], bad: Sequence[BadRecord]) -> Sequence[int]:
    """*indexes* without those of *bad*."""
    if not bad:
        return indexes
    out = {b.index for b in bad}
    return [i for i in indexes if i not in out]
