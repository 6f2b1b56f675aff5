"""The rows that a campaign's tables must have, made of the records without the product and without Spark."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from campaigns.place import EVENTS, ORDERS, SECRET

Fields = Mapping[str, Any]
Row = tuple[Any, ...]
# As DuckDB reads them.
_COLUMNS = {
    ORDERS: "id, amount, note, user_home_city, user_name",
    EVENTS: "id, text, epoch_ms(made_at), who, rest",
}
_DERIVED = {ORDERS: "minute, label", EVENTS: "day"}


def columns(name: str, *, sql: bool) -> str:
    return f"{_COLUMNS[name]}, {_DERIVED[name]}" if sql else _COLUMNS[name]


def filtered(name: str, fields: Fields, *, sql: bool) -> bool:
    """Whether the table's `where` is not true for it."""
    if not sql:
        return False
    if name == ORDERS:
        return fields["user"] is None or fields["user"]["home"]["city"] == "Oslo"
    return bool(fields["id"] % 5 == 1)


def evolved_row(fields: Fields) -> Fields:
    """Of the table whose columns follow the records, without nulls."""
    return _present({**fields, "made": {name: value for name, value in fields["made"].items() if name != "at"}})


def _present(fields: Fields) -> Fields:
    return {
        name: _present(value) if isinstance(value, Mapping) else value
        for name, value in fields.items()
        if value is not None
    }


def present(row_read: Fields) -> Fields:
    """A row as an engine reads it, without nulls, and without structs that are null in all of their fields."""
    return {
        name: present(value) if isinstance(value, Mapping) else value
        for name, value in row_read.items()
        if value is not None and not name.startswith("_kafka")
    }


def row(name: str, fields: Fields, *, sql: bool) -> Row:
    plain, derived = (_order if name == ORDERS else _event)(fields)
    return (*plain, *derived) if sql else plain


def _order(fields: Fields) -> tuple[Row, Row]:
    user = fields["user"] or {"name": None, "home": {"city": None}}
    hidden = user["name"] and hashlib.sha256(user["name"].encode()).hexdigest()
    label = hidden and f"{fields['note'].upper()}/{hidden}"
    plain = (fields["id"], fields["amount"], fields["note"], user["home"]["city"], hidden)
    return plain, (fields["id"] // 60 % 60, label)


def _event(fields: Fields) -> tuple[Row, Row]:
    # A value is kept as it was sent, with its white space and escapes.
    made = {name: json.dumps(value) for name, value in fields["made"].items() if name != "at"}
    rest = {"amount": json.dumps(fields["amount"]), "made": _object(made)}
    who = None
    # Of a null around a field that a column takes, nothing is left.
    if fields["user"] is not None:
        rest["user"] = _object({"home": json.dumps(fields["user"]["home"])})
        who = hmac.new(SECRET.encode(), fields["user"]["name"].encode(), "sha256").hexdigest()
    if "extra" in fields:
        rest["extra"] = json.dumps(fields["extra"])
    plain = (fields["id"], fields["note"], fields["id"] * 1000, who, _object(rest))
    return plain, (datetime.fromtimestamp(fields["id"], UTC).date(),)


def _object(texts: Mapping[str, str]) -> str:
    return "{" + ",".join(f"{json.dumps(name)}:{text}" for name, text in texts.items()) + "}"
