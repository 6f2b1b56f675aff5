"""The findings of a recovery before it changes anything, and the reasons to refuse it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from lakelock.config import Pipeline
from lakelock.errors import RecoveryRefused, State
from lakelock.ingest.kafka_losses import Lost
from lakelock.model.log_state import Notes, Stand
from lakelock.model.registry import Registry
from lakelock.ports import TableState
from lakelock.recovery.examination import Examined, of_file
from lakelock.recovery.findings import Finding, Losses


@dataclass(frozen=True, slots=True)
class LossPreview:
    """*reason* says why the log cannot be used; None if it can. *after* is the recovery that began last.

    *lost* would be lost for good by a rebuild; of that, *files* are ranges that only the log knows.
    """

    examined: Examined
    reason: str | None
    losses: Losses
    files: Mapping[str, Sequence[Lost]] = field(default_factory=dict)
    lost: tuple[Finding, ...] = ()
    after: str | None = None

    @property
    def states(self) -> dict[str, TableState]:
        """The tables to recover, dead letters first."""
        return self.examined.states

    @property
    def found(self) -> list[Finding]:
        return self.examined.found

    @property
    def stands(self) -> list[Stand]:
        return [Stand(s.name, s.uuid, s.ledger) for s in self.states.values() if s.ledger is not None]

    def due(self, dead_letter_tables: Collection[str]) -> tuple[list[str], list[str]]:
        """Tables to fence: those of dead letters, first the ones that name routed tables; and the others."""
        ordered = sorted(self.states.items(), key=lambda of: registry_in(of[1]) is None)
        names = [name for name, state in ordered if state.detached or self.reason]
        letters = [name for name in names if name in dead_letter_tables or _has_letters(self.states[name])]
        return letters, [name for name in names if name not in letters]

    def refuse_in_part(self, pipeline: Pipeline) -> None:
        """Raise RecoveryRefused if a table of the file, or a routed table that exists, would be left out of a rebuild.

        A rebuild takes frontiers from all tables together and drops every open part, so a table left out would lose
        its own.
        """
        registry = self.examined.registry
        routed = registry.tables.keys() - registry.retired - set(self.examined.away)
        named = {pipeline.dead_letter_table, *of_file(pipeline), *routed}
        missing = [f for f in self.found if f.left and not f.approval and f.about in named]
        if missing:
            raise RecoveryRefused(
                f"pipeline {pipeline.name!r}: the log must be rebuilt ({self.reason}), which needs every table of the "
                "file and every routed table that exists.",
                State.NOTHING_CHANGED,
                "Fix these tables. Those of the pipeline file can also be removed from it permanently:\n"
                + "\n".join(f.line for f in missing),
            )

    def refuse_loss(self, pipeline: str) -> None:
        if self.lost:
            raise RecoveryRefused(
                f"pipeline {pipeline!r}: the log would be rebuilt ({self.reason}), and records that only the log knows "
                "would be lost:\n" + "\n".join(f.line for f in self.lost) + "\n",
                State.NOTHING_CHANGED,
                "Commit staged files first (`bin/lakelock run FILE --once`), undo the rollback if another tool rolled a table "
                "back, then recover again. To give up files that cannot be committed, use --accept-loss, and declare their "
                "records with accept-loss afterwards.",
            )

    def refuse_unseen(self, pipeline: str, notes: Notes) -> None:
        """Raise RecoveryRefused if more was staged, or dropped by Kafka, since the look."""
        if more := self.losses.unseen(notes, self.files):
            raise RecoveryRefused(
                f"pipeline {pipeline!r}: since the preview, more records would be lost with the log:\n"
                + "\n".join(f.line for f in more)
                + "\n",
                State.NOTHING_CHANGED,
                "Preview again.",
            )


def registry_in(state: TableState) -> Registry | None:
    return state.ledger.registry if state.ledger is not None else None


def _has_letters(state: TableState) -> bool:
    return state.ledger is not None and (state.ledger.registry is not None or state.ledger.holds_dead_letters)
