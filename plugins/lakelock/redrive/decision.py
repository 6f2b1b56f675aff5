"""Decide a redrive: which dead letters become rows, in which chunks, and whether these may still land."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lakelock.errors import BooksUnbalanced, RedriveRefused, RedriveTooSlow, State
from lakelock.model import table_files
from lakelock.model.batches import TableIdentity, of_target, plain_range
from lakelock.model.coverage import Coverage, Totals
from lakelock.model.offsets import OffsetRange, Source, merged, offsets_in, overlap, united, without

# Takes the place of the attempt in a file's path.
ATTEMPT = "redrive"
# A chunk is a Spark job and a commit. Its files must be written long before a clean-up may take them for orphans.
MOST_DEAD_LETTERS = 1_000_000
# Each later commit repeats them, some 15 bytes each.
MOST_PIECES = 20_000
# Small enough that some chunks land even if all pieces together would be too many.
CHUNK_PIECES = 5_000
# Most pieces that a look takes in. A slice below SLICE_LETTERS is not worth the start of a task.
MOST_OPEN_PIECES = 100_000
# Most pieces that are compared with the books, even for a redrive of a few of them.
MOST_COUNTED_PIECES = 1_000_000
SLICE_DEAD_LETTERS = 20_000
SAMPLE = 1_000
# Of a pipeline, in an error.
NAMES_SHOWN = 10
AGAIN = "Preview the redrive again."


def places(table: str, covered: Coverage, dead_letters: Coverage) -> list[OffsetRange]:
    """Ranges that may have open dead letters of *table*: its data that dead-letter tables (*dead_letters*) hold too.

    Redriven dead letters are rows now, so they are not open.
    """
    recorded = [plain_range(r) for r in dead_letters.data.ranges if of_target(r.source)[0] == table]
    return without(united(overlap(covered.data.ranges, recorded)), covered.redriven)


def waiting(assigned: Iterable[OffsetRange], covered: Coverage) -> list[OffsetRange]:
    """Of *assigned* dead letters without a table, those that the table of *covered* can have as rows, and has not."""
    return covered.without_rows(overlap(covered.data.ranges, assigned))


def not_landed(table: str, covered: Coverage, dead_letters: Coverage) -> list[OffsetRange]:
    """Ranges of *table* that the dead-letter tables hold and the table itself does not have yet."""
    recorded = [plain_range(r) for r in dead_letters.data.ranges if of_target(r.source)[0] == table]
    return united(without(recorded, covered.ranges))


def refuse_beyond_books(table: str, found: Sequence[OffsetRange], covered: Coverage) -> None:
    """Raise RedriveRefused if there are more open dead letters than the table's books have: some may be rows already.

    *found* must be all of a source, because the surplus ones may be in any part of them.
    """
    if len(found) > MOST_COUNTED_PIECES:
        raise RedriveRefused(
            f"table {table}: its open dead letters are in more than {MOST_COUNTED_PIECES} separate offset ranges, too many to "
            "compare with its books.",
            State.NOTHING_CHANGED,
            "Redrive the dead letters of one partition with --topic and --partition. If these are too many, send their "
            "records to Kafka again.",
        )
    for source, there in _by_source(found).items():
        dead, dead_letters = covered[source].totals.dead, sum(b - a for a, b in there)
        if dead_letters > dead:
            raise RedriveRefused(
                f"table {table}: there are {dead_letters} open dead letters of {source}, but its books count {dead}: some "
                "of them may be rows already. Dead letters of the same record were written twice, as happens if Postgres is "
                "lost after the dead-letter table was renamed.",
                State.NOTHING_CHANGED,
                "Run `bin/lakelock audit FILE`, which reports it too.",
            )


def refuse_open_pieces(table: str, pieces: int) -> None:
    """Raise RedriveRefused if open dead letters are in more separate *pieces* than a look takes in."""
    if pieces > MOST_OPEN_PIECES:
        raise RedriveRefused(
            f"table {table}: its open dead letters are in more than {MOST_OPEN_PIECES} separate offset ranges.",
            State.NOTHING_CHANGED,
            "Redrive a part of them with --topic and --partition, and if needed --from and --to.",
        )


def refuse_pieces(table: str, pieces: int) -> None:
    """Raise RedriveRefused if all redriven offsets together make more *pieces* than the ledger can carry."""
    if pieces > MOST_PIECES:
        raise RedriveRefused(
            f"table {table}: its ledger holds at most {MOST_PIECES} separate ranges of redriven offsets, of all its "
            "redrives together, because each later commit repeats them.",
            State.DONE_KEPT,
            "Send the records of the other dead letters to Kafka again.",
        )


def refuse_assigned_pieces(dead_letters: str, pieces: int) -> None:
    """As `refuse_pieces`, of assigned dead letters without a table, each once for every table that gets it."""
    if pieces > MOST_PIECES:
        raise RedriveRefused(
            f"table {dead_letters}: its ledger holds at most {MOST_PIECES} separate ranges of dead letters that were assigned to "
            "tables, of all these tables together, because each later commit repeats them.",
            State.DONE_KEPT,
            "Send the records of the other dead letters to Kafka again.",
        )


def no_longer_there(table: str, pipeline: str) -> RedriveRefused:
    return RedriveRefused(
        f"table {table} was in the preview, but is no longer in the file of pipeline {pipeline!r}.",
        State.DEAD_LETTERS_KEPT,
        "Put it back into the file, and redrive again.",
    )


def no_such_table(table: str, names: Sequence[str], pipeline: str) -> RedriveRefused:
    return RedriveRefused(
        f"pipeline {pipeline!r} has no table {table!r} to redrive dead letters into.",
        State.NOTHING_CHANGED,
        f"Name one of its tables: {', '.join(names[:NAMES_SHOWN])}{', …' if len(names) > NAMES_SHOWN else ''}.",
    )


def hidden(dead_letters: str) -> RedriveRefused:
    return RedriveRefused(
        f"table {dead_letters}: delete files hide some of its dead letters.",
        State.NOTHING_CHANGED,
        "Apply them first, as Spark's `rewrite_data_files` does; lakelock's `compact` does not.",
    )


def chunks(
    found: Sequence[OffsetRange], most: int = MOST_DEAD_LETTERS, most_pieces: int = CHUNK_PIECES
) -> list[list[OffsetRange]]:
    """Cut *found*, in order, into chunks of at most *most* offsets and *most_pieces* pieces."""
    out: list[list[OffsetRange]] = []
    space = 0
    for r in sorted(found):
        start = r.start
        while start < r.end:
            if not space or len(out[-1]) == most_pieces:
                out.append([])
                space = most
            end = min(r.end, start + space)
            out[-1].append(OffsetRange(r.source, start, end))
            space -= end - start
            start = end
    return out


def slices(chunk: Sequence[OffsetRange], parallelism: int) -> tuple[tuple[OffsetRange, ...], ...]:
    """Cut *chunk* for tasks. Each offset is in one slice only, so that duplicate dead letters make one row."""
    offsets = offsets_in(chunk)
    count = max(1, min(parallelism, -(-offsets // SLICE_DEAD_LETTERS)))
    return tuple(tuple(ranges) for ranges in chunks(chunk, -(-offsets // count), len(chunk) + count))


def sample(found: Sequence[OffsetRange], most: int = SAMPLE) -> tuple[OffsetRange, ...]:
    """At most *most* offsets of *found*, the newest of each source."""
    by_source = _by_source(found)
    share = max(1, most // max(1, len(by_source)))
    out: list[OffsetRange] = []
    for source, there in sorted(by_source.items()):
        room = min(share, most - offsets_in(out))
        for start, end in reversed(there):
            if room <= 0:
                break
            newest = OffsetRange(source, max(start, end - room), end)
            out.append(newest)
            room -= newest.offsets
    return tuple(sorted(out))


def redriven(covered: Coverage, rows: Iterable[OffsetRange]) -> Coverage:
    """*covered* once dead letters at *rows* are rows.

    Raises ValueError unless each is held as data and is not a row yet.
    """
    out = dict(covered)
    for source, there in _by_source(rows).items():
        before = covered[source]
        ranges = [OffsetRange(source, a, b) for a, b in there]
        count = offsets_in(ranges)
        if without(ranges, covered.data.ranges) or overlap(ranges, covered.redriven) or count > before.totals.dead:
            raise ValueError(f"{source}: {there} are not all dead letters of it")
        t = before.totals
        out[source] = replace(
            before,
            totals=Totals(t.written + count, t.dead - count, t.filtered),
            redriven=tuple(merged([*before.redriven, *there])),
        )
    return Coverage(out)


def received(covered: Coverage, rows: Iterable[OffsetRange]) -> Coverage:
    """*covered* once dead letters without a table at *rows* are rows. The table never had them in its books.

    Raises ValueError unless each is held as data and is not a row yet.
    """
    out = dict(covered)
    for source, there in _by_source(rows).items():
        ranges = [OffsetRange(source, a, b) for a, b in there]
        if source not in out or without(ranges, covered.data.ranges) or overlap(ranges, covered.redriven):
            raise ValueError(f"{source}: {there} are not all offsets of it, or are rows")
        before, t = out[source], out[source].totals
        out[source] = replace(
            before,
            totals=Totals(t.written + offsets_in(ranges), t.dead, t.filtered),
            redriven=tuple(merged([*before.redriven, *there])),
        )
    return Coverage(out)


def pieces(covered: Coverage) -> int:
    return sum(len(of_source.redriven) for of_source in covered.values())


def are_rows(rows: Iterable[OffsetRange], covered: Coverage) -> bool:
    """Whether all *rows* were redriven."""
    return not without(rows, covered.redriven)


def refuse_moved(
    table: str,
    rows: Sequence[OffsetRange],
    before: TableIdentity,
    now: TableIdentity,
    misfit: str,
    covered: Coverage,
) -> None:
    """Raise RedriveRefused if files that were written for the table as it was *before* must not be committed to it *now*.

    *misfit* says why their layout no longer fits, if it does not.
    """
    if now.uuid != before.uuid:
        why = "was replaced by another one"
    elif now.generation != before.generation:
        why = "was rolled back or recovered after the preview"
    elif misfit:
        why = f"has changed since the preview: {misfit}"
    elif overlap(rows, covered.redriven):
        why = "already has some of these dead letters as rows, from another redrive"
    elif without(rows, covered.data.ranges):
        why = "no longer holds some of these offsets"
    else:
        return
    raise RedriveRefused(f"table {table} {why}.", State.ORPHANED, AGAIN)


def refuse_gone(table: str, rows: Sequence[OffsetRange], dead_letters: Coverage, letters_of: str) -> None:
    """Raise RedriveRefused if the current dead-letter tables (*dead_letters*) no longer hold some of *rows*.

    They are dead letters of *letters_of*. Only a kept dead letter restores its record when a rollback removes the row.
    """
    recorded = [plain_range(r) for r in dead_letters.data.ranges if of_target(r.source)[0] == letters_of]
    if gone := without(rows, recorded):
        raise RedriveRefused(
            f"table {table}: dead letters of {gone[0]} were removed from the dead-letter table after the preview.",
            State.ORPHANED,
            AGAIN,
        )


def check_books(table: str, wanted: int, fitting: int, unfit: int, written: int) -> None:
    """Raise BooksUnbalanced unless each dead letter either became a row or does not fit."""
    if (wanted, fitting) != (fitting + unfit, written):
        raise BooksUnbalanced(
            f"table {table}: of {wanted} dead letters, {fitting} fit and {unfit} do not, but {written} rows were "
            "written.",
            State.ORPHANED,
            AGAIN,
        )


def check_in_time(table: str, began_ms: int, now_ms: int) -> None:
    """Raises RedriveTooSlow, as `table_files.check_in_time` says."""
    remedy = "Run it again. If it is too slow again, give Spark more cores, or redrive fewer dead letters at a time."
    table_files.check_in_time(RedriveTooSlow, table, "to write its dead letters", began_ms, now_ms, remedy)


def _by_source(ranges: Iterable[OffsetRange]) -> dict[Source, list[tuple[int, int]]]:
    out: dict[Source, list[tuple[int, int]]] = {}
    for r in ranges:
        out.setdefault(r.source, []).append((r.start, r.end))
    return {source: merged(there) for source, there in out.items()}
