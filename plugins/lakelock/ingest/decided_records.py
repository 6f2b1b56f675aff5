"""Dead letters without a table that a batch must not add: a table may already have their records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lakelock.errors import State, TableUnfit, WalUnusable
from lakelock.model.batches import Books, of_target
from lakelock.model.coverage import Coverage
from lakelock.model.offsets import OffsetRange, Source


def refuse_decided(books: Sequence[Books], held: Mapping[str, Coverage], dead_letters: Coverage) -> None:
    """Raise TableUnfit for new dead letters without a table, of ranges that were routed before.

    *books* are those of new ones only. *held* has the own coverage of each routed table, as in its newest known ledger. If any of
    them has an offset, or *dead_letters* has one of any table, the batch of that offset was closed once and its dead letters
    without a table are committed. So a further record was a row, or a dead letter of a table, and would be there twice.
    """
    for late in books:
        if (where := _decided(late.range, held, dead_letters)) is not None:
            raise TableUnfit(
                f"{late.read} records of {late.range} could be routed to a table before and no longer can be, but {where} has "
                "records of this range.",
                State.BATCH_PLANNED,
                "Undo the change of the topic's records or of lakelock's release that makes them unreadable, and run again.",
            )


def _decided(r: OffsetRange, held: Mapping[str, Coverage], dead_letters: Coverage) -> str | None:
    """The first of the tables that has something of *r*."""
    for table, coverage in held.items():
        if coverage.touches(r):
            return table
    for named, covered in dead_letters.items():
        target, source = of_target(named)
        if target and source == r.source and covered.missing(r.start, r.end) != [(r.start, r.end)]:
            return f"the dead-letter table, for {target},"
    return None


def refuse_behind(table: str, mark: Coverage | None, frontiers: Mapping[Source, int]) -> None:
    """Raise WalUnusable if the log's *frontiers* are behind the *mark* of the dead-letter table *table*."""
    for source, covered in sorted((mark or Coverage()).items()):
        if frontiers.get(source, covered.start_offset) < covered.end_offset:
            raise WalUnusable(
                f"table {table} says that {source} is complete up to {covered.end_offset}, but Postgres has planned it only up to "
                f"{frontiers.get(source, covered.start_offset)}: Postgres was restored to an earlier moment, or lost.",
                State.NOTHING_CHANGED,
                "Run `bin/lakelock recover FILE` to preview the rebuild.",
            )
