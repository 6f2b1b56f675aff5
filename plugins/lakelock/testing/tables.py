"""`lakelock.ports.Tables` over the catalog in memory, deciding and refusing as adapters/iceberg does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from lakelock.errors import CommitConflict, LedgerDetached, TableUnfit
from lakelock.model import ledger as codec
from lakelock.model.batches import DataFile
from lakelock.model.counts import Counted, Letters
from lakelock.model.coverage import Coverage, SourceCoverage
from lakelock.model.ledger import Ledger, LedgerFacts
from lakelock.model.offsets import OffsetRange, Source, overlap, united
from lakelock.model.table_files import Compared, FileLook, LiveFile, OfTime, PastSnapshot, RowsOf
from lakelock.ports import Change, LetterFiles, OpenLetters, TableDefinition, TableState
from lakelock.records.reasons import CountedCause
from lakelock.testing.catalog import MAIN, Catalog, Meta, Row, Snap, added, removed
from lakelock.upkeep.expiry_decision import Past, expirable, reach

PIPELINE = "p"
TAG = codec.tag_name(PIPELINE)
OWNER = codec.owner_property(PIPELINE)


@lru_cache(maxsize=64)
def schema_of(variant: int) -> Mapping[str, object]:
    names = (("_kafka_partition", "int"), ("_kafka_offset", "long"), ("_kafka_timestamp", "timestamptz"))
    fields = [{"name": n, "type": t, "id": i, "required": False} for i, (n, t) in enumerate(names, 1)]
    fields.append({"name": f"v{variant}", "type": "long", "id": 10 + variant, "required": False})
    return {"type": "struct", "fields": fields, "variant": variant}


class MemoryTables:
    def __init__(self, catalog: Catalog, installation_id: str) -> None:
        self.catalog, self.installation_id = catalog, installation_id

    def for_pipeline(self, pipeline: str, installation_id: str) -> MemoryTables:
        return type(self)(self.catalog, installation_id)

    def load(self, name: str, *, detached: bool = False) -> TableState:
        meta = self.catalog.get(name)
        # Metadata never changes: what it looked like once, it looks like always.
        key = (id(meta), self.installation_id, detached)
        if key not in self.catalog.loaded:
            self.catalog.loaded[key] = self._state(meta, detached)
        state: TableState = self.catalog.loaded[key]
        return state

    def _state(self, meta: Meta, detached: bool) -> TableState:
        head, tagged = meta.head, meta.snapshots.get(meta.refs.get(TAG, -1))
        attached = tag_in_ancestry(meta) if tagged else False
        return TableState(
            meta.name,
            meta.uuid,
            f"mem://{meta.name}",
            meta.schema_id,
            0,
            schema_of(meta.variant),
            {},
            {},
            meta.properties,
            head.snapshot_id if head else None,
            head.timestamp_ms if head else None,
            self._ledger(meta, tagged, True if detached and attached is False else attached),
            meta,
            tagged is not None and attached is not True,
            tagged.snapshot_id if tagged else None,
            head.sequence if head else 0,
        )

    def _ledger(self, meta: Meta, tagged: Snap | None, attached: bool | None) -> Ledger | None:
        owner = meta.properties.get(OWNER)
        if tagged is not None and tagged.ledger is not None and attached is True:
            mine = self.installation_id
            if owner == mine == tagged.ledger.installation_id:
                return tagged.ledger
        # Whatever is not as it should be is judged by the product.
        text = summary_of(tagged) if tagged else None
        return codec.resolve(LedgerFacts(meta.name, owner, text, attached), PIPELINE, self.installation_id)

    def owner(self, name: str) -> str | None:
        return self.catalog.get(name).properties.get(OWNER)

    def way_back(self, name: str, uuid: str | None, data_files: Sequence[str]) -> str:
        return f"Register {name} again"

    def history(self, state: TableState) -> list[PastSnapshot]:
        meta = _meta(state)
        return [
            PastSnapshot(s.snapshot_id, s.timestamp_ms, s.ledger.pipeline if s.ledger else None, bool(s.batches))
            for s in meta.ancestry(meta.head)
        ]

    def ledger_at(self, state: TableState, snapshot_id: int) -> Ledger | None:
        meta = _meta(state)
        last = meta.snapshots.get(snapshot_id)
        for snap in meta.ancestry(last):
            last = snap
            if snap.ledger is not None:
                return snap.ledger
        if last is None or last.sequence > 1:
            raise LedgerDetached(f"{meta.name}: what the table held at snapshot {snapshot_id} is not known")
        return None

    def create(self, name: str, definition: TableDefinition) -> None:
        self.catalog.create(name)

    def commit(self, state: TableState, change: Change) -> int:
        before = _meta(state)
        now = self.catalog.tables.get(before.name)
        if now is None or self._moved(before, now):
            raise CommitConflict(f"{before.name}: commit {change.ledger.commit_id} was refused: the table moved")
        snap, after = self.draft(before, change)
        # What moved beside the requirements stays.
        after = self._onto(now, snap, after) if now is not before else after
        self.catalog.swap(now, after)
        return snap.snapshot_id

    def draft(self, meta: Meta, change: Change) -> tuple[Snap, Meta]:
        head = meta.head
        base = head if change.onto_snapshot_id is None else meta.snapshots[change.onto_snapshot_id]
        files = tuple(f for f in (base.files if base else ()) if f not in change.replaces)
        if change.replaces and (base is None or len(base.files) - len(files) != len(change.replaces)):
            raise TableUnfit(f"{meta.name}: files that are to be replaced are not in it once")
        timestamp = max(self.catalog.now_ms(), meta.last_ms + 1, head.timestamp_ms + 1 if head else 0)
        snap = Snap(
            self.catalog.new_number(),
            base.snapshot_id if base else None,
            meta.last_sequence + 1,
            timestamp,
            (*files, *(f.path for f in change.files)),
            not change.replaces,
            bool(change.replaces) and not change.overwrites,
            change.ledger,
            change.batch_ids,
        )
        after = added(meta, snap, self._refs(snap))
        after = after._replace(properties={**meta.properties, OWNER: change.ledger.installation_id})
        if base is head:
            gone = set(_expired(meta, change.keep_snapshots, snap))
            after = removed(after, gone, self.catalog.clears_parents) if gone else after
        return snap, after

    def _moved(self, before: Meta, now: Meta) -> bool:
        """Whether one of the requirements no longer holds."""
        return (
            now.uuid != before.uuid
            or now.refs.get(MAIN) != before.refs.get(MAIN)
            or now.refs.get(TAG) != before.refs.get(TAG)
            or now.schema_id != before.schema_id
        )

    def _refs(self, snap: Snap) -> dict[str, int]:
        return {MAIN: snap.snapshot_id, TAG: snap.snapshot_id}

    def _onto(self, now: Meta, snap: Snap, after: Meta) -> Meta:
        """The same updates on metadata that others moved beside the requirements (they expired snapshots)."""
        merged = added(now, snap._replace(sequence=now.last_sequence + 1), self._refs(snap))
        gone = set(now.snapshots) - set(after.snapshots) - {snap.snapshot_id}
        return removed(merged._replace(properties=after.properties), gone, self.catalog.clears_parents)

    def find_commit(self, state: TableState, commit_id: str) -> int | None:
        meta = _meta(state)
        found = (s for s in meta.ancestry(meta.head) if s.ledger is not None and s.ledger.commit_id == commit_id)
        return next((s.snapshot_id for s in found), None)

    def others(self, state: TableState) -> Mapping[str, Coverage]:
        return {}

    def dead_letters(
        self, state: TableState, target: str, ranges: Sequence[OffsetRange]
    ) -> frozenset[tuple[str, int, int]]:
        out: set[tuple[str, int, int]] = set()
        for path in _files(state):
            wanted = [row for row in self.catalog.rows[path] if row is not None and _is_letter(row, target, ranges)]
            # A file of others is not opened.
            if wanted:
                self.catalog.read([path])
            out |= {(row[1], row[3], row[4]) for row in wanted}
        return frozenset(out)

    def count_rows(
        self, state: TableState, columns: tuple[str, str], held: Mapping[int, SourceCoverage]
    ) -> dict[int | None, Counted]:
        found: dict[int | None, list[int]] = {}
        for row in self.catalog.read(_files(state)):
            found.setdefault(None if row is None else row[3], []).append(-1 if row is None else row[4])
        return {number: _counted(offsets, held.get(number)) for number, offsets in found.items()}  # type: ignore[arg-type]

    def count_dead_letters(
        self, state: TableState, target: str, held: Mapping[Source, SourceCoverage]
    ) -> dict[Source, Letters]:
        found: dict[Source, list[int]] = {}
        for row in self.catalog.read(_files(state)):
            if row is not None and row[0] == target:
                source = Source(row[1], row[2], row[3])
                there = held.get(source)
                if there and any(i.start <= row[4] < i.end for i in there.data):
                    found.setdefault(source, []).append(row[4])
        return {source: Letters(len(offsets), len(set(offsets))) for source, offsets in found.items()}

    def letter_causes(self, state: TableState, target: str, most: int) -> list[CountedCause]:
        """Records here fit or do not, for no reason."""
        return []

    def storage(self, state: TableState) -> Mapping[str, str]:
        return {}

    def missing_files(self, state: TableState, files: Sequence[DataFile]) -> list[str]:
        return [f.path for f in files if f.path in self.catalog.deleted]


class MemoryStorage:
    """What of `lakelock.ports.Storage` compactions and replaces ask for. A file's size is that of its rows."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    def live_files(self, state: TableState) -> list[LiveFile]:
        head = _meta(state).head
        return [LiveFile(f, 0, "[]", n := len(self.catalog.rows[f]), n, 0) for f in (head.files if head else ())]

    def live_among(self, state: TableState, paths: Collection[str], read: dict[str, Any]) -> list[LiveFile]:
        return [f for f in self.live_files(state) if f.path in paths]

    def unfit(self, state: TableState, files: Sequence[LiveFile]) -> Mapping[str, str]:
        return {f.path: "its file is gone" for f in files if f.path in self.catalog.deleted}

    def candidates(self, state: TableState, rows: RowsOf) -> list[LiveFile]:
        return self.live_files(state)

    def inside(self, state: TableState, rows: RowsOf, paths: Sequence[str]) -> Mapping[str, int]:
        if gone := [p for p in paths if p in self.catalog.deleted]:
            raise TableUnfit(f"{gone[0]} is gone")
        return {p: n for p in paths if (n := sum(is_of(row, rows) for row in self.catalog.rows[p]))}

    def of_time(
        self, state: TableState, rows: RowsOf, moment: str | None, between_ms: tuple[int, int]
    ) -> Mapping[int, OfTime]:
        """No row says what its time is."""
        places = self._places([f.path for f in self.candidates(state, rows)], rows)
        out = {}
        for number in {n for n, _ in places}:
            offsets = [o for n, o in places if n == number]
            out[number] = OfTime(len(offsets), min(offsets), max(offsets), timeless=len(offsets))
        return out

    def compared(
        self, state: TableState, rows: RowsOf, old: Sequence[str], new: Collection[str]
    ) -> Mapping[int, Compared]:
        before, after = (Counter(self._places(paths, rows)) for paths in (old, new))
        out = {}
        for number in {n for n, _ in {*before, *after}}:
            was, now = ({o: c for (n, o), c in one.items() if n == number} for one in (before, after))
            twice = {o for one in (was, now) for o, c in one.items() if c > 1}
            lost, more = was.keys() - now.keys(), now.keys() - was.keys()
            firsts = (min(some, default=None) for some in (twice, lost, more))
            counts = (sum(was.values()), sum(now.values()), len(twice), len(lost), len(more))
            out[number] = Compared(*counts, *firsts)
        return out

    def _places(self, paths: Collection[str], rows: RowsOf) -> list[tuple[int, int]]:
        return [row[3:5] for p in paths for row in self.catalog.rows[p] if row is not None and is_of(row, rows)]

    def spec(self, state: TableState, spec_id: int) -> Mapping[str, object]:
        return {}


class MemoryLetters:
    """`lakelock.ports.LetterBox`."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    def open(
        self, state: TableState, target: str, within: Sequence[OffsetRange], reason: str | None, most: int
    ) -> OpenLetters:
        head = _meta(state).head
        if head is not None and any(f in self.catalog.deleted for f in head.files):
            raise TableUnfit(f"{state.name}: a data file is gone")
        there = [
            OffsetRange(Source(row[1], row[2], row[3]), row[4], row[4] + 1)
            for row in (self.catalog.shown(head) if head else ())
            if row is not None and row[0] == target
        ]
        return OpenLetters(tuple(united(overlap(there, within)))[: most + 1])

    def files(self, state: TableState, target: str) -> LetterFiles:
        head = _meta(state).head
        return LetterFiles(state.name, tuple(FileLook(f, 1, 1, None) for f in (head.files if head else ())), {}, {})


def _files(state: TableState) -> tuple[str, ...]:
    """Of the snapshot that the state names, which need not be the newest."""
    return _meta(state).snapshots[state.head_snapshot_id].files if state.head_snapshot_id is not None else ()


def _is_letter(row: tuple[str, str, str, int, int], target: str, ranges: Sequence[OffsetRange]) -> bool:
    return row[0] == target and any(
        row[1:4] == (r.source.topic, r.source.topic_id, r.source.partition) and r.start <= row[4] < r.end
        for r in ranges
    )


def is_of(row: Row, rows: RowsOf) -> bool:
    return row is not None and any(row[3] == n and a <= row[4] < b for n, a, b in rows.numbers)


def tag_in_ancestry(meta: Meta) -> bool | None:
    """As `Handle.tag_in_ancestry`."""
    tagged = meta.snapshots.get(meta.refs.get(TAG, -1))
    if tagged is None or meta.head is None:
        return False
    for snap in meta.ancestry(meta.head):
        if snap.snapshot_id == tagged.snapshot_id:
            return True
        if snap.sequence <= tagged.sequence:
            return False
    return None


def summary_of(snap: Snap) -> dict[str, str]:
    return codec.summary(snap.ledger, snap.batches, ()) if snap.ledger else {}


def _expired(meta: Meta, keep: int, by: Snap) -> list[int]:
    history = [Past(s.snapshot_id, s.is_append, s.is_replace) for s in (by, *meta.ancestry(meta.head))]
    return expirable(history, reach((s.is_replace for s in history), keep), set(meta.refs.values()))


def _offsets(rows: Iterable[Row], wanted: OffsetRange) -> list[int]:
    number, start, end = wanted.source.partition, wanted.start, wanted.end
    return sorted(row[4] for row in rows if row is not None and row[3] == number and start <= row[4] < end)


def _counted(offsets: Sequence[int], held: SourceCoverage | None) -> Counted:
    inside = [o for o in offsets if held and any(i.start <= o < i.end for i in held.data)]
    return Counted(len(offsets), len(set(offsets)), len(offsets) - len(inside))


def _meta(state: TableState) -> Meta:
    assert isinstance(state.handle, Meta)
    return state.handle
