"""Build the order for a writer: slices, tables and their storage."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lakelock.config import Pipeline, Table
from lakelock.errors import ConfigFaults, LakelockError, State
from lakelock.ingest.dead_letter_state import DeadLetterTables
from lakelock.ingest.effective_settings import EffectiveTable
from lakelock.ingest.evolving import evolving_now
from lakelock.ingest.present_names import NO_PAST, PastFields, PresentNames
from lakelock.ingest.slicing import slices
from lakelock.model.batches import NO_TABLE, Batch
from lakelock.model.offsets import OffsetRange, united
from lakelock.ports import Tables, TableState, Target, WriteOrder, Writer
from lakelock.records.routing.predicates import Predicates
from lakelock.records.routing.router import Router
from lakelock.records.sql.expressions import Evaluable, OnFail

logger = logging.getLogger(__name__)

# The keys of a table's masks, by id of their connection.
MaskKeys = Callable[[Table], Mapping[str, str]]


def no_keys(table: Table) -> Mapping[str, str]:
    """For tables without such masks: others are refused."""
    return {}


def order_of(
    pipeline: Pipeline,
    batch: Batch,
    attempt: str,
    parallelism: int,
    states: Mapping[str, TableState],
    names: Mapping[str, PresentNames],
    dead_letters: TableState,
    tables: Tables,
    kafka: Mapping[str, str],
    keys: MaskKeys = no_keys,
    router: Router | None = None,
) -> WriteOrder:
    """Build the order for *attempt*; *states* are the tables to write, by name, and *names* the settings of each.

    *kafka* is librdkafka configuration, with its secrets. With a *router*, all ranges are read that may have records for its
    tables, of which some may not be among *states*.
    """
    topics = sorted({p.range.source.topic for p in batch.ranges})
    targets = tuple(
        _target(pipeline, names[name], state, tables, topics, keys(pipeline.table(name)))
        for name, state in sorted(states.items())
    )
    wanted = {t for target in targets for t in target.topics}
    if router is not None:
        is_whole = router.only is None or NO_TABLE in router.only
        wanted |= {t for t in topics if is_whole or any(pipeline.feeds(name, t) for name in router.only or ())}
    ranges = [p.range for p in batch.ranges if p.range.source.topic in wanted]
    cut = slices(ranges, parallelism)
    return WriteOrder(
        pipeline=pipeline.name,
        batch_id=batch.batch_id,
        attempt=attempt,
        slices=cut,
        targets=targets,
        dead_letters=target_of(
            dead_letters, tables.storage(dead_letters), topics=tuple(topics), unknown_fields="ignore"
        ),
        kafka=kafka,
        pipeline_version=batch.config_digest[:12],
        slice_s=pipeline.job_s,
        # The batch size is an estimate from few records, so only a slice far beyond it ends early.
        slice_bytes=2 * pipeline.batch.max_bytes // max(1, len(cut)) + 1,
        compression=pipeline.value.compression,
        skips_tombstones=pipeline.value.tombstones == "skip",
        router=router,
    )


def _target(
    pipeline: Pipeline,
    now: PresentNames,
    state: TableState,
    tables: Tables,
    topics: Sequence[str],
    mask_keys: Mapping[str, str],
) -> Target:
    return target_of(
        state,
        tables.storage(state),
        topics=tuple(t for t in topics if pipeline.takes(now.settings, t)),
        is_routed=pipeline.is_routed(state.name),
        evolving=evolving_now(pipeline, now, state),
        **filling_of(pipeline, now.settings, mask_keys, now.past_fields),
    )


def filling_of(
    pipeline: Pipeline, table: EffectiveTable, mask_keys: Mapping[str, str], past: PastFields = NO_PAST
) -> dict[str, Any]:
    """Fields of `Target`: how records become rows of *table*."""
    settings = table.reading_settings
    return {
        "format": pipeline.value.format,
        "options": pipeline.value.options,
        **settings,
        "dropped": (*settings["dropped"], *past.left_out),
        "left_out": past.left_out,
        "renamed": past.renamed,
        "mask_keys": mask_keys,
        "metadata_columns": pipeline.metadata_columns_by_key,
    }


def target_of(state: TableState, storage: Mapping[str, str], **more: Any) -> Target:
    """*state* as tasks see it; *more* has fields of `Target`, and may override the table's layout."""
    fields: dict[str, Any] = {"layout": state.layout, "partitioned": state.partitioned, "topics": ()} | more
    return Target(
        table=state.name,
        identity_uuid=state.uuid,
        generation=state.ledger.generation if state.ledger else 0,
        location=state.location,
        columns=state.columns,
        properties=state.properties,
        storage=storage,
        **fields,
    )


def with_checks_of(target: Target, on_fail: Mapping[str, OnFail]) -> Target:
    """*target*, whose checks stop the batch only if they do so in *on_fail*; one that is not there gives dead letters."""
    if target.expressions is None:
        return target
    checks = tuple(
        replace(c, on_fail=on_fail.get(c.name, "dead_letter")) if c.on_fail == "stop" else c
        for c in target.expressions.checks
    )
    return replace(target, expressions=replace(target.expressions, checks=checks))


def with_dead_letters(
    order: WriteOrder, ranges: Mapping[str, Sequence[OffsetRange]], dead_letters: DeadLetterTables
) -> WriteOrder:
    """*order* with the dead letters that exist already or were declared lost; *ranges* are those of each table."""
    if order.router is not None:
        ranges = {**ranges, NO_TABLE: united(r for of_slice in order.slices for r in of_slice)}
    landed = {name: found for name in ranges if (found := dead_letters.landed(name, ranges[name]))}
    if NO_TABLE in ranges:
        # Another cut of the offsets does not matter: the exact offsets are known.
        landed[NO_TABLE] = list(ranges[NO_TABLE])
    if landed:
        order = replace(order, decided={name: dead_letters.decided(name, found) for name, found in landed.items()})
    closed = {name: found for name in ranges if (found := dead_letters.closed(name, ranges[name]))}
    if closed:
        order = replace(order, lost={name: dead_letters.lost(name, found) for name, found in closed.items()})
    return order


def evaluable(
    writer: Writer,
    order: WriteOrder,
    today: Pipeline,
    faults: dict[str, LakelockError],
) -> WriteOrder:
    """*order* without the tables whose expressions Spark cannot evaluate, which join *faults*; checks stop as *today* says.

    Raises ConfigFaults if Spark cannot evaluate the predicates of its rules.
    """
    predicates = Predicates.of(order.router)
    if predicates is None and not any(t.expressions for t in order.targets):
        return order
    rules: list[Evaluable] = [predicates] if predicates else []
    unfit = writer.unfit([*rules, *order.targets], State.PART_PLANNED)
    if (of_rules := unfit.get(NO_TABLE)) is not None:
        raise ConfigFaults(of_rules.what, State.BATCH_PLANNED, of_rules.do)
    for fault in unfit.values():
        logger.error("%s", fault)
    faults |= unfit
    targets = []
    for target in (t for t in order.targets if t.table not in unfit):
        checks = today.table(target.table).checks or () if today.has_table(target.table) else ()
        targets.append(with_checks_of(target, {c.name: c.on_fail for c in checks}))
    return replace(order, targets=tuple(targets))
