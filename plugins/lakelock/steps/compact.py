"""compact: small data files of a table give way to larger ones with the same rows, group by group."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from lakelock.core import compact as decisions
from lakelock.core.batch import DataFile
from lakelock.core.compact import Group, Plan, Standing, When
from lakelock.core.units import counted, format_duration
from lakelock.errors import JobCancelled, LakelockError, Retryable
from lakelock.ports import Change, Copier, CopyOrder, TableState
from lakelock.steps.landing import until_landed
from lakelock.steps.orders import target_of
from lakelock.steps.upkeep import Keeper, amount

logger = logging.getLogger(__name__)

UNDONE = "None of its files was rewritten; orphans deletes what was written, and the next run tries again."
ANOTHER = "the table is another one by now"


@dataclass(frozen=True, slots=True)
class Settings:
    """When files are rewritten, as the pipeline file says."""

    min_files: int
    after_ms: int


@dataclass(frozen=True, slots=True)
class CompactOutcome:
    """What would be rewritten, or was: *files* files of *groups* groups into *into* files (None for a plan).

    *left* tells, one sentence each, what was looked at and stays as it is.
    """

    table: str
    groups: int = 0
    files: int = 0
    size_bytes: int = 0
    into: int | None = None
    left: tuple[str, ...] = field(default=())

    @property
    def nothing(self) -> bool:
        return not self.groups

    @property
    def line(self) -> str:
        left = "".join(f"; {text}" for text in self.left)
        if self.nothing:
            return f"{self.table}: no files to compact{left}"
        made = "" if self.into is None else f", rewritten into {self.into}"
        groups = counted(self.groups, "group")
        return f"{self.table}: {self.files} files of {amount(self.size_bytes)} in {groups}{made}{left}"


@dataclass(frozen=True, slots=True)
class _Among:
    """All files of a run's groups, and what manifests said of them: of thousands few change from group to group."""

    paths: frozenset[str]
    read: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Compaction:
    """Rewrites files of one pipeline's tables, also while it runs. *copier* is asked for only where something is due."""

    keeper: Keeper
    copier: Callable[[], Copier]

    def plan(self, table: str, settings: Settings) -> CompactOutcome:
        """Changes nothing and needs no Spark."""
        found = self.keeper.current(table)
        if found is None:
            return CompactOutcome(table)
        planned = self._due(found[0], settings)
        files = [f for g in planned.groups for f in g.files]
        size_bytes = sum(f.size_bytes for f in files)
        return CompactOutcome(table, len(planned.groups), len(files), size_bytes, left=_left(planned, settings))

    def compact(self, table: str, settings: Settings) -> CompactOutcome:
        """One Spark job and one commit for each group. A group's fault does not stop the others, and is raised after them."""
        found = self.keeper.current(table)
        if found is None:
            return CompactOutcome(table)
        planned = self._due(found[0], settings)
        done = CompactOutcome(table, left=_left(planned, settings))
        faults: list[tuple[Group, LakelockError]] = []
        among = _Among(frozenset(f.path for g in planned.groups for f in g.files))
        for group in planned.groups:
            try:
                landed, into, left = self._rewritten(table, group, among)
            except JobCancelled:
                raise
            except LakelockError as fault:
                logger.error("%s: %s stay as they are: %s: %s", table, group.line, type(fault).__name__, fault)
                faults.append((group, fault))
                continue
            for text in left:
                logger.info("%s: %s", table, text)
            done = replace(done, left=(*done.left, *left))
            if landed is None:
                continue
            done = replace(
                done,
                groups=done.groups + 1,
                files=done.files + len(landed.files),
                size_bytes=done.size_bytes + landed.size_bytes,
                into=(done.into or 0) + into,
            )
            logger.info("%s: %s rewritten into %s", table, landed.line, into)
        if faults:
            logger.info("%s", done.line)
            raise _telling(table, faults, len(planned.groups))
        return done

    def _due(self, state: TableState, settings: Settings) -> Plan:
        storage, now_ms = self.keeper.storage, self._now_ms()
        target_bytes = decisions.target_bytes(state.properties)
        when = When(target_bytes, settings.min_files, now_ms - settings.after_ms)
        return decisions.plan(storage.live_files(state), when, lambda files: storage.unfit(state, files))

    def _rewritten(self, table: str, group: Group, among: _Among) -> tuple[Group | None, int, tuple[str, ...]]:
        """What of the group gave way to how many files, and which files stay, why."""
        keeper = self.keeper
        # Loaded anew: what a catalog hands out to reach the files does not last for ever.
        found = keeper.current(table)
        if found is None:
            return None, 0, (_stay(group, ANOTHER),)
        state, ledger = found
        began_ms, group_id = self._now_ms(), keeper.follower.new_id()
        target = target_of(
            state,
            keeper.follower.tables.storage(state),
            spec_id=group.spec_id,
            spec=keeper.storage.spec(state, group.spec_id),
        )
        slices = tuple(tuple((f.path, f.rows) for f in one) for one in group.bins)
        outputs = self.copier().run(CopyOrder(group_id, group.partition, target, slices))
        files = tuple(o.file for o in outputs if o.file is not None)
        # A file that cannot be read stays, with those that were to become one with it.
        unfit = {o.slice_no: o.unfit for o in outputs if o.unfit is not None}
        left = tuple(
            _stay(replace(group, bins=(group.bins[n],)), f"{path} cannot be copied: {why}")
            for n, (path, why) in unfit.items()
        )
        group = replace(group, bins=tuple(one for n, one in enumerate(group.bins) if n not in unfit))
        decisions.check_books(table, group, len(outputs) - len(unfit), sum(f.rows for f in files))
        if not group.bins:
            return None, 0, left
        overtaken = self._landed(state, ledger.generation, group, files, began_ms, among)
        return (None, 0, (*left, _stay(group, overtaken))) if overtaken else (group, len(files), left)

    def _landed(
        self,
        before: TableState,
        generation: int,
        group: Group,
        files: Sequence[DataFile],
        began_ms: int,
        among: _Among,
    ) -> str:
        """Why the group stays as it is; empty once *files* are in its place. Decided anew in each try."""
        keeper, table = self.keeper, before.name
        paths, outputs = tuple(f.path for f in group.files), [f.path for f in files]
        why = ""

        def draft() -> tuple[TableState, Change] | None:
            nonlocal why
            found = keeper.current(table)
            if found is None or found[0].uuid != before.uuid:
                why = ANOTHER
                return None
            state, ledger = found
            live = tuple(keeper.storage.live_among(state, among.paths | {*outputs}, among.read))
            now = Standing(live, state.schema_id, ledger.generation)
            if decisions.landed(outputs, now):
                return None
            why = decisions.overtaken(group.files, before.schema_id, generation, now)
            if why:
                return None
            # After the table was loaded: a clean-up that takes the files for orphans moves it first.
            decisions.check_in_time(table, group, began_ms, self._now_ms())
            # Iceberg commits missing files silently.
            gone = keeper.follower.tables.missing_files(state, files)
            if gone:
                why = f"{len(gone)} of the files that were written are gone, first {gone[0]}"
                return None
            return state, keeper.change(ledger, files=tuple(files), replaces=paths)

        until_landed(keeper.follower.tables, table, draft, keeper.pause, UNDONE)
        return why

    def _now_ms(self) -> int:
        return int(self.keeper.follower.log.now().timestamp() * 1000)


def _left(planned: Plan, settings: Settings) -> tuple[str, ...]:
    left = [
        f"{counted(count, 'file')} {'stays' if count == 1 else 'stay'}: {why}" for why, count in planned.left.items()
    ]
    if planned.young:
        age = format_duration(timedelta(milliseconds=settings.after_ms))
        left.append(f"{counted(planned.young, 'small file')} younger than maintenance.compact_after ({age})")
    return tuple(left)


def _stay(group: Group, why: str) -> str:
    return f"{group.line} stay: {why}"


def _telling(table: str, faults: Sequence[tuple[Group, LakelockError]], of: int) -> LakelockError:
    """One error for all: of a class that a person must mend, where there is one."""
    first = next((f for _, f in faults if not isinstance(f, Retryable)), faults[0][1])
    said = "; ".join(f"{group.line}: {fault}" for group, fault in faults[:3])
    more = f"; and {len(faults) - 3} more" if len(faults) > 3 else ""
    return type(first)(f"table {table}: {len(faults)} of {of} groups were not compacted: {said}{more}")


def from_fields(fields: Mapping[str, object]) -> CompactOutcome:
    """What `asdict` made of an outcome, and JSON of that."""
    left = fields["left"]
    assert isinstance(left, list)
    return CompactOutcome(**{**fields, "left": tuple(left)})  # type: ignore[arg-type]
