"""What the dead-letter table's ledger names of a pipeline with routes: its routed tables, and the configurations that route.

Both are recorded before anything that needs them is staged. A recovery then knows every table, and how each offset was routed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from lakelock.model.offsets import OffsetRange, Source, overlap, united, without
from lakelock.model.retirement import NEVER, Retirement


class RegisteredTable(NamedTuple):
    """A routed table; *uuid* is None if it could not be created yet. *raw_name* is its name before corrections.

    Records of offsets of its *retirement* are not for it. A *refilled* one has taken the place of another: until its ledger says
    what it has, it lacks all that the mark covers.
    """

    raw_name: str
    uuid: str | None = None
    retirement: Retirement = NEVER
    refilled: bool = False

    @property
    def is_retired(self) -> bool:
        return self.retirement.lasting

    def is_half_rebound(self, bound: str | None, has_ledger: bool) -> bool:
        """Whether the rebind that registered it has not finished: the log is *bound* to another table, or to none."""
        return self.refilled and not has_ledger and bound != self.uuid


@dataclass(frozen=True, slots=True)
class RegisteredConfig:
    """A configuration that routes records from *first_offsets* on, up to those of the next configuration of the source."""

    digest: str
    config: Mapping[str, object]
    first_offsets: Mapping[Source, int]


class PlannedConfig(NamedTuple):
    """The configuration under which *ranges* were planned."""

    digest: str
    config: Mapping[str, object]
    ranges: Sequence[OffsetRange]


class ConfiguredRange(NamedTuple):
    range: OffsetRange
    digest: str
    config: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Registry:
    """*configs* are in order of registration; of one source, first offsets grow.

    *assigned* are the offsets of dead letters without a table that an operator has assigned to tables, by table. A dead letter is
    assigned once, to all of its tables together: so it can never become a row of others.

    *backfills* are requested ranges before all first offsets, each with its configuration; they stay when they are complete.
    """

    tables: Mapping[str, RegisteredTable] = field(default_factory=dict)
    configs: tuple[RegisteredConfig, ...] = ()
    assigned: Mapping[str, tuple[OffsetRange, ...]] = field(default_factory=dict)
    backfills: tuple[PlannedConfig, ...] = ()

    @property
    def retired(self) -> frozenset[str]:
        """Tables that are retired now."""
        return frozenset(name for name, t in self.tables.items() if t.is_retired)

    def retirements(self, logged: Mapping[str, RegisteredTable]) -> dict[str, RegisteredTable]:
        """Tables that are or were retired by this or by the log, which has *logged* ones.

        The log has a retirement first, and a rebind ends it here first.
        """
        # Nearly all have this one object.
        out = {n: t for n, t in self.tables.items() if t.retirement is not NEVER and t.retirement != NEVER}
        for name, t in logged.items():
            out[name] = t._replace(retirement=out.get(name, t).retirement.joined(t.retirement))
        return out

    def retired_at(self, r: OffsetRange) -> frozenset[str]:
        """Tables that get no records of *r*, which lies between two `retirement_edges`."""
        return frozenset(name for name, t in self.tables.items() if t.retirement.has([r]))

    def retirement_edges(self, source: Source) -> set[int]:
        return {offset for t in self.tables.values() for offset in t.retirement.edges(source)}

    def pieces(self, r: OffsetRange) -> list[ConfiguredRange]:
        """*r*, cut where the registered configuration changes, in order; what lies before all configurations is left out."""
        of_source = [(c.first_offsets[r.source], c) for c in self.configs if r.source in c.first_offsets]
        ends = [*(first for first, _ in of_source[1:]), r.end]
        backfilled = [ConfiguredRange(o, b.digest, b.config) for b in self.backfills for o in overlap([r], b.ranges)]
        return sorted(backfilled) + [
            ConfiguredRange(OffsetRange(r.source, max(first, r.start), min(end, r.end)), c.digest, c.config)
            for (first, c), end in zip(of_source, ends, strict=False)
            if max(first, r.start) < min(end, r.end)
        ]

    @property
    def backfilled(self) -> list[OffsetRange]:
        """All ranges that backfills of all tables have requested, complete or not."""
        return united(r for b in self.backfills for r in b.ranges)

    def backfilling(self, asked: PlannedConfig) -> Registry:
        """With a requested backfill. Raises ValueError if a part of it was requested before."""
        if overlap(asked.ranges, self.backfilled):
            raise ValueError("a range is backfilled once")
        return replace(self, backfills=_by_config([*self.backfills, asked]))

    def config_of(self, r: OffsetRange) -> str | None:
        """Digest of the configuration that is registered for all of *r*; None if there are several, or none for a part of it."""
        pieces = self.pieces(r)
        found = {p.digest for p in pieces}
        return found.pop() if len(found) == 1 and pieces[0].range.start == r.start else None

    def with_tables(self, tables: Mapping[str, RegisteredTable]) -> Registry:
        """With *tables*; one that is known with a UUID stays as it is (`rebound` replaces it)."""
        new = {
            name: self.tables[name]._replace(uuid=t.uuid) if name in self.tables else t
            for name, t in tables.items()
            if name not in self.tables or (self.tables[name].uuid is None and t.uuid is not None)
        }
        return replace(self, tables={**self.tables, **new}) if new else self

    def joined(self, others: Iterable[Registry]) -> Registry:
        """With what earlier dead-letter tables name: their tables, and the configurations of the one that was registered to last.

        First offsets grow with time, so that one has the furthest.
        """
        every = [self, *others]
        if len(every) == 1:
            return self
        tables: dict[str, RegisteredTable] = {}
        newest = max(every, key=_furthest)
        for one in (*(o for o in reversed(every) if o is not newest), newest):
            tables |= {
                n: t for n, t in one.tables.items() if n not in tables or t.uuid is not None or t.retirement != NEVER
            }
        assigned = united_by_table(one.assigned for one in every)
        return Registry(tables, newest.configs, assigned, _by_config(b for one in every for b in one.backfills))

    def assigning(self, ranges: Mapping[str, Sequence[OffsetRange]]) -> Registry:
        """With dead letters assigned to tables. Raises ValueError if one of them is assigned already."""
        if overlap(united(r for of in ranges.values() for r in of), self.all_assigned):
            raise ValueError("dead letters are assigned once")
        return replace(self, assigned=united_by_table([self.assigned, ranges]))

    @property
    def all_assigned(self) -> list[OffsetRange]:
        return united(r for of_table in self.assigned.values() for r in of_table)

    def rebound(self, table: str, uuid: str, frontiers: Mapping[Source, int]) -> Registry:
        """With another table under a known name. If the name was retired, the table gets what is planned from *frontiers* on."""
        known = self.tables[table]
        return self._with(table, known._replace(uuid=uuid, retirement=known.retirement.ended(frontiers), refilled=True))

    def retiring(self, table: str, retirement: Retirement) -> Registry:
        known = self.tables[table]
        return self._with(table, known._replace(retirement=known.retirement.joined(retirement)))

    def _with(self, table: str, known: RegisteredTable) -> Registry:
        return replace(self, tables={**self.tables, table: known})

    def with_configs(self, planned: Sequence[PlannedConfig]) -> Registry:
        """With those of *planned*: the batch of an attempt, and before it all live batches that were planned earlier.

        A registration that left out an earlier batch would be undone when that batch registers. What is registered from within a
        range on stays: a batch that ended earlier gave back the rest, and an older attempt at it does not know that.
        """
        out, backfilled = self, self.backfilled
        for one in planned:
            for r in without(sorted(one.ranges), backfilled):
                first = next(iter(out.pieces(r)), None)
                if first is None or (first.range.start, first.digest) != (r.start, one.digest):
                    out = out._registering(one, r)
        return out

    def _registering(self, one: PlannedConfig, r: OffsetRange) -> Registry:
        kept = [_before(c, r) for c in self.configs]
        if kept and kept[-1].digest == one.digest:
            last = kept[-1]
            kept[-1] = replace(last, first_offsets={**last.first_offsets, r.source: r.start})
        else:
            kept.append(RegisteredConfig(one.digest, one.config, {r.source: r.start}))
        return replace(self, configs=tuple(c for c in kept if c.first_offsets))


def united_by_table(each: Iterable[Mapping[str, Sequence[OffsetRange]]]) -> dict[str, tuple[OffsetRange, ...]]:
    out: dict[str, list[OffsetRange]] = {}
    for by_table in each:
        for table, ranges in by_table.items():
            out.setdefault(table, []).extend(ranges)
    return {table: tuple(united(ranges)) for table, ranges in sorted(out.items())}


def _by_config(backfills: Iterable[PlannedConfig]) -> tuple[PlannedConfig, ...]:
    out: dict[str, PlannedConfig] = {}
    for one in backfills:
        before = out[one.digest].ranges if one.digest in out else ()
        out[one.digest] = one._replace(ranges=tuple(united([*before, *one.ranges])))
    return tuple(of for _, of in sorted(out.items()))


def _furthest(registry: Registry) -> int:
    last: dict[Source, int] = {}
    for c in registry.configs:
        last |= c.first_offsets
    return sum(last.values()) + len(last)


def _before(c: RegisteredConfig, r: OffsetRange) -> RegisteredConfig:
    """*c* without the source of *r*, if it was registered for offsets from its start on."""
    if c.first_offsets.get(r.source, -1) < r.start:
        return c
    return replace(c, first_offsets={s: o for s, o in c.first_offsets.items() if s != r.source})
