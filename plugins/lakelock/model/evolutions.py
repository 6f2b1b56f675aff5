"""Changes of a table's columns that records asked for, as the snapshots of these changes record them."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from lakelock.model.units import one_line

# In the summary of a snapshot that changed columns: which, and the record and batch that asked for it.
EVOLUTION = "lakelock.evolution"
# Between a column's name and its change.
_BETWEEN = ": "
# In texts for people.
_SHOWN, _TABLES_SHOWN = 20, 5


@dataclass(frozen=True, slots=True)
class ColumnsChanged:
    """One snapshot that changed the columns of *table*.

    *changes* are texts, as of `column_changes.described`, but `printable`. *record* is the place of a record that asked for
    them. *at_ms* is the snapshot's time, None if the table was not read since.
    """

    table: str
    changes: tuple[str, ...]
    record: str
    batch: str
    run: str
    version_id: int = 0
    at_ms: int | None = None

    @property
    def line(self) -> str:
        """One sentence for logs and alerts."""
        shown = shown_changes(self.changes)
        return one_line(f"table {self.table}: its columns changed: {shown} (for the record of {self.record})")

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> ColumnsChanged:
        """From its fields, after a round trip through JSON."""
        return cls(**{**fields, "changes": tuple(fields["changes"])})


def shown_changes(changes: Sequence[str]) -> str:
    """The first ones, for people."""
    shown = "; ".join(changes[:_SHOWN])
    return shown if len(changes) <= _SHOWN else f"{shown}; and {len(changes) - _SHOWN} more"


def printable(text: str) -> str:
    """*text* with a replacement for each character that databases refuse or that moves a cursor: records name columns."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def encode(changed: ColumnsChanged) -> str:
    """For the summary of the snapshot, which has its id, its time and the table's name anyway."""
    said = {"changes": changed.changes, "record": changed.record, "batch": changed.batch, "run": changed.run}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def decode(text: str, table: str, version_id: int, at_ms: int) -> ColumnsChanged | None:
    """Inverse of `encode`; None for a text that is not of it, since other tools may edit summaries."""
    try:
        said = json.loads(text)
        changes = tuple(printable(str(text)) for text in said["changes"])
        record, batch, run = (printable(str(said[name])) for name in ("record", "batch", "run"))
        return ColumnsChanged(table, changes, record, batch, run, version_id, at_ms)
    except (KeyError, TypeError, ValueError):
        return None


def last_changes(names: Collection[str], history: Sequence[ColumnsChanged]) -> dict[str, tuple[str, ColumnsChanged]]:
    """For each dotted name that is changed in *history* (oldest first), its newest change.

    A name may contain the text between a name and its change. So a change is one of the longest name that it begins with.
    """
    known = {printable(name): name for name in names}
    out: dict[str, tuple[str, ColumnsChanged]] = {}
    for changed in history:
        for text in changed.changes:
            ends = [n for n in range(len(text)) if text.startswith(_BETWEEN, n) and text[:n] in known]
            if ends:
                out[known[text[: ends[-1]]]] = (text[ends[-1] + len(_BETWEEN) :], changed)
    return out


@dataclass(frozen=True, slots=True)
class ChangesSeen:
    """What the watch remembers of all looks: the time of each table's newest change, and changes to report."""

    newest_ms: Mapping[str, int] = field(default_factory=dict)
    unreported: tuple[ColumnsChanged, ...] = ()

    @property
    def line(self) -> str:
        """One text for the changes to report; empty if there are none."""
        lines = [f"{c.line}, snapshot {c.version_id}" for c in self.unreported[:_TABLES_SHOWN]]
        more = len(self.unreported) - _TABLES_SHOWN
        return "; ".join([*lines, *([f"and {more} more"] if more > 0 else [])])

    def json(self) -> dict[str, Any]:
        return {"newest_ms": self.newest_ms, "unreported": [asdict(c) for c in self.unreported]}

    @staticmethod
    def of_json(given: Mapping[str, Any]) -> ChangesSeen:
        return ChangesSeen(given["newest_ms"], tuple(map(ColumnsChanged.of, given["unreported"])))


def seen(before: ChangesSeen | None, tables: Mapping[str, Sequence[ColumnsChanged]], reported_line: str) -> ChangesSeen:
    """What to remember after a look that found these changes, by table; a table that was not read is absent.

    *reported_line* is the last text that all recipients got: its changes are done with. The first look reports nothing,
    because earlier changes were made while reports were off.
    """
    newest_ms = dict(before.newest_ms) if before else {}
    left = before.unreported if before is not None and before.line != reported_line else ()
    new: list[ColumnsChanged] = []
    for table, changes in tables.items():
        known_ms = newest_ms.get(table, 0)
        new += [c for c in changes if before is not None and (c.at_ms or 0) > known_ms]
        newest_ms[table] = max((known_ms, *(c.at_ms or 0 for c in changes)))
    return ChangesSeen(newest_ms, (*left, *sorted(new, key=lambda c: (c.at_ms or 0, c.table))))
