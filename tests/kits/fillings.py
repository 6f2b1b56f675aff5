"""How columns are filled, without a pipeline file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lakelock.records.casts import Reading
from lakelock.records.masks import Mask
from lakelock.records.sql.expressions import Expressions


@dataclass(frozen=True)
class Filled:
    """`lakelock.records.readings.Filling`."""

    readings: Mapping[str, Reading] = field(default_factory=dict)
    zones: Mapping[str, str] = field(default_factory=dict)
    rest_column: str | None = None
    constants: Mapping[str, str] = field(default_factory=dict)
    masks: Mapping[str, Mask] = field(default_factory=dict)
    expressions: Expressions | None = None
    dropped: tuple[tuple[str, ...], ...] = ()
    ignores_case: bool = False
