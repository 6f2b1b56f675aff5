"""Reasons why a record does not fit: a kind for counting, the field, a sentence, and the value at fault."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal

from lakelock.model.units import cut

# Values at fault are cut to this length; the dead letter has the whole record.
FOUND_CHARACTERS = 100

NO_VALUE = "no value"
EMPTY_VALUE = "empty value"
NOT_COMPRESSED = "not compressed as declared"
TOO_LARGE = "too large once decompressed"
TOO_LARGE_FLAT = "too large once flattened"
NOT_UTF8 = "not UTF-8"
NOT_JSON = "not JSON"
NOT_AN_OBJECT = "not a JSON object"
NOT_DELIMITED = "not delimited text"
SEVERAL_LINES = "several lines"
FIELD_COUNT = "wrong number of fields"
HEADER_LINE = "header line"
UNKNOWN_FIELD = "unknown field"
FIELD_TWICE = "field twice"
HEADER_TWICE = "header twice"
UNREADABLE_HEADERS = "headers cannot be read"
REQUIRED_MISSING = "required field is missing"
REQUIRED_NULL = "required field is null"
NOT_AN_INTEGER = "not an integer"
OUT_OF_RANGE = "out of range"
NOT_EXACT = "not exact in its column"
PARTITION_VALUE = "partition value does not fit"
NO_CAST = "fits none of its casts"
EXPRESSION_FAILED = "expression failed"
CHECK_FAILED = "check failed"
NO_ROUTE = "no rule fits"
PREDICATE_FAILED = "predicate failed"
ROUTED_TO_DEAD_LETTERS = "routed to the dead letters"
NO_TABLE_NAME = "no name for its table"
NAMES_COLLIDE = "names of tables collide"
NAME_TAKEN = "name of a table taken"
TABLE_RETIRED = "its table is retired"
UNWRITABLE = "cannot be written"
UNREADABLE = "cannot be read"


@dataclass(frozen=True, slots=True)
class Reason:
    """Reason why a record has no row.

    *kind* is one of a fixed set and quotes nothing of the record. *field* is a path in Iceberg's notation
    (`items.element.price`), None for the record as a whole. *message* is a whole sentence. *found* is the beginning of
    the text, number or boolean at fault.
    """

    kind: str
    message: str
    field: str | None = None
    found: str | None = None

    def __post_init__(self) -> None:
        # JSON can express unpaired surrogates, which no column can hold.
        for name in ("message", "field", "found"):
            text = getattr(self, name)
            if text is not None and not text.isascii():
                object.__setattr__(self, name, text.encode("utf-8", "backslashreplace").decode())

    @property
    def cause(self) -> str:
        """Text that is equal for records with the same kind and field."""
        return cause(self.kind, self.field)


class Unfit(ValueError):
    """A value that does not fit. Callers find its record by trying each one alone."""

    def __init__(self, message: str, kind: str = UNREADABLE, field: str | None = None) -> None:
        super().__init__(message)
        self.reason = Reason(kind, message, field)


@dataclass(frozen=True, slots=True)
class CountedCause:
    """Count of dead letters with one cause, and one of their reasons as an example."""

    kind: str
    field: str | None
    count: int
    example: str

    @property
    def line(self) -> str:
        return f"{cause(self.kind, self.field)}: {self.count:,} ({self.example})"


def together(causes: Iterable[CountedCause], most: int) -> list[CountedCause]:
    """Causes of several tables as of one, the commonest first, at most *most*."""
    out: dict[tuple[str, str | None], CountedCause] = {}
    for one in causes:
        key = (one.kind, one.field)
        out[key] = replace(out[key], count=out[key].count + one.count) if key in out else one
    return sorted(out.values(), key=lambda c: (-c.count, c.kind, c.field or ""))[:most]


def cause(kind: str, field: str | None) -> str:
    return kind if field is None else f"`{field}`: {kind}"


def wrong_type(found: str, wanted: str) -> str:
    """Kind for JSON of kind *found* in a column of type *wanted*, as in `text for a long`."""
    return f"{found} for {with_article(wanted)}"


def with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeio' or noun == 'unknown' else 'a'} {noun}"


def no_such_text(wanted: str) -> str:
    """Kind for text that is not a valid value of a type written as text."""
    return f"text that is no {wanted}"


def found_text(value: object) -> str | None:
    """Text of a scalar; None for lists and objects."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return cut(str(value), FOUND_CHARACTERS) if isinstance(value, str | int | Decimal | float) else None
