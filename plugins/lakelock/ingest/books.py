"""Bookkeeping of a batch: combine the slices' reports and check them against the plan."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from lakelock.errors import BUG, BooksUnbalanced, DeadLetterLimit, State
from lakelock.model.batches import Books
from lakelock.model.offsets import OffsetRange


def combined(planned: Sequence[OffsetRange], reported: Iterable[Books]) -> tuple[Books, ...]:
    """Combine the books of slices, which may have cut a range, into books of the planned ranges.

    Raises BooksUnbalanced unless the reports tile every planned range exactly and each of them balances.
    """
    by_source: dict[object, list[Books]] = defaultdict(list)
    for books in reported:
        if not books.balanced:
            raise BooksUnbalanced(
                f"{books.range}: read {books.read}, but written {books.written} + dead letters {books.dead} + filtered "
                f"{books.filtered}.",
                State.BATCH_PLANNED,
                BUG,
            )
        by_source[books.range.source].append(books)
    out = []
    for r in sorted(planned):
        pieces = sorted(
            (b for b in by_source[r.source] if r.start <= b.range.start < r.end), key=lambda b: b.range.start
        )
        position = r.start
        for piece in pieces:
            if piece.range.start != position:
                break
            position = piece.range.end
        if position != r.end or not pieces:
            raise BooksUnbalanced(
                f"{r}: the slices report {[str(p.range) for p in pieces]}, which is not the planned range.",
                State.BATCH_PLANNED,
                BUG,
            )
        out.append(_sum(r, pieces))
    return tuple(out)


def dead_letter_books(planned: Sequence[OffsetRange], reported: Iterable[Books]) -> tuple[Books, ...]:
    """Books of one target's dead letters: an entry for each planned range that has any, over the whole range."""
    reports = list(reported)
    out = []
    for r in sorted(planned):
        pieces = [b for b in reports if b.range.source == r.source and r.start <= b.range.start < r.end]
        if any(p.read for p in pieces):
            out.append(_sum(r, pieces))
    return tuple(out)


def check_dead_letters(
    table: str, books: Iterable[Books], max_ratio: float | None, max_count: int | None, min_read: int = 100
) -> None:
    """Raise DeadLetterLimit if dead letters exceed *max_ratio* or *max_count*.

    The ratio is not judged below *min_read* records.
    """
    rows = list(books)
    read, dead = sum(b.read for b in rows), sum(b.dead for b in rows)
    over_count = max_count is not None and dead > max_count
    over_ratio = max_ratio is not None and read >= min_read and dead > max_ratio * read
    if over_count or over_ratio:
        worst = max(rows, key=lambda b: b.dead)
        raise DeadLetterLimit(
            f"{table}: {dead} of {read} records would become dead letters (most in {worst.range}: {worst.dead}), more than "
            "dead_letters.stop_at allows.",
            State.BATCH_PLANNED,
            "Run `bin/lakelock check FILE --sample 1000` to see the reasons, then fix the columns or raise the limit.",
        )


def _sum(r: OffsetRange, pieces: Sequence[Books]) -> Books:
    starts = [p.min_timestamp_ms for p in pieces if p.min_timestamp_ms is not None]
    ends = [p.max_timestamp_ms for p in pieces if p.max_timestamp_ms is not None]
    return Books(
        r,
        read=sum(p.read for p in pieces),
        written=sum(p.written for p in pieces),
        dead=sum(p.dead for p in pieces),
        filtered=sum(p.filtered for p in pieces),
        min_timestamp_ms=min(starts, default=None),
        max_timestamp_ms=max(ends, default=None),
    )
