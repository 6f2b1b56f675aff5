"""orders: what a writer is told of a batch: slices, tables, where to write."""

from __future__ import annotations

from collections.abc import Mapping

from lakelock.config import Pipeline
from lakelock.core import plan as decisions
from lakelock.core.batch import Batch
from lakelock.ports import Tables, TableState, Target, WriteOrder


def order_of(
    pipeline: Pipeline,
    batch: Batch,
    attempt: str,
    parallelism: int,
    states: Mapping[str, TableState],
    letters: TableState,
    tables: Tables,
    kafka: Mapping[str, str],
) -> WriteOrder:
    """*states* are the tables to write by name, *kafka* is librdkafka configuration, with its secrets."""
    configured = {t.name: t for t in pipeline.tables}
    topics = sorted({p.range.source.topic for p in batch.ranges})
    targets = tuple(
        _target(
            state,
            topics=tuple(t for t in topics if pipeline.takes(configured[name], t)),
            zones=configured[name].zones,
            unknown_fields=configured[name].unknown_fields,
            metadata_columns=pipeline.metadata_columns_by_key,
            storage=tables.storage(state),
        )
        for name, state in sorted(states.items())
    )
    wanted = {t for target in targets for t in target.topics}
    ranges = [p.range for p in batch.ranges if p.range.source.topic in wanted]
    return WriteOrder(
        pipeline=pipeline.name,
        batch_id=batch.batch_id,
        attempt=attempt,
        slices=decisions.slices(ranges, pipeline.batch.parallelism or parallelism),
        targets=targets,
        dead_letters=_target(
            letters,
            topics=tuple(topics),
            zones={},
            unknown_fields="ignore",
            metadata_columns={},
            storage=tables.storage(letters),
        ),
        kafka=kafka,
    )


def _target(
    state: TableState,
    *,
    topics: tuple[str, ...],
    zones: Mapping[str, str],
    unknown_fields: str,
    metadata_columns: Mapping[str, str],
    storage: Mapping[str, str],
) -> Target:
    return Target(
        table=state.name,
        identity_uuid=state.uuid,
        generation=state.ledger.generation if state.ledger else 0,
        schema_id=state.schema_id,
        spec_id=state.spec_id,
        location=state.location,
        schema=state.schema,
        spec=state.spec,
        sort_order=state.sort_order,
        properties=state.properties,
        topics=topics,
        zones=zones,
        unknown_fields=unknown_fields,
        metadata_columns=metadata_columns,
        storage=storage,
    )
