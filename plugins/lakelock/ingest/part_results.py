"""From the outputs of a batch's slices to the parts that are staged."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from lakelock.config import Pipeline
from lakelock.config.commit_sections import DeadLetterLimits
from lakelock.errors import LakelockError, TableUnfit, WalUnusable
from lakelock.ingest import books as bookkeeping
from lakelock.ingest.dead_letter_state import DeadLetterTables, coverage_of, refuse_covered, refuse_late
from lakelock.ingest.decided_records import refuse_decided
from lakelock.model.batches import NO_TABLE, Batch, Closing, PartResult, is_backfill
from lakelock.model.coverage import Coverage
from lakelock.model.offsets import OffsetRange
from lakelock.ports import SliceOutput, TableOutput, TableState

logger = logging.getLogger(__name__)


def parts_of(
    pipeline: Pipeline,
    batch: Batch,
    states: Mapping[str, TableState],
    layouts: Mapping[str, str],
    dead_letters: DeadLetterTables,
    outputs: Sequence[SliceOutput],
    stop_at: DeadLetterLimits | None,
    *,
    again: bool,
) -> tuple[list[PartResult], dict[str, LakelockError]]:
    """Parts to stage, dead letters first because they land first, and faults of tables that get no part.

    Such a table has new dead letters in ranges that are closed to them. A recovery has planned the batch *again*: some tables
    may have its ranges.
    """
    parts: list[PartResult] = []
    data: list[PartResult] = []
    unfit: dict[str, LakelockError] = {}
    written = _by_table(t for o in outputs for t in o.tables)
    letters = _by_table(t for o in outputs for t in o.dead_letters if t.files)
    for name, state in sorted(states.items()):
        planned = ranges_of(pipeline, batch, name)
        of_table = written.get(name, [])
        books = bookkeeping.combined(planned, (b for t in of_table for b in t.books))
        bookkeeping.check_dead_letters(
            name, books, stop_at.ratio if stop_at else None, stop_at.count if stop_at else None
        )
        dead = letters.get(name, [])
        dead_letter_books = bookkeeping.dead_letter_books(planned, (b for t in dead for b in t.books))
        identity = replace(state.identity, layout=layouts.get(name, state.layout.token))
        part = PartResult(name, identity, tuple(f for t in of_table for f in t.files), books)
        try:
            landed = dead_letters.landed(name, planned)
            if not again:
                refuse_covered(state, dead_letter_books)
            else:
                landed += [r for r in planned if coverage_of(state).data.touches(r)]
            refuse_late(name, dead_letter_books, landed, dead_letters.closed(name, planned))
        except (TableUnfit, WalUnusable) as fault:
            logger.error("%s", fault)
            unfit[name] = fault
            continue
        data.append(part)
        if dead_letter_books:
            files = tuple(f for t in dead for f in t.files)
            current = dead_letters.current
            parts.append(PartResult(current.name, current.identity, files, dead_letter_books, target=name))
    return [*parts, *data], unfit


def _by_table(outputs: Iterable[TableOutput]) -> dict[str, list[TableOutput]]:
    found: dict[str, list[TableOutput]] = {}
    for output in outputs:
        found.setdefault(output.table, []).append(output)
    return found


def without_table(
    batch: Batch,
    closing: Closing | None,
    dead_letters: DeadLetterTables,
    outputs: Sequence[SliceOutput],
    stop_at: DeadLetterLimits | None,
    held: Callable[[], Mapping[str, Coverage]],
    entries: Collection[str],
) -> list[PartResult]:
    """The part with the dead letters that no table is known for, if there are any.

    Raises TableUnfit if some are new in a range that is closed, or in a batch that is (*closing* is None) and whose dead letters
    are not planned again. *held* returns what each routed table has, and *entries* are the tables of the file.
    """
    ranges = [p.range for p in batch.ranges]
    found = [t for o in outputs for t in o.dead_letters if t.table == NO_TABLE and t.files]
    books = bookkeeping.dead_letter_books(ranges, (b for t in found for b in t.books))
    if closing is not None:
        bookkeeping.check_dead_letters(
            "records without a table",
            closing.books,
            stop_at.ratio if stop_at else None,
            stop_at.count if stop_at else None,
        )
    is_due = closing is not None or NO_TABLE in batch.planned_tables
    landed = ranges if not is_due else dead_letters.landed(NO_TABLE, ranges)
    refuse_late(NO_TABLE, books, landed, dead_letters.closed(NO_TABLE, ranges))
    if not books:
        return []
    if closing is not None:
        refuse_decided(books, held(), dead_letters.coverage, entries if is_backfill(batch.lane) else ())
    current = dead_letters.current
    return [
        PartResult(current.name, current.identity, tuple(f for t in found for f in t.files), books, target=NO_TABLE)
    ]


def ranges_of(pipeline: Pipeline, batch: Batch, table: str) -> list[OffsetRange]:
    """The ranges of the batch that the table takes records of.

    A routed table may owe offsets that no rule of then gives to it: a batch that reads them again is for all of its ranges.
    """
    ranges = [p.range for p in batch.ranges]
    taken = [r for r in ranges if pipeline.feeds(table, r.source.topic)]
    return taken or (ranges if batch.closed else [])
