"""decide: offsets that nobody will ever read are declared in the tables and recorded there, and the pipeline goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from lakelock.core import gaps as decisions
from lakelock.core.batch import LIVE, StreamState
from lakelock.core.coverage import Coverage, Kind
from lakelock.core.decisions import Decided, What, shown_range
from lakelock.core.follow import PartState
from lakelock.core.ledger import Ledger
from lakelock.core.offsets import FOREVER, OffsetRange, Source
from lakelock.errors import (
    BatchBusy,
    CommitConflict,
    DecisionRefused,
    LakelockError,
    LedgerDetached,
    Retryable,
    TableMissing,
)
from lakelock.ports import Broker, Change, Clock, TableState, Watermarks
from lakelock.steps.commit import send
from lakelock.steps.follow import Follower
from lakelock.steps.heartbeat import STALE_AFTER_S
from lakelock.steps.history import in_kafka

logger = logging.getLogger(__name__)

ATTEMPTS = 12
BUSY_PAUSE_S = 5.0


@dataclass(frozen=True, slots=True)
class Which:
    """What is decided, and about what; all topics and partitions where none is named."""

    what: What
    topic: str | None = None
    partition: int | None = None
    start: int | None = None
    end: int | None = None

    def takes(self, source: Source) -> bool:
        return self.topic in {None, source.topic} and self.partition in {None, source.partition}

    @property
    def fault(self) -> str | None:
        """Why this cannot be meant."""
        if (self.start is None) != (self.end is None):
            return "--from and --to go together"
        if self.start is not None and (self.topic is None or self.partition is None):
            return "--from and --to need --topic and --partition"
        if self.start is not None and self.end is not None and self.start >= self.end:
            return "--from must be before --to"
        return "--partition needs --topic" if self.partition is not None and self.topic is None else None

    @property
    def about(self) -> str:
        if self.topic is None:
            return "all topics"
        return self.topic if self.partition is None else f"{self.topic}-{self.partition}"


@dataclass(frozen=True, slots=True)
class TableGaps:
    """What one table will never get. *left_out* says why nothing is decided about it."""

    table: str
    gaps: tuple[tuple[OffsetRange, Kind], ...] = ()
    cut: int = 0
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class GapPlan:
    """What would happen. *gaps* is what frontiers move over, *moving* the frontiers that do."""

    which: Which
    gaps: tuple[OffsetRange, ...]
    moving: tuple[tuple[Source, int, int], ...]
    tables: tuple[TableGaps, ...]
    notes: tuple[str, ...] = ()

    @property
    def nothing(self) -> bool:
        return not self.moving and not any(t.gaps or t.cut for t in self.tables)

    @property
    def lines(self) -> list[str]:
        """What a person reads before approving."""
        if self.nothing:
            return [f"{self.which.what.value} {self.which.about}: nothing is left to decide", *self.notes]
        out = [f"{self.which.what.value} {self.which.about}", *self.notes]
        for t in self.tables:
            if t.left_out:
                out.append(f"{t.table}: left out: {t.left_out}")
                continue
            words = {Kind.ACCEPTED_LOSS: "is lost", Kind.RETIRED: "is not read any more"}
            out += [f"{t.table}: {shown_range(r)} {words[kind]}" for r, kind in t.gaps]
            if t.cut:
                out.append(
                    f"{t.table}: {t.cut} planned batches are given up; what they have beside it is planned again"
                )
        for source, before, after in self.moving:
            place = "is not read any more" if after == FOREVER else f"goes on at {after}"
            out.append(f"{source}: was read up to {before}, {place}")
        return out


@dataclass(frozen=True, slots=True)
class Decisions:
    """One pipeline. *adopt* gives a table that was planned for and never written to, made at need."""

    follower: Follower
    broker: Broker
    clock: Clock
    adopt: Callable[[str], TableState]
    pause: Callable[[float], None]

    def plan(self, which: Which) -> GapPlan:
        """Changes nothing. Raises DecisionRefused where tables or Kafka hold what would be declared."""
        streams = self.follower.log.streams(self.follower.pipeline.name, LIVE)
        gaps, notes = self._wanted(which, streams)
        tables = [self._table(which, name, gaps, streams) for name in self._names(which, streams)]
        if which.start is not None:
            self._refuse_held(which, gaps, tables)
        moving = []
        for s in streams:
            after = decisions.moved(s.next_offset, [(g.start, g.end) for g in gaps if g.source == s.source])
            if after != s.next_offset:
                moving.append((s.source, s.next_offset, after))
        return GapPlan(which, tuple(gaps), tuple(moving), tuple(tables), tuple(notes))

    def decide(self, which: Which, who: str, why: str) -> GapPlan:
        """One commit in each table that lacks something, then one transaction in the log; again it changes nothing."""
        planned = self.plan(which)
        if planned.nothing:
            return planned
        if all(t.left_out for t in planned.tables):
            raise DecisionRefused(
                f"{which.what.value} {which.about}: no table can be told now. Nothing was changed. "
                + " ".join(t.left_out for t in planned.tables)
            )
        log, pipeline = self.follower.log, self.follower.pipeline.name
        said = Decided(which.what, self.clock.now().replace(microsecond=0), who, why)
        with self._claimed(planned):
            tables, redo = {}, self.follower.redo()
            for t in planned.tables:
                if t.gaps or t.cut:
                    ledger = self._declare(which, t.table, planned.gaps, said)
                    tables[t.table] = (ledger, redo)
            log.declare(pipeline, tables, planned.gaps, f"{which.what.value} by {who}: {why}")
        return planned

    def _wanted(self, which: Which, streams: Sequence[StreamState]) -> tuple[list[OffsetRange], list[str]]:
        """What of each source is to be declared wherever a table lacks it, and what a person should know of it."""
        chosen = [s for s in streams if which.takes(s.source)]
        if not chosen:
            raise DecisionRefused(
                f"pipeline {self.follower.pipeline.name!r} has read nothing of {which.about}. Nothing was changed. Name a topic "
                "and partition that `lakelock status FILE` shows."
            )
        if which.what is What.ACCEPT_LOSS:
            return self._dropped(which, chosen), []
        if which.what is What.RETIRE:
            return [OffsetRange(s.source, 0, FOREVER) for s in chosen], self._unread(chosen)
        ids = {s.topic_id for s in in_kafka(self.broker, (s.source for s in chosen))}
        if not ids:
            raise DecisionRefused(
                f"topic {which.topic!r} does not exist, so there is no new one to go on with. Nothing was changed. Create it, or "
                f"run `lakelock retire FILE --topic {which.topic} --why TEXT`."
            )
        (topic_id,) = ids
        old = [s for s in chosen if s.source.topic_id != topic_id]
        if not old:
            raise DecisionRefused(
                f"topic {which.topic!r} is the one that was read before ({topic_id}). Nothing was changed; there is nothing to "
                "rebind."
            )
        return [OffsetRange(s.source, 0, FOREVER) for s in old], [
            f"goes on with the topic of id {topic_id} from its start, beside what is there of {old[0].source.topic_id}"
        ]

    def _spans(self, chosen: Sequence[StreamState]) -> Mapping[Source, Watermarks]:
        return self.broker.watermarks(
            sorted(in_kafka(self.broker, (s.source for s in chosen)).intersection(s.source for s in chosen))
        )

    def _dropped(self, which: Which, chosen: Sequence[StreamState]) -> list[OffsetRange]:
        """What Kafka no longer has of the sources, from the start or as far as *which* says."""
        spans = self._spans(chosen)
        lows = {s.source: spans[s.source].low_offset for s in chosen if s.source in spans and not s.retired}
        if which.start is None or which.end is None:
            return [OffsetRange(source, 0, low) for source, low in lows.items() if low > 0]
        (stream,) = [s for s in chosen if s.source in lows] or [chosen[0]]
        source = stream.source
        asked = OffsetRange(source, which.start, which.end)
        if source not in lows:
            raise DecisionRefused(
                f"{asked}: Kafka has no such partition of the topic that was read. Nothing was changed. Where the topic was "
                f"created again, run `lakelock rebind FILE --topic {source.topic} --why TEXT`, else `lakelock retire FILE "
                f"--topic {source.topic} --why TEXT`."
            )
        if which.end > lows[source]:
            held = OffsetRange(source, max(which.start, lows[source]), which.end)
            raise DecisionRefused(
                f"{asked}: {held} is not dropped: Kafka holds this partition from {lows[source]} on. Nothing was changed."
            )
        if which.start > stream.next_offset:
            first = OffsetRange(source, stream.next_offset, which.start)
            raise DecisionRefused(f"{asked}: {first} comes first and is gone, too. Nothing was changed.")
        return [asked]

    def _unread(self, chosen: Sequence[StreamState]) -> list[str]:
        """What Kafka has of sources that nobody will read."""
        notes = []
        for source, span in self._spans([s for s in chosen if not s.retired]).items():
            (stream,) = [s for s in chosen if s.source == source]
            start = max(stream.next_offset, span.low_offset)
            if start < span.end_offset:
                notes.append(f"Kafka still holds {OffsetRange(source, start, span.end_offset)}, which nobody will read")
        return notes

    def _names(self, which: Which, streams: Sequence[StreamState]) -> list[str]:
        """Tables that take the topics today, and those that left the file with something still to be written."""
        pipeline = self.follower.pipeline
        topics = {s.source.topic for s in streams if which.takes(s.source)}
        today = [t.name for t in pipeline.tables if any(pipeline.takes(t, topic) for topic in topics)]
        planned = [t for b in self.follower.log.planned(pipeline.name) for t in b.planned_tables]
        return list(dict.fromkeys([*today, *sorted(planned)]))

    def _table(
        self, which: Which, name: str, wanted: Sequence[OffsetRange], streams: Sequence[StreamState]
    ) -> TableGaps:
        try:
            return self._gaps(which, name, wanted, streams)[0]
        except Retryable:
            raise
        except LakelockError as fault:
            return TableGaps(name, left_out=str(fault))

    def _gaps(
        self, which: Which, name: str, wanted: Sequence[OffsetRange], streams: Sequence[StreamState]
    ) -> tuple[TableGaps, TableState | None]:
        """What the table lacks of *wanted* and nothing brings, and the table, where there is one."""
        log, pipeline = self.follower.log, self.follower.pipeline
        # Before the table: what is staged or marked meanwhile, it then shows.
        notes, starts = log.notes(pipeline.name, name), log.declared_starts(pipeline.name, name)
        state: TableState | None
        try:
            state, _ = self.follower.followed(name)
        except TableMissing:
            if name in log.bound(pipeline.name):
                raise
            state = None
        coverage = state.ledger.coverage if state and state.ledger else Coverage()
        on_its_way = [r for n in notes if n.state is not PartState.PLANNED for r in n.ranges]
        gaps = [g for r in wanted for g in decisions.unread(coverage, starts, on_its_way, r)]
        if not any(t.name == name for t in pipeline.tables):
            # It was not to get what came since.
            gaps = decisions.overlap(gaps, [r for n in notes if n.state is PartState.PLANNED for r in n.ranges])
        kind = Kind.RETIRED if which.what is What.RETIRE else Kind.ACCEPTED_LOSS
        kinds = decisions.kinds(gaps, kind, {s.source: s.next_offset for s in streams})
        after = decisions.declaring(coverage, kinds, starts, 0)
        return TableGaps(name, tuple(kinds), len(decisions.given_up(notes, after))), state

    def _refuse_held(self, which: Which, wanted: Sequence[OffsetRange], tables: Sequence[TableGaps]) -> None:
        """What was named to the offset is lost in some table, or was declared before; no other offset is in it."""
        lost = [r for t in tables for r, _ in t.gaps]
        for t in tables:
            if not t.left_out:
                _, state = self._gaps(which, t.table, (), ())
                lost += decisions.decided(state.ledger.coverage) if state and state.ledger else []
        if held := decisions.without(wanted, lost):
            raise DecisionRefused(
                f"{', '.join(map(str, wanted))}: {', '.join(map(str, held))} is in the tables, or staged to land there. Nothing "
                f"was changed. Leave out --from and --to to see what of {which.about} is lost."
            )

    def _declare(self, which: Which, table: str, wanted: Sequence[OffsetRange], said: Decided) -> Ledger:
        """The table's ledger once it has the gaps. What they are is looked at anew: batches may have landed meanwhile."""
        log, pipeline, commit_id = self.follower.log, self.follower.pipeline, self.follower.new_id()
        for attempt in range(ATTEMPTS):
            streams = log.streams(pipeline.name, LIVE)
            now, state = self._gaps(which, table, wanted, streams)
            if state is None or state.ledger is None:
                if state is not None and table in log.bound(pipeline.name):
                    raise LedgerDetached(
                        f"table {table} carries no ledger of pipeline {pipeline.name!r}: its property and tag were "
                        "removed. Nothing was changed. Put both back."
                    )
                self.adopt(table)
                continue
            if not now.gaps:
                return state.ledger
            starts = log.declared_starts(pipeline.name, table)
            after = replace(
                state.ledger,
                commit_id=commit_id,
                coverage=decisions.declaring(state.ledger.coverage, now.gaps, starts, state.ledger.generation),
                decisions=(*state.ledger.decisions, replace(said, ranges=tuple(r for r, _ in now.gaps))),
            )
            snapshot_id = send(self.follower.tables, state, Change(after, None), attempt, self.pause)
            if snapshot_id is not None:
                logger.info("%s: snapshot %s: %s", table, snapshot_id, after.decisions[-1].line)
                return after
        raise CommitConflict(
            f"table {table}: other writers moved it {ATTEMPTS} times in a row. It was not told; run the same again."
        )

    @contextmanager
    def _claimed(self, planned: GapPlan) -> Iterator[None]:
        """Batches that are to be cut are this one's meanwhile: what somebody reads just now is not given up."""
        log, pipeline, attempt = self.follower.log, self.follower.pipeline.name, self.follower.new_id()
        claimed = []
        try:
            for batch in log.planned(pipeline):
                if decisions.overlap([p.range for p in batch.ranges], planned.gaps):
                    self._claim(batch.batch_id, attempt)
                    claimed.append(batch.batch_id)
            yield
        finally:
            for batch_id in claimed:
                log.release(batch_id, attempt, planned.which.what.value)

    def _claim(self, batch_id: str, attempt: str) -> None:
        run = f"decide/{self.follower.pipeline.name}"
        for _ in range(ATTEMPTS):
            try:
                self.follower.log.claim(batch_id, attempt, run, STALE_AFTER_S)
                return
            except BatchBusy as fault:
                logger.info("%s", fault)
                self.pause(BUSY_PAUSE_S)
        self.follower.log.claim(batch_id, attempt, run, STALE_AFTER_S)
