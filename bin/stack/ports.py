"""Ports of servers: free ones, reserved ones, and those that the last stack had."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from stack.process import StackError

# Below the ports that Linux and macOS assign by themselves: a connection may take one before the server starts.
PORTS = range(20_000, 32_000)
KEPT = "ports.json"
_reserved: list[socket.socket] = []


def free_port() -> int:
    """A port without a listener, reserved from other processes of this stack while this process lives."""
    for port in random.SystemRandom().sample(PORTS, len(PORTS)):
        if _take(port):
            return port
    raise StackError(f"all ports from {PORTS.start} to {PORTS.stop - 1} are in use.")


def _take(port: int, *, used_before: bool = False) -> bool:
    """Reserve *port* if nothing listens on it; *used_before* allows for lingering connections."""
    with socket.socket() as s, contextlib.suppress(OSError):
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, int(used_before))
        s.bind(("127.0.0.1", port))
        return _reserve(port)
    return False


def _reserve(port: int) -> bool:
    """Reserve a port for the seconds until its server listens: Linux frees an abstract socket name with its process."""
    if not sys.platform.startswith("linux"):
        return True
    name = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        name.bind(f"\0lakelock-port-{port}")
    except OSError:
        name.close()
        return False
    _reserved.append(name)
    return True


def port_is_open(port: int) -> bool:
    with socket.socket() as s:
        s.settimeout(0.5)
        return s.connect_ex(("127.0.0.1", port)) == 0


def port_again(port: int | None) -> int | None:
    """*port*, if nothing listens on it now."""
    return port if port is not None and _take(port, used_before=True) else None


def require_free(port: int, server: str) -> int:
    if port_is_open(port):
        raise StackError(f"port {port} for {server} is in use: stop what listens there, or give another port.")
    return port


@dataclass(frozen=True, slots=True)
class Ports:
    """Requested ports; None is a free one."""

    postgres: int | None = None
    kafka: int | None = None
    spark: int | None = None
    airflow: int | None = None
    spark_ui: int | None = None

    @staticmethod
    def of_before(home: Path) -> Ports:
        """The ports of the last stack in *home*, so that bookmarks and shells stay valid."""
        with contextlib.suppress(OSError, ValueError, TypeError):
            found = json.loads((home / KEPT).read_text(encoding="utf-8"))
            if all(port is None or (isinstance(port, int) and 0 < port < 65536) for port in dict(found).values()):
                return Ports(**found)
        return Ports()

    def or_again(self, before: Ports) -> Ports:
        """Fill unset ports from *before* if nothing listens on them now."""
        mine = asdict(self)
        free = {name: port for name, port in asdict(before).items() if mine[name] is None and port not in mine.values()}
        return replace(self, **{name: port_again(port) for name, port in free.items()})

    def keep(self, home: Path) -> None:
        home.mkdir(parents=True, exist_ok=True)
        (home / KEPT).write_text(json.dumps(asdict(self)), encoding="utf-8")

    def require_free(self) -> None:
        """Raise StackError for the first port that is in use."""
        wanted = {"Postgres": self.postgres, "Kafka": self.kafka, "Spark": self.spark, "Airflow": self.airflow}
        for server, port in wanted.items():
            if port is not None:
                require_free(port, server)
