"""Ports of redrives in memory: the store of dead letters, and Spark for decoding them again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from lakelock.errors import TableUnfit
from lakelock.model.batches import NO_TABLE, DataFile
from lakelock.model.offsets import OffsetRange, Source, overlap, united
from lakelock.model.table_files import FileView
from lakelock.ports import TableState, Target
from lakelock.ports.redrive_jobs import (
    DeadLetterFiles,
    LettersToRoute,
    OpenDeadLetters,
    RedriveOrder,
    RedriveOutput,
    RoutedLetters,
    RoutedTable,
)
from lakelock.records.routing.templates import Rendered
from lakelock.testing.catalog import MemoryCatalog
from lakelock.testing.kafka import Kafka, fits_target
from lakelock.testing.routing import routed_by
from lakelock.testing.table_reading import meta_of


class MemoryRedriver:
    """Spark for decoding dead letters again."""

    parallelism = 2

    def __init__(self, kafka: Kafka, catalog: MemoryCatalog, wrote: Callable[[str, Target], None]) -> None:
        self.kafka, self.catalog, self.wrote = kafka, catalog, wrote

    def run(self, order: RedriveOrder) -> list[RedriveOutput]:
        return [self.one(order, n, writes=True) for n in range(len(order.slices))]

    def one(self, order: RedriveOrder, number: int, *, writes: bool) -> RedriveOutput:
        wanted = {(r.source, o) for r in order.slices[number] for o in range(r.start, r.end)}
        found: set[tuple[Source, int]] = set()
        for file in (f for dead_letters in order.dead_letters for f in dead_letters.files):
            if file.path in self.catalog.deleted:
                raise TableUnfit(f"{file.path} is gone")
            for row in self.catalog.rows[file.path]:
                if row is not None and row[0] == order.letters_target:
                    found.add((Source(row[1], row[2], row[3]), row[4]))
        taken = sorted(found & wanted)
        good = [(s, o) for s, o in taken if fits_target(self.kafka.records[s][o], order.target)]
        files: tuple[DataFile, ...] = ()
        if writes and good:
            rows = tuple(("", s.topic, s.topic_id, s.partition, o) for s, o in good)
            path = self.catalog.new_file("redriven", rows)
            self.wrote(path, order.target)
            files = (DataFile(path, len(rows), len(rows), b""),)
        unfit = {"unfit": len(taken) - len(good)} if len(taken) > len(good) else {}
        return RedriveOutput(number, files, tuple(united(OffsetRange(s, o, o + 1) for s, o in good)), unfit)


class MemoryLetterRoutes:
    """Routes dead letters without a table."""

    def __init__(self, kafka: Kafka, catalog: MemoryCatalog) -> None:
        self.kafka, self.catalog = kafka, catalog

    def route(self, order: LettersToRoute) -> RoutedLetters:
        wanted = {(r.source, o) for r in order.ranges for o in range(r.start, r.end)}
        found: dict[Rendered, list[tuple[Source, int]]] = {}
        unroutable: Counter[str] = Counter()
        letters = {
            (Source(row[1], row[2], row[3]), row[4])
            for dead_letters in order.dead_letters
            for file in dead_letters.files
            for row in self.catalog.rows[file.path]
            if row is not None and row[0] == NO_TABLE
        }
        for source, offset in sorted(letters & wanted):
            routed = routed_by(order.router, source.topic, self.kafka.records[source][offset])
            if routed.reason is not None or routed.filtered:
                unroutable[routed.reason.cause if routed.reason else "filtered"] += 1
            for made in routed.tables:
                found.setdefault(made, []).append((source, offset))
        owners: dict[str, str] = {}
        for made in found:
            owners.setdefault(made.name, made.raw_name)
        if len(owners) < len(found):
            return self.route(replace(order, router=replace(order.router, known={**owners, **order.router.known})))
        tables = {
            made.name: RoutedTable(
                made.raw_name, tuple(united(OffsetRange(s, o, o + 1) for s, o in of)), (b'{"v0": 1}',)
            )
            for made, of in found.items()
        }
        return RoutedLetters(tables, dict(unroutable))


class MemoryDeadLetters:
    """`lakelock.ports.redrive_jobs.DeadLetterStore` over the catalog in memory."""

    def __init__(self, catalog: MemoryCatalog) -> None:
        self.catalog = catalog

    def open(
        self, state: TableState, target: str, within: Sequence[OffsetRange], reason: str | None, most: int
    ) -> OpenDeadLetters:
        head = meta_of(state).head
        if head is not None and any(f in self.catalog.deleted for f in head.files):
            raise TableUnfit(f"{state.name}: a data file is gone")
        there = [
            OffsetRange(Source(row[1], row[2], row[3]), row[4], row[4] + 1)
            for row in (self.catalog.shown(head) if head else ())
            if row is not None and row[0] == target
        ]
        return OpenDeadLetters(tuple(united(overlap(there, within)))[: most + 1])

    def files(self, state: TableState, target: str) -> DeadLetterFiles:
        head = meta_of(state).head
        return DeadLetterFiles(state.name, tuple(FileView(f, 1, 1, None) for f in (head.files if head else ())), {}, {})
