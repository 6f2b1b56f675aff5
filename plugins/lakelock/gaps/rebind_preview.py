"""The preview of a rebind, and what of it a person approved."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from lakelock.gaps.refill_decision import Refill
from lakelock.model.offsets import OffsetRange, offsets_in, without
from lakelock.model.operator_log import ranges_of, rows_of, shown_range


@dataclass(frozen=True, slots=True)
class ApprovedRebind:
    """The approved rebind: no other table is adopted, and no other offsets are accepted as lost."""

    now: str | None
    lost: Sequence[OffsetRange]

    @property
    def text(self) -> str:
        return json.dumps({"now": self.now, "lost": rows_of(self.lost)})

    @classmethod
    def of(cls, text: str) -> ApprovedRebind:
        found = json.loads(text)
        return cls(found["now"], ranges_of(found["lost"]))

    def beyond(self, now: str | None, refill: Refill) -> list[str]:
        """Effects of a rebind now that exceed this approval."""
        more = [f"{r} is lost" for r in without(refill.lost, self.lost)]
        return more if self.now == now else [f"its UUID is now {now}" if now else "the table is gone", *more]


@dataclass(frozen=True, slots=True)
class RebindPlan:
    """The preview of a rebind; *now* is None if the table is gone and would be created.

    *begun*: an earlier try changed the new table but not yet the log.
    """

    table: str
    before: str
    now: str | None
    refill: Refill
    given_up: int
    accepted: bool
    begun: bool = False

    @property
    def shown(self) -> ApprovedRebind:
        return ApprovedRebind(self.now, self.refill.lost)

    @property
    def nothing(self) -> bool:
        return self.now == self.before

    @property
    def refused(self) -> bool:
        """Whether offsets would be lost without acceptance."""
        return bool(self.refill.lost) and not self.accepted

    @property
    def lines(self) -> list[str]:
        """The preview that a person approves."""
        if self.nothing:
            return [f"rebind {self.table}: the pipeline already writes to this table; nothing is left to decide"]
        becomes = "it is gone, and will be created again" if self.now is None else f"UUID {self.now} replaces it"
        out = [
            f"rebind {self.table}: the pipeline wrote to UUID {self.before}; {becomes}",
            f"batches of the old table that are given up: {self.given_up}",
        ]
        if again := self.refill.again:
            out.append(f"{offsets_in(again)} offsets are read again: {', '.join(map(str, again))}")
        if requested := self.refill.requested:
            ranges = ", ".join(map(str, requested))
            out.append(
                f"{offsets_in(requested)} offsets from before its start wait for the next run of a backfill: {ranges}"
            )
        for r, _ in (g for g in self.refill.gaps if g[0] not in self.refill.lost):
            out.append(f"{shown_range(r)} is no longer read")
        for r in self.refill.lost:
            then = "and is accepted as lost" if self.accepted else "which must be accepted as lost (--accept-loss)"
            out.append(f"{self.why_lost(r)}, {then}")
        return out

    def why_lost(self, r: OffsetRange) -> str:
        if self.begun:
            return f"the new table records that {r} is lost"
        if r in self.refill.gone:
            return f"the pipeline file no longer assigns {r} to the table, but the old one had it"
        return f"Kafka no longer holds {r}"
