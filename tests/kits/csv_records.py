"""Delimited text: a slow reading of one record, sign by sign, and records drawn from all that the options know."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from random import Random

from lakelock.records.csv.options import CsvOptions

OPTIONS = (
    CsvOptions(),
    CsvOptions(delimiter="\t", quote=None),
    CsvOptions(delimiter="\t", quote=None, escape="\\", null_text="\\N"),
    CsvOptions(delimiter="|", quote="'", escape="\\", null_text="NULL"),
    CsvOptions(delimiter=";", null_text="-"),
    CsvOptions(delimiter=" ", quote='"', escape="^", null_text="a"),
    CsvOptions(delimiter="\x01", quote=None, null_text="\x02"),
)


def slow(text: str, options: CsvOptions) -> list[str | None] | None:
    """The fields of a record; None if it is not one line of delimited text."""
    fields: list[str | None] = []
    at = 0
    while True:
        is_quoted = options.quote is not None and text[at : at + 1] == options.quote
        found = _quoted(text, at + 1, options) if is_quoted else _bare(text, at, options)
        if found is None:
            return None
        field, at = found
        fields.append(field)
        if text[at : at + 1] != options.delimiter:
            return fields if text[at:] in ("", "\n", "\r", "\r\n") else None
        at += 1


def _special(options: CsvOptions) -> set[str | None]:
    return {options.delimiter, options.quote, options.escape, "\r", "\n"} - {None}


def _quoted(text: str, at: int, options: CsvOptions) -> tuple[str, int] | None:
    kept: list[str] = []
    while at < len(text):
        sign, after = text[at], text[at + 1 : at + 2]
        if sign == options.escape:
            if after not in _special(options):
                return None
            kept.append(after)
            at += 2
        elif sign != options.quote:
            kept.append(sign)
            at += 1
        elif after == options.quote:
            kept.append(sign)
            at += 2
        else:
            return "".join(kept), at + 1
    return None


def _bare(text: str, start: int, options: CsvOptions) -> tuple[str | None, int] | None:
    at = start
    while at < len(text) and text[at] not in (options.delimiter, "\r", "\n"):
        at += 2 if text[at] == options.escape else 1
    raw = text[start:at]
    if raw == options.null_text:
        return None, at
    kept: list[str] = []
    signs = iter(raw)
    for sign in signs:
        if sign == options.quote:
            return None
        meant = next(signs, "") if sign == options.escape else sign
        if sign == options.escape and meant not in _special(options):
            return None
        kept.append(meant)
    return "".join(kept), at


def written(row: Sequence[str | None], options: CsvOptions, random: Random) -> str:
    """*row* as a producer may write it. Without quotes and escapes, texts have none of the options' signs."""
    fields = []
    for text in row:
        if text is None:
            fields.append(options.null_text)
            continue
        signs = [s for s in (options.delimiter, options.quote, "\r", "\n", options.escape) if s is not None]
        must = text == options.null_text or any(s in text for s in signs)
        if options.quote is not None and (must or random.random() < 0.3):
            within = text if options.escape is None else text.replace(options.escape, options.escape * 2)
            doubled = random.choice((options.quote, options.escape or options.quote)) + options.quote
            fields.append(f"{options.quote}{within.replace(options.quote, doubled)}{options.quote}")
        elif options.escape is not None and text != options.null_text:
            fields.append("".join(options.escape + s if s in signs else s for s in text))
        else:
            assert not must, (text, options)
            fields.append(text)
    return options.delimiter.join(fields) + random.choice(("", "", "\n", "\r\n", "\r"))


def drawn(random: Random, options: CsvOptions) -> str:
    """A record of few signs, all of which may mean something."""
    signs = [options.delimiter, options.delimiter, options.quote, options.quote, options.escape, options.null_text]
    others = ["a", "N", "\n", "\r", "\r\n", "é", "😀", "\0", "", '"', "\\", ",", "text", "0"]
    pieces = [s for s in signs if s] * 2 + others
    return "".join(random.choice(pieces) for _ in range(random.randrange(12)))


def of_python(row: Sequence[str], options: CsvOptions) -> str:
    """*row* by Python's csv module."""
    to = io.StringIO()
    csv.writer(to, delimiter=options.delimiter, quotechar=options.quote, lineterminator="\r\n").writerow(row)
    return to.getvalue()
