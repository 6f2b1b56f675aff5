"""The subject of a command: an opened pipeline, a known table, and the operator's name."""

from __future__ import annotations

import getpass
import socket
import sys
from contextlib import closing
from pathlib import Path

from lakelock.adapters.airflow import connections
from lakelock.app.runtime import Runtime
from lakelock.config import load_pipeline
from lakelock.errors import RunRefused


def opened(file: Path) -> closing[Runtime]:
    return closing(Runtime(load_pipeline(file), connections.from_environment))


def require_table(runtime: Runtime, table: str, command: str = "") -> None:
    """Exit with wrong usage for a table that neither the file nor the log knows, or that is none for *command*."""
    try:
        runtime.require_table(table, command)
    except RunRefused as fault:
        print(f"lakelock: {fault}", file=sys.stderr)
        raise SystemExit(2) from None


def operator() -> str:
    return f"{getpass.getuser()}@{socket.gethostname()}"
