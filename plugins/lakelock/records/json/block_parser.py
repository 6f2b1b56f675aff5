"""Parse a block of JSON objects with Arrow: exactly one row for each value, or an error.

A block is trusted only if rows and values are provably aligned: every value is UTF-8, begins with `{` and ends with `}`
(white space aside), and the parser returns as many rows as there were values. Two objects in one value give one row too
many. No value can take text from its neighbour, because adjacent objects need a comma between them and raw line breaks
inside strings are refused.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pj

from lakelock.model.column_types import Struct
from lakelock.records import reasons
from lakelock.records.dead_letters import BadRecord
from lakelock.records.json import maps as json_maps
from lakelock.records.json.diagnosis import Diagnosis
from lakelock.records.json.wire_types import IN_LIST, IN_OBJECT, wire_type, with_empty
from lakelock.records.reasons import Reason, Unfit
from lakelock.records.values import Values

WHITE = " \t\r\n"
_OPEN, _CLOSE = b"{}"
EMPTY_NAMES = 100
# Parsed rows, and the values they were parsed from.
Rows = tuple[pa.Table, Values]
# Numbers that JSON does not have but the parser accepts, even in ignored fields; most blocks contain no such text.
_CONSTANTS = (b"NaN", b"Inf")
_CONSTANT = re.compile(rb"[:,\[]\s*-?(?:NaN|Inf(?:inity)?)\s*[,}\]]")
_UNEXPECTED, _CHANGED = "unexpected field", " changed from "
_ROW = re.compile(r" in row (\d+)$")
_LITERAL = re.compile(r"parse:(\S+)$|: (\S+) requires |string '([^']*)'")


class BlockParser:
    """Parser for the columns of *diagnosis*."""

    def __init__(self, diagnosis: Diagnosis) -> None:
        self._diagnosis = diagnosis
        self._row = Struct(tuple(diagnosis.columns))
        self._maps = json_maps.has_map(self._row)
        self._empty: set[tuple[str, ...]] = set()
        # By index in the current block.
        self._without_empty: dict[int, bytes] = {}
        self._parse = self._options()

    def _options(self) -> pj.ParseOptions:
        """Options with all known fields, plus empty unknown ones: the parser refuses fields not in its schema."""
        wire = with_empty(self._row, wire_type(self._row), self._empty)
        unexpected = "error" if self._diagnosis.strict else "ignore"
        return pj.ParseOptions(explicit_schema=pa.schema(list(wire)), unexpected_field_behavior=unexpected)

    def begin(self) -> None:
        """Start another block."""
        self._without_empty.clear()

    def read(self, values: Values, indexes: Sequence[int]) -> Rows:
        """Parse the values at *indexes*, all of which look like objects; raises unless each gives exactly one row."""
        chosen = read_values = values if len(indexes) == len(values) else values.take(indexes)
        if self._without_empty:
            read_values = Values.from_list([self._without_empty.get(i, values[i]) for i in indexes])
        if self._maps:
            read_values = Values.from_list([self._with_entries(v) for v in read_values])
        # Without the final line break the parser would take the last line for the start of another block.
        text = read_values.text
        read = pj.ReadOptions(use_threads=False, block_size=len(text) + 1)
        rows = pj.read_json(pa.BufferReader(text), parse_options=self._parse, read_options=read)
        if rows.num_rows != len(chosen):
            raise Unfit("rows and values are not aligned")
        if not self._diagnosis.strict:
            joined = text.to_pybytes()
            if any(c in joined for c in _CONSTANTS) and _CONSTANT.search(joined):
                _without_constants(chosen)
        return rows, chosen

    def _with_entries(self, value: bytes | None) -> bytes:
        try:
            return json_maps.with_entries(value or b"", self._diagnosis.kinds)
        except (ValueError, RecursionError) as fault:
            raise Unfit(str(fault)) from fault

    def may_learn(self, fault: Exception) -> bool:
        """Whether *fault* may be of an empty field: one that is not in the schema, or is a list there and an object here."""
        return is_unknown_field(fault) or (self._diagnosis.empty_lists and _CHANGED in str(fault))

    def learns(self, values: Values, indexes: Sequence[int]) -> bool:
        """Learn the empty fields in these values; True if a retry may succeed.

        The first `EMPTY_NAMES` are added to the parser's schema. Records with more are parsed without them, because
        names such as ids may occur only once, and so are those in which a field is an object that was a list before.
        """
        learned, before = False, len(self._empty)
        for i in indexes:
            value = values[i] or b""
            with contextlib.suppress(ValueError, RecursionError):
                new = self._diagnosis.empty_names(value) - self._empty
                if len(self._empty) + len(new) <= EMPTY_NAMES and not _is_both(self._empty | new):
                    self._empty |= new
                elif i not in self._without_empty:
                    self._without_empty[i] = json_maps.without_empty(
                        value, self._diagnosis.kinds, self._diagnosis.empty_lists
                    )
                    learned = True
        if len(self._empty) > before:
            self._parse = self._options()
            return True
        return learned


def _is_both(paths: set[tuple[str, ...]]) -> bool:
    """Whether a field at one of *paths* is an object, and a list in another record."""
    return any((*path[:-1], IN_OBJECT) in paths for path in paths if path[-1] == IN_LIST)


def is_unknown_field(fault: Exception) -> bool:
    """Whether the parser met a field that is not in its schema."""
    return _UNEXPECTED in str(fault)


def pointed_at(message: str, values: Values, indexes: Sequence[int]) -> Sequence[int]:
    """The *indexes* that the parser's message may refer to; all of them if it names none."""
    match = _ROW.search(message)
    if match and int(match[1]) < len(indexes):
        # Rows are counted in parsed objects, which match the values up to the first fault.
        return [indexes[int(match[1])]]
    if literal := _LITERAL.search(message):
        wanted = next(g for g in literal.groups() if g is not None).encode()
        return [indexes[i] for i in values.take(indexes).holding(wanted, 64)]
    return indexes


def reason_of(fault: Exception) -> Reason:
    """Reason for a record that failed alone: that of the error, else the parser's message."""
    if isinstance(fault, Unfit):
        return fault.reason
    if is_unknown_field(fault):
        # Python's parser names all others, but stops at a thousand levels.
        return Reason(reasons.UNKNOWN_FIELD, "a field has no column; the record is nested too deeply to name it")
    return Reason(reasons.UNREADABLE, _ROW.sub("", str(fault)).removeprefix("JSON parse error: "))


def not_objects(values: Values, filtered: npt.NDArray[np.int64]) -> list[BadRecord]:
    """Bad records for values that do not look like an object, without those *filtered*; the parser must get none of them."""
    suspects = np.flatnonzero((values.firsts != _OPEN) | (values.lasts != _CLOSE))
    if not values.is_utf8():
        suspects = np.union1d(suspects, values.beyond_ascii())
    elif len(suspects):
        # Producers that write line by line add white space to each value.
        trimmed = values.take(suspects).trimmed(WHITE)
        fine = pc.and_(pc.starts_with(trimmed, "{"), pc.ends_with(trimmed, "}"))
        suspects = suspects[~fine.to_numpy(zero_copy_only=False)]
    suspects = np.setdiff1d(suspects, filtered) if len(filtered) else suspects
    return [BadRecord(i, "decode", why) for i in suspects.tolist() if (why := _not_an_object(values[i]))]


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


def not_json(value: bytes | None) -> Reason:
    """The reason for a value of which it is known that it is no JSON."""
    try:
        json.loads((value or b"").decode(), parse_constant=_no_constant, parse_int=str, parse_float=str)
    except ValueError as fault:
        return Reason(reasons.NOT_JSON, f"not JSON: {fault}")
    except RecursionError:
        pass
    return Reason(reasons.NOT_JSON, "not JSON")


def _without_constants(values: Values) -> None:
    """Raise Unfit if any value has such a number outside of strings."""
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
