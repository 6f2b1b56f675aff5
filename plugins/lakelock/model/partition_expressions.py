"""Partition and sort expressions in Spark's notation: `day(ts)`, `bucket(16, id)`, `truncate(name, 10)`, `id desc`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from lakelock.errors import BadTableDefinition

NOTATION = (
    "a column, year(c), month(c), day(c), hour(c), bucket(16, c) or truncate(10, c); a column name with other characters "
    "than letters, digits, '_' and '.' stands in backticks"
)


class TransformKind(Enum):
    """A transform of the Iceberg specification; the value is its name there."""

    IDENTITY = "identity"
    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    HOUR = "hour"
    BUCKET = "bucket"
    TRUNCATE = "truncate"


TIME_KINDS = frozenset({TransformKind.YEAR, TransformKind.MONTH, TransformKind.DAY, TransformKind.HOUR})
_SUFFIX = {TransformKind.IDENTITY: "", TransformKind.BUCKET: "_bucket", TransformKind.TRUNCATE: "_trunc"}
_NAMES = {
    **{name: kind for kind in TIME_KINDS for name in (kind.value, kind.value + "s")},
    "date": TransformKind.DAY,
    "date_hour": TransformKind.HOUR,
    "bucket": TransformKind.BUCKET,
    "truncate": TransformKind.TRUNCATE,
    "identity": TransformKind.IDENTITY,
}


@dataclass(frozen=True, slots=True)
class Transform:
    """A transform of one column; `parameter` is the number of buckets or the width."""

    kind: TransformKind
    column: str
    parameter: int | None = None

    @property
    def field_name(self) -> str:
        """The partition field's name in Spark's convention: `ts_day`, `id_bucket`."""
        return self.column + _SUFFIX.get(self.kind, f"_{self.kind.value}")

    def __str__(self) -> str:
        column = self.column if _PLAIN.fullmatch(self.column) else "`" + self.column.replace("`", "``") + "`"
        if self.kind is TransformKind.IDENTITY:
            return column
        inner = column if self.parameter is None else f"{self.parameter}, {column}"
        return f"{self.kind.value}({inner})"


@dataclass(frozen=True, slots=True)
class SortKey:
    """One key of a sort order."""

    transform: Transform
    descending: bool
    nulls_first: bool

    def __str__(self) -> str:
        nulls = "" if self.nulls_first is not self.descending else f" nulls {'first' if self.nulls_first else 'last'}"
        return f"{self.transform}{' desc' if self.descending else ''}{nulls}"


_NAME = r"[^\W\d][\w.]*"
_PLAIN = re.compile(_NAME)
_COLUMN = rf"(?:`(?:[^`]|``)+`|{_NAME})"
_CALL = re.compile(rf"(?P<name>\w+)\s*\(\s*(?P<first>\d+|{_COLUMN})\s*(?:,\s*(?P<second>\d+|{_COLUMN})\s*)?\)")
_SORT = re.compile(r"(?P<term>.+?)(?:\s+(?P<direction>asc|desc))?(?:\s+nulls\s+(?P<nulls>first|last))?", re.IGNORECASE)


@lru_cache(maxsize=4096)
def parse_partition(text: str) -> Transform:
    """Parse one transform of one column; raises BadTableDefinition for anything else."""
    stripped = text.strip()
    if re.fullmatch(_COLUMN, stripped):
        return Transform(TransformKind.IDENTITY, _unquoted(stripped))
    match = _CALL.fullmatch(stripped)
    if match is None:
        raise BadTableDefinition(f"partition expression {text!r} cannot be read.", do=f"Write {NOTATION}.")
    kind = _NAMES.get(match["name"].lower())
    if kind is None:
        raise BadTableDefinition(
            f"partition expression {text!r}: there is no {match['name']!r}.", do=f"Write {NOTATION}."
        )
    arguments = [a for a in (match["first"], match["second"]) if a is not None]
    numbers = [int(a) for a in arguments if a.isdigit()]
    columns = [_unquoted(a) for a in arguments if not a.isdigit()]
    takes_number = kind in {TransformKind.BUCKET, TransformKind.TRUNCATE}
    if len(columns) != 1 or len(numbers) != int(takes_number):
        wanted = "a number and a column" if takes_number else "one column"
        raise BadTableDefinition(
            f"partition expression {text!r}: {kind.value} takes {wanted}.", do=f"Write {NOTATION}."
        )
    # Iceberg stores both as 32-bit integers.
    if numbers and not 0 < numbers[0] < 2**31:
        raise BadTableDefinition(
            f"partition expression {text!r}: {numbers[0]} is out of range.", do="Write a number from 1 to 2147483647."
        )
    return Transform(kind, columns[0], numbers[0] if numbers else None)


@lru_cache(maxsize=4096)
def parse_sort(text: str) -> SortKey:
    """Parse a sort key; by default ascending puts nulls first, descending last, as in Spark and Iceberg."""
    match = _SORT.fullmatch(text.strip())
    if match is None:
        raise BadTableDefinition(f"sort expression {text!r} is empty.", do=f"Write {NOTATION}, then asc or desc.")
    try:
        transform = parse_partition(match["term"])
    except BadTableDefinition as fault:
        raise BadTableDefinition(
            f"sort expression {text!r} cannot be read.",
            do=f"Write {NOTATION}; then optionally asc or desc, nulls first or nulls last.",
        ) from fault
    descending = (match["direction"] or "asc").lower() == "desc"
    nulls = (match["nulls"] or "").lower()
    return SortKey(transform, descending, nulls == "first" if nulls else not descending)


def _unquoted(column: str) -> str:
    return column[1:-1].replace("``", "`") if column.startswith("`") else column
