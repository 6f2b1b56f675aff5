"""What a run would do with the tables that sampled records are routed to, and with a batch that asks for them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from lakelock.app.runtime import Runtime
from lakelock.config import Pipeline
from lakelock.config.route_section import Route
from lakelock.errors import ConfigFaults, LakelockError, RouteLimit, State, TableMissing
from lakelock.ingest.bind import load, refuse_twice
from lakelock.ingest.new_tables import refuse_more, refuse_names
from lakelock.ingest.plan import survey
from lakelock.ingest.table_fit import fitting
from lakelock.model.offsets import Source
from lakelock.ports import Log

NEW = "new table"


def standings(
    runtime: Runtime, pipeline: Pipeline, names: Iterable[str], *, has_log: bool, can_load: bool
) -> dict[str, str | LakelockError]:
    """What a run would do with each of the tables *names* of *pipeline*; empty for one that continues as it is, and a fault for
    one whose records would wait.
    """
    if not can_load:
        return dict.fromkeys(names, "not looked up: needs the catalog")
    stand = _by_log(runtime, pipeline) if has_log else _by_catalog(runtime)
    return {name: _stand(name, stand) for name in names}


def refused(
    pipeline: Pipeline, rules: Route, log: Log | None, new: Collection[str], known: int
) -> ConfigFaults | RouteLimit | None:
    """Why a batch would stop that asks for the *new* tables beside *known* ones.

    Without a log, the limit alone is judged.
    """
    if not new:
        return None
    who, state, most = "the sampled records", State.NOTHING_CHANGED, rules.max_tables
    try:
        if log is None:
            refuse_more(pipeline, new, known, most, who, state)
        else:
            refuse_names(pipeline, log, new, known, most, who, state)
    except (ConfigFaults, RouteLimit) as fault:
        return fault
    return None


def _stand(name: str, stand: Callable[[str], str]) -> str | LakelockError:
    try:
        return stand(name)
    except LakelockError as fault:
        return fault


def _by_catalog(runtime: Runtime) -> Callable[[str], str]:
    tables = runtime.tables_of("")

    def stand(name: str) -> str:
        try:
            tables.load(name)
        except TableMissing:
            return NEW
        return "exists; only the write-ahead log knows whether it is this pipeline's"

    return stand


def _by_log(runtime: Runtime, pipeline: Pipeline) -> Callable[[str], str]:
    log, tables = runtime.log, runtime.tables
    bound, listed = log.bound(pipeline.name), {*log.listed(pipeline.name)} - runtime.routed_tables.keys()
    starts = _starts(runtime)

    def stand(name: str) -> str:
        if name in listed:
            return "was an entry of `tables`, so the batch stops (ConfigFaults)"
        try:
            state = load(log, tables, pipeline.name, name)
        except TableMissing:
            if name in bound:
                raise
            return NEW
        fitting(pipeline, pipeline.table(name), state, tables)
        if name in bound:
            return ""
        others = tables.others(state)
        refuse_twice(name, {s: at for s, at in starts.items() if pipeline.feeds(name, s.topic)}, others)
        beside = f", beside those of pipeline {', '.join(sorted(others))}" if others else ""
        return f"exists; the run adds its rows to it{beside}"

    return stand


def _starts(runtime: Runtime) -> dict[Source, int]:
    """Where each source begins for this pipeline; empty if the next plan stops, for a reason that another check reports."""
    try:
        streams, starts, _ = survey(runtime.file, runtime.log, runtime.broker)
    except LakelockError:
        return {}
    return {s.source: s.start_offset for s in streams} | starts
