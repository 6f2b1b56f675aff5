"""readiness: whether a batch may be written now, by what its tables and the dead-letter tables have, and are just getting."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace

from lakelock.config import Pipeline
from lakelock.ingest.bind import load, without_ledger
from lakelock.ingest.commit_loop import Done, Land, until_landed
from lakelock.ingest.context import is_ahead
from lakelock.ingest.dead_letter_state import LetterTables, coverage_of
from lakelock.ingest.outcome import WriteOutcome, listed
from lakelock.ingest.replan_decision import in_part
from lakelock.model.batches import Batch
from lakelock.model.log_state import Redo
from lakelock.model.offsets import FOREVER, OffsetRange
from lakelock.ports import Change, Log, Tables, TableState


@dataclass(frozen=True, slots=True)
class Readiness:
    """One attempt at a batch, with the ranges of each of its tables.

    A record must not become a dead letter by one attempt and a row by another: what dead-letter tables have got, or are
    just getting, decides; and of dead letters that they owe, the rows that their table has.
    """

    log: Log
    tables: Tables
    pipeline: Pipeline
    batch: Batch
    attempt: str
    ranges: Mapping[str, Sequence[OffsetRange]]
    letters: LetterTables
    new_id: Callable[[], str]

    def put_off(self, states: MutableMapping[str, TableState]) -> WriteOutcome | None:
        """Why the batch is not written now. *states*, as loaded, are brought to what was looked at."""
        if self.letters.set_back:
            return self._later(f"waits until the log knows of the rollback of {', '.join(self.letters.set_back)}")
        coming = [r for name, rs in self.ranges.items() for r in self.letters.on_their_way(name, rs)]
        owed = {name: found for name, rs in self.ranges.items() if (found := self.letters.owed(name, rs))}
        pieces = {name for name, rs in self.ranges.items() if self.letters.in_pieces(name, rs)}
        if not coming:
            if ahead := self._ahead(states, owed):
                return self._later(ahead)
            states.update({name: self._fenced(states[name], found) for name, found in owed.items()})
            if ahead := self._ahead(states, owed):
                return self._later(ahead)
            pieces |= {name for name, found in owed.items() if in_part(found, coverage_of(states[name]))}
        if pieces:
            return self._split(sorted(pieces), states)
        return self._later(f"waits until the staged dead letters of {listed(coming)} have landed") if coming else None

    def _ahead(self, states: Mapping[str, TableState], owed: Collection[str]) -> str:
        """Where rows went back, they may land again: until the log knows of it, nobody sees them."""
        ahead = [name for name in owed if is_ahead(states[name], self.letters.generations)]
        return f"waits until the log knows of the rollback of {', '.join(ahead)}" if ahead else ""

    def _later(self, what: str) -> WriteOutcome:
        return WriteOutcome(self.batch.batch_id, f"batch {self.batch.batch_id}: {what}")

    def _split(self, pieces: Sequence[str], states: Mapping[str, TableState]) -> WriteOutcome:
        batch = self.batch
        redo = Redo(
            batch.config,
            batch.config_digest,
            self.pipeline.batch.max_records,
            self.letters.coverage,
            self.new_id,
            self.pipeline.feeds,
            {name: coverage_of(states[name]) for name in pieces},
        )
        for name in pieces:
            self.log.split(batch.batch_id, self.attempt, name, redo)
        what = "dead letters or rows of a piece of it are there already; it is planned in pieces for"
        return WriteOutcome(batch.batch_id, f"batch {batch.batch_id}: {what} {', '.join(pieces)}", goes_on=True)

    def _fenced(self, state: TableState, owed: Sequence[OffsetRange]) -> TableState:
        """The table once nobody can land rows of *owed* any more that were given up: who decided to before finds it moved.

        Those rows go with dead letters that are no more. What the log has given up is not staged any more for whoever loads
        the table from now on. Once for each batch, whatever becomes of its attempts: what plans it gives all of that up.
        """
        pipeline, fence_id = self.pipeline, self.batch.batch_id
        held = coverage_of(state)
        # Where it has rows of all of them nobody lands others, but a redrive that makes rows of dead letters just then.
        if all(map(held.touches, owed)) and not any(held[r.source].totals.dead for r in owed):
            return state

        def draft() -> Land[None] | Done[None]:
            now = load(self.log, self.tables, pipeline.name, state.name)
            if now.ledger is None:
                raise without_ledger(now, pipeline.name)
            if self.tables.find_commit(now, fence_id) is not None:
                return Done(None)
            # Today's limits on the history are not those of the batch: nothing expires with it.
            ledger = replace(now.ledger, commit_id=fence_id)
            return Land(now, Change(ledger, None, keep_snapshots=FOREVER, keep_younger_ms=0), None)

        until_landed(self.tables, state.name, draft, lambda _: None, "Nothing was written; the next run tries again.")
        return load(self.log, self.tables, pipeline.name, state.name)
