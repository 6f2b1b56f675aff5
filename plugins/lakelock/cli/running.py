"""The commands that run, prepare or cancel a pipeline without Airflow: `migrate`, `run` and `cancel`."""

from __future__ import annotations

import socket
import sys
from argparse import Namespace

from lakelock.adapters.airflow.connections import from_environment
from lakelock.adapters.airflow.postgres_settings import postgres_dsn
from lakelock.adapters.wal import migrate as migrate_wal
from lakelock.app.servers import new_id
from lakelock.cli.opening import opened
from lakelock.errors import LakelockError
from lakelock.ingest.commit_share import CommitShare
from lakelock.model.units import counted


def migrate(a: Namespace) -> int:
    applied = migrate_wal(postgres_dsn(from_environment(a.conn_id)))
    print("\n".join(f"applied {name}" for name in applied) or "the write-ahead log's schema is up to date")
    return 0


def run_once(a: Namespace) -> int:
    """Plan, write, commit and publish once; commits all staged parts.

    An error of one step does not stop the others, and is raised at the end.
    """
    faults: list[LakelockError] = []
    with opened(a.file) as runtime:
        try:
            planned = runtime.plan(a.max_records)
            print(f"plan: {planned.line}", flush=True)
            if planned.batch_id is not None:
                # One name per file and machine: after a crash the next call continues at once.
                run = f"cli/{socket.gethostname()}/{runtime.pipeline.name}"
                runtime.write_run(
                    new_id(), run, planned.batch_id, a.max_records, lambda w: print(f"write: {w.line}", flush=True)
                )
        except LakelockError as fault:
            faults.append(fault)
        tables = [t.name for t in runtime.file.tables]
        for table in [*tables, runtime.file.dead_letter_table]:
            try:
                for outcome in runtime.commit([table], now=True):
                    print(f"commit: {outcome.line}", flush=True)
            except LakelockError as fault:
                faults.append(fault)
        if runtime.file.route is not None:
            try:
                runtime.commit(
                    [], now=True, report=lambda o: print(f"commit: {o.line}", flush=True), share=CommitShare()
                )
            except LakelockError as fault:
                faults.append(fault)
        try:
            print(f"publish: {runtime.publish()}")
        except LakelockError as fault:
            faults.append(fault)
    for further in dict.fromkeys(map(str, faults[1:])):
        if further != str(faults[0]):
            print(f"lakelock: {further}", file=sys.stderr)
    if faults:
        raise faults[0]
    return 0


def cancel(a: Namespace) -> int:
    with opened(a.file) as runtime:
        stopped = runtime.cancel()
    name = runtime.file.name
    print(
        f"stopped {counted(stopped, 'job')} of {name}; the next run reads unstaged records again"
        if stopped
        else f"no job of {name} was running; jobs of another lakelock release or another Python are not visible"
    )
    return 0
