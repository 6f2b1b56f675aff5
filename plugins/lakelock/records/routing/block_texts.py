"""The texts that placeholders have in the records of a block, each distinct one once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from lakelock.records import reasons
from lakelock.records.headers import Headers
from lakelock.records.routing.csv_texts import CsvTexts
from lakelock.records.routing.field_texts import FieldTexts, FoundFields, no_reason
from lakelock.records.routing.numbered_texts import Codes, Found, Numbered, TextColumn
from lakelock.records.routing.readers import Readers
from lakelock.records.routing.record_texts import NoText, decoded
from lakelock.records.routing.router import Router
from lakelock.records.routing.templates import Placeholder
from lakelock.records.values import Values

_TWICE, _UNREADABLE_HEADERS = NoText("there twice"), NoText("of headers that cannot be read")


class BlockTexts:
    """Finds the texts of *placeholders*. Of those in *wanted*, only these texts make a difference."""

    def __init__(
        self,
        placeholders: Collection[Placeholder],
        wanted: Mapping[Placeholder, frozenset[str]],
        readers: Readers,
        router: Router,
    ) -> None:
        self._placeholders = tuple(placeholders)
        self._wanted = wanted
        fields = [p for p in self._placeholders if p.kind == "field"]
        self.has_fields = bool(fields)
        self._fields: FieldTexts | CsvTexts | None = None
        if fields and router.csv is not None:
            self._fields = CsvTexts(fields, router.csv, readers.splitter)
        elif fields:
            self._fields = FieldTexts(fields, wanted, readers, router.root)
        self._numbered: dict[Placeholder, Numbered] = {}
        self.forget()

    def forget(self) -> None:
        """Number what blocks have from zero again."""
        self._numbered = {place: Numbered() for place in self._placeholders}

    @property
    def numbered(self) -> int:
        """The most numbers that a placeholder has."""
        return max((of.size for of in self._numbered.values()), default=0)

    def of(self, topic: str, values: Values, metadata: Callable[[str], pa.Array], tombstones: Codes) -> FoundFields:
        """*metadata* has a column of all records by key; *tombstones* are records without a value, of which that is known."""
        found = FoundFields((), frozenset(), no_reason)
        if self._fields is not None:
            found = self._fields.of(topic, values, tombstones, self._numbered)
        of_fields = iter(found.columns)
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
                    columns.append(next(of_fields))
        return replace(found, columns=columns)

    def _of_bytes(self, texts: pa.Array, place: Placeholder) -> TextColumn:
        numbered, wanted = self._numbered[place], self._wanted.get(place)
        if wanted is None or not _is_utf8(texts):
            return TextColumn(numbered.codes(texts, _decoded), numbered)
        raw = pa.array([text.encode() for text in wanted], texts.type)
        return TextColumn(numbered.codes_of_some(texts, lambda distinct: pc.is_in(distinct, raw), _decoded), numbered)

    def _of_header(self, headers: Headers, place: Placeholder) -> TextColumn:
        values, unfit = headers.of_name(place.name, pa.field(place.text, pa.binary()))
        column = self._of_bytes(values, place)
        for record, reason in unfit.items():
            column.put(record, _TWICE if reason.kind == reasons.HEADER_TWICE else _UNREADABLE_HEADERS)
        return column


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
