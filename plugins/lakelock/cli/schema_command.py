"""The command `schema`."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from dataclasses import asdict
from datetime import datetime

from lakelock.check.table_schema import table_schemas
from lakelock.check.table_schema_text import schema_text
from lakelock.cli.opening import opened, require_table


def schema(a: Namespace) -> int:
    """Print each table's columns beside the fields of the newest records."""
    with opened(a.file) as runtime:
        if a.table is not None:
            require_table(runtime, a.table)
        found = table_schemas(runtime, a.table, a.sample)
        if not found:
            names = ", ".join(t.name for t in runtime.pipeline.tables)
            print(f"lakelock schema: the file does not name table {a.table!r}. It names: {names}.", file=sys.stderr)
            return 2
    if a.json:
        print(json.dumps({"tables": [asdict(one) for one in found]}, indent=2, default=_plain))
    else:
        print("\n\n".join(map(schema_text, found)))
    return 0


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
