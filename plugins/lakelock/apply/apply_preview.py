"""The preview of what a pipeline file says of its existing tables, which a person approves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lakelock.apply.decision import Steps


@dataclass(frozen=True, slots=True)
class TableSteps:
    """Steps for one table; *left_out* says why none is made."""

    table: str
    steps: Steps = field(default_factory=Steps)
    left_out: str = ""

    @property
    def nothing(self) -> bool:
        return bool(self.left_out) or self.steps.nothing

    @property
    def lines(self) -> list[str]:
        if self.left_out:
            return [f"{self.table}: left out: {self.left_out}"]
        notes = [f"{self.table}: note: {line}" for line in self.steps.notes]
        if self.steps.nothing and not self.steps.refused:
            return [f"{self.table}: it is as the file says", *notes]
        return [
            *(f"{self.table}: {line}" for line in self.steps.lines),
            *(f"{self.table}: not applied: {line}" for line in self.steps.refused),
            *notes,
        ]


@dataclass(frozen=True, slots=True)
class ApprovedSteps:
    """Texts of the approved steps by table."""

    steps: Mapping[str, Sequence[str]]

    @property
    def text(self) -> str:
        return json.dumps({table: list(lines) for table, lines in self.steps.items()})

    @classmethod
    def of(cls, text: str) -> ApprovedSteps:
        return cls(json.loads(text))

    def beyond(self, now: TableSteps) -> list[str]:
        """Steps of *now* that are not approved."""
        approved = self.steps.get(now.table, ())
        return [] if now.nothing else [line for line in now.steps.lines if line not in approved]


@dataclass(frozen=True, slots=True)
class ApplyPlan:
    """Steps for all tables: the preview, and afterwards what was done."""

    tables: tuple[TableSteps, ...]

    @property
    def nothing(self) -> bool:
        return all(t.nothing for t in self.tables)

    @property
    def shown(self) -> ApprovedSteps:
        return ApprovedSteps({t.table: t.steps.lines for t in self.tables if not t.nothing})

    @property
    def lines(self) -> list[str]:
        return [line for t in self.tables for line in t.lines]

    @property
    def line(self) -> str:
        return "\n".join(self.lines)
