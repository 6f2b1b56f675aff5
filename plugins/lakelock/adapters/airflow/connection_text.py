"""Parse the two text forms of an Airflow connection, JSON and URI, as Airflow does."""

from __future__ import annotations

import json
from typing import Any, TypedDict
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit


class ConnectionFields(TypedDict):
    conn_type: str
    host: str | None
    port: int | None
    schema: str | None
    login: str | None
    password: str | None
    extra: dict[str, Any]


def fields_from_json(text: str) -> ConnectionFields:
    """Raises ValueError, TypeError or AttributeError if the text is not a connection."""
    given = json.loads(text)
    extra = given.get("extra") or {}
    if isinstance(extra, str):
        extra = json.loads(extra)
    port = given.get("port")
    return {
        "conn_type": _type(given.get("conn_type") or ""),
        "host": given.get("host") or None,
        "port": int(port) if port else None,
        "schema": given.get("schema") or None,
        "login": given.get("login") or None,
        "password": given.get("password") or None,
        "extra": dict(extra),
    }


def fields_from_uri(text: str) -> ConnectionFields:
    """`type://login:password@host:port/schema?extra`, or `type://protocol://…`, whose host keeps the protocol."""
    conn_type, separator, rest = text.partition("://")
    protocol, inner, after = rest.partition("://")
    nested = bool(inner) and "?" not in protocol
    if not separator or not conn_type or (nested and ("@" in protocol or ":" in protocol or "://" in after)):
        raise ValueError("not a connection URI")
    parts = urlsplit(rest if nested else f"//{rest}")
    host = _host(parts)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    extra = json.loads(query["__extra__"]) if "__extra__" in query else query
    return {
        "conn_type": _type(conn_type),
        "host": (f"{protocol}://{host}" if nested and host else host) or None,
        "port": parts.port,
        "schema": unquote(parts.path[1:]) or None,
        "login": unquote(parts.username) if parts.username else None,
        "password": unquote(parts.password) if parts.password else None,
        "extra": dict(extra),
    }


def _host(parts: SplitResult) -> str:
    host = unquote(parts.hostname or "")
    if "/" in host:
        # A folder (a Unix socket): `hostname` would lower its case.
        host = unquote(parts.netloc.rpartition("@")[2].partition(":")[0])
    return host


def _type(conn_type: str) -> str:
    return "postgres" if conn_type == "postgresql" else conn_type.replace("-", "_")
