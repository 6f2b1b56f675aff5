"""The write-ahead log in memory: its state, transactions, and shared helpers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from lakelock.errors import Fenced, State
from lakelock.model.batches import Batch, PlannedRange, StagedPart
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import FOREVER, OffsetRange, Source
from lakelock.testing.log_rows import BatchRow, LogRows, PartRow, RangeRow, TableRow

OPEN = ("planned", "staged")


class Base:
    """The log of one pipeline. `restaged` is called with each part to commit again and its new generation."""

    def __init__(self, installation_id: str, now: Callable[[], float]) -> None:
        self.state = LogRows(installation_id)
        self.clock = now
        self.restaged: Callable[[PartRow, int], None] = lambda part, generation: None

    @contextmanager
    def _transaction(self) -> Iterator[LogRows]:
        """All or nothing. Each public call is one transaction, and transactions never interleave."""
        before = self.state.copy()
        try:
            yield self.state
        except BaseException:
            self.state = before
            raise

    def _id(self) -> int:
        self.state.last_id += 1
        return self.state.last_id

    def _put(self, part: PartRow) -> None:
        self.state.parts[part.part_id] = part

    def _lock_batch(self, batch_id: str) -> BatchRow:
        no = self.state.batch_nos.get(batch_id)
        if no is None:
            raise Fenced(f"batch {batch_id} is not in the write-ahead log")
        return self.state.batches[no]

    def planned(self, pipeline: str) -> list[Batch]:
        planned = {p.no for p in self.state.parts.values() if p.state == "planned"}
        unclosed = {b.no for b in self.state.batches.values() if not b.closed}
        return [self._batch(no) for no in sorted(planned | unclosed)]

    def _of_batch(self, no: int) -> list[PartRow]:
        return [p for p in self.state.parts.values() if p.no == no]

    def _of_table(self, table: str) -> list[PartRow]:
        """Parts of the table in planning order."""
        return sorted((p for p in self.state.parts.values() if p.table == table), key=_by_batch)

    def _batch(self, no: int) -> Batch:
        state = self.state
        row = state.batches[no]
        ranges = sorted(state.ranges[no], key=_by_range)
        planned = sorted(p.target or p.table for p in state.parts.values() if p.no == no and p.state == "planned")
        return Batch(
            row.batch_id,
            "p",
            row.lane,
            state.configs[row.digest][0],
            row.digest,
            tuple(PlannedRange(r.range, r.epoch) for r in ranges),
            tuple(planned),
            row.attempt,
            row.closed,
            state.surveys.get(row.batch_id) is not None,
        )

    def _end_attempt(self, no: int, attempt: str) -> None:
        self.state.attempts[no, attempt] = self.state.attempts[no, attempt]._replace(ended=True)

    def _leave(self, row: BatchRow, attempt: str) -> bool:
        if row.attempt != attempt:
            return False
        self.state.batches[row.no] = row._replace(attempt=None, run=None, heartbeat_at=0.0)
        self._end_attempt(row.no, attempt)
        ended = self.state.attempts[row.no, attempt]
        self.state.attempts[row.no, attempt] = ended._replace(released=True)
        return True

    def _free_ranges(self, no: int) -> None:
        closed = self.state.batches[no].closed
        if closed and not any(not p.target and p.state != "aborted" for p in self._of_batch(no)):
            self.state.ranges[no] = tuple(r._replace(open=False) for r in self.state.ranges[no])

    def _keep_ledger(self, table: str, ledger: Ledger) -> None:
        covered = ledger.size
        row = self.state.tables.get(table, TableRow())
        if row.ledger is None or (ledger.generation, covered) >= (row.generation, row.covered):
            row = row._replace(generation=ledger.generation, covered=covered, ledger=ledger, is_first=row.uuid is None)
            row = row._replace(ledger_at=self.clock())
        self.state.tables[table] = row

    def _read_starts(self, lane: str, table: str) -> dict[Source, int]:
        row = self.state.tables.get(table)
        if row is None:
            return {}
        out = {}
        for stream in self.state.streams.values():
            if stream.lane != lane:
                continue
            start = self.state.starts.get((stream.stream_id, table, ""))
            if row.raw_name is not None and stream.source.topic in row.topics:
                out[stream.source] = stream.start
            elif start is not None or (stream.source.topic in row.topics and stream.next < FOREVER):
                out[stream.source] = stream.next if start is None else start
        return out


def _by_batch(part: PartRow) -> tuple[int, int]:
    return part.no, part.part_id


def _by_range(row: RangeRow) -> OffsetRange:
    return row.range


def fenced(part: StagedPart, why: str) -> Fenced:
    return Fenced(f"batch {part.batch_id}, table {part.result.table}: {why}.", State.NOTHING_CHANGED)


def named(parts: Sequence[PartRow], table: str, target: str) -> list[PartRow]:
    return [p for p in parts if p.table == table and p.target == target]
