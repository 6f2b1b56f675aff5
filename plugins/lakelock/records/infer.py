"""Infer columns from a sample of JSON values: types that fit all of them, and never text for numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from lakelock.model.column_types import (
    Boolean,
    Column,
    ColumnType,
    Floating,
    Integer,
    ListOf,
    Struct,
    Text,
    Timestamp,
)
from lakelock.records.observed_fields import EMPTY_LIST, EMPTY_OBJECT, ObservedField, objects_in
from lakelock.records.observed_spellings import in_one_spelling

# Unpaired surrogates, which JSON can express and UTF-8 cannot.
_SURROGATE = re.compile("[\ud800-\udfff]")
# Iceberg's name for the element of a list.
_ELEMENT = "element"
_TAKEN = "left out, as another field has its name in a table, but for case or dots"
# Of kinds that are as common as each other, the first one.
_ORDER = ("object", "list", "text", "number", "integer", "boolean")
MOST_NAME = 255
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_TYPES: dict[str, ColumnType] = {
    "null": Text(),
    "boolean": Boolean(),
    "integer": Integer(64),
    "number": Floating(64),
}


@dataclass(frozen=True, slots=True)
class InferredSchema:
    """Columns in order of first appearance, with notes for the operator.

    *known* chooses columns without those of which only nulls were seen; None if there is no such difference.
    """

    columns: tuple[Column, ...]
    notes: tuple[str, ...]
    records: int
    not_objects: int
    known: Callable[[], InferredSchema] | None = field(default=None, compare=False)


def infer_schema(
    values: Sequence[bytes], reserved: Collection[str] = (), *, ignores_case: bool = False
) -> InferredSchema:
    """Infer long, double, boolean, string, timestamptz (only if all values are RFC 3339 with offset), struct and list.

    A column with only nulls is string; with conflicting kinds the commonest wins. Fields that no table can hold are
    omitted: fields without a name, objects without fields, and all but the commonest of several fields whose dotted
    names differ only in case, or not at all, or equal one of *reserved*. Each omission is noted. Records that do not
    fit become dead letters, so a wrong guess loses nothing. If it *ignores_case*, names that differ in case alone are one field.
    """
    top = ObservedField()
    for record in objects_in(values):
        top.add(record)
    if ignores_case:
        top = in_one_spelling(top, {})
    others = len(values) - top.count

    def chosen(*, guesses: bool) -> InferredSchema:
        notes = [f"{others} records are not JSON objects and would be dead letters"] if others else []
        columns = ColumnChoice(top, reserved, notes, guesses=guesses).columns(top, "", "")
        return InferredSchema(columns, tuple(notes), len(values), others)

    return replace(chosen(guesses=True), known=partial(chosen, guesses=False))


class ColumnChoice:
    """Choose the names that become columns. *key* is a dotted name as Iceberg and Spark look it up, in lower case.

    With *guesses*, fields that have only nulls are text; otherwise such fields have no column.
    """

    def __init__(
        self, top: ObservedField, reserved: Collection[str], notes: list[str], *, guesses: bool = True
    ) -> None:
        self._guesses = guesses
        self._notes = notes
        self._reserved = {name.lower() for name in reserved}
        # By dotted name its commonest field, the first one if there are several.
        self._kept: dict[str, tuple[int, ObservedField]] = {}
        self._rank(top, "")

    def _rank(self, seen: ObservedField, prefix: str) -> None:
        names = [(name, child, child.present) for name, child in seen.children.items()]
        if seen.element:
            # Counted as often as its list: even an empty list has it.
            names.append((_ELEMENT, seen.element, seen.present))
        for name, child, count in names:
            key = f"{prefix}{name}".lower()
            if key not in self._kept or self._kept[key][0] < count:
                self._kept[key] = (count, child)
            self._rank(child, key + ".")

    def _is_kept(self, key: str, seen: ObservedField) -> bool:
        return key not in self._kept or self._kept[key][1] is seen

    def columns(self, seen: ObservedField, prefix: str, key: str) -> tuple[Column, ...]:
        out: list[Column] = []
        for name, child in seen.children.items():
            path, joined = prefix + name, f"{key}{name}".lower()
            if not name or _SURROGATE.search(name) or (not self._guesses and _is_no_name(name)):
                self._notes.append(f"column {path!r}: left out, as no column can have that name")
            elif not self._is_kept(joined, child):
                self._notes.append(f"column {path!r}: {_TAKEN}")
            elif joined in self._reserved:
                self._notes.append(f"column {path!r}: left out, as a metadata column has its name")
            elif (kind := self.type_of(child, path, joined)) is not None:
                out.append(Column(name, kind))
        return tuple(out)

    def type_of(self, seen: ObservedField, path: str, key: str) -> ColumnType | None:
        """None if nothing seen can form a column."""
        if not self._guesses and not seen.has_values:
            return None
        kind = _commonest(seen, path, self._notes, self._guesses)
        if kind == "object":
            # Ids as names, which no table has room for.
            fields = () if seen.is_cut and not self._guesses else self.columns(seen, path + ".", key + ".")
            if not fields:
                self._notes.append(
                    f"column {path!r}: objects without fields cannot be a column; its fields are unknown fields"
                )
            return Struct(fields) if fields else None
        if kind == "list":
            within, joined = seen.element or ObservedField(), f"{key}.{_ELEMENT}"
            if not self._is_kept(joined, within):
                self._notes.append(f"column {path!r}: {_TAKEN}")
                return None
            element = self.type_of(within, path + "[]", joined)
            return None if element is None else ListOf(element)
        if kind == "text":
            return Timestamp(zoned=True) if seen.all_rfc3339 else Text()
        return _TYPES[kind]


def _is_no_name(name: str) -> bool:
    """Whether it is likelier to be a value than the name of a column."""
    return len(name) > MOST_NAME or bool(_CONTROL.search(name))


def _commonest(seen: ObservedField, path: str, notes: list[str], guesses: bool) -> str:
    """The commonest kind of the values; all numbers are one kind. Of empty lists and objects only if there is nothing else."""
    kinds = Counter({k: n for k, n in seen.kinds.items() if k not in ("null", EMPTY_LIST, EMPTY_OBJECT)})
    if guesses:
        kinds += Counter(list=seen.kinds[EMPTY_LIST], object=seen.kinds[EMPTY_OBJECT])
    if kinds["integer"] and kinds["number"]:
        kinds["number"] += kinds.pop("integer")
    kinds = +kinds
    if not kinds:
        notes.append(f"column {path!r}: only nulls seen, taken as string; declare its type if it is another")
        return "null"
    commonest, count = max(kinds.items(), key=lambda item: (item[1], -_ORDER.index(item[0])))
    if len(kinds) > 1:
        rest = ", ".join(f"{n} × {k}" for k, n in kinds.items() if k != commonest)
        notes.append(f"column {path!r}: {count} × {commonest} against {rest}, which would be dead letters")
    return _number(seen, path, notes) if commonest == "number" else commonest


def _number(seen: ObservedField, path: str, notes: list[str]) -> str:
    """Whole numbers that a double does not hold are integers, if most numbers are whole."""
    if not seen.big_integers:
        return "number"
    whole = seen.kinds["integer"] + seen.kinds["number"] - seen.fractions
    if whole > seen.fractions and seen.kinds["integer"]:
        notes.append(
            f"column {path!r}: long, as {seen.big_integers} integers may not be exact in a double; other numbers would be "
            "dead letters"
        )
        return "integer"
    notes.append(f"column {path!r}: double, but {seen.big_integers} integers may not be exact in a double")
    return "number"
