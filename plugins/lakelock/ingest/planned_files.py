"""What batches were planned with, read once: it never changes, and the parts of thousands of tables have the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from lakelock.config import Pipeline
from lakelock.model.valid_through import Survey
from lakelock.ports import Log

MOST = 32
T = TypeVar("T")


@dataclass(slots=True)
class PlannedFiles:
    """Pipeline files by digest, and surveys by batch, of one log."""

    _configs: dict[str, Mapping[str, object]] = field(default_factory=dict)
    _files: dict[str, Pipeline] = field(default_factory=dict)
    _surveys: dict[str, Survey] = field(default_factory=dict)

    def config(self, log: Log, digest: str) -> Mapping[str, object]:
        """As `Log.config`."""
        known = self._configs.get(digest)
        return _kept(self._configs, digest, log.config(digest)) if known is None else known

    def file(self, log: Log, digest: str) -> Pipeline:
        known = self._files.get(digest)
        return _kept(self._files, digest, Pipeline.from_resolved(self.config(log, digest))) if known is None else known

    def survey(self, log: Log, batch_id: str) -> Survey | None:
        """As `Log.survey`."""
        if (known := self._surveys.get(batch_id)) is None and (found := log.survey(batch_id)) is not None:
            return _kept(self._surveys, batch_id, found)
        return known


def _kept(known: dict[str, T], key: str, value: T) -> T:
    while len(known) >= MOST:
        del known[next(iter(known))]
    known[key] = value
    return value
