"""Airflow connections as values, read from a task's Airflow, in the api-server, or from the environment."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lakelock.adapters.airflow.connection_text import fields_from_json, fields_from_uri
from lakelock.errors import ConnectionFault, Unreachable
from lakelock.model.redaction import secrets_of


@dataclass(frozen=True, slots=True, repr=False)
class Connection:
    """An Airflow connection as a value; its repr shows only id and type."""

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

    def text(self, key: str, value: object) -> str:
        """A value of its extra as text for clients; raises ConnectionFault for lists and objects."""
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, str | int | float):
            return str(value)
        raise ConnectionFault(
            f"connection {self.conn_id!r}: {key} in its extra is not text, a number or true/false.",
            do="Write one of these.",
        )

    def secrets(self) -> set[str]:
        """Every text that must not appear in a log: passwords, also inside URIs, and extras with secret names."""
        return secrets_of({"password": self.password, "host": self.host, "extra": self.extra})


def from_environment(conn_id: str, environment: Mapping[str, str] | None = None) -> Connection:
    """Read `AIRFLOW_CONN_<ID>`, JSON or URI, as Airflow does; raises ConnectionFault."""
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
        # The cause would quote the value, which contains secrets.
        raise ConnectionFault(
            f"connection {conn_id!r}: {variable} is neither JSON nor a URI of an Airflow connection.",
            do=f"Set {variable} to one of them.",
        ) from None
    return Connection(conn_id, **fields)


def _of_the_demo() -> str:
    file = Path(os.environ.get("LAKELOCK_HOME", ".lakelock")) / "demo" / "connections.env"
    return f"For the demo's servers, type `. {shlex.quote(str(file))}`. " if file.exists() else ""


def from_airflow(conn_id: str) -> Connection:
    """Read from Airflow inside a task, and mask its secrets in the task's log. Raises ConnectionFault, Unreachable."""
    from airflow.sdk import BaseHook
    from airflow.sdk.exceptions import AirflowNotFoundException, AirflowRuntimeError

    try:
        return _taken_over(conn_id, BaseHook.get_connection(conn_id))
    except AirflowNotFoundException as error:
        raise _undefined(conn_id) from error
    except AirflowRuntimeError as error:
        raise Unreachable(f"Airflow gave no answer about connection {conn_id!r}: {str(error).rstrip('.')}.") from error


def from_airflow_server(conn_id: str, team: str | None) -> Connection:
    """Read from Airflow's secrets backends, in the api-server. Raises ConnectionFault."""
    from airflow.exceptions import AirflowNotFoundException
    from airflow.models.connection import Connection as Known

    try:
        return _taken_over(conn_id, Known.get_connection_from_secrets(conn_id, team_name=team))
    except AirflowNotFoundException as error:
        raise _undefined(conn_id) from error


def _undefined(conn_id: str) -> ConnectionFault:
    """The error for a connection that Airflow does not know."""
    return ConnectionFault(
        f"connection {conn_id!r} is not defined.",
        do=f"Create it in Airflow (Admin → Connections), set AIRFLOW_CONN_{conn_id.upper()} for the workers, or name "
        "another conn_id in the pipeline file.",
    )


def _taken_over(conn_id: str, found: Any) -> Connection:
    """Convert an Airflow connection, and mask its secrets in logs. Raises ConnectionFault."""
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
