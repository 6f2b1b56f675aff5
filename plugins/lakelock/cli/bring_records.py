"""The commands that load or rewrite records: `backfill` and `replace`."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from pathlib import Path

from lakelock.app.runtime import Runtime
from lakelock.app.servers import new_id
from lakelock.backfill.span import Span
from lakelock.cli.exit_codes import suggest_yes
from lakelock.cli.opening import opened, operator, require_table
from lakelock.cli.reports import audited
from lakelock.errors import LakelockError
from lakelock.model.offsets import OffsetRange


def backfill(file: Path, span: Span | None, why: str, who: str | None, *, yes: bool) -> int:
    """Preview a backfill; with *yes* request, read and commit it, then audit.

    Without *span*, continue pending backfills.
    """
    with opened(file) as runtime:
        if span is not None and span.table is not None:
            require_table(runtime, span.table)
        if span is None:
            lines = runtime.backfills.waiting().lines
            print("\n".join(lines) or "no backfill is pending")
            if not yes:
                suggest_yes(bool(lines))
            if not lines or not yes:
                return 0
            code = _filled(runtime, None, runtime.backfills.go_on())
            runtime.backfills.check_all()
            return code
        planned = runtime.backfills.plan(span)
        print("\n".join(planned.lines), flush=True)
        if not yes:
            suggest_yes(not planned.nothing)
        if not yes or (planned.nothing and not planned.left_out):
            return 0
        runtime.backfills.request(planned, who or operator(), why)
        code = _filled(runtime, planned.interval, list(planned.shares))
        runtime.backfills.check(planned)
        return code


def replace(file: Path, span: Span, why: str, who: str | None, *, yes: bool) -> int:
    """Preview a replace; with *yes* read the records and swap the rows, then audit. Returns 1 if a table is refused."""
    with opened(file) as runtime:
        if span.table is not None:
            require_table(runtime, span.table)
        planned = runtime.replacing.plan(span)
        print("\n".join(planned.lines), flush=True)
        if not yes:
            suggest_yes(not planned.nothing)
            return 1 if planned.refused else 0
        runtime.replace(span, who or operator(), why, lambda o: print(f"replace: {o.line}", flush=True))
        return audited(runtime)


def _filled(runtime: Runtime, interval: Sequence[OffsetRange] | None, tables: Sequence[str]) -> int:
    # A name of its own: two backfills that run at once leave each other's batches alone.
    run = f"cli/{socket.gethostname()}/{os.getpid()}/{runtime.pipeline.name}/backfill"
    fault: LakelockError | None = None
    try:
        runtime.backfill(new_id(), run, interval, lambda w: print(f"write: {w.line}", flush=True))
    except LakelockError as stop:
        # Written batches are committed anyway.
        fault = stop
    for outcome in runtime.commit(tables, now=True):
        print(f"commit: {outcome.line}", flush=True)
    if fault is not None:
        raise fault
    return audited(runtime)
