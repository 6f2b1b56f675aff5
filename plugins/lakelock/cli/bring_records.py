"""The commands that load or rewrite records: `backfill` and `replace`."""

from __future__ import annotations

import os
import socket
import sys
from argparse import Namespace
from collections.abc import Sequence

from lakelock.app.runtime import Runtime
from lakelock.app.servers import new_id
from lakelock.backfill.span import Span
from lakelock.cli.exit_codes import suggest_yes
from lakelock.cli.opening import opened, operator, require_table
from lakelock.cli.reports import audited
from lakelock.errors import LakelockError
from lakelock.model.offsets import OffsetRange


def backfill(a: Namespace) -> int:
    """Preview a backfill; with --yes request, read and commit it, then audit.

    Without a time range, continue pending backfills.
    """
    span = _span(a)
    with opened(a.file) as runtime:
        if span is not None and span.table is not None:
            require_table(runtime, span.table)
        if span is None:
            lines = runtime.backfills.waiting().lines
            print("\n".join(lines) or "no backfill is pending")
            if not a.yes:
                suggest_yes(bool(lines))
            if not lines or not a.yes:
                return 0
            code = _filled(runtime, None, runtime.backfills.go_on())
            runtime.backfills.check_all()
            return code
        planned = runtime.backfills.preview(span)
        print("\n".join(planned.lines), flush=True)
        if not a.yes:
            suggest_yes(not planned.nothing)
        if not a.yes or (planned.nothing and not planned.left_out):
            return 0
        runtime.backfills.request(planned, a.who or operator(), a.why)
        code = _filled(runtime, planned.interval, list(planned.shares))
        runtime.backfills.check(planned)
        return code


def replace(a: Namespace) -> int:
    """Preview a replace; with --yes read the records and swap the rows, then audit. Returns 1 if a table is refused."""
    span = _span(a)
    assert span is not None
    with opened(a.file) as runtime:
        if span.table is not None:
            require_table(runtime, span.table)
        planned = runtime.replacing.preview(span)
        print("\n".join(planned.lines), flush=True)
        if not a.yes:
            suggest_yes(not planned.nothing)
            return 1 if planned.refused else 0
        runtime.replace(span, a.who or operator(), a.why, lambda o: print(f"replace: {o.line}", flush=True))
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
    if runtime.file.route is not None:
        # Which tables its records are for is known now.
        tables = [*tables, *(t for t in runtime.log.staged_tables(runtime.file.name) if t not in tables)]
    for outcome in runtime.commit(tables, now=True):
        print(f"commit: {outcome.line}", flush=True)
    if fault is not None:
        raise fault
    return audited(runtime)


def _span(a: Namespace) -> Span | None:
    """None to continue pending backfills."""
    if a.start is None and a.end is None and a.table is None:
        return None
    fault = None
    if a.start is None or a.end is None:
        fault = "use --from and --to together"
    elif a.start >= a.end:
        fault = "--from must be before --to"
    elif a.yes and not a.why:
        fault = "--yes needs --why: the reason is recorded in the table"
    if fault:
        print(f"lakelock {a.command}: {fault}", file=sys.stderr)
        raise SystemExit(2)
    return Span(a.start, a.end, a.table)
