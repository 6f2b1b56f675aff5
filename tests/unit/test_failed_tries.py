"""A Postgres that is away for a while is reported once, not once for each try."""

from __future__ import annotations

import logging
from typing import Any

import psycopg
import pytest
from lakelock.adapters.wal import session
from lakelock.adapters.wal.session import FailedTries, Session
from lakelock.errors import Unreachable


def test_one_warning_for_each_message_and_one_with_the_count_at_the_end() -> None:
    lines: list[str] = []
    failed = FailedTries(lines.append)
    for message in ("It is gone.", "It is gone.", "It is gone.", "It starts.", "It starts."):
        failed.add(message)
    failed.end("reading succeeded")
    assert lines == [
        "It is gone. Trying again.",
        "It starts. Trying again. Failed tries: 4.",
        "reading succeeded after 5 failed tries",
    ]


def test_work_that_succeeds_at_once_is_not_reported() -> None:
    lines: list[str] = []
    FailedTries(lines.append).end("reading succeeded")
    assert lines == []


class Away:
    """A server that answers once, and then again after *tries* refused connections."""

    name = "db:5432/lakelock"

    def __init__(self, tries: int) -> None:
        self.tries, self.connections = tries, 0

    def connect(self) -> Any:
        self.connections += 1
        if 1 < self.connections <= 1 + self.tries:
            raise psycopg.OperationalError("refused")
        return Connection()

    def translate(self, fault: psycopg.Error, doing: str) -> Unreachable:
        return Unreachable(f"{self.name}: no answer ({fault}).")


class Connection:
    closed = False

    def execute(self, _: bytes) -> None: ...

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def open_session(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Session:
    """A session that has lost its connection."""
    monkeypatch.setattr(session, "refuse_unready", lambda connection, where: None)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    caplog.set_level(logging.WARNING)
    server: Any = Away(tries=25)
    one = Session(server, patience_s=60.0)
    assert one.run("reading", lambda connection: 1) == 1
    one.close()
    return one


def test_a_server_that_comes_back_is_reported_twice(open_session: Session, caplog: pytest.LogCaptureFixture) -> None:
    assert open_session.run("reading", lambda connection: 2) == 2
    assert [r.message for r in caplog.records] == [
        "db:5432/lakelock: no answer (refused). Trying again.",
        "db:5432/lakelock: reading succeeded after 25 failed tries",
    ]


def test_a_server_that_stays_away_is_reported_twice(
    open_session: Session, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([0.0, *[1.0] * 10, 99.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock, 99.0))
    with pytest.raises(Unreachable):
        open_session.run("reading", lambda connection: 2)
    assert [r.message for r in caplog.records] == [
        "db:5432/lakelock: no answer (refused). Trying again.",
        "db:5432/lakelock: reading failed after 10 failed tries",
    ]
