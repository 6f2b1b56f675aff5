"""recover: whatever is unfinished or does not fit together is brought to one state, from the tables' own ledgers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from lakelock.core import rollback as rollbacks
from lakelock.core.batch import LIVE
from lakelock.core.ledger import Ledger, Mode, Rollback
from lakelock.core.offsets import OffsetRange, offsets_in
from lakelock.core.recover import Stand
from lakelock.errors import CommitConflict, LakelockError, Retryable, TableMissing
from lakelock.ports import Change, Tables, TableState
from lakelock.steps.bind import rebind
from lakelock.steps.commit import send
from lakelock.steps.follow import Follower
from lakelock.steps.outcome import listed

ATTEMPTS = 12


@dataclass(frozen=True, slots=True)
class Finding:
    """What is not as it should be, and what `recover` does about it; `left` is for a person."""

    about: str
    what: str
    then: str
    left: bool = False

    @property
    def line(self) -> str:
        return f"{self.about}: {self.what}; {self.then}"


@dataclass(frozen=True, slots=True)
class Recovery:
    """One pipeline. *announced*: Postgres was restored to an earlier moment, which it cannot know by itself. *take_over*:
    the log that the tables belong to is lost, and this one takes its place.

    *mode* is what becomes of what somebody took out of a table by hand. *tables_of* gives the tables as an installation
    sees them.
    """

    follower: Follower
    tables_of: Callable[[str], Tables]
    pause: Callable[[float], None]
    announced: bool = False
    take_over: bool = False
    mode: Mode = Mode.RECOMMIT
    who: str = ""

    def look(self) -> list[Finding]:
        """Changes nothing. Raises Retryable where a server does not answer now."""
        states, found = self._states()
        found += [
            Finding(name, "it was rolled back by hand", f"adopts that, what was taken out: {self.mode.value}")
            for name, state in states.items()
            if state.detached
        ]
        if reason := self._rebuild_reason(states):
            then = "fences everything in flight and rebuilds the log from the tables"
            return [*found, Finding("the log", reason, then)]
        for name, state in states.items():
            ledger = state.ledger
            if ledger is None or state.detached:
                continue
            if ledger.generation > self.follower.log.generations(self.follower.pipeline.name).get(name, 0):
                found.append(Finding(name, "the log does not know of its last rollback", "follows it"))
            elif missing := self._lacking(name, ledger):
                found.append(
                    Finding(name, f"{listed(missing)} is neither in it nor on its way", "plans to read that again")
                )
        return found

    def recover(self) -> list[Finding]:
        """Does what `look` tells, and returns what it found; what is *left* stays as it is."""
        found = self.look()
        states, _ = self._states()
        reason = self._rebuild_reason(states)
        # Dead letters first: a part of a batch must not land while what its dead letters are is still to be told.
        for name, state in states.items():
            if state.detached or reason:
                states[name] = self._adopt(name, state)
        if reason:
            self._rebuild(states)
        else:
            for name in states:
                self.follower.followed(name)
                self._fill(name)
        return found

    def _names(self) -> list[str]:
        pipeline = self.follower.pipeline
        bound = self.follower.log.bound(pipeline.name)
        return list(dict.fromkeys([pipeline.dead_letter_table, *(t.name for t in pipeline.tables), *bound]))

    def _states(self) -> tuple[dict[str, TableState], list[Finding]]:
        """The tables to recover, dead letters first, and why others are not among them."""
        bound = self.follower.log.bound(self.follower.pipeline.name)
        states: dict[str, TableState] = {}
        found = []
        for name in self._names():
            try:
                state, owner = self._loaded(name)
            except Retryable:
                raise
            except TableMissing as fault:
                if name in bound:
                    found.append(Finding(name, str(fault), "is left as it is", left=True))
                continue
            except LakelockError as fault:
                found.append(Finding(name, str(fault), "is left as it is", left=True))
                continue
            if bound.get(name, state.uuid) != state.uuid:
                then = f"is left as it is: put the old one back, or run {rebind(name)}"
                found.append(Finding(name, "it was replaced by another table", then, left=True))
                continue
            if owner != self._mine:
                what = f"it belongs to installation {owner}"
                if not self.take_over:
                    then = "is left as it is: take it over only if the write-ahead log of that installation is lost"
                    found.append(Finding(name, what, then, left=True))
                    continue
                found.append(Finding(name, what, "takes it over"))
            if state.ledger is not None:
                states[name] = state
        return states, found

    @property
    def _mine(self) -> str:
        return self.follower.log.installation_id()

    def _loaded(self, name: str) -> tuple[TableState, str]:
        owner = self.follower.tables.owner(name) or self._mine
        tables = self.follower.tables if owner == self._mine else self.tables_of(owner)
        return tables.load(name, detached=True), owner

    def _rebuild_reason(self, states: Mapping[str, TableState]) -> str | None:
        """Why what the log says cannot be used."""
        stands = [Stand(s.name, s.uuid, s.ledger) for s in states.values() if s.ledger is not None]
        if any(stand.ledger.installation_id != self._mine for stand in stands):
            return "it takes the place of one that is lost"
        if self.announced:
            return "it was restored to an earlier moment"
        log, name = self.follower.log, self.follower.pipeline.name
        frontiers = {s.source: s.next_offset for s in log.streams(name, LIVE)}
        for stand in stands:
            for source, start in stand.starts.items():
                reached = stand.ledger.coverage[source].end_offset
                if frontiers.get(source, -1) < reached and reached > start:
                    return f"it is behind {stand.table}, which has {source} up to {reached}: it was restored or lost"
        return None

    def _adopt(self, name: str, state: TableState) -> TableState:
        """A snapshot without files under this log and a generation of its own: nothing that is in flight can land after it.

        Where somebody rolled the table back, it says what that took out, else the table holds what it held.
        """
        tables, commit_id = self.follower.tables, self.follower.new_id()
        for attempt in range(ATTEMPTS):
            head, ledger = state.head_snapshot_id, state.ledger
            assert head is not None
            assert ledger is not None
            at = tables.ledger_at(state, head) if state.detached else ledger
            mode = self.mode if state.detached else Mode.RECOMMIT
            record = Rollback(state.tag_snapshot_id or head, head, mode, self.who, "recover")
            is_letters = name == self.follower.pipeline.dead_letter_table
            after = rollbacks.rolled_back(ledger, at, record, commit_id, is_letters)
            after = replace(after, installation_id=self._mine)
            self.follower.log.await_generation(self.follower.pipeline.name, name, after.generation)
            if send(tables, state, Change(after, None), attempt, self.pause) is not None:
                return tables.load(name)
            state, _ = self._loaded(name)
        raise CommitConflict(f"table {name}: other writers moved it {ATTEMPTS} times in a row; run recover again.")

    def _rebuild(self, states: dict[str, TableState]) -> None:
        stands = [Stand(s.name, s.uuid, s.ledger) for s in states.values() if s.ledger is not None]
        by_name = {s.table: s for s in stands}
        redo = {name: self.follower.redo(states[name], stand.ledger) for name, stand in by_name.items()}
        self.follower.log.rebuild(self.follower.pipeline.name, stands, redo)

    def _lacking(self, name: str, ledger: Ledger) -> list[OffsetRange]:
        log, pipeline = self.follower.log, self.follower.pipeline
        if name == pipeline.dead_letter_table or not any(t.name == name for t in pipeline.tables):
            return []
        return log.lacking(pipeline.name, name, ledger)

    def _fill(self, name: str) -> int:
        """Plans what is neither in the table nor on its way."""
        state, _ = self.follower.followed(name)
        if state.ledger is None or not self._lacking(name, state.ledger):
            return 0
        redo = self.follower.redo(state, state.ledger)
        return offsets_in(self.follower.log.fill(self.follower.pipeline.name, name, state.ledger, redo))
