"""Decision commands: `rollback`, `recover`, `accept-loss`, `retire`, `rebind`, `pause`, `resume`, `apply`."""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace

from lakelock.cli.exit_codes import previewed, suggest_yes
from lakelock.cli.opening import opened, operator, require_table
from lakelock.cli.reports import audited
from lakelock.gaps.gap_preview import Which
from lakelock.model.ledger import Mode
from lakelock.model.operator_log import What


def rollback(a: Namespace) -> int:
    """Preview a rollback and print its command; with --yes and --seen, perform it and audit."""
    _refuse_unseen(a)
    table, to, mode = a.table, a.to, Mode(a.mode)
    with opened(a.file) as runtime:
        require_table(runtime, table)
        rollbacks = runtime.rollbacks
        if not a.yes:
            planned = rollbacks.preview(table, to, mode)
            print("\n".join(planned.lines), flush=True)
            where = ["--to", str(planned.to.id), "--seen", str(planned.shown.version_id)]
            line = ["rollback", str(a.file), "--table", table, *where, "--mode", a.mode, "--why", a.why, "--yes"]
            print(f"Nothing was changed. To run it:\n  bin/lakelock {shlex.join(line)}")
            return 0
        version_id = rollbacks.roll_back(table, to, mode, operator(), a.why, rollbacks.shown_at(table, a.seen))
        done = f"done: snapshot {version_id} has the state of {to}"
        print("already done before; nothing was changed" if version_id is None else done, flush=True)
        return audited(runtime)


def recover(a: Namespace) -> int:
    """Preview a recovery; with --yes perform it, then audit. Exit code 1 if something is left to the operator."""
    with opened(a.file) as runtime:
        recovery = runtime.recovery(
            operator(), Mode(a.mode), announced=a.restored, take_over=a.take_over, accept_loss=a.accept_loss
        )
        found = recovery.recover() if a.yes else recovery.preview()
        print("\n".join(f.line for f in found) or "nothing to recover")
        left = any(f.left for f in found)
        if not a.yes:
            suggest_yes(any(not f.left for f in found))
            return 1 if left else 0
        code = audited(runtime)
    return 1 if left else code


def retire(a: Namespace) -> int:
    """As `decide`, also about a routed table."""
    if a.table is None:
        return decide(a)
    with opened(a.file) as runtime:
        require_table(runtime, a.table, a.command)
        planned = runtime.retiring.preview(a.table)
        if previewed(planned, yes=a.yes):
            runtime.retiring.retire(a.table, a.who or operator(), a.why, planned.shown)
            print("done", flush=True)
    return 0


def decide(a: Namespace) -> int:
    """Preview a decision about topics; with --yes record it, then audit."""
    which = _which(a)
    with opened(a.file) as runtime:
        planned = runtime.decisions.preview(which)
        if not previewed(planned, yes=a.yes):
            return 0
        done = runtime.decisions.decide(which, a.who or operator(), a.why, planned.shown)
        if not done.idle:
            print("done", flush=True)
        return audited(runtime)


def pause_or_resume(a: Namespace) -> int:
    with opened(a.file) as runtime:
        require_table(runtime, a.table)
        planned = runtime.pausing.preview(a.table, What(a.command))
        if previewed(planned, yes=a.yes):
            runtime.pausing.decide(a.table, What(a.command), a.who or operator(), a.why)
            print("done", flush=True)
    return 0


def apply(a: Namespace) -> int:
    """Preview what the file says of existing tables; with --yes change them. What cannot be applied is no fault."""
    with opened(a.file) as runtime:
        if a.table is not None:
            require_table(runtime, a.table)
        applying = runtime.applying
        planned = applying.preview(a.table)
        if previewed(planned, yes=a.yes):
            applying.apply(a.table, a.who or operator(), a.why, planned.shown)
            print("done", flush=True)
    return 0


def rebind(a: Namespace) -> int:
    """As `decide`, also about a table; the audit shows the records that the new table still lacks."""
    if a.table is None:
        return decide(a)
    with opened(a.file) as runtime:
        require_table(runtime, a.table, a.command)
        planned = runtime.rebinding.preview(a.table, a.accept_loss)
        if not previewed(planned, yes=a.yes, more=" --accept-loss" if planned.refused else ""):
            return 0
        runtime.rebinding.rebind(a.table, a.accept_loss, a.who or operator(), a.why, planned.shown)
        print("done", flush=True)
        return audited(runtime)


def _refuse_unseen(a: Namespace) -> None:
    """Refuse --yes without exact snapshots: `last:1` may be another commit a moment later, or in a repeated command."""
    if a.yes and (a.seen is None or not a.to.isdigit()):
        print(
            "lakelock rollback: --yes runs only a previewed rollback: run it without --yes, then run the command that it prints, "
            "with --to and --seen",
            file=sys.stderr,
        )
        raise SystemExit(2)


def _which(a: Namespace) -> Which:
    which = Which(
        What(a.command),
        a.topic,
        getattr(a, "partition", None),
        getattr(a, "start", None),
        getattr(a, "end", None),
    )
    if fault := which.fault:
        print(f"lakelock {a.command}: {fault}", file=sys.stderr)
        raise SystemExit(2)
    return which
