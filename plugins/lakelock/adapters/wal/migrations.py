"""Versions of the schema: files applied once, in order, and recorded with their checksums."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import psycopg

from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.server import Server
from lakelock.errors import State, WalUnusable

logger = logging.getLogger(__name__)


@cache
def known() -> Mapping[str, tuple[str, str]]:
    """Migrations of this release in order: name to (checksum, text)."""
    folder = files("lakelock.adapters") / "migrations"
    out = {}
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".sql"):
            text = entry.read_text(encoding="utf-8")
            out[entry.name.removesuffix(".sql")] = (hashlib.sha256(text.encode()).hexdigest(), text)
    return out


def check(made: Mapping[str, str], where: str) -> None:
    """Raise WalUnusable unless *made* (name to checksum) has exactly this release's migrations."""
    refuse_foreign(made, where)
    if lacking := [name for name in known() if name not in made]:
        raise WalUnusable(
            f"the write-ahead log in {where} is older than this release (it lacks {', '.join(lacking)}).",
            State.NOTHING_CHANGED,
            "Run `bin/lakelock migrate`, then start again.",
        )


def refuse_foreign(made: Mapping[str, str], where: str) -> None:
    """Raise WalUnusable for migrations that this release does not have, or has with another text."""
    if newer := sorted(set(made) - set(known())):
        raise WalUnusable(
            f"the write-ahead log in {where} is newer than this release (it has {', '.join(newer)}).",
            State.NOTHING_CHANGED,
            "Upgrade lakelock here to the release that made it.",
        )
    if changed := [name for name, checksum in made.items() if known()[name][0] != checksum]:
        raise WalUnusable(
            f"the write-ahead log in {where} was made by another version of {', '.join(changed)} than this release "
            "has.",
            State.NOTHING_CHANGED,
            "Install the release that made it: a migration is never edited once it is released.",
        )


def migrate(dsn: str) -> list[str]:
    """Upgrade the schema to this release in one transaction; returns the migrations that were applied.

    Safe to run concurrently: other callers wait, then find nothing to do.
    """
    server = Server(dsn, application_name="lakelock migrate", statement_timeout_ms=600_000, lock_timeout_ms=600_000)
    with server.translated("migrate"):
        connection = server.connect()
        try:
            with connection.transaction():
                return _apply(connection, server.name)
        finally:
            connection.close()


def _apply(connection: psycopg.Connection[dict[str, object]], where: str) -> list[str]:
    sql, session = queries("migrate"), queries("session")
    for name in ("lock", "found", "found_table", "describe"):
        connection.execute(sql[name])
    made = {str(row["name"]): str(row["checksum"]) for row in connection.execute(session["migrations_made"])}
    refuse_foreign(made, where)
    applied = []
    for name, (checksum, text) in known().items():
        if name not in made:
            connection.execute(text.encode())
            connection.execute(sql["record"], {"name": name, "checksum": checksum})
            applied.append(name)
    logger.info("%s: applied %s", where, ", ".join(applied) or "nothing, the schema is up to date")
    return applied
