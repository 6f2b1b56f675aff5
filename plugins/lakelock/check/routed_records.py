"""Route sample records, by the rules of a pipeline file and by those of its newest batch."""

from __future__ import annotations

from dataclasses import replace

from lakelock.adapters.kafka.sample import SampledRecord
from lakelock.adapters.wal.check_queries import read_past
from lakelock.app.runtime import Runtime
from lakelock.check.routed_sample import RoutedSample, changed_text, routed_sample, routed_text
from lakelock.config import Pipeline, Table
from lakelock.config.route_section import Route
from lakelock.ingest.define import SAMPLE_BYTES
from lakelock.model.units import counted
from lakelock.records.decompression import first_part

SHOWN_TABLES = 5


def routed_records(
    runtime: Runtime, rules: Route, records: list[SampledRecord], *, has_log: bool
) -> tuple[str, list[tuple[Pipeline, Table, list[SampledRecord]]]]:
    """What the rules do with *records*; and the tables that get most of them, each with the pipeline that has it.

    Without a log (*has_log*), all tables count as new, and the rules are not compared with earlier ones.
    """
    file, existing = runtime.file, dict(runtime.routed_tables) if has_log else {}
    retired = {n for n, t in runtime.log.retirements(file.name).items() if t.is_retired} if has_log else ()
    read = first_part([r.value for r in records], file.value.compression, SAMPLE_BYTES)
    records = records[: len(read.values)]

    def by_rules(pipeline: Pipeline) -> RoutedSample | None:
        if pipeline.route is None or pipeline.router is None:
            return None
        router = replace(pipeline.router, known=existing, retired=frozenset(retired))
        skips = pipeline.value.tombstones == "skip"
        return routed_sample(router, records, list(read.values), skips_tombstones=skips)

    now = by_rules(file)
    assert now is not None
    assert file.router is not None
    lines = [routed_text(now, rules, existing)]
    known = read_past(runtime.wal_dsn, file.name)[0].before if has_log else None
    past = None if known is None else Pipeline.from_resolved(known)
    if past is not None and past.router != file.router and (before := by_rules(past)) is not None:
        lines.append(changed_text(before, now, file.router, existing))
    pipeline = file.with_routed(now.known)
    shown = list(now.rows)[:SHOWN_TABLES]
    if more := len(now.rows) - len(shown):
        lines.append(f"# the columns of {counted(more, 'more table')} are not shown")
    return "\n".join(lines), [(pipeline, pipeline.table(t), [records[n] for n in now.records_of(t)]) for t in shown]
