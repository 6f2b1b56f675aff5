"""A proxy before a REST catalog that spoils what it answers to commits, whether they landed or not."""

from __future__ import annotations

import json
import os
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import requests

Body = dict[str, Any]


class Landing(Enum):
    """What becomes of a commit before its answer. BEFORE_NEXT and AFTER_NEXT: it was held up on its way, and reaches the
    catalog only when the client has sent its next one.
    """

    LANDED = "landed"
    LOST = "lost"
    BEFORE_NEXT = "late, before the next"
    AFTER_NEXT = "late, after the next"


@dataclass(frozen=True)
class Fault:
    """One commit's fate. *answer*: an HTTP status, or one of ANSWERS. *down*: so many requests after it get a 503."""

    answer: int | str
    landing: Landing
    down: int = 0


ANSWERS = (
    "reset",
    "closed",
    "time-out",
    "a page of a load balancer",
    "garbage",
    "truncated",
    "cut in the middle",
    "empty",
    "an older answer",
)


class FaultyCatalog:
    """Listens on a port of its own. `script` holds the fates of the next commits; what comes after it passes as it is.

    *rewrite* changes each commit's body on its way to the catalog.
    """

    def __init__(self, upstream: str, rewrite: Callable[[FaultyCatalog, str, Body], Body] | None = None) -> None:
        self.upstream = upstream
        self.script: list[Fault] = []
        self.statuses: list[int] = []
        self.rewrite = rewrite
        self.down = 0
        # Clients that have got no answer so far.
        self.waiting = 0
        self.over = threading.Event()
        self._late: list[tuple[Fault, str, bytes, dict[str, str]]] = []
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"catalog": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def uri(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def forward(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> requests.Response:
        return requests.request(method, self.upstream + path, data=body, headers=headers, timeout=60)

    def commit(self, path: str, body: bytes, headers: dict[str, str]) -> requests.Response:
        """To the catalog itself; `statuses` says what became of it."""
        if self.rewrite:
            body = json.dumps(self.rewrite(self, path, json.loads(body))).encode()
        answer = self.forward("POST", path, body, headers)
        self.statuses.append(answer.status_code)
        return answer

    def hold(self, fault: Fault, path: str, body: bytes, headers: dict[str, str]) -> None:
        self._late.append((fault, path, body, headers))

    def land_late(self, landing: Landing) -> None:
        """Sends what was held up until now."""
        due = [late for late in self._late if late[0].landing is landing]
        self._late = [late for late in self._late if late[0].landing is not landing]
        for _, path, body, headers in due:
            self.commit(path, body, headers)

    def next_fault(self) -> Fault | None:
        with self._lock:
            return self.script.pop(0) if self.script else None

    def is_down(self) -> bool:
        with self._lock:
            self.down -= 1
            return self.down >= 0


class _Handler(BaseHTTPRequestHandler):
    catalog: FaultyCatalog

    def do_GET(self) -> None:
        self._any()

    def do_HEAD(self) -> None:
        self._any()

    def do_DELETE(self) -> None:
        self._any()

    def do_POST(self) -> None:
        self._any()

    def log_message(self, *_: object) -> None:
        pass

    def _any(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {k: v for k, v in self.headers.items() if k.lower() in {"content-type", "authorization"}}
        if self.catalog.is_down():
            self._answer(503, _error(503))
        elif self.command == "POST" and b'"requirements"' in body and b'"updates"' in body:
            self._commit(body, headers)
        else:
            answer = self.catalog.forward(self.command, self.path, body, headers)
            self._answer(answer.status_code, answer.content)

    def _commit(self, body: bytes, headers: dict[str, str]) -> None:
        catalog, fault = self.catalog, self.catalog.next_fault()
        if fault is None:
            catalog.land_late(Landing.BEFORE_NEXT)
            answer = catalog.commit(self.path, body, headers)
            catalog.land_late(Landing.AFTER_NEXT)
            self._answer(answer.status_code, answer.content)
            return
        before = catalog.forward("GET", self.path, b"", headers).content
        landed = before
        if fault.landing is Landing.LANDED:
            answer = catalog.commit(self.path, body, headers)
            assert answer.status_code == 200, answer.text
            landed = answer.content
        elif fault.landing is not Landing.LOST:
            catalog.hold(fault, self.path, body, headers)
        catalog.down = fault.down
        self._spoil(fault.answer, before, landed)

    def _spoil(self, answer: int | str, before: bytes, landed: bytes) -> None:
        if isinstance(answer, int):
            self._answer(answer, _error(answer))
        elif answer == "reset":
            self._hang_up(reset=True)
        elif answer == "closed":
            self._hang_up()
        elif answer == "time-out":
            self.catalog.waiting += 1
            if not self.catalog.over.wait(60):
                self.catalog.waiting -= 1
            self._hang_up()
        elif answer == "a page of a load balancer":
            self._answer(502, b"<html><h1>502 Bad Gateway</h1></html>")
        elif answer == "garbage":
            self._answer(200, b"<html><h1>Welcome</h1></html>")
        elif answer == "truncated":
            self._answer(200, landed[: len(landed) // 2], length=len(landed))
        elif answer == "cut in the middle":
            self._answer(200, landed[: len(landed) // 2])
        elif answer == "empty":
            self._answer(200, b"")
        else:
            assert answer == "an older answer"
            self._answer(200, before)

    def _answer(self, status: int, body: bytes, length: int | None = None) -> None:
        with suppress(OSError):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body) if length is None else length))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

    def _hang_up(self, reset: bool = False) -> None:
        self.close_connection = True
        with suppress(OSError):
            if reset:
                # Closed with something to linger for and no time to, and not shut down before: the client gets an RST.
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                os.close(self.connection.detach())
            else:
                self.connection.shutdown(socket.SHUT_RDWR)


def _error(status: int) -> bytes:
    return json.dumps({"error": {"message": "spoiled", "type": "SpoiledException", "code": status}}).encode()


def last_writer_wins(catalog: FaultyCatalog, path: str, body: Body) -> Body:
    """What a catalog without compare-and-swap does: nothing is required, and the snapshot fits onto whatever is there."""
    metadata = catalog.forward("GET", urlsplit(path).path, b"", {}).json()["metadata"]
    for update in body["updates"]:
        if update["action"] == "add-snapshot":
            update["snapshot"]["sequence-number"] = metadata["last-sequence-number"] + 1
    return {**body, "requirements": []}


def branch_only(catalog: FaultyCatalog, path: str, body: Body) -> Body:
    """A catalog that knows what a branch is, and forgets what was required of tags."""
    kept = [r for r in body["requirements"] if r["type"] != "assert-ref-snapshot-id" or r["ref"] == "main"]
    return {**body, "requirements": kept}
