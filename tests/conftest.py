"""Real servers for tests, started at first use, on free ports, in folders of their own, gone afterwards."""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from campaigns.draw import by_share, changed_files, seed
from hypothesis import settings
from kits.rest_catalog import RestCatalogServer
from kits.topics import create_topic, new_producer
from lakelock.adapters.wal import PostgresLog, migrate
from stack import jars, machine
from stack.checks import BROKER
from stack.kafka import Kafka
from stack.postgres import Postgres
from stack.process import StackError, wait_until
from stack.settings import CATALOG
from stack.spark import SparkCluster, SparkConnect, catalog_settings
from stack.stack import Stack

if TYPE_CHECKING:
    from confluent_kafka import Producer

SPARK_DATABASE = "iceberg"
SPARK_FIXTURES = {"spark_connect", "spark_cluster", "own_server"}
# A commit that changes more is tested whole by the long tier: a run must end in minutes whatever was changed, so one of its
# files is drawn.
WHOLE_FILES = 3


@pytest.fixture(scope="session")
def session_folder() -> Iterator[Path]:
    """Not pytest's tmp_path: Postgres runs as another user when tests run as root, and must get in."""
    folder = Path(tempfile.mkdtemp(prefix="lakelock-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def folder(session_folder: Path) -> Path:
    """An empty folder of this test."""
    out = session_folder / uuid.uuid4().hex
    out.mkdir()
    return out


@pytest.fixture(scope="session")
def java() -> str:
    return machine.java()


@pytest.fixture(scope="session")
def postgres(session_folder: Path) -> Iterator[Postgres]:
    # A server that is killed loses nothing by these; a machine that loses power does.
    server = Postgres(session_folder / "postgres", fsync="off", full_page_writes="off")
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def kafka(session_folder: Path, java: str) -> Iterator[Kafka]:
    """That of all lanes, where `bin/test` has started one."""
    shared = os.environ.get(BROKER)
    server = Kafka(session_folder / "kafka", java, jars.folder("kafka"), int(shared) if shared else None)
    if shared:
        wait_until(server.answers, 180, "the broker of all lanes", 0.2)
        yield server
        return
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def warehouse(session_folder: Path) -> str:
    folder = session_folder / "warehouse"
    folder.mkdir()
    return f"file://{folder}"


@pytest.fixture
def spark_connect(warm_spark: SparkConnect) -> SparkConnect:
    """A warm Connect server; a test that finds it dead fails with its last words, and leaves a new one to the next."""
    try:
        warm_spark.require_alive()
    except StackError:
        warm_spark.start()
        raise
    return warm_spark


@pytest.fixture(scope="session")
def warm_spark(session_folder: Path, java: str, postgres: Postgres, warehouse: str) -> Iterator[SparkConnect]:
    """Its catalog `lake` is the database that `lake` below uses."""
    server = SparkConnect(
        session_folder / "spark",
        machine.java_home(java),
        jars.folder("spark"),
        catalog_settings(postgres.port, SPARK_DATABASE, warehouse, ("lake", CATALOG)),
    )
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def rest_server(session_folder: Path, java: str, postgres: Postgres, warehouse: str) -> Iterator[RestCatalogServer]:
    jars.ensure(java, lambda what, seconds: None, ("rest",))
    (driver,) = jars.folder("spark").glob("postgresql-*.jar")
    uri = f"jdbc:postgresql://127.0.0.1:{postgres.port}/{SPARK_DATABASE}"
    server = RestCatalogServer(session_folder / "rest", java, jars.folder("rest"), uri, driver, warehouse)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def new_stack(folder: Path) -> Iterator[Callable[[], Stack]]:
    """Whole stacks of one test alone, with pipelines in `<home>/pipelines`: their servers may be killed."""
    stacks: list[Stack] = []

    def start() -> Stack:
        home = folder / f"stack{len(stacks)}"
        (home / "pipelines").mkdir(parents=True)
        stack = Stack(home, pipelines=home / "pipelines")
        stacks.append(stack)
        stack.start()
        return stack

    yield start
    for stack in stacks:
        stack.stop()


@pytest.fixture(scope="session")
def spark_cluster(session_folder: Path, java: str) -> Iterator[SparkCluster]:
    server = SparkCluster(session_folder / "cluster", machine.java_home(java))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def new_postgres(folder: Path) -> Iterator[Callable[[], Postgres]]:
    """Servers of one test alone, which it may kill."""
    servers: list[Postgres] = []

    def start() -> Postgres:
        server = Postgres(folder / f"postgres{len(servers)}")
        servers.append(server)
        server.start()
        return server

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def new_kafka(folder: Path, java: str) -> Iterator[Callable[..., Kafka]]:
    servers: list[Kafka] = []

    def start(**settings: Any) -> Kafka:
        server = Kafka(folder / f"kafka{len(servers)}", java, jars.folder("kafka"), **settings)
        servers.append(server)
        server.start()
        return server

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def new_database(postgres: Postgres) -> Iterator[Callable[..., str]]:
    """DSNs of fresh databases, copies of *template* where one is named; dropped after the test."""
    made: list[str] = []

    def create(template: str = "template1") -> str:
        name = f"t_{uuid.uuid4().hex}"
        with psycopg.connect(postgres.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY FILE_COPY')
        made.append(name)
        return postgres.dsn(name)

    yield create
    with psycopg.connect(postgres.dsn("postgres"), autocommit=True) as connection:
        for name in made:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


@pytest.fixture(scope="session")
def migrated(postgres: Postgres) -> str:
    """The name of a database that is copied in a tenth of the time that its migrations take."""
    name = "migrated"
    with psycopg.connect(postgres.dsn("postgres"), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    migrate(postgres.dsn(name))
    return name


@pytest.fixture
def new_log(new_database: Callable[..., str], migrated: str) -> Callable[[], str]:
    """DSNs of migrated databases, each an installation of its own."""

    def create() -> str:
        dsn = new_database(migrated)
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute("UPDATE lakelock.installation SET installation_id = gen_random_uuid()")
        return dsn

    return create


@pytest.fixture
def log_dsn(new_log: Callable[[], str]) -> str:
    """A write-ahead log without a pipeline."""
    return new_log()


@pytest.fixture
def log(log_dsn: str) -> Iterator[PostgresLog]:
    """The same, open."""
    with PostgresLog(log_dsn) as log:
        yield log


@pytest.fixture
def wal_dsn(new_database: Callable[[], str]) -> str:
    """An empty database for a write-ahead log, not migrated."""
    return new_database()


@pytest.fixture
def catalog_properties(postgres: Postgres, warehouse: str) -> dict[str, str]:
    """PyIceberg properties of the SQL catalog that Spark sees as `lake`; use a namespace of the test's own."""
    return {
        "type": "sql",
        "uri": postgres.dsn(SPARK_DATABASE).replace("postgresql://", "postgresql+psycopg://"),
        "warehouse": warehouse,
    }


@pytest.fixture
def rest_properties(rest_server: RestCatalogServer, warehouse: str) -> dict[str, str]:
    """PyIceberg properties of the REST catalog; use a namespace of the test's own."""
    return {"type": "rest", "uri": rest_server.uri, "warehouse": warehouse}


@pytest.fixture(params=["sql", "rest"])
def any_catalog(request: pytest.FixtureRequest) -> dict[str, str]:
    """The contract of the table adapter holds on each kind of catalog."""
    properties: dict[str, str] = request.getfixturevalue(
        {"sql": "catalog_properties", "rest": "rest_properties"}[request.param]
    )
    return properties


@pytest.fixture
def namespace() -> str:
    return f"ns_{uuid.uuid4().hex[:12]}"


@pytest.fixture
def new_topic(kafka: Kafka) -> Callable[..., str]:
    """Creates a topic with a name of its own; keyword arguments are topic settings with _ for dots."""

    def create(partitions: int = 2, *, bootstrap_servers: str | None = None, **settings: str) -> str:
        from confluent_kafka.admin import AdminClient

        name = f"topic-{uuid.uuid4().hex[:12]}"
        admin = AdminClient({"bootstrap.servers": bootstrap_servers or kafka.bootstrap})
        create_topic(admin, name, partitions, {k.replace("_", "."): v for k, v in settings.items()})
        return name

    return create


@pytest.fixture
def producer(kafka: Kafka) -> Producer:
    return new_producer(kafka.bootstrap)


def pytest_report_header() -> str:
    return f"short campaigns and tests of which some are drawn: by {seed()}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks those that need Spark, which have a lane of their own, and those that are not drawn as `long`."""
    for item in items:
        if SPARK_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.on_spark)
    marked = [
        (item, mark)
        for item in items
        if (mark := item.get_closest_marker("drawn")) is not None and item.get_closest_marker("long") is None
    ]
    changed = {_file(item) for item, mark in marked if _changed(item, mark.kwargs.get("about", ()))}
    whole = changed
    if len(changed) > WHOLE_FILES:
        whole = {seed().chance("whole files").choice(sorted(changed))}
    # Files whose servers cost more than their tests.
    in_turn = {_file(item): mark.kwargs["in_turn"] for item, mark in marked if "in_turn" in mark.kwargs}
    now = by_share(sorted(in_turn), lambda file: in_turn[file], 0.5, seed().chance("files in turn"))
    cases: dict[float, list[pytest.Item]] = {}
    groups: dict[str, str] = {}
    for item, mark in marked:
        if _file(item) in whole:
            continue
        if _file(item) in set(in_turn) - set(now):
            item.add_marker(pytest.mark.long)
            continue
        cases.setdefault(mark.args[0], []).append(item)
        groups[item.nodeid] = mark.kwargs.get("group") or _stratum(item)
    for share, some in sorted(cases.items()):
        taken = by_share(some, lambda item: groups[item.nodeid], share, seed().chance(f"tests {share}"))
        for item in set(some) - set(taken):
            item.add_marker(pytest.mark.long)


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def _changed(item: pytest.Item, about: str | tuple[str, ...]) -> bool:
    """Whether the test's own file was changed, or one that it is about."""
    parts = (_file(item), *((about,) if isinstance(about, str) else about))
    return any(part in name for part in parts for name in changed_files())


def _stratum(item: pytest.Item) -> str:
    """At least one of the cases of each test is drawn, and of the tests without cases one of each file, or of the group that
    their marks name."""
    return item.nodeid.partition("[" if "[" in item.nodeid else "::")[0]


def pytest_configure(config: pytest.Config) -> None:
    # A slow example is no fault of the code: the machine has two cores and servers on them.
    settings.register_profile("short", deadline=None, max_examples=40)
    settings.register_profile("long", deadline=None, max_examples=400)
    settings.load_profile(config.getoption("hypothesis_profile", None) or "short")
    if getattr(config.option, "hypothesis_seed", "") is None:
        # What is red is red again, by the seed that the header names.
        config.option.hypothesis_seed = seed().number
    # Child processes of tests start 2-3 times faster with compiled modules.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
