"""Dead letters without a table that a batch must not add: a table may already have their records."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from lakelock.errors import State, TableUnfit
from lakelock.model.batches import Books, of_target
from lakelock.model.coverage import Coverage, SourceCoverage
from lakelock.model.offsets import OffsetRange, overlap
from lakelock.model.older_log import older_log


def refuse_decided(
    books: Sequence[Books], held: Mapping[str, Coverage], dead_letters: Coverage, apart: Collection[str] = ()
) -> None:
    """Raise TableUnfit for new dead letters without a table, of ranges that were routed before.

    *books* are those of new ones only. *held* has the own coverage of each routed table, as in its newest known ledger. If any of
    them has an offset, or *dead_letters* has one of any table, the batch of that offset was closed once and its dead letters
    without a table are committed. So a further record was a row, or a dead letter of a table, and would be there twice. Dead
    letters of tables *apart* say nothing of it: other batches read the offset for them.
    """
    for late in books:
        if (where := _decided(late.range, held, dead_letters, apart)) is not None:
            raise TableUnfit(
                f"{late.read} records of {late.range} could be routed to a table before and no longer can be, but {where} has "
                "records of this range.",
                State.BATCH_PLANNED,
                "If lakelock was upgraded since, run the earlier release once.",
            )


def _decided(
    r: OffsetRange, held: Mapping[str, Coverage], dead_letters: Coverage, apart: Collection[str]
) -> str | None:
    """The first of the tables that has something of *r*."""
    for table, coverage in held.items():
        if r.source in coverage and _has_data(coverage[r.source], r):
            return table
    for named, covered in dead_letters.items():
        target, source = of_target(named)
        if target and target not in apart and source == r.source and _has_data(covered, r):
            return f"the dead-letter table, for {target},"
    return None


def _has_data(covered: SourceCoverage, r: OffsetRange) -> bool:
    return any(i.start < r.end and r.start < i.end for i in covered.data)


def refuse_held(table: str, own: Coverage, ranges: Sequence[OffsetRange]) -> None:
    """Raise WalUnusable for a batch with *ranges* that is not closed if *table*, which is routed, has any of them by its *own*
    coverage: by which rules is not known here.

    Not for a batch that a recovery planned.
    """
    if there := overlap(ranges, own.data.ranges):
        named = ", ".join(map(str, there))
        raise older_log(f"table {table} already holds {named}, but Postgres has it as not written yet")


def refuse_behind(table: str, mark: Coverage | None, ranges: Sequence[OffsetRange]) -> None:
    """Raise WalUnusable for a batch with *ranges* that is not closed if the *mark* of the dead-letter *table* has any of them."""
    if mark is not None and (complete := overlap(ranges, mark.ranges)):
        named = ", ".join(map(str, complete))
        raise older_log(
            f"table {table} says that {named} is complete in all tables, but Postgres has it as not written yet"
        )
