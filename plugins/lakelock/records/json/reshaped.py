"""Decode records whose JSON has another shape than the columns: JSON within texts, objects in the place of which their
fields stand, and names that differ from those of columns in case alone.

Values are reshaped before any other step. Dead letters and whole values keep the record as it was produced.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import pyarrow as pa

from lakelock.records import reasons
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import NONE, Decoded, Decoder, Indexes, News, RowShape
from lakelock.records.json.block_parser import not_objects
from lakelock.records.json.record_fields import Node, Path
from lakelock.records.json.reshape import Reshape
from lakelock.records.reasons import Reason
from lakelock.records.spelling import spellings
from lakelock.records.values import Values

_SURROGATE = re.compile("[\ud800-\udfff]")
_NO_VALUE = re.compile(r"-?(?:NaN|Infinity)")
_TEXT = "JSON text"


@dataclass(frozen=True, slots=True)
class Piece:
    """Reshaped values of the records from *start* on; those that are *bad* are empty."""

    start: int
    values: Values
    bad: Sequence[BadRecord]


class Reshaper(Protocol):
    """Reshapes blocks; values of records *out* are not looked at, and are empty afterwards."""

    def __call__(self, values: Values, out: Indexes, /) -> Iterator[Piece]:
        """Pieces in order, whose memory is bounded."""
        ...


ReshaperOf = Callable[[Reshape], Reshaper]


def names_in_any_case(shape: RowShape) -> Node | None:
    """The fields of *shape*, None if case matters; raises Unfit if the names of two of them differ in case alone."""
    if not shape.ignores_case:
        return None
    return spellings((c for c in shape.filled if c.name != shape.rest), shape.readings, shape.dropped)


def in_any_case(shape: RowShape, decoder_of: Callable[[RowShape], Decoder]) -> Decoder:
    """*decoder_of* the same shape for records that have the names of its columns. Raises as `names_in_any_case`."""
    names = names_in_any_case(shape)
    if names is None:
        return decoder_of(shape)
    assert shape.reshaper is not None
    reshape = replace(shape.reshape or Reshape(), ignores_case=True, names=names)
    return ReshapedDecoder(replace(shape, ignores_case=False), shape.reshaper(reshape), decoder_of)


class ReshapedDecoder:
    """Reshapes before *decoder_of* decodes; it is given the shape without what is done here."""

    def __init__(self, shape: RowShape, reshaper: Reshaper, decoder_of: Callable[[RowShape], Decoder]) -> None:
        self._shape, self._reshaper = shape, reshaper
        self._whole = [name for name, reading in shape.readings.items() if reading.whole]
        within = {name: reading for name, reading in shape.readings.items() if not reading.whole}
        skip = shape.skip.union(self._whole)
        evolving = shape.evolving and replace(shape.evolving, unread=shape.evolving.unread.union(self._whole))
        self._decoder = decoder_of(replace(shape, readings=within, skip=skip, reshape=None, evolving=evolving))

    @property
    def unknown_fields(self) -> set[str]:
        return self._decoder.unknown_fields

    def decode(self, values: Values, filtered: Indexes = NONE) -> Decoded:
        bad = not_objects(values, filtered)
        out = np.union1d(filtered, np.array([b.index for b in bad], np.int64)).astype(np.int64)
        tables: list[pa.Table] = []
        good: list[Indexes] = []
        news: News | None = None
        for piece in self._reshaper(values, out):
            start, count = piece.start, len(piece.values)
            beside = np.array([b.index for b in piece.bad], np.int64)
            aside = np.union1d(out[(out >= start) & (out < start + count)], beside).astype(np.int64) - start
            decoded = self._decoder.decode(piece.values, aside)
            tables.append(decoded.table)
            if decoded.news is not None:
                of_piece_news = decoded.news.at(range(start, start + count))
                news = of_piece_news if news is None else news.and_also(of_piece_news)
            of_piece = np.arange(count) if decoded.good is None else np.array(decoded.good, np.int64)
            good.append(of_piece + start)
            bad += [*piece.bad, *(replace(b, index=b.index + start) for b in decoded.bad)]
        indexes = np.concatenate(good) if good else NONE
        table = pa.concat_tables(tables) if tables else self._shape.schema.empty_table()
        table = self._with_whole(table, values, indexes)
        is_all = len(indexes) == len(values)
        return Decoded(table, None if is_all else indexes.tolist(), sorted(bad, key=lambda b: b.index), news)

    def _with_whole(self, table: pa.Table, values: Values, indexes: Indexes) -> pa.Table:
        """With the columns that take the whole value, which is the record's own."""
        if not self._whole:
            return table
        chosen = values if len(indexes) == len(values) else values.take(indexes)
        texts = chosen.strings()
        for name in self._whole:
            at = table.schema.get_field_index(name)
            table = table.set_column(at, table.schema.field(at), texts.cast(table.schema.field(at).type))
        return table


def no_json(path: Path, literal: bytes) -> Reason:
    """Why the text of a field, as the record writes it, is not JSON: where it ceases to be."""
    field = ".".join(path)
    text = json.loads(literal)
    where = _first_fault(text)
    at = "" if where is None else f", at its end ({where})" if where >= len(text) else f" at character {where + 1}"
    return Reason(reasons.NOT_JSON, f"field {field!r}: its text is not JSON{at}", field)


def _first_fault(text: str) -> int | None:
    """The place of the first character that cannot be there; None if it is not known."""
    half = _SURROGATE.search(text)
    first = half.start() if half else None
    try:
        json.loads(_SURROGATE.sub("?", text), parse_constant=_refused)
    except json.JSONDecodeError as fault:
        return fault.pos if first is None else min(fault.pos, first)
    except RecursionError:
        return None
    except ValueError:
        constant = _NO_VALUE.search(text)
        return constant.start() if constant else first
    return first


def _refused(name: str) -> float:
    raise ValueError(name)


def no_text(path: Path, literal: bytes) -> Reason:
    """Why a field that is to have JSON as text has none."""
    field = ".".join(path)
    kinds = {b"{": "object", b"[": "list", b"t": "boolean", b"f": "boolean"}
    kind = kinds.get(literal[:1], "number")
    message = f"field {field!r}: expected text that is JSON, found {reasons.with_article(kind)}"
    return Reason(reasons.wrong_type(kind, _TEXT), message, field)
