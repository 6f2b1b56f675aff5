"""The texts that placeholders have in one record: of its key, its headers, and the fields of its value."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from lakelock.records.csv.options import SKIP, CsvOptions
from lakelock.records.csv.record import RecordReader
from lakelock.records.csv.row_fields import field_name
from lakelock.records.reasons import Unfit
from lakelock.records.routing.router import Predicate
from lakelock.records.routing.templates import Placeholder

Headers = Sequence[tuple[str, bytes | None]]

NO_OPTIONS = CsvOptions()


class Texts(ABC):
    """The texts that placeholders have in a record of *topic*, and the letters of predicates.

    *unfit* is the first placeholder that has a value, but no text.
    """

    def __init__(self, topic: str, verdicts: Mapping[Predicate, str] = MappingProxyType({})) -> None:
        self.topic, self.verdicts = topic, verdicts
        self.unfit: tuple[str, str] | None = None

    def text(self, place: Placeholder) -> str | None:
        try:
            return self.found(place)
        except NoText as fault:
            self.unfit = self.unfit or (place.text, str(fault))
            return None

    @abstractmethod
    def found(self, place: Placeholder) -> str | None:
        """Raises NoText."""


class Record(Texts):
    """*headers* are None if they cannot be read."""

    def __init__(
        self,
        topic: str,
        key: bytes | None,
        headers: Headers | None,
        value: bytes | None,
        verdicts: Mapping[Predicate, str] = MappingProxyType({}),
        *,
        root: Sequence[str] = (),
        csv: CsvOptions = NO_OPTIONS,
    ) -> None:
        """Paths of fields begin at *root*. *csv* are the options of delimited text."""
        super().__init__(topic, verdicts)
        self._key, self._headers, self._value, self._root, self._csv = key, headers, value, root, csv

    def found(self, place: Placeholder) -> str | None:
        match place.kind:
            case "key":
                return decoded(self._key)
            case "header":
                return self._header(place.name)
        return self._field(place.path)

    def _header(self, name: str) -> str | None:
        if self._headers is None:
            raise NoText("of headers that cannot be read")
        found = [value for key, value in self._headers if key == name]
        if len(found) > 1:
            raise NoText("there twice")
        return decoded(found[0]) if found else None

    def _field(self, path: Sequence[str]) -> str | None:
        at = self._json
        for name in (*self._root, *path):
            if not isinstance(at, _Object):
                return None
            found = [value for key, value in at.pairs if key == name]
            if len(found) > 1:
                raise NoText("there twice")
            at = found[0] if found else None
        if isinstance(at, _Object | list):
            raise NoText("an object" if isinstance(at, _Object) else "a list")
        if isinstance(at, bool):
            return "true" if at else "false"
        return at if isinstance(at, str) else None

    @property
    def is_no_json(self) -> bool:
        return self._json is None

    @cached_property
    def _json(self) -> object:
        """Numbers as they are written; None if the value is no JSON."""
        try:
            text = (self._value or b"").decode()
            return json.loads(
                text, object_pairs_hook=_Object, parse_int=str, parse_float=str, parse_constant=_no_constant
            )
        except (ValueError, RecursionError):
            return None


class CsvRecord(Record):
    """Its fields are those of delimited text; a header line has none."""

    @property
    def is_skipped(self) -> bool:
        """Whether it is left out if no rule fits."""
        return self._csv.header == SKIP and self._is_header

    @property
    def _is_header(self) -> bool:
        return self._csv.header is not None and self._row == [*self._csv.columns]

    def _field(self, path: Sequence[str]) -> str | None:
        row = None if self._is_header else self._row
        return None if row is None else row[self._csv.columns.index(field_name(path))]

    @cached_property
    def _row(self) -> list[str | None] | None:
        try:
            return RecordReader(self._csv).row((self._value or b"").decode(), self._csv.columns)
        except (UnicodeDecodeError, Unfit):
            return None


class NoText(Exception):
    """A value is there, but no text; says what it is. Those that say the same are equal."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NoText) and self.args == other.args

    def __hash__(self) -> int:
        return hash(self.args)


class _Object:
    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        self.pairs = pairs


def decoded(value: bytes | None) -> str | None:
    """Raises NoText."""
    try:
        return None if value is None else value.decode()
    except UnicodeDecodeError:
        raise NoText("not UTF-8") from None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
