"""Patterns of dates and times, in the letters of Java's DateTimeFormatter, that Spark and Kafka Connect use too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_HOUR, _SIXTY = r"[01]\d|2[0-3]", r"[0-5]\d"
# A value out of its range matches no field, so that another form may take it.
_LETTERS = {
    "yyyy": r"(?P<year>\d{4})",
    "uuuu": r"(?P<year>\d{4})",
    "MM": r"(?P<month>0[1-9]|1[0-2])",
    "M": r"(?P<month>1[0-2]|0?[1-9])",
    "dd": r"(?P<day>0[1-9]|[12]\d|3[01])",
    "d": r"(?P<day>[12]\d|3[01]|0?[1-9])",
    "HH": rf"(?P<hour>{_HOUR})",
    "H": r"(?P<hour>1\d|2[0-3]|0?\d)",
    "mm": rf"(?P<minute>{_SIXTY})",
    "ss": rf"(?P<second>{_SIXTY})",
    **{"S" * n: rf"(?P<fraction>\d{{{n}}})" for n in range(1, 10)},
    "XXX": rf"(?P<offset>Z|[+-](?:{_HOUR}):{_SIXTY})",
    "XX": rf"(?P<offset>Z|[+-](?:{_HOUR}){_SIXTY})",
}
_OF_ONE_OR_TWO_DIGITS = frozenset("MdH")
DATE_FIELDS = frozenset(("year", "month", "day"))
TIME_FIELDS = frozenset(("hour", "minute", "second", "fraction"))
_TOKEN = re.compile(r"([A-Za-z])\1*|'((?:[^']|'')*)'|[^A-Za-z']")


@dataclass(frozen=True, slots=True)
class TimePattern:
    """*regex* has a named group for each field of the pattern."""

    regex: str
    fields: frozenset[str]

    @classmethod
    @lru_cache(maxsize=1024)
    def parse(cls, text: str) -> TimePattern:
        """Raises ValueError for a letter that is not known, a field that is there twice, or digits of which no field is sure."""
        regex, fields, at = "", [], 0
        # A field of one or two digits since the last text without any.
        open_field = ""
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
                if token[0] in _OF_ONE_OR_TWO_DIGITS:
                    if open_field:
                        raise ValueError(
                            f"a digit between {open_field} and {token[0]} may belong to both; write two letters"
                        )
                    open_field = token[0]
                elif fields[-1] == "offset":
                    open_field = ""
            else:
                literal = token[0] if token[2] is None else token[2].replace("''", "'") or "'"
                regex += re.escape(literal)
                if not literal.isdigit():
                    open_field = ""
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
        return self.fields >= DATE_FIELDS

    @property
    def has_time(self) -> bool:
        return "hour" in self.fields
