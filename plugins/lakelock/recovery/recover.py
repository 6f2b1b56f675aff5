"""Recover a pipeline: make one state of an unfinished or inconsistent one, from the tables' own ledgers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from lakelock.errors import RecoveryRefused, State
from lakelock.ingest.commit_loop import Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.kafka_losses import lost
from lakelock.ingest.outcome import listed
from lakelock.model.batches import LIVE
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Mode
from lakelock.model.log_state import PartState, Rebuilt, Stand
from lakelock.model.offsets import OffsetRange, overlap, united
from lakelock.ports import Broker, Tables, TableState
from lakelock.ports.edits import Restore
from lakelock.recovery.adoption import Adoption
from lakelock.recovery.examination import Examiner
from lakelock.recovery.findings import Finding, Losses, in_words, left_alone, losing, of_rebuild, unheard_of
from lakelock.recovery.first_ledgers import give_ledgers
from lakelock.recovery.loss_preview import LossPreview
from lakelock.recovery.rebuild_decision import dead_letters_of, rebuild_reason, rebuilt
from lakelock.recovery.several_tables import for_each_table
from lakelock.recovery.tail_decision import Routes

ROUTED = "the routed tables"
UNDONE = (State.DONE_KEPT, "Run recover again.")


@dataclass(frozen=True, slots=True)
class Recovery:
    """Recovers one pipeline; *mode* decides about rows that were removed from a table by hand.

    *announced*: Postgres was restored to an earlier moment, which the log cannot notice by itself. *take_over*: the
    log that the tables belong to is lost, and this one takes its place. *tables_of* returns the tables as an
    installation sees them. *accept_loss*: records in files that only the log knows may be given up even if Kafka no
    longer has them. *at_once* so many tables are examined and fenced.
    """

    context: PipelineContext
    broker: Broker
    tables_of: Callable[[str], Tables]
    pause: Callable[[float], None]
    announced: bool = False
    take_over: bool = False
    mode: Mode = Mode.RECOMMIT
    who: str = ""
    accept_loss: bool = False
    at_once: int = 1

    def preview(self) -> list[Finding]:
        """Report the findings and change nothing. Raises Retryable if a server does not answer."""
        return self._reported(self._preview())

    def recover(self, shown: Collection[str] | None = None) -> list[Finding]:
        """Carry out the findings of `preview` and return them; those that are *left* stay as they are.

        Raises RecoveryRefused, with nothing changed, if the log would be rebuilt without a table of the file, if
        records that only the log has would be lost, or if a finding asks for more than *shown*, the approved ones.
        """
        preview, token = self._preview(), self.context.new_id()
        found = self._reported(preview)
        if shown is not None and (more := [f.line for f in found if f.approval and f.approval not in shown]):
            raise RecoveryRefused(
                f"pipeline {self.context.pipeline.name!r}: the plan changed after you approved it:\n"
                + "\n".join(more)
                + "\n",
                State.NOTHING_CHANGED,
                "Review the new plan and approve it.",
            )
        if preview.reason:
            preview.refuse_in_part(self.context.pipeline)
            if not self.accept_loss:
                preview.refuse_loss(self.context.pipeline.name)
            # Before the fence, so that a run of the new generation finds nothing that it could write or commit.
            self.context.log.give_up(
                self.context.pipeline.name,
                self.who,
                token,
                preview.after,
                lambda notes: preview.refuse_unseen(self.context.pipeline.name, notes),
            )
        # The dead-letter table first: what other tables owe is compared with its mark, which moves until it is fenced.
        letters, others = preview.due(self.context.dead_letter_tables)
        for name in letters:
            self._adopt([name], preview)
        self._adopt(others, preview)
        if preview.reason:
            # Until the dead-letter table was fenced, a run could register more of them.
            bound, examined = self.context.log.bound(self.context.pipeline.name), preview.examined
            added = self._examiner.look_at(sorted(examined.registry.tables), bound, examined)
            mark = self._adoption(preview).mark or Coverage()
            new = give_ledgers(self.context, examined, mark, self.pause, self.at_once)
            added += self._examiner.look_at(new, {n: u for n, u in bound.items() if n not in new}, examined)
            self._adopt(added, preview)
            redo = replace(
                self.context.redo_with(dead_letters_of(preview.stands)), takes=self._takes, registry=examined.registry
            )
            self.context.log.rebuild(self.context.pipeline.name, preview.stands, redo, token)
        else:
            for_each_table(list(preview.states), self._fill, self.at_once)
        return found

    def _preview(self) -> LossPreview:
        log, name = self.context.log, self.context.pipeline.name
        after = log.last_recovery(name)
        # The log has a retirement first: until the dead-letter table has it, too, the table is looked at, and left alone.
        retired = {n: t.uuid for n, t in log.retirements(name).items() if t.is_retired and t.uuid is not None}
        bound = {**log.bound(name), **retired}
        examined = self._examiner.examine(bound)
        preview = LossPreview(examined, None, Losses(self.broker, {}), after=after)
        # Read after the tables, as the frontiers are: a run may bind a table and write to it meanwhile.
        bound |= log.bound(name)
        frontiers = {s.source: s.next_offset for s in log.streams(name, LIVE)}
        if reason := rebuild_reason(
            preview.stands,
            frontiers,
            bound,
            log.installation_id(),
            restored=self.announced,
            began_by=log.recovering(name),
        ):
            return self._rebuilding(replace(preview, reason=reason), bound)
        preview = replace(preview, examined=examined.without(retired))
        preview.found.extend(preview.examined.half_rebound(bound))
        self._keep_back(preview)
        return preview

    def _rebuilding(self, preview: LossPreview, bound: Collection[str]) -> LossPreview:
        """*preview* with the losses of a rebuild."""
        log, pipeline, examined = self.context.log, self.context.pipeline, preview.examined
        adoption = self._adoption(preview)
        losses = Losses(
            self.broker,
            {n: (s.ledger, adoption.after(s, "")) for n, s in preview.states.items() if s.ledger is not None},
        )
        notes = {name: log.notes(pipeline.name, name) for name in bound}
        files = losses.of(notes)
        # Their files were given up already, and no table can be bound to their names before the log is rebuilt.
        without = (
            set(examined.away) & {t.name for t in pipeline.tables}
            if log.recovering(pipeline.name) is not None
            else set()
        )
        staged = {name for name, of_table in notes.items() if any(n.state is PartState.STAGED for n in of_table)}
        found = of_rebuild(preview.found, without, staged)
        lost = (*losses.findings(files), *unheard_of(pipeline, self.context.tables, preview.stands, examined.unknown))
        return replace(preview, examined=replace(examined, found=found), losses=losses, files=files, lost=lost)

    def _keep_back(self, preview: LossPreview) -> None:
        """Leave tables alone that were set back by hand if the removed rows would be lost for good."""
        generations = self.context.log.generations(self.context.pipeline.name)
        for name, state in list(preview.states.items()):
            if not state.detached or state.ledger is None or state.ledger.holds_dead_letters:
                continue
            after = self._adoption(preview).after(state, "")
            known = generations.get(name, 0)
            _, reread = self.context.foreseen(state, state.ledger.coverage, after, known, with_files=True)
            gone = lost(self.broker, reread)
            if not gone:
                continue
            what = f"another tool rolled it back, which removes {in_words(gone)}"
            if self.accept_loss:
                then = "adopts the rollback anyway; declare the records with accept-loss afterwards"
                approval = f"{name} {state.uuid} at {state.head_id} {losing(gone)}"
                preview.found.append(Finding(name, what, then, approval=approval))
                continue
            then = (
                "is not changed: undo the rollback, leave the removed records out (--mode skip), or continue without "
                "them (--accept-loss)"
            )
            preview.found.append(Finding(name, what, then, left=True))
            del preview.states[name]

    def _reported(self, preview: LossPreview) -> list[Finding]:
        """All findings, those of tables and of a rebuild included."""
        found = list(preview.found)
        for state in preview.states.values():
            if state.detached and state.ledger is not None:
                found.append(self._adoption(preview).finding(state, state.ledger))
        if preview.reason:
            then = "fences everything in flight and rebuilds the log from the tables"
            found.append(Finding("the log", preview.reason, then, approval="rebuild the log"))
            found += [replace(f, left=not self.accept_loss) for f in preview.lost]
            stands = [replace(s, ledger=preview.losses.ledgers[s.table][1]) for s in preview.stands]
            after = self._rebuilt(stands)
            found += [f for name, ranges in after.redo.items() for f in self._gone(name, ranges)]
            if tail := united(r for b in after.tail for r in b.ranges):
                what = f"{listed(tail)} may be missing from some of them"
                found.append(Finding(ROUTED, what, "reads it again for all of them, as it was routed before"))
                found += self._gone(ROUTED, tail)
            if after.nowhere:
                what = f"{listed(after.nowhere)} is in no table, and the pipeline file assigns it to no table that lacks it"
                found.append(left_alone("its topics", what))
            return found
        log, pipeline = self.context.log, self.context.pipeline
        generations = log.generations(pipeline.name)
        for name, state in preview.states.items():
            ledger = state.ledger
            if ledger is None:
                continue
            if not state.detached and ledger.generation > generations.get(name, 0):
                found.append(Finding(name, "the log does not know about its last rollback", "updates the log"))
            elif not state.detached and (missing := log.lacking(pipeline.name, name, ledger, pipeline.feeds)):
                what = f"{listed(missing)} is neither in the table nor on its way"
                requested = overlap(missing, ledger.coverage.requested)
                then = f"; the next run of a backfill reads {listed(requested)} of it" if requested else ""
                found += [Finding(name, what, f"plans to read it again{then}"), *self._gone(name, missing)]
        return found

    def _rebuilt(self, stands: Sequence[Stand]) -> Rebuilt:
        return rebuilt(stands, self._takes, self.context.pipeline.batch.max_records)

    def _takes(self, table: str, topic: str) -> bool:
        """Whether *table* gets the topic by the file. A routed table that is not registered has had no record yet."""
        return not self.context.pipeline.is_routed(table) and self.context.pipeline.feeds(table, topic)

    def _gone(self, name: str, ranges: Sequence[OffsetRange]) -> list[Finding]:
        return [
            left_alone(name, f"{g.wanted} must be read again, but Kafka {g.now}") for g in lost(self.broker, ranges)
        ]

    def _adoption(self, preview: LossPreview) -> Adoption:
        mark = Routes.of(preview.stands).mark if preview.reason else None
        registry = preview.examined.registry
        return Adoption(self.context, self.mode, self.who, registry.tables.keys(), mark, registry.backfilled)

    @property
    def _examiner(self) -> Examiner:
        adoption = Adoption(self.context, self.mode, self.who)
        return Examiner(self.context, self.tables_of, adoption, self.take_over, self.at_once)

    def _adopt(self, names: Sequence[str], preview: LossPreview) -> None:
        adoption, states = self._adoption(preview), preview.states
        states.update(for_each_table(names, lambda name: self._adopted(states[name], adoption), self.at_once))

    def _adopted(self, state: TableState, adoption: Adoption) -> TableState:
        """Commit a new generation without files under this log, so that nothing in flight can land after it.

        If the table was rolled back by hand, its ledger records the removed ranges; else its coverage stays.
        """
        name, tables, commit_id, loaded = state.name, self.context.tables, self.context.new_id(), [state]

        def draft() -> Land[None]:
            now = loaded.pop() if loaded else self._examiner.loaded(name)[0]
            was_moved = now.detached and now.head_id != state.head_id
            if now.detached != state.detached or was_moved:
                raise RecoveryRefused(
                    f"table {name}: another tool changed the table during the recovery.",
                    *UNDONE,
                )
            after = adoption.after(now, commit_id)
            self.context.log.await_generation(self.context.pipeline.name, name, after.generation)
            onto = now.ledger_version if adoption.puts_back(now) else None
            return Land(now, self.context.change(after, None if onto is None else Restore(onto.id)), None)

        until_landed(tables, name, draft, self.pause, *UNDONE, read=lambda: self._examiner.loaded(name)[0])
        return tables.load(name)

    def _fill(self, name: str) -> None:
        """Plan ranges that are neither in the table nor on their way to it."""
        state, _ = self.context.followed(name)
        pipeline, log = self.context.pipeline.name, self.context.log
        ledger = state.ledger
        if ledger is None:
            return
        if log.lacking(pipeline, name, ledger, self.context.pipeline.feeds):
            log.fill(pipeline, name, ledger, self.context.redo())
