"""Rebind a pipeline to another table with the name of one of its tables, and refill that from the start."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from lakelock.errors import DecisionRefused, State, TableMissing
from lakelock.gaps.rebind_preview import ApprovedRebind, RebindPlan
from lakelock.gaps.refill_decision import Refill, refill, refilling
from lakelock.gaps.registered_table import Registered, keep_topics, refuse_while_recovering
from lakelock.ingest.bind import refuse_twice
from lakelock.ingest.commit_loop import UNDONE, Done, Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.kafka_losses import in_kafka
from lakelock.model.batches import LIVE
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import Source, offsets_in
from lakelock.model.operator_log import Decided, What
from lakelock.model.registry import RegisteredTable
from lakelock.ports import Broker, Clock, TableState

logger = logging.getLogger(__name__)

# The UUID of a retired table that could not be created before.
NEVER_CREATED = "none, as it was never created"
UNKNOWN = "(unknown: a rebind has not finished)"


@dataclass(frozen=True, slots=True)
class Rebinding:
    """Rebinds tables of one pipeline. *create* creates a table as the pipeline file defines it."""

    context: PipelineContext
    broker: Broker
    clock: Clock
    create: Callable[[str], None]
    pause: Callable[[float], None]

    def preview(self, table: str, accept_loss: bool) -> RebindPlan:
        """Preview a rebind. Raises DecisionRefused for a table that cannot be rebound."""
        state = self._loaded(table)
        before = self._bound(table, state)
        if state is not None and state.uuid == before:
            self._refuse_retired(table)
            return RebindPlan(table, before, before, Refill((), ()), 0, accept_loss)
        if state is not None:
            self._refuse_unfit(state, before)
        refuse_while_recovering(self.context, table, ": it continues without this table. Then rebind it again.")
        notes = self.context.log.notes(self.context.pipeline.name, table)
        if state is not None and state.ledger is not None:
            refill = refilling(
                self._starts(table), self.context.log.streams(self.context.pipeline.name, LIVE), state.ledger
            )
            return RebindPlan(table, before, state.uuid, refill, len(notes), accepted=True, begun=True)
        return RebindPlan(
            table,
            before,
            state.uuid if state else None,
            self._refill(table, self._starts(table)),
            len(notes),
            accept_loss,
        )

    def rebind(
        self, table: str, accept_loss: bool, who: str, why: str, shown: ApprovedRebind | None = None
    ) -> RebindPlan:
        """Commit to the new table, then change the log in one transaction. Idempotent.

        Raises DecisionRefused, with nothing changed, if the rebind would exceed *shown*, the approved preview.
        """
        planned = self.preview(table, accept_loss)
        if planned.nothing:
            return planned
        if not planned.begun:
            self._refuse_unseen(table, shown or planned.shown, planned.now, planned.refill)
        if planned.refused:
            lost = "; ".join(map(planned.why_lost, planned.refill.lost))
            raise DecisionRefused(
                f"table {table}: {lost}, so the new table cannot have it.",
                State.NOTHING_CHANGED,
                "Restore the topic's data, or accept the loss in the same command (--accept-loss).",
            )
        if planned.now is None:
            self.create(table)
        pipeline = self.context.pipeline
        if (registered := self._registered(table)) is not None:
            # First, so that a log that is lost from now on does not have the old table's UUID again.
            registered.replaced_by(self.context, self.context.tables.load(table), self.pause)
        state, ledger = self._adopted(planned, who, why)
        if registered is not None or pipeline.is_routed(table):
            keep_topics(self.context, table, ledger.coverage)
        reason = f"rebind by {who}: {why}"
        # A table that was retired is none of the routed ones yet.
        redo = (
            self.context.redo() if registered is None else replace(self.context.redo(), takes=lambda name, topic: True)
        )
        again = self.context.log.rebind(pipeline.name, table, state.uuid, ledger, redo, reason)
        logger.info("%s: %s offsets are read again", table, offsets_in(again))
        return planned

    def _refuse_retired(self, table: str) -> None:
        """Raise DecisionRefused for a retired table that is still there: it lacks records of before, of which it says nothing."""
        if (retired := self._retired(table)) is not None:
            raise DecisionRefused(
                f"table {table} (UUID {retired.uuid}) is retired, and what it did not get before is not recorded in it.",
                State.NOTHING_CHANGED,
                "Drop it, or rename it in the catalog, and run the command again: a new table gets all records that Kafka holds.",
            )

    def _retired(self, table: str) -> RegisteredTable | None:
        known = self.context.log.retirements(self.context.pipeline.name).get(table)
        return known if known is not None and known.is_retired else None

    def _refuse_unseen(self, table: str, shown: ApprovedRebind, now: str | None, refill: Refill) -> None:
        if more := shown.beyond(now, refill):
            raise DecisionRefused(
                f"table {table}: the plan changed after you approved it: {', '.join(more)}.",
                State.NOTHING_CHANGED,
                "Review the new plan and approve it.",
            )

    def _bound(self, table: str, now: TableState | None) -> str:
        """The UUID to which the table is bound; *now* is the table that has the name."""
        pipeline = self.context.pipeline
        if self.context.is_dead_letter_table(table):
            log, known = self.context.log, self.context.log.bound(pipeline.name)
            raise DecisionRefused(
                f"table {table} holds dead letters that other tables depend on, so no new table can replace it.",
                State.NOTHING_CHANGED,
                f"{self.context.tables.way_back(table, known.get(table), log.staged_files(table), known)}.",
            )
        bound = self.context.log.bound_uuid(pipeline.name, table)
        registered = self._registered(table)
        if bound is None and registered is not None:
            is_begun = now is not None and registered.table.is_half_rebound(bound, now.ledger is not None)
            bound = UNKNOWN if is_begun else registered.table.uuid
        if bound is None and self._retired(table) is not None:
            return NEVER_CREATED
        if bound is None or (registered is None and not any(t.name == table for t in pipeline.tables)):
            why = "pipeline {!r} has never written to it" if bound is None else "it is no longer in the file of {!r}"
            raise DecisionRefused(
                f"table {table}: {why.format(pipeline.name)}, so there is nothing to rebind.", State.NOTHING_CHANGED
            )
        return bound

    def _refuse_unfit(self, state: TableState, before: str) -> None:
        """Raise if the table already holds records, which it would get twice."""
        table, tables = state.name, self.context.tables
        others = tables.others(state)
        refuse_twice(table, self._starts(table), others)
        if state.ledger is not None:
            if any(d.what is What.REBIND and d.about == _about(state.uuid, before) for d in state.ledger.decisions):
                return
            raise DecisionRefused(
                f"table {table} (UUID {state.uuid}) has a ledger of this pipeline, but the pipeline never wrote to it: it is "
                "a copy.",
                State.NOTHING_CHANGED,
                f"Drop its {state.marks.newest}, its {state.marks.owner} and its rows, or put the old table back.",
            )
        rows, has_offsets = self._rows(state)
        if rows is None:
            raise DecisionRefused(
                f"table {table} (UUID {state.uuid}): delete files hide some of its rows, so lakelock cannot determine "
                "whether it already holds records.",
                State.NOTHING_CHANGED,
                "Apply them first, as Spark's `rewrite_data_files` does; lakelock's `compact` does not.",
            )
        theirs = sum(h.totals.written for coverage in others.values() for h in coverage.values())
        if rows not in {0, theirs}:
            what = "rows with an offset, which" if has_offsets else "rows, any of which"
            beside = f" Other pipelines wrote {theirs} into it." if theirs else ""
            raise DecisionRefused(
                f"table {table} (UUID {state.uuid}) already holds {rows} {what} would be in it twice.{beside}",
                State.NOTHING_CHANGED,
                "Check whether it is a copy of the old table. Delete this pipeline's rows, move rows away that no "
                "other pipeline accounts for, then run the command again.",
            )

    def _rows(self, state: TableState) -> tuple[int | None, bool]:
        """Live rows that may be the pipeline's (None: unknown), and whether they have an offset."""
        names = self.context.pipeline.metadata_columns_by_key
        partition, offset = names.get("partition"), names.get("offset")
        if partition is not None and offset is not None and {partition, offset} <= {c.name for c in state.columns}:
            counted = self.context.tables.count_rows(state, (partition, offset), {})
            rows = None if counted is None else sum(c.rows for number, c in counted.items() if number is not None)
            return rows, True
        history = self.context.tables.history(state)
        return (history[0].rows if history else 0), False

    def _loaded(self, table: str) -> TableState | None:
        try:
            return self.context.tables.load(table)
        except TableMissing:
            return None

    def _registered(self, table: str) -> Registered | None:
        return Registered.find(self.context, table)

    def _starts(self, table: str) -> dict[Source, int]:
        """Declared starts for the topics that the table gets today; others are not read for it again."""
        if (registered := self._registered(table)) is not None:
            return registered.starts(self.context)
        pipeline = self.context.pipeline
        taken = pipeline.table(table)
        starts = self.context.log.declared_starts(pipeline.name, table)
        return {s: start for s, start in starts.items() if pipeline.takes(taken, s.topic)}

    def _refill(self, table: str, starts: Mapping[Source, int]) -> Refill:
        log, name = self.context.log, self.context.pipeline.name
        streams = log.streams(name, LIVE)
        spans = self.broker.watermarks(sorted(in_kafka(self.broker, starts).intersection(starts)))
        seen = log.ledgers(name)
        lows = {s: w.low_offset for s, w in spans.items()}
        registered = self._registered(table)
        backfilled = registered.registry.backfilled if registered is not None else ()
        return refill(starts, streams, lows, list(seen.values()), seen.get(table), backfilled)

    def _adopted(self, planned: RebindPlan, who: str, why: str) -> tuple[TableState, Ledger]:
        """The new table with its ledger, under a generation that no part of the old table has."""
        context, pipeline, table = self.context, self.context.pipeline, planned.table
        commit_id, said = context.new_id(), Decided(What.REBIND, self.clock.now().replace(microsecond=0), who, why)
        generation = context.log.generations(pipeline.name, [table]).get(table, 0) + 1

        def draft() -> Land[tuple[TableState, Ledger]] | Done[tuple[TableState, Ledger]]:
            state = context.tables.load(table)
            if state.ledger is not None:
                return Done((state, state.ledger))
            self._refuse_unfit(state, planned.before)
            starts = self._starts(table)
            now = self._refill(table, starts)
            # A table that was gone at the preview has been created since.
            self._refuse_unseen(table, planned.shown, planned.now and state.uuid, now)
            about, ranges = _about(state.uuid, planned.before), tuple(r for r, _ in now.gaps)
            decided = [replace(said, about=about, ranges=ranges)]
            if now.requested:
                decided.append(replace(said, what=What.BACKFILL, about=f"with {about}", ranges=now.requested))
            coverage = now.coverage(starts, generation)
            if (registered := self._registered(table)) is not None:
                # What it owes was read from the log before.
                registered.refuse_older_log(context)
                coverage = coverage.owing(registered.owed(context, list(now.again)))
            ledger = Ledger(
                context.log.installation_id(),
                pipeline.name,
                commit_id,
                generation,
                pipeline.digest,
                coverage,
                decisions=tuple(decided),
            )
            return Land(state, context.change(ledger, config=pipeline.resolved()), (state, ledger))

        return until_landed(context.tables, table, draft, self.pause, *UNDONE).result


def _about(now: str, before: str) -> str:
    return f"table UUID {now} for {before}"
