"""Columns that the file calls by earlier names, as `check` and `schema` show them."""

from __future__ import annotations

from datetime import UTC, datetime

from lakelock.adapters.iceberg.column_history import Since, name_beginnings
from lakelock.ingest.present_names import PresentNames
from lakelock.ports import TableState


def renamed_notes(state: TableState | None, found: PresentNames) -> list[str]:
    """A note for each column whose settings follow it, and a sentence for each name that they do not follow."""
    if state is None or not found.followed:
        return list(found.sentences.values())
    since = name_beginnings(state)
    notes = [
        f"the file calls column {'.'.join(old)!r}, which is {'.'.join(now)!r} in the table{_since(since.get('.'.join(now)))}; "
        "its settings follow"
        for old, now in found.followed.items()
    ]
    return [*notes, *found.sentences.values()]


def _since(found: Since | None) -> str:
    if found is None:
        return ""
    at = "" if found.at_ms is None else f", {datetime.fromtimestamp(found.at_ms / 1000, UTC):%Y-%m-%d %H:%M:%S}"
    return f" since schema {found.schema_id}{at}"
