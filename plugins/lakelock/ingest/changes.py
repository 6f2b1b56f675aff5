"""The one way in which steps make a change of a table: with the pipeline's own limits on what may expire with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lakelock.config.table_sections import Commit
from lakelock.model.ledger import Ledger
from lakelock.ports import Change


def change(settings: Commit, ledger: Ledger, config: Mapping[str, object] | None = None, **more: Any) -> Change:
    """*more* is as in `Change`."""
    return Change(
        ledger, config, keep_snapshots=settings.keep_snapshots, keep_younger_ms=settings.rollback_window_ms, **more
    )
