"""Build table changes with the pipeline's own limits on snapshot expiry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lakelock.config.table_sections import Commit
from lakelock.model.ledger import Ledger
from lakelock.ports import Change


def change(settings: Commit, ledger: Ledger, config: Mapping[str, object] | None = None, **more: Any) -> Change:
    """A change under *settings*; *more* holds further fields of `Change`."""
    return Change(
        ledger, config, keep_snapshots=settings.keep_snapshots, keep_younger_ms=settings.rollback_window_ms, **more
    )
