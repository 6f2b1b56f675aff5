"""A writer in memory whose jobs have two stages if their order has a shuffle."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import Sender, SentCount, SliceOutput, Target, WriteOrder
from lakelock.testing.catalog import MemoryCatalog
from lakelock.testing.kafka import Kafka, MemoryWriter

Places = frozenset[tuple[Source, int]]
Joined = Callable[[WriteOrder, Sequence[SliceOutput]], list[SliceOutput]]


class MemoryShuffle(MemoryWriter):
    """A `MemoryWriter` that sends the records of shuffled tables to one task for each table.

    *joined* is the product's check of what arrived. If Spark runs a slice again after every other task has got its records,
    `runs_again` gives what `reads_until` is in the second run.
    """

    def __init__(
        self, kafka: Kafka, catalog: MemoryCatalog, wrote: Callable[[str, Target], None], joined: Joined
    ) -> None:
        super().__init__(kafka, catalog, wrote)
        self._joined = joined
        self.runs_again: Callable[[], Callable[[OffsetRange], int] | None] = lambda: None

    def run(self, order: WriteOrder, ended: Callable[[int], None] = lambda slices: None) -> list[SliceOutput]:
        if order.shuffle is None:
            return super().run(order, ended)
        tables = [t for t in order.targets if t.table in order.shuffle.tables]
        slices: list[SliceOutput] = []
        # By table, what each slice sent its task.
        received: dict[str, dict[int, Places]] = {t.table: {} for t in tables}
        for number in range(len(order.slices)):
            output, sent = self._sent(order, number, tables)
            first = sent
            if (until := self.runs_again()) is not None:
                before, self.reads_until = self.reads_until, until
                output, sent = self._sent(order, number, tables)
                self.reads_until = before
            slices.append(replace(output, shuffled=_counts(number, sent)))
            # Neighbours of a slice that wrote by its first run, and by its second one.
            for n, table in enumerate(received, start=number):
                received[table][number] = (first if n % 2 else sent)[table]
        tasks = [self._task(order, len(slices) + n, t, received[t.table]) for n, t in enumerate(tables)]
        return self._joined(order, [*slices, *tasks])

    def _sent(
        self, order: WriteOrder, number: int, tables: Sequence[Target]
    ) -> tuple[SliceOutput, Mapping[str, Places]]:
        output, routes = self.run_slice(order, number, [t for t in order.targets if t not in tables])
        assert routes is not None
        return output, {t.table: routes.of_table(t.table) for t in tables}

    def _task(self, order: WriteOrder, number: int, target: Target, received: Mapping[int, Places]) -> SliceOutput:
        """Books cover the ranges of all slices whole, as those of the product's tasks do."""
        places = frozenset(place for of_slice in received.values() for place in of_slice)
        ranges = [r for one in order.slices for r in one]
        data, letters = self.written(order, target, ranges, places)
        shuffled = {s: c for n, sent in received.items() for s, c in _counts(n, {target.table: sent}).items()}
        return SliceOutput(number, (data,), (letters,) if letters.files else (), shuffled=shuffled)


def _counts(slice_no: int, sent: Mapping[str, Places]) -> Mapping[Sender, SentCount]:
    found: dict[Sender, list[int]] = defaultdict(list)
    for table, places in sent.items():
        for source, offset in places:
            found[table, slice_no, source.topic, source.partition].append(hash((offset,)) % 2**64)
    return {sender: SentCount(len(hashes), sum(hashes) % 2**64) for sender, hashes in found.items()}
