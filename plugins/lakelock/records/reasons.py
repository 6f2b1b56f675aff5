"""Why a record has no row in its table: a kind to count by, a field, a sentence, and the value at fault."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from lakelock.model.units import cut

# A value at fault is cut to this: the record is in the dead letter as it was sent.
FOUND_CHARACTERS = 100

NO_VALUE = "no value"
EMPTY_VALUE = "empty value"
NOT_COMPRESSED = "not compressed as declared"
TOO_LARGE = "too large once decompressed"
NOT_UTF8 = "not UTF-8"
NOT_JSON = "not JSON"
NOT_AN_OBJECT = "not a JSON object"
UNKNOWN_FIELD = "unknown field"
FIELD_TWICE = "field twice"
REQUIRED_MISSING = "required field is missing"
REQUIRED_NULL = "required field is null"
NOT_AN_INTEGER = "not an integer"
OUT_OF_RANGE = "out of range"
NOT_EXACT = "not exact in its column"
PARTITION_VALUE = "partition value does not fit"
UNWRITABLE = "cannot be written"
UNREADABLE = "cannot be read"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a record has no row.

    *kind* is one of few and quotes nothing of the record. *field* is a path as Iceberg names it (`items.element.price`),
    None for the record as a whole. *message* is the whole sentence. *found* is how a text, a number or a boolean at fault
    begins.
    """

    kind: str
    message: str
    field: str | None = None
    found: str | None = None

    def __post_init__(self) -> None:
        # JSON can write half of a character beyond 16 bits, which no column holds.
        for name in ("message", "field", "found"):
            text = getattr(self, name)
            if text is not None and not text.isascii():
                object.__setattr__(self, name, text.encode("utf-8", "backslashreplace").decode())

    @property
    def cause(self) -> str:
        """Of many records the same."""
        return cause(self.kind, self.field)


class Unfit(ValueError):
    """A value does not fit; which record it is of is found by trying records alone."""

    def __init__(self, message: str, kind: str = UNREADABLE, field: str | None = None) -> None:
        super().__init__(message)
        self.reason = Reason(kind, message, field)


@dataclass(frozen=True, slots=True)
class CountedCause:
    """Dead letters of one cause, with the reason of one of them."""

    kind: str
    field: str | None
    count: int
    example: str

    @property
    def line(self) -> str:
        return f"{cause(self.kind, self.field)}: {self.count:,} ({self.example})"


def cause(kind: str, field: str | None) -> str:
    return kind if field is None else f"`{field}`: {kind}"


def wrong_type(found: str, wanted: str) -> str:
    """A kind: *found* is what JSON has, *wanted* the column's type, as in `text for a long`."""
    return f"{found} for {with_article(wanted)}"


def with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def no_such_text(wanted: str) -> str:
    """A kind: the column's type is written as text, and this text is no value of it."""
    return f"text that is no {wanted}"


def found_text(value: object) -> str | None:
    """None for what has parts."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return cut(str(value), FOUND_CHARACTERS) if isinstance(value, str | int | Decimal | float) else None
