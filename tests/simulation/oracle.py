"""What must be true: looked at after every change of a table or of the log, by itself, with nothing of the product's."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import Any

from lakelock.model.batches import NO_TABLE, is_target
from lakelock.model.coverage import Kind, SourceCoverage
from lakelock.model.ledger import Ledger, Mode
from lakelock.model.offsets import OffsetRange, Source, missing, overlap, united, without
from lakelock.model.operator_log import What
from lakelock.testing.catalog import Meta
from lakelock.testing.table_reading import TAG, tag_in_ancestry

from simulation.pipelines import DEAD_LETTERS
from simulation.routed_oracle import RoutedOracle, has_hole, offsets_of
from simulation.world import Violation, World


def lost(covered: SourceCoverage, now: SourceCoverage) -> bool:
    """Whether *now* has less than was *covered*, though there was no rollback."""
    reported = [*((i.start, i.end) for i in now.intervals), *now.requested]
    return (
        any(missing(i.start, i.end, reported) for i in covered.intervals)
        or any(now.missing(i.start, i.end) for i in covered.data)
        or bool(redriven_of(covered) - redriven_of(now))
    )


def redriven_of(covered: SourceCoverage | None) -> set[int]:
    return {o for a, b in (covered.redriven if covered else ()) for o in range(a, b)}


def tagged(meta: Meta) -> Ledger | None:
    snap = meta.snapshots.get(meta.refs.get(TAG, -1))
    return snap.ledger if snap else None


class Oracle:
    """Raises Violation. `reached` is the furthest prefix a table ever had of a source."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.reached: dict[tuple[str, Source], int] = {}
        self.rolled_back: dict[str, int] = {}
        self.lost_dead_letters: dict[tuple[str, Source], set[int]] = {}
        # All that a table ever showed.
        self.shown: dict[str, set[str]] = {}
        # Files that have other rows of what was replaced in a table, by its name.
        self.stale: dict[str, set[str]] = {}
        self.routes = RoutedOracle(world, self.bad, self.dead_lettered, self.excused, tagged)
        self.newest_attempt: dict[str, str] = world.claims
        world.catalog.watch = self.table_changed
        world.happened = self.happened
        world.kafka.published = self.published

    def bad(self, what: str) -> None:
        raise Violation(what)

    # Tables.

    def table_changed(self, before: Meta, after: Meta) -> None:
        if after.head is before.head:
            return
        assert after.head is not None
        gone = [f for f in after.head.files if f in self.world.catalog.deleted]
        if gone:
            self.bad(f"safe files: {after.name} names {gone}, which are deleted")
        rows = [row for row in self.world.catalog.live(after) if row is not None]
        if len(set(rows)) < len(rows):
            twice = sorted({r for r in rows if rows.count(r) > 1})
            self.bad(f"once: {after.name} has {twice} twice")
        old, new = tagged(before), tagged(after)
        if new is None or new is old:
            return
        if after.refs.get(TAG) != after.refs.get("main"):
            self.bad(f"atomic: tag and branch of {after.name} differ after an own commit")
        self._ledgers(before, after, old, new)
        self._files(before, after, new)
        if after.name in DEAD_LETTERS:
            self._declared_lost(before, old, new)
            self._dead_letters(after, new, rows)
            if self.world.routed:
                self.routes.registered(old, new)
        else:
            self._rows(after, new, rows)

    def _ledgers(self, before: Meta, after: Meta, old: Ledger | None, new: Ledger) -> None:
        name = after.name
        if old is not None:
            if new.generation < old.generation:
                self.bad(f"monotone: {name} went from generation {old.generation} to {new.generation}")
            for source, covered in old.coverage.items():
                now = new.coverage.get(source)
                if now is None or now.start_offset != covered.start_offset:
                    self.bad(f"monotone: {name} forgot where {source} starts")
                assert now is not None
                same = new.generation == old.generation
                if same and lost(covered, now):
                    self.bad(f"monotone: {name} lost coverage of {source} without a rollback")
                may = offsets_of(covered, Kind.SKIPPED, *([Kind.DATA] if skips(old, new) else []))
                if extra := offsets_of(now, Kind.SKIPPED) - may:
                    self.bad(f"skip: {name} skips {sorted(extra)} of {source}, which no operator asked for")
            self._backfills(name, old, new)
            if new.generation > old.generation and new.rollback is not None:
                who = new.rollback.who
                self.rolled_back[who] = self.rolled_back.get(who, 0) + 1
                if who.startswith("approval") and self.rolled_back[who] > 1:
                    self.bad(f"approved once: {who} rolled {name} back twice")
        for source, covered in new.coverage.items():
            if is_target(source):
                continue
            # What was skipped stays so when the rows before it are taken out.
            if has_hole(covered) and not self._is_read_again(name, new):
                self.bad(f"prefix: {name} has a hole in {source}: {covered.intervals} from {covered.start_offset}")
            key = (name, source)
            self.reached[key] = max(self.reached.get(key, 0), covered.prefix_end)

    def _is_read_again(self, name: str, new: Ledger) -> bool:
        """Beyond the mark, a recovery reads all again, also what a routed table owed."""
        return self.routes.is_routed(name) and new.rollback is not None and new.rollback.why == "recover"

    def _backfills(self, name: str, old: Ledger, new: Ledger) -> None:
        """A rollback may leave out what a backfill loaded, and never what it still has to load."""
        loaded = [] if skips(old, new) else overlap(backfilled(old), old.coverage.data.ranges)
        if forgotten := without([*loaded, *old.coverage.requested], known_or_requested(new)):
            self.bad(f"asked: {name} has forgotten that a backfill must load {forgotten}")

    def _files(self, before: Meta, after: Meta, new: Ledger) -> None:
        assert after.head is not None
        self._replaced(before, after, new)
        self._columns(before, after)
        known = {f for s in before.snapshots.values() for f in s.files} if before.head else set()
        # A rollback shows what its target showed, which may have expired while it was under way.
        shown, old = self.shown.setdefault(after.name, set()), tagged(before)
        shown |= known
        if old is not None and new.generation > old.generation:
            known = shown
        for path in after.head.files:
            if path not in known and self.world.blessed.get(path, new.generation) < new.generation:
                self.bad(
                    f"fence: {path} of generation {self.world.blessed[path]} entered {after.name} at {new.generation}"
                )

    def _columns(self, before: Meta, after: Meta) -> None:
        """What lands can be read: the table has every column of the file, by its id."""
        assert after.head is not None
        old = before.snapshots[before.refs[TAG]].files if TAG in before.refs else ()
        shown = {f for s in before.snapshots.values() for f in s.files}
        for path in set(after.head.files) - set(old) - shown:
            hidden = self.world.extras_of.get(path, {}).items() - dict(after.extras).items()
            if hidden:
                self.bad(f"readable: {path} enters {after.name}, which does not have its columns {sorted(hidden)}")
        if back := before.dropped & dict(after.extras).keys():
            self.bad(f"dropped: a commit adds {sorted(back)} to {after.name} again")
        self.world.counts["columns added"] += len(after.extras) > len(before.extras)
        if taken := dict(before.extras).keys() - dict(after.extras).keys():
            self.bad(f"columns: a commit took {sorted(taken)} from {after.name}")

    def _replaced(self, before: Meta, after: Meta, new: Ledger) -> None:
        """What was replaced comes back as it was by a rollback that shows it, and by nothing else."""
        assert after.head is not None
        old, stale = tagged(before), self.stale.setdefault(after.name, set())
        here = set(after.head.files)
        if old is None or new.generation == old.generation:
            was = set(before.head.files) if before.head else set()
            if back := (here - was) & stale:
                self.bad(f"replaced: {after.name} gets {sorted(back)} again, whose rows were replaced")
        fresh = replaced(new) - (replaced(old) if old else set())
        again = {(source, offset) for _, source, offset in fresh}
        if not again:
            return
        for path, name in self.world.table_of.items():
            rows = self.world.catalog.rows[path] if name == after.name and path not in here else ()
            if any(r is not None and (Source(r[1], r[2], r[3]), r[4]) in again for r in rows):
                stale.add(path)

    def _declared_lost(self, before: Meta, old: Ledger | None, new: Ledger) -> None:
        """Dead letters that were there, and that a person declared lost."""
        for source, now in new.coverage.items():
            known = offsets_of(old.coverage.get(source) if old else None, Kind.ACCEPTED_LOSS)
            fresh = offsets_of(now, Kind.ACCEPTED_LOSS) - known
            if fresh and (old is None or not skips(old, new)):
                self.bad(
                    f"lost: dead letters {sorted(fresh)} of {source} are declared lost, which no operator asked for"
                )
        tag = before.snapshots.get(before.refs.get(TAG, -1))
        for row in self.world.catalog.shown(tag) if tag else ():
            if row is None:
                continue
            target, topic, topic_id, partition, offset = row
            named = Source(topic, f"{topic_id}>{target}", partition)
            if offset in offsets_of(new.coverage.get(named), Kind.ACCEPTED_LOSS):
                source = Source(topic, topic_id, partition)
                self.lost_dead_letters.setdefault((target, source), set()).add(offset)

    def _dead_letters(self, meta: Meta, ledger: Ledger, rows: list[Any]) -> None:
        for target, topic, topic_id, partition, offset in rows:
            covered = ledger.coverage.get(Source(topic, f"{topic_id}>{target}", partition))
            if offset not in offsets_of(covered, Kind.DATA):
                self.bad(f"books: {meta.name} has a dead letter of {target}, {topic}-{partition} {offset}, uncovered")

    def _rows(self, meta: Meta, ledger: Ledger, rows: list[Any]) -> None:
        there: dict[Source, set[int]] = {}
        for _, topic, topic_id, partition, offset in rows:
            there.setdefault(Source(topic, topic_id, partition), set()).add(offset)
        for source in {*there, *ledger.coverage}:
            data, found = offsets_of(ledger.coverage.get(source), Kind.DATA), there.get(source, set())
            if extra := found - data:
                self.bad(f"books: {meta.name} has rows {sorted(extra)} of {source} that its coverage does not have")
            dead_lettered = self.dead_lettered(meta.name, source)
            redriven = redriven_of(ledger.coverage.get(source))
            if both := (found & dead_lettered) - redriven:
                self.bad(f"once: {sorted(both)} of {source} are rows of {meta.name} and dead letters")
            if gone := redriven - found:
                self.bad(f"redriven: {meta.name} lacks rows {sorted(gone)} of {source}, which it reports as redriven")
            had_none = self.routes.assigned(meta.name, source) & self.dead_lettered(NO_TABLE, source)
            if untold := redriven - dead_lettered - self.excused(meta.name, source) - had_none:
                self.bad(
                    f"redriven: {sorted(untold)} of {source} are rows of {meta.name}, and no dead letters any more"
                )
            records = self.world.kafka.records[source]
            expected = {o for o in data if self.world.expects(records[o])}
            if self.routes.is_routed(meta.name):
                expected = self.routes.expected(meta.name, source, expected)
            lost = expected - found - dead_lettered - self.excused(meta.name, source)
            if surplus := (found | dead_lettered) - {o for o, r in enumerate(records) if self.world.expects(r)}:
                self.bad(f"once: {meta.name} has {sorted(surplus)} of {source}, which are filtered or no records")
            if lost:
                self.bad(
                    f"once: {meta.name} covers {sorted(lost)} of {source}, which are neither rows nor dead letters"
                )

        if self.routes.is_routed(meta.name):
            self.routes.landed(meta, ledger, there)

    def dead_lettered(self, table: str, source: Source, within: Collection[str] = DEAD_LETTERS) -> set[int]:
        out = set()
        for name in within:
            meta = self.world.catalog.tables.get(name)
            for row in self.world.catalog.live(meta) if meta else ():
                if (
                    row is not None
                    and row[0] == table
                    and row[1:4] == (source.topic, source.topic_id, source.partition)
                ):
                    out.add(row[4])
        return out

    def excused(self, table: str, source: Source) -> set[int]:
        """Dead letters that were declared lost, or are in a table that was set back by hand and that waits for a person."""
        named = Source(source.topic, f"{source.topic_id}>{table}", source.partition)
        out = set(self.lost_dead_letters.get((table, source), ()))
        for name in DEAD_LETTERS:
            meta = self.world.catalog.tables.get(name)
            ledger = tagged(meta) if meta else None
            if meta is None or ledger is None:
                continue
            if tag_in_ancestry(meta) is not True:
                out |= offsets_of(ledger.coverage.get(named), Kind.DATA)
        return out

    # The log and Kafka.

    def happened(self, name: str, args: tuple[Any, ...]) -> None:
        if name == "claim":
            self.newest_attempt[args[0]] = args[1]
        elif name == "stage":
            self._staged(*args)
        elif name == "committed":
            self._marked(*args)
        elif name == "replan":
            self.world.counts["dead letters replanned"] += bool(args[0].result.target)
        elif name in ("plan", "follow", "rebuild", "fill", "plan_instead", "replan_unwritten"):
            self._no_overlap()

    def _staged(self, batch_id: str, attempt: str, parts: object, closing: object = None) -> None:
        state, now = self.world.log.state, self.world.now
        no = state.batch_nos[batch_id]
        mine = [p for p in state.parts.values() if p.no == no and p.attempt == attempt and p.staged_at == now]
        newest = self.newest_attempt.get(batch_id)
        if mine and newest not in (None, attempt):
            self.bad(f"fence: {attempt} staged batch {batch_id} after {newest} had claimed it")

    def _marked(self, parts: Any, snapshot_id: object, commit_id: object, ledger: object) -> None:
        for part in parts:
            meta = self.world.catalog.tables.get(part.result.table)
            there = tagged(meta) if meta else None
            if there is None or there.generation > part.result.identity.generation:
                continue
            if not all(there.coverage.contains(r) for r in part.ranges):
                self.bad(f"truth: batch {part.batch_id} of {part.result.table} is marked, and is not in the table")

    def _no_overlap(self) -> None:
        spans: dict[int, list[tuple[int, int]]] = {}
        for rows in self.world.log.state.ranges.values():
            for r in rows:
                if r.open:
                    spans.setdefault(r.stream_id, []).append((r.range.start, r.range.end))
        for stream_id, found in spans.items():
            found.sort()
            if any(a[1] > b[0] for a, b in pairwise(found)):
                self.bad(f"no overlap: {self.world.log.state.streams[stream_id]}: {found}")

    def published(self, offsets: Any) -> None:
        for source, offset in offsets.items():
            if self.world.routed:
                self.routes.published(source, offset)
                continue
            reached = [n for (_, s), n in self.reached.items() if s == source]
            if reached and offset > max(reached):
                self.bad(f"group: {source} published at {offset}, no table ever got further than {max(reached)}")


def skips(old: Ledger, new: Ledger) -> bool:
    return new.rollback is not None and new.rollback.mode is Mode.SKIP and new.generation != old.generation


def backfilled(ledger: Ledger) -> list[OffsetRange]:
    return united(r for d in ledger.decisions if d.what is What.BACKFILL for r in d.ranges)


def replaced(ledger: Ledger) -> set[tuple[object, Source, int]]:
    """By which decision what was replaced last."""
    said = [d for d in ledger.decisions if d.what is What.REPLACE]
    return {((d.who, d.why, d.at), r.source, o) for d in said for r in d.ranges for o in range(r.start, r.end)}


def known_or_requested(ledger: Ledger) -> list[OffsetRange]:
    """All but what was declared away by a rollback."""
    away = [r for r, kind in ledger.coverage.gaps if kind is Kind.SKIPPED]
    return [*without(ledger.coverage.ranges, away), *ledger.coverage.requested]


def _routed_low(world: World, source: Source) -> int:
    """Up to where the mark says that all is complete, no table owes anything, and none is behind."""
    ledgers = [ledger for meta in world.catalog.tables.values() if (ledger := tagged(meta)) is not None]
    marks = [ledger.mark[source].prefix_end for ledger in ledgers if ledger.mark and source in ledger.mark]
    owed = [r.start for ledger in ledgers for r in ledger.coverage.owed if r.source == source]
    # Until they are back, which the next mark says.
    behind = [r.start for ledger in ledgers for some in ledger.behind.values() for r in some if r.source == source]
    requested = [*(r for ledger in ledgers for r in (*ledger.coverage.requested, *ledger.backfills_left))]
    return min([*(marks or [0]), *owed, *behind, *(r.start for r in requested if r.source == source)])


def safe_low(world: World) -> dict[Source, int]:
    """How far retention may go without taking what a table of the file still lacks."""
    out = {}
    for source in world.kafka.records:
        reached = []
        if world.routed:
            reached.append(_routed_low(world, source))
        for table in world.pipeline.tables:
            if world.pipeline.takes(table, source.topic):
                meta = world.catalog.tables.get(table.name)
                ledger = tagged(meta) if meta else None
                covered = ledger.coverage.get(source) if ledger else None
                reached.append(min([covered.prefix_end, *(a for a, _ in covered.requested)]) if covered else 0)
        out[source] = min(reached, default=0)
    return out
