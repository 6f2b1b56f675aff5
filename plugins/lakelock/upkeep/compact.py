"""Compact a table: replace small data files by larger ones with the same rows, group by group."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lakelock.errors import JobCancelled, LakelockError, State
from lakelock.ingest.commit_loop import Done, Land, until_landed
from lakelock.ingest.progress import Copying
from lakelock.ingest.write_order import target_of
from lakelock.model.batches import DataFile
from lakelock.model.ledger import Ledger
from lakelock.model.units import amount, counted
from lakelock.ports import Copier, CopyOrder, CopySlice, TableState, Target
from lakelock.ports.edits import Rewrite
from lakelock.upkeep import compact_decision as decisions
from lakelock.upkeep.compact_bins import dealt
from lakelock.upkeep.compact_decision import CompactPlan, FileGroup, FilesNow, Judged, When
from lakelock.upkeep.compact_text import beyond, left_of, over, reported_fault, stay, staying
from lakelock.upkeep.keeper import Keeper

logger = logging.getLogger(__name__)

UNDONE = (State.ORPHANED, "The next run tries again.")
ANOTHER = "the table was replaced by another one"


@dataclass(frozen=True, slots=True)
class Settings:
    """When to rewrite files, from the pipeline file; no group of a table begins after *within_ms*.

    *landing* is that of each table that has the key.
    """

    min_files: int
    after_ms: int
    within_ms: int
    landing: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CompactOutcome:
    """The preview or result: *files* files of *groups* groups into *into* files (None for a preview).

    *left* has a sentence for each thing that was looked at and stays as it is.
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
class _Run:
    """State of one table's run: the sequence number of its first look, the paths found then, and cached manifests.

    Few manifests change from group to group.
    """

    read_at: int
    paths: frozenset[str]
    read: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Compaction:
    """Compacts one pipeline's tables, also while it runs. *copier* is called only if something is due."""

    keeper: Keeper
    copier: Callable[[], Copier]

    def preview(self, table: str, settings: Settings) -> CompactOutcome:
        """Preview a compaction, without Spark."""
        found = self.keeper.current(table)
        if found is None:
            return CompactOutcome(table)
        planned = self._due(found[0], settings)
        files = [f for g in planned.groups for f in g.files]
        size_bytes = sum(f.size_bytes for f in files)
        left = (*left_of(planned, settings.after_ms), *beyond(planned.later))
        return CompactOutcome(table, len(planned.groups), len(files), size_bytes, left=left)

    def compact(self, table: str, settings: Settings) -> CompactOutcome:
        """Compact with one Spark job and one commit per group; no group begins once the time is over.

        An error of one group does not stop the others, and is raised at the end.
        """
        found, began_ms = self.keeper.current(table), self._now_ms()
        if found is None:
            return CompactOutcome(table)
        planned = self._due(found[0], settings)
        groups = planned.groups
        done = CompactOutcome(table, left=left_of(planned, settings.after_ms))
        faults: list[tuple[FileGroup, LakelockError]] = []
        run = _Run(found[0].head_sequence, frozenset(f.path for g in groups for f in g.files))
        for n, group in enumerate(groups):
            if n and self._now_ms() - began_ms >= settings.within_ms:
                done = replace(done, left=(*done.left, over((*groups[n:], *planned.later), settings.within_ms)))
                break
            label = f"{table}: commit {n + 1} of {len(groups)}"
            try:
                landed, into, left = self._rewritten(table, group, run, label)
            except JobCancelled:
                raise
            except LakelockError as fault:
                logger.error("%s: %s stay unchanged: %s: %s", label, group.line, type(fault).__name__, fault)
                faults.append((group, fault))
                continue
            for text in left:
                logger.info("%s: %s", label, text)
            done = replace(done, left=(*done.left, *left))
            if not landed.bins:
                continue
            done = replace(
                done,
                groups=done.groups + 1,
                files=done.files + len(landed.files),
                size_bytes=done.size_bytes + landed.size_bytes,
                into=(done.into or 0) + into,
            )
            logger.info("%s: %s rewritten into %s", label, landed.line, into)
        else:
            done = replace(done, left=(*done.left, *beyond(planned.later)))
        if faults:
            logger.info("%s", done.line)
            raise reported_fault(table, faults, len(groups))
        return done

    def _due(self, state: TableState, settings: Settings) -> CompactPlan:
        storage, now_ms = self.keeper.storage, self._now_ms()
        target_bytes = decisions.target_bytes(state.properties)
        landing = settings.landing.get(state.name)
        when = When(
            target_bytes,
            settings.min_files,
            now_ms - settings.after_ms,
            frozenset() if landing is None else storage.landed(state),
            keeps_newest=landing != "partitioned",
        )
        return decisions.plan(storage.live_files(state), when, lambda files: storage.unfit(state, files))

    def _rewritten(self, table: str, group: FileGroup, run: _Run, label: str) -> tuple[FileGroup, int, tuple[str, ...]]:
        """The rewritten piece of the group, the number of new files, and reasons for files that stay."""
        keeper = self.keeper
        # Load again: credentials that a catalog gives for the files expire.
        found = keeper.current(table)
        if found is None:
            return replace(group, bins=()), 0, (stay(group, ANOTHER),)
        state, ledger = found
        group, gone = self._still_there(state, ledger, group, run)
        if not group.bins:
            return group, 0, gone
        began_ms = self._now_ms()
        layout = state.layout if group.landed else keeper.storage.layout(state, group.partitioning)
        target = target_of(state, keeper.context.tables.storage(state), layout=layout)
        group, order = order_of(group, keeper.context.new_id(), target)
        outputs = self.copier().run(order, Copying(label, group.line, order.tasks or 0).ended)
        # A file that cannot be read stays, with the others of its bin.
        unfit = {o.slice_no: o.unfit for o in outputs if o.unfit is not None}
        left = [
            stay(replace(group, bins=(group.bins[n],)), f"{path} cannot be copied: {why}")
            for n, (path, why) in unfit.items()
        ]
        group = replace(group, bins=tuple(one for n, one in enumerate(group.bins) if n not in unfit))
        files = tuple(o.files for o in outputs if o.unfit is None)
        decisions.check_books(table, group, len(files), sum(f.rows for some in files for f in some))
        if not group.bins:
            return group, 0, (*gone, *left)
        judged = self._landed(target, group, files, began_ms, run)
        bins = tuple(one for n, one in enumerate(group.bins) if n in judged.landed)
        into = sum(len(some) for n, some in enumerate(files) if n in judged.landed)
        return replace(group, bins=bins), into, (*gone, *left, *staying(group, judged.left))

    def _still_there(
        self, state: TableState, ledger: Ledger, group: FileGroup, run: _Run
    ) -> tuple[FileGroup, tuple[str, ...]]:
        """The bins that may still be rewritten after earlier groups, and reasons for files that stay.

        A missing file would fail the whole job.
        """
        live = tuple(self.keeper.storage.live_among(state, run.paths, run.read))
        now = FilesNow(live, ledger.generation)
        left = decisions.judged(group, [], ledger.generation, now, _as_of(group, run, state)).left
        bins = tuple(one for n, one in enumerate(group.bins) if n not in left)
        return replace(group, bins=bins), tuple(staying(group, left))

    def _landed(
        self,
        target: Target,
        group: FileGroup,
        files: Sequence[tuple[DataFile, ...]],
        began_ms: int,
        run: _Run,
    ) -> Judged:
        """The bins that were replaced by theirs of *files*, written for *target*, and reasons for the others.

        Each try decides again.
        """
        keeper, table, layout = self.keeper, target.table, target.layout.token
        outputs = [[f.path for f in some] for some in files]
        named, everything = {path for paths in outputs for path in paths}, range(len(group.bins))

        def draft() -> Land[Judged] | Done[Judged]:
            found = keeper.current(table)
            if found is None or found[0].uuid != target.identity_uuid:
                return Done(Judged(left=dict.fromkeys(everything, ANOTHER)))
            state, ledger = found
            live = tuple(keeper.storage.live_among(state, run.paths | named, run.read))
            now = FilesNow(live, ledger.generation, keeper.context.misfit(state, layout))
            read_at = _as_of(group, run, state)
            judged = decisions.judged(group, outputs, target.generation, now, read_at)
            chosen = [n for n in everything if n not in judged.landed and n not in judged.left]
            if not chosen:
                return Done(judged)
            # After the table was loaded: a clean-up that takes the files for orphans changes the table first.
            decisions.check_in_time(table, group, began_ms, self._now_ms())
            new = tuple(f for n in chosen for f in files[n])
            # Iceberg commits missing files silently.
            gone = keeper.context.tables.missing_files(state, new)
            if gone:
                why = f"{len(gone)} of the new files are gone, first {gone[0]}"
                return Done(replace(judged, left={**judged.left, **dict.fromkeys(chosen, why)}))
            old = tuple(f.path for n in chosen for f in group.bins[n])
            change = keeper.change(ledger, Rewrite(old, new, read_at))
            return Land(state, change, replace(judged, landed=frozenset({*judged.landed, *chosen})))

        return until_landed(keeper.context.tables, table, draft, keeper.pause, *UNDONE).result

    def _now_ms(self) -> int:
        return int(self.keeper.context.log.now().timestamp() * 1000)


def _as_of(group: FileGroup, run: _Run, state: TableState) -> int | None:
    """The sequence number of the group's new files; None for that of the commit.

    Files that landed without partitions get that: delete files of a partition do not apply to their rows, and must not do so
    when they are in it.
    """
    # If the table was set back since, no sequence number is higher than that of its head.
    return None if group.landed else min(run.read_at, state.head_sequence)


def order_of(group: FileGroup, group_id: str, target: Target) -> tuple[FileGroup, CopyOrder]:
    """The job that copies the group's files; slice n makes the file of bin n of the returned group."""
    tasks = min(len(group.bins), decisions.MOST_TASKS)
    group = replace(group, bins=dealt(group.bins, tasks))
    slices = tuple(
        CopySlice(None if group.landed else one[0].partition, tuple((f.path, f.rows) for f in one))
        for one in group.bins
    )
    return group, CopyOrder(group_id, target, slices, tasks=tasks)
