"""The write-ahead log is of an earlier moment than the tables, which it cannot know by itself."""

from __future__ import annotations

from lakelock.errors import State, WalUnusable


def older_log(what: str, state: State = State.BATCH_PLANNED, further: str = "") -> WalUnusable:
    """The error for a log that lacks *what* tables show."""
    more = f" {further}" if further else ""
    return WalUnusable(
        f"{what}: Postgres was restored to an earlier moment.{more}",
        state,
        "Run `bin/lakelock recover FILE --restored`.",
    )
