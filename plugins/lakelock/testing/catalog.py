"""In-memory catalog of Iceberg tables: immutable metadata, one compare-and-swap, operations of foreign engines."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from lakelock.errors import TableMissing, TableUnfit
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange

MAIN = "main"
# (target table or "", topic, topic id, partition, offset); None is a row that lakelock did not write.
Row = tuple[str, str, str, int, int] | None


class Snap(NamedTuple):
    """One snapshot; `files` are all live ones, `batches`, `properties` and `ranges` those of the commit that created it."""

    snapshot_id: int
    parent: int | None
    sequence: int
    timestamp_ms: int
    files: tuple[str, ...]
    is_append: bool = True
    is_replace: bool = False
    ledger: Ledger | None = None
    batches: tuple[str, ...] = ()
    properties: Mapping[str, str] = {}
    ranges: tuple[OffsetRange, ...] = ()


class Meta(NamedTuple):
    """One version of a table's metadata. `variant` is the column that records of kind OLD or NEW need, since `variant_since`
    (a schema id). `extras` are columns by name, with their ids, and `dropped` those that it had."""

    name: str
    uuid: str
    schema_id: int
    variant: int
    properties: Mapping[str, str]
    snapshots: Mapping[int, Snap]
    refs: Mapping[str, int]
    last_sequence: int = 0
    last_ms: int = 0
    variant_since: int = 0
    extras: tuple[tuple[str, int], ...] = ()
    dropped: frozenset[str] = frozenset()
    partition_by: tuple[str, ...] = ()
    sort_by: tuple[str, ...] = ()

    @property
    def head(self) -> Snap | None:
        return self.snapshots.get(self.refs.get(MAIN, -1))

    def ancestry(self, start: Snap | None) -> list[Snap]:
        out = []
        while start is not None:
            out.append(start)
            start = self.snapshots.get(start.parent) if start.parent is not None else None
        return out


class MemoryCatalog:
    """Tables by name. `watch` is called with each change of a table: (before, after)."""

    def __init__(self, new_number: Callable[[], int], now_ms: Callable[[], int], clears_parents: bool = False) -> None:
        self.tables: dict[str, Meta] = {}
        self.rows: dict[str, tuple[Row, ...]] = {}
        self.deleted: set[str] = set()
        self.loaded: dict[Any, Any] = {}
        self.clears_parents = clears_parents
        self.new_number, self.now_ms = new_number, now_ms
        self.watch: Callable[[Meta, Meta], None] = lambda before, after: None

    def get(self, name: str) -> Meta:
        meta = self.tables.get(name)
        if meta is None:
            raise TableMissing(f"table {name} does not exist")
        return meta

    def create(self, name: str, properties: Mapping[str, str] = MappingProxyType({})) -> None:
        if name not in self.tables:
            self.tables[name] = Meta(name, f"uuid-{self.new_number()}", 0, 0, properties, {}, {})

    def swap(self, before: Meta, after: Meta) -> None:
        """Replace the metadata unconditionally: callers check their requirements first."""
        self.tables[after.name] = after
        self.watch(before, after)

    def new_file(self, stem: str, rows: tuple[Row, ...]) -> str:
        path = f"{stem}-{self.new_number()}"
        self.rows[path] = rows
        return path

    def live(self, meta: Meta) -> list[Row]:
        return self.shown(meta.head) if meta.head else []

    def shown(self, snap: Snap) -> list[Row]:
        return [row for path in snap.files for row in self.rows[path]]

    def read(self, paths: Sequence[str]) -> list[Row]:
        """Rows of *paths*, read like an engine that opens each file."""
        if gone := [path for path in paths if path in self.deleted]:
            raise TableUnfit(f"data file {gone[0]} is gone")
        return [row for path in paths for row in self.rows[path]]

    # Operations of other writers.

    def append(self, name: str, stem: str = "foreign", rows: tuple[Row, ...] = (None,)) -> None:
        meta = self.get(name)
        head = meta.head
        files = (*(head.files if head else ()), self.new_file(stem, rows))
        self._add(meta, files, is_append=True)

    def compact(self, name: str) -> None:
        """Rewrite all rows into one new file."""
        meta = self.get(name)
        if meta.head and len(meta.head.files) > 1:
            self._add(meta, (self.new_file("compacted", tuple(self.live(meta))),), is_append=False)

    def _add(self, meta: Meta, files: tuple[str, ...], *, is_append: bool) -> None:
        number, now = self.new_number(), max(self.now_ms(), meta.last_ms + 1)
        parent = meta.refs.get(MAIN)
        snap = Snap(number, parent, meta.last_sequence + 1, now, files, is_append, not is_append)
        self.swap(meta, added(meta, snap, {MAIN: number}))

    def drop(self, name: str) -> None:
        del self.tables[self.get(name).name]

    def rename(self, name: str, new: str) -> None:
        self.tables[new] = self.get(name)._replace(name=new)
        self.drop(name)

    def set_back(self, name: str, snapshot_id: int) -> None:
        """Roll back by hand: move the branch but not the tag."""
        meta = self.get(name)
        self.swap(meta, meta._replace(refs={**meta.refs, MAIN: snapshot_id}, last_ms=meta.last_ms + 1))

    def expire(self, name: str, keep: int, *, files_too: bool) -> None:
        """Expire all but the newest *keep* snapshots of the branch and those with a ref; *files_too* deletes files."""
        meta = self.get(name)
        kept = {s.snapshot_id for s in meta.ancestry(meta.head)[:keep]} | set(meta.refs.values())
        self.swap(meta, removed(meta, set(meta.snapshots) - kept, self.clears_parents))
        named = {f for s in self.tables[name].snapshots.values() for f in s.files}
        if files_too:
            self.deleted |= {f for s in meta.snapshots.values() for f in s.files} - named

    def change_columns(self, name: str, variant: int) -> None:
        """With the variant that it has, a column is added that no record needs."""
        meta = self.get(name)
        schema_id = meta.schema_id + 1
        since = meta.variant_since if variant == meta.variant else schema_id
        after = meta._replace(schema_id=schema_id, variant=variant, variant_since=since, last_ms=meta.last_ms + 1)
        self.swap(meta, after)

    def with_extras(self, meta: Meta, names: Collection[str]) -> Meta:
        """*meta* after columns of these names were added or dropped."""
        kept = tuple((name, number) for name, number in meta.extras if name in names)
        new = tuple((name, self.new_number()) for name in sorted(names) if name not in dict(meta.extras))
        gone = (meta.dropped | dict(meta.extras).keys()) - set(names)
        return meta._replace(schema_id=meta.schema_id + 1, extras=(*kept, *new), dropped=gone)

    def change_extras(self, name: str, names: Collection[str]) -> None:
        meta = self.get(name)
        self.swap(meta, self.with_extras(meta, names)._replace(last_ms=meta.last_ms + 1))

    def register(self, meta: Meta) -> None:
        """Register a dropped table's newest metadata under its old name."""
        if meta.name in self.tables:
            raise ValueError(f"table {meta.name} exists")
        self.tables[meta.name] = meta


def added(meta: Meta, snap: Snap, refs: Mapping[str, int]) -> Meta:
    return meta._replace(
        snapshots={**meta.snapshots, snap.snapshot_id: snap},
        refs={**meta.refs, **refs},
        last_sequence=snap.sequence,
        last_ms=snap.timestamp_ms,
    )


def removed(meta: Meta, gone: set[int], clears_parents: bool) -> Meta:
    """Remove snapshots; some catalogs then clear the parent of their children, others leave it dangling."""
    kept = {
        i: s._replace(parent=None) if clears_parents and s.parent in gone else s
        for i, s in meta.snapshots.items()
        if i not in gone
    }
    return meta._replace(snapshots=kept)
