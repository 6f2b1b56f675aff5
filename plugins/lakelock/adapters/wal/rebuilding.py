"""Rebuild a pipeline's part of the log from its tables' ledgers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from lakelock.adapters.wal.events import add_event
from lakelock.adapters.wal.marking import keep_ledger
from lakelock.adapters.wal.planning import keep_config, last_recovery
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.reconcile import plan_backfill, plan_lacking, read_notes
from lakelock.adapters.wal.server import Connection
from lakelock.errors import Fenced, State
from lakelock.model.batches import LIVE
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import registry_of
from lakelock.model.log_state import Notes, Rebuilt, Redo, Stand, TailBatch
from lakelock.model.offsets import Source
from lakelock.model.registry import Registry
from lakelock.model.retirement import NEVER, text_of
from lakelock.recovery.rebuild_decision import known_end, rebuilt


def last_token(connection: Connection, pipeline: str) -> str | None:
    row = last_recovery(connection, pipeline)
    return str(row["token"]) if row else None


def left_out(connection: Connection, pipeline: str) -> list[str]:
    rows = connection.execute(queries("rebuild")["left_out"], {"pipeline": pipeline})
    return [row["table_name"] for row in rows]


def give_up(
    connection: Connection,
    pipeline: str,
    who: str,
    token: str,
    after: str | None,
    approve: Callable[[Notes], None],
) -> None:
    """Abort all parts and end all attempts; plan and claim are then refused until `rebuild`."""
    sql, key = queries("rebuild"), {"pipeline": pipeline}
    if connection.execute(sql["begin"], key | {"who": who, "token": token, "after": after}).fetchone() is None:
        _refuse_overtaken(pipeline, last_recovery(connection, pipeline))
    _lock(connection, pipeline)
    # Locks are taken, in a transaction that Postgres ends if this process hangs, so exactly the approved parts are
    # aborted. Only a batch planned while the locks were being taken may still be staged; then *approve* is called
    # again.
    approved = None
    while (notes := _written(connection, pipeline)) != approved:
        approve(notes)
        approved = notes
    _abort_all(connection, pipeline)


def _lock(connection: Connection, pipeline: str) -> None:
    """In the same order as planning, staging and marking."""
    connection.execute(queries("rebuild")["lock_batches"], {"pipeline": pipeline})
    connection.execute(queries("rebuild")["lock_streams"], {"pipeline": pipeline})


def _written(connection: Connection, pipeline: str) -> Notes:
    rows = connection.execute(queries("rebuild")["written_tables"], {"pipeline": pipeline}).fetchall()
    return {row["table_name"]: read_notes(connection, pipeline, row["table_name"]) for row in rows}


def _abort_all(connection: Connection, pipeline: str) -> None:
    sql, key = queries("rebuild"), {"pipeline": pipeline}
    reason = "the log was rebuilt from the tables"
    for row in connection.execute(sql["abort_parts"], key | {"reason": reason}).fetchall():
        add_event(
            connection,
            row["batch_no"],
            "aborted",
            table=row["table_name"],
            target=row["target"],
            attempt=row["attempt"],
            detail=reason,
        )
    for name in ("abort_ranges", "close_batches", "end_attempts", "leave_batches"):
        connection.execute(sql[name], key)


def rebuild(connection: Connection, pipeline: str, stands: Sequence[Stand], redo: Redo, token: str) -> Rebuilt:
    """Restore frontiers, tables and starts from *stands*, and plan the ranges that tables lack."""
    sql, key = queries("rebuild"), {"pipeline": pipeline, "lane": LIVE}
    decided = rebuilt(stands, redo.takes, redo.max_offsets)
    if _ended(connection, pipeline, token):
        return decided
    _lock(connection, pipeline)
    _refuse_staged(connection, pipeline)
    # Batches planned in transactions that were open when everything was given up.
    _abort_all(connection, pipeline)
    connection.execute(sql["finish"], key | {"left_out": list(decided.left_out)})
    connection.execute(sql["frontiers_back"], key)
    streams = decided.streams
    connection.execute(
        sql["set_streams"],
        key
        | _columns([s.source for s in streams])
        | {
            "start_offsets": [s.start_offset for s in streams],
            "next_offsets": [s.next_offset for s in streams],
            "retired_offsets": [known_end(stands, s.source) if s.retired else None for s in streams],
        },
    )
    if (registry := registry_of(stand.ledger for stand in stands)) is not None:
        _set_registered(connection, pipeline, registry)
    for stand in stands:
        table = key | {"table": stand.table, "uuid": stand.uuid}
        connection.execute(sql["set_table"], table | {"topics": sorted({s.topic for s in stand.starts})})
        starts = {"start_offsets": list(stand.starts.values())}
        connection.execute(sql["set_table_starts"], table | _columns(list(stand.starts)) | starts)
        keep_ledger(connection, pipeline, stand.table, stand.ledger)
    coverage = {stand.table: stand.ledger.coverage for stand in stands}
    for name, ranges in decided.redo.items():
        plan_lacking(connection, pipeline, name, ranges, redo, coverage.get(name, Coverage()))
    for of_tail in decided.tail:
        _plan_in_tail(connection, key, redo.new_id(), of_tail)
    for of_backfill in decided.backfills:
        plan_backfill(connection, pipeline, of_backfill, redo)
    return decided


def _set_registered(connection: Connection, pipeline: str, registry: Registry) -> None:
    tables = registry.tables
    connection.execute(
        queries("rebuild")["set_registered"],
        {
            "pipeline": pipeline,
            "tables": list(tables),
            "raw_names": [t.raw_name for t in tables.values()],
            "uuids": [t.uuid for t in tables.values()],
            "are_retired": [t.is_retired for t in tables.values()],
            "retirements": [None if t.retirement == NEVER else text_of(t.retirement) for t in tables.values()],
        },
    )


def _plan_in_tail(connection: Connection, key: Mapping[str, object], batch_id: str, tail: TailBatch) -> None:
    """Plan a batch below the frontiers, which is not closed."""
    sql, ranges = queries("plan"), tail.ranges
    keep_config(connection, tail.config, tail.config_digest)
    values = {"batch_id": batch_id, "digest": tail.config_digest, "survey": None, "closed": False}
    batch = connection.execute(sql["insert_batch"], {**key, **values}).fetchone()
    assert batch is not None
    offsets = {"start_offsets": [r.start for r in ranges], "end_offsets": [r.end for r in ranges]}
    connection.execute(
        queries("rebuild")["tail_ranges"],
        {**key, **_columns([r.source for r in ranges]), **offsets, "batch_no": batch["batch_no"]},
    )
    add_event(connection, batch["batch_no"], "planned", detail=f"{len(ranges)} ranges")


def _ended(connection: Connection, pipeline: str, token: str) -> bool:
    """Whether this rebuild was already done; raises Fenced if another recovery began later."""
    connection.execute(queries("rebuild")["lock"], {"pipeline": pipeline})
    row = last_recovery(connection, pipeline)
    if row is None or row["token"] != token:
        _refuse_overtaken(pipeline, row)
    return row["ended_at"] is not None


def _refuse_overtaken(pipeline: str, by: Mapping[str, Any] | None) -> NoReturn:
    """Raise Fenced; *by* None says that the log does not know this recovery."""
    other = f"{by['who']} started another one at {by['began_at']:%Y-%m-%d %H:%M:%S%z}" if by else "the log was restored"
    raise Fenced(
        f"pipeline {pipeline!r}: this recovery was overtaken: {other}.",
        State.LOG_KEPT,
        "Run `bin/lakelock recover FILE` to see whether anything is left to do.",
    )


def _refuse_staged(connection: Connection, pipeline: str) -> None:
    """Raise Fenced if anything was staged since *approve*: the operator has not approved giving it up."""
    rows = connection.execute(queries("rebuild")["staged_tables"], {"pipeline": pipeline}).fetchall()
    if rows:
        raise Fenced(
            f"pipeline {pipeline!r}: parts of {', '.join(r['table_name'] for r in rows)} were staged while "
            "the recovery gave up all batches.",
            State.LOG_KEPT,
            "Run `bin/lakelock recover FILE` again: it shows what they hold.",
        )


def _columns(sources: Sequence[Source]) -> dict[str, Any]:
    return {
        "topics": [s.topic for s in sources],
        "topic_ids": [s.topic_id for s in sources],
        "partitions": [s.partition for s in sources],
    }
