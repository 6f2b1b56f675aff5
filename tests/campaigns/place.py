"""Where a run happens: servers that all runs share, and a log, a catalog and a namespace of its own."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

import psycopg
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic
from lakelock.adapters.airflow.connections import Connection
from lakelock.adapters.wal import migrate
from lakelock.app.runtime import Runtime
from lakelock.config import Pipeline
from lakelock.ingest import slicing

from campaigns import routes
from campaigns.tables import LANDING, MASKING_KEY, events, evolving_orders, field_of, orders

NAME = "crash"
ORDERS, EVENTS = "orders", "events"
PARTITIONS = 2
SLICE_OFFSETS = 8
SECRET = "a key of masks"
CITIES = ("Bern", "Oslo", "Zürich")


@dataclass(frozen=True)
class Record:
    """A record that read_committed shows: its value, and the tables whose columns it does not fit."""

    value: bytes | None
    dead_in: frozenset[str] = frozenset()

    @property
    def fields(self) -> dict[str, Any] | None:
        """None for a tombstone, and for what is no JSON."""
        return None if self.value is None or len(self.dead_in) > 1 else json.loads(self.value)


@dataclass(frozen=True)
class Topic:
    """A topic that is only read: every run has it to itself."""

    name: str
    records: Mapping[tuple[int, int], Record]


class Lake(Protocol):
    """A catalog to campaign on. One that cannot be copied has every run build its own tables, in another namespace."""

    @property
    def name(self) -> str: ...

    @property
    def copied(self) -> bool: ...

    def connection(self, database: str) -> Connection: ...


@dataclass(frozen=True)
class SqlLake:
    """PyIceberg's SQL catalog in a Postgres database; copying that database copies every table, for files never change."""

    dsn: str
    warehouse: str
    name: str = "sql"
    copied: bool = True

    def connection(self, database: str) -> Connection:
        uri = self.dsn.replace("postgresql://", "postgresql+psycopg://").rpartition("/")[0] + f"/{database}"
        return Connection("iceberg_default", "iceberg", host=uri, extra={"type": "sql", "warehouse": self.warehouse})


@dataclass(frozen=True)
class RestLake:
    """Iceberg's REST catalog server: whatever its tables are kept in is no business of a client."""

    uri: str
    warehouse: str
    name: str = "rest"
    copied: bool = False

    def connection(self, database: str) -> Connection:
        return Connection(
            "iceberg_default", "iceberg", host=self.uri, extra={"type": "rest", "warehouse": self.warehouse}
        )


@dataclass(frozen=True)
class Servers:
    """`dsn` names Postgres' own database `postgres`."""

    bootstrap: str
    dsn: str
    lake: Lake
    spark_port: int | None = None


@dataclass(frozen=True)
class Place:
    """One pipeline on the servers. `known` is what building it returned: the snapshot to go back to, and what goes with that.

    *sql*: its tables have expressions, which only Spark evaluates. *evolves*: the columns of one follow the records.
    *lands*: files of one land without its partitions. *routed*: rules name its tables; *mixed*: these, and one takes all records.
    *shuffled*: batches have several slices, which send the records of these tables to other tasks.
    """

    servers: Servers
    topic: Topic
    namespace: str
    log_database: str
    lake_database: str
    known: Mapping[str, Any] = field(default_factory=dict)
    sql: bool = False
    evolves: bool = False
    lands: bool = False
    routed: bool = False
    mixed: bool = False
    shuffled: bool = False

    @property
    def tables(self) -> tuple[str, ...]:
        if not self.routed:
            return ORDERS, EVENTS
        return (*routes.TABLES, *([ORDERS] if self.mixed else []))

    def table(self, name: str) -> str:
        return f"{self.namespace}.{name}"

    @property
    def dead_letters(self) -> str:
        return self.table(f"{NAME}__dead_letters")

    @property
    def pipeline(self) -> Pipeline:
        name = self.table(ORDERS)
        if self.routed:
            return Pipeline.model_validate({
                "name": NAME,
                "source": {"topics": [self.topic.name]},
                "route": routes.section(self.namespace, shuffled=self.shuffled),
                "tables": [orders(name, sql=False)] if self.mixed else [],
                "dead_letters": {"table": self.dead_letters},
                "value": {"tombstones": "skip"},
            })  # fmt: skip
        of_orders = evolving_orders(name) if self.evolves else orders(name, sql=self.sql)
        if self.lands:
            of_orders |= LANDING
        return Pipeline.model_validate({
            "name": NAME,
            "source": {"topics": [self.topic.name]},
            "tables": [of_orders, events(self.table(EVENTS), sql=self.sql)],
            "value": {"tombstones": "skip"},
        })  # fmt: skip

    def connection(self, conn_id: str) -> Connection:
        servers = self.servers
        if conn_id == "kafka_default":
            return Connection(conn_id, "kafka", extra={"bootstrap.servers": servers.bootstrap})
        if conn_id == "iceberg_default":
            return servers.lake.connection(self.lake_database)
        if conn_id == "spark_default":
            return Connection(conn_id, "spark_connect", host="sc://127.0.0.1", port=servers.spark_port or 1)
        if conn_id == MASKING_KEY:
            return Connection(conn_id, "generic", password=SECRET)
        where = psycopg.conninfo.conninfo_to_dict(servers.dsn)
        return Connection(
            conn_id, "postgres", host=str(where["host"]), port=int(str(where["port"])), login=str(where["user"]), schema=self.log_database
        )  # fmt: skip

    def runtime(self) -> Runtime:
        runtime = Runtime(self.pipeline, self.connection)
        # Or a point would be another one each time.
        runtime.tables_at_once = 1
        if self.shuffled:
            # Batches of a campaign are far too small for several slices. Each of its processes has one place.
            slicing.slices.__defaults__ = (SLICE_OFFSETS,)
        return runtime


@dataclass(frozen=True)
class Databases:
    """Makes, copies and drops databases of one Postgres server, which may be another process each time."""

    dsn: str

    def new(self) -> str:
        return self.copy("template1")

    def log(self) -> str:
        """One with the schema of a write-ahead log that no process has used, and an installation id of its own."""
        name = self.new()
        migrate(self.dsn.rpartition("/")[0] + f"/{name}")
        return name

    def copy(self, template: str) -> str:
        name = f"c_{uuid.uuid4().hex[:16]}"
        self._do(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return name

    def drop(self, *names: str) -> None:
        self._do(*(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)' for name in names))

    def hasten(self) -> None:
        """A power cut of the machine is not among the faults: nothing waits for the disk."""
        self._do("ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")

    def _do(self, *statements: str) -> None:
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())


def value_of(number: int, dead_in: frozenset[str] = frozenset()) -> bytes:
    if len(dead_in) > 1:
        return b"{"
    at: object = number * 1000 if number % 2 else datetime.fromtimestamp(number, UTC).isoformat()
    user = None if number % 7 == 5 else {"name": f"Zoë {number}", "home": {"city": CITIES[number % len(CITIES)]}}
    record: dict[str, object] = {
        "id": number, "amount": number if number < 30 else number + 2**40, "note": f"n{number}",
        "made": {"at": at, field_of(number): number}, "user": user,
    }  # fmt: skip
    if dead_in == {ORDERS}:
        record["extra"] = number
    return json.dumps(record).encode()


def make_topic(bootstrap: str, per_partition: int) -> Topic:
    """Good records, bad ones and tombstones, of transactions that were committed and some that were aborted."""
    name = f"crash-{uuid.uuid4().hex[:12]}"
    admin = AdminClient({"bootstrap.servers": bootstrap})
    admin.create_topics([NewTopic(name, PARTITIONS, 1)])[name].result(30)
    producer = Producer({"bootstrap.servers": bootstrap, "transactional.id": name, "linger.ms": 5})
    producer.init_transactions(30)
    both = frozenset({ORDERS, EVENTS})
    for begin in range(0, PARTITIONS * per_partition, 10):
        for aborted in (True, False) if begin % 30 == 10 else (False,):
            producer.begin_transaction()
            for n in range(begin, begin + 10):
                dead_in = both if n % 10 == 3 else frozenset({ORDERS}) if n % 10 == 6 else frozenset()
                value = None if n % 10 == 8 else value_of(n, dead_in)
                producer.produce(name, value, ",".join(sorted(dead_in)), partition=n % PARTITIONS)
            # An abort throws away what was not sent yet, and is fatal while the transaction is being told to the
            # broker, which still ends the one before.
            assert producer.flush(30) == 0
            (producer.abort_transaction if aborted else producer.commit_transaction)(30)
    return Topic(name, read_all(bootstrap, name))


def read_all(bootstrap: str, topic: str) -> dict[tuple[int, int], Record]:
    """What a read_committed consumer sees now; the keys say in which tables a record is a dead letter."""
    settings = {
        "bootstrap.servers": bootstrap,
        "group.id": f"crash-{uuid.uuid4().hex}",
        "isolation.level": "read_committed",
    }
    consumer = Consumer({**settings, "enable.auto.commit": False, "enable.partition.eof": True})
    parts = sorted(consumer.list_topics(topic, 30).topics[topic].partitions)
    consumer.assign([TopicPartition(topic, p, 0) for p in parts])
    found: dict[tuple[int, int], Record] = {}
    at_end: set[int] = set()
    while len(at_end) < len(parts):
        message = consumer.poll(30)
        assert message is not None, f"{topic} was not delivered to its end"
        if message.error():
            at_end.add(message.partition())
            continue
        dead_in = frozenset(filter(None, (message.key() or b"").decode().split(",")))
        found[message.partition(), message.offset()] = Record(message.value(), dead_in)
    consumer.close()
    return found
