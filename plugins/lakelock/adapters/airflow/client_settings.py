"""Settings for the clients of Kafka, the Iceberg catalog and Postgres, derived from Airflow connections."""

from __future__ import annotations

from lakelock.adapters.airflow.connections import Connection
from lakelock.errors import ConnectionFault

# Settings that lakelock chooses itself; connections often have them for other consumers.
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


def kafka_config(connection: Connection) -> dict[str, str]:
    """librdkafka configuration: the extra, as in Airflow's Kafka provider, without the settings that lakelock chooses.

    Raises ConnectionFault for values that would break the guarantees if they were applied.
    """
    config = {key: connection.text(key, value) for key, value in connection.extra.items() if value is not None}
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
    """PyIceberg's catalog name and properties, equal to those of `IcebergHook.catalog` in Airflow's Iceberg provider.

    The name is the connection's id, which SQL catalogs use to keep their tables apart.
    """
    properties = {key: connection.text(key, value) for key, value in connection.extra.items() if value is not None}
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
    """A libpq connection string, including the password and extras that libpq knows (`sslmode`, …)."""
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
