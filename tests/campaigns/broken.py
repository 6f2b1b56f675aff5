"""Rules of the protocol, each broken in the processes of a run: a campaign that sees no harm in that sees nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from lakelock.adapters.iceberg import snapshots
from lakelock.core import commit as decisions
from lakelock.core.batch import StagedPart
from lakelock.steps import commit as committing

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
    """Postgres says committed, then the table is told."""
    decide, send, land = committing.decisions.decide, committing.send, committing.Committer._land
    last: dict[str, Any] = {}

    def deciding(*arguments: Any) -> Any:
        last["decision"] = decide(*arguments)
        return last["decision"]

    def sending(tables: Any, state: Any, change: Any, *rest: Any) -> Any:
        if change.files:
            last["log"].committed(last["decision"].append, None, change.ledger.commit_id, change.ledger)
        return send(tables, state, change, *rest)

    def landing(self: Any, *arguments: Any) -> Any:
        last["log"] = self.log
        return land(self, *arguments)

    undo = [
        _patched(committing.decisions, "decide", deciding),
        _patched(committing, "send", sending),
        _patched(committing.Committer, "_land", landing),
    ]
    return lambda: [u() for u in undo] and None


def generation_ignored() -> Undo:
    """Files written before a rollback may land after it."""
    return _patched(decisions._Deciding, "_outdated", lambda *_: "")


def nothing_compared() -> Undo:
    """A commit asks nothing of the table: whoever comes last wins."""
    draft = snapshots.draft

    def drafting(*arguments: Any) -> Any:
        import dataclasses

        return dataclasses.replace(draft(*arguments), requirements=())

    return _patched(snapshots, "draft", drafting)


RULES: dict[str, Callable[[], Undo]] = {
    "coverage ignored": coverage_ignored,
    "marked before commit": marked_before_commit,
    "generation ignored": generation_ignored,
    "nothing compared": nothing_compared,
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
