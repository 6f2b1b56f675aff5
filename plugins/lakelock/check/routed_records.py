"""Route sample records, by the rules of a pipeline file and by those that routed the newest batch."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from lakelock.adapters.kafka.sample import SampledRecord, sampled_metadata
from lakelock.adapters.wal.check_queries import read_past
from lakelock.app.evaluation import verdicts
from lakelock.app.runtime import Runtime
from lakelock.check.routed_sample import SHOWN, RoutedSample, changed_text, routed_sample, routed_text
from lakelock.check.routed_standing import refused, standings
from lakelock.check.sampled import CheckedSample
from lakelock.config import Pipeline, Table
from lakelock.config.route_section import Route
from lakelock.errors import ConfigFaults, LakelockError, State
from lakelock.ingest.define import SAMPLE_BYTES
from lakelock.model.units import counted
from lakelock.records.decompression import first_part
from lakelock.records.routing.predicates import Predicates

SHOWN_TABLES = 5


def routed_records(
    runtime: Runtime,
    rules: Route,
    records: list[SampledRecord],
    *,
    has_log: bool,
    can_load: bool,
    can_evaluate: bool,
    is_long: bool,
) -> tuple[CheckedSample, list[tuple[Pipeline, Table, list[SampledRecord]]]]:
    """What the rules do with *records*; and the tables that get most of them, each with the pipeline that has it.

    Without a log (*has_log*), all tables count as new, and the rules are not compared with earlier ones. Rules with predicates
    need Spark (*can_evaluate*). Up to SHOWN tables have their records checked, and SHOWN_TABLES their columns shown unless
    it *is_long*.
    """
    file, existing = runtime.file, dict(runtime.routed_tables) if has_log else {}
    retired = {n for n, t in runtime.log.retirements(file.name).items() if t.is_retired} if has_log else ()
    read = first_part([r.value for r in records], file.value.compression, SAMPLE_BYTES)
    records = records[: len(read.values)]

    def by_rules(pipeline: Pipeline) -> RoutedSample | None:
        if pipeline.route is None or pipeline.router is None:
            return None
        router = replace(pipeline.router, known=existing, retired=frozenset(retired))
        if not can_evaluate and Predicates.of(router):
            return None
        skips = pipeline.value.tombstones == "skip"
        judged = verdicts(runtime.run, router, read.values, partial(sampled_metadata, records))
        return routed_sample(router, records, list(read.values), judged, skips_tombstones=skips)

    assert file.router is not None
    if (now := by_rules(file)) is None:
        return CheckedSample("# route: the predicates of its rules are not evaluated: needs Spark"), []
    pipeline = file.with_routed(now.known)
    found = standings(runtime, pipeline, now.shown, has_log=has_log, can_load=can_load)
    lines, faults = [routed_text(now, rules, found)], [s for s in found.values() if isinstance(s, LakelockError)]
    new = [name for name in now.rows if name not in existing]
    stop = refused(file, rules, runtime.log if has_log else None, new, len(existing.keys() - retired))
    faults += [stop] if stop else []
    if (dead := len(now.without_table)) and dead == len(now.routed):
        said = f"all of {counted(dead, 'sampled record')} would become dead letters without a table."
        faults.append(ConfigFaults(said, State.NOTHING_CHANGED, "Correct the rules, or set route.otherwise."))
    past = _last_rules(runtime) if has_log else None
    if past is not None and past.router != file.router and (before := by_rules(past)) is not None:
        lines.append(changed_text(before, now, file.router, existing))
    checked = list(now.rows)[:SHOWN]
    if (more := len(now.rows) - (SHOWN if is_long else SHOWN_TABLES)) > 0:
        how = "" if is_long else f": --json shows those of up to {SHOWN} tables"
        lines.append(f"# the columns of {counted(more, 'more table')} are not shown{how}")
    return CheckedSample("\n".join(lines), faults), [
        (pipeline, pipeline.table(t), [records[n] for n in now.records_of(t)]) for t in checked
    ]


def _last_rules(runtime: Runtime) -> Pipeline | None:
    """The configuration that was registered last: those of batches that nothing is staged of may still change."""
    name = runtime.file.name
    ledgers = runtime.log.ledgers(name, runtime.log.dead_letter_tables(name))
    registries = [ledger.registry for ledger in ledgers.values() if ledger.registry is not None]
    if registry := registries and registries[0].joined(registries[1:]):
        configs = [c.config for c in registry.configs]
    else:
        before = read_past(runtime.wal_dsn, name)[0].before
        configs = [] if before is None else [before]
    return Pipeline.from_resolved(configs[-1]) if configs else None
