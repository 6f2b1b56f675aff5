"""The value types of pipeline files: durations, sizes, column types, starts; each as text in YAML and typed in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Annotated, Any, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, PlainValidator, WithJsonSchema

from lakelock.errors import BadTableDefinition
from lakelock.model.column_types import ListOf, MapOf, Struct
from lakelock.model.partition_expressions import parse_partition, parse_sort
from lakelock.model.type_notation import parse_type, type_text
from lakelock.model.units import format_duration, parse_duration, parse_size_bytes
from lakelock.records.casts import CASTS, PATTERN, UNSCALED, WHOLE
from lakelock.records.time_patterns import TimePattern

T = TypeVar("T")
_WHOLE = "$"
Start = str | datetime | Mapping[str, Mapping[int, int]]
# Of a table with its namespace.
TABLE_NAME = r"^[^.\s/]+(\.[^.\s/]+)+$"


def _duration(value: Any) -> timedelta:
    if isinstance(value, timedelta):
        return value
    if not isinstance(value, str):
        raise ValueError("must be a duration with its unit, such as 30s, 5m or 1h30m")
    return parse_duration(value)


def _size(value: Any) -> Any:
    if isinstance(value, str) and not value.isdigit():
        return parse_size_bytes(value)
    return value


def _zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"{value!r} is not a time zone; write an IANA name such as Europe/Berlin or UTC") from error
    return value


@lru_cache(maxsize=4096)
def _sql(text: str) -> str:
    # Loads a parser, so only for files that need it: DAG files are parsed all the time.
    from lakelock.records.sql.syntax import columns_used

    columns_used(text)
    return text


def _column_type(value: str) -> str:
    parsed = _checked(parse_type, value)
    return value.strip() if isinstance(parsed, Struct | ListOf | MapOf) else type_text(parsed)


def _partition(value: str) -> str:
    _checked(parse_partition, value)
    return value


def _sort(value: str) -> str:
    _checked(parse_sort, value)
    return value


def _checked(parse: Callable[[str], T], value: str) -> T:
    try:
        return parse(value)
    except BadTableDefinition as fault:
        raise ValueError(str(fault)) from fault


def _name_or_false(value: Any) -> Any:
    if value is False or (isinstance(value, str) and value):
        return value
    raise ValueError("must be a column name, or false for no such column")


def _without_false(value: Any) -> Any:
    """None if nothing is named."""
    if isinstance(value, Mapping):
        return {key: name for key, name in value.items() if name is not False} or None
    return None if value is False else value


def _instant(value: str) -> datetime:
    try:
        parsed = datetime.fromisoformat(value)
    except ValueError as error:
        raise ValueError(
            f"{value!r} is none of: earliest, latest, a time such as 2026-01-31T00:00:00Z, or offsets per topic and partition"
        ) from error
    if parsed.tzinfo is None:
        raise ValueError(f"{value!r} has no time zone; write 2026-01-31T00:00:00Z or with an offset such as +01:00")
    return parsed.astimezone(UTC)


def _start(value: Any) -> Start:
    if isinstance(value, datetime):
        return value
    if isinstance(value, str):
        return value if value in ("earliest", "latest") else _instant(value)
    if not isinstance(value, Mapping) or not value:
        raise ValueError("must be earliest, latest, a time, or a map of topic to a map of partition to offset")
    starts: dict[str, dict[int, int]] = {}
    for topic, partitions in value.items():
        if not isinstance(partitions, Mapping):
            raise ValueError(f"topic {topic!r}: must be a map of partition to offset, such as {{0: 1200, 1: 1180}}")
        starts[str(topic)] = {_count(topic, "partition", p): _count(topic, "offset", o) for p, o in partitions.items()}
    return starts


def _count(topic: object, what: str, value: object) -> int:
    try:
        number = int(str(value))
    except ValueError:
        number = -1
    if number < 0:
        raise ValueError(f"topic {topic!r}: {value!r} is not {'an' if what == 'offset' else 'a'} {what}")
    return number


def _field_path(value: Any) -> tuple[str, ...]:
    names = value.split(".") if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not names or not all(isinstance(n, str) and n for n in names):
        raise ValueError("must be a field such as event.created, or a list of names")
    return tuple(names)


def _field_or_whole(value: Any) -> tuple[str, ...]:
    """A field that is named `$` is written as a list."""
    return WHOLE if value == _WHOLE else _field_path(value)


def _field_or_whole_json(value: tuple[str, ...]) -> str | list[str]:
    if value == WHOLE:
        return _WHOLE
    return [_WHOLE] if value == (_WHOLE,) else _field_json(value)


def _field_json(value: tuple[str, ...]) -> str | list[str]:
    return list(value) if any("." in name for name in value) else ".".join(value)


def _casts(value: Any) -> tuple[str, ...]:
    # YAML's null in a list can only be the cast of that name.
    casts = (
        [value]
        if isinstance(value, str)
        else ["null" if c is None else c for c in value]
        if isinstance(value, list | tuple)
        else None
    )
    if not casts:
        raise ValueError(f"must be one or a list of: {', '.join(CASTS)}, {PATTERN}dd/MM/yyyy")
    for cast in casts:
        if isinstance(cast, str) and cast.startswith(PATTERN):
            TimePattern.parse(cast.removeprefix(PATTERN))
        elif isinstance(cast, str) and cast.startswith(UNSCALED) and cast.removeprefix(UNSCALED).isdecimal():
            continue
        elif not isinstance(cast, str) or cast not in CASTS:
            raise ValueError(f"{cast!r} is no cast; there are {', '.join(CASTS)}, {UNSCALED}2, and {PATTERN}dd/MM/yyyy")
    if len(set(casts)) < len(casts):
        raise ValueError("has a cast twice")
    return tuple(casts)


def _start_json(value: Start) -> object:
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, str):
        return value
    return {topic: {str(p): o for p, o in partitions.items()} for topic, partitions in value.items()}


Duration = Annotated[
    timedelta,
    PlainValidator(_duration),
    PlainSerializer(format_duration),
    WithJsonSchema({"type": "string", "pattern": r"^(\d+(\.\d+)?(ms|s|m|h|d)\s*)+$", "examples": ["30s", "5m", "1h"]}),
]
SizeBytes = Annotated[
    int,
    BeforeValidator(_size),
    Field(ge=0),
    WithJsonSchema({"type": ["string", "integer"], "examples": ["64MiB", "1GiB"]}),
]
ZoneName = Annotated[str, AfterValidator(_zone), Field(examples=["Europe/Berlin", "UTC"])]
TypeText = Annotated[str, AfterValidator(_column_type), Field(examples=["long", "decimal(10,2)", "timestamptz"])]
SqlText = Annotated[str, Field(min_length=1), AfterValidator(_sql)]
PartitionExpression = Annotated[str, AfterValidator(_partition)]
SortExpression = Annotated[str, AfterValidator(_sort)]
NameOrFalse = Annotated[
    Any,
    PlainValidator(_name_or_false),
    WithJsonSchema({"anyOf": [{"type": "string", "minLength": 1}, {"const": False}]}),
]
OptionalName = Annotated[
    Annotated[str, Field(min_length=1)] | None,
    BeforeValidator(lambda value: None if value is False else value),
    WithJsonSchema({"anyOf": [{"type": "string", "minLength": 1}, {"const": False}]}),
]
FieldPath = Annotated[
    tuple[str, ...] | None,
    BeforeValidator(lambda value: None if value is None else _field_or_whole(value)),
    PlainSerializer(lambda value: None if value is None else _field_or_whole_json(value)),
    WithJsonSchema(
        {"anyOf": [{"type": "string", "minLength": 1}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}
    ),
]
FieldPaths = Annotated[
    tuple[tuple[str, ...], ...] | None,
    BeforeValidator(lambda value: value if not isinstance(value, list | tuple) else tuple(map(_field_path, value))),
    PlainSerializer(lambda value: None if value is None else [_field_json(path) for path in value]),
    WithJsonSchema({"type": "array", "items": {"type": "string"}}),
]
_CAST = {"anyOf": [{"enum": list(CASTS)}, {"type": "string", "pattern": f"^({PATTERN}|{UNSCALED})"}]}
Casts = Annotated[
    tuple[str, ...] | None,
    BeforeValidator(lambda value: None if value is None else _casts(value)),
    WithJsonSchema(
        {
            "anyOf": [
                *_CAST["anyOf"],
                {"type": "array", "items": {"anyOf": [*_CAST["anyOf"], {"type": "null"}]}, "minItems": 1},
            ]
        }
    ),
]
NamesByHeader = Annotated[
    Mapping[str, Annotated[str, Field(min_length=1)]] | None,
    BeforeValidator(_without_false),
    WithJsonSchema(
        {
            "anyOf": [
                {
                    "type": "object",
                    "additionalProperties": {"anyOf": [{"type": "string", "minLength": 1}, {"const": False}]},
                },
                {"const": False},
            ]
        }
    ),
]
StartAt = Annotated[
    Any,
    PlainValidator(_start),
    PlainSerializer(_start_json),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": ["earliest", "latest"]},
                {"type": "string", "format": "date-time"},
                {
                    "type": "object",
                    "additionalProperties": {
                        "type": "object",
                        "propertyNames": {"pattern": r"^\d+$"},
                        "additionalProperties": {"type": "integer", "minimum": 0},
                    },
                },
            ]
        }
    ),
]
