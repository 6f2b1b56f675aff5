"""What each command of the CLI does."""

from __future__ import annotations

import dataclasses
import difflib
import getpass
import json
import os
import shlex
import socket
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import TypeVar

from lakelock.adapters.airflow import connections
from lakelock.adapters.wal import migrate as migrate_wal
from lakelock.app.runtime import Runtime
from lakelock.app.servers import new_id
from lakelock.audit.audit import PipelineAudit
from lakelock.audit.text import audit_text
from lakelock.backfill.span import Span
from lakelock.config import load_pipeline
from lakelock.config.rules import ORPHANS_AFTER_AT_LEAST
from lakelock.errors import LATER, ConfigFaults, LakelockError, State
from lakelock.gaps.plan import Which
from lakelock.model.ledger import Mode
from lakelock.model.offsets import OffsetRange
from lakelock.model.units import counted, format_duration, milliseconds
from lakelock.monitor.status import PipelineStatus
from lakelock.monitor.text import status_text
from lakelock.redrive.plan import Asked
from lakelock.upkeep.compact import CompactOutcome
from lakelock.upkeep.expire import ExpiryOutcome
from lakelock.upkeep.orphans import OrphansOutcome
from lakelock.upkeep.rewrite_manifests import ManifestsOutcome

T = TypeVar("T")


def _open(file: Path) -> closing[Runtime]:
    return closing(Runtime(load_pipeline(file), connections.from_environment))


def migrate(conn_id: str) -> int:
    applied = migrate_wal(connections.postgres_dsn(connections.from_environment(conn_id)))
    print("\n".join(f"applied {name}" for name in applied) or "the write-ahead log's schema is up to date")
    return 0


def run_once(file: Path, max_records: int | None) -> int:
    """Plan, write, commit, publish; commits whatever is staged. A fault of one step does not keep the others from
    doing their part, and is the command's result."""
    faults: list[LakelockError] = []
    with _open(file) as runtime:
        try:
            planned = runtime.plan(max_records)
            print(f"plan: {planned.line}", flush=True)
            if planned.batch_id is not None:
                # One name for this file on this machine: after a crash the next call goes on at once.
                run = f"cli/{socket.gethostname()}/{runtime.pipeline.name}"
                runtime.write_run(
                    new_id(), run, planned.batch_id, max_records, lambda w: print(f"write: {w.line}", flush=True)
                )
        except LakelockError as fault:
            faults.append(fault)
        tables = [t.name for t in runtime.pipeline.tables]
        for table in [*tables, runtime.pipeline.dead_letter_table]:
            try:
                for outcome in runtime.commit([table], now=True):
                    print(f"commit: {outcome.line}", flush=True)
            except LakelockError as fault:
                faults.append(fault)
        try:
            print(f"publish: {runtime.publish()}")
        except LakelockError as fault:
            faults.append(fault)
    for further in faults[1:]:
        print(f"lakelock: {further}", file=sys.stderr)
    if faults:
        raise faults[0]
    return 0


def cancel(file: Path) -> int:
    with _open(file) as runtime:
        stopped = runtime.cancel()
    name = runtime.pipeline.name
    print(
        f"stopped {counted(stopped, 'job')} of {name}; what was not staged is read again by the next run"
        if stopped
        else f"no job of {name} ran; those of another release of lakelock, or of another Python, are not seen"
    )
    return 0


def status(files: Sequence[Path], *, as_json: bool) -> int:
    """All pipelines, also when some cannot be read: 3 if a later try may read them, else 1."""
    found, faults = _each(files, Runtime.status)
    if as_json:
        _print_json(found, faults)
    else:
        print("\n\n".join(status_text(s) for s in found))
    return _told(faults)


def audit(files: Sequence[Path], *, as_json: bool, count_rows: bool) -> int:
    """All pipelines; 1 where anything is missing or twice, 3 where all that is wrong is that something cannot be read now."""
    found, faults = _each(files, lambda runtime: runtime.audit(count_rows))
    if as_json:
        _print_json(found, faults)
    else:
        print("\n\n".join(audit_text(a) for a in found))
    code = _told(faults)
    return 1 if any(not a.complete for a in found) else code


def rollback(file: Path, table: str, to: str, mode: str, why: str, seen: int | None) -> int:
    """Shows what would happen, and the command that does it; as that, with the newest snapshot *seen* then, it does it and ends
    with an audit of the pipeline."""
    with _open(file) as runtime:
        _named(runtime, table)
        rollbacks = runtime.rollbacks
        if seen is None:
            planned = rollbacks.plan(table, to, Mode(mode))
            print("\n".join(planned.lines), flush=True)
            where = ["--to", str(planned.to.snapshot_id), "--seen", str(planned.shown.snapshot_id)]
            line = ["rollback", str(file), "--table", table, *where, "--mode", mode, "--why", why, "--yes"]
            print(f"Nothing was changed. To do it:\n  bin/lakelock {shlex.join(line)}")
            return 0
        snapshot_id = rollbacks.roll_back(table, to, Mode(mode), _me(), why, rollbacks.shown_at(table, seen))
        done = f"done: snapshot {snapshot_id} shows what {to} showed"
        print("it was done before, nothing was changed" if snapshot_id is None else done, flush=True)
        return _proven(runtime)


def recover(file: Path, mode: str, *, restored: bool, take_over: bool, accept_loss: bool, yes: bool) -> int:
    """Shows what does not fit together; with *yes* mends it, and ends with an audit. 1 where something is left."""
    with _open(file) as runtime:
        recovery = runtime.recovery(_me(), Mode(mode), announced=restored, take_over=take_over, accept_loss=accept_loss)
        found = recovery.recover() if yes else recovery.look()
        print("\n".join(f.line for f in found) or "nothing to recover")
        left = any(f.left for f in found)
        if not yes:
            _only_shown(any(not f.left for f in found))
            return 1 if left else 0
        proven = _proven(runtime)
    return 1 if left else proven


def compact(file: Path, table: str | None, *, dry_run: bool) -> int:
    """Rewrites what is due; no row changes, and no file is deleted."""
    with _open(file) as runtime:
        settings = runtime.compact_settings
        act = (lambda name: runtime.compaction.plan(name, settings)) if dry_run else runtime.compact
        return _rewritten(_tidied(runtime, table, act), dry_run=dry_run)


def rewrite_manifests(file: Path, table: str | None, *, dry_run: bool) -> int:
    """Rewrites what is due; no data file changes, and no file is deleted."""
    with _open(file) as runtime:
        rewrite = runtime.manifest_rewrite
        return _rewritten(_tidied(runtime, table, rewrite.plan if dry_run else rewrite.rewrite), dry_run=dry_run)


def expire(file: Path, table: str | None, older_than: timedelta | None, keep: int | None, *, yes: bool) -> int:
    """Shows what would expire; with *yes* does it."""
    with _open(file) as runtime:
        window, limits = runtime.pipeline.commit.rollback_window, runtime.expiry_limits
        if older_than is not None:
            if window is not None and older_than < window:
                raise ConfigFaults(
                    f"--older-than {format_duration(older_than)} is shorter than commit.rollback_window "
                    f"({format_duration(window)}), within which every rollback must stay possible.",
                    State.NOTHING_CHANGED,
                )
            limits = dataclasses.replace(limits, age_ms=milliseconds(older_than))
        if keep is not None:
            limits = dataclasses.replace(limits, keep=keep)
        act = runtime.expiry.expire if yes else runtime.expiry.plan
        return _shown(_tidied(runtime, table, lambda name: act(name, limits)), yes=yes)


def orphans(file: Path, table: str | None, older_than: timedelta | None, *, yes: bool) -> int:
    """Shows what would be deleted; with *yes* does it."""
    if older_than is not None and older_than < ORPHANS_AFTER_AT_LEAST:
        raise ConfigFaults(
            f"--older-than must be at least {format_duration(ORPHANS_AFTER_AT_LEAST)}: younger files may be of use yet.",
            State.NOTHING_CHANGED,
        )
    with _open(file) as runtime:
        age_ms = milliseconds(older_than or runtime.pipeline.maintenance.orphans_after)
        act = runtime.orphans.clean_up if yes else runtime.orphans.plan
        return _shown(_tidied(runtime, table, lambda name: act(name, age_ms)), yes=yes)


def _tidied(
    runtime: Runtime,
    table: str | None,
    act: Callable[[str], CompactOutcome | ExpiryOutcome | ManifestsOutcome | OrphansOutcome],
) -> tuple[int, bool]:
    """Every table, also when some cannot be tidied: as with `status`. The exit code, and whether anything was due."""
    if table:
        _named(runtime, table)
    faults: dict[str, LakelockError] = {}
    due = False
    for name in [table] if table else runtime.all_tables():
        try:
            outcome = act(name)
        except LakelockError as fault:
            faults[name] = fault
        else:
            print(outcome.line, flush=True)
            due = due or not outcome.nothing
    return _told(faults), due


def _rewritten(tidied: tuple[int, bool], *, dry_run: bool) -> int:
    code, due = tidied
    if dry_run and due:
        print("Nothing was changed. Repeat without --dry-run to do it.")
    return code


def _shown(tidied: tuple[int, bool], *, yes: bool) -> int:
    code, due = tidied
    if not yes:
        _only_shown(due)
    return code


def backfill(file: Path, span: Span | None, why: str, who: str | None, *, yes: bool) -> int:
    """Shows what would be asked for; with *yes* asks, reads and commits it, and ends with an audit. Without a *span* it goes on
    with what was asked for before."""
    with _open(file) as runtime:
        if span is not None and span.table is not None:
            _named(runtime, span.table)
        if span is None:
            lines = runtime.backfills.waiting().lines
            print("\n".join(lines) or "nothing is asked for")
            if not yes:
                _only_shown(bool(lines))
            if not lines or not yes:
                return 0
            code = _filled(runtime, None, runtime.backfills.go_on())
            runtime.backfills.check_all()
            return code
        planned = runtime.backfills.plan(span)
        print("\n".join(planned.lines), flush=True)
        if not yes:
            _only_shown(not planned.nothing)
        if not yes or (planned.nothing and not planned.left_out):
            return 0
        runtime.backfills.ask(planned, who or _me(), why)
        code = _filled(runtime, planned.interval, list(planned.shares))
        runtime.backfills.check(planned)
        return code


def replace(file: Path, span: Span, why: str, who: str | None, *, yes: bool) -> int:
    """Shows what would be read again; with *yes* reads it and swaps it for what is there, and ends with an audit. 1 where a table
    is refused."""
    with _open(file) as runtime:
        if span.table is not None:
            _named(runtime, span.table)
        planned = runtime.replacing.plan(span)
        print("\n".join(planned.lines), flush=True)
        if not yes:
            _only_shown(not planned.nothing)
            return 1 if planned.refused else 0
        runtime.replace(span, who or _me(), why, lambda o: print(f"replace: {o.line}", flush=True))
        return _proven(runtime)


def _filled(runtime: Runtime, interval: Sequence[OffsetRange] | None, tables: Sequence[str]) -> int:
    # Of its own: two that run at once leave each other's batches alone.
    run = f"cli/{socket.gethostname()}/{os.getpid()}/{runtime.pipeline.name}/backfill"
    fault: LakelockError | None = None
    try:
        runtime.backfill(new_id(), run, interval, lambda w: print(f"write: {w.line}", flush=True))
    except LakelockError as stop:
        # What was written lands all the same.
        fault = stop
    for outcome in runtime.commit(tables, now=True):
        print(f"commit: {outcome.line}", flush=True)
    if fault is not None:
        raise fault
    return _proven(runtime)


def decide(file: Path, which: Which, why: str, who: str | None, *, yes: bool) -> int:
    """Shows what would be declared; with *yes* does it, and ends with an audit."""
    with _open(file) as runtime:
        planned = runtime.decisions.plan(which)
        print("\n".join(planned.lines), flush=True)
        if not yes:
            _only_shown(not planned.nothing)
        if planned.nothing or not yes:
            return 0
        done = runtime.decisions.decide(which, who or _me(), why, planned.shown)
        if not done.idle:
            print("done", flush=True)
        return _proven(runtime)


def redrive(file: Path, asked: Asked, why: str, who: str | None, *, yes: bool) -> int:
    """As `decide`; what still does not fit stays a dead letter, and is told. 1, too, where a table was left out."""
    with _open(file) as runtime:
        if asked.table is not None:
            _named(runtime, asked.table)
        planned = runtime.redrives.plan(asked)
        print("\n".join(planned.lines), flush=True)
        if not yes:
            _only_shown(not planned.nothing)
        left_out = any(t.left_out for t in planned.tables)
        if planned.nothing or not yes:
            return int(left_out)
        runtime.redrive(asked, who or _me(), why, planned.shown, lambda done: print("\n".join(done.lines), flush=True))
        return max(_proven(runtime), int(left_out))


def rebind(file: Path, table: str, why: str, who: str | None, *, accept_loss: bool, yes: bool) -> int:
    """As `decide`; the audit shows what the new table is still to get."""
    with _open(file) as runtime:
        _named(runtime, table)
        planned = runtime.rebinding.plan(table, accept_loss)
        print("\n".join(planned.lines), flush=True)
        if not yes:
            _only_shown(not planned.nothing, " --accept-loss" if planned.refused else "")
        if planned.nothing or not yes:
            return 0
        runtime.rebinding.rebind(table, accept_loss, who or _me(), why, planned.shown)
        print("done", flush=True)
        return _proven(runtime)


def _named(runtime: Runtime, table: str) -> None:
    """A table that neither the file nor the log knows is wrong usage, as an unknown key of the file is a fault."""
    pipeline = runtime.pipeline
    known = [*(t.name for t in pipeline.tables), pipeline.dead_letter_table]
    if table in known or table in (known := [*dict.fromkeys([*known, *runtime.log.bound(pipeline.name)])]):
        return
    near = difflib.get_close_matches(table, known, n=1)
    asked = f" Did you mean {near[0]}?" if near else ""
    print(
        f"lakelock: {table!r} is no table of pipeline {pipeline.name!r}.{asked} Its tables: {', '.join(known)}.",
        file=sys.stderr,
    )
    raise SystemExit(2)


def _only_shown(due: bool, more: str = "") -> None:
    """*due* is whether there is anything to do."""
    if due:
        print(f"Nothing was changed. Repeat with{more} --yes to do it.")


def _proven(runtime: Runtime) -> int:
    """The exit code of an audit, which is printed."""
    found = runtime.audit()
    print(audit_text(found))
    return 0 if found.complete else 1


def _me() -> str:
    return f"{getpass.getuser()}@{socket.gethostname()}"


def _each(files: Sequence[Path], ask: Callable[[Runtime], T]) -> tuple[list[T], dict[str, LakelockError]]:
    """Answers of the pipelines that can be read, and why the others cannot."""
    found: list[T] = []
    faults: dict[str, LakelockError] = {}
    for file in files:
        try:
            with _open(file) as runtime:
                found.append(ask(runtime))
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


def _told(faults: Mapping[str, LakelockError]) -> int:
    for name, problem in faults.items():
        print(f"lakelock: {name}: {problem}", file=sys.stderr)
    return exit_code(faults.values())


def exit_code(faults: Collection[LakelockError]) -> int:
    """3 where a later try may do without anybody's help."""
    if not faults:
        return 0
    return 3 if all(isinstance(fault, LATER) for fault in faults) else 1


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    return value.value if isinstance(value, Enum) else str(value)
