"""Record the output of an attempt: parts, files and books, all of them or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lakelock.adapters.wal import packing
from lakelock.adapters.wal.attempts import lock_batch
from lakelock.adapters.wal.events import add_event
from lakelock.adapters.wal.listen_notify import channel_of
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.server import Connection
from lakelock.errors import BUG, BooksUnbalanced, Fenced, State
from lakelock.model.batches import PartResult
from lakelock.model.offsets import OffsetRange, Source

RangeIds = Mapping[OffsetRange, int]


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


def stage(connection: Connection, batch_id: str, attempt: str, parts: Sequence[PartResult]) -> None:
    """Stage those of *parts* that this attempt has not staged yet; raises Fenced, with nothing recorded."""
    batch = lock_batch(connection, batch_id)
    batch_no = batch["batch_no"]
    staged_before = connection.execute(queries("stage")["parts_of_batch"], {"batch_no": batch_no}).fetchall()
    # Dead letters are staged together with their table's part: if that is planned again, more of them come with it.
    data = [p for p in staged_before if not p["target"]]
    again = {p["table_name"] for p in data if p["state"] == "planned"}
    mine = {p["table_name"] for p in data if p["attempt"] == attempt} - again
    new = [p for p in parts if (p.target or p.table) not in mine]
    if not new:
        return
    if batch["attempt"] != attempt:
        raise _fenced(batch_id, attempt, f"attempt {batch['attempt']} works on it now")
    topics = {p["table_name"]: set(p["topics"]) for p in staged_before if not p["target"]}
    range_ids = _range_ids(connection, batch_no)
    together = {p.table for p in new if not p.target}
    for part in sorted(new, key=lambda p: (p.table, p.target)):
        if part.target and part.target not in together:
            raise _fenced(batch_id, attempt, f"dead letters of {part.target} come without the part they belong to")
        if any(p["target"] == part.target and p["state"] == "staged" for p in staged_before if part.target):
            raise _fenced(
                batch_id, attempt, f"dead letters of {part.target} are already staged, and are committed first"
            )
        owner = part.target or part.table
        if owner not in topics:
            raise _fenced(batch_id, attempt, f"the plan has no part for table {owner}")
        _refuse_other_ranges(batch_id, attempt, part, {r for r in range_ids if r.source.topic in topics[owner]})
        part_id = _stage_part(connection, batch_id, batch_no, attempt, part)
        _add_detail(connection, part_id, part, range_ids)
        add_event(
            connection,
            batch_no,
            "staged",
            table=part.table,
            target=part.target,
            attempt=attempt,
            detail=f"{part.rows} rows, {len(part.files)} files, {part.size_bytes} bytes",
        )
    connection.execute(queries("read")["notify"], {"channel": channel_of(batch["pipeline"])})


def _range_ids(connection: Connection, batch_no: int) -> dict[OffsetRange, int]:
    ids = {}
    for row in connection.execute(queries("stage")["ranges_of_batch"], {"batch_no": batch_no}):
        source = Source(row["topic"], row["topic_id"], row["partition"])
        ids[OffsetRange(source, row["start_offset"], row["end_offset"])] = int(row["range_id"])
    return ids


def _refuse_other_ranges(batch_id: str, attempt: str, part: PartResult, planned: set[OffsetRange]) -> None:
    """Data must cover exactly the planned ranges of its topics, dead letters some of them; each range once."""
    named = [b.range for b in part.books]
    distinct = set(named)
    if len(distinct) < len(named) or not (distinct <= planned if part.target else distinct == planned):
        odd = sorted(distinct - planned) or sorted(planned - distinct) or sorted(named)
        raise _fenced(batch_id, attempt, f"the books of {part.table} differ from the plan at {odd[0]}")


def _stage_part(connection: Connection, batch_id: str, batch_no: int, attempt: str, part: PartResult) -> int:
    sql = queries("stage")
    values = {
        "batch_no": batch_no,
        "attempt": attempt,
        "table": part.table,
        "target": part.target,
        "uuid": part.identity.uuid,
        "generation": part.identity.generation,
        "layout": part.identity.layout,
        "row_count": part.rows,
        "file_count": len(part.files),
        "size_bytes": part.size_bytes,
        "file_details": packing.pack([f.detail for f in part.files]),
    }
    row = connection.execute(sql["stage_dead_letters" if part.target else "stage_part"], values).fetchone()
    if row is None:
        raise _fenced(batch_id, attempt, f"the part of table {part.table} is no longer planned")
    return int(row["part_id"])


def _add_detail(connection: Connection, part_id: int, part: PartResult, range_ids: RangeIds) -> None:
    sql = queries("stage")
    if part.files:
        connection.execute(
            sql["insert_files"],
            {
                "part_id": part_id,
                "paths": [f.path for f in part.files],
                "row_counts": [f.rows for f in part.files],
                "sizes": [f.size_bytes for f in part.files],
            },
        )
    connection.execute(
        sql["insert_books"],
        {
            "part_id": part_id,
            "range_ids": [range_ids[b.range] for b in part.books],
            "read": [b.read for b in part.books],
            "written": [b.written for b in part.books],
            "dead": [b.dead for b in part.books],
            "filtered": [b.filtered for b in part.books],
            "min_timestamps_ms": [b.min_timestamp_ms for b in part.books],
            "max_timestamps_ms": [b.max_timestamp_ms for b in part.books],
        },
    )
    if part.target:
        connection.execute(
            sql["keep_dead_letter_starts"], {"part_id": part_id, "table": part.table, "target": part.target}
        )


def _fenced(batch_id: str, attempt: str, why: str) -> Fenced:
    return Fenced(f"batch {batch_id}: nothing of attempt {attempt} was staged: {why}.", State.ORPHANED)
