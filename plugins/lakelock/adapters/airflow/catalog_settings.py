"""Settings for the Iceberg catalog, derived from an Airflow connection."""

from __future__ import annotations

from lakelock.adapters.airflow.connections import Connection
from lakelock.errors import ConnectionFault


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
