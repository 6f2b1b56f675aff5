"""The key of a mask from an Airflow connection."""

from __future__ import annotations

from lakelock.adapters.airflow.connections import Connection
from lakelock.errors import ConnectionFault


def masking_key(connection: Connection) -> str:
    """The connection's password. Raises ConnectionFault for one without."""
    if not connection.password:
        raise ConnectionFault(
            f"connection {connection.conn_id!r} has no password, and a mask takes it as its key.",
            do="Give the connection a password, whatever its type.",
        )
    return connection.password
