"""The argument parser, made from the catalogue of commands."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from lakelock import __version__
from lakelock.catalogue import COMMANDS, Command, Files, Option, OptionKind


def parser() -> argparse.ArgumentParser:
    """The parser. Its results have `command`, `file` or `files`, and each option under its `Option.field`."""
    out = argparse.ArgumentParser(prog="lakelock", description="Kafka topics into lakehouse tables, exactly once.")
    out.add_argument("--version", action="version", version=f"lakelock {__version__}")
    out.add_argument("-v", "--verbose", action="store_true", help="log every step")
    commands = out.add_subparsers(dest="command", required=True)
    for command in COMMANDS.values():
        _fill(commands.add_parser(command.name, help=command.summary, description=command.summary), command)
    return out


def _fill(parser: argparse.ArgumentParser, command: Command) -> None:
    if command.files is Files.ONE:
        parser.add_argument("file", type=Path, help="The pipeline file.")
    elif command.files is Files.ANY:
        parser.add_argument(
            "files", type=Path, nargs="*", help="Pipeline files. Default: all files of the pipelines folder."
        )
    one_of = parser.add_mutually_exclusive_group(required=True) if command.one_of else parser
    for option in command.options:
        _add(one_of if option.name in command.one_of else parser, option)


def _add(parser: Any, option: Option) -> None:
    more: dict[str, Any] = {}
    if option.kind is OptionKind.FLAG:
        more["action"] = "store_true"
    else:
        more |= {"type": _type(option), "default": option.default, "metavar": option.metavar}
    if option.choices:
        more["choices"] = tuple(option.choices)
    if option.bare is not None:
        more |= {"nargs": "?", "const": option.bare}
    shown = option.text("Default") + ("" if option.default in (None, "") else " Default: %(default)s.")
    parser.add_argument(option.flag, dest=option.field, required=option.required, help=shown.strip(), **more)


def _type(option: Option) -> Callable[[str], Any]:
    match option.kind:
        case OptionKind.INTEGER:
            return lambda text: _integer(text, option.minimum)
        case OptionKind.MOMENT:
            return _moment
        case OptionKind.DURATION:
            return _duration
        case OptionKind.PAST:
            return _past
    return str


def _integer(text: str, minimum: int | None) -> int:
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
    if minimum is not None and value < minimum:
        raise argparse.ArgumentTypeError(f"must be at least {minimum}")
    return value


def _duration(text: str) -> timedelta:
    from lakelock.model.units import parse_duration

    try:
        return parse_duration(text)
    except ValueError as fault:
        raise argparse.ArgumentTypeError(str(fault)) from None


def _past(text: str) -> str:
    """A snapshot id or `last:N`, which only the table's history can resolve, or a time with its zone."""
    if not re.fullmatch(r"\d+|last:[1-9]\d*", text):
        _moment(text, "neither a snapshot id, nor last:N, nor a time")
    return text


def _moment(text: str, missed: str = "not a time") -> datetime:
    """*missed* is what an argument without a time is not."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is {missed} like 2026-01-31T12:00:00Z") from None
    if moment.tzinfo is None:
        raise argparse.ArgumentTypeError(f"{text!r} has no time zone: write {text}Z for UTC")
    return moment
