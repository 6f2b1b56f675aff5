"""lakelock: the steps of a pipeline from a shell, for operators without the UI and for tests.

Connections come from Airflow's environment form, e.g.
AIRFLOW_CONN_KAFKA_DEFAULT='{"conn_type": "kafka", "extra": {"bootstrap.servers": "broker:9092"}}'.
Exit codes: 0 done, 1 a fault that a person must mend, 2 wrong usage, 3 try again later.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lakelock import __version__
from lakelock.errors import LATER, LakelockError

if TYPE_CHECKING:
    from lakelock.backfill.span import Span
    from lakelock.gaps.plan import Which
    from lakelock.redrive.plan import Asked

# Records of `check --sample` without a number.
SAMPLED = 1000
DEFAULT_WAL_CONN_ID = "lakelock_postgres"


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="lakelock", description="Kafka topics into lakehouse tables, exactly once.")
    parser.add_argument("--version", action="version", version=f"lakelock {__version__}")
    parser.add_argument("-v", "--verbose", action="store_true", help="log every step")
    commands = parser.add_subparsers(dest="command", required=True)

    migrate = commands.add_parser("migrate", help="bring the write-ahead log's schema in Postgres up to this release")
    migrate.add_argument("--conn-id", default=DEFAULT_WAL_CONN_ID, help="Airflow connection (default: %(default)s)")

    check = commands.add_parser(
        "check",
        help="check pipeline files and every server they need, and what they will make, do and cost; writes nothing of yours",
    )
    check.add_argument(
        "--sample",
        type=int,
        nargs="?",
        const=SAMPLED,
        metavar="N",
        help="after the files: read the newest N records (%(const)s) without a consumer group; print columns, rows, dead letters",
    )

    run = commands.add_parser("run", help="run a pipeline without Airflow")
    run.add_argument("file", type=Path)
    run.add_argument("--once", action="store_true", required=True, help="one whole cycle: plan, write, commit, publish")
    run.add_argument("--max-records", type=_positive, help="read at most this many offsets")

    status = commands.add_parser("status", help="lag, open batches and last commits of pipelines")
    audit = commands.add_parser(
        "audit",
        help="prove that the tables hold each offset once: ledger, books, and rows counted by DuckDB; only reads",
    )
    for report in (check, status, audit):
        report.add_argument("files", type=Path, nargs="*", help="pipeline files (default: all of the pipelines folder)")
        report.add_argument("--json", action="store_true", help="one JSON document instead of tables")
    audit.add_argument("--no-rows", action="store_true", help="compare ledger and books only, open no data file")

    rollback = commands.add_parser(
        "rollback", help="set a table back to an earlier snapshot, also while the pipeline runs"
    )
    rollback.add_argument("file", type=Path)
    rollback.add_argument("--table", required=True)
    rollback.add_argument(
        "--to",
        required=True,
        help="a snapshot id, a time like 2026-01-31T12:00:00Z, or last:N for the state before the last N commits",
    )
    rollback.add_argument(
        "--mode",
        required=True,
        choices=("recommit", "replay", "skip"),
        help="what becomes of the rows: the same files land again, Kafka is read again, or they stay out",
    )
    rollback.add_argument("--why", required=True, help="the reason, kept in the table")
    rollback.add_argument(
        "--seen",
        type=_positive,
        metavar="SNAPSHOT",
        help="with --yes: the newest snapshot when it was shown; as printed then",
    )
    rollback.add_argument("--yes", action="store_true", help="do it; without, only what would happen is shown")

    recover = commands.add_parser(
        "recover", help="finish what is unfinished; rebuild a lost or restored Postgres from the tables"
    )
    recover.add_argument("file", type=Path)
    recover.add_argument(
        "--restored", action="store_true", help="Postgres was restored to an earlier moment: rebuild it from the tables"
    )
    recover.add_argument(
        "--take-over",
        action="store_true",
        help="the Postgres that the tables belong to is lost: this one, empty or not, takes its place",
    )
    recover.add_argument(
        "--mode",
        default="recommit",
        choices=("recommit", "replay", "skip"),
        help="what becomes of the rows that somebody took out of a table by hand (default: %(default)s)",
    )
    recover.add_argument(
        "--accept-loss",
        action="store_true",
        help="go on although Kafka no longer has what must then be read again; accept-loss declares that afterwards",
    )
    recover.add_argument("--yes", action="store_true", help="do it; without, only what was found is shown")

    _add_backfills(commands)
    _add_tidying(commands)
    _add_decisions(commands)

    arguments = parser.parse_args(argv)
    logging.basicConfig(
        level=logging.INFO if arguments.verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
    try:
        return _run(arguments)
    except LakelockError as fault:
        print(f"lakelock: {fault}", file=sys.stderr)
        return 3 if isinstance(fault, LATER) else 1
    except KeyboardInterrupt:
        print(
            "lakelock: interrupted. What was planned or staged is kept, and the next run goes on with it.",
            file=sys.stderr,
        )
        return 130
    except BrokenPipeError:
        # Whoever read the output has seen enough; without this Python complains when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _add_backfills(commands: Any) -> None:
    _add_replace(commands)
    backfill = commands.add_parser(
        "backfill",
        help="bring records of a time that tables do not have: before their start, left out, accepted as lost",
    )
    backfill.add_argument("file", type=Path)
    backfill.add_argument(
        "--from", dest="start", type=_moment, help="time of the first records, like 2026-01-31T12:00:00Z"
    )
    backfill.add_argument(
        "--to",
        dest="end",
        type=_moment,
        help="time behind the last ones (without both: goes on with what was asked for)",
    )
    backfill.add_argument("--table", help="this one alone (default: all tables that take the topics)")
    backfill.add_argument("--why", default="", help="the reason, kept in the table")
    backfill.add_argument("--who", help="who asked for it (default: this login)")
    backfill.add_argument("--yes", action="store_true", help="do it; without, only what would happen is shown")


def _add_replace(commands: Any) -> None:
    replace = commands.add_parser(
        "replace",
        help="read records of a time again and swap them for the rows that are there, after columns or the file were changed",
    )
    replace.add_argument("file", type=Path)
    replace.add_argument(
        "--from",
        dest="start",
        type=_moment,
        required=True,
        help="time of the first records, like 2026-01-31T12:00:00Z",
    )
    replace.add_argument("--to", dest="end", type=_moment, required=True, help="time behind the last ones")
    replace.add_argument("--table", help="this one alone (default: all tables that take the topics)")
    replace.add_argument("--why", required=True, help="the reason, kept in the table")
    replace.add_argument("--who", help="who asked for it (default: this login)")
    replace.add_argument("--yes", action="store_true", help="do it; without, only what would happen is shown")


def _add_tidying(commands: Any) -> None:
    cancel = commands.add_parser("cancel", help="stop the pipeline's jobs on Spark Connect; their tasks fail")
    cancel.add_argument("file", type=Path)
    compact = commands.add_parser(
        "compact", help="rewrite small data files into larger ones, with the same rows; also while the pipeline runs"
    )
    compact.add_argument("file", type=Path)
    expire = commands.add_parser(
        "expire", help="expire old snapshots, and delete the files that only they name; also while the pipeline runs"
    )
    expire.add_argument("file", type=Path)
    expire.add_argument(
        "--older-than", type=_duration, help="age, like 7d (default: maintenance.expire_after of the file)"
    )
    expire.add_argument(
        "--keep", type=_positive, help="newest snapshots that stay (default: maintenance.keep_at_least of the file)"
    )
    manifests = commands.add_parser(
        "rewrite-manifests",
        help="rewrite manifests into fewer ones, sorted by partition, so that readers open few; also while the pipeline runs",
    )
    manifests.add_argument("file", type=Path)
    orphans = commands.add_parser(
        "orphans", help="delete files of lost attempts that nothing names; also while the pipeline runs"
    )
    orphans.add_argument("file", type=Path)
    orphans.add_argument(
        "--older-than", type=_duration, help="age, like 1d (default: maintenance.orphans_after of the file)"
    )
    for rewriting in (compact, manifests):
        rewriting.add_argument("--dry-run", action="store_true", help="only show what would be rewritten")
    for tidying in (compact, expire, manifests, orphans):
        tidying.add_argument("--table", help="this one alone (default: all tables of the pipeline)")
    for deleting in (expire, orphans):
        deleting.add_argument("--yes", action="store_true", help="do it; without, only what would go is shown")


def _add_decisions(commands: Any) -> None:
    loss = commands.add_parser("accept-loss", help="go on without offsets that Kafka dropped before they were read")
    retire = commands.add_parser("retire", help="read no more of a topic or partition, be it gone or not")
    rebind = commands.add_parser(
        "rebind", help="go on with a table that was replaced, or a topic that was created again"
    )
    for command in (loss, retire, rebind):
        command.add_argument("file", type=Path)
        if command is not rebind:
            default = {"help": "(default: all topics)"} if command is loss else {}
            command.add_argument("--topic", required=command is retire, **default)
        command.add_argument("--why", required=True, help="the reason, kept in the table")
        command.add_argument("--who", help="who decided it (default: this login)")
        command.add_argument("--yes", action="store_true", help="do it; without, only what would happen is shown")
    for command in (loss, retire):
        command.add_argument("--partition", type=_offset, help="(default: all partitions)")
    what = rebind.add_mutually_exclusive_group(required=True)
    what.add_argument("--table", help="the table of this name is another one, or gone: then it is created")
    what.add_argument("--topic", help="the topic of this name is another one")
    rebind.add_argument(
        "--accept-loss", action="store_true", help="with --table: go on without what Kafka no longer holds for it"
    )
    loss.add_argument("--from", dest="start", type=_offset, help="first offset (default: all that Kafka dropped)")
    loss.add_argument("--to", dest="end", type=_positive, help="the offset behind the last one")
    _add_redrive(commands)


def _add_redrive(commands: Any) -> None:
    redrive = commands.add_parser(
        "redrive", help="make rows of dead letters that fit their table by now; they keep why they failed"
    )
    redrive.add_argument("file", type=Path)
    redrive.add_argument("--table", help="those of this table alone (default: of all tables)")
    redrive.add_argument("--reason", metavar="TEXT", help="those whose reason has this text alone (default: any)")
    redrive.add_argument("--topic", help="(default: all topics)")
    redrive.add_argument("--partition", type=_offset, help="(default: all partitions)")
    redrive.add_argument("--from", dest="start", type=_offset, help="first offset (default: all)")
    redrive.add_argument("--to", dest="end", type=_positive, help="the offset behind the last one")
    redrive.add_argument("--why", required=True, help="the reason, kept in the table")
    redrive.add_argument("--who", help="who decided it (default: this login)")
    redrive.add_argument("--yes", action="store_true", help="do it; without, only what would happen is shown")


def _asked(a: argparse.Namespace) -> Asked:
    from lakelock.redrive.plan import Asked

    asked = Asked(a.table, a.topic, a.partition, a.start, a.end, a.reason)
    if fault := asked.which.fault:
        print(f"lakelock redrive: {fault}", file=sys.stderr)
        raise SystemExit(2)
    return asked


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
    """None where it goes on with what was asked for before."""
    from lakelock.backfill.span import Span

    if a.start is None and a.end is None and a.table is None:
        return None
    fault = None
    if a.start is None or a.end is None:
        fault = "--from and --to go together"
    elif a.start >= a.end:
        fault = "--from must be before --to"
    elif a.yes and not a.why:
        fault = "--yes needs --why: the reason is kept in the table"
    if fault:
        print(f"lakelock {a.command}: {fault}", file=sys.stderr)
        raise SystemExit(2)
    return Span(a.start, a.end, a.table)


def _refuse_unseen(a: argparse.Namespace) -> None:
    """`last:1` is another commit a moment later, and another one when the command is repeated."""
    if a.yes and (a.seen is None or not a.to.isdigit()):
        print(
            "lakelock rollback: --yes does what was shown: run it without --yes, then the command that it prints, with --to and "
            "--seen",
            file=sys.stderr,
        )
        raise SystemExit(2)


def _run(arguments: argparse.Namespace) -> int:
    from lakelock.cli import commands

    _require_files([*getattr(arguments, "files", []), *([arguments.file] if "file" in arguments else [])])
    match arguments.command:
        case "migrate":
            return commands.migrate(arguments.conn_id)
        case "check":
            from lakelock.cli import check as checking

            return checking.check(_files(arguments.files), arguments.sample, as_json=arguments.json)
        case "run":
            return commands.run_once(arguments.file, arguments.max_records)
        case "status":
            return commands.status(_files(arguments.files), as_json=arguments.json)
        case "audit":
            files = _files(arguments.files)
            return commands.audit(files, as_json=arguments.json, count_rows=not arguments.no_rows)
        case "rollback":
            a = arguments
            _refuse_unseen(a)
            return commands.rollback(a.file, a.table, a.to, a.mode, a.why, a.seen if a.yes else None)
        case "recover":
            a = arguments
            flags = {"restored": a.restored, "take_over": a.take_over, "accept_loss": a.accept_loss}
            return commands.recover(a.file, a.mode, **flags, yes=a.yes)
        case "backfill" | "replace" | "redrive":
            return _bring(arguments)
        case "cancel" | "compact" | "expire" | "rewrite-manifests" | "orphans":
            return _tidy(arguments)
        case "rebind" if arguments.table is not None:
            a = arguments
            return commands.rebind(a.file, a.table, a.why, a.who, accept_loss=a.accept_loss, yes=a.yes)
        case "accept-loss" | "rebind" | "retire":
            a = arguments
            return commands.decide(a.file, _which(a), a.why, a.who, yes=a.yes)
    raise AssertionError(arguments.command)


def _bring(a: argparse.Namespace) -> int:
    from lakelock.cli import commands

    if a.command == "redrive":
        return commands.redrive(a.file, _asked(a), a.why, a.who, yes=a.yes)
    span = _span(a)
    if a.command == "replace":
        assert span is not None
        return commands.replace(a.file, span, a.why, a.who, yes=a.yes)
    return commands.backfill(a.file, span, a.why, a.who, yes=a.yes)


def _tidy(a: argparse.Namespace) -> int:
    from lakelock.cli import commands

    match a.command:
        case "cancel":
            return commands.cancel(a.file)
        case "compact":
            return commands.compact(a.file, a.table, dry_run=a.dry_run)
        case "expire":
            return commands.expire(a.file, a.table, a.older_than, a.keep, yes=a.yes)
        case "rewrite-manifests":
            return commands.rewrite_manifests(a.file, a.table, dry_run=a.dry_run)
    return commands.orphans(a.file, a.table, a.older_than, yes=a.yes)


def _require_files(named: Sequence[Path]) -> None:
    """A path that leads to nothing is wrong usage, and no fault of a file."""
    for path in named:
        if not path.exists() or path.is_dir():
            folder, found = _pipeline_files()
            known = ", ".join(p.name for p in found) or "none"
            what = "this is a folder" if path.is_dir() else "no such file"
            print(f"lakelock: {what}: {path} (pipeline files in {folder}: {known})", file=sys.stderr)
            raise SystemExit(2)


def _files(named: Sequence[Path]) -> Sequence[Path]:
    """Those that were named, else all of the folder that the DAGs are made from; none at all is wrong usage."""
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


def _duration(text: str) -> timedelta:
    from lakelock.model.units import parse_duration

    try:
        return parse_duration(text)
    except ValueError as fault:
        raise argparse.ArgumentTypeError(str(fault)) from None


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no time like 2026-01-31T12:00:00Z") from None
    if moment.tzinfo is None:
        raise argparse.ArgumentTypeError(f"{text!r} names no zone: write {text}Z for UTC")
    return moment


def _offset(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return value


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


if __name__ == "__main__":
    sys.exit(main())
