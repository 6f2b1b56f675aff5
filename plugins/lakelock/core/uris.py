"""Addresses without their secrets, for messages."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit


def password_of(uri: str) -> str | None:
    """The password in a URI's authority, as it is written there."""
    try:
        return urlsplit(uri).password
    except ValueError:
        return None


def without_secrets(uri: str) -> str:
    """*uri* without user, password and query; what cannot be read as a URI is not shown at all."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return "…"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
