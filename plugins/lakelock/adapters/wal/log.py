"""The write-ahead log, put together: each public call is one repeatable transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from lakelock.adapters.wal import (
    attempts,
    files,
    folding,
    marking,
    page_queries,
    planning,
    reading,
    rebuilding,
    reconcile,
    staging,
)
from lakelock.adapters.wal import end_earlier as ending
from lakelock.adapters.wal import gaps as deciding
from lakelock.adapters.wal.notify import Listener, channel_of
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.server import Connection, Server
from lakelock.adapters.wal.session import Session
from lakelock.errors import State, WalUnusable
from lakelock.model.batches import LIVE, Batch, DataFile, PartResult, PartSummary, PlannedRange, StagedPart, StreamState
from lakelock.model.counts import Accounts
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Following, Notes, Pace, PartNote, Rebuilt, Redo, Stand, Told
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.overview import PipelineLook
from lakelock.model.sightings import Sights, encode
from lakelock.model.table_files import KnownFiles
from lakelock.model.valid_through import Survey

HEARTBEAT_PATIENCE_S = 5.0


class PostgresLog:
    """`lakelock.ports.Log` on Postgres (14 or later), connecting at first use.

    May be shared by threads. Heartbeats and `wait` have connections of their own, so a heartbeat never waits behind
    a long transaction and a waiting thread holds up nobody; all else shares one, a call at a time. A lost connection
    is reopened for *patience_s*; the very first connection must succeed at once. A call waits at most *turn_s* for
    those of other threads (-1: as long as they take).
    """

    def __init__(
        self,
        dsn: str,
        *,
        application_name: str = "lakelock",
        patience_s: float = 20.0,
        lock_timeout_ms: int = 10_000,
        statement_timeout_ms: int = 60_000,
        turn_s: float = -1,
    ) -> None:
        server = Server(
            dsn,
            application_name=application_name,
            lock_timeout_ms=lock_timeout_ms,
            statement_timeout_ms=statement_timeout_ms,
        )
        self._main = Session(server, patience_s, turn_s)
        self._beats = Session(server, HEARTBEAT_PATIENCE_S)
        self._listener = Listener(server)
        self._installation_id: str | None = None

    def close(self) -> None:
        self._main.close()
        self._beats.close()
        self._listener.close()

    def __enter__(self) -> PostgresLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def installation_id(self) -> str:
        if self._installation_id is None:
            self._installation_id = self._main.run("reading the installation", _installation)
        return self._installation_id

    def config(self, digest: str) -> Mapping[str, object]:
        def work(connection: Connection) -> Mapping[str, object]:
            row = connection.execute(queries("read")["config"], {"digest": digest}).fetchone()
            if row is None:
                raise WalUnusable(
                    f"configuration {digest} is not in the write-ahead log: no batch in it was planned under it.",
                    State.NOTHING_CHANGED,
                    "Check whether Postgres was restored to an earlier moment.",
                )
            config: Mapping[str, object] = row["config"]
            return config

        return self._main.run("reading a configuration", work)

    def streams(self, pipeline: str, lane: str) -> list[StreamState]:
        return self._main.run("reading streams", lambda c: reading.read_streams(c, pipeline, lane))

    def begun(self, pipeline: str) -> bool:
        return self._main.run("reading tables", lambda c: reading.has_tables(c, pipeline))

    def plan(
        self,
        pipeline: str,
        lane: str,
        batch_id: str,
        config: Mapping[str, object],
        config_digest: str,
        ranges: Sequence[PlannedRange],
        starts: Mapping[Source, int],
        tables: Mapping[str, Sequence[str]],
        survey: Survey | None = None,
    ) -> Batch:
        """As in the port. Without ranges only the starts are declared: no batch is recorded.

        A batch id that is recorded with the same ranges and configuration is returned as it is.
        """
        planned = planning.Planned(pipeline, lane, batch_id, config, config_digest, ranges, starts, tables, survey)
        return self._main.run("recording a plan", lambda c: planning.plan(c, planned))

    def survey(self, batch_id: str) -> Survey | None:
        return self._main.run("reading a survey", lambda c: planning.read_survey(c, batch_id))

    def paces(self, pipeline: str) -> list[Pace]:
        return self._main.run("reading paces", lambda c: reading.read_paces(c, pipeline))

    def planned(self, pipeline: str) -> list[Batch]:
        return self._main.run("reading planned batches", lambda c: reading.read_planned(c, pipeline), snapshot=True)

    def claim(self, batch_id: str, attempt: str, run: str, stale_after_s: float) -> Batch:
        """As in the port. An attempt that was replaced while it held the batch is Fenced for as long as that lasts."""
        return self._main.run("claiming a batch", lambda c: attempts.claim(c, batch_id, attempt, run, stale_after_s))

    def heartbeat(self, batch_id: str, attempt: str, progress: str = "") -> bool:
        return self._beats.run("a heartbeat", lambda c: attempts.heartbeat(c, batch_id, attempt, progress))

    def release(self, batch_id: str, attempt: str, outcome: str) -> None:
        """As in the port. No effect for an attempt that no longer holds the batch."""
        self._main.run("releasing a batch", lambda c: attempts.release(c, batch_id, attempt, outcome))

    def end_earlier(self, batch_id: str, attempt: str, ends: Mapping[Source, int]) -> bool:
        return self._main.run("ending a batch earlier", lambda c: ending.end_earlier(c, batch_id, attempt, ends))

    def stage(self, batch_id: str, attempt: str, parts: Sequence[PartResult]) -> None:
        """As in the port. Dead letters come in the same call as the part of their target table.

        Dead letters that an older attempt staged for that target and that have not landed are replaced. Raises
        BooksUnbalanced where the books do not add up.
        """
        staging.check(batch_id, parts)
        self._main.run("staging", lambda c: staging.stage(c, batch_id, attempt, parts))

    def staged(self, pipeline: str, table: str | None = None) -> list[StagedPart]:
        return self._main.run("reading staged parts", lambda c: reading.read_staged(c, pipeline, table), snapshot=True)

    def staged_tables(self, pipeline: str) -> dict[str, float]:
        def work(connection: Connection) -> dict[str, float]:
            rows = connection.execute(queries("read")["staged_tables"], {"pipeline": pipeline})
            return {row["table_name"]: row["age_s"] for row in rows}

        return self._main.run("reading staged tables", work)

    def committed(
        self, parts: Sequence[StagedPart], snapshot_id: int | None, commit_id: str | None, ledger: Ledger
    ) -> None:
        """As in the port. Marking again is harmless: it only fills in a snapshot id that was not known."""
        if len({p.result.table for p in parts}) > 1:
            raise ValueError("parts of one table are marked together")
        if parts:
            self._main.run(
                "marking parts committed", lambda c: marking.committed(c, parts, snapshot_id, commit_id, ledger)
            )

    def replan(self, part: StagedPart, reason: str) -> None:
        """As in the port."""
        self._main.run("planning a part again", lambda c: marking.replan(c, part, reason))

    def replace(self, pipeline: str, part: StagedPart, reason: str, ranges: Sequence[OffsetRange], redo: Redo) -> None:
        self._main.run("planning a part anew", lambda c: reconcile.replace(c, pipeline, part, reason, ranges, redo))

    def split(self, batch_id: str, attempt: str, table: str, redo: Redo) -> None:
        self._main.run("planning a part in pieces", lambda c: reconcile.split(c, batch_id, attempt, table, redo))

    def follow(self, pipeline: str, table: str, table_uuid: str, ledger: Ledger, redo: Redo) -> Following | None:
        return self._main.run(
            "following a rollback", lambda c: reconcile.follow(c, pipeline, table, table_uuid, ledger, redo)
        )

    def recovering(self, pipeline: str) -> str | None:
        def work(connection: Connection) -> str | None:
            row = connection.execute(queries("rebuild")["under_way"], {"pipeline": pipeline}).fetchone()
            return str(row["who"]) if row else None

        return self._main.run("reading recoveries", work)

    def give_up(self, pipeline: str, who: str, token: str, approve: Callable[[Notes], None]) -> None:
        self._main.run("giving up what is open", lambda c: rebuilding.give_up(c, pipeline, who, token, approve))

    def rebuild(self, pipeline: str, stands: Sequence[Stand], redo: Redo, token: str) -> Rebuilt:
        return self._main.run("rebuilding the log", lambda c: rebuilding.rebuild(c, pipeline, stands, redo, token))

    def lacking(
        self, pipeline: str, table: str, ledger: Ledger, takes: Callable[[str, str], bool]
    ) -> list[OffsetRange]:
        return self._main.run(
            "reading what a table lacks", lambda c: reconcile.lacking(c, pipeline, table, ledger, takes), snapshot=True
        )

    def fill(self, pipeline: str, table: str, ledger: Ledger, redo: Redo) -> list[OffsetRange]:
        return self._main.run("planning what a table lacks", lambda c: reconcile.fill(c, pipeline, table, ledger, redo))

    def fill_asked(self, pipeline: str, table: str, table_uuid: str, ledger: Ledger, redo: Redo) -> list[OffsetRange]:
        return self._main.run(
            "planning a backfill", lambda c: reconcile.fill_asked(c, pipeline, table, table_uuid, ledger, redo)
        )

    def hold(self, pipeline: str, gaps: Sequence[OffsetRange], attempt: str) -> bool:
        return self._main.run("beginning a decision", lambda c: deciding.hold(c, pipeline, gaps, attempt))

    def declare(
        self,
        pipeline: str,
        tables: Mapping[str, Told],
        gaps: Sequence[OffsetRange],
        redo: Redo,
        attempt: str,
        reason: str,
    ) -> None:
        self._main.run(
            "recording a decision", lambda c: deciding.declare(c, pipeline, tables, gaps, redo, attempt, reason)
        )

    def rebind(
        self,
        pipeline: str,
        table: str,
        table_uuid: str,
        ledger: Ledger,
        redo: Redo,
        reason: str,
    ) -> list[OffsetRange]:
        return self._main.run(
            "binding another table",
            lambda c: deciding.rebind(c, pipeline, table, table_uuid, ledger, redo, reason),
        )

    def await_generation(self, pipeline: str, table: str, generation: int, table_uuid: str | None = None) -> None:
        def work(connection: Connection) -> None:
            key = {"pipeline": pipeline, "table": table, "generation": generation, "uuid": table_uuid}
            if table_uuid is not None:
                connection.execute(queries("read")["bind"], key)
            connection.execute(queries("follow")["await_generation"], key)

        self._main.run("announcing a rollback", work)

    def letter_tables(self, pipeline: str) -> list[str]:
        return self._main.run("reading tables", lambda c: reading.read_letter_tables(c, pipeline))

    def unsettled(self, pipeline: str) -> list[str]:
        def work(connection: Connection) -> list[str]:
            return [r["table_name"] for r in connection.execute(queries("read")["unsettled"], {"pipeline": pipeline})]

        return self._main.run("reading tables", work)

    def notes(self, pipeline: str, table: str) -> list[PartNote]:
        return self._main.run("reading parts", lambda c: reconcile.read_notes(c, pipeline, table), snapshot=True)

    def files_of(self, part_ids: Sequence[int]) -> dict[int, list[DataFile]]:
        return self._main.run("reading files", lambda c: reading.read_files(c, part_ids))

    def generations(self, pipeline: str) -> dict[str, int]:
        def work(connection: Connection) -> dict[str, int]:
            rows = connection.execute(queries("read")["generations"], {"pipeline": pipeline})
            return {row["table_name"]: row["generation"] for row in rows}

        return self._main.run("reading generations", work)

    def bind(self, pipeline: str, table: str, table_uuid: str) -> str:
        def work(connection: Connection) -> str:
            key = {"pipeline": pipeline, "table": table, "uuid": table_uuid}
            row = connection.execute(queries("read")["bind"], key).fetchone()
            assert row is not None
            return str(row["table_uuid"])

        return self._main.run("binding a table", work)

    def bound(self, pipeline: str) -> dict[str, str]:
        def work(connection: Connection) -> dict[str, str]:
            rows = connection.execute(queries("read")["bound"], {"pipeline": pipeline})
            return {row["table_name"]: row["table_uuid"] for row in rows}

        return self._main.run("reading bound tables", work)

    def declared_starts(self, pipeline: str, table: str) -> dict[Source, int]:
        """Per source of the live lane: the start of the first range ever planned for *table*, else the frontier.

        An aborted first range counts too: what it would have brought is missing, and a later start would hide that.
        """
        return self._main.run("reading starts", lambda c: reading.read_starts(c, pipeline, LIVE, table))

    def ledgers(self, pipeline: str, table: str | None = None) -> dict[str, Ledger]:
        """As in the port; with *table* of that one only, because each takes time to decode."""
        return self._main.run("reading ledgers", lambda c: reading.read_ledgers(c, pipeline, table))

    def has_ledger(self, pipeline: str, table: str) -> bool:
        return self._main.run("looking for a ledger", lambda c: reading.has_ledger(c, pipeline, table))

    def first_ledger(self, pipeline: str, table: str) -> Ledger | None:
        return self._main.run("reading a ledger", lambda c: reading.read_first_ledger(c, pipeline, table))

    def recent(self, pipeline: str, limit: int) -> list[PartSummary]:
        return self._main.run("reading parts", lambda c: reading.read_recent(c, pipeline, limit), snapshot=True)

    def accounts(self, pipeline: str) -> Accounts:
        return self._main.run("reading the accounts", lambda c: reading.read_accounts(c, pipeline, LIVE), snapshot=True)

    def look(self, pipeline: str) -> PipelineLook | None:
        _, found = self._main.run("looking", lambda c: page_queries.read_looks(c, [pipeline]), snapshot=True)
        return found[0] if found else None

    def sights(self, pipeline: str) -> Sights | None:
        return self._main.run("reading sights", lambda c: page_queries.read_sights(c, [pipeline]).get(pipeline))

    def saw(self, pipeline: str, sights: Sights) -> None:
        def work(connection: Connection) -> None:
            connection.execute(queries("sights")["keep"], {"pipeline": pipeline, "seen": encode(sights)})

        self._main.run("keeping sights", work)

    def now(self) -> datetime:
        return self._main.run("reading the clock", files.now)

    def staged_files(self, table: str) -> list[str]:
        return self._main.run("reading staged files", lambda c: files.staged(c, table))

    def known(self, batch_ids: Collection[str]) -> KnownFiles:
        return self._main.run("reading batches", lambda c: files.known(c, batch_ids), snapshot=True)

    def coalesce(self, pipeline: str, keep_batches: int) -> int:
        """As in the port. Folds a bounded number of batches a call; returns how many."""
        return self._main.run("folding old batches", lambda c: folding.coalesce(c, pipeline, keep_batches))

    def wait(self, pipeline: str, timeout_s: float) -> bool:
        """As in the port. True also where a notice may have been missed: on the first call and after a lost connection."""
        return self._listener.wait(pipeline, timeout_s)

    def notify(self, pipeline: str) -> None:
        def work(connection: Connection) -> None:
            connection.execute(queries("read")["notify"], {"channel": channel_of(pipeline)})

        self._main.run("waking waiters", work)


def _installation(connection: Connection) -> str:
    row = connection.execute(queries("read")["installation"]).fetchone()
    assert row is not None
    return str(row["installation_id"])
