"""The formats of record values by name; a package of a user may add its own.

Pipeline files are checked by these names, so a format's module is loaded only by those who decode.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lakelock.records.csv.options import CsvOptions
    from lakelock.records.decoding import Format

# Entry points in this group are named as their format, and load a `Format`.
GROUP = "lakelock.formats"
FORMATS = {
    "json": "lakelock.records.json.format:JSON",
    "connect_json": "lakelock.records.connect_json:CONNECT_JSON",
    "csv": "lakelock.records.csv.format:CSV",
    "raw": "lakelock.records.raw:RAW",
    "none": "lakelock.records.raw:NONE_OF_IT",
}

# The field of a value of connect_json that has its fields.
PAYLOAD = "payload"
# Of these, those whose records name their fields: columns may follow them, and take them in any case.
EVOLVING = frozenset({"json", "connect_json"})


@cache
def named(name: str, options: CsvOptions | None = None) -> Format:
    """The format of this name, with the *options* that it has in the pipeline file.

    Raises KeyError for a name that neither lakelock nor an installed package has, TypeError for what is no format.
    """
    from lakelock.records.decoding import Format

    own = [EntryPoint(name, FORMATS[name], GROUP)] if name in FORMATS else []
    for entry in (*own, *entry_points(group=GROUP, name=name)):
        found = entry.load()
        if not isinstance(found, Format):
            raise TypeError(f"{entry.value}: not a lakelock.records.decoding.Format")
        return found if options is None or found.with_options is None else found.with_options(options)
    raise KeyError(name)


def names() -> list[str]:
    return [*FORMATS, *sorted(entry.name for entry in entry_points(group=GROUP))]
