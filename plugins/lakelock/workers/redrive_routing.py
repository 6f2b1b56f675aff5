"""Route dead letters without a table: which tables their records go to, by a router."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.model.batches import NO_TABLE
from lakelock.model.offset_arrays import Numbers, ranges_of
from lakelock.model.offsets import OffsetRange, Source, united
from lakelock.ports.redrive_jobs import METADATA_COLUMNS, LettersToRoute, RoutedLetters, RoutedTable
from lakelock.records.decompression import parts
from lakelock.records.routing.block_routes import BlockRoutes
from lakelock.records.routing.templates import Rendered
from lakelock.records.values import Values
from lakelock.workers.redrive import CAUSES, FILTERED, OTHER, WantedLetters, metadata_of, read_letters
from lakelock.workers.slice_routes import READERS
from lakelock.workers.unknown_tables import SAMPLE_BYTES, SAMPLE_RECORDS


@dataclass
class _Found:
    made: Rendered
    offsets: dict[Source, list[Numbers]] = field(default_factory=dict)
    sample: list[bytes] = field(default_factory=list)
    sample_bytes: int = 0

    def take(self, value: bytes | None) -> None:
        is_room = value is not None and self.sample_bytes + len(value) <= SAMPLE_BYTES
        if value is not None and len(self.sample) < SAMPLE_RECORDS and (is_room or not self.sample):
            self.sample.append(value)
            self.sample_bytes += len(value)

    @property
    def ranges(self) -> tuple[OffsetRange, ...]:
        return tuple(united(r for s, of in self.offsets.items() for r in ranges_of(s, np.unique(np.concatenate(of)))))


def route_dead_letters(order: LettersToRoute) -> RoutedLetters:
    """Each dead letter once. Raises TableUnfit, Unreachable, AccessDenied."""
    found: list[_Found] = []
    numbers: dict[Rendered, int] = {}
    unroutable: Counter[str] = Counter()

    def number(made: Rendered, topic: str) -> int:
        if made not in numbers:
            numbers[made] = len(found)
            found.append(_Found(made))
        return numbers[made]

    def count(cause: str, n: int = 1) -> None:
        unroutable[cause if cause in unroutable or len(unroutable) < CAUSES else OTHER] += n

    routes, wanted = BlockRoutes(order.router, READERS, number), WantedLetters(order.ranges)
    for topic, block in _of_topics(order, wanted):
        values = Values.from_list(block.column("value").to_pylist())
        for part in parts(values, order.compression, order.block_bytes):
            piece = block.slice(part.start, len(part.values))
            routed = routes.of(topic, part.values, metadata_of(piece), part.unfit)
            for bad in routed.bad:
                count(bad.reason.cause)
            if len(routed.filtered):
                count(FILTERED, len(routed.filtered))
            sources, offsets = piece.column("source").to_numpy(), piece.column("offset").to_numpy()
            for table in np.unique(routed.tables).tolist():
                at = routed.records[routed.tables == table]
                for source in np.unique(sources[at]).tolist():
                    of_source = at[sources[at] == source]
                    found[table].offsets.setdefault(wanted.sources[source], []).append(offsets[of_source])
                for record in at[:SAMPLE_RECORDS].tolist():
                    found[table].take(part.values[record])
    tables = {f.made.name: RoutedTable(f.made.raw_name, f.ranges, tuple(f.sample)) for f in found}
    if len(tables) < len(found):
        # A record whose table belongs to another name goes to none of its tables, which only the next try can say.
        owners = {f.made.name: f.made.raw_name for f in reversed(found)}
        return route_dead_letters(replace(order, router=replace(order.router, known={**owners, **order.router.known})))
    return RoutedLetters(tables, dict(unroutable))


def _of_topics(order: LettersToRoute, wanted: WantedLetters) -> Iterator[tuple[str, pa.Table]]:
    for dead_letters in order.dead_letters:
        for file in dead_letters.files:
            if not wanted.may_be_in(file):
                continue
            for read in read_letters(dead_letters, file.path, METADATA_COLUMNS):
                block = wanted.take(read, NO_TABLE)
                if block is None:
                    continue
                for topic in pc.unique(block.column("topic")).to_pylist():
                    yield topic, block.filter(pc.equal(block.column("topic"), topic)).combine_chunks()
