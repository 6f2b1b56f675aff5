"""Which tables the page shows, as the key of a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lakelock.model.overview import TableChoice
from lakelock.model.sightings import Sights, promise_s
from lakelock.model.units import parse_duration

# The time between batches of a pipeline that the watch has not seen: the default of schedule.every.
UNWATCHED_S = 300.0


def choice_key(
    choice: TableChoice,
    pipelines: Sequence[str],
    settings: Mapping[str, Mapping[str, Any]],
    sights: Mapping[str, Sights],
) -> dict[str, object]:
    """The key of the query `chosen`. No table of a paused pipeline is late."""

    def late_s(pipeline: str) -> float | None:
        if pipeline in sights:
            return sights[pipeline].limits.promise_s if sights[pipeline].running_since_s is not None else None
        latency = settings.get(pipeline, {}).get("max_latency")
        return promise_s(parse_duration(latency).total_seconds() if latency else 0.0, UNWATCHED_S, UNWATCHED_S)

    return {
        "late_s": [late_s(pipeline) for pipeline in pipelines],
        "gone": sorted({table for s in sights.values() for table in s.gone}),
        "find": choice.find.strip().lower(),
        "in_pipelines": choice.in_pipelines,
        "only": choice.only,
        "order": choice.order.value,
        "skip": choice.skip,
        "most": choice.most,
    }
