"""What errors say when the catalog, the warehouse or the login is wrong: the thing by name, never a secret."""

from __future__ import annotations

import os
import socket
import threading
import traceback
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from kits.iceberg import adopted, change, definition, open_tables
from lakelock.adapters.iceberg import pyiceberg_private as internals
from lakelock.adapters.iceberg.errors import Border, safe_uri
from lakelock.errors import AccessDenied, LakelockError, OutcomeUnknown, TableMissing, TableUnfit, Unreachable
from stack.postgres import Postgres

SECRET = "hunter2-is-planted"


def reported(caught: pytest.ExceptionInfo[LakelockError]) -> str:
    """Everything that a log would show."""
    return "".join(traceback.format_exception(caught.value))


def test_a_catalog_that_is_not_there_is_unreachable_by_name(folder: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    uri = f"postgresql+psycopg://lakelock:{SECRET}@127.0.0.1:{port}/iceberg"
    tables = open_tables({"type": "sql", "uri": uri, "warehouse": f"file://{folder}"})
    with pytest.raises(Unreachable, match=rf"127\.0\.0\.1:{port}/iceberg") as caught:
        tables.load("a.b")
    assert SECRET not in reported(caught)


def test_an_unknown_login_is_denied(postgres: Postgres, folder: Path) -> None:
    uri = f"postgresql+psycopg://nobody:{SECRET}@127.0.0.1:{postgres.port}/iceberg"
    tables = open_tables({"type": "sql", "uri": uri, "warehouse": f"file://{folder}"})
    with pytest.raises(AccessDenied, match="Check the login and its rights") as caught:
        tables.load("a.b")
    assert SECRET not in reported(caught)


def test_an_unknown_table_is_missing(catalog_properties: dict[str, str]) -> None:
    with pytest.raises(TableMissing, match=r"nowhere\.nothing"):
        open_tables(catalog_properties).load("nowhere.nothing")


def test_a_warehouse_that_cannot_be_written_is_named(folder: Path) -> None:
    (folder / "file").write_text("not a folder")
    tables = open_tables(
        {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/file/warehouse"}
    )
    with pytest.raises((Unreachable, AccessDenied), match="warehouse") as caught:
        tables.create("a.b", definition())
    assert f"{folder}/file" in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_warehouse_is_denied(folder: Path) -> None:
    tables = open_tables(
        {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/warehouse"}
    )
    state = adopted(tables, "a.b")
    metadata = folder / "warehouse" / "a" / "b" / "metadata"
    metadata.chmod(0o555)
    try:
        with pytest.raises(AccessDenied, match="warehouse"):
            tables.commit(state, change(state))
    finally:
        metadata.chmod(0o755)


def test_a_metadata_file_that_is_gone_is_named(folder: Path) -> None:
    properties = {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/warehouse"}
    open_tables(properties).create("a.b", definition())
    for path in folder.glob("warehouse/a/b/metadata/*"):
        path.unlink()
    with pytest.raises(Unreachable, match=r"metadata\.json"):
        open_tables(properties).load("a.b")


def test_a_metadata_file_that_is_garbage_is_unfit(folder: Path) -> None:
    properties = {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/warehouse"}
    open_tables(properties).create("a.b", definition())
    for path in folder.glob("warehouse/a/b/metadata/*"):
        path.write_text("{}")
    with pytest.raises(TableUnfit, match=r"a\.b"):
        open_tables(properties).load("a.b")


def test_a_catalog_that_dies_during_a_commit_leaves_it_unknown(
    new_postgres: Callable[[], Postgres], folder: Path
) -> None:
    server = new_postgres()
    uri = server.dsn("iceberg").replace("postgresql://", "postgresql+psycopg://")
    tables = open_tables({"type": "sql", "uri": uri, "warehouse": f"file://{folder}/warehouse"})
    state = adopted(tables, "a.b")
    server.kill()
    with pytest.raises(OutcomeUnknown, match="cannot be read now"):
        tables.commit(state, change(state, 0, 2))
    with pytest.raises(Unreachable):
        tables.load("a.b")
    server.start()
    again = tables.load("a.b")
    assert again.head_id == state.head_id
    tables.commit(again, change(again, 0, 2))


class Rest(BaseHTTPRequestHandler):
    """A REST catalog that answers what the test wants; `status` None: it never answers."""

    status: int | None = 200
    released = threading.Event()
    gave_up = False

    def do_GET(self) -> None:
        if self.status is None:
            type(self).gave_up = not self.released.wait(30)
            return
        body = b'{"defaults": {}, "overrides": {}}'
        if "/config" not in self.path:
            self.send_response(self.status)
            body = b'{"error": {"message": "no", "type": "T", "code": 1}}'
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def rest() -> Iterator[tuple[type[Rest], str]]:
    class OneRest(Rest):
        released = threading.Event()

    server = ThreadingHTTPServer(("127.0.0.1", 0), OneRest)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield OneRest, f"http://127.0.0.1:{server.server_port}"
    OneRest.released.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (401, AccessDenied),
        (403, AccessDenied),
        (404, TableMissing),
        (429, Unreachable),
        (500, Unreachable),
        (503, Unreachable),
    ],
)
def test_rest_statuses_become_errors_that_say_what_to_do(
    rest: tuple[type[Rest], str], status: int, expected: type[LakelockError]
) -> None:
    handler, uri = rest
    handler.status = status
    with pytest.raises(expected, match=uri.removeprefix("http://")) as caught:
        open_tables({"type": "rest", "uri": uri, "token": SECRET}).load("a.b")
    assert SECRET not in reported(caught)


def test_a_rest_catalog_that_hangs_is_unreachable(
    rest: tuple[type[Rest], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    handler, uri = rest
    handler.status = None
    monkeypatch.setattr(internals, "READ_TIMEOUT_S", 0.3)
    with pytest.raises(Unreachable, match=uri):
        open_tables({"uri": uri}).load("a.b")
    assert not handler.gave_up, "the client's own time-out ended it"


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        (f"postgresql+psycopg://u:{SECRET}@h:5432/db?password={SECRET}", "postgresql+psycopg://h:5432/db"),
        ("sqlite:////var/catalog.db", "sqlite:////var/catalog.db"),
        (f"https://u:{SECRET}@h/api?token={SECRET}", "https://h/api"),
    ],
)
def test_a_catalog_is_named_without_login_and_parameters(uri: str, expected: str) -> None:
    assert safe_uri(uri) == expected


@pytest.mark.parametrize(
    "key", ["credential", "token", "s3.secret-access-key", "oauth2.client-secret", "adls.sas-token"]
)
def test_secrets_are_cut_out_of_what_libraries_say(key: str) -> None:
    border = Border({"uri": "http://h", key: f"client:{SECRET}"})
    with pytest.raises(Unreachable) as caught, border.crossing("loading"):
        raise OSError(f"POST with {SECRET} failed")
    assert SECRET not in reported(caught)
    assert "***" in str(caught.value)
