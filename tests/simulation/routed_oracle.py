"""What must be true of a pipeline with routes, beside what the oracle asks of each table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from lakelock.model.batches import NO_TABLE
from lakelock.model.coverage import Coverage, Kind, SourceCoverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source, missing
from lakelock.model.registry import Registry
from lakelock.testing.catalog import Meta

from simulation import pipelines, routes
from simulation.pipelines import DEAD_LETTERS
from simulation.routes import Due

if TYPE_CHECKING:
    from simulation.world import World

D = DEAD_LETTERS[0]


def offsets_of(covered: SourceCoverage | None, *kinds: Kind) -> set[int]:
    return {o for i in (covered.intervals if covered else ()) if i.kind in kinds for o in range(i.start, i.end)}


def owed_of(covered: SourceCoverage | None) -> set[int]:
    """What a table says that it lacks."""
    return {o for a, b in ((*covered.owed, *covered.requested) if covered else ()) for o in range(a, b)}


def has_hole(covered: SourceCoverage) -> bool:
    """Whether rows come after offsets that the table neither has, nor waits for, nor owes."""
    known = [*((i.start, i.end) for i in covered.intervals), *covered.requested, *covered.owed]
    return any(missing(covered.start_offset, i.start, known) for i in covered.data if i.start > covered.start_offset)


class RoutedOracle:
    """Its answers are by the registry in the dead-letter table, as that is now."""

    def __init__(
        self,
        world: World,
        bad: Callable[[str], None],
        dead_lettered: Callable[[str, Source], set[int]],
        excused: Callable[[str, Source], set[int]],
        tagged: Callable[[Meta], Ledger | None],
    ) -> None:
        self.world, self.bad, self.tagged = world, bad, tagged
        self.dead_lettered, self.excused = dead_lettered, excused

    def is_routed(self, table: str) -> bool:
        return self.world.routed and table in routes.ROUTED and table not in self.world.static

    @property
    def ledger(self) -> Ledger | None:
        meta = self.world.catalog.tables.get(D)
        return self.tagged(meta) if meta else None

    @property
    def registry(self) -> Registry:
        ledger = self.ledger
        return (ledger.registry if ledger else None) or Registry()

    def due(self, source: Source, offset: int, registry: Registry | None = None) -> Due | None:
        """Where the record belongs; None if no configuration is registered for it."""
        registry = self.registry if registry is None else registry
        found = [c.digest for c in registry.configs if c.first_offsets.get(source, offset + 1) <= offset]
        found += [
            b.digest
            for b in registry.backfills
            if any(r.source == source and r.start <= offset < r.end for r in b.ranges)
        ]
        if not found:
            return None
        number = pipelines.rules_of(found[-1])
        raw_names = {name: t.raw_name for name, t in registry.tables.items()}
        record = self.world.kafka.records[source][offset]
        due = routes.due(number, record, source.topic, raw_names, self.world.static)
        one = OffsetRange(source, offset, offset + 1)
        retired = {name for name in due.tables & registry.tables.keys() if registry.tables[name].retirement.has([one])}
        # The log has it first: if it is lost then, what became a dead letter stays one.
        was_retired = due.tables & self.world.retired and offset in self.dead_lettered(NO_TABLE, source)
        return routes.expects(
            record, Due(dead=True) if retired or was_retired else due, self.world.tombstones == "skip"
        )

    def assigned(self, table: str, source: Source, registry: Registry | None = None) -> set[int]:
        """Offsets of dead letters without a table that are assigned to *table*."""
        ranges = (self.registry if registry is None else registry).assigned.get(table, ())
        return {o for r in ranges if r.source == source for o in range(r.start, r.end)}

    def _became_rows(self, ledger: Ledger, table: str, source: Source) -> set[int]:
        covered = ledger.coverage.get(source)
        return self.assigned(table, source) & {o for a, b in (covered.redriven if covered else ()) for o in range(a, b)}

    def is_given_up(self, table: str) -> bool:
        """Whether the table no longer gets what it lacks."""
        known, logged = self.registry.tables.get(table), self.world.log.retirements("p").get(table)
        return (known is not None and known.is_retired) or (logged is not None and logged.is_retired)

    def expected(self, table: str, source: Source, among: set[int]) -> set[int]:
        """Those *among* offsets whose records belong to the table."""
        out = set()
        for offset in among:
            due = self.due(source, offset)
            if due is not None and table in due.tables:
                out.add(offset)
        return out

    # After a commit of a routed table.

    def landed(self, meta: Meta, ledger: Ledger, there: dict[Source, set[int]]) -> None:
        """*there* are its rows by source."""
        known = self.registry.tables.get(meta.name)
        has_any = any(there.values()) or any(covered.intervals for covered in ledger.coverage.values())
        if has_any and (known is None or known.uuid != meta.uuid):
            self.bad(f"named: {meta.name} (UUID {meta.uuid}) got rows, and the registry has it as {known}")
        for source in {*there, *ledger.coverage}:
            rows = there.get(source, set()) - self._became_rows(ledger, meta.name, source)
            for offset in rows | self.dead_lettered(meta.name, source):
                due = self.due(source, offset)
                if due is None or meta.name not in due.tables:
                    self.bad(f"routed: {offset} of {source} is in {meta.name}, and belongs to {due}")
            if both := rows & self.dead_lettered(NO_TABLE, source):
                self.bad(f"once: {sorted(both)} of {source} are rows of {meta.name} and dead letters without a table")
        self.marked()

    # After a commit of the dead-letter table.

    def registered(self, old: Ledger | None, new: Ledger) -> None:
        before, after = ((one.registry if one else None) or Registry() for one in (old, new))
        for name, table in before.tables.items():
            now = after.tables.get(name)
            if now is None or now.raw_name != table.raw_name or (table.uuid is not None and now.uuid is None):
                self.bad(f"registry: {name} was {table}, and is {now}")
            if now is not None and table.uuid is not None and now.uuid != table.uuid and name not in self.world.rebound:
                self.bad(f"registry: {name} is another table, and no person asked for that: {table}, {now}")
        self._assigned_once(before, after)
        if old is not None and old.mark is not None:
            mark = new.mark or Coverage()
            for source, covered in old.mark.items():
                if lost := offsets_of(covered, Kind.DATA) - offsets_of(mark.get(source), Kind.DATA):
                    self.bad(f"mark: it had {sorted(lost)} of {source}")
                for offset in offsets_of(covered, Kind.DATA):
                    if self.due(source, offset, before) != self.due(source, offset, after):
                        self.bad(f"registry: {offset} of {source} was routed otherwise, and is marked")
        self._without_table()
        self.marked()

    def _assigned_once(self, before: Registry, after: Registry) -> None:
        for r in before.all_assigned:
            for offset in range(r.start, r.end):
                then, now = (
                    {name for name in of.assigned if offset in self.assigned(name, r.source, of)}
                    for of in (before, after)
                )
                if then != now:
                    self.bad(f"assigned: the dead letter {offset} of {r.source} was for {then}, and is for {now}")

    def _without_table(self) -> None:
        for source, records in self.world.kafka.records.items():
            for offset in self.dead_lettered(NO_TABLE, source):
                due = self.due(source, offset)
                if due is None or not due.dead:
                    self.bad(f"routed: {offset} of {source} ({records[offset]}) is a dead letter, and belongs to {due}")
                for name in filter(self.is_routed, routes.ROUTED):
                    meta = self.world.catalog.tables.get(name)
                    rows = self.world.catalog.live(meta) if meta else ()
                    if meta and (own := self.tagged(meta)) and offset in self._became_rows(own, name, source):
                        continue
                    if any(r and r[1:] == (source.topic, source.topic_id, source.partition, offset) for r in rows):
                        self.bad(f"once: {offset} of {source} is a dead letter without a table and a row of {name}")

    def marked(self) -> None:
        """The mark is true."""
        ledger = self.ledger
        for source, covered in (ledger.mark or {}).items() if ledger else ():
            if absent := self.absent(source, offsets_of(covered, Kind.DATA), ledger.behind if ledger else {}):
                self.bad(f"mark: it has {source}, and {absent}")

    def absent(self, source: Source, among: set[int], behind: Mapping[str, Sequence[OffsetRange]] | None = None) -> str:
        """What is not there of offsets that are said to be complete, except for what a table owes, or is *behind* with."""
        nowhere = self.dead_lettered(NO_TABLE, source) | self.excused(NO_TABLE, source)
        for offset in sorted(among):
            due = self.due(source, offset)
            if due is None:
                return f"{offset} has no configuration"
            if due.dead and offset not in nowhere:
                return f"{offset} is no dead letter"
            for name in due.tables:
                if name not in self.registry.tables:
                    return f"{name} of {offset} is not registered"
                named = any(r.source == source and r.start <= offset < r.end for r in (behind or {}).get(name, ()))
                if not named and (lacks := self._lacks(name, source, offset)):
                    return lacks
        return ""

    def _lacks(self, name: str, source: Source, offset: int) -> str:
        if self.is_given_up(name):
            return ""
        meta = self.world.catalog.tables.get(name)
        if meta is None or self.registry.tables[name].uuid != meta.uuid:
            return "" if name in self.world.dropped or name in self.world.rebound else f"{name} is not there"
        ledger = self.tagged(meta)
        if ledger is None and name in self.world.rebound:
            # It is named first, and says then what it owes.
            return ""
        covered = ledger.coverage.get(source) if ledger else None
        has = offsets_of(covered, *Kind) | owed_of(covered)
        return "" if offset in has else f"{name} lacks {offset}"

    def published(self, source: Source, offset: int) -> None:
        if self.world.starts_late and self.world.needs:
            # Until a person recovers, the log may begin elsewhere.
            return
        first = min(
            (c.first_offsets[source] for c in self.registry.configs if source in c.first_offsets), default=offset
        )
        if absent := self.absent(source, set(range(first if self.world.starts_late else 0, offset))):
            self.bad(f"group: {source} published at {offset}, and {absent}")
