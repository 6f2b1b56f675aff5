"""Servers of a campaign's own, and what runs on them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from stack import bootstrap
from stack.kafka import Kafka
from stack.postgres import Postgres
from stack.spark import SparkConnect

from campaigns.lanes import Campaign, Lane
from campaigns.place import Databases, Servers, SqlLake, make_topic

PER_PARTITION = 50


@contextmanager
def servers(*, spark: bool) -> Iterator[tuple[Servers, SparkConnect | None]]:
    """Started for the campaign, and gone with it."""
    # Not a folder that only root may enter: Postgres runs as another user then.
    home = Path(tempfile.mkdtemp(prefix="lakelock-campaign-"))
    home.chmod(0o755)
    java = bootstrap.java()
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, home, ignore_errors=True)
        postgres = Postgres(home / "postgres")
        stack.callback(postgres.stop)
        postgres.start()
        kafka = Kafka(home / "kafka", java, bootstrap.jars("kafka"))
        stack.callback(kafka.stop)
        kafka.start()
        connect = None
        if spark:
            connect = SparkConnect(home / "spark", bootstrap.java_home(java), bootstrap.jars("spark"), {})
            stack.callback(connect.stop)
            connect.start()
        (home / "warehouse").mkdir()
        dsn = postgres.dsn("postgres")
        lake = SqlLake(dsn, f"file://{home}/warehouse")
        yield Servers(kafka.bootstrap, dsn, lake, connect.port if connect else None), connect


@contextmanager
def campaign(known: Servers, lanes: int = 2, spark: SparkConnect | None = None) -> Iterator[Campaign]:
    """On servers that run. Runs on Spark share a session, so there must be one lane; *spark* may be killed by them."""
    databases = Databases(known.dsn)
    databases.hasten()
    databases.close()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lakelock-jobs-")))
        made = []
        for _ in range(lanes):
            made.append(Lane(known, folder, spark))
            stack.callback(made[-1].close)
        yield Campaign(made, make_topic(known.bootstrap, PER_PARTITION))
