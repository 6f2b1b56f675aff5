"""The order to tasks that turns dead letters into rows of a table."""

from __future__ import annotations

from lakelock.ingest.context import PipelineContext
from lakelock.ingest.write_order import MaskKeys, filling_of, target_of, with_checks_of
from lakelock.model.offsets import OffsetRange
from lakelock.ports.redrive_jobs import DeadLetterStore, RedriveOrder
from lakelock.redrive.dead_letter_lookup import Selection


def order_of(
    context: PipelineContext,
    box: DeadLetterStore,
    keys: MaskKeys,
    selection: Selection,
    redrive_id: str,
    slices: tuple[tuple[OffsetRange, ...], ...],
) -> RedriveOrder:
    pipeline, state, now = context.pipeline, selection.state, selection.names
    filling = filling_of(pipeline, now.settings, keys(pipeline.table(state.name)), now.past_fields)
    target = target_of(state, context.tables.storage(state), **filling)
    # There is no batch to stop.
    target = with_checks_of(target, {})
    return RedriveOrder(
        redrive_id,
        target,
        slices,
        tuple(box.files(s, selection.letters_of) for s in selection.dead_letters),
        compression=pipeline.value.compression,
        letters_of=selection.letters_of,
    )
