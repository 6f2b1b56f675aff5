"""Final states of staged parts: committed, planned again, or aborted. Each update names the attempt it holds for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from lakelock.adapters.wal.attempts import leave, lock_batch
from lakelock.adapters.wal.events import add_event
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.server import Connection
from lakelock.errors import Fenced, State
from lakelock.ingest.replan_decision import rows_are_there
from lakelock.model import consistent_cut, coverage_text, registry_text
from lakelock.model import operator_log as decisions
from lakelock.model.batches import NO_TABLE, StagedPart
from lakelock.model.ledger import Ledger, rollback_text


def committed(
    connection: Connection, parts: Sequence[StagedPart], version_id: int | None, commit_id: str | None, ledger: Ledger
) -> None:
    """Mark all of *parts*, which are of one table, or none; parts marked before only get a missing version."""
    sql = queries("mark")
    table = parts[0].result.table
    batch_ids = sorted({p.batch_id for p in parts})
    locked = connection.execute(sql["lock_batches"], {"batch_ids": batch_ids}).fetchall()
    numbers = {str(row["batch_id"]): int(row["batch_no"]) for row in locked}
    for part in parts:
        if part.batch_id not in numbers:
            raise _fenced(part, "the write-ahead log no longer has the batch")
    wanted = {(numbers[p.batch_id], p.part_id): p for p in parts}
    values: dict[str, Any] = {
        "table": table,
        "version_id": version_id,
        "commit_id": commit_id,
        "detail": f"snapshot {version_id}" if version_id is not None else "found in the table",
    }
    marked = _rows(connection, "commit_parts", values, wanted)
    if left := {key: p for key, p in wanted.items() if key not in marked}:
        known = _rows(connection, "commit_version_known", values, left)
        for key, part in left.items():
            if key not in known:
                raise _fenced(part, _state(connection, key[0], part))
    if marked:
        connection.execute(sql["add_commit_events"], values | _columns({key: wanted[key] for key in marked}))
    keep_ledger(connection, str(locked[0]["pipeline"]), table, ledger)


def _columns(parts: dict[tuple[int, int], StagedPart]) -> dict[str, Any]:
    return {
        "batch_nos": [batch_no for batch_no, _ in parts],
        "part_ids": [part_id for _, part_id in parts],
        "targets": [p.result.target for p in parts.values()],
        "attempts": [p.attempt for p in parts.values()],
        "generations": [p.result.identity.generation for p in parts.values()],
    }


def _rows(
    connection: Connection, name: str, values: dict[str, Any], parts: dict[tuple[int, int], StagedPart]
) -> set[tuple[int, int]]:
    rows = connection.execute(queries("mark")[name], values | _columns(parts))
    return {(row["batch_no"], row["part_id"]) for row in rows}


def keep_ledger(connection: Connection, pipeline: str, table: str, ledger: Ledger) -> None:
    text = orjson.dumps(
        {
            "installation_id": ledger.installation_id,
            "pipeline": ledger.pipeline,
            "commit_id": ledger.commit_id,
            "generation": ledger.generation,
            "config_digest": ledger.config_digest,
            "coverage": coverage_text.encode(ledger.coverage),
            "rollback": rollback_text(ledger.rollback) if ledger.rollback else None,
            "decisions": decisions.encode(ledger.decisions),
            "valid_through_ms": ledger.valid_through_ms,
            "mark": coverage_text.encode(ledger.mark) if ledger.mark is not None else None,
            "behind": consistent_cut.encode(ledger.behind),
            "mark_through_ms": ledger.mark_through_ms,
        }
    ).decode()
    connection.execute(
        queries("mark")["keep_ledger"],
        {
            "pipeline": pipeline,
            "table": table,
            "generation": ledger.generation,
            "covered_offsets": ledger.size,
            "ledger": text,
            "registry": registry_text.encode(ledger.registry) if ledger.registry is not None else None,
        },
    )


def replan(connection: Connection, part: StagedPart, reason: str) -> None:
    """Plan a staged part again; raises TableUnfit for dead letters whose rows are already committed.

    Dead letters that no table is known for are planned again themselves, because their batch may have no other part, and
    with them all parts of routed tables. Staged dead letters of these tables are aborted: once they are committed, those that
    no table is known for would count as committed, too. The batch stays closed. See the port.
    """
    sql = queries("mark")
    batch = lock_batch(connection, part.batch_id)
    batch_no = batch["batch_no"]
    key = _key(batch_no, part) | {"reason": reason}
    target = part.result.target
    is_rows = target in ("", NO_TABLE)
    edge, state = ("replan_part", "planned") if is_rows else ("abort_part", "aborted")
    changed = connection.execute(sql[edge], key).fetchall()
    if not changed:
        if _is_already(connection, batch_no, part, state):
            return
        raise _fenced(part, _state(connection, batch_no, part))
    again, letters = [], []
    if target:
        of = "routed" if target == NO_TABLE else "sibling"
        if connection.execute(sql[f"committed_{of}"], key).fetchone() is not None:
            raise rows_are_there(part, reason)
        again = connection.execute(sql[f"replan_{of}"], key).fetchall()
        letters = connection.execute(sql["abort_routed_letters"], key).fetchall() if target == NO_TABLE else []
    part_ids = {"part_ids": [row["part_id"] for row in [*(changed if is_rows else ()), *again, *letters]]}
    connection.execute(sql["forget_files"], part_ids)
    connection.execute(sql["forget_books"], part_ids)
    # The attempt that staged the part is done with the batch: the next one need not wait for its heartbeat to go stale.
    leave(connection, batch, part.attempt, "staged")
    _note(connection, batch_no, "replanned" if is_rows else "aborted", part, reason)
    for row in again:
        add_event(connection, batch_no, "replanned", table=row["table_name"], attempt=part.attempt, detail=reason)
    for row in letters:
        of_part = {"table": row["table_name"], "target": row["target"]}
        add_event(connection, batch_no, "aborted", **of_part, attempt=part.attempt, detail=reason)


def abort(connection: Connection, part: StagedPart, reason: str) -> bool:
    """Abort a staged part; False if the same call was already committed and only its answer was lost."""
    sql = queries("mark")
    batch_no = lock_batch(connection, part.batch_id)["batch_no"]
    if connection.execute(sql["abort_part"], _key(batch_no, part) | {"reason": reason}).fetchone() is None:
        if _is_already(connection, batch_no, part, "aborted"):
            return False
        raise _fenced(part, _state(connection, batch_no, part))
    connection.execute(sql["free_ranges"], {"batch_no": batch_no})
    _note(connection, batch_no, "aborted", part, reason)
    return True


def _key(batch_no: int, part: StagedPart) -> dict[str, Any]:
    return {
        "batch_no": batch_no,
        "part_id": part.part_id,
        "table": part.result.table,
        "target": part.result.target,
        "attempt": part.attempt,
        "generation": part.result.identity.generation,
    }


def _is_already(connection: Connection, batch_no: int, part: StagedPart, state: str) -> bool:
    """Whether the same call was already committed and only its answer was lost."""
    rows = connection.execute(queries("mark")["part_now"], _key(batch_no, part))
    return any(row["state"] == state and row["attempt"] == part.attempt for row in rows)


def _state(connection: Connection, batch_no: int, part: StagedPart) -> str:
    row = connection.execute(queries("mark")["part_now"], _key(batch_no, part)).fetchone()
    if row is None:
        return "the write-ahead log has no such part"
    return f"it is {row['state']} now, by attempt {row['attempt']}, generation {row['generation']}"


def _note(connection: Connection, batch_no: int, edge: str, part: StagedPart, reason: str) -> None:
    result = part.result
    detail = f"{reason}; {len(result.files)} files are orphans" if result.files else reason
    add_event(connection, batch_no, edge, table=result.table, target=result.target, attempt=part.attempt, detail=detail)


def _fenced(part: StagedPart, why: str) -> Fenced:
    of = f" (dead letters of {part.result.target})" if part.result.target else ""
    return Fenced(
        f"batch {part.batch_id}, table {part.result.table}{of}: the part of attempt {part.attempt}, generation "
        f"{part.result.identity.generation} cannot be marked: {why}.",
        State.NOTHING_CHANGED,
        "Read the staged parts and the table again.",
    )
