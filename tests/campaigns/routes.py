"""Rules of a campaign's pipeline that name tables by a field of the records, and where each record must be, without the product."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Raw values with the names of their tables; a record of Oslo is in another one as well.
CITIES = {"Bern": "to_bern", "Oslo": "to_oslo", "Zürich": "to_z_rich"}
ALL = "of_oslo"
TABLES = (*CITIES.values(), ALL)
COLUMNS = "id, amount, note"


def section(namespace: str, *, shuffled: bool = False) -> dict[str, Any]:
    """`route`, whose tables have no column for the field `extra`; *shuffled*: a job with several slices has two stages."""
    settings = {
        "columns": {"id": "long", "amount": "long", "note": "string"},
        "new_fields": "dead_letter",
        "drop_fields": ["made", "user"],
        **({"properties": {"write.distribution-mode": "hash"}} if shuffled else {}),
    }
    name = f"{namespace}.to_{{user.home.city}}"
    of_oslo = {"when": {"user.home.city": "Oslo"}, "table": [name, f"{namespace}.{ALL}"], **settings}
    return {"rules": [of_oslo, {"table": name, **settings}]}


def tables_of(fields: Mapping[str, Any] | None) -> frozenset[str]:
    """None for a record that is no JSON. Without a table, it is a dead letter."""
    if fields is None or fields["user"] is None:
        return frozenset()
    city = fields["user"]["home"]["city"]
    return frozenset({CITIES[city], *([ALL] if city == "Oslo" else [])})


def row(fields: Mapping[str, Any]) -> tuple[Any, ...]:
    return fields["id"], fields["amount"], fields["note"]
