"""Rows of the write-ahead log in memory: immutable, so that a transaction or a backup is a copy of a few maps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lakelock.model.batches import Books, Closing, DataFile, TableIdentity
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import FOREVER, OffsetRange, Source
from lakelock.model.retirement import NEVER, Retirement
from lakelock.model.valid_through import Survey


class Stream(NamedTuple):
    stream_id: int
    lane: str
    source: Source
    start: int
    next: int
    retired: int | None = None

    @property
    def known_end(self) -> int:
        if self.next < FOREVER:
            return self.next
        return self.start if self.retired is None else self.retired


class BatchRow(NamedTuple):
    no: int
    batch_id: str
    lane: str
    digest: str
    attempt: str | None = None
    run: str | None = None
    heartbeat_at: float = 0.0
    closed: bool = True
    closing: Closing | None = None
    closed_at: float = 0.0
    closed_by: str | None = None
    planned_at: float = 0.0


class AttemptRow(NamedTuple):
    started_at: float
    ended: bool = False
    released: bool = False


class RangeRow(NamedTuple):
    range: OffsetRange
    stream_id: int
    epoch: int | None
    open: bool = True


class PartRow(NamedTuple):
    part_id: int
    no: int
    table: str
    target: str
    topics: tuple[str, ...]
    state: str
    attempt: str | None = None
    identity: TableIdentity | None = None
    files: tuple[DataFile, ...] = ()
    books: tuple[Books, ...] = ()
    staged_at: float = 0.0
    restaged: bool = False
    snapshot_id: int | None = None
    commit_id: str | None = None


class TableRow(NamedTuple):
    """Row of a table; `is_first`: its ledger was stored before the table was bound."""

    topics: tuple[str, ...] = ()
    uuid: str | None = None
    generation: int | None = None
    covered: int = 0
    ledger: Ledger | None = None
    ledger_at: float = 0.0
    awaited: int | None = None
    is_first: bool = False
    raw_name: str | None = None
    retirement: Retirement = NEVER


class LogRows:
    """All tables of the log. `attempts` are by batch and attempt; `starts` is `table_streams`."""

    __slots__ = (
        "attempts", "batch_nos", "batches", "configs", "installation_id", "last_id", "left_out", "parts", "ranges", "recovering",
        "recovery", "starts", "stream_ids", "streams", "surveys", "tables",
    )  # fmt: skip

    def __init__(self, installation_id: str) -> None:
        self.installation_id = installation_id
        self.last_id = 0
        # The operator now recovering, and the token of the recovery that began last.
        self.recovering: str | None = None
        self.recovery: str | None = None
        # Routed tables that it was without.
        self.left_out: frozenset[str] = frozenset()
        self.configs: dict[str, tuple[Mapping[str, object], float]] = {}
        self.streams: dict[int, Stream] = {}
        self.stream_ids: dict[tuple[str, str, int], int] = {}
        self.batches: dict[int, BatchRow] = {}
        self.batch_nos: dict[str, int] = {}
        self.attempts: dict[tuple[int, str], AttemptRow] = {}
        self.ranges: dict[int, tuple[RangeRow, ...]] = {}
        self.parts: dict[int, PartRow] = {}
        self.tables: dict[str, TableRow] = {}
        self.starts: dict[tuple[int, str, str], int] = {}
        self.surveys: dict[str, Survey | None] = {}

    def copy(self) -> LogRows:
        out = LogRows.__new__(LogRows)
        out.installation_id, out.last_id = self.installation_id, self.last_id
        out.recovering, out.recovery, out.left_out = self.recovering, self.recovery, self.left_out
        for name in (
            "configs", "streams", "stream_ids", "batches", "batch_nos", "attempts", "ranges", "parts", "tables", "starts",
            "surveys",
        ):  # fmt: skip
            setattr(out, name, getattr(self, name).copy())
        return out
