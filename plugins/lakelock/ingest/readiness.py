"""Decide whether a batch may be written now, from dead letters that have landed or are staged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lakelock.config import Pipeline
from lakelock.ingest.dead_letter_state import DeadLetterTables
from lakelock.ingest.outcome import WriteOutcome, listed
from lakelock.model.batches import NO_TABLE, Batch
from lakelock.model.log_state import Redo
from lakelock.model.offsets import OffsetRange, overlap
from lakelock.model.older_log import older_log
from lakelock.ports import Log


@dataclass(frozen=True, slots=True)
class Readiness:
    """One attempt at a batch, with the ranges of each of its tables.

    A record must not become a dead letter in one attempt and a row in another. So dead letters that have landed or are
    staged decide. *unclosed* are ranges of batches that are not closed, as they were before the *dead_letters* were read.
    """

    log: Log
    pipeline: Pipeline
    batch: Batch
    attempt: str
    ranges: Mapping[str, Sequence[OffsetRange]]
    dead_letters: DeadLetterTables
    new_id: Callable[[], str]
    unclosed: Sequence[OffsetRange] = ()

    def put_off(self, *, is_routed: bool = False) -> WriteOutcome | None:
        """The outcome if the batch is not written now, else None. Ranges that are settled only in pieces are split.

        If it *is_routed*, it also waits for staged dead letters that no table is known for. What is read again for one routed
        table waits for a batch of all tables with these offsets, which a recovery planned: it may find such dead letters.
        """
        undecided = overlap([p.range for p in self.batch.ranges], self.unclosed)
        if undecided and is_routed and self.batch.closed:
            return self._later(f"waits until {listed(undecided)} is written for all routed tables")
        decided_by = {**self.ranges, **({NO_TABLE: [p.range for p in self.batch.ranges]} if is_routed else {})}
        pieces = [name for name, ranges in decided_by.items() if self.dead_letters.in_pieces(name, ranges)]
        if NO_TABLE in pieces and not self.batch.closed:
            raise older_log(
                f"batch {self.batch.batch_id} is not written yet, but the dead-letter table already has dead letters of some of "
                "its offsets"
            )
        if pieces:
            return self._split(self.batch.planned_tables if NO_TABLE in pieces else sorted(pieces))
        coming = [r for name, ranges in decided_by.items() for r in self.dead_letters.on_their_way(name, ranges)]
        return self._later(f"waits until the staged dead letters of {listed(coming)} are committed") if coming else None

    def _later(self, what: str) -> WriteOutcome:
        return WriteOutcome(self.batch.batch_id, f"batch {self.batch.batch_id}: {what}")

    def _split(self, pieces: Sequence[str]) -> WriteOutcome:
        batch = self.batch
        redo = Redo(
            batch.config,
            batch.config_digest,
            self.pipeline.batch.max_records,
            self.dead_letters.coverage,
            self.new_id,
            self.pipeline.feeds,
        )
        for name in pieces:
            self.log.replan_unwritten(
                batch.batch_id, self.attempt, name, "the dead-letter table has a piece of it", redo
            )
        what = "some of its dead letters are already committed; it is split into smaller batches for"
        return WriteOutcome(batch.batch_id, f"batch {batch.batch_id}: {what} {', '.join(pieces)}", goes_on=True)
