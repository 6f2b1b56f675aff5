"""Airflow connections as lakelock reads them: like Airflow does, without secrets in sight, and refused where they would harm."""

from __future__ import annotations

import json
import os
import pickle
from typing import Any

import pytest
from lakelock.adapters.airflow.catalog_settings import catalog_properties
from lakelock.adapters.airflow.connections import Connection, from_environment
from lakelock.adapters.airflow.kafka_settings import kafka_config
from lakelock.adapters.airflow.postgres_settings import postgres_dsn
from lakelock.adapters.airflow.spark_target import spark_target, spark_ui
from lakelock.errors import ConnectionFault
from lakelock.model.redaction import without_secrets
from psycopg.conninfo import conninfo_to_dict

SECRET = "s3cr3t-planted"


@pytest.fixture(scope="module", autouse=True)
def airflow_home(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Importing Airflow writes its configuration: not into the home of the user who runs the tests."""
    os.environ.setdefault("AIRFLOW_HOME", str(tmp_path_factory.mktemp("airflow")))


def named(conn_type: str, **fields: Any) -> Connection:
    extra = fields.pop("extra", {})
    return from_environment("c", {"AIRFLOW_CONN_C": json.dumps({"conn_type": conn_type, "extra": extra, **fields})})


TEXTS = [
    "postgres://user:p%40ss@host:5432/db?sslmode=require",
    "postgresql://user@%2Fvar%2FRun%2Fpg/db",
    "spark://local%5B2%5D",
    "spark-connect://u:t@h:15002/?use_ssl=true",
    "iceberg://https://cat.example.com:8181/?warehouse=s3%3A%2F%2Fb",
    "kafka://?__extra__=%7B%22bootstrap.servers%22%3A+%22h%3A9092%22%2C+%22n%22%3A+5%7D",
    "http://",
    '{"conn_type": "postgresql", "host": "h", "port": "5", "schema": "s", "login": "l", "password": "p"}',
    '{"conn_type": "spark-connect", "host": "sc://h", "extra": "{\\"use_ssl\\": false}"}',
    '{"conn_type": "kafka", "extra": {"a": {"b": [1]}}}',
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_connection_text_means_what_it_means_to_airflow(text: str) -> None:
    from airflow.sdk.definitions.connection import Connection as AirflowConnection

    theirs = (
        AirflowConnection.from_json(text, conn_id="c")
        if text.startswith("{")
        else AirflowConnection.from_uri(text, conn_id="c")
    )
    ours = from_environment("c", {"AIRFLOW_CONN_C": text})
    assert ours.conn_type == theirs.conn_type
    for field in ("host", "port", "schema", "login", "password"):
        assert getattr(ours, field) == (getattr(theirs, field) or None), field
    assert ours.extra == (json.loads(theirs.extra) if theirs.extra else {})


def test_a_missing_connection_names_its_id_and_variable() -> None:
    with pytest.raises(ConnectionFault, match=r"'kafka_shop' is not defined\. Set AIRFLOW_CONN_KAFKA_SHOP"):
        from_environment("kafka_shop", {})


@pytest.mark.parametrize(
    "text", ["{", f'{{"password": "{SECRET}"', f"no-uri-{SECRET}", f"a://b://c://{SECRET}", f"a://h:{SECRET}"]
)
def test_a_text_that_is_no_connection_is_reported_without_quoting_it(text: str) -> None:
    with pytest.raises(ConnectionFault, match="AIRFLOW_CONN_C is neither JSON nor a URI") as raised:
        from_environment("c", {"AIRFLOW_CONN_C": text})
    assert SECRET not in str(raised.value)
    assert raised.value.__cause__ is None


def test_secrets_are_neither_shown_nor_put_into_errors() -> None:
    connection = named(
        "iceberg",
        host=f"postgresql+psycopg://u:{SECRET}@h/db",
        password=SECRET,
        extra={"s3.secret-access-key": SECRET, "token": SECRET, "warehouse": "s3://b", "bad": [SECRET]},
    )
    assert SECRET not in repr(connection)
    assert SECRET not in f"{connection}"
    assert set(connection.secrets()) == {SECRET}
    for use in (kafka_config, catalog_properties, postgres_dsn, spark_target):
        with pytest.raises(ConnectionFault) as raised:
            use(connection)
        assert SECRET not in str(raised.value)
    assert pickle.loads(pickle.dumps(connection)) == connection
    target = spark_target(named("spark_connect", host="h", password=SECRET))
    assert SECRET in target.remote
    assert SECRET not in repr(target)


def test_kafka_settings_become_text_and_lose_what_lakelock_decides() -> None:
    extra = {
        "bootstrap.servers": "h:9092",
        "socket.timeout.ms": 1000,
        "log.connection.close": False,
        "sasl.password": SECRET,
        "ssl.ca.location": None,
        "group.id": "theirs",
        "auto.offset.reset": "earliest",
        "isolation.level": "read_committed",
        "enable.auto.commit": False,
    }
    assert kafka_config(named("kafka", extra=extra)) == {
        "bootstrap.servers": "h:9092",
        "socket.timeout.ms": "1000",
        "log.connection.close": "false",
        "sasl.password": SECRET,
    }


@pytest.mark.parametrize(
    ("setting", "value", "reported"),
    [
        ("isolation.level", "read_uncommitted", "isolation.level must be read_committed"),
        ("enable.auto.commit", True, "enable.auto.commit must be false"),
        ("enable.auto.commit", "true", "enable.auto.commit must be false"),
        ("oauth_cb", "my.callback", "oauth_cb is a callable"),
        ("bootstrap.servers", "", "has no bootstrap.servers"),
        ("x", {"y": 1}, "x in its extra is not text"),
    ],
)
def test_kafka_settings_that_would_break_guarantees_are_refused(setting: str, value: object, reported: str) -> None:
    with pytest.raises(ConnectionFault, match=reported):
        kafka_config(named("kafka", extra={"bootstrap.servers": "h:9092", setting: value}))


CATALOGS = [
    {"host": "https://cat/v1/", "login": "id", "password": "pw", "extra": {"warehouse": "w", "s3.region": "r"}},
    {"host": "https://cat", "extra": {"type": "rest", "token": "t"}},
    {
        "host": "postgresql+psycopg://u:p@h/db",
        "login": "x",
        "password": "y",
        "extra": {"type": "sql", "warehouse": "w"},
    },
    {"extra": {"type": "glue", "glue.region": "r"}},
]


@pytest.mark.parametrize("fields", CATALOGS)
def test_catalog_properties_are_those_of_airflows_iceberg_provider(
    fields: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from airflow.providers.apache.iceberg.hooks import iceberg

    monkeypatch.setenv("AIRFLOW_CONN_C", json.dumps({"conn_type": "iceberg", **fields}))
    theirs: list[tuple[str, dict[str, Any]]] = []
    monkeypatch.setattr(iceberg, "load_catalog", lambda name, **properties: theirs.append((name, properties)))
    _ = iceberg.IcebergHook("c").catalog
    assert [catalog_properties(from_environment("c"))] == theirs


def test_half_a_credential_and_a_catalog_without_address_are_refused() -> None:
    with pytest.raises(ConnectionFault, match="only one of login"):
        catalog_properties(named("iceberg", host="https://c", login="id"))
    with pytest.raises(ConnectionFault, match="host is empty"):
        catalog_properties(named("iceberg"))


def test_a_postgres_connection_string_survives_awkward_characters() -> None:
    password = "p'a ss\\w@rd"
    dsn = postgres_dsn(
        named(
            "postgres", host="/tmp/pg", port=5, schema="db", login="u", password=password, extra={"sslmode": "disable"}
        )
    )
    assert conninfo_to_dict(dsn) == {
        "host": "/tmp/pg",
        "port": "5",
        "dbname": "db",
        "user": "u",
        "password": password,
        "sslmode": "disable",
    }


def test_an_extra_that_libpq_does_not_know_is_reported() -> None:
    with pytest.raises(ConnectionFault, match="does not know \\(keys: sslmod\\)"):
        postgres_dsn(named("postgres", host="h", extra={"sslmod": "x"}))


SPARKS = [
    ({"host": "h", "port": 15002}, "sc://h:15002/"),
    ({"host": "sc://h:15002"}, "sc://h:15002/"),
    ({"host": "h", "port": 1, "login": "u@x", "password": "t;t", "extra": {"use_ssl": True}}, "sc://h:1/;user_id=u%40x;token=t%3Bt;use_ssl=true"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "remote"), SPARKS)
def test_a_spark_connect_address_is_that_of_airflows_spark_provider(
    fields: dict[str, Any], remote: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from airflow.providers.apache.spark.hooks.spark_connect import SparkConnectHook

    monkeypatch.setenv("AIRFLOW_CONN_C", json.dumps({"conn_type": "spark_connect", **fields}))
    assert spark_target(from_environment("c")).remote == remote
    assert SparkConnectHook("c").get_connection_url().lower() == remote.lower()


@pytest.mark.parametrize(
    ("text", "master"),
    [
        ('{"conn_type": "spark", "host": "local[2]"}', "local[2]"),
        ('{"conn_type": "spark", "host": "spark://h", "port": 7077}', "spark://h:7077"),
        ('{"conn_type": "spark", "host": "h", "port": 7077}', "spark://h:7077"),
        ('{"conn_type": "spark", "host": "yarn"}', "yarn"),
        ('{"conn_type": "spark", "host": "k8s://https://h:6443"}', "k8s://https://h:6443"),
        ("spark://h:7077", "spark://h:7077"),
    ],
)
def test_a_spark_master_is_that_of_airflows_spark_provider(
    text: str, master: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from airflow.providers.apache.spark.hooks import spark_submit

    monkeypatch.setattr(spark_submit, "kube_client", object(), raising=False)
    monkeypatch.setenv("AIRFLOW_CONN_C", text)
    target = spark_target(from_environment("c"))
    assert (target.kind, target.master) == ("submit", master)
    assert spark_submit.SparkSubmitHook(conn_id="c")._connection["master"] == master


@pytest.mark.parametrize(
    "fields", [{"conn_type": "spark"}, {"conn_type": "spark_connect"}, {"conn_type": "http", "host": "h"}]
)
def test_a_spark_connection_that_names_no_spark_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ConnectionFault):
        spark_target(named(**fields))


@pytest.mark.parametrize(
    "fields", [{"conn_type": "spark", "host": "local[2]"}, {"conn_type": "spark_connect", "host": "h"}]
)
def test_where_sparks_ui_is_is_reported_by_the_connection(fields: dict[str, Any]) -> None:
    assert spark_target(named(**fields)).ui_url == ""
    shown = named(**fields, extra={"ui_url": "https://spark.example.com/history/"})
    assert spark_target(shown).ui_url == "https://spark.example.com/history"
    assert spark_ui(named(**fields, extra={"ui_url": ""})) == ""
    for given in (
        "spark.example.com",
        "javascript:alert(1)",
        f"https://u:{SECRET}@h",
        f"https://h/?x={SECRET}",
        "https://",
        "https://[",
        4040,
    ):
        wrong = named(**fields, extra={"ui_url": given})
        with pytest.raises(ConnectionFault, match="ui_url") as raised:
            spark_ui(wrong)
        assert SECRET not in str(raised.value)
        assert spark_target(wrong).ui_url == "", "records are moved all the same"


def test_an_address_is_shown_without_its_secrets() -> None:
    assert without_secrets(f"postgresql://u:{SECRET}@h:5/db?password={SECRET}") == "postgresql://h:5/db"
    assert without_secrets(f"http://[{SECRET}") == "…"
    assert without_secrets("sqlite:////var/catalog.db") == "sqlite:////var/catalog.db"
    assert without_secrets("file:/lake/w?x") == "file:/lake/w"
