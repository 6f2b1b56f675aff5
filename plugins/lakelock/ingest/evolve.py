"""Change a table's columns as its records ask: once for a batch, and only the slices that met something new are read again."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lakelock.config import Pipeline
from lakelock.errors import BadTableDefinition, LakelockError, State, TableUnfit
from lakelock.ingest import bind as binding
from lakelock.ingest.commit_loop import Done, Land, until_landed
from lakelock.ingest.evolving import evolving_now, settings_now
from lakelock.ingest.landing import as_written
from lakelock.ingest.present_names import PresentNames
from lakelock.ingest.slicing import slices
from lakelock.ingest.table_fit import check_columns, fitting
from lakelock.ingest.write_order import filling_of, with_checks_of
from lakelock.model.column_changes import ColumnChange, changed, described
from lakelock.model.evolutions import EVOLUTION, ColumnsChanged, encode, printable, shown_changes
from lakelock.model.layouts import joined
from lakelock.model.ledger import CREATED_BY
from lakelock.model.offsets import OffsetRange, united
from lakelock.ports import SliceNews, SliceOutput, TableState, Target, WriteOrder
from lakelock.ports.edits import Evolve
from lakelock.records.evolution import Evolution, Evolving
from lakelock.records.observed_fields import ObservedField

logger = logging.getLogger(__name__)

# A slice may find something new only after its other records fit. After so many times, what is left is a dead letter.
ROUNDS = 3
# Of a change with thousands of columns, a snapshot's summary has the first ones.
MOST_RECORDED = 200


class _Refused(Exception):
    """Columns that records ask for, and that cannot be: these records are dead letters."""


@dataclass(frozen=True, slots=True)
class Reread:
    """All outputs of a batch, without those that were of no use. *layouts* are the tokens of its files by table."""

    outputs: list[SliceOutput]
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
                    now[name], names = self.evolved(targets[name].evolving, found, name)
                    targets[name] = self._after(targets[name], now[name], names, is_last=number == ROUNDS - 1)
                except _Refused as refused:
                    logger.warning("table %s: its columns stay: %s", name, refused)
                    targets[name] = replace(targets[name], evolving=None)
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
        return Reread(left, {name: joined(tokens) for name, tokens in layouts.items()}, faults)

    def evolved(
        self, evolving: Evolving | None, news: Sequence[SliceNews], name: str
    ) -> tuple[TableState, PresentNames]:
        """The table, and its settings, after one change for all *news*, if no other writer made it meanwhile.

        It is decided on a fresh load: columns that other writers added meanwhile stay, and are not added twice. Raises
        _Refused if the table or the pipeline file could not have these columns.
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
            now = settings_now(self.pipeline, self.pipeline.table(name), state, binder.tables)
            made.extend(Evolution(self._as_it_is(evolving, now, state)).changes(observed))
            if not made:
                return Done(None)
            self._check(now, state, made)
            if (paused := state.ledger.paused) is not None:
                needed = shown_changes(list(map(described, made)))
                raise TableUnfit(
                    f"table {name}: its records need other columns ({needed}), but the table is paused: {paused.line}",
                    State.PART_PLANNED,
                    "Run `resume`, or set new_fields and new_types to dead_letter.",
                )
            ledger = replace(state.ledger, commit_id=commit_id)
            properties = {EVOLUTION: encode(self._changed(name, made, news))}
            return Land(
                state, binding.change(binder.settings, ledger, Evolve(tuple(made)), properties=properties), None
            )

        do = "The next run tries again."
        try:
            landed = until_landed(binder.tables, name, draft, binder.pause, State.PART_PLANNED, do)
        except BadTableDefinition as fault:
            raise _Refused(fault.what) from fault
        if landed.version_id is not None:
            done = replace(self._changed(name, made, news), version_id=landed.version_id)
            logger.warning("%s", done.line)
            self.done.append(done)
        state = binding.load(binder.log, binder.tables, self.pipeline.name, name)
        table = self.pipeline.table(name)
        now = fitting(self.pipeline, table, state, binder.tables, State.PART_PLANNED)
        return as_written(table, state, binder.tables), now

    def _check(self, now: PresentNames, state: TableState, made: Sequence[ColumnChange]) -> None:
        try:
            columns = changed(state.columns, made)
            check_columns(self.pipeline, now.settings, columns, State.PART_PLANNED)
        except (TableUnfit, BadTableDefinition) as fault:
            raise _Refused(fault.what) from fault

    def _as_it_is(self, evolving: Evolving, now: PresentNames, state: TableState) -> Evolving:
        """*evolving* for the columns that the table has now, and had: another writer may have dropped or renamed some."""
        found = evolving_now(self.pipeline, now, state)
        if found is None:
            raise _Refused(f"its property {CREATED_BY} was removed meanwhile")
        return replace(found, dropped=tuple(dict.fromkeys((*evolving.dropped, *found.dropped))))

    def _after(self, target: Target, state: TableState, now: PresentNames, *, is_last: bool) -> Target:
        """*target* for the table as it is now. If it *is_last*, records that need other columns are then dead letters."""
        assert target.evolving is not None
        filling = filling_of(self.pipeline, now.settings, target.mask_keys, now.past_fields)
        after = replace(
            target,
            layout=state.layout,
            partitioned=state.partitioned,
            columns=state.columns,
            properties=state.properties,
            evolving=None if is_last else self._as_it_is(target.evolving, now, state),
            **{**filling, "dropped": tuple(dict.fromkeys((*target.dropped, *filling["dropped"])))},
        )
        return with_checks_of(
            after, {c.name: c.on_fail for c in target.expressions.checks} if target.expressions else {}
        )

    def _changed(self, name: str, made: Sequence[ColumnChange], news: Sequence[SliceNews]) -> ColumnsChanged:
        changes = tuple(printable(described(c)) for c in made[:MOST_RECORDED])
        if len(made) > MOST_RECORDED:
            changes = (*changes, f"and {len(made) - MOST_RECORDED:,} more")
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
