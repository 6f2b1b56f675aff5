"""The decision to redrive dead letters in the form of `recover__p`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lakelock.app.redrive import PreviewRedrive, Redrive
from lakelock.app.runtime import Runtime
from lakelock.gaps.gap_preview import Which
from lakelock.ingest.outcome import CommitOutcome
from lakelock.redrive.redrive_preview import ApprovedDeadLetters, RedriveOutcome, RedrivePlan, RedriveRequest


@dataclass(frozen=True)
class Redriving:
    """A decision to redrive dead letters."""

    request: RedriveRequest

    @classmethod
    def of(cls, which: Which, params: Mapping[str, Any]) -> Redriving:
        """The decision of a form."""
        return cls(
            RedriveRequest(params["table"], which.topic, which.partition, which.start, which.end, params["reason"])
        )

    def preview(self, runtime: Runtime) -> RedrivePlan:
        (planned,) = runtime.run(PreviewRedrive(self.request))
        return planned

    def act(
        self, runtime: Runtime, who: str, why: str, shown: str, report: Callable[[CommitOutcome], None]
    ) -> Redriven:
        seen = ApprovedDeadLetters.of(shown)
        return Redriven(runtime.run(Redrive(self.request, who, why, seen), lambda outcome: report(outcome.landed)))


@dataclass(frozen=True)
class Redriven:
    """The results of a redrive, by table."""

    outcomes: Sequence[RedriveOutcome]

    @property
    def lines(self) -> list[str]:
        return [line for outcome in self.outcomes for line in outcome.lines]
