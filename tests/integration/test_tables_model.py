"""The tables in memory that the simulation runs on, beside the real ones: the same changes, the same refusals."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from kits.iceberg import INSTALLATION, SOURCE, definition, open_tables, plain_catalog, raw, write_files
from lakelock.adapters.iceberg import IcebergStorage, IcebergTables
from lakelock.adapters.parquet.row_copy import copy_files
from lakelock.errors import LakelockError
from lakelock.ingest.write_order import target_of
from lakelock.model.batches import Books, DataFile
from lakelock.model.coverage import Coverage
from lakelock.model.evolutions import EVOLUTION, ColumnsChanged, encode
from lakelock.model.ledger import Ledger, Mode, Rollback
from lakelock.model.offsets import OffsetRange
from lakelock.ports import Change, CopyOrder, CopySlice, TableDefinition, TableState
from lakelock.ports.edits import Append, Reorganise, Restore, Rewrite
from lakelock.testing.catalog import MemoryCatalog
from lakelock.testing.kafka import MemoryCopier
from lakelock.testing.table_files import MemoryStorage
from lakelock.testing.table_reading import TAG
from lakelock.testing.tables import MemoryTables
from pyiceberg.table import Table
from pyiceberg.table.refs import SnapshotRefType
from pyiceberg.table.update import RemoveSnapshotsUpdate, SetSnapshotRefUpdate
from pyiceberg.types import LongType, StringType

ANOTHER = "0d0d0d0d-5a4e-4c9e-8f0e-6a54a1f2c001"
_number = count()


class TablesAgree(RuleBasedStateMachine):
    """Snapshots are named by the order in which they were made. `states` are earlier loads: commits on them race."""

    real: IcebergTables

    @initialize()
    def begin(self) -> None:
        self.name = f"shop.t{next(_number)}_{uuid.uuid4().hex[:6]}"
        ticks = count(1)
        self.catalog = MemoryCatalog(lambda: next(ticks), lambda: 0, clears_parents=True)
        self.memory = MemoryTables(self.catalog, INSTALLATION)
        self.ids: dict[int, int] = {}
        self.states: list[tuple[TableState, TableState]] = []
        self.loaded_at: dict[int, int] = {}
        self.both(lambda: self.real.load(self.name), lambda: self.memory.load(self.name))
        self.real.create(self.name, definition())
        self.memory.create(self.name, TableDefinition(()))
        self.load()

    @rule()
    def load(self) -> None:
        loaded = self.both(lambda: self.real.load(self.name), lambda: self.memory.load(self.name))
        if loaded is not None:
            self.states.append(loaded)
            self.loaded_at[id(loaded[1])] = len(self.ids)

    @rule(offsets=st.integers(0, 3), old=st.integers(0, 2))
    def commit(self, offsets: int, old: int) -> None:
        if not self.states:
            return
        real, memory = self.states[-1 - min(old, len(self.states) - 1)]
        if self._came_back(memory):
            return
        ledger = self._ledger(memory)
        start = max((h.end_offset for h in ledger.coverage.values()), default=0)
        books = [Books(OffsetRange(SOURCE, start, start + offsets), offsets, offsets)] if offsets else []
        ledger = replace(ledger, coverage=ledger.coverage.adding(books, {SOURCE: 0}, ledger.generation))
        self._commit(real, memory, ledger, books, list(range(start, start + offsets)))

    @rule(back=st.integers(1, 3), old=st.integers(0, 1))
    def roll_back(self, back: int, old: int) -> None:
        if not self.states:
            return
        real, memory = self.states[-1 - min(old, len(self.states) - 1)]
        if self._came_back(memory):
            return
        history = self.real.history(real)
        if memory.ledger is None or len(history) <= back:
            return
        onto = history[back].id
        ledger = self._ledger(memory)
        record = Rollback(1, 2, Mode.RECOMMIT, "me", "because")
        ledger = replace(ledger, generation=ledger.generation + 1, rollback=record)
        self._commit(real, memory, ledger, [], [], onto)

    @rule(old=st.integers(0, 1))
    def rewrite(self, old: int) -> None:
        """Our own compaction, of all files."""
        if not self.states:
            return
        real, memory = self.states[-1 - min(old, len(self.states) - 1)]
        if self._came_back(memory):
            return
        storage = IcebergStorage(self.real.border)
        theirs, mine = list(storage.live_files(real)), MemoryStorage(self.catalog).live_files(memory)
        assert sorted(f.rows for f in theirs) == sorted(f.rows for f in mine)
        if memory.ledger is None or len(theirs) < 2:
            return
        target = target_of(real, self.real.storage(real))
        one = CopySlice("[]", tuple((f.path, f.rows) for f in theirs))
        order = CopyOrder(str(uuid.uuid4()), target, (one,))
        files = copy_files(order, 0).files
        (reported,) = MemoryCopier(self.catalog).run(
            replace(order, slices=(replace(one, files=tuple((f.path, f.rows) for f in mine)),))
        )
        assert len(files) == len(reported.files) == 1
        change = Change(
            self._ledger(memory),
            None,
            Rewrite(tuple(f.path for f in theirs), files, real.head_sequence),
            keep_snapshots=1000,
            keep_younger_ms=0,
        )
        self._both_commit(
            real, memory, change, replace(change, edit=Rewrite(tuple(f.path for f in mine), reported.files))
        )

    @rule(old=st.integers(0, 1))
    def rewrite_manifests(self, old: int) -> None:
        """Ours, of all of them: in memory there are none, and nothing of what is there changes."""
        if not self.states:
            return
        real, memory = self.states[-1 - min(old, len(self.states) - 1)]
        if self._came_back(memory):
            return
        there = IcebergStorage(self.real.border).manifests(real)
        assert sum(m.files for m in there) == len(MemoryStorage(self.catalog).live_files(memory))
        if memory.ledger is None or not there:
            return
        described = Change(self._ledger(memory), None, keep_snapshots=1000, keep_younger_ms=0)
        self._both_commit(real, memory, replace(described, edit=Reorganise(tuple(m.path for m in there))), described)

    def _came_back(self, state: TableState) -> bool:
        """Whether the branch was set back to where it was at this load, and moved in between: a catalog refuses a commit on
        that, for snapshots are numbered; in memory they are not."""
        # Not loaded: where the history between branch and tag has expired, that is refused.
        now = self.catalog.get(self.name)
        head = now.head.snapshot_id if now.head else None
        same = (head, now.refs.get(TAG)) == (state.head_id, state.ledger_version and state.ledger_version.id)
        return same and self.loaded_at[id(state)] != len(self.ids)

    def _ledger(self, state: TableState) -> Ledger:
        commit_id = str(uuid.uuid4())
        if state.ledger is None:
            return Ledger(INSTALLATION, "p", commit_id, 0, "config", Coverage())
        return replace(state.ledger, commit_id=commit_id)

    def _commit(
        self,
        real: TableState,
        memory: TableState,
        ledger: Ledger,
        books: Sequence[Books],
        ids: Sequence[int],
        onto: int | None = None,
    ) -> None:
        files = write_files(real, ids) if ids else ()
        known = {v: k for k, v in self.ids.items()}
        mine = []
        for file, chosen in zip(files, _shares(files, ids), strict=True):
            mine.append(replace(file, path=self.catalog.new_file("f", tuple(("", "", "", 0, i) for i in chosen))))
        # Dead letters that became rows have the commit's id in place of a batch.
        batches = (ledger.commit_id if len(ids) % 2 else str(uuid.uuid4()),) if ids else ()
        changed = ColumnsChanged(self.name, (f"x{next(_number)}: new, long",), "record", "batch", "run")
        change = Change(
            ledger,
            {"name": "p"},
            Append(files) if onto is None else Restore(onto),
            batches,
            tuple(books),
            keep_snapshots=1000,
            keep_younger_ms=0,
            properties={} if ids else {EVOLUTION: encode(changed)},
        )
        described = replace(change, config=None, edit=Append(tuple(mine)) if onto is None else Restore(known[onto]))
        self._both_commit(real, memory, change, described)

    def _both_commit(self, real: TableState, memory: TableState, change: Change, described: Change) -> None:
        done = self.both(lambda: self.real.commit(real, change), lambda: self.memory.commit(memory, described))
        if done is not None:
            self.ids[done[1]] = done[0]
            self.same()

    # Others.

    @rule()
    def append(self) -> None:
        table = self._foreign()
        table.append(_row_of(table))
        before = set(self.catalog.get(self.name).snapshots)
        self.catalog.append(self.name)
        (new,) = set(self.catalog.get(self.name).snapshots) - before
        head = self._foreign().current_snapshot()
        assert head is not None
        self.ids[new] = head.snapshot_id
        self.same()

    @rule(back=st.integers(1, 3))
    def set_back(self, back: int) -> None:
        meta = self.catalog.get(self.name)
        past = meta.ancestry(meta.head)
        if len(past) <= back:
            return
        target = past[back].snapshot_id
        update = SetSnapshotRefUpdate.model_validate(
            {"ref-name": "main", "type": SnapshotRefType.BRANCH, "snapshot-id": self.ids[target]}
        )
        table = self._foreign()
        table.catalog.commit_table(table, (), (update,))
        self.catalog.set_back(self.name, target)
        self.same()

    @rule(keep=st.integers(1, 3))
    def expire(self, keep: int) -> None:
        before = self.catalog.get(self.name)
        self.catalog.expire(self.name, keep, files_too=False)
        gone = set(before.snapshots) - set(self.catalog.get(self.name).snapshots)
        if gone:
            table = self._foreign()
            update = RemoveSnapshotsUpdate.model_validate({"snapshot-ids": [self.ids[g] for g in gone]})
            table.catalog.commit_table(table, (), (update,))
        self.same()

    @rule()
    def columns(self) -> None:
        with self._foreign().update_schema() as change:
            change.add_column(f"c{next(_number)}", LongType())
        self.catalog.change_columns(self.name, self.catalog.get(self.name).variant)
        self.same()

    @rule()
    def other_columns(self) -> None:
        """A column that files have is dropped, and another one gets its name."""
        with self._foreign().update_schema() as change:
            change.delete_column("name")
        with self._foreign().update_schema() as change:
            change.add_column("name", StringType())
        self.catalog.change_columns(self.name, 1 - self.catalog.get(self.name).variant)
        self.same()

    @precondition(lambda self: self.states)
    @rule(stranger=st.booleans())
    def as_another(self, stranger: bool) -> None:
        """What an installation sees that does not own the table, or a recovery."""
        real, memory = self.real, self.memory
        if stranger:
            real, memory = real.for_pipeline("p", ANOTHER), memory.for_pipeline("p", ANOTHER)
        for detached in (False, True):
            self.both(
                partial(real.load, self.name, detached=detached), partial(memory.load, self.name, detached=detached)
            )

    # How they are compared.

    def _foreign(self) -> Table:
        return plain_catalog(self.real).load_table(self.name)

    def both(self, real: Callable[[], Any], memory: Callable[[], Any]) -> tuple[Any, Any] | None:
        """What both gave; None where both refused for the same reason."""
        said, reported = _outcome(real), _outcome(memory)
        if isinstance(said, str) or isinstance(reported, str):
            # What was refused may be unprovable once what was there instead has expired; a late commit stands for that.
            assert reported == said or (said, reported) == ("OutcomeUnknown", "CommitConflict")
            return None
        if isinstance(said, TableState):
            self._same_state(said, reported)
        return said, reported

    def same(self) -> None:
        self.both(lambda: self.real.load(self.name), lambda: self.memory.load(self.name))
        loaded = self.both(
            lambda: self.real.load(self.name, detached=True), lambda: self.memory.load(self.name, detached=True)
        )
        if loaded is None:
            return
        real, memory = loaded
        for theirs, mine in self.states:
            fits = self.real.misfits(real, {theirs.layout.token}) == {}
            assert fits == (self.memory.misfits(memory, {mine.layout.token}) == {})
        past, reported = self.real.history(real), self.memory.history(memory)
        assert [self.ids[s.id] for s in reported] == [s.id for s in past]
        assert [(s.pipeline, s.has_data) for s in reported] == [(s.pipeline, s.has_data) for s in past]
        for since_commit in (False, True):
            real_ones = self.real.columns_changed(real, since_commit=since_commit)
            memory_ones = self.memory.columns_changed(memory, since_commit=since_commit)
            assert [(self.ids[c.version_id], c.changes) for c in memory_ones] == [
                (c.version_id, c.changes) for c in real_ones
            ]
        for snapshot in reported:
            assert self.memory.own_since(memory, snapshot.id) == self.real.own_since(real, self.ids[snapshot.id])
            self.both(
                partial(_ledger_at, self.real, real, self.ids[snapshot.id]),
                partial(_ledger_at, self.memory, memory, snapshot.id),
            )
        there = sorted(r[4] for r in self.catalog.live(self.catalog.get(self.name)) if r is not None)
        scanned = raw(real).scan(selected_fields=("id",), snapshot_id=real.head_id).to_arrow() if past else None
        assert there == sorted(i for i in (scanned["id"].to_pylist() if scanned else ()) if i is not None and i >= 0)

    def _same_state(self, real: TableState, memory: TableState) -> None:
        assert memory.detached == real.detached
        assert memory.ledger == real.ledger
        assert memory.head_sequence == real.head_sequence
        for reported, said in (
            (memory.head, real.head), (memory.ledger_version, real.ledger_version),
        ):  # fmt: skip
            assert (self.ids[reported.id] if reported else None) == (said.id if said else None)
            assert (reported.sequence if reported else 0) == (said.sequence if said else 0)
        for commit_id in {memory.ledger.commit_id if memory.ledger else "none", "another"}:
            found = self.memory.find_commit(memory, commit_id)
            assert (self.ids[found] if found else None) == self.real.find_commit(real, commit_id)


def _outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except LakelockError as fault:
        return type(fault).__name__


def _ledger_at(tables: IcebergTables | MemoryTables, state: TableState, snapshot_id: int) -> tuple[Ledger | None]:
    return (tables.ledger_at(state, snapshot_id),)


def _row_of(table: Table) -> Any:
    import pyarrow as pa

    return pa.table({"id": pa.array([-1], pa.int64())})


def _shares(files: Sequence[DataFile], ids: Sequence[int]) -> list[Sequence[int]]:
    """Which ids are in which file: without partitions they are in order."""
    out: list[Sequence[int]] = []
    left = list(ids)
    for file in files:
        out.append(left[: file.rows])
        left = left[file.rows :]
    return out


def test_the_tables_in_memory_answer_as_iceberg_does(folder: Path) -> None:
    class Machine(TablesAgree):
        real = open_tables(
            {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/warehouse"}
        )

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=12,
            stateful_step_count=20,
            deadline=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )
