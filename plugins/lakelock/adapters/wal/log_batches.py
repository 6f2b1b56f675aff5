"""The calls of the log from plan to commit."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from lakelock.adapters.wal import (
    attempts,
    batch_closing,
    commit_views,
    logged_files,
    marking,
    planning,
    reconcile,
    routed_names,
    row_reading,
    staging,
)
from lakelock.adapters.wal import end_earlier as ending
from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.server import Connection
from lakelock.adapters.wal.sessions import LogSessions
from lakelock.errors import State, WalUnusable
from lakelock.model.batches import LIVE, Batch, Closing, DataFile, PartResult, PlannedRange, StagedPart, StreamState
from lakelock.model.commit_view import CommitView
from lakelock.model.consistent_cut import RoutedProgress
from lakelock.model.counts import RoutedRange
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Pace, PartNote, Redo, StagedTable
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.registry import RegisteredTable
from lakelock.model.route_evidence import RouteEvidence
from lakelock.model.valid_through import Survey


class WalBatchLog(LogSessions):
    """Satisfies `lakelock.ports.log_batches.BatchLog`; each call is one repeatable transaction."""

    _installation_id: str | None = None

    def installation_id(self) -> str:
        if self._installation_id is None:
            self._installation_id = self._main.read("reading the installation", _installation)
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

        return self._main.read("reading a configuration", work)

    def now(self) -> datetime:
        return self._main.read("reading the clock", logged_files.now)

    def generations(self, pipeline: str, tables: Collection[str] | None = None) -> dict[str, int]:
        key = {"pipeline": pipeline, "tables": None if tables is None else list(tables)}

        def work(connection: Connection) -> dict[str, int]:
            rows = connection.execute(queries("read")["generations"], key)
            return {row["table_name"]: row["generation"] for row in rows}

        return self._main.read("reading generations", work)

    def dead_letter_tables(self, pipeline: str) -> list[str]:
        return self._main.read("reading tables", lambda c: row_reading.read_dead_letter_tables(c, pipeline))

    def bind(self, pipeline: str, table: str, table_uuid: str) -> str:
        def work(connection: Connection) -> str:
            key = {"pipeline": pipeline, "table": table, "uuid": table_uuid}
            row = connection.execute(queries("read")["bind"], key).fetchone()
            assert row is not None
            return str(row["table_uuid"])

        return self._main.run("binding a table", work)

    def bound(self, pipeline: str, tables: Collection[str] | None = None) -> dict[str, str]:
        key = {"pipeline": pipeline, "tables": None if tables is None else list(tables)}

        def work(connection: Connection) -> dict[str, str]:
            rows = connection.execute(queries("read")["bound"], key)
            return {row["table_name"]: row["table_uuid"] for row in rows}

        return self._main.read("reading bound tables", work)

    def bound_uuid(self, pipeline: str, table: str) -> str | None:
        def work(connection: Connection) -> str | None:
            row = connection.execute(queries("read")["bound_uuid"], {"pipeline": pipeline, "table": table}).fetchone()
            return None if row is None else row["table_uuid"]

        return self._main.read("reading a bound table", work)

    def declared_starts(self, pipeline: str, table: str) -> dict[Source, int]:
        """Per source of the live lane, the start of the first range ever planned for *table*, else the frontier.

        An aborted first range counts, too: its offsets are missing, and a later start would hide that.
        """
        return self._main.read("reading starts", lambda c: row_reading.read_starts(c, pipeline, LIVE, table))

    def ledgers(self, pipeline: str, tables: Sequence[str] | None = None) -> dict[str, Ledger]:
        """See the port; *tables* restricts it to these, because decoding each ledger takes time."""
        return self._main.read("reading ledgers", lambda c: row_reading.read_ledgers(c, pipeline, tables))

    def has_ledger(self, pipeline: str, table: str) -> bool:
        return self._main.read("looking for a ledger", lambda c: row_reading.has_ledger(c, pipeline, table))

    def first_ledger(self, pipeline: str, table: str) -> Ledger | None:
        return self._main.read("reading a ledger", lambda c: row_reading.read_first_ledger(c, pipeline, table))

    def notes(self, pipeline: str, table: str) -> list[PartNote]:
        return self._main.run("reading parts", lambda c: reconcile.read_notes(c, pipeline, table), snapshot=True)

    def files_of(self, part_ids: Sequence[int]) -> dict[int, list[DataFile]]:
        return self._main.run("reading files", lambda c: row_reading.read_files(c, part_ids))

    def streams(self, pipeline: str, lane: str) -> list[StreamState]:
        return self._main.read("reading streams", lambda c: row_reading.read_streams(c, pipeline, lane))

    def begun(self, pipeline: str) -> bool:
        return self._main.read("reading tables", lambda c: row_reading.has_begun(c, pipeline))

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
        *,
        closed: bool = True,
    ) -> Batch:
        """See the port. Without ranges only the starts are declared: no batch is recorded.

        If the batch id is recorded with the same ranges and configuration, the recorded batch is returned.
        """
        planned = planning.Planned(
            pipeline, lane, batch_id, config, config_digest, ranges, starts, tables, survey, closed
        )
        return self._main.run("recording a plan", lambda c: planning.plan(c, planned))

    def survey(self, batch_id: str) -> Survey | None:
        return self._main.read("reading a survey", lambda c: planning.read_survey(c, batch_id))

    def paces(self, pipeline: str) -> list[Pace]:
        return self._main.read("reading paces", lambda c: row_reading.read_paces(c, pipeline))

    def planned(self, pipeline: str) -> list[Batch]:
        return self._main.run("reading planned batches", lambda c: row_reading.read_planned(c, pipeline), snapshot=True)

    def unsettled(self, pipeline: str) -> list[str]:
        def work(connection: Connection) -> list[str]:
            return [r["table_name"] for r in connection.execute(queries("read")["unsettled"], {"pipeline": pipeline})]

        return self._main.read("reading tables", work)

    def claim(self, batch_id: str, attempt: str, run: str, stale_after_s: float) -> Batch:
        """See the port. Raises Fenced for an attempt that was replaced, while another one holds the batch."""
        return self._main.run("claiming a batch", lambda c: attempts.claim(c, batch_id, attempt, run, stale_after_s))

    def heartbeat(self, batch_id: str, attempt: str, progress: str = "") -> bool:
        return self._beats.run("a heartbeat", lambda c: attempts.heartbeat(c, batch_id, attempt, progress))

    def release(self, batch_id: str, attempt: str, outcome: str) -> None:
        """See the port. No effect for an attempt that no longer holds the batch."""
        self._main.run("releasing a batch", lambda c: attempts.release(c, batch_id, attempt, outcome))

    def end_earlier(self, batch_id: str, attempt: str, ends: Mapping[Source, int]) -> bool:
        return self._main.run("ending a batch earlier", lambda c: ending.end_earlier(c, batch_id, attempt, ends))

    def stage(self, batch_id: str, attempt: str, parts: Sequence[PartResult], closing: Closing | None = None) -> None:
        """See the port. Dead letters must come in the same call as the part of their target table.

        Raises Fenced while dead letters of that target from an older attempt are staged, which must be committed first,
        and BooksUnbalanced if the books do not add up.
        """
        staging.check(batch_id, parts)
        self._main.run("staging", lambda c: staging.stage(c, batch_id, attempt, parts, closing))

    def routed(self, pipeline: str, tables: Collection[str] | None = None) -> dict[str, str]:
        if tables is not None and not tables:
            return {}
        return self._main.read("reading routed tables", lambda c: routed_names.read_routed(c, pipeline, tables))

    def has_routed(self, pipeline: str) -> bool:
        return self._main.read("looking for routed tables", lambda c: routed_names.has_routed(c, pipeline))

    def has_other_unclosed(self, pipeline: str, batch_id: str) -> bool:
        return self._main.read("reading batches", lambda c: routed_names.has_other_unclosed(c, pipeline, batch_id))

    def routed_without_parts(self, pipeline: str) -> tuple[int, dict[str, str]]:
        return self._main.read("reading routed tables", lambda c: routed_names.routed_without_parts(c, pipeline))

    def retirements(self, pipeline: str) -> dict[str, RegisteredTable]:
        return self._main.read("reading retired tables", lambda c: routed_names.read_retirements(c, pipeline))

    def keep_routed(self, pipeline: str, tables: Mapping[str, str]) -> dict[str, str]:
        return self._main.run("recording routed tables", lambda c: routed_names.keep_routed(c, pipeline, tables))

    def listed(self, pipeline: str) -> list[str]:
        return self._main.read("reading tables of the file", lambda c: routed_names.read_listed(c, pipeline))

    def lately_routed(self, pipeline: str, most: int) -> list[str]:
        return self._main.read("reading routed tables", lambda c: routed_names.lately_routed(c, pipeline, most))

    def evidence(self, pipeline: str, table: str) -> RouteEvidence | None:
        """See the port. Raises WalUnusable during a recovery: parts that it gave up are no longer known to be open."""
        return self._main.run("reading evidence", lambda c: routed_names.evidence(c, pipeline, table), snapshot=True)

    def surveyed(self, pipeline: str, ends: Mapping[Source, int]) -> tuple[Survey, dict[Source, int]] | None:
        return self._main.run("reading a survey", lambda c: routed_names.surveyed(c, pipeline, ends), snapshot=True)

    def routed_progress(self, pipeline: str) -> RoutedProgress:
        """See the port. Raises WalUnusable during a recovery, as `evidence`."""
        return self._main.run(
            "reading how far batches are", lambda c: routed_names.routed_progress(c, pipeline), snapshot=True
        )

    def marked_s_ago(self, pipeline: str, table: str) -> float | None:
        return self._main.read("looking for a mark", lambda c: routed_names.marked_s_ago(c, pipeline, table))

    def routed_ranges(self, pipeline: str) -> list[RoutedRange]:
        """See the port. Raises WalUnusable during a recovery, as `evidence`."""
        return self._main.run("reading routed ranges", lambda c: routed_names.read_ranges(c, pipeline), snapshot=True)

    def staged(self, pipeline: str, table: str | None = None) -> list[StagedPart]:
        return self._main.run(
            "reading staged parts",
            lambda c: row_reading.read_staged(c, pipeline, None if table is None else [table]),
            snapshot=True,
        )

    def commit_views(self, pipeline: str, tables: Sequence[str]) -> dict[str, CommitView]:
        """See the port. Raises WalUnusable during a recovery, as `evidence`."""
        return self._main.run(
            "reading what to commit", lambda c: commit_views.read_commit_views(c, pipeline, tables), snapshot=True
        )

    def staged_tables(self, pipeline: str) -> dict[str, StagedTable]:
        def work(connection: Connection) -> dict[str, StagedTable]:
            rows = connection.execute(queries("read")["staged_tables"], {"pipeline": pipeline})
            return {row.pop("table_name"): StagedTable(**row) for row in rows}

        return self._main.read("reading staged tables", work)

    def committed(
        self, parts: Sequence[StagedPart], version_id: int | None, commit_id: str | None, ledger: Ledger
    ) -> None:
        """See the port. Idempotent: marking again only adds a version that was unknown."""
        if len({p.result.table for p in parts}) > 1:
            raise ValueError("parts of one table are marked together")
        if parts:
            self._main.run(
                "marking parts committed", lambda c: marking.committed(c, parts, version_id, commit_id, ledger)
            )

    def replan(self, part: StagedPart, reason: str) -> None:
        self._main.run("planning a part again", lambda c: marking.replan(c, part, reason))

    def plan_instead(
        self, pipeline: str, part: StagedPart, reason: str, ranges: Sequence[OffsetRange], redo: Redo
    ) -> None:
        self._main.run(
            "planning a part again", lambda c: reconcile.plan_instead(c, pipeline, part, reason, ranges, redo)
        )

    def reconfigure(
        self,
        batch_id: str,
        attempt: str,
        config: Mapping[str, object],
        config_digest: str,
        tables: Mapping[str, Sequence[str]],
    ) -> Batch | None:
        return self._main.run(
            "planning a batch with another configuration",
            lambda c: batch_closing.reconfigure(c, batch_id, attempt, config, config_digest, tables),
        )

    def replan_unwritten(self, batch_id: str, attempt: str, table: str, reason: str, redo: Redo) -> None:
        self._main.run(
            "planning a part again", lambda c: reconcile.replan_unwritten(c, batch_id, attempt, table, reason, redo)
        )


def _installation(connection: Connection) -> str:
    row = connection.execute(queries("read")["installation"]).fetchone()
    assert row is not None
    return str(row["installation_id"])
