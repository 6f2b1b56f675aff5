"""One record of delimited text, read slowly: to infer columns, and to say why a record is no row."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lakelock.model.units import counted, cut
from lakelock.records import reasons
from lakelock.records.csv.options import CsvOptions
from lakelock.records.reasons import Reason, Unfit

_LINE_END = re.compile(r"\r?\n?")
_QUOTED = 60
HEADER = Reason(reasons.HEADER_LINE, "the record has the names of the fields")
# Further fields are not counted: a record of megabytes may be nothing but delimiters.
_MORE = 1000


class RecordReader:
    """Reads records by the rules of RFC 4180, with the options' signs."""

    def __init__(self, options: CsvOptions) -> None:
        self._options = options
        quote, escape = options.quote, options.escape
        signs = "".join(re.escape(sign) for sign in (options.delimiter, quote, escape) if sign is not None)
        escaped = "" if escape is None else rf"|{re.escape(escape)}([{signs}\r\n])"
        self._bare = re.compile(rf"(?:[^{signs}\r\n]++{escaped})*+")
        self._bare_escape = re.compile(escaped[1:]) if escaped else None
        if quote is not None:
            sign = re.escape(quote)
            others = sign if escape is None else sign + re.escape(escape)
            within = rf"{sign}((?:[^{others}]++|{sign}{sign}{escaped})*+)"
            self._within, self._quoted = re.compile(within), re.compile(within + sign)
            self._quoted_escape = re.compile(rf"{sign}({sign}){escaped}")

    def _fields(self, text: str, most: int) -> list[str | None]:
        """All fields, None for nulls, or the first *most*. Raises Unfit for text that is not one line of them."""
        fields: list[str | None] = []
        at = 0
        while True:
            field, at = self._field(text, at, len(fields) + 1)
            fields.append(field)
            if not text.startswith(self._options.delimiter, at):
                break
            if len(fields) == most:
                return fields
            at += len(self._options.delimiter)
        if not _LINE_END.fullmatch(text, at):
            self._refuse(text, at, len(fields))
        return fields

    def row(self, text: str, names: Sequence[str]) -> list[str | None]:
        """One field for each of *names*, None for nulls. Raises Unfit for text that is no such row."""
        most = len(names) + _MORE
        fields = self._fields(text, most)
        if len(fields) == len(names):
            return fields
        if not text.strip("\r\n"):
            raise Unfit("the value is empty", reasons.EMPTY_VALUE)
        found = f"{most} or more fields" if len(fields) == most else counted(len(fields), "field")
        message = f"{found}, expected {len(names)}: {cut(', '.join(names), _QUOTED)}"
        raise Unfit(message, reasons.FIELD_COUNT)

    def _field(self, text: str, at: int, number: int) -> tuple[str | None, int]:
        options = self._options
        if options.quote is not None and text.startswith(options.quote, at):
            quoted = self._quoted.match(text, at)
            if quoted is None:
                raise self._open(text, at, number)
            return self._quoted_escape.sub(_meant, quoted[1]), quoted.end()
        if text.startswith(options.null_text, at):
            end = at + len(options.null_text)
            if end == len(text) or text.startswith((options.delimiter, "\r", "\n"), end):
                return None, end
        bare = self._bare.match(text, at)
        assert bare is not None
        return self._bare_escape.sub(_meant, bare[0]) if self._bare_escape else bare[0], bare.end()

    def _open(self, text: str, at: int, number: int) -> Unfit:
        """Of quotes that do not close."""
        within = self._within.match(text, at)
        if within is not None and within.end() < len(text):
            return self._odd_escape(text, within.end(), number)
        return Unfit(f"field {number}: its quotes are not closed", reasons.NOT_DELIMITED)

    def _odd_escape(self, text: str, at: int, number: int) -> Unfit:
        behind = text[at + 1 : at + 2]
        what = f"{behind!r}" if behind else "the end"
        return Unfit(
            f"field {number}: the escape stands before {what}, which needs none; only delimiter, quote, escape and line "
            "breaks are escaped",
            reasons.NOT_DELIMITED,
        )

    def _refuse(self, text: str, at: int, number: int) -> None:
        if text[at] in "\r\n":
            message = "there is more than one line, and a record is one row; put a line break within a field in quotes"
            raise Unfit(message, reasons.SEVERAL_LINES)
        if text[at] == self._options.escape:
            raise self._odd_escape(text, at, number)
        if text[at] == self._options.quote:
            message = f"field {number}: a quote within text that is not in quotes, or a single one within quotes"
            raise Unfit(message, reasons.NOT_DELIMITED)
        raise Unfit(f"field {number}: text behind its closing quote", reasons.NOT_DELIMITED)


def row_fault(text: str, options: CsvOptions, names: Sequence[str] = ()) -> Reason:
    """Why *text* is no row of *names*, or else of the options' columns."""
    try:
        RecordReader(options).row(text, names or options.columns)
    except Unfit as fault:
        return fault.reason
    return Reason(reasons.NOT_DELIMITED, "not delimited text")


def _meant(found: re.Match[str]) -> str:
    """The character that is doubled or escaped."""
    return next(group for group in found.groups() if group is not None)
