"""The write-ahead log: the calls of `log_batches`, and those for recovery, operators, audit and waiting."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from lakelock.adapters.wal import logged_files, page_queries, rebuilding, reconcile, row_reading
from lakelock.adapters.wal import recorded_decisions as deciding
from lakelock.adapters.wal.listen_notify import channel_of
from lakelock.adapters.wal.log_batches import WalBatchLog
from lakelock.adapters.wal.planning import last_recovery
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.server import Connection
from lakelock.model.batches import LIVE, PartSummary
from lakelock.model.counts import Accounts
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Following, Notes, Rebuilt, Recorded, Redo, Stand
from lakelock.model.offsets import OffsetRange
from lakelock.model.overview import PipelineView
from lakelock.model.retirement import Retirement
from lakelock.model.sightings import Sights, encode
from lakelock.model.table_files import KnownFiles

# Bounds of one call: it holds locks on what it folds, and it runs inside a publish task.
MAX_BATCHES = 500
MAX_FILES = 20_000


class PostgresLog(WalBatchLog):
    """`lakelock.ports.Log` on Postgres (14 or later); each call is one repeatable transaction."""

    def follow(self, pipeline: str, table: str, table_uuid: str, ledger: Ledger, redo: Redo) -> Following | None:
        return self._main.run(
            "following a rollback", lambda c: reconcile.follow(c, pipeline, table, table_uuid, ledger, redo)
        )

    def recovering(self, pipeline: str) -> str | None:
        def work(connection: Connection) -> str | None:
            row = last_recovery(connection, pipeline)
            return str(row["who"]) if row is not None and row["ended_at"] is None else None

        return self._main.run("reading recoveries", work)

    def last_recovery(self, pipeline: str) -> str | None:
        return self._main.run("reading recoveries", lambda c: rebuilding.last_token(c, pipeline))

    def left_out(self, pipeline: str) -> list[str]:
        return self._main.read("reading recoveries", lambda c: rebuilding.left_out(c, pipeline))

    def give_up(self, pipeline: str, who: str, token: str, after: str | None, approve: Callable[[Notes], None]) -> None:
        self._main.run("giving up what is open", lambda c: rebuilding.give_up(c, pipeline, who, token, after, approve))

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

    def fill_requested(
        self, pipeline: str, table: str, table_uuid: str, ledger: Ledger, redo: Redo
    ) -> list[OffsetRange]:
        return self._main.run(
            "planning a backfill", lambda c: reconcile.fill_requested(c, pipeline, table, table_uuid, ledger, redo)
        )

    def await_generation(self, pipeline: str, table: str, generation: int, table_uuid: str | None = None) -> None:
        def work(connection: Connection) -> None:
            key = {"pipeline": pipeline, "table": table, "generation": generation, "uuid": table_uuid}
            if table_uuid is not None:
                connection.execute(queries("read")["bind"], key)
            connection.execute(queries("follow")["await_generation"], key)

        self._main.run("announcing a rollback", work)

    def hold(self, pipeline: str, gaps: Sequence[OffsetRange], attempt: str) -> bool:
        return self._main.run("beginning a decision", lambda c: deciding.hold(c, pipeline, gaps, attempt))

    def declare(
        self,
        pipeline: str,
        tables: Mapping[str, Recorded],
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

    def retire_table(self, pipeline: str, table: str) -> Retirement:
        return self._main.run("retiring a table", lambda c: deciding.retire_table(c, pipeline, table))

    def give_up_parts(self, pipeline: str, table: str, reason: str) -> None:
        self._main.run("giving up parts", lambda c: deciding.give_up_parts(c, pipeline, table, reason))

    def recent(self, pipeline: str, limit: int) -> list[PartSummary]:
        return self._main.run("reading parts", lambda c: row_reading.read_recent(c, pipeline, limit), snapshot=True)

    def accounts(self, pipeline: str) -> Accounts:
        return self._main.run(
            "reading the accounts", lambda c: row_reading.read_accounts(c, pipeline, LIVE), snapshot=True
        )

    def view(self, pipeline: str) -> PipelineView | None:
        _, found = self._main.run("looking", lambda c: page_queries.read_views(c, [pipeline]), snapshot=True)
        return found[0] if found else None

    def sights(self, pipeline: str) -> Sights | None:
        return self._main.run("reading sights", lambda c: page_queries.read_sights(c, [pipeline]).get(pipeline))

    def saw(self, pipeline: str, sights: Sights) -> None:
        def work(connection: Connection) -> None:
            connection.execute(queries("sights")["keep"], {"pipeline": pipeline, "seen": encode(sights)})

        self._main.run("keeping sights", work)

    def staged_files(self, table: str) -> list[str]:
        return self._main.run("reading staged files", lambda c: logged_files.staged(c, table))

    def part_layouts(self, table: str) -> list[tuple[str, int | None]]:
        return self._main.run("reading layouts", lambda c: logged_files.part_layouts(c, table))

    def known(self, batch_ids: Collection[str]) -> KnownFiles:
        return self._main.run("reading batches", lambda c: logged_files.known(c, batch_ids), snapshot=True)

    def coalesce(self, pipeline: str, keep_batches: int) -> int:
        """See the port. Each call drops a limited number of batches and returns how many."""
        return self._main.run("folding old batches", lambda c: _fold(c, pipeline, keep_batches))

    def wait(self, pipeline: str, timeout_s: float) -> bool:
        """See the port. Also True if a notice may have been missed: on the first call and after a lost connection."""
        return self._listener.wait(pipeline, timeout_s)

    def notify(self, pipeline: str) -> None:
        def work(connection: Connection) -> None:
            connection.execute(queries("read")["notify"], {"channel": channel_of(pipeline)})

        self._main.run("waking waiters", work)


def _fold(connection: Connection, pipeline: str, keep_batches: int) -> int:
    """Drops the detail of finished batches, whose sums the tables' own ledgers hold; returns how many."""
    sql = queries("fold")
    registering = [row["table_name"] for row in connection.execute(sql["registers_backfills"], {"pipeline": pipeline})]
    ledgers = row_reading.read_ledgers(connection, pipeline, registering) if registering else {}
    rows = connection.execute(
        sql["victims"],
        {
            "pipeline": pipeline,
            # Only its batches show what is complete of a backfill, until the mark has it.
            "with_others": not any(ledger.waits_for_backfills for ledger in ledgers.values()),
            "keep_batches": keep_batches,
            "max_batches": MAX_BATCHES,
            "max_files": MAX_FILES,
        },
    )
    batch_nos = [row["batch_no"] for row in rows]
    if batch_nos:
        for name in (
            "drop_events",
            "drop_attempts",
            "drop_books",
            "drop_files",
            "drop_parts",
            "drop_ranges",
            "drop_batches",
            "drop_lane_starts",
            "drop_lanes",
        ):
            connection.execute(sql[name], {"batch_nos": batch_nos, "pipeline": pipeline})
        connection.execute(sql["drop_configs"])
    return len(batch_nos)
