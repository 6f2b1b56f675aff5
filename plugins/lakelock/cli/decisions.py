"""Decision commands: `rollback`, `recover`, `accept-loss`, `retire`, `rebind`, `pause`, `resume`."""

from __future__ import annotations

import shlex
from pathlib import Path

from lakelock.cli.exit_codes import previewed, suggest_yes
from lakelock.cli.opening import opened, operator, require_table
from lakelock.cli.reports import audited
from lakelock.gaps.plan import Which
from lakelock.model.ledger import Mode
from lakelock.model.operator_log import What


def rollback(file: Path, table: str, to: str, mode: str, why: str, seen: int | None) -> int:
    """Preview a rollback and print its command; with *seen*, the newest snapshot then, perform it and audit."""
    with opened(file) as runtime:
        require_table(runtime, table)
        rollbacks = runtime.rollbacks
        if seen is None:
            planned = rollbacks.plan(table, to, Mode(mode))
            print("\n".join(planned.lines), flush=True)
            where = ["--to", str(planned.to.snapshot_id), "--seen", str(planned.shown.snapshot_id)]
            line = ["rollback", str(file), "--table", table, *where, "--mode", mode, "--why", why, "--yes"]
            print(f"Nothing was changed. To run it:\n  bin/lakelock {shlex.join(line)}")
            return 0
        snapshot_id = rollbacks.roll_back(table, to, Mode(mode), operator(), why, rollbacks.shown_at(table, seen))
        done = f"done: snapshot {snapshot_id} has the state of {to}"
        print("already done before; nothing was changed" if snapshot_id is None else done, flush=True)
        return audited(runtime)


def recover(file: Path, mode: str, *, restored: bool, take_over: bool, accept_loss: bool, yes: bool) -> int:
    """Preview a recovery; with *yes* perform it, then audit. Exit code 1 if something is left to the operator."""
    with opened(file) as runtime:
        recovery = runtime.recovery(
            operator(), Mode(mode), announced=restored, take_over=take_over, accept_loss=accept_loss
        )
        found = recovery.recover() if yes else recovery.preview()
        print("\n".join(f.line for f in found) or "nothing to recover")
        left = any(f.left for f in found)
        if not yes:
            suggest_yes(any(not f.left for f in found))
            return 1 if left else 0
        code = audited(runtime)
    return 1 if left else code


def decide(file: Path, which: Which, why: str, who: str | None, *, yes: bool) -> int:
    """Preview a decision; with *yes* record it, then audit."""
    with opened(file) as runtime:
        planned = runtime.decisions.plan(which)
        if not previewed(planned, yes=yes):
            return 0
        done = runtime.decisions.decide(which, who or operator(), why, planned.shown)
        if not done.idle:
            print("done", flush=True)
        return audited(runtime)


def pause_or_resume(file: Path, table: str, what: What, why: str, who: str | None, *, yes: bool) -> int:
    with opened(file) as runtime:
        require_table(runtime, table)
        planned = runtime.pausing.plan(table, what)
        if previewed(planned, yes=yes):
            runtime.pausing.decide(table, what, who or operator(), why)
            print("done", flush=True)
    return 0


def rebind(file: Path, table: str, why: str, who: str | None, *, accept_loss: bool, yes: bool) -> int:
    """As `decide`; the audit shows the records that the new table still lacks."""
    with opened(file) as runtime:
        require_table(runtime, table)
        planned = runtime.rebinding.plan(table, accept_loss)
        if not previewed(planned, yes=yes, more=" --accept-loss" if planned.refused else ""):
            return 0
        runtime.rebinding.rebind(table, accept_loss, who or operator(), why, planned.shown)
        print("done", flush=True)
        return audited(runtime)
