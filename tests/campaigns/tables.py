"""The tables of a campaign's pipeline: two of one topic, whose records differ in what fits them."""

from __future__ import annotations

from typing import Any

Section = dict[str, Any]
MASKING_KEY = "masking_key"
_MADE_AT = {"type": "timestamptz", "cast": ["rfc3339", "epoch_ms"]}


LANDING: Section = {"landing": "unpartitioned", "partition_by": ["bucket(4, id)"]}
# Fields of an object by the number of the record, another one every few of them.
FIELDS, FIELD_EVERY = 16, 8


def field_of(number: int) -> str:
    return f"f{number // FIELD_EVERY % FIELDS}"


def evolving_orders(name: str) -> Section:
    """Columns that follow the records, by default: fields of an object one by one, an object null at times, a wider integer."""
    return {
        "name": name,
        "columns": {"id": "long", "amount": "int"},
        "drop_fields": ["made.at"],
    }


def orders(name: str, *, sql: bool) -> Section:
    """Flattened, without a column for every field, and without new ones; with a mask.

    With *sql*, a field that no column takes is an input, a null is filtered as well as a false, and an expression sees
    the masked text.
    """
    table: Section = {
        "name": name,
        "flatten": {"separator": "_"},
        "new_fields": "dead_letter",
        "columns": {
            "id": "long",
            "amount": "long",
            "note": "string",
            "user_home_city": "string",
            "user_name": {"type": "string", "mask": "sha256"},
        },
    }
    dropped = [f"made_f{number}" for number in range(FIELDS)]
    if not sql:
        return {**table, "drop_fields": ["made_at", *dropped]}
    derived = {
        "minute": {"type": "int", "sql": "minute(made)"},
        "label": {"type": "string", "sql": "concat(upper(note), '/', user_name)"},
    }
    return {
        **table,
        "columns": {**table["columns"], **derived},
        "inputs": {"made": {**_MADE_AT, "field": "made_at"}},
        "drop_fields": dropped,
        "where": "user_home_city <> 'Oslo'",
    }


def events(name: str, *, sql: bool) -> Section:
    """A column for fields without one, which has the rest of an object; a mask has a key, which each process asks for."""
    columns: Section = {
        "id": "long",
        "text": {"type": "string", "field": "note"},
        "made_at": {**_MADE_AT, "field": "made.at"},
        "who": {"type": "string", "field": "user.name", "mask": {"hmac_sha256": MASKING_KEY}},
    }
    table: Section = {"name": name, "columns": columns, "new_fields": {"json_column": "rest"}}
    if not sql:
        return table
    day = {"type": "date", "sql": "to_date(made_at)"}
    return {**table, "columns": {**columns, "day": day}, "where": "id % 5 <> 1"}
