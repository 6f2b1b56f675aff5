"""What the log knows about tables for their next commits, read for several tables at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lakelock.model.commit_view import CommitView
from lakelock.ports import Log

# Tables of one reading. A commit takes some ten ms, so a view is used within seconds.
AHEAD = 50


@dataclass(slots=True)
class CommitViews:
    """Views of the tables of one *pipeline*; *coming* are committed in this order. Each view is used once.

    A view may be older than the table, as that of any process that is slow: whatever happened in between, the table shows it,
    or the log refuses to mark the parts.
    """

    log: Log
    pipeline: str
    coming: Sequence[str] = ()
    _ahead: dict[str, CommitView] = field(default_factory=dict)

    def next(self, table: str) -> CommitView:
        """The view of *table*, perhaps from when that of an earlier table was read."""
        if table not in self._ahead:
            place = self.coming.index(table) if table in self.coming else len(self.coming)
            after = self.coming[place + 1 : place + AHEAD]
            self._ahead |= self.log.commit_views(self.pipeline, [table, *after])
        return self._ahead.pop(table)

    def now(self, table: str) -> CommitView:
        self._ahead.pop(table, None)
        return self.log.commit_views(self.pipeline, [table])[table]

    def forget(self) -> None:
        """Read those of later tables again."""
        self._ahead.clear()
