"""What tables of an adapter can do; the rest is refused by name before anything is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lakelock.errors import State, TableUnfit
from lakelock.model.column_changes import Added, ColumnChange, Commented, MadeOptional, Widened
from lakelock.ports.edits import Edit, Evolve, Expire, Overwrite, Reorganise, Restore, Rewrite


@dataclass(frozen=True, slots=True)
class TableCapabilities:
    """Of all tables of one format in one catalog.

    *file_lists*: the lists of a table's files can be written again. *rewrites*: live files can be replaced by path.
    *rearranges*: partitioning and sort order can change. *column_changes* are those after which files that are there stay
    readable.
    """

    format: str
    file_lists: bool
    rewrites: bool
    restores: bool
    expires: bool
    rearranges: bool
    column_changes: frozenset[type[ColumnChange]]


_WORDS: Mapping[type[ColumnChange], str] = MappingProxyType(
    {
        Added: "add a column",
        Widened: "widen a column's type",
        MadeOptional: "make a column optional",
        Commented: "change a column's comment",
    }
)


def lacking(capabilities: TableCapabilities, edit: Edit) -> str:
    """What *edit* does that tables with these *capabilities* cannot do; empty if they can do all of it."""
    match edit:
        case Rewrite() | Overwrite() if not capabilities.rewrites:
            return "replace live files"
        case Reorganise() if not capabilities.file_lists:
            return "rewrite manifests"
        case Restore() if not capabilities.restores:
            return "go back to an earlier version"
        case Expire() if not capabilities.expires:
            return "expire versions"
        case Evolve():
            unable = [_WORDS[type(c)] for c in edit.changes if type(c) not in capabilities.column_changes]
            if (edit.partition_by is not None or edit.sort_by is not None) and not capabilities.rearranges:
                unable.append("change its partitioning or sort order")
            return " and ".join(dict.fromkeys(unable))
    return ""


def refuse_lacking(table: str, capabilities: TableCapabilities, edit: Edit) -> None:
    """Raise TableUnfit if *table*, of these *capabilities*, cannot do *edit*."""
    if unable := lacking(capabilities, edit):
        raise TableUnfit(
            f"table {table}: a table of format {capabilities.format} cannot {unable}.", State.NOTHING_CHANGED
        )
