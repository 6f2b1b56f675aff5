"""How rows are written for a table, as its adapter describes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Layout:
    """A table's columns, partitioning and sort order at some moment.

    The *token* is equal for files that are written alike, and can be shown to people. Only adapters read *details*, which
    are JSON.
    """

    token: str
    is_partitioned: bool = field(default=False, compare=False)
    details: Mapping[str, object] = field(default_factory=dict, repr=False, compare=False)


# Between tokens, which have no such text.
_AND = " and "


def joined(tokens: Iterable[str]) -> str:
    """The token of a part whose files are of several layouts."""
    return _AND.join(sorted(set(tokens)))


def tokens_in(token: str) -> list[str]:
    """Inverse of `joined`."""
    return token.split(_AND)
