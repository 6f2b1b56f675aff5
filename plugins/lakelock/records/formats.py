"""The formats of record values by name; a package of a user may add its own."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

from lakelock.records.connect_json import CONNECT_JSON
from lakelock.records.decoding import Format
from lakelock.records.json.format import JSON
from lakelock.records.raw import NONE_OF_IT, RAW

# Entry points in this group are named as their format, and load a `Format`.
GROUP = "lakelock.formats"
FORMATS: dict[str, Format] = {"json": JSON, "connect_json": CONNECT_JSON, "raw": RAW, "none": NONE_OF_IT}


@cache
def named(name: str) -> Format:
    """Raises KeyError for a name that neither lakelock nor an installed package has."""
    if name in FORMATS:
        return FORMATS[name]
    for entry in entry_points(group=GROUP, name=name):
        found = entry.load()
        if not isinstance(found, Format):
            raise TypeError(f"{entry.value}: not a lakelock.records.decoding.Format")
        return found
    raise KeyError(name)


def names() -> list[str]:
    return [*FORMATS, *sorted(entry.name for entry in entry_points(group=GROUP))]
