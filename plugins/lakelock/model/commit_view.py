"""What the write-ahead log knows about a table for its next commit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lakelock.model.batches import StagedPart
from lakelock.model.offsets import Source
from lakelock.model.route_evidence import RouteEvidence


@dataclass(frozen=True, slots=True)
class CommitView:
    """One table at one moment; the defaults are those of a table that nothing was ever planned for.

    *table_uuid* is that of the bound table. The log has caught up with *generation*; *is_unsettled*: a rollback to a later one
    was begun. *has_ledger*: a commit is recorded. *starts* are the declared ones, and *evidence* is that of a routed table.
    """

    table_uuid: str | None = None
    generation: int = 0
    is_unsettled: bool = False
    has_ledger: bool = False
    starts: Mapping[Source, int] = field(default_factory=dict)
    evidence: RouteEvidence | None = None
    parts: tuple[StagedPart, ...] = ()
