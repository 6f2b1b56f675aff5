"""The preview of the retirement of a routed table, and what of it a person approved."""

from __future__ import annotations

import json
from dataclasses import dataclass

from lakelock.ingest.outcome import listed
from lakelock.model.offsets import OffsetRange
from lakelock.model.units import counted


@dataclass(frozen=True, slots=True)
class ApprovedRetirement:
    """The table of this UUID; None if it was never created. Batches that are staged for it later are given up, too."""

    uuid: str | None

    @property
    def text(self) -> str:
        return json.dumps({"uuid": self.uuid})

    @classmethod
    def of(cls, text: str) -> ApprovedRetirement:
        return cls(json.loads(text)["uuid"])


@dataclass(frozen=True, slots=True)
class RetirePlan:
    """*given_up* open batches of the table, with *ranges*; the table *exists* with this UUID.

    *letters* are dead letters that are assigned to it and are no rows of it.
    """

    table: str
    uuid: str | None
    exists: bool
    given_up: int
    ranges: tuple[OffsetRange, ...]
    nothing: bool
    letters: tuple[OffsetRange, ...] = ()

    @property
    def shown(self) -> ApprovedRetirement:
        return ApprovedRetirement(self.uuid)

    @property
    def lines(self) -> list[str]:
        """The preview that a person approves."""
        if self.nothing:
            return [f"retire {self.table}: it is retired; nothing is left to decide"]
        there = "keeps its rows" if self.exists else "is gone, or was never created"
        out = [f"retire {self.table}: the table {there}, and gets nothing more from this pipeline"]
        if self.given_up:
            out.append(
                f"gives up {counted(self.given_up, 'batch', 'batches')} that it does not have yet: {listed(self.ranges)}"
            )
        if self.letters:
            out.append(
                "dead letters that are assigned to it and are no rows yet wait until a rebind makes it a routed table again: "
                f"{listed(self.letters)}"
            )
        out.append("records of later batches that the rules route to it become dead letters without a table")
        return out
