"""The Spark of an Airflow connection: a warm Spark Connect server, or a master for spark-submit."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote, urlsplit

from lakelock.adapters.airflow.connections import Connection
from lakelock.errors import ConnectionFault, State

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, repr=False)
class SparkTarget:
    """Address of Spark: `connect` has a *remote* URL (with its token), `submit` a *master*; *conf* are its settings.

    `ui_url` is the address of Spark's UI for people, without a trailing slash; empty if there is no valid one.
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


def spark_target(connection: Connection) -> SparkTarget:
    """Target of an Airflow connection: type `spark_connect`, or `spark` as SparkSubmitHook reads it."""
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
        conf = {key: connection.text(key, v) for key, v in connection.extra.items() if key.startswith("spark.")}
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
        parameters.append(f"use_ssl={connection.text('use_ssl', use_ssl).lower()}")
    remote = f"sc://{address}/" + (f";{';'.join(parameters)}" if parameters else "")
    conf = {key: connection.text(key, v) for key, v in connection.extra.items() if key.startswith("spark.")}
    return SparkTarget(
        "connect", connection.conn_id, remote=remote, conf=conf, extra=connection.extra, ui_url=_ui_or_none(connection)
    )


def spark_remote(connection: Connection) -> str | None:
    """Address of a Spark Connect server without user and token, for display; None for other kinds of Spark."""
    target = spark_target(connection)
    if target.kind != "connect":
        return None
    address, _, parameters = target.remote.partition("/;")
    shown = [p for p in parameters.split(";") if p.startswith("use_ssl=")]
    return address.rstrip("/") + (f"/;{shown[0]}" if shown else "")


def spark_ui(connection: Connection) -> str:
    """The `ui_url` of a connection's extra, which pages and logs show to all their readers; empty if not set.

    Raises ConnectionFault if it is not a plain address, or contains a login.
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
    """A wrong address must not stop the pipeline: it is logged here, and `check` reports it."""
    try:
        return spark_ui(connection)
    except ConnectionFault as fault:
        logger.warning("%s", fault)
        return ""
