"""What tests of the write-ahead log share: batches and parts to record, and a proxy that cuts a connection at COMMIT."""

from __future__ import annotations

import json
import socket
import threading
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal

import psycopg
from lakelock.adapters.wal import PostgresLog
from lakelock.model.batches import LIVE, Batch, Books, DataFile, PartResult, PlannedRange, StagedPart, TableIdentity
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Redo
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.valid_through import Survey
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import dict_row

from kits.coverage import booked

PIPELINE = "shop"
TABLE = "lake.orders"
DEAD_LETTERS = "lake.shop__dead_letters"
CONFIG: Mapping[str, object] = {"tables": [{"name": TABLE}], "columns": {"z": 1, "a": 2}}


def source(partition: int = 0, topic: str = "orders") -> Source:
    return Source(topic, f"id-of-{topic}", partition)


def planned(*ranges: tuple[Source, int, int]) -> list[PlannedRange]:
    return [PlannedRange(OffsetRange(s, start, end), 7) for s, start, end in ranges]


def plan(
    log: PostgresLog,
    *ranges: tuple[Source, int, int],
    tables: Mapping[str, Sequence[str]] | None = None,
    starts: Mapping[Source, int] | None = None,
    batch_id: str | None = None,
    pipeline: str = PIPELINE,
    lane: str = LIVE,
    digest: str = "digest-1",
    config: Mapping[str, object] = CONFIG,
    survey: Survey | None = None,
    closed: bool = True,
) -> Batch:
    """Plans a batch; a range that begins at 0 declares its source, unless *starts* says otherwise."""
    return log.plan(
        pipeline,
        lane,
        batch_id or str(uuid.uuid4()),
        config,
        digest,
        planned(*ranges),
        {s: 0 for s, start, _ in ranges if start == 0} if starts is None else starts,
        {TABLE: ["orders"]} if tables is None else tables,
        survey,
        closed=closed,
    )


def part(
    batch: Batch, table: str = TABLE, *, files: int = 1, dead: int = 0, generation: int = 0, topic: str = "orders"
) -> PartResult:
    """A data part over all ranges of *topic*, one row an offset but for *dead* letters in each range."""
    ranges = [p.range for p in batch.ranges if p.range.source.topic == topic]
    books = tuple(Books(r, r.offsets, r.offsets - dead, dead, 0, r.start, r.end) for r in ranges)
    rows = sum(b.written for b in books)
    shares = [rows // files + (1 if i < rows % files else 0) for i in range(files)]
    return PartResult(table, identity(generation), tuple(new_file(share) for share in shares), books)


def dead_letters(
    batch: Batch, target: str = TABLE, *, count: int = 1, ranges: Sequence[OffsetRange] = ()
) -> PartResult:
    """The dead letters of *target*: *count* in each of *ranges* (default: the batch's first)."""
    books = tuple(Books(r, count, count) for r in ranges or [batch.ranges[0].range])
    return PartResult(DEAD_LETTERS, identity(), (new_file(count * len(books)),), books, target=target)


def identity(generation: int = 0) -> TableIdentity:
    return TableIdentity("uuid-1", generation, "schema 3 (0123), partition spec 1")


def new_file(rows: int) -> DataFile:
    path = f"file:///warehouse/{uuid.uuid4()}.parquet"
    return DataFile(path, rows, rows * 100, json.dumps({"record_count": rows, "lower_bounds": {"1": "AAAA"}}).encode())


def ledger(log: PostgresLog, *ranges: OffsetRange, commit_id: str = "commit-1", generation: int = 0) -> Ledger:
    coverage = Coverage().adding(booked(*ranges), {}, generation)
    return Ledger(log.installation_id(), PIPELINE, commit_id, generation, "digest-1", coverage)


def stage(log: PostgresLog, batch: Batch, *parts: PartResult, attempt: str = "attempt-1", run: str = "run-1") -> None:
    log.claim(batch.batch_id, attempt, run, 30)
    log.stage(batch.batch_id, attempt, parts or (part(batch),))


def one_staged(log: PostgresLog, table: str = TABLE) -> StagedPart:
    (only,) = log.staged(PIPELINE, table)
    return only


def commit(log: PostgresLog, parts: Sequence[StagedPart], version_id: int | None = 11) -> None:
    log.committed(parts, version_id, "commit-1", ledger(log, *(r for p in parts for r in p.ranges)))


def abort(log: PostgresLog, part: StagedPart, reason: str) -> None:
    """Gives the part up, and plans nothing in its place."""
    log.plan_instead(PIPELINE, part, reason, (), redo())


def redo(dead_letters: Coverage | None = None, max_offsets: int = 1_000) -> Redo:
    return Redo(CONFIG, "digest-1", max_offsets, dead_letters or Coverage(), lambda: str(uuid.uuid4()), lambda *_: True)


def sql(dsn: str, text: str, *values: object) -> list[dict[str, Any]]:
    """Rows of one statement, run beside the log."""
    with psycopg.connect(dsn, autocommit=True, row_factory=dict_row) as connection:
        cursor = connection.execute(text.encode(), values or None)
        return cursor.fetchall() if cursor.description else []


Cut = Literal["before", "after", "held"]


class CommitCutter:
    """A TCP proxy that breaks one connection at a COMMIT: before Postgres gets it, or after Postgres has done it.

    With "held", the client loses its connection, and Postgres gets the COMMIT only with `deliver`. `then` are cuts that
    follow, one a COMMIT.
    """

    def __init__(self, dsn: str) -> None:
        address = conninfo_to_dict(dsn)
        self._upstream = (str(address["host"]), int(str(address["port"])))
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.dsn = make_conninfo(dsn, port=self.port)
        self.cut: Cut | None = None
        self.then: list[Cut] = []
        self._held: list[tuple[socket.socket, bytes]] = []
        self.refusing = False
        self.cuts = 0
        self._sockets: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listening.close()
        self.drop()

    def hold(self, server: socket.socket, data: bytes) -> None:
        self._held.append((server, data))

    def deliver(self) -> None:
        """Sends Postgres what was held."""
        while self._held:
            server, data = self._held.pop()
            server.sendall(data)

    def drop(self) -> None:
        """Breaks all connections there are."""
        while self._sockets:
            _shut(self._sockets.pop())

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            if self.refusing:
                client.close()
                continue
            server = socket.create_connection(self._upstream)
            self._sockets += [client, server]
            link = _Link(self, client, server)
            threading.Thread(target=link.requests, daemon=True).start()
            threading.Thread(target=link.answers, daemon=True).start()


class _Link:
    def __init__(self, cutter: CommitCutter, client: socket.socket, server: socket.socket) -> None:
        self.cutter, self.client, self.server = cutter, client, server
        self.swallow = False

    def requests(self) -> None:
        for data in _read(self.client):
            if b"COMMIT\x00" in data and self.cutter.cut:
                how, self.cutter.cut = self.cutter.cut, self.cutter.then.pop(0) if self.cutter.then else None
                self.cutter.cuts += 1
                if how == "before":
                    break
                if how == "held":
                    # The connection to Postgres stays, in the middle of its transaction.
                    self.cutter.hold(self.server, data)
                    _shut(self.client)
                    return
                self.swallow = True
            with suppress(OSError):
                self.server.sendall(data)
        self.end()

    def answers(self) -> None:
        for data in _read(self.server):
            if self.swallow:
                break
            with suppress(OSError):
                self.client.sendall(data)
        self.end()

    def end(self) -> None:
        _shut(self.client)
        _shut(self.server)


def _read(stream: socket.socket) -> Any:
    while True:
        try:
            data = stream.recv(65536)
        except OSError:
            return
        if not data:
            return
        yield data


def _shut(stream: socket.socket) -> None:
    with suppress(OSError):
        stream.shutdown(socket.SHUT_RDWR)
    stream.close()
