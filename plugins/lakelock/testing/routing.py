"""Routing in memory: a numbered record may have a field `to`, by which rules name tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from lakelock.model.batches import NO_TABLE, Books
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import RouteOutput, UnknownTable, WriteOrder
from lakelock.records.routing.record_texts import Texts
from lakelock.records.routing.route_one import Routed, decide
from lakelock.records.routing.router import Router
from lakelock.records.routing.templates import Placeholder, Rendered

# Kinds of records are below it.
_TO = 8


def routed_record(kind: int, to: int) -> int:
    """A record of *kind* whose field `to` has this number, from 1 on; a rule with the template `ns.t{to}` has it as text."""
    return kind + _TO * to


def kind_of(record: int) -> int:
    return record % _TO


def to_of(record: int) -> int:
    """0 for a record without the field."""
    return record // _TO


def text_of(to: int) -> str:
    """From 10 on letters, of which two make one name: a and A. Empty without the field."""
    if not to:
        return ""
    letter = chr(ord("a") + (to - 10) // 2)
    return str(to) if to < 10 else letter.upper() if to % 2 else letter


class _Record(Texts):
    def __init__(self, topic: str, record: int) -> None:
        super().__init__(topic)
        self._record = record

    def found(self, place: Placeholder) -> str | None:
        has_it = place.kind == "field" and place.path == ("to",) and to_of(self._record) > 0
        return text_of(to_of(self._record)) if has_it else None


def routed_by(router: Router, topic: str, record: int) -> Routed:
    return decide(router, _Record(topic, record))


@dataclass(slots=True)
class _Counts:
    read: int = 0
    dead: int = 0
    filtered: int = 0


@dataclass(slots=True)
class MemoryRoutes:
    """What the router of *order* does with the records of a slice, which has read *ranges*; *tombstone* is their kind.

    *pairs* has the tables of each record, *letters* those without a table that are new.
    """

    order: WriteOrder
    ranges: Sequence[OffsetRange]
    tombstone: int
    pairs: dict[tuple[Source, int], frozenset[str]] = field(default_factory=dict)
    letters: list[tuple[OffsetRange, int]] = field(default_factory=list)
    _counts: dict[OffsetRange, _Counts] = field(default_factory=dict)
    _unknown: dict[Rendered, list[tuple[Source, int, int]]] = field(default_factory=dict)

    def take(self, within: OffsetRange, offset: int, record: int) -> None:
        """The next record of the range *within*."""
        order, source = self.order, within.source
        counts = self._counts.setdefault(within, _Counts())
        counts.read += 1
        place = (source.topic, source.partition, offset)
        if place in order.decided.get(NO_TABLE, ()):
            counts.dead += 1
            return
        routed = self._routed(source.topic, record)
        if routed.filtered:
            counts.filtered += 1
        elif routed.reason is not None:
            counts.dead += 1
            if place not in order.lost.get(NO_TABLE, ()):
                self.letters.append((within, offset))
        else:
            self._to_tables(source, offset, record, routed.tables)

    def of_table(self, table: str) -> frozenset[tuple[Source, int]]:
        return frozenset(place for place, tables in self.pairs.items() if table in tables)

    def _routed(self, topic: str, record: int) -> Routed:
        assert self.order.router is not None
        is_tombstone = kind_of(record) == self.tombstone
        routed = routed_by(self.order.router, topic, self.tombstone if is_tombstone else record)
        return routed.without_tombstone if is_tombstone and self.order.skips_tombstones else routed

    def _to_tables(self, source: Source, offset: int, record: int, tables: Sequence[Rendered]) -> None:
        router = self.order.router
        assert router is not None
        targets = {t.table for t in self.order.targets if t.is_routed and source.topic in t.topics}
        self.pairs[source, offset] = frozenset(t.name for t in tables)
        for made in tables:
            is_wanted = made.name not in router.left_out and (router.only is None or made.name in router.only)
            if made.name not in targets and is_wanted:
                self._unknown.setdefault(made, []).append((source, offset, record))

    @property
    def output(self) -> RouteOutput:
        books = []
        for r in self.ranges:
            c = self._counts.get(r, _Counts())
            books.append(Books(r, c.read, c.read - c.dead - c.filtered, c.dead, c.filtered))
        return RouteOutput(tuple(books), tuple(self._table(made, found) for made, found in self._unknown.items()))

    def _table(self, made: Rendered, found: Sequence[tuple[Source, int, int]]) -> UnknownTable:
        topics = tuple(dict.fromkeys(source.topic for source, _, _ in found))
        source, offset, _ = found[0]
        sample = tuple(json.dumps({"to": text_of(to_of(record))}).encode() for _, _, record in found)
        ranges = tuple(r for r in self.ranges if r.source.topic in topics)
        return UnknownTable(made.name, made.raw_name, topics, ranges, sample, source.partition, offset)
