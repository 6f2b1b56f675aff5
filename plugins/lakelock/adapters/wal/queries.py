"""Named SQL statements from the `.sql` files beside this package, read through the import system (zip-safe)."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_NAME = re.compile(r"^-- name: (\w+)\s*$", re.MULTILINE)


@cache
def queries(stem: str) -> dict[str, bytes]:
    """Statements of `sql/<stem>.sql`, each after a line `-- name: <name>`."""
    text = (files("lakelock.adapters") / "sql" / f"{stem}.sql").read_text(encoding="utf-8")
    pieces = _NAME.split(text)[1:]
    return {name: sql.strip().encode() for name, sql in zip(pieces[::2], pieces[1::2], strict=True)}
