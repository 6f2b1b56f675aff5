"""Check what the tasks of a shuffle received against what slices sent, and give the tables their books."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lakelock.errors import BUG, BooksUnbalanced, Retryable, State
from lakelock.model.batches import Books
from lakelock.model.offsets import OffsetRange
from lakelock.ports import Sender, SentCount, SliceOutput, TableOutput, WriteOrder

NOT_SENT = SentCount(0, 0)


def joined_outputs(order: WriteOrder, outputs: Sequence[SliceOutput]) -> list[SliceOutput]:
    """The outputs of the slices of *order*, which come first, and of the tasks that wrote what the slices sent, as if no record
    had been sent.

    Raises Retryable if a task received other records than were sent: Spark may run a slice again, which then ends elsewhere,
    after tasks have received some of its records. Raises BooksUnbalanced if a task counted others than it received.
    """
    assert order.shuffle is not None
    count = len(order.slices)
    slices, writers = outputs[:count], outputs[count:]
    _check_sent(slices, writers)
    found: dict[str, list[TableOutput]] = defaultdict(list)
    for output in writers:
        for table in output.tables:
            found[table.table].append(table)
    tables = [
        joined
        for target in order.targets
        if target.table in order.shuffle.tables
        for joined in _joined(
            target.table, found[target.table], list(_ranges_read(order, slices, target.topics)), slices
        )
    ]
    # Records that are read again give their dead letters again.
    void = {t.table for t in tables if t.news is not None}
    rest = [
        replace(o, tables=(), shuffled={}, dead_letters=tuple(d for d in o.dead_letters if d.table not in void))
        for o in writers
    ]
    return [*(replace(o, shuffled={}) for o in slices), *rest, SliceOutput(count, tuple(tables), ())]


def _check_sent(slices: Sequence[SliceOutput], writers: Sequence[SliceOutput]) -> None:
    sent: dict[Sender, SentCount] = {}
    for output in slices:
        sent |= output.shuffled
    received: dict[Sender, SentCount] = {}
    for output in writers:
        for sender, tally in output.shuffled.items():
            received[sender] = _sum(received.get(sender, NOT_SENT), tally)
    if received == sent:
        return
    table, slice_no, topic, partition = next(
        s for s in sorted({*sent, *received}) if sent.get(s, NOT_SENT) != received.get(s, NOT_SENT)
    )
    sender = (table, slice_no, topic, partition)
    of_sender, of_receiver = sent.get(sender, NOT_SENT), received.get(sender, NOT_SENT)
    raise Retryable(
        f"table {table}: slice {slice_no} sent {of_sender.count} records of topic {topic}, partition {partition}, and "
        f"{of_receiver.count} {'others ' if of_sender.count == of_receiver.count else ''}arrived.",
        State.JOB_REPEATED,
    )


def _sum(one: SentCount, other: SentCount) -> SentCount:
    return SentCount(one.count + other.count, (one.offsets_sum + other.offsets_sum) & (2**64 - 1))


def _ranges_read(
    order: WriteOrder, slices: Sequence[SliceOutput], topics: Sequence[str]
) -> Iterator[tuple[int, OffsetRange]]:
    """The slice of each range of *topics* that was read, and the range up to its end."""
    for slice_no, (ranges, output) in enumerate(zip(order.slices, slices, strict=True)):
        ends = {r.source: r.start for r in output.unread}
        for r in ranges:
            end = ends.get(r.source, r.end)
            # A slice whose time is over may not have begun a range.
            if r.source.topic in topics and end > r.start:
                yield slice_no, replace(r, end=end)


def _joined(
    table: str,
    found: Sequence[TableOutput],
    read: Sequence[tuple[int, OffsetRange]],
    slices: Sequence[SliceOutput],
) -> list[TableOutput]:
    if (fault := next((t.fault for t in found if t.fault is not None), None)) is not None:
        return [TableOutput(table, (), (), fault=fault)]
    if news := [t.news for t in found if t.news is not None]:
        # Any slice may have sent such a record.
        ranges = tuple(r for _, r in read)
        return [TableOutput(table, (), (), news=replace(one, ranges=ranges)) for one in news]
    counted = _by_start(found)
    books = [_books(table, r, counted.pop((r.source, r.start), []), slices[n], n) for n, r in read]
    if any(b.read for of_range in counted.values() for b in of_range):
        raise BooksUnbalanced(f"table {table}: records are of ranges that no slice has read.", State.BATCH_PLANNED, BUG)
    left_out: dict[str, int] = defaultdict(int)
    for output in found:
        for name, count in output.left_out.items():
            left_out[name] += count
    files = tuple(f for t in found for f in t.files)
    unknown_fields = tuple(sorted({name for t in found for name in t.unknown_fields}))
    return [TableOutput(table, files, tuple(books), unknown_fields, dict(left_out))]


def _by_start(found: Sequence[TableOutput]) -> dict[tuple[object, int], list[Books]]:
    counted: dict[tuple[object, int], list[Books]] = defaultdict(list)
    for books in (b for t in found for b in t.books):
        counted[books.range.source, books.range.start].append(books)
    return counted


def _books(table: str, read: OffsetRange, counted: Sequence[Books], output: SliceOutput, slice_no: int) -> Books:
    sent = output.shuffled.get((table, slice_no, read.source.topic, read.source.partition), NOT_SENT).count
    books = Books(
        read,
        sum(b.read for b in counted),
        sum(b.written for b in counted),
        sum(b.dead for b in counted),
        sum(b.filtered for b in counted),
        min((b.min_timestamp_ms for b in counted if b.min_timestamp_ms is not None), default=None),
        max((b.max_timestamp_ms for b in counted if b.max_timestamp_ms is not None), default=None),
    )
    if books.read != sent:
        raise BooksUnbalanced(
            f"table {table}: slice {slice_no} sent {sent} records of {read}, and the books say {books.read}.",
            State.BATCH_PLANNED,
            BUG,
        )
    return books
