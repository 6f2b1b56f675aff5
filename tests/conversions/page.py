"""docs/conversions.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from kits.conversion_cases import CONVERSIONS, Conversion
from kits.record_cases import GROUPS, LATER, RECORDS, Columns, RecordCase

REPOSITORY = Path(__file__).parents[2]
PAGE = REPOSITORY / "docs" / "conversions.md"
TYPES = ("boolean", "int", "long", "float", "double", "decimal", "date", "time", "timestamp", "timestamptz", "string", "uuid",
         "fixed", "binary", "struct", "list", "map")  # fmt: skip
# A cell has at most so many texts, and their characters; a run of at least so many characters is cut.
MOST_TEXTS, MOST_CHARACTERS, RUN = 6, 90, 20
WIDTH = 100

INTRO = """# Conversions

This page shows what a value of JSON becomes in a column of each type: {values} values, alone and with
[casts](json.md#casts), and {records} whole records. [JSON to columns](json.md) has the rules. A *dead letter* is
followed by its [kind](json.md#kinds-of-faults): the whole record goes to the dead-letter table,
unchanged.

`python -m conversions` (with `PYTHONPATH=tests`) writes this page from the cases of
[`test_conversions.py`](../tests/unit/test_conversions.py). The test declares each table in a pipeline file,
and decodes each record as `write` does.

- Numbers, dates and times are shown as a query engine prints them, text with quotation marks, and
  bytes in hexadecimal (`0x00`).
- Times of `timestamptz` are in UTC (`Z`).
- `new_fields` and `new_types` are `dead_letter`. With `evolve`, some of these records [change the
  table's columns](evolution.md) instead.
- Runs of one character are cut: `9…9` (38 times `9`).
"""
RECORDS_INTRO = """## Whole records

The second column has the table's columns, and `new_fields` unless it is `dead_letter`.
"""
LATER_INTRO = """## Types of format version 3

lakelock writes format version 2. A pipeline file that names one of these types, alone or within another
type, is refused, and nothing of the pipeline runs.

| type | the message begins with |
|---|---|
"""


def page() -> str:
    out = [wrapped(INTRO.format(values=f"{len(CONVERSIONS):,}", records=f"{len(RECORDS):,}"))]
    for kind in TYPES:
        cases = [c for c in CONVERSIONS if base(c.type) == kind]
        out.append(f"## {kind}\n")
        out += _tables(cases)
    out.append(RECORDS_INTRO)
    for group in GROUPS:
        out.append(f"### {group.title}\n\n| record | table | becomes |\n|---|---|---|")
        out += [f"| {_record(c)} | {_table(c.columns, c.new_fields)} | {_row(c)} |" for c in group.cases]
        out.append("")
    out.append(wrapped(LATER_INTRO).rstrip("\n"))
    out += [f"| `{name}` | `{name} is a type of Iceberg's format version 3.` |" for name in LATER]
    return "\n".join(out) + "\n"


def base(kind: str) -> str:
    """Name of a type without its parameters."""
    return re.split(r"[(\[<]", kind)[0]


def _tables(cases: Sequence[Conversion]) -> Iterator[str]:
    """One of the values alone, and one of those with a cast or a zone."""
    for title, chosen in (
        ("", [c for c in cases if not _how(c)]),
        ("With a cast or a zone:\n", [c for c in cases if _how(c)]),
    ):
        if not chosen:
            continue
        several = len({c.type for c in chosen}) > 1
        head = ["column"] * several + ["cast, zone"] * bool(title) + ["JSON", "becomes"]
        if title:
            yield title
        yield f"| {' | '.join(head)} |"
        yield "|" + "---|" * len(head)
        ordered = sorted(
            chosen, key=lambda c: list(dict.fromkeys((o.type, _how(o)) for o in chosen)).index((c.type, _how(c)))
        )
        for (kind, how), together in groupby(ordered, key=lambda c: (c.type, _how(c))):
            for texts, becomes in _rows(list(together)):
                yield f"| {' | '.join([code(kind)] * several + [how] * bool(title) + [texts, becomes])} |"
        yield ""


def _how(case: Conversion) -> str:
    """Its casts and zone."""
    casts = ", ".join(code(cast) for cast in case.casts)
    zone = f"zone {case.zone}" if case.zone else ""
    return "; ".join(part for part in (casts, zone) if part)


def _rows(cases: Sequence[Conversion]) -> Iterator[tuple[str, str]]:
    """Texts and what they become, accepted ones first; dead letters of one kind share rows."""
    for case in cases:
        if case.value is not None:
            yield _text(case), case.becomes or value(case.value)
    for why in dict.fromkeys(c.kind for c in cases if c.value is None):
        for texts in _cells([_text(c) for c in cases if c.value is None and c.kind == why]):
            yield texts, dead(why)


def _cells(texts: Iterable[str]) -> Iterator[str]:
    cell: list[str] = []
    for text in texts:
        if cell and (len(cell) == MOST_TEXTS or sum(map(len, cell)) + len(text) > MOST_CHARACTERS):
            yield ", ".join(cell)
            cell = []
        cell.append(text)
    yield ", ".join(cell)


def _text(case: Conversion) -> str:
    return case.called or code(case.text)


def dead(kind: str) -> str:
    return f"dead letter: {kind}"


def value(shown: str) -> str:
    return "null" if shown == "null" else code(shown)


def _record(case: RecordCase) -> str:
    return case.called or code((case.value or b"").decode())


def _row(case: RecordCase) -> str:
    if case.row is None:
        return dead(case.kind)
    return case.becomes or ", ".join(f"{_name(name)}: {value(shown)}" for name, shown in case.row.items())


def _table(columns: Columns, new_fields: str | Mapping[str, str]) -> str:
    if len(columns) > MOST_TEXTS:
        return f"{len(columns):,} columns of type `long`"
    settings = [f"{_name(name)}: {_column(of)}" for name, of in columns.items()]
    if new_fields != "dead_letter":
        text = new_fields if isinstance(new_fields, str) else json.dumps(new_fields).replace('"', "")
        settings.append(f"`new_fields: {text}`")
    return "; ".join(settings)


def _column(of: object) -> str:
    if not isinstance(of, dict):
        return code(str(of))
    return code(", ".join([of["type"], *(f"{key}: {of[key]}" for key in of if key != "type")]).replace("'", ""))


def _name(name: str) -> str:
    """As JSON writes it, without quotation marks unless it is white space."""
    text = json.dumps(name, ensure_ascii=False)
    return code(text[1:-1] if name.strip() else text)


def code(text: str) -> str:
    """*text* as code in a table, with runs of one character cut."""
    runs: list[str] = []

    def cut(match: re.Match[str]) -> str:
        runs.append(f"{len(match[0]):,} times `{match[1]}`")
        return f"{match[1]}…{match[1]}"

    short = re.sub(rf"(.)\1{{{RUN - 1},}}", cut, text).replace("|", "\\|")
    fence = "``" if "`" in short else "`"
    space = " " if short.startswith("`") or short.endswith("`") else ""
    return f"{fence}{space}{short}{space}{fence}" + (f" ({', '.join(runs)})" if runs else "")


def wrapped(text: str) -> str:
    """Paragraphs and items within a page's width; tables as they are."""
    return "\n\n".join(_paragraph(p) for p in text.split("\n\n"))


def _paragraph(text: str) -> str:
    if text.startswith(("#", "|")):
        return text
    lines, trailing = [], text[len(text.rstrip("\n")) :]
    for part in re.split(r"\n(?=- )", text.rstrip("\n")):
        line = ""
        for word in part.split():
            if line and len(line) + 1 + len(word) > WIDTH:
                lines.append(line)
                line = "  " * part.startswith("- ") + word
            else:
                line = f"{line} {word}" if line else word
        lines.append(line)
    return "\n".join(lines) + trailing
