"""A pipeline's past as the log has it, for `check`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from lakelock.model.batches import StreamState
from lakelock.model.coverage import Coverage


@dataclass(frozen=True, slots=True)
class PastPipeline:
    """What the log has of a pipeline. `before` is the configuration of its newest batch, None where it has none.

    `topics` are those that each table was ever planned for; `made` are tables that exist, `letters` those of dead letters
    among them. `open_parts` has planned and staged parts by table.
    """

    before: Mapping[str, object] | None
    streams: Sequence[StreamState] = ()
    topics: Mapping[str, Collection[str]] = field(default_factory=dict)
    made: Collection[str] = ()
    letters: Collection[str] = ()
    open_parts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    coverage: Mapping[str, Coverage] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PastLoad:
    """What the last batches of a pipeline were like: files of a table in each, and seconds that writing took."""

    batches: int = 0
    files: float = 1.0
    write_s: float = 0.0
