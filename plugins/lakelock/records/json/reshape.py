"""How the JSON of records is reshaped before columns take fields. Pipeline files are checked by it: no heavy library."""

from __future__ import annotations

from dataclasses import dataclass

from lakelock.records.json.record_fields import Node, Path


@dataclass(frozen=True, slots=True)
class Flatten:
    """Objects' fields take the place of objects, with names joined by *separator*; *depth* levels of them, None for all."""

    separator: str
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class Reshape:
    """First, texts at the paths *parse* become the JSON that they are; outer ones before those within. Then *flatten*.

    Last, fields get the names that they have in *names*, which may differ in case; with *ignores_case*, so do those in *parse*.
    """

    parse: tuple[Path, ...] = ()
    flatten: Flatten | None = None
    ignores_case: bool = False
    names: Node | None = None

    @property
    def rounds(self) -> list[tuple[Path, ...]]:
        """The paths that can be parsed at once: none of them lies within another."""
        found: dict[int, list[Path]] = {}
        for path in dict.fromkeys(self.parse):
            around = sum(path[: len(other)] == other and path != other for other in dict.fromkeys(self.parse))
            found.setdefault(around, []).append(path)
        return [tuple(found[n]) for n in sorted(found)]
