"""The commands that keep tables small: `compact`, `rewrite-manifests`, `expire` and `orphans`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from lakelock.app.runtime import Runtime
from lakelock.cli.exit_codes import report_faults, suggest_yes
from lakelock.cli.opening import opened, require_table
from lakelock.config.rules import ORPHANS_AFTER_AT_LEAST
from lakelock.errors import ConfigFaults, LakelockError, State
from lakelock.model.units import format_duration, milliseconds
from lakelock.upkeep.compact import CompactOutcome
from lakelock.upkeep.expire import ExpiryOutcome
from lakelock.upkeep.orphans import OrphansOutcome
from lakelock.upkeep.rewrite_manifests import ManifestsOutcome


def compact(file: Path, table: str | None, *, dry_run: bool) -> int:
    """Compact tables; no row changes, and no file is deleted."""
    with opened(file) as runtime:
        settings = runtime.compact_settings
        act = (lambda name: runtime.compaction.plan(name, settings)) if dry_run else runtime.compact
        return _rewritten(_tidied(runtime, table, act), dry_run=dry_run)


def rewrite_manifests(file: Path, table: str | None, *, dry_run: bool) -> int:
    """Rewrite manifests; no data file changes, and no file is deleted."""
    with opened(file) as runtime:
        rewrite = runtime.manifest_rewrite
        return _rewritten(_tidied(runtime, table, rewrite.plan if dry_run else rewrite.rewrite), dry_run=dry_run)


def expire(file: Path, table: str | None, older_than: timedelta | None, keep: int | None, *, yes: bool) -> int:
    """Preview an expiry; with *yes* perform it."""
    with opened(file) as runtime:
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
    """Preview a clean-up; with *yes* perform it."""
    if older_than is not None and older_than < ORPHANS_AFTER_AT_LEAST:
        raise ConfigFaults(
            f"--older-than must be at least {format_duration(ORPHANS_AFTER_AT_LEAST)}: younger files may still be needed.",
            State.NOTHING_CHANGED,
        )
    with opened(file) as runtime:
        age_ms = milliseconds(older_than or runtime.pipeline.maintenance.orphans_after)
        act = runtime.orphans.clean_up if yes else runtime.orphans.plan
        return _shown(_tidied(runtime, table, lambda name: act(name, age_ms)), yes=yes)


def _tidied(
    runtime: Runtime,
    table: str | None,
    act: Callable[[str], CompactOutcome | ExpiryOutcome | ManifestsOutcome | OrphansOutcome],
) -> tuple[int, bool]:
    """Act on every table, even if some fail. Returns the exit code, and whether anything was due."""
    if table:
        require_table(runtime, table)
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
    return report_faults(faults), due


def _rewritten(tidied: tuple[int, bool], *, dry_run: bool) -> int:
    code, due = tidied
    if dry_run and due:
        print("Nothing was changed. Repeat without --dry-run to run it.")
    return code


def _shown(tidied: tuple[int, bool], *, yes: bool) -> int:
    code, due = tidied
    if not yes:
        suggest_yes(due)
    return code
