"""The commands that keep tables small: `compact`, `rewrite-manifests`, `expire` and `orphans`."""

from __future__ import annotations

import dataclasses
from argparse import Namespace
from collections.abc import Callable

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


def compact(a: Namespace) -> int:
    """Compact tables; no row changes, and no file is deleted."""
    with opened(a.file) as runtime:
        settings = runtime.compact_settings
        act = (lambda name: runtime.compaction.preview(name, settings)) if a.dry_run else runtime.compact
        return _rewritten(_tidied(runtime, a.table, act), dry_run=a.dry_run)


def rewrite_manifests(a: Namespace) -> int:
    """Rewrite manifests; no data file changes, and no file is deleted."""
    with opened(a.file) as runtime:
        rewrite = runtime.manifest_rewrite
        return _rewritten(
            _tidied(runtime, a.table, rewrite.preview if a.dry_run else rewrite.rewrite), dry_run=a.dry_run
        )


def expire(a: Namespace) -> int:
    """Preview an expiry; with --yes perform it."""
    with opened(a.file) as runtime:
        window, limits = runtime.pipeline.commit.rollback_window, runtime.expiry_limits
        if a.older_than is not None:
            if window is not None and a.older_than < window:
                raise ConfigFaults(
                    f"--older-than {format_duration(a.older_than)} is shorter than commit.rollback_window "
                    f"({format_duration(window)}), within which every rollback must stay possible.",
                    State.NOTHING_CHANGED,
                )
            limits = dataclasses.replace(limits, age_ms=milliseconds(a.older_than))
        if a.keep is not None:
            limits = dataclasses.replace(limits, keep=a.keep)
        act = runtime.expiry.expire if a.yes else runtime.expiry.preview
        return _shown(_tidied(runtime, a.table, lambda name: act(name, limits)), yes=a.yes)


def orphans(a: Namespace) -> int:
    """Preview a clean-up; with --yes perform it."""
    if a.older_than is not None and a.older_than < ORPHANS_AFTER_AT_LEAST:
        raise ConfigFaults(
            f"--older-than must be at least {format_duration(ORPHANS_AFTER_AT_LEAST)}: younger files may still be needed.",
            State.NOTHING_CHANGED,
        )
    with opened(a.file) as runtime:
        age_ms = milliseconds(a.older_than or runtime.pipeline.maintenance.orphans_after)
        act = runtime.orphans.clean_up if a.yes else runtime.orphans.preview
        return _shown(_tidied(runtime, a.table, lambda name: act(name, age_ms)), yes=a.yes)


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
