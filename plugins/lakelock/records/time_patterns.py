"""Patterns of dates and times, in the letters of Java's DateTimeFormatter, that Spark and Kafka Connect use too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import pyarrow as pa
import pyarrow.compute as pc

# Fixed widths, so that no digit can belong to two fields.
_LETTERS = {
    "yyyy": r"(?P<year>\d{4})",
    "uuuu": r"(?P<year>\d{4})",
    "MM": r"(?P<month>\d{2})",
    "M": r"(?P<month>\d{1,2})",
    "dd": r"(?P<day>\d{2})",
    "d": r"(?P<day>\d{1,2})",
    "HH": r"(?P<hour>\d{2})",
    "H": r"(?P<hour>\d{1,2})",
    "mm": r"(?P<minute>\d{2})",
    "ss": r"(?P<second>\d{2})",
    **{"S" * n: rf"(?P<fraction>\d{{{n}}})" for n in range(1, 10)},
    "XXX": r"(?P<offset>Z|[+-]\d{2}:\d{2})",
    "XX": r"(?P<offset>Z|[+-]\d{4})",
}
_TOKEN = re.compile(r"([A-Za-z])\1*|'((?:[^']|'')*)'|[^A-Za-z']")


@dataclass(frozen=True, slots=True)
class TimePattern:
    """*regex* has a named group for each field of the pattern."""

    regex: str
    fields: frozenset[str]

    @classmethod
    @lru_cache(maxsize=1024)
    def parse(cls, text: str) -> TimePattern:
        """Raises ValueError for a letter that is not known, or one that is there twice."""
        regex, fields, at = "", [], 0
        while at < len(text):
            token = _TOKEN.match(text, at)
            if token is None:
                raise ValueError(f"the quote in {text!r} has no end")
            if token[1]:
                group = _LETTERS.get(token[0])
                if group is None:
                    raise ValueError(
                        f"{token[0]!r} is not known; there are yyyy, MM, M, dd, d, HH, H, mm, ss, S to SSSSSSSSS, XX, XXX, "
                        "and text in single quotes"
                    )
                regex += group
                fields.append(group[4 : group.index(">")])
            else:
                literal = token[0] if token[2] is None else token[2].replace("''", "'") or "'"
                regex += re.escape(literal)
            at = token.end()
        if len(set(fields)) < len(fields):
            raise ValueError(f"{text!r} has a field twice")
        if ("minute" in fields and "hour" not in fields) or ("second" in fields and "minute" not in fields):
            raise ValueError(f"{text!r} leaves out a field between others")
        if "fraction" in fields and "second" not in fields:
            raise ValueError(f"{text!r} has a fraction without its seconds")
        return cls(f"^{regex}$", frozenset(fields))

    @property
    def has_date(self) -> bool:
        return {"year", "month", "day"} <= self.fields

    @property
    def has_time(self) -> bool:
        return "hour" in self.fields

    def iso(self, texts: pa.Array, date: bool, time: bool) -> pa.Array:
        """As ISO 8601 text with the date, the time of day, or both; null where the pattern does not match."""
        found = pc.extract_regex(texts, self.regex)
        part = {name: pc.struct_field(found, name) for name in self.fields}
        pieces: list[pa.Array | str] = []
        if date:
            pieces += [part["year"], "-", _two(part["month"]), "-", _two(part["day"])]
        if time:
            pieces += ["T"] if date else []
            pieces += [_two(part["hour"]), ":", part.get("minute", "00"), ":", part.get("second", "00")]
            if "fraction" in part:
                pieces += [".", part["fraction"]]
            if "offset" in part and date:
                pieces.append(_with_colon(part["offset"]))
        return pc.binary_join_element_wise(*[_large(piece) for piece in (*pieces, "")])


def _large(piece: pa.Array | str) -> pa.Array | pa.Scalar:
    return pa.scalar(piece, pa.large_string()) if isinstance(piece, str) else piece


def _two(digits: pa.Array) -> pa.Array:
    return pc.utf8_lpad(digits, 2, "0")


def _with_colon(offset: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(offset, r"^([+-]\d{2})(\d{2})$", r"\1:\2")
