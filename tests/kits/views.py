"""What the watch and the page read of a pipeline, with nothing to report unless a test gives it."""

from __future__ import annotations

from typing import Any

from lakelock.model.overview import BatchView, LandedInTime, OpenParts, TableView


def table(**given: Any) -> TableView:
    known: dict[str, Any] = {
        "table": "lake.orders",
        "is_dead_letter_table": False,
        "bound": True,
        "generation": 0,
        "is_unsettled": False,
        "committed_at": None,
        "newest_record_ms": None,
        "version_id": None,
        "planned": OpenParts(),
        "staged": OpenParts(),
        "landed": (LandedInTime(),),
        "dead_letters": 0,
        "rollback": None,
    }
    return TableView(**{**known, **given})


def batch(**given: Any) -> BatchView:
    known: dict[str, Any] = {
        "batch_id": "b",
        "lane": "live",
        "run": None,
        "age_s": 1.0,
        "silent_s": None,
        "planned_parts": 1,
        "staged_parts": 0,
        "reason": None,
    }
    return BatchView(**{**known, **given})
