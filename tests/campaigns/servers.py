"""Servers of a campaign's own, and what runs on them."""

from __future__ import annotations

import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kits.rest_catalog import RestCatalogServer
from stack import jars, machine
from stack.kafka import Kafka
from stack.postgres import Postgres
from stack.spark import SparkConnect

from campaigns.campaign import Campaign
from campaigns.lanes import Lane
from campaigns.place import Databases, RestLake, Servers, SqlLake, make_topic

PER_PARTITION = 50


def end_in_order() -> None:
    """A campaign that must end stops its servers first."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


@dataclass(frozen=True)
class Own:
    """Servers of one user; `killable` has them by name, as `kill` and `start` again."""

    known: Servers
    killable: dict[str, Any]
    rest: RestLake | None = None

    @property
    def spark(self) -> SparkConnect | None:
        return self.killable.get("Spark")


@contextmanager
def started(*, spark: bool, rest: bool = False) -> Iterator[Own]:
    """Gone when it ends."""
    # Not a folder that only root may enter: Postgres runs as another user then.
    home = Path(tempfile.mkdtemp(prefix="lakelock-campaign-"))
    home.chmod(0o755)
    java = machine.java()
    postgres, kafka = Postgres(home / "postgres"), Kafka(home / "kafka", java, jars.folder("kafka"))
    all_of_them: dict[str, Any] = {"Postgres": postgres, "Kafka": kafka}
    if spark:
        all_of_them["Spark"] = SparkConnect(home / "spark", machine.java_home(java), jars.folder("spark"), {})
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, home, ignore_errors=True)
        for server in all_of_them.values():
            stack.callback(server.stop)
            server.start()
        (home / "warehouse").mkdir()
        dsn, warehouse = postgres.dsn("postgres"), f"file://{home}/warehouse"
        port = all_of_them["Spark"].port if spark else None
        lake = RestLake(stack.enter_context(rest_server(home, java, postgres, warehouse)), warehouse) if rest else None
        yield Own(Servers(kafka.bootstrap, dsn, SqlLake(dsn, warehouse), port), all_of_them, lake)


@contextmanager
def rest_server(home: Path, java: str, postgres: Postgres, warehouse: str) -> Iterator[str]:
    """Its address."""
    jars.ensure(java, lambda what, seconds: None, ("rest",))
    (driver,) = jars.folder("spark").glob("postgresql-*.jar")
    database = Databases(postgres.dsn("postgres")).new()
    uri = f"jdbc:postgresql://127.0.0.1:{postgres.port}/{database}"
    server = RestCatalogServer(home / "rest", java, jars.folder("rest"), uri, driver, warehouse)
    try:
        server.start()
        yield server.uri
    finally:
        server.stop()


@contextmanager
def campaign(known: Servers, lanes: int = 2, spark: SparkConnect | None = None) -> Iterator[Campaign]:
    """On servers that run. Runs on Spark share a session, so there must be one lane; *spark* may be killed by them."""
    Databases(known.dsn).hasten()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lakelock-jobs-")))
        made = []
        for _ in range(lanes):
            made.append(Lane(known, folder, spark))
            stack.callback(made[-1].close)
        yield Campaign(made, make_topic(known.bootstrap, PER_PARTITION))
