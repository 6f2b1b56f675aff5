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
from pkgutil import resolve_name

from lakelock.catalogue import COMMANDS
from lakelock.cli.exit_codes import exit_code
from lakelock.cli.parser import parser
from lakelock.errors import LakelockError


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


def _run(arguments: argparse.Namespace) -> int:
    _require_files([*getattr(arguments, "files", []), *([arguments.file] if "file" in arguments else [])])
    if "files" in arguments:
        arguments.files = _files(arguments.files)
    # Imported only now, so that help and wrong usage are reported at once.
    run = resolve_name(f"lakelock.cli.{COMMANDS[arguments.command].runs}")
    return int(run(arguments))


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
