"""Airflow connections, from Airflow or from the environment, and what each client wants of them."""

from __future__ import annotations

import json
import logging
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote, urlsplit

from lakelock.adapters.airflow.connection_text import fields_from_json, fields_from_uri
from lakelock.errors import ConnectionFault, State, Unreachable
from lakelock.model.redaction import secrets_of

logger = logging.getLogger(__name__)

# What lakelock decides itself; people's connections often carry these for other consumers.
_KAFKA_OWN = frozenset(
    {
        "group.id",
        "group.instance.id",
        "group.protocol",
        "auto.offset.reset",
        "enable.auto.commit",
        "auto.commit.interval.ms",
        "enable.auto.offset.store",
        "enable.partition.eof",
        "isolation.level",
        "transactional.id",
        "enable.idempotence",
    }
)
_REMOVE_IT = "Remove the setting from its extra, or use another connection."
_KAFKA_CALLABLES = frozenset({"error_cb", "throttle_cb", "stats_cb", "log_cb", "oauth_cb", "on_commit", "logger"})


@dataclass(frozen=True, slots=True, repr=False)
class Connection:
    """An Airflow connection as a value; shows its id and type only."""

    conn_id: str
    conn_type: str
    host: str | None = None
    port: int | None = None
    schema: str | None = None
    login: str | None = None
    password: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Connection({self.conn_id!r}, {self.conn_type!r})"

    def secrets(self) -> set[str]:
        """Every text that must not appear in a log: passwords, also inside URIs, and extras with telling names."""
        return secrets_of({"password": self.password, "host": self.host, "extra": self.extra})


@dataclass(frozen=True, slots=True, repr=False)
class SparkTarget:
    """Where Spark is: `connect` has a *remote* URL (with its token), `submit` a *master*; *conf* is Spark configuration.

    `ui_url` is where a person looks at its jobs, without a slash at its end; empty where the connection names none that is one.
    """

    kind: Literal["connect", "submit"]
    conn_id: str
    remote: str = ""
    master: str = ""
    deploy_mode: str = "client"
    conf: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)
    ui_url: str = ""

    def __repr__(self) -> str:
        return f"SparkTarget({self.kind!r}, {self.conn_id!r})"


def from_environment(conn_id: str, environment: Mapping[str, str] | None = None) -> Connection:
    """Reads `AIRFLOW_CONN_<ID>`, JSON or URI, as Airflow does; raises ConnectionFault."""
    environment = os.environ if environment is None else environment
    variable = f"AIRFLOW_CONN_{conn_id.upper()}"
    text = environment.get(variable)
    if not text:
        raise ConnectionFault(
            f"connection {conn_id!r} is not defined.",
            do=f"{_of_the_demo()}Set {variable} to JSON such as "
            f"""'{{"conn_type": "…", "host": "…", "extra": {{}}}}', or name another conn_id in the pipeline file.""",
        )
    try:
        fields = fields_from_json(text) if text.lstrip().startswith("{") else fields_from_uri(text)
    except (ValueError, TypeError, AttributeError):
        # The cause would quote the value, which holds secrets.
        raise ConnectionFault(
            f"connection {conn_id!r}: {variable} is neither JSON nor a URI of an Airflow connection.",
            do=f"Set {variable} to one of them.",
        ) from None
    return Connection(conn_id, **fields)


def _of_the_demo() -> str:
    file = Path(os.environ.get("LAKELOCK_HOME", ".lakelock")) / "demo" / "connections.env"
    return f"For the demo's servers, type `. {shlex.quote(str(file))}`. " if file.exists() else ""


def from_airflow(conn_id: str) -> Connection:
    """Asks Airflow, inside a task; its secrets are masked in the task's log. Raises ConnectionFault, Unreachable."""
    from airflow.sdk import BaseHook
    from airflow.sdk.exceptions import AirflowNotFoundException, AirflowRuntimeError

    try:
        return of_airflow(conn_id, BaseHook.get_connection(conn_id))
    except AirflowNotFoundException as error:
        raise undefined(conn_id) from error
    except AirflowRuntimeError as error:
        raise Unreachable(f"Airflow gave no answer about connection {conn_id!r}: {str(error).rstrip('.')}.") from error


def undefined(conn_id: str) -> ConnectionFault:
    """Of a connection that Airflow does not know."""
    return ConnectionFault(
        f"connection {conn_id!r} is not defined.",
        do=f"Create it in Airflow (Admin → Connections), set AIRFLOW_CONN_{conn_id.upper()} for the workers, or name "
        "another conn_id in the pipeline file.",
    )


def of_airflow(conn_id: str, found: Any) -> Connection:
    """Takes over what Airflow found, and has its secrets masked in logs. Raises ConnectionFault."""
    from airflow.sdk.log import mask_secret

    try:
        extra = json.loads(found.extra) if found.extra else {}
    except ValueError:
        raise ConnectionFault(f"connection {conn_id!r}: its extra is not JSON.", do="Write a JSON object.") from None
    connection = Connection(
        conn_id,
        found.conn_type or "",
        found.host or None,
        found.port,
        found.schema or None,
        found.login or None,
        found.password or None,
        extra if isinstance(extra, dict) else {},
    )
    for secret in connection.secrets():
        mask_secret(secret)
    return connection


def kafka_config(connection: Connection) -> dict[str, str]:
    """librdkafka configuration: the extra, as Airflow's Kafka provider has it, without what lakelock decides itself.

    Raises ConnectionFault for settings that would break the guarantees if they meant what they say.
    """
    config = {key: _text(connection, key, value) for key, value in connection.extra.items() if value is not None}
    for key in config.keys() & _KAFKA_CALLABLES:
        raise ConnectionFault(
            f"connection {connection.conn_id!r}: {key} is a callable, and Spark tasks cannot get one.",
            do=_REMOVE_IT,
        )
    if config.get("isolation.level", "read_committed") != "read_committed":
        raise ConnectionFault(
            f"connection {connection.conn_id!r}: isolation.level must be read_committed. Otherwise lakelock would read "
            "aborted transactions.",
            do=_REMOVE_IT,
        )
    if config.get("enable.auto.commit", "false") != "false":
        raise ConnectionFault(
            f"connection {connection.conn_id!r}: enable.auto.commit must be false. lakelock commits offsets with the "
            "table.",
            do=_REMOVE_IT,
        )
    if not config.get("bootstrap.servers"):
        raise ConnectionFault(
            f"connection {connection.conn_id!r}: its extra has no bootstrap.servers.",
            do='Write {"bootstrap.servers": "host:9092"}.',
        )
    return {key: value for key, value in config.items() if key not in _KAFKA_OWN}


def catalog_properties(connection: Connection) -> tuple[str, dict[str, str]]:
    """PyIceberg's catalog name and properties, built as `IcebergHook.catalog` of Airflow's Iceberg provider builds them.

    The name is the connection's id; SQL catalogs keep their tables apart by it.
    """
    properties = {key: _text(connection, key, value) for key, value in connection.extra.items() if value is not None}
    if connection.host:
        properties["uri"] = connection.host.rstrip("/")
    properties.setdefault("type", "rest")
    if properties["type"] == "rest":
        if connection.login and connection.password:
            properties["credential"] = f"{connection.login}:{connection.password}"
        elif connection.login or connection.password:
            raise ConnectionFault(
                f"connection {connection.conn_id!r}: only one of login (client id) and password (client secret) is "
                "set.",
                do="Set both or neither, as a REST catalog needs.",
            )
    if properties["type"] in ("rest", "sql", "hive") and not properties.get("uri"):
        raise ConnectionFault(
            f"connection {connection.conn_id!r}: host is empty.", do="Write the URI of the Iceberg catalog."
        )
    return connection.conn_id, properties


def postgres_dsn(connection: Connection) -> str:
    """A libpq connection string, with its password; extras that libpq knows (`sslmode`, …) are part of it."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import make_conninfo

    if not connection.host:
        raise ConnectionFault(
            f"connection {connection.conn_id!r}: host is empty.", do="Write the address of the Postgres server."
        )
    if connection.extra.get("iam"):
        raise ConnectionFault(
            f"connection {connection.conn_id!r}: lakelock does not support iam login.", do="Use a password or sslcert."
        )
    own = {
        "host": connection.host,
        "port": connection.port,
        "dbname": connection.schema,
        "user": connection.login,
        "password": connection.password,
    }
    extra = {key: value for key, value in connection.extra.items() if key not in ("cursor", "iam")}
    try:
        return make_conninfo(**{**extra, **{key: value for key, value in own.items() if value is not None}})
    except (ProgrammingError, TypeError):
        known = ", ".join(sorted(extra))
        raise ConnectionFault(
            f"connection {connection.conn_id!r}: its extra has a key that libpq does not know (keys: {known}).",
            do="Remove it.",
        ) from None


def spark_target(connection: Connection) -> SparkTarget:
    """Where a Spark connection of Airflow points: type `spark_connect`, or `spark` as SparkSubmitHook reads it."""
    if connection.conn_type == "spark_connect":
        return _connect_target(connection)
    if connection.conn_type in ("spark", "yarn", "k8s", "local"):
        master = connection.host or ""
        if connection.conn_type != "spark" or (master and "://" not in master and connection.port):
            master = f"{connection.conn_type}://{master}"
        if connection.port:
            master = f"{master}:{connection.port}"
        if not master:
            raise ConnectionFault(
                f"connection {connection.conn_id!r}: host is empty.",
                do="Write the Spark master, such as local[*] or spark://host:7077.",
            )
        mode = str(connection.extra.get("deploy-mode") or "client")
        conf = {key: _text(connection, key, v) for key, v in connection.extra.items() if key.startswith("spark.")}
        return SparkTarget(
            "submit",
            connection.conn_id,
            master=master,
            deploy_mode=mode,
            conf=conf,
            extra=connection.extra,
            ui_url=_ui_or_none(connection),
        )
    raise ConnectionFault(
        f"connection {connection.conn_id!r} has type {connection.conn_type!r}, which is not one of Spark.",
        do="Write spark_connect (a warm Spark Connect server) or spark (spark-submit).",
    )


def _connect_target(connection: Connection) -> SparkTarget:
    host = (connection.host or "").removeprefix("sc://").rstrip("/")
    if not host or "/" in host or ";" in host:
        raise ConnectionFault(
            f"connection {connection.conn_id!r}: host is not the address of a Spark Connect server.",
            do="Write its address, such as sc://host, and its port.",
        )
    address = f"{host}:{connection.port}" if connection.port else host
    parameters = []
    if connection.login:
        parameters.append(f"user_id={quote(connection.login, safe='')}")
    if connection.password:
        parameters.append(f"token={quote(connection.password, safe='')}")
    if (use_ssl := connection.extra.get("use_ssl")) is not None:
        parameters.append(f"use_ssl={_text(connection, 'use_ssl', use_ssl).lower()}")
    remote = f"sc://{address}/" + (f";{';'.join(parameters)}" if parameters else "")
    conf = {key: _text(connection, key, v) for key, v in connection.extra.items() if key.startswith("spark.")}
    return SparkTarget(
        "connect", connection.conn_id, remote=remote, conf=conf, extra=connection.extra, ui_url=_ui_or_none(connection)
    )


def spark_remote(connection: Connection) -> str | None:
    """The address of a Spark Connect server without user and token, as a page may show it; None for another kind of Spark."""
    target = spark_target(connection)
    if target.kind != "connect":
        return None
    address, _, parameters = target.remote.partition("/;")
    shown = [p for p in parameters.split(";") if p.startswith("use_ssl=")]
    return address.rstrip("/") + (f"/;{shown[0]}" if shown else "")


def spark_ui(connection: Connection) -> str:
    """The address in its extra's `ui_url`, which pages and logs show to whoever may read them; empty without one.

    Raises ConnectionFault for what is no plain address, or has a login in it.
    """
    given = connection.extra.get("ui_url")
    if given in (None, ""):
        return ""
    try:
        parts = urlsplit(given) if isinstance(given, str) else None
        good = (
            parts is not None
            and parts.scheme in ("http", "https")
            and parts.hostname
            and not (parts.username or parts.query)
        )
    except ValueError:
        good = False
    if not good:
        raise ConnectionFault(
            f"connection {connection.conn_id!r}: ui_url in its extra is not the address of Spark's UI or history "
            "server, or it has a login or a query, which pages and logs would show.",
            State.NOTHING_CHANGED,
            "Write an address such as https://spark.example.com, without a login or a query.",
        )
    return str(given).rstrip("/")


def _ui_or_none(connection: Connection) -> str:
    """Records are moved all the same, whatever a person would click on; `check` tells of it."""
    try:
        return spark_ui(connection)
    except ConnectionFault as fault:
        logger.warning("%s", fault)
        return ""


def _text(connection: Connection, key: str, value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        return str(value)
    raise ConnectionFault(
        f"connection {connection.conn_id!r}: {key} in its extra is not text, a number or true/false.",
        do="Write one of these.",
    )
