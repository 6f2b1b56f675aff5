"""Definitions of tables that do not exist yet, from the pipeline file and from records in Kafka."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from lakelock.adapters.json.reshape import reshaped_texts
from lakelock.adapters.kafka.broker import KafkaBroker
from lakelock.adapters.kafka.sample import SampledRecord, sampled_metadata
from lakelock.app.evaluation import Judging, verdicts
from lakelock.config import Pipeline
from lakelock.ingest.define import SAMPLE_BYTES, SAMPLE_RECORDS, define
from lakelock.ingest.plan import current_sources
from lakelock.model.batches import LIVE, Batch, PlannedRange
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.registry import Registry
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

    def of_all_records(self, name: str, registry: Registry | None = None) -> TableDefinition:
        """Definition of a table that no batch writes to: columns are inferred from all records in Kafka.

        If today's rules do not make it, the newest rules of *registry* that do define it. If the newest records have none for
        it, the columns are inferred from records of before, by the rules that routed them.
        """
        today, routed = self._pipeline, self._routed(self._pipeline, name)
        past = list(self._past(name, registry)) if routed is not None and registry is not None else []
        makes = [p for p, _ in [(today, ()), *past] if self._sources(p, name)]
        pipeline = makes[0] if makes else today
        for file, before in past:
            routed = routed or self._routed_of(file, name, self._broker.sample_ranges(before, SAMPLE_RECORDS))
        spans = self._broker.watermarks(self._sources(pipeline, name))
        available = [
            OffsetRange(s, w.low_offset, w.end_offset) for s, w in spans.items() if w.low_offset < w.end_offset
        ]
        ranges = tuple(map(PlannedRange, available))
        batch = Batch("", pipeline.name, LIVE, pipeline.resolved(), pipeline.digest, ranges, (name,))
        newest = partial(self._newest, pipeline, name)
        return define(pipeline, name, batch, self._sample, newest, reshaped_texts, routed)

    def _past(self, name: str, registry: Registry) -> Iterator[tuple[Pipeline, list[OffsetRange]]]:
        """Registered files whose rules make the table, the newest first, each with the newest offsets that it routed."""
        raw_name = self._pipeline.raw_names[name]
        streams = self._log.streams(self._pipeline.name, LIVE)
        spans = self._broker.watermarks(current_sources(self._pipeline, streams, self._broker))
        whole = [OffsetRange(s, w.low_offset, w.end_offset) for s, w in spans.items() if w.low_offset < w.end_offset]
        pieces = [p for r in whole for p in registry.pieces(r)]
        for config in reversed(registry.configs):
            file = Pipeline.from_resolved(config.config).with_routed({name: raw_name})
            of_file = [p.range for p in pieces if p.digest == config.digest and file.feeds(name, p.range.source.topic)]
            share = max(1, SAMPLE_RECORDS // max(1, len(of_file)))
            if of_file:
                yield file, [OffsetRange(r.source, max(r.start, r.end - share), r.end) for r in of_file]

    def _sources(self, pipeline: Pipeline, name: str) -> list[Source]:
        table, streams = pipeline.table(name), self._log.streams(pipeline.name, LIVE)
        return [s for s in current_sources(pipeline, streams, self._broker) if pipeline.takes(table, s.topic)]

    def _routed(self, pipeline: Pipeline, name: str) -> list[bytes] | None:
        """Values of the newest records that today's rules route to the table; None if it is not routed."""
        if pipeline.router is None or not pipeline.is_routed(name):
            return None
        return self._routed_of(pipeline, name, self._broker.sample(self._sources(pipeline, name), SAMPLE_RECORDS))

    def _routed_of(self, pipeline: Pipeline, name: str, records: list[SampledRecord]) -> list[bytes]:
        """Values of those of *records* that go to the table by the rules of *pipeline*."""
        router = pipeline.router
        assert router is not None
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
