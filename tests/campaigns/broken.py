"""Rules of the protocol, each broken in the processes of a run: a campaign that sees no harm in that sees nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from lakelock.adapters.iceberg import IcebergTables
from lakelock.errors import CommitConflict
from lakelock.ingest import commit as committing
from lakelock.ingest import commit_decision as decisions
from lakelock.ingest import commit_loop
from lakelock.model.batches import StagedPart
from lakelock.ports import Change, TableState
from lakelock.ports.edits import new_files
from lakelock.rollback import decision as rollbacks

Undo = Callable[[], None]


def _patched(owner: Any, name: str, value: Any) -> Undo:
    before = getattr(owner, name)
    setattr(owner, name, value)
    return lambda: setattr(owner, name, before)


def coverage_ignored() -> Undo:
    """What is staged is committed, whatever the table holds."""

    def take(self: decisions._Deciding, part: StagedPart) -> None:
        self.append.append(part)
        if not any(self.coverage.touches(r) for r in part.ranges):
            self.coverage = self.coverage.adding(part.books, self.starts, self.standing.ledger.generation)

    return _patched(decisions._Deciding, "take", take)


def marked_before_commit() -> Undo:
    """Postgres says committed, then the table is recorded."""
    decide, send, land = decisions.decide, commit_loop.send, committing.Committer._land
    last: dict[str, Any] = {}

    def deciding(*arguments: Any) -> Any:
        last["decision"] = decide(*arguments)
        return last["decision"]

    def sending(tables: Any, state: Any, change: Any, *rest: Any) -> Any:
        if new_files(change.edit):
            last["log"].committed(last["decision"].append, None, change.ledger.commit_id, change.ledger)
        return send(tables, state, change, *rest)

    def landing(self: Any, *arguments: Any) -> Any:
        last["log"] = self.log
        return land(self, *arguments)

    undo = [
        _patched(decisions, "decide", deciding),
        _patched(commit_loop, "send", sending),
        _patched(committing.Committer, "_land", landing),
    ]

    def undone() -> None:
        for one in undo:
            one()

    return undone


def conflict_rebased() -> Undo:
    """A refused commit is put on top of what came between, as most writers do, without another look at what that was."""
    commit = IcebergTables.commit

    def committing_again(self: IcebergTables, state: TableState, change: Change) -> int:
        try:
            return commit(self, state, change)
        except CommitConflict:
            return commit(self, self.load(state.name), change)

    return _patched(IcebergTables, "commit", committing_again)


def approval_ignored() -> Undo:
    """A rollback goes back further than a person agreed to."""
    choose = rollbacks.choose

    def further(to: str, history: Any, *names: str) -> Any:
        agreed = choose(to, history, *names)
        return next(s for s in history[history.index(agreed) + 1 :] if s.pipeline)

    return _patched(rollbacks, "choose", further)


RULES: dict[str, Callable[[], Undo]] = {
    "coverage ignored": coverage_ignored,
    "marked before commit": marked_before_commit,
    "conflict rebased": conflict_rebased,
    "approval ignored": approval_ignored,
}


@contextmanager
def rule(name: str | None) -> Iterator[None]:
    """While it lasts, the rule of this name does not hold in this process."""
    if name is None:
        yield
        return
    undo = RULES[name]()
    try:
        yield
    finally:
        undo()
