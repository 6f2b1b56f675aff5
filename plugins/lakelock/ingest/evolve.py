"""Change a table's columns as its records ask: once for a batch, and only the slices that met something new are read again."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from lakelock.config import Pipeline, Table
from lakelock.errors import LakelockError, State, TableUnfit
from lakelock.ingest import bind as binding
from lakelock.ingest.commit_loop import Done, Land, until_landed
from lakelock.ingest.slicing import slices
from lakelock.ingest.table_fit import check_columns
from lakelock.model.column_changes import ColumnChange, ColumnPath, described
from lakelock.model.column_types import Column
from lakelock.model.evolutions import EVOLUTION, ColumnsChanged, encode, printable
from lakelock.model.layouts import joined
from lakelock.model.offsets import OffsetRange, united
from lakelock.ports import SliceNews, SliceOutput, Tables, TableState, Target, WriteOrder
from lakelock.ports.edits import Evolve
from lakelock.records.evolution import Evolution, Evolving, ignorable
from lakelock.records.observed_fields import ObservedField

logger = logging.getLogger(__name__)

# A slice may find something new only after its other records fit. After so many times, what is left is a dead letter.
ROUNDS = 3
# In texts for people.
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class PastFields:
    """Fields of records that the table had columns for, by names that no column has now.

    Those *left_out* were dropped on purpose; a column that was dropped within a list or map is not among them: its field is
    refused. Values under a *renamed* name go to the column that has another name now, if the column is optional and the
    file does not say how to fill it.
    """

    left_out: tuple[ColumnPath, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)


NO_PAST = PastFields()


def past_fields(table: Table, state: TableState, tables: Tables) -> PastFields:
    """Empty unless new fields get columns: otherwise `new_fields` says what becomes of all of them."""
    if not table.adds_columns:
        return NO_PAST
    past = tables.past_columns(state)
    decided = {*table.readings, *table.unread, *table.masks, *(r.path[0] for r in table.readings.values() if r.path)}
    free = {c.name for c in state.columns if not c.required} - decided
    renamed = {
        old[0]: new[0]
        for old, new in sorted(past.renamed.items())
        if len(old) == len(new) == 1 and new[0] in free and old[0] not in decided
    }
    # Of a column that was renamed twice, each name may still be in records.
    return PastFields(tuple(ignorable(state.columns, past.dropped)), renamed)


def evolving_of(
    pipeline: Pipeline,
    table: Table,
    columns: Sequence[Column],
    identifier_columns: Sequence[str] = (),
    gone: Collection[ColumnPath] = (),
    renamed: Mapping[str, str] = MappingProxyType({}),
) -> Evolving | None:
    """How *columns* of *table* may change; None if they may not. Those *gone* are not added again."""
    if not table.evolves:
        return None
    inputs = table.expressions.inputs if table.expressions else ()
    paths = [table.readings[c.name].path if c.name in table.readings else (c.name,) for c in inputs]
    return Evolving(
        columns=tuple(columns),
        new_fields=table.adds_columns,
        new_types=table.new_types == "evolve",
        declared={c.name: c.type for c in table.declared},
        kept_required=frozenset((*identifier_columns, *(c.name for c in table.columns if c.required))),
        readings=table.readings,
        unread=frozenset((*pipeline.metadata_columns_by_key.values(), *table.unread)),
        taken=frozenset(path[0] for path in paths if path),
        dropped=(*(table.drop_fields or ()), *(path for path in gone if path[0] not in renamed)),
        renamed=renamed,
    )


@dataclass(frozen=True, slots=True)
class Reread:
    """All outputs of a batch, without those that were of no use. *layouts* are the tokens of its files by table."""

    outputs: list[SliceOutput]
    states: Mapping[str, TableState]
    layouts: Mapping[str, str]
    faults: Mapping[str, LakelockError]


@dataclass(slots=True)
class ColumnChanges:
    """Changes the tables' columns on behalf of one batch."""

    binder: binding.Binder
    pipeline: Pipeline
    batch_id: str
    run: str
    done: list[ColumnsChanged] = field(default_factory=list)

    def reread(
        self,
        order: WriteOrder,
        outputs: Sequence[SliceOutput],
        states: Mapping[str, TableState],
        read: Callable[[WriteOrder], list[SliceOutput]],
        parallelism: int,
    ) -> Reread:
        """Let the columns follow the news in *outputs* of *order*, and have *read* run such slices again."""
        targets = {t.table: t for t in order.targets}
        now, faults = dict(states), dict[str, LakelockError]()
        layouts = {name: {states[name].layout.token} for name in targets}
        left = list(outputs)
        for number in range(ROUNDS):
            news = {name: every for name, every in _news(left).items() if name not in faults}
            if not news:
                break
            for name, found in news.items():
                try:
                    now[name] = self.evolved(targets[name].evolving, found, name)
                    targets[name] = self._after(targets[name], now[name], is_last=number == ROUNDS - 1)
                except LakelockError as fault:
                    logger.error("%s", fault)
                    faults[name] = fault
            useful = list(map(_without_news, left))
            for name in news.keys() - faults.keys():
                has_files = any(t.files for o in useful for t in o.tables if t.table == name)
                layouts[name] = {*(layouts[name] if has_files else ()), now[name].layout.token}
            wanted = {name: united(r for one in news[name] for r in one.ranges) for name in news.keys() - faults.keys()}
            for ranges in dict.fromkeys(tuple(r) for r in wanted.values()):
                of_ranges = tuple(targets[name] for name in sorted(wanted) if tuple(wanted[name]) == ranges)
                again = replace(order, targets=of_ranges, slices=slices(_of_topics(ranges, of_ranges), parallelism))
                useful += read(again)
            left = useful
        return Reread(left, now, {name: joined(tokens) for name, tokens in layouts.items()}, faults)

    def evolved(self, evolving: Evolving | None, news: Sequence[SliceNews], name: str) -> TableState:
        """The table after one change for all *news*, if no other writer made it meanwhile.

        It is decided on a fresh load: columns that other writers added meanwhile stay, and are not added twice.
        """
        assert evolving is not None
        binder, commit_id = self.binder, self.binder.new_id()
        observed = ObservedField()
        for one in news:
            observed.add_all(one.observed)
        made: list[ColumnChange] = []

        def draft() -> Land[None] | Done[None]:
            made.clear()
            state = binding.load(binder.log, binder.tables, self.pipeline.name, name)
            if state.ledger is None:
                raise binding.without_ledger(state, self.pipeline.name)
            made.extend(Evolution(self._as_it_is(evolving, state)).changes(observed))
            if not made:
                return Done(None)
            if (paused := state.ledger.paused) is not None:
                raise TableUnfit(
                    f"table {name}: its records need other columns ({_texts(made)}), but the table is paused: {paused.line}",
                    State.PART_PLANNED,
                    "Run `resume`, or set new_fields and new_types to dead_letter.",
                )
            ledger = replace(state.ledger, commit_id=commit_id)
            properties = {EVOLUTION: encode(self._changed(name, made, news))}
            return Land(
                state, binding.change(binder.settings, ledger, Evolve(tuple(made)), properties=properties), None
            )

        do = "The next run tries again."
        landed = until_landed(binder.tables, name, draft, binder.pause, State.PART_PLANNED, do)
        if landed.snapshot_id is not None:
            changed = replace(self._changed(name, made, news), snapshot_id=landed.snapshot_id)
            logger.warning("%s", changed.line)
            self.done.append(changed)
        state = binding.load(binder.log, binder.tables, self.pipeline.name, name)
        check_columns(self.pipeline, name, state.columns, State.PART_PLANNED)
        return state

    def _as_it_is(self, evolving: Evolving, state: TableState) -> Evolving:
        """*evolving* for the columns that the table has now, and had: another writer may have dropped or renamed some."""
        renamed = past_fields(self.pipeline.table(state.name), state, self.binder.tables).renamed
        gone = (path for path in self.binder.tables.past_columns(state).paths if path[0] not in renamed)
        dropped = tuple(dict.fromkeys((*evolving.dropped, *gone)))
        return replace(evolving, columns=state.columns, dropped=dropped, renamed=renamed)

    def _after(self, target: Target, state: TableState, *, is_last: bool) -> Target:
        """*target* for the table as it is now. If it *is_last*, records that need other columns are then dead letters."""
        assert target.evolving is not None
        past = past_fields(self.pipeline.table(state.name), state, self.binder.tables)
        return replace(
            target,
            layout=state.layout,
            columns=state.columns,
            properties=state.properties,
            evolving=None if is_last else self._as_it_is(target.evolving, state),
            dropped=tuple(dict.fromkeys((*target.dropped, *past.left_out))),
            renamed=past.renamed,
        )

    def _changed(self, name: str, made: Sequence[ColumnChange], news: Sequence[SliceNews]) -> ColumnsChanged:
        changes = tuple(printable(described(c)) for c in made)
        return ColumnsChanged(name, changes, printable(news[0].place), self.batch_id, self.run)


def _news(outputs: Sequence[SliceOutput]) -> dict[str, list[SliceNews]]:
    """By table, without tables that have a fault: nothing of them can be staged."""
    found: dict[str, list[SliceNews]] = {}
    faulty = {t.table for o in outputs for t in o.tables if t.fault is not None}
    for table in (t for o in outputs for t in o.tables):
        if table.news is not None and table.table not in faulty:
            found.setdefault(table.table, []).append(table.news)
    return found


def _without_news(output: SliceOutput) -> SliceOutput:
    return replace(output, tables=tuple(t for t in output.tables if t.news is None))


def _of_topics(ranges: Sequence[OffsetRange], targets: Sequence[Target]) -> list[OffsetRange]:
    topics = {topic for target in targets for topic in target.topics}
    return [r for r in ranges if r.source.topic in topics]


def _texts(changes: Sequence[ColumnChange]) -> str:
    shown = "; ".join(map(described, changes[:_SHOWN]))
    return shown if len(changes) <= _SHOWN else f"{shown}; and {len(changes) - _SHOWN} more"
