"""Record the output of an attempt: parts, files and books, all of them or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lakelock.adapters.wal import packing
from lakelock.adapters.wal.attempts import lock_batch
from lakelock.adapters.wal.batch_closing import close, digest_of
from lakelock.adapters.wal.listen_notify import channel_of
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.row_reading import range_of
from lakelock.adapters.wal.server import Connection
from lakelock.errors import BUG, BooksUnbalanced, Fenced, State
from lakelock.ingest.closing_decision import fault_of_letters, fault_of_uuids, overtaken
from lakelock.model.batches import NO_TABLE, Closing, PartResult
from lakelock.model.offsets import OffsetRange


def check(batch_id: str, parts: Sequence[PartResult]) -> None:
    """Raise BooksUnbalanced for parts that are wrong under any attempt; does not access the log."""
    for part in parts:
        wrong = [b for b in part.books if not b.balanced]
        written = sum(b.written for b in part.books)
        if wrong or written != part.rows:
            what = (
                f"{wrong[0].range}: read {wrong[0].read} is not written {wrong[0].written} + dead letters {wrong[0].dead} + "
                f"filtered {wrong[0].filtered}"
                if wrong
                else f"its files hold {part.rows} rows, its books say {written}"
            )
            raise BooksUnbalanced(
                f"batch {batch_id}, table {part.table}: {what}.",
                State.BATCH_PLANNED,
                BUG,
            )


def stage(
    connection: Connection, batch_id: str, attempt: str, parts: Sequence[PartResult], closing: Closing | None = None
) -> None:
    """Stage those of *parts* that this attempt has not staged yet; raises Fenced, with nothing recorded.

    Raises BatchChanged in the same way if a decision retired a table, or gave up a part, while this attempt wrote.
    """
    batch = lock_batch(connection, batch_id)
    batch_no = batch["batch_no"]
    ranges = connection.execute(queries("stage")["ranges_of_batch"], {"batch_no": batch_no}).fetchall()
    range_ids = {range_of(row): int(row["range_id"]) for row in ranges}
    before = _parts(connection, batch_no)
    closes = closing is not None and not batch["is_closed"]
    if closing is None and not batch["is_closed"]:
        raise _fenced(batch_id, attempt, "it is not closed, and only the stage that closes it may be its first")
    if closing is not None and batch["is_closed"] and batch["closing"] != digest_of(closing):
        raise _fenced(batch_id, attempt, "it was closed with other tables or other books")
    unroutable = {range_of(row): row["unroutable_count"] or 0 for row in ranges}
    if closing is not None and closes:
        _refuse_others(batch, batch_id, attempt)
        have_parts = {p["table_name"] for p in before if not p["target"]}
        if fault := close(connection, batch_id, batch, attempt, closing, range_ids, have_parts):
            raise _fenced(batch_id, attempt, fault)
        before = _parts(connection, batch_no)
        unroutable = {b.range: b.dead for b in closing.books}
    new = _new(before, attempt, parts)
    letters = next((p for p in new if p.target == NO_TABLE), None)
    routed = {p["table_name"] for p in before if p["is_routed"] and not p["target"]}
    planned = {p["table_name"] for p in before if p["target"] == NO_TABLE and p["state"] == "planned"}
    due = closes or (letters.table in planned if letters else bool(planned))
    writes_routed = closes or any(p.table in routed for p in new)
    if fault := fault_of_letters(unroutable, letters, due=due, writes_routed=writes_routed):
        raise _fenced(batch_id, attempt, fault)
    if not new:
        return
    _refuse_others(batch, batch_id, attempt)
    bound = {p["table_name"]: p["table_uuid"] for p in before if p["is_routed"] and not p["target"]}
    if fault := fault_of_uuids(new, bound):
        raise _fenced(batch_id, attempt, fault)
    _refuse_unplanned(batch_id, attempt, new, before, set(range_ids))
    added = {(p.table, p.target) for p in new if p.target and not (p.target == NO_TABLE and p.table in planned)}
    in_plan = [p for p in new if (p.table, p.target) not in added]
    part_ids = _insert(connection, "stage_parts", batch_no, attempt, in_plan)
    dead_letters = [p for p in new if (p.table, p.target) in added]
    part_ids |= _insert(connection, "stage_dead_letters", batch_no, attempt, dead_letters)
    given_up = {p["table_name"] for p in before if p["state"] == "aborted" and not p["target"]}
    for part in new:
        if (part.table, part.target) not in part_ids:
            refused = overtaken if part.table in given_up and not part.target else _fenced
            raise refused(batch_id, attempt, f"the part of table {part.table} is no longer planned")
    _add_detail(connection, new, part_ids, range_ids)
    if starting := [part_ids[p.table, p.target] for p in new if p.target]:
        connection.execute(queries("stage")["keep_dead_letter_starts"], {"part_ids": starting})
    _add_events(connection, batch_no, attempt, new)
    connection.execute(queries("read")["notify"], {"channel": channel_of(batch["pipeline"])})


def _parts(connection: Connection, batch_no: int) -> list[dict[str, Any]]:
    return connection.execute(queries("stage")["parts_of_batch"], {"batch_no": batch_no}).fetchall()


def _new(before: Sequence[Mapping[str, Any]], attempt: str, parts: Sequence[PartResult]) -> list[PartResult]:
    """Those of *parts* that *attempt* has not staged yet, in the order in which they are recorded."""
    # Dead letters are staged together with their table's part: if that is planned again, more of them come with it.
    data = [p for p in before if not p["target"]]
    again = {p["table_name"] for p in data if p["state"] == "planned"}
    mine = {p["table_name"] for p in data if p["attempt"] == attempt} - again
    if any(p["target"] == NO_TABLE and p["attempt"] == attempt and p["state"] != "planned" for p in before):
        mine.add(NO_TABLE)
    return sorted((p for p in parts if (p.target or p.table) not in mine), key=lambda p: (p.table, p.target))


def _refuse_others(batch: Mapping[str, Any], batch_id: str, attempt: str) -> None:
    if batch["attempt"] != attempt:
        raise _fenced(batch_id, attempt, f"attempt {batch['attempt']} works on it now")


def _refuse_unplanned(
    batch_id: str,
    attempt: str,
    new: Sequence[PartResult],
    before: Sequence[Mapping[str, Any]],
    ranges: set[OffsetRange],
) -> None:
    """Data must be planned, dead letters come with the data of their table, and both with exactly the planned ranges."""
    topics = {p["table_name"]: tuple(p["topics"]) for p in before if not p["target"]}
    taken = {of: {r for r in ranges if r.source.topic in of} for of in set(topics.values())}
    staged = {p["target"] for p in before if p["target"] and p["state"] == "staged"}
    together = {p.table for p in new if not p.target}
    for part in new:
        if part.target == NO_TABLE:
            continue
        if part.target and part.target not in together:
            raise _fenced(batch_id, attempt, f"dead letters of {part.target} come without the part they belong to")
        if part.target in staged:
            raise _fenced(
                batch_id, attempt, f"dead letters of {part.target} are already staged, and are committed first"
            )
        owner = part.target or part.table
        if owner not in topics:
            raise _fenced(batch_id, attempt, f"the plan has no part for table {owner}")
        _refuse_other_ranges(batch_id, attempt, part, taken[topics[owner]])


def _refuse_other_ranges(batch_id: str, attempt: str, part: PartResult, planned: set[OffsetRange]) -> None:
    """Data must cover exactly the planned ranges of its topics, dead letters some of them; each range once."""
    named = [b.range for b in part.books]
    distinct = set(named)
    if len(distinct) < len(named) or not (distinct <= planned if part.target else distinct == planned):
        odd = sorted(distinct - planned) or sorted(planned - distinct) or sorted(named)
        raise _fenced(batch_id, attempt, f"the books of {part.table} differ from the plan at {odd[0]}")


def _insert(
    connection: Connection, name: str, batch_no: int, attempt: str, parts: Sequence[PartResult]
) -> dict[tuple[str, str], int]:
    """Part ids by table and target."""
    if not parts:
        return {}
    values = {
        "batch_no": batch_no,
        "attempt": attempt,
        "tables": [p.table for p in parts],
        "targets": [p.target for p in parts],
        "uuids": [p.identity.uuid for p in parts],
        "generations": [p.identity.generation for p in parts],
        "layouts": [p.identity.layout for p in parts],
        "row_counts": [p.rows for p in parts],
        "file_counts": [len(p.files) for p in parts],
        "sizes": [p.size_bytes for p in parts],
        "file_details": [packing.pack([f.detail for f in p.files]) for p in parts],
    }
    rows = connection.execute(queries("stage")[name], values)
    return {(row["table_name"], row["target"]): int(row["part_id"]) for row in rows}


def _add_detail(
    connection: Connection,
    parts: Sequence[PartResult],
    part_ids: Mapping[tuple[str, str], int],
    range_ids: Mapping[OffsetRange, int],
) -> None:
    sql = queries("stage")
    files = [(part_ids[p.table, p.target], no, f) for p in parts for no, f in enumerate(p.files, 1)]
    # Data has ranges without records as well: a thousand tables would have many thousand rows of zeros.
    books = [(part_ids[p.table, p.target], b) for p in parts for b in p.books if b.read or p.target]
    connection.execute(
        sql["insert_files"],
        {
            "part_ids": [part_id for part_id, _, _ in files],
            "file_nos": [no for _, no, _ in files],
            "paths": [f.path for _, _, f in files],
            "row_counts": [f.rows for _, _, f in files],
            "sizes": [f.size_bytes for _, _, f in files],
        },
    )
    connection.execute(
        sql["insert_books"],
        {
            "part_ids": [part_id for part_id, _ in books],
            "range_ids": [range_ids[b.range] for _, b in books],
            "read": [b.read for _, b in books],
            "written": [b.written for _, b in books],
            "dead": [b.dead for _, b in books],
            "filtered": [b.filtered for _, b in books],
            "min_timestamps_ms": [b.min_timestamp_ms for _, b in books],
            "max_timestamps_ms": [b.max_timestamp_ms for _, b in books],
        },
    )


def _add_events(connection: Connection, batch_no: int, attempt: str, parts: Sequence[PartResult]) -> None:
    connection.execute(
        queries("stage")["add_events"],
        {
            "batch_no": batch_no,
            "attempt": attempt,
            "tables": [p.table for p in parts],
            "targets": [p.target for p in parts],
            "details": [f"{p.rows} rows, {len(p.files)} files, {p.size_bytes} bytes" for p in parts],
        },
    )


def _fenced(batch_id: str, attempt: str, why: str) -> Fenced:
    return Fenced(f"batch {batch_id}: nothing of attempt {attempt} was staged: {why}.", State.ORPHANED)
