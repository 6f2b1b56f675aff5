"""Examine the tables of a pipeline before a recovery: those that it can take, and the findings about the others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from lakelock.catalogue.shared_options import TAKE_OVER
from lakelock.config import Pipeline
from lakelock.errors import LakelockError, Retryable, TableMissing
from lakelock.ingest.bind import rebind, was_written
from lakelock.ingest.context import PipelineContext
from lakelock.model.ledger import registry_of
from lakelock.model.registry import Registry
from lakelock.ports import Tables, TableState
from lakelock.recovery.adoption import Adoption
from lakelock.recovery.findings import Finding, left_alone
from lakelock.recovery.several_tables import for_each_table


def of_file(pipeline: Pipeline) -> list[str]:
    """Tables that the pipeline file lists."""
    return [t.name for t in pipeline.tables if not pipeline.is_routed(t.name)]


@dataclass(frozen=True, slots=True)
class Examined:
    """*states* can be recovered, dead letters first. *away* tables are gone or replaced, *unknown* in no log or catalog.

    *unadopted* tables are registered, and no commit was made to them yet.
    """

    states: dict[str, TableState] = field(default_factory=dict)
    found: list[Finding] = field(default_factory=list)
    away: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    unadopted: list[str] = field(default_factory=list)

    def without(self, tables: Collection[str]) -> Examined:
        states = {name: state for name, state in self.states.items() if name not in tables}
        return replace(self, states=states, found=[f for f in self.found if f.about not in tables])

    def add(self, other: Examined) -> None:
        self.states.update(other.states)
        self.found.extend(other.found)
        self.away.extend(other.away)
        self.unknown.extend(other.unknown)
        self.unadopted.extend(other.unadopted)

    def half_rebound(self, bound: Mapping[str, str]) -> Iterator[Finding]:
        """Findings about tables that a rebind has registered, and to which the log is not *bound*."""
        tables = self.registry.tables
        for name in self.unadopted:
            if name in tables and tables[name].is_half_rebound(bound.get(name), has_ledger=False):
                then = f"is not changed: run {rebind(name)} again"
                yield Finding(name, "a rebind of it has not finished", then, left=True)

    @property
    def registry(self) -> Registry:
        """The routed tables that the dead-letter tables among *states* name."""
        return registry_of(s.ledger for s in self.states.values() if s.ledger is not None) or Registry()


@dataclass(frozen=True, slots=True)
class Examiner:
    """Examines tables of *context*'s pipeline, *at_once* so many. *tables_of* returns the tables as an installation sees them."""

    context: PipelineContext
    tables_of: Callable[[str], Tables]
    adoption: Adoption
    take_over: bool
    at_once: int = 1

    def examine(self, bound: Mapping[str, str]) -> Examined:
        """All tables that the file, the log or the registry names; *bound* are the log's."""
        out = Examined()
        # Dead letters first: a part must not land while the dead letters of its batch are unknown.
        # An empty log that a process of the lost installation has named a table in takes it for one of them.
        for name in self.context.dead_letter_tables:
            self._look(name, bound, out, routed=name in out.registry.tables)
        # A log that is lost does not know those of earlier files, in which batches that are read again have their letters.
        named = {Pipeline.from_resolved(c.config).dead_letter_table for c in out.registry.configs}
        for name in sorted(named.difference(self.context.dead_letter_tables)):
            self._look(name, bound, out, routed=True)
        pipeline = self.context.pipeline
        # `generations` has every table that anything was planned for. A restored log may miss later writes to one that
        # left the file, and a recovery that dies half-way gives up current plans.
        planned = sorted(self.context.log.generations(pipeline.name))
        self.look_at(dict.fromkeys([*of_file(pipeline), *bound, *planned]), bound, out)
        self.look_at(sorted(out.registry.tables), bound, out)
        return out

    def look_at(self, names: Iterable[str], bound: Mapping[str, str], out: Examined) -> list[str]:
        """Examine also *names*, if *out* has nothing of them; returns those that are added to its states."""
        before = set(out.states)
        registered = out.registry.tables
        known = {**{name: t.uuid for name, t in registered.items() if t.uuid is not None}, **bound}
        seen = {*before, *out.unknown, *out.unadopted, *out.registry.retired, *(f.about for f in out.found)}

        def look(name: str) -> Examined:
            one = Examined()
            of = registered.get(name)
            self._look(name, known, one, routed=of is not None, uuid=of.uuid if of else None)
            return one

        for one in for_each_table([n for n in names if n not in seen], look, self.at_once).values():
            out.add(one)
        return [name for name in out.states if name not in before]

    def loaded(self, name: str) -> tuple[TableState, str]:
        """The table as its owner sees it, and the owner's installation."""
        owner = self.context.tables.owner(name) or self._mine
        tables = self.context.tables if owner == self._mine else self.tables_of(owner)
        return tables.load(name, detached=True), owner

    def _look(
        self, name: str, known: Mapping[str, str], out: Examined, *, routed: bool = False, uuid: str | None = None
    ) -> None:
        """Examine one table, of which the UUID is *known* if the pipeline has written to it.

        It may be registered with this *uuid*: a rebind registers the new table before the log knows it.
        """
        try:
            state, owner = self.loaded(name)
            kept = self.adoption.kept(state)
            if state.detached and state.head_id is not None and not self.adoption.puts_back(state):
                # Raises here if the ledger at the head is no longer known.
                self.context.tables.ledger_at(state, state.head_id)
        except Retryable:
            raise
        except TableMissing:
            if name in known:
                out.away.append(name)
                then = f"is not changed: put it back, or run {rebind(name)}" if routed else "is not changed"
                out.found.append(Finding(name, "it is gone from the catalog", then, left=True))
            elif not routed:
                out.unknown.append(name)
            return
        except LakelockError as fault:
            out.found.append(left_alone(name, str(fault)))
            return
        is_known = routed and state.ledger is None and state.uuid in (known.get(name), uuid)
        if is_known and not was_written(self.context.tables, state, self.context.pipeline.name):
            out.unadopted.append(name)
            return
        strange = self._strange(state, owner, known) or kept
        if strange is not None:
            out.found.append(strange)
            if known.get(name, state.uuid) != state.uuid:
                out.away.append(name)
        elif state.ledger is not None:
            out.states[name] = state
            if owner != self._mine:
                what, approval = f"it belongs to installation {owner}", f"take over {name} from {owner}"
                out.found.append(Finding(name, what, "takes over the table", approval=approval))

    def _strange(self, state: TableState, owner: str, known: Mapping[str, str]) -> Finding | None:
        """Why the table cannot be recovered, or None. The table may have no ledger yet."""
        name = state.name
        if known.get(name, state.uuid) != state.uuid:
            then = f"is not changed: put the old table back, or run {rebind(name)}"
            return Finding(name, "it was replaced by another table", then, left=True)
        if owner != self._mine and not self.take_over:
            then = (
                "is not changed: take it over only if the write-ahead log of that installation is lost: add --take-over "
                f'(in Airflow, tick "{TAKE_OVER.title}")'
            )
            return Finding(name, f"it belongs to installation {owner}", then, left=True)
        if state.ledger is not None:
            is_empty = state.head_id is None
            return left_alone(name, "its branch no longer has a snapshot") if is_empty else None
        what = "this pipeline has written to it, but its ledger is gone"
        return left_alone(name, what) if name in known else None

    @property
    def _mine(self) -> str:
        return self.context.log.installation_id()
