"""Settings for Postgres, derived from an Airflow connection."""

from __future__ import annotations

from lakelock.adapters.airflow.connections import Connection
from lakelock.errors import ConnectionFault


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
