"""Definitions of tables that do not exist yet, from the pipeline file and from records in Kafka."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from lakelock.adapters.json.reshape import reshaped_texts
from lakelock.adapters.kafka.broker import KafkaBroker
from lakelock.adapters.kafka.sample import sampled_metadata
from lakelock.app.evaluation import Judging, verdicts
from lakelock.config import Pipeline
from lakelock.ingest.define import SAMPLE_BYTES, SAMPLE_RECORDS, define
from lakelock.ingest.plan import current_sources
from lakelock.model.batches import LIVE, Batch, PlannedRange
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import Log, TableDefinition
from lakelock.records.decompression import first_part
from lakelock.records.routing.route_one import route


class Definitions:
    """Table definitions of one pipeline; columns that the file does not declare are inferred from records."""

    def __init__(self, pipeline: Pipeline, log: Log, broker: KafkaBroker, run: Judging) -> None:
        self._pipeline = pipeline
        self._log = log
        self._broker = broker
        self._run = run

    def of_batch(
        self, pipeline: Pipeline, name: str, batch: Batch, sample: Sequence[bytes] | None = None
    ) -> TableDefinition:
        """Definition of a table of *batch*, which was planned under *pipeline*; *sample* has values routed to the table.

        Today's file takes precedence if it has the table: an operator fixes a failing definition there.
        """
        meant = self._pipeline if self._pipeline.has_table(name) else pipeline
        return define(
            meant, name, batch, self._sample, lambda limit: self._newest(meant, name, limit), reshaped_texts, sample
        )

    def of_all_records(self, name: str) -> TableDefinition:
        """Definition of a table that no batch writes to: columns are inferred from all records in Kafka."""
        pipeline = self._pipeline
        spans = self._broker.watermarks(self._sources(pipeline, name))
        available = [
            OffsetRange(s, w.low_offset, w.end_offset) for s, w in spans.items() if w.low_offset < w.end_offset
        ]
        ranges = tuple(map(PlannedRange, available))
        batch = Batch("", pipeline.name, LIVE, pipeline.resolved(), pipeline.digest, ranges, (name,))
        return self.of_batch(pipeline, name, batch, self._routed(pipeline, name))

    def _sources(self, pipeline: Pipeline, name: str) -> list[Source]:
        table, streams = pipeline.table(name), self._log.streams(pipeline.name, LIVE)
        return [s for s in current_sources(pipeline, streams, self._broker) if pipeline.takes(table, s.topic)]

    def _routed(self, pipeline: Pipeline, name: str) -> list[bytes] | None:
        """Values of the newest records that today's rules route to the table; None if it is not routed."""
        router = pipeline.router
        if router is None or not pipeline.is_routed(name):
            return None
        records = self._broker.sample(self._sources(pipeline, name), SAMPLE_RECORDS)
        values = first_part([r.value for r in records], pipeline.value.compression, SAMPLE_BYTES).values
        records = records[: len(values)]
        judged = verdicts(self._run, router, values, partial(sampled_metadata, records))
        return [
            value
            for r, value, letters in zip(records, values, judged, strict=True)
            if value is not None
            and any(t.name == name for t in route(router, r.source.topic, r.key, r.headers, value, letters).tables)
        ]

    def _sample(self, ranges: Sequence[OffsetRange], limit: int) -> list[bytes | None]:
        return [r.value for r in self._broker.sample_ranges(ranges, limit)]

    def _newest(self, pipeline: Pipeline, name: str, limit: int) -> list[bytes | None]:
        return [r.value for r in self._broker.sample(self._sources(pipeline, name), limit)]
