"""How rows are written for a table, as its adapter describes it."""

from __future__ import annotations

from collections.abc import Mapping
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
