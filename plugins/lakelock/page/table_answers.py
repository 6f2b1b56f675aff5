"""Answers from a table itself, as JSON. Imports table readers, so it is imported at the first request."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from fastapi import HTTPException
from fastapi.responses import Response

from lakelock.adapters.duckdb.page import Cause, SampledDeadLetter, Wanted
from lakelock.adapters.iceberg import IcebergTables
from lakelock.adapters.iceberg.page_files import FileViews
from lakelock.adapters.iceberg.page_snapshots import KINDS, SnapshotView, SnapshotViews
from lakelock.adapters.wal import PostgresLog
from lakelock.ingest.assigned_letters import assigned_letters
from lakelock.model.batches import LIVE, NO_TABLE, of_target
from lakelock.model.ledger import Ledger, registry_of
from lakelock.model.offsets import OffsetRange, offsets_in, overlap, without
from lakelock.model.operator_log import What
from lakelock.model.table_files import FileView
from lakelock.monitor import file_sizes as sizing
from lakelock.monitor.offset_lookup import OffsetFate, OffsetStanding, about_batches, covered, incarnations, standing
from lakelock.page.answers import view_of
from lakelock.page.json_values import answer, fields
from lakelock.page.logs import Opened
from lakelock.ports import TableState
from lakelock.records.decompression import beginning
from lakelock.upkeep.compact_decision import target_bytes

CAUSES_SHOWN, DEAD_LETTERS_SHOWN, VALUE_SHOWN_BYTES = 20, 20, 400


def snapshots(opened: Opened, name: str, tables: IcebergTables, limit: int) -> Response:
    """Snapshots of the table, newest first."""
    state = _state(opened, name, tables)
    views = SnapshotViews(tables, opened.view.pipeline)
    found, total = views.snapshots(state, limit)
    sources = state.ledger.coverage if state.ledger else ()
    # Ranges of dead letters name only the topic; their ledger also names the target.
    topics = {s.topic_id: s.topic for source in sources for s in (source, of_target(source)[1])}
    return answer(
        {
            "at": datetime.now(UTC),
            "table": name,
            "snapshot_id": state.head_id,
            "detached": state.detached,
            "total": total,
            "topics": topics,
            "snapshots": [_of_kind(s) for s in found],
            "rollbacks": views.rollbacks(state),
        }
    )


def files(opened: Opened, name: str, tables: IcebergTables, limit: int) -> Response:
    """Live data files of the newest snapshot: how many are small, and the newest ones."""
    state = _state(opened, name, tables)
    found = FileViews(tables).files(state, opened.planned().metadata_columns_by_key)
    return answer(
        {
            "at": datetime.now(UTC),
            "table": name,
            "snapshot_id": state.head_id,
            "sizes": sizing.sizes((f.size_bytes for f in found), target_bytes(state.properties)),
            "rows": sum(f.rows for f in found),
            "files": found[:limit],
        }
    )


def file(opened: Opened, name: str, tables: IcebergTables, path: str) -> Response:
    """Contents of one live data file, partition by partition; no other path is opened."""
    views, state = FileViews(tables), _state(opened, name, tables)
    columns = opened.planned().metadata_columns_by_key
    found = next((f for f in views.files(state, columns) if f.path == path), None)
    if found is None:
        raise HTTPException(404, f"{name}: its newest snapshot has no such data file")
    return answer({"file": found, "offsets": views.offsets_of_file(state, path, columns)})


def where(opened: Opened, name: str, tables: IcebergTables, topic: str, partition: int, offset: int) -> Response:
    """One offset: its state in the ledger, its result, the snapshot that added it, and the file that has it."""
    views, state = SnapshotViews(tables, opened.view.pipeline), _state(opened, name, tables)
    out, files, fates = [], list[FileView](), list[OffsetFate | None]()
    for source in incarnations(state.ledger.coverage, topic, partition) if state.ledger else []:
        assert state.ledger is not None
        where_it_is = standing(state.ledger.coverage, source, offset)
        snapshot, expired = views.brought_by(state, source, offset)
        became, since = None, list[dict[str, Any]]()
        if where_it_is is OffsetStanding.COVERED:
            columns = opened.planned().metadata_columns_by_key
            at = OffsetRange(source, offset, offset + 1)
            redriven = bool(overlap([at], state.ledger.coverage.redriven))
            # The row is most likely in the file of the last change to it.
            maybe = _since(views, state, state.ledger, at, redriven=redriven)
            likely = {s.snapshot_id for s in (snapshot, *(step["snapshot"] for step in maybe)) if s is not None}
            files, complete = FileViews(tables).rows_at(state, columns, partition, offset, likely)
            rows = len(files) if files or complete else None
            became = covered(rows, _dead_letters_at(opened, name, tables, at), redriven=redriven)
            # A replace also names dead letters, but leaves them as they are.
            since = [] if became in {OffsetFate.DEAD_LETTER, OffsetFate.NO_RECORD} else maybe
        fates.append(became)
        out.append(
            {
                "topic_id": source.topic_id,
                "standing": where_it_is.name.lower(),
                "text": where_it_is.value,
                "became": None if became is None else became.name.lower(),
                "became_text": None if became is None else became.value,
                "is_row": became is not None and became.is_row,
                "at_first": (became or OffsetFate.UNKNOWN).at_first,
                "snapshot": _of_kind(snapshot),
                "expired": expired,
                "since": [{**step, "snapshot": _of_kind(step["snapshot"])} for step in since],
            }
        )
    parts = opened.reader.parts_at(opened.view.pipeline, name, topic, partition, offset)
    return answer(
        {
            "table": name,
            "detached": state.detached,
            "sources": out,
            "batches": parts,
            "about_batches": about_batches(fates, changed=any(source["since"] for source in out)),
            "files": files,
        }
    )


def _since(
    views: SnapshotViews, state: TableState, ledger: Ledger, at: OffsetRange, *, redriven: bool
) -> list[dict[str, Any]]:
    """Later changes of a row, a redrive or a replace, each with its decision and its snapshot."""
    steps, row_since_ms = [], 0
    if redriven:
        snapshot, expired = views.redriven_by(state, at.source, at.start)
        said = list(snapshot.decided) if snapshot and not expired else []
        of_all = [d.name for d in ledger.decisions if d.what is What.REDRIVE]
        # Only the snapshot shows which of several it was.
        by = (said or of_all)[0] if len(said or of_all) == 1 else None
        text = f"It became a row by {f'the {by}' if by else 'a redrive'}"
        steps.append(_step("redriven", by, text, snapshot, expired))
        row_since_ms = snapshot.timestamp_ms if snapshot and not expired else 0
    for decision in ledger.decisions:
        if decision.what is What.REPLACE and decision.has(at.source, at.start):
            snapshot, expired = views.replaced_by(state, decision, at.source, at.start)
            if snapshot is None or snapshot.timestamp_ms >= row_since_ms:
                text = f"It was read again by the {decision.name}"
                steps.append(_step("replaced", decision.name, text, snapshot, expired))
    return steps


def _step(how: str, said: str | None, text: str, snapshot: SnapshotView | None, expired: bool) -> dict[str, Any]:
    return {"how": how, "said": said, "text": text, "snapshot": snapshot, "expired": expired}


def _of_kind(snapshot: SnapshotView | None) -> dict[str, Any] | None:
    """The snapshot with the text of its kind."""
    return None if snapshot is None else {**fields(snapshot), "kind_text": KINDS[snapshot.kind]}


def _dead_letters_at(opened: Opened, name: str, tables: IcebergTables, r: OffsetRange) -> int:
    """The number of dead letters in *r*, in all dead-letter tables that the pipeline has had."""
    bound = [t.table for t in opened.view.tables if t.is_dead_letter_table and t.bound]
    return sum(len(tables.dead_letters(tables.load(t, detached=True), name, [r])) for t in bound)


def dead_letters(
    opened: Opened,
    name: str,
    tables: IcebergTables,
    log: PostgresLog,
    with_contents: bool,
) -> Response:
    """Dead letters of one table, or of all tables that a dead-letter table serves, from its newest files.

    Only the pipeline's own topics are included. A reason
    quotes the record, and records name fields, so without *with_contents* there are only kinds.
    """
    view = view_of(opened, name)
    dead_letters = name if view.is_dead_letter_table else opened.planned().dead_letter_table
    pipeline, served = opened.view.pipeline, [name]
    if view.is_dead_letter_table:
        served = sorted(log.generations(pipeline).keys() - log.dead_letter_tables(pipeline))
        # Those that no table is known for are of rules.
        served += [NO_TABLE] if opened.planned().route is not None else []
    ledgers = log.ledgers(pipeline, served)
    rows = {target: ledgers[target].coverage.redriven if target in ledgers else [] for target in served}
    registry = registry_of(log.ledgers(pipeline, log.dead_letter_tables(pipeline)).values())
    if registry is not None:
        found = assigned_letters(log, tables, pipeline, registry)
        rows = {target: without(of, registry.assigned.get(target, ())) for target, of in rows.items()}
        rows |= {NO_TABLE: found.rows} if NO_TABLE in rows else {}
    causes, sample, read, total = list[Cause](), list[SampledDeadLetter](), 0, 0
    if any(t.table == dead_letters and t.bound for t in opened.view.tables):
        topic_ids = {s.source.topic_id for s in log.streams(pipeline, LIVE)}
        wanted = Wanted(topic_ids, rows, CAUSES_SHOWN, DEAD_LETTERS_SHOWN if with_contents else 0)
        causes, sample, read, total = FileViews(tables).dead_letters(tables.load(dead_letters, detached=True), wanted)
    return answer(
        {
            "at": datetime.now(UTC),
            "table": dead_letters,
            "causes": causes,
            "sample": [{**fields(s), **_shown(s), "redriven": _is_among(s, rows[s.target])} for s in sample],
            "hidden": not with_contents,
            "files_read": read,
            "files": total,
            "redriven": sum(offsets_in(r) for r in rows.values()),
        }
    )


def _is_among(dead_letter: SampledDeadLetter, rows: Sequence[OffsetRange]) -> bool:
    """Whether the dead letter is a row now."""
    return any(
        (r.source.topic, r.source.partition) == (dead_letter.topic, dead_letter.partition)
        and r.start <= dead_letter.offset < r.end
        for r in rows
    )


def _state(opened: Opened, name: str, tables: IcebergTables) -> TableState:
    view_of(opened, name)
    return tables.load(name, detached=True)


def _shown(dead_letter: SampledDeadLetter) -> dict[str, Any]:
    """The beginning of the value; invalid UTF-8 is shown as replacement characters."""
    if dead_letter.value is None or dead_letter.value_bytes is None:
        return {"value": None, "codec": None, "is_whole": True}
    value, is_whole, codec = beginning(dead_letter.value, dead_letter.value_bytes, VALUE_SHOWN_BYTES)
    return {"value": value.decode("utf-8", errors="replace"), "codec": codec, "is_whole": is_whole}
