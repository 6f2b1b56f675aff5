"""A pipeline's history in the log, for `check`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from lakelock.model.batches import StreamState
from lakelock.model.coverage import Coverage


@dataclass(frozen=True, slots=True)
class PastPipeline:
    """The log's knowledge of a pipeline. `before` is the configuration of its newest batch, None if there is none.

    `topics` are all that were ever planned for each table; `made` are existing tables, `dead_letters` the dead-letter tables
    among them. `open_parts` has the numbers of planned and staged parts, by table.
    """

    before: Mapping[str, object] | None
    streams: Sequence[StreamState] = ()
    topics: Mapping[str, Collection[str]] = field(default_factory=dict)
    made: Collection[str] = ()
    dead_letters: Collection[str] = ()
    open_parts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    coverage: Mapping[str, Coverage] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PastLoad:
    """Averages of a pipeline's last batches: files per table and batch, seconds spent writing, and routed tables per batch."""

    batches: int = 0
    files: float = 1.0
    write_s: float = 0.0
    routed: float = 0.0
