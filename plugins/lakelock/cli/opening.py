"""The subject of a command: an opened pipeline, a known table, and the operator's name."""

from __future__ import annotations

import difflib
import getpass
import socket
import sys
from contextlib import closing
from pathlib import Path

from lakelock.adapters.airflow import connections
from lakelock.app.runtime import Runtime
from lakelock.config import load_pipeline


def opened(file: Path) -> closing[Runtime]:
    return closing(Runtime(load_pipeline(file), connections.from_environment))


def require_table(runtime: Runtime, table: str) -> None:
    """Exit with wrong usage for a table that neither the file nor the log knows."""
    pipeline = runtime.pipeline
    known = [*(t.name for t in pipeline.tables), pipeline.dead_letter_table]
    if table in known or table in (known := [*dict.fromkeys([*known, *runtime.log.bound(pipeline.name)])]):
        return
    near = difflib.get_close_matches(table, known, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    print(
        f"lakelock: {table!r} is not a table of pipeline {pipeline.name!r}.{hint} Its tables: {', '.join(known)}.",
        file=sys.stderr,
    )
    raise SystemExit(2)


def operator() -> str:
    return f"{getpass.getuser()}@{socket.gethostname()}"
