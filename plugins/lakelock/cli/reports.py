"""The commands that report: `status` and `audit`, and the audit at the end of other commands."""

from __future__ import annotations

import dataclasses
import json
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import TypeVar

from lakelock.app.runtime import Runtime
from lakelock.audit.audit import PipelineAudit
from lakelock.audit.audit_text import audit_text
from lakelock.cli.exit_codes import report_faults
from lakelock.cli.opening import opened
from lakelock.errors import LakelockError
from lakelock.monitor.status import PipelineStatus
from lakelock.monitor.status_text import status_text

T = TypeVar("T")


def status(a: Namespace) -> int:
    """Print all pipelines that can be read. 3 if a later try may read the others, else 1."""
    found, faults = _each(a.files, Runtime.status_with_stops)
    if a.json:
        _print_json(found, faults)
    else:
        print("\n\n".join(status_text(s, a.table or "", a.limit) for s in found))
    return report_faults(faults)


def audit(a: Namespace) -> int:
    """Audit all pipelines. 1 if records are missing or duplicated, 3 if the only faults may pass with a later try."""
    found, faults = _each(a.files, lambda runtime: runtime.audit(count_rows=not a.no_rows))
    if a.json:
        _print_json(found, faults)
    else:
        print("\n\n".join(map(audit_text, found)))
    code = report_faults(faults)
    return 1 if any(not one.complete for one in found) else code


def audited(runtime: Runtime) -> int:
    """Print an audit and return its exit code."""
    found = runtime.audit()
    print(audit_text(found))
    return 0 if found.complete else 1


def _each(files: Sequence[Path], query: Callable[[Runtime], T]) -> tuple[list[T], dict[str, LakelockError]]:
    """Answers of the pipelines that can be read, and the errors of the others."""
    found: list[T] = []
    faults: dict[str, LakelockError] = {}
    for file in files:
        try:
            with opened(file) as runtime:
                found.append(query(runtime))
        except LakelockError as fault:
            faults[file.stem] = fault
    return found, faults


def _print_json(found: Sequence[PipelineStatus | PipelineAudit], faults: Mapping[str, LakelockError]) -> None:
    document = {
        "pipelines": [
            dataclasses.asdict(s) | ({"complete": s.complete} if isinstance(s, PipelineAudit) else {}) for s in found
        ],
        "faults": {k: str(v) for k, v in faults.items()},
    }
    print(json.dumps(document, indent=2, default=_plain))


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    return value.value if isinstance(value, Enum) else str(value)
