"""What is told by a table itself, as JSON. Imports what reads tables, so it is imported by the first request for one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fastapi import HTTPException
from fastapi.responses import Response

from lakelock.adapters.iceberg import IcebergTables
from lakelock.adapters.iceberg.looking import TableLooks
from lakelock.adapters.row_look import SampledLetter
from lakelock.core import files as sizing
from lakelock.core.compact import target_bytes
from lakelock.core.offsets import OffsetRange, offsets_in, overlap
from lakelock.core.where import Standing, held, incarnations, standing
from lakelock.page.answers import look_at
from lakelock.page.plain import answer, fields
from lakelock.page.sources import Opened
from lakelock.ports import TableState

REASONS_SHOWN, LETTERS_SHOWN = 20, 20


def snapshots(opened: Opened, name: str, tables: IcebergTables, limit: int) -> Response:
    """By the table itself, newest first."""
    state = _state(opened, name, tables)
    found, total = TableLooks(tables, opened.look.pipeline).snapshots(state, limit)
    topics = {s.topic_id: s.topic for s in state.ledger.coverage} if state.ledger else {}
    return answer(
        {
            "table": name,
            "uuid": state.uuid,
            "location": state.location,
            "snapshot_id": state.head_snapshot_id,
            "generation": state.ledger.generation if state.ledger else None,
            "detached": state.detached,
            "total": total,
            "topics": topics,
            "snapshots": found,
        }
    )


def files(opened: Opened, name: str, tables: IcebergTables, limit: int) -> Response:
    """Live data files of the newest snapshot: how many are small, and the newest ones."""
    state = _state(opened, name, tables)
    found = TableLooks(tables, opened.look.pipeline).files(state, opened.planned().metadata_columns_by_key)
    return answer(
        {
            "table": name,
            "snapshot_id": state.head_snapshot_id,
            "sizes": sizing.sizes((f.size_bytes for f in found), target_bytes(state.properties)),
            "rows": sum(f.rows for f in found),
            "files": found[:limit],
        }
    )


def file(opened: Opened, name: str, tables: IcebergTables, path: str) -> Response:
    """What one live data file holds, partition by partition; no other path is opened."""
    looks, state = TableLooks(tables, opened.look.pipeline), _state(opened, name, tables)
    columns = opened.planned().metadata_columns_by_key
    found = next((f for f in looks.files(state, columns) if f.path == path), None)
    if found is None:
        raise HTTPException(404, f"{name}: its newest snapshot has no such data file")
    return answer({"file": found, "held": looks.held_in(state, path, columns)})


def where(opened: Opened, name: str, tables: IcebergTables, topic: str, partition: int, offset: int) -> Response:
    """What the table's ledger says of one offset, what became of it, the snapshot that brought it, and the file that has it."""
    looks, state = TableLooks(tables, opened.look.pipeline), _state(opened, name, tables)
    out, files = [], list[sizing.FileLook]()
    for source in incarnations(state.ledger.coverage, topic, partition) if state.ledger else []:
        assert state.ledger is not None
        told = standing(state.ledger.coverage, source, offset)
        snapshot, expired = looks.brought_by(state, source, offset)
        became = None
        if told is Standing.HELD:
            columns = opened.planned().metadata_columns_by_key
            files, complete = looks.rows_at(state, columns, partition, offset)
            rows = len(files) if files or complete else None
            at = OffsetRange(source, offset, offset + 1)
            redriven = bool(overlap([at], state.ledger.coverage.redriven))
            became = held(rows, _letters_at(opened, name, tables, at), redriven=redriven)
        out.append(
            {
                "topic_id": source.topic_id,
                "standing": told.name.lower(),
                "text": told.value,
                "became": None if became is None else became.name.lower(),
                "became_text": None if became is None else became.value,
                "snapshot": snapshot,
                "expired": expired,
            }
        )
    parts = opened.reader.parts_at(opened.look.pipeline, name, topic, partition, offset)
    return answer({"table": name, "detached": state.detached, "sources": out, "batches": parts, "files": files})


def _letters_at(opened: Opened, name: str, tables: IcebergTables, r: OffsetRange) -> int:
    """In all dead-letter tables that the pipeline ever had."""
    bound = [t.table for t in opened.look.tables if t.is_letters and t.bound]
    return sum(len(tables.dead_letters(tables.load(t, detached=True), name, [r])) for t in bound)


def dead_letters(
    opened: Opened, name: str, tables: IcebergTables, topic_ids: Collection[str], with_contents: bool
) -> Response:
    """Of one table and the pipeline's own topics, from the dead-letter table's newest files.

    A reason quotes what is wrong with a record, so without contents there are only stages and counts.
    """
    look_at(opened, name)
    letters = opened.planned().dead_letter_table
    if not any(t.table == letters and t.bound for t in opened.look.tables):
        none = {"reasons": [], "sample": [], "hidden": False, "files_read": 0, "files": 0, "redriven": 0}
        return answer({"table": letters, **none})
    rows = _redriven(_state(opened, name, tables))
    state = tables.load(letters, detached=True)
    looks = TableLooks(tables, opened.look.pipeline)
    reasons, sample, read, total = looks.letters(
        state, name, topic_ids, REASONS_SHOWN, LETTERS_SHOWN if with_contents else 0
    )
    return answer(
        {
            "table": letters,
            "reasons": reasons,
            "sample": [{**fields(s), "value": _text(s.value), "redriven": _is_among(s, rows)} for s in sample],
            "hidden": not with_contents,
            "files_read": read,
            "files": total,
            "redriven": offsets_in(rows),
        }
    )


def _redriven(state: TableState) -> list[OffsetRange]:
    return state.ledger.coverage.redriven if state.ledger else []


def _is_among(letter: SampledLetter, rows: Sequence[OffsetRange]) -> bool:
    """Whether it is a row by now."""
    return any(
        (r.source.topic, r.source.partition) == (letter.topic, letter.partition) and r.start <= letter.offset < r.end
        for r in rows
    )


def _state(opened: Opened, name: str, tables: IcebergTables) -> TableState:
    look_at(opened, name)
    return tables.load(name, detached=True)


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", errors="replace")
