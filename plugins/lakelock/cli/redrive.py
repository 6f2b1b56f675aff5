"""The command `redrive`."""

from __future__ import annotations

import argparse
import sys

from lakelock.app.redrive import PreviewRedrive, Redrive
from lakelock.cli.exit_codes import previewed
from lakelock.cli.opening import opened, operator, require_table
from lakelock.cli.reports import audited
from lakelock.redrive.redrive_preview import RedriveRequest


def redrive(a: argparse.Namespace) -> int:
    """As `decide`. Reports dead letters that still do not fit; exit code 1 also if a table was left out."""
    request = _request(a)
    with opened(a.file) as runtime:
        if request.table is not None:
            require_table(runtime, request.table, a.command)
        (planned,) = runtime.run(PreviewRedrive(request))
        left_out = any(t.left_out for t in planned.tables)
        if not previewed(planned, yes=a.yes):
            return int(left_out)
        job = Redrive(request, a.who or operator(), a.why, planned.shown)
        runtime.run(job, lambda done: print("\n".join(done.lines), flush=True))
        return max(audited(runtime), int(left_out))


def _request(a: argparse.Namespace) -> RedriveRequest:
    request = RedriveRequest(a.table, a.topic, a.partition, a.start, a.end, a.reason)
    if fault := request.which.fault:
        print(f"lakelock redrive: {fault}", file=sys.stderr)
        raise SystemExit(2)
    return request
