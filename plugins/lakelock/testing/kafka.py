"""In-memory Kafka and Spark: topics of numbered records, watermarks, and a writer of files with records that fit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from lakelock.errors import HistoryMissing, State, TableUnfit, TopicMissing
from lakelock.ingest.plan_decision import check_identity
from lakelock.model.batches import NO_TABLE, Books, DataFile, StreamState
from lakelock.model.offsets import OffsetRange, Source, without
from lakelock.model.table_files import RowsOf
from lakelock.ports import CopyOrder, CopyOutput, SliceNews, SliceOutput, TableOutput, Target, Watermarks, WriteOrder
from lakelock.records.evolution import Evolution
from lakelock.records.observed_fields import ObservedField
from lakelock.records.sql.expressions import Evaluable
from lakelock.testing.catalog import MemoryCatalog, Row
from lakelock.testing.routing import MemoryRoutes, kind_of

# Kinds of records: fits always, never, only columns of variant 0, only those of variant 1; no record at all; no value; has a
# value for a column of its own. `lakelock.testing.routing` makes records of these kinds that rules route.
GOOD, BAD, OLD, NEW, NONE, TOMBSTONE, EXTRA, OTHER_EXTRA = range(8)
EXTRAS = (EXTRA, OTHER_EXTRA)


def extra_of(record: int) -> str:
    """Name of the field that only such a record has."""
    return f"x{record}"


def fits(record: int, variant: int, extras: Collection[str] = (), left_out: Collection[str] = ()) -> bool:
    """*extras* are the columns beside the variant's, and *left_out* fields that need none."""
    record = kind_of(record)
    if record in EXTRAS:
        return extra_of(record) in extras or extra_of(record) in left_out
    return record == GOOD or record - OLD == variant


def fits_target(record: int, target: Target) -> bool:
    details = target.layout.details
    variant, extras = details["variant"], details["extras"]
    assert isinstance(variant, int)
    assert isinstance(extras, Mapping)
    return fits(record, variant, extras, {path[0] for path in target.dropped})


class Kafka:
    """Topics in memory. `low` is each source's first offset after retention; `dropped` topics raise TopicMissing."""

    def __init__(self) -> None:
        self.records: dict[Source, list[int]] = {}
        self.low: dict[Source, int] = {}
        self.group: dict[Source, int] = {}
        self.dropped: set[str] = set()
        self.published: Callable[[Mapping[Source, int]], None] = lambda offsets: None

    def add(self, source: Source) -> None:
        self.records[source] = []
        self.low[source] = 0
        self.dropped.discard(source.topic)

    def drop(self, topic: str) -> None:
        for source in self.sources([topic]):
            del self.records[source], self.low[source]
        self.dropped.add(topic)

    def sources(self, topics: Sequence[str], topics_regex: str | None = None) -> list[Source]:
        if missing := sorted(self.dropped.intersection(topics)):
            raise TopicMissing(f"Kafka has no topic {', '.join(missing)}")
        return sorted(
            s for s in self.records if s.topic in topics or (topics_regex and re.fullmatch(topics_regex, s.topic))
        )

    def watermarks(self, sources: Sequence[Source]) -> dict[Source, Watermarks]:
        return {s: Watermarks(self.low[s], len(self.records[s]), len(self.records[s]), 1) for s in sources}

    def offsets_at(self, sources: Sequence[Source], timestamp_ms: int) -> dict[Source, int]:
        # One record per millisecond.
        return {s: min(max(timestamp_ms, self.low[s]), len(self.records[s])) for s in sources}

    def publish(self, group: str, offsets: Mapping[Source, int]) -> None:
        self.published(offsets)
        self.group.update(offsets)

    def retention_ms(self, topics: Iterable[str]) -> dict[str, int | None]:
        return dict.fromkeys(topics)

    def record_bytes(self, ranges: Sequence[OffsetRange]) -> float:
        return 1.0

    def timestamps_at(self, offsets: Mapping[Source, int]) -> dict[Source, int | None]:
        return dict.fromkeys(offsets)


class MemoryCopier:
    """Spark for copying rows from file to file."""

    def __init__(self, catalog: MemoryCatalog) -> None:
        self.catalog = catalog

    def run(self, order: CopyOrder, ended: Callable[[int], None] = lambda tasks: None) -> list[CopyOutput]:
        return [CopyOutput(n, self._one(one.files, order.without)) for n, one in enumerate(order.slices)]

    def _one(self, sources: Sequence[tuple[str, int]], without: RowsOf | None) -> tuple[DataFile, ...]:
        if gone := [path for path, _ in sources if path in self.catalog.deleted]:
            raise TableUnfit(f"{gone[0]} is gone")
        found = [row for path, _ in sources for row in self.catalog.rows[path]]
        left_out = without.numbers if without else ()
        rows = tuple(r for r in found if r is None or not any(r[3] == n and a <= r[4] < b for n, a, b in left_out))
        return (DataFile(self.catalog.new_file("rewritten", rows), len(rows), len(rows), b""),) if rows else ()


class MemoryWriter:
    """Spark for writing: the columns in the order decide whether a record fits, whenever the order runs.

    `reads_until` gives the offset at which a slice's time is used up in a range; its start means that nothing of it is
    read. With a router, records may be `routed_record`s.
    """

    parallelism = 1

    def __init__(self, kafka: Kafka, catalog: MemoryCatalog, wrote: Callable[[str, Target], None]) -> None:
        self.kafka, self.catalog, self.wrote = kafka, catalog, wrote
        self.reads_until: Callable[[OffsetRange], int] = lambda r: r.end

    def unfit(self, targets: Sequence[Evaluable], state: State) -> dict[str, TableUnfit]:
        if any(t.table == NO_TABLE for t in targets):
            raise NotImplementedError("the predicates of rules need Spark")
        return {}

    def interrupt_orphans(self, attempt: str) -> None:
        return None

    def run(self, order: WriteOrder, ended: Callable[[int], None] = lambda slices: None) -> list[SliceOutput]:
        return [self.run_slice(order, number, order.targets)[0] for number in range(len(order.slices))]

    def run_slice(
        self, order: WriteOrder, number: int, targets: Iterable[Target]
    ) -> tuple[SliceOutput, MemoryRoutes | None]:
        """What a slice writes of *targets*, and where its records are routed."""
        ranges = order.slices[number]
        if len({r.source for r in ranges}) < len(ranges):
            raise ValueError("one range a partition")
        topics = sorted({r.source.topic for r in ranges})
        read = [StreamState(r.source, r.start, r.start) for r in ranges]
        check_identity(read, self.kafka.sources(topics), order.pipeline)
        unread = self._unread(ranges)
        taken = without(ranges, unread)
        routes = None if order.router is None else self._routes(order, taken)
        done = [self.written(order, t, taken, None if routes is None else routes.of_table(t.table)) for t in targets]
        letters = [x for _, x in done] if routes is None else [*(x for _, x in done), self._letters(order, routes)]
        data, dead_letters = tuple(d for d, _ in done), tuple(x for x in letters if x.files)
        routed = None if routes is None else routes.output
        return SliceOutput(number, data, dead_letters, unread=unread, routed=routed), routes

    def _routes(self, order: WriteOrder, ranges: Sequence[OffsetRange]) -> MemoryRoutes:
        routes = MemoryRoutes(order, ranges, TOMBSTONE)
        for r in ranges:
            for offset, record in self._read(r):
                routes.take(r, offset, record)
        return routes

    def _letters(self, order: WriteOrder, routes: MemoryRoutes) -> TableOutput:
        rows: list[Row] = [
            (NO_TABLE, r.source.topic, r.source.topic_id, r.source.partition, offset) for r, offset in routes.letters
        ]
        counts = Counter(r for r, _ in routes.letters)
        books = tuple(Books(r, counts[r], counts[r]) for r in routes.ranges if counts[r])
        return TableOutput(NO_TABLE, self._file(order.dead_letters, rows), books)

    def _read(self, r: OffsetRange) -> Iterator[tuple[int, int]]:
        """Offsets and records; raises HistoryMissing."""
        if r.start < (low := self.kafka.low[r.source]):
            gone = OffsetRange(r.source, r.start, min(low, r.end))
            raise HistoryMissing(f"{gone} of {r} is gone: Kafka holds only from {low} on")
        for offset in range(r.start, r.end):
            record = self.kafka.records[r.source][offset]
            if kind_of(record) != NONE:
                yield offset, record

    def _unread(self, ranges: Sequence[OffsetRange]) -> tuple[OffsetRange, ...]:
        """Remaining ranges; at least one record is always read."""
        ends = {r: self.reads_until(r) for r in ranges}
        if all(end == r.start for r, end in ends.items()):
            ends[ranges[0]] = ranges[0].start + 1
        return tuple(OffsetRange(r.source, end, r.end) for r, end in ends.items() if end < r.end)

    def written(
        self,
        order: WriteOrder,
        target: Target,
        ranges: Sequence[OffsetRange],
        routed: Collection[tuple[Source, int]] | None,
    ) -> tuple[TableOutput, TableOutput]:
        """Rows and dead letters of *target*; if it is routed, of its records *routed*."""

        def is_ours(source: Source, offset: int) -> bool:
            return not target.is_routed or (routed is not None and (source, offset) in routed)

        news = self._news(order, target, ranges, is_ours)
        if news is not None:
            return TableOutput(target.table, (), (), news=news), TableOutput(target.table, (), ())
        decided = order.decided.get(target.table, frozenset())
        lost = order.lost.get(target.table, frozenset())
        rows: list[Row] = []
        dead: list[Row] = []
        books, dead_letter_books = [], []
        for r in ranges:
            source = r.source
            if source.topic not in target.topics:
                continue
            read = settled = dead_lettered = filtered = 0
            for offset, record in self._read(r):
                if not is_ours(source, offset):
                    continue
                read += 1
                if (source.topic, source.partition, offset) in decided:
                    settled += 1
                elif fits_target(record, target):
                    rows.append(("", source.topic, source.topic_id, source.partition, offset))
                elif (source.topic, source.partition, offset) in lost:
                    settled += 1
                elif kind_of(record) == TOMBSTONE and order.skips_tombstones:
                    filtered += 1
                else:
                    dead.append((target.table, source.topic, source.topic_id, source.partition, offset))
                    dead_lettered += 1
            dead_now = settled + dead_lettered
            books.append(Books(r, read, read - dead_now - filtered, dead_now, filtered))
            if dead_lettered:
                dead_letter_books.append(Books(r, dead_lettered, dead_lettered))
        files, dead_letter_files = self._file(target, rows), self._file(order.dead_letters, dead)
        return (
            TableOutput(target.table, files, tuple(books)),
            TableOutput(target.table, dead_letter_files, tuple(dead_letter_books)),
        )

    def _news(
        self,
        order: WriteOrder,
        target: Target,
        ranges: Sequence[OffsetRange],
        is_ours: Callable[[Source, int], bool],
    ) -> SliceNews | None:
        """What records with a field of their own have under it, if the table's columns may change for it."""
        if target.evolving is None:
            return None
        taken = [r for r in ranges if r.source.topic in target.topics]
        decided = order.decided.get(target.table, frozenset())
        found = ObservedField()
        places: list[tuple[Source, int]] = []
        for r in taken:
            for offset in range(max(r.start, self.kafka.low[r.source]), r.end):
                record = kind_of(self.kafka.records[r.source][offset])
                if (r.source.topic, r.source.partition, offset) in decided or not is_ours(r.source, offset):
                    continue
                if record in EXTRAS and not fits_target(record, target):
                    found.add({extra_of(record): offset})
                    places.append((r.source, offset))
        if not places or not Evolution(target.evolving).changes(found):
            return None
        source, offset = places[0]
        return SliceNews(found, tuple(taken), source.topic, source.partition, offset)

    def _file(self, target: Target, rows: Sequence[Row]) -> tuple[DataFile, ...]:
        if not rows:
            return ()
        path = self.catalog.new_file("file", tuple(rows))
        self.wrote(path, target)
        return (DataFile(path, len(rows), len(rows) * 100, b""),)
