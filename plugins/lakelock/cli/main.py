"""lakelock: run the steps of a pipeline from a shell, for operators without the UI and for tests.

Connections come from Airflow's environment form, e.g.
AIRFLOW_CONN_KAFKA_DEFAULT='{"conn_type": "kafka", "extra": {"bootstrap.servers": "broker:9092"}}'.
Exit codes: 0 done, 1 a fault to fix, 2 wrong usage, 3 try again later.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lakelock.cli.exit_codes import exit_code
from lakelock.cli.parser import parser
from lakelock.errors import LakelockError

if TYPE_CHECKING:
    from lakelock.backfill.span import Span
    from lakelock.gaps.plan import Which


def main(argv: Sequence[str] | None = None) -> int:
    arguments = parser().parse_args(argv)
    logging.basicConfig(
        level=logging.INFO if arguments.verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
    try:
        return _run(arguments)
    except LakelockError as fault:
        print(f"lakelock: {fault}", file=sys.stderr)
        return exit_code([fault])
    except KeyboardInterrupt:
        print(
            "lakelock: interrupted. Planned and staged data is kept, and the next run continues.",
            file=sys.stderr,
        )
        return 130
    except BrokenPipeError:
        # The reader of the output has closed it. Without this Python complains at its last flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _which(a: argparse.Namespace) -> Which:
    from lakelock.gaps.plan import Which
    from lakelock.model.operator_log import What

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


def _span(a: argparse.Namespace) -> Span | None:
    """None to continue pending backfills."""
    from lakelock.backfill.span import Span

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


def _refuse_unseen(a: argparse.Namespace) -> None:
    """Refuse --yes without exact snapshots: `last:1` may be another commit a moment later, or in a repeated command."""
    if a.yes and (a.seen is None or not a.to.isdigit()):
        print(
            "lakelock rollback: --yes runs only a previewed rollback: run it without --yes, then run the command that it prints, "
            "with --to and --seen",
            file=sys.stderr,
        )
        raise SystemExit(2)


def _run(arguments: argparse.Namespace) -> int:
    from lakelock.cli import decisions, reports, running

    _require_files([*getattr(arguments, "files", []), *([arguments.file] if "file" in arguments else [])])
    match arguments.command:
        case "migrate":
            return running.migrate(arguments.conn_id)
        case "check":
            from lakelock.cli import check as checking

            return checking.check(_files(arguments.files), arguments.sample, as_json=arguments.json)
        case "run":
            return running.run_once(arguments.file, arguments.max_records)
        case "status":
            return reports.status(_files(arguments.files), as_json=arguments.json)
        case "audit":
            files = _files(arguments.files)
            return reports.audit(files, as_json=arguments.json, count_rows=not arguments.no_rows)
        case "rollback":
            a = arguments
            _refuse_unseen(a)
            return decisions.rollback(a.file, a.table, a.to, a.mode, a.why, a.seen if a.yes else None)
        case "recover":
            a = arguments
            flags = {"restored": a.restored, "take_over": a.take_over, "accept_loss": a.accept_loss}
            return decisions.recover(a.file, a.mode, **flags, yes=a.yes)
        case "backfill" | "replace":
            return _bring(arguments)
        case "redrive":
            from lakelock.cli import redrive as redriving

            return redriving.redrive(arguments)
        case "cancel":
            return running.cancel(arguments.file)
        case "compact" | "expire" | "rewrite-manifests" | "orphans":
            return _tidy(arguments)
        case "accept-loss" | "pause" | "rebind" | "resume" | "retire":
            return _decide(arguments)
    raise AssertionError(arguments.command)


def _decide(a: argparse.Namespace) -> int:
    from lakelock.cli import decisions
    from lakelock.model.operator_log import What

    if a.command in ("pause", "resume"):
        return decisions.pause_or_resume(a.file, a.table, What(a.command), a.why, a.who, yes=a.yes)
    if a.command == "rebind" and a.table is not None:
        return decisions.rebind(a.file, a.table, a.why, a.who, accept_loss=a.accept_loss, yes=a.yes)
    return decisions.decide(a.file, _which(a), a.why, a.who, yes=a.yes)


def _bring(a: argparse.Namespace) -> int:
    from lakelock.cli import bring_records

    span = _span(a)
    if a.command == "replace":
        assert span is not None
        return bring_records.replace(a.file, span, a.why, a.who, yes=a.yes)
    return bring_records.backfill(a.file, span, a.why, a.who, yes=a.yes)


def _tidy(a: argparse.Namespace) -> int:
    from lakelock.cli import upkeep

    match a.command:
        case "compact":
            return upkeep.compact(a.file, a.table, dry_run=a.dry_run)
        case "expire":
            return upkeep.expire(a.file, a.table, a.older_than, a.keep, yes=a.yes)
        case "rewrite-manifests":
            return upkeep.rewrite_manifests(a.file, a.table, dry_run=a.dry_run)
    return upkeep.orphans(a.file, a.table, a.older_than, yes=a.yes)


def _require_files(named: Sequence[Path]) -> None:
    """Exit with wrong usage for a path that leads to no file: that is no fault of a file."""
    for path in named:
        if not path.exists() or path.is_dir():
            folder, found = _pipeline_files()
            known = ", ".join(p.name for p in found) or "none"
            what = "this is a folder" if path.is_dir() else "no such file"
            print(f"lakelock: {what}: {path} (pipeline files in {folder}: {known})", file=sys.stderr)
            raise SystemExit(2)


def _files(named: Sequence[Path]) -> Sequence[Path]:
    """The named files, else all of the folder that the DAGs come from. Exits with wrong usage if there are none."""
    if named:
        return named
    folder, found = _pipeline_files()
    if not found:
        print(f"lakelock: no pipeline file in {folder}. Name files, or set LAKELOCK_PIPELINES.", file=sys.stderr)
        raise SystemExit(2)
    return found


def _pipeline_files() -> tuple[Path, Sequence[Path]]:
    from lakelock.config.loading import pipeline_files

    folder = Path(os.environ.get("LAKELOCK_PIPELINES") or Path(__file__).parents[3] / "dags" / "pipelines")
    return folder, pipeline_files(folder) if folder.is_dir() else ()
