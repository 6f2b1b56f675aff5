"""Fields whose names differ in case alone from names that a pipeline file gives a meaning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lakelock.model.column_changes import ELEMENT
from lakelock.records.json.record_fields import Path
from lakelock.records.observed_fields import ObservedField


class AlikeNames:
    """Names of fields at any depth that look like those of *paths* but are others.

    The producer means most likely the same field. A column of its own would show what the file masks or drops.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self._spelled: dict[Path, set[Path]] = {}
        for path in paths:
            for end in range(1, len(path) + 1):
                self._spelled.setdefault(_unicode_lower(path[:end]), set()).add(path[:end])

    def without(self, found: ObservedField, record: Path = ()) -> ObservedField:
        """*found* without such fields; *record* leads to it."""
        if not self._spelled:
            return found
        children = {
            name: self.without(child, (*record, name))
            for name, child in found.children.items()
            if not self._is_other((*record, name))
        }
        element = found.element and self.without(found.element, (*record, ELEMENT))
        return replace(found, children=children, element=element)

    def _is_other(self, path: Path) -> bool:
        spelled = self._spelled.get(_unicode_lower(path))
        return spelled is not None and path not in spelled


def _unicode_lower(path: Path) -> Path:
    """Letters of all scripts, where `ascii_lower` takes ASCII letters alone: here, it is safer to find too many names alike."""
    return tuple(name.lower() for name in path)
