"""Make the tables that records are routed to: each is created, registered, and only then adopted.

An adopted table belongs to an installation. If it were adopted first, and its attempt were killed before it is registered, the
installation that follows a lost one would neither know the table nor be allowed to write to it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lakelock.config import Pipeline
from lakelock.errors import ConfigFaults, LakelockError, RouteLimit, State, TableMissing
from lakelock.ingest import bind as binding
from lakelock.ingest.tables_to_write import TablesToWrite, each_table
from lakelock.model.registry import RegisteredTable, Registry
from lakelock.model.units import counted
from lakelock.ports import Log, TableState

# Names tables in the dead-letter table's ledger, and returns all that it names then.
Register = Callable[[Mapping[str, RegisteredTable]], Registry]


@dataclass(frozen=True, slots=True)
class NewTables:
    """Makes tables of *pipeline*, which has their raw names; *prepare* knows those that the registry had before.

    `faults` are those of tables that cannot be made or written, by name.
    """

    prepare: TablesToWrite
    pipeline: Pipeline
    register: Register
    faults: dict[str, LakelockError] = field(default_factory=dict)

    def made(self, samples: Mapping[str, Sequence[bytes]]) -> dict[str, TableState]:
        """States of the tables by name; *samples* have values to infer their columns from.

        A name is never created a second time by itself (T9): if it is known with a UUID, its table is missing.
        """
        log, name = self.prepare.binder.log, self.pipeline.name
        bound = log.bound(name, samples)
        there = self._each(samples, lambda table: self._existing(table, samples[table], bound.get(table)))
        raw_names = self.pipeline.raw_names
        registered = self.register(
            {t: RegisteredTable(raw_names[t], there[t].uuid if t in there else None) for t in samples}
        ).tables

        # Another attempt may have registered another table of a name, which was dropped since.
        prepare = replace(self.prepare, known=registered)
        return self._each(there, lambda table: prepare.prepared(self.pipeline, table, samples[table]))

    def _existing(self, table: str, sample: Sequence[bytes], bound: str | None) -> TableState:
        known = self.prepare.known.get(table)
        if known is None or known.uuid is None or bound is not None:
            return self.prepare.existing(self.pipeline, table, sample, bound)
        binder = self.prepare.binder
        state = binding.load_bound(binder.log, binder.tables, self.pipeline.name, table, known.uuid)
        is_half_rebound = known.is_half_rebound(bound, state.ledger is not None)
        if state.ledger is not None or is_half_rebound:
            command = binding.rebind(table) if is_half_rebound else "`bin/lakelock recover FILE`"
            raise TableMissing(
                f"table {table} (UUID {known.uuid}) is not known to the write-ahead log.",
                State.TABLE_WAITS,
                f"Run {command}.",
            )
        # An attempt was killed between its registration and the log's note of it.
        return state

    def _each(self, names: Iterable[str], step: Callable[[str], TableState]) -> dict[str, TableState]:
        states, faults = each_table(names, step)
        self.faults.update(faults)
        return states


def refuse_names(
    pipeline: Pipeline, log: Log, new: Collection[str], known: int, max_tables: int, who: str, state: State
) -> None:
    """Raise ConfigFaults or RouteLimit if rules may not make the *new* names that *who* asks for, beside *known* tables."""
    if not new:
        return
    if entries := sorted(set(new).intersection(log.listed(pipeline.name))):
        raise ConfigFaults(
            f"a rule of pipeline {pipeline.name!r} makes {entries[0]}, which was an entry of `tables`: it may have the records "
            "already, and if Postgres were lost, lakelock would not know how its earlier ones were routed.",
            state,
            "Put the entry back, or let the rule make another name.",
        )
    refuse_more(pipeline, new, known, max_tables, who, state)


def refuse_more(pipeline: Pipeline, new: Collection[str], known: int, max_tables: int, who: str, state: State) -> None:
    """Raise RouteLimit if there may not be the *new* tables that *who* asks for, beside *known* ones."""
    if known + len(new) > max_tables:
        some = ", ".join(sorted(new)[:5])
        raise RouteLimit(
            f"pipeline {pipeline.name!r} has {counted(known, 'routed table')}, and {who} ask for {len(new)} more ({some}…): more "
            f"than route.max_tables allows, which is {max_tables}.",
            state,
            "If a rule names tables by a field with too many values, correct the rule. Otherwise raise route.max_tables.",
        )
