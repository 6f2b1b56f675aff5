"""Addresses without their secrets, for messages."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit, urlunsplit


def password_of(uri: str) -> str | None:
    """The password in a URI's authority, as it is written there."""
    try:
        return urlsplit(uri).password
    except ValueError:
        return None


def password_may_be_elsewhere(uri: str, parts: SplitResult) -> bool:
    """Whether a password ends behind the authority: one with a bare `/`, `?` or `#`, which database drivers take."""
    _, colon, port = parts.netloc.rpartition("]")[2].rpartition(":")
    return bool(colon) and "@" not in parts.netloc and ("@" in uri or not port.isdecimal())


def without_secrets(uri: str) -> str:
    """*uri* without user, password and query; what cannot be read as a URI is not shown at all."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return "…"
    if password_may_be_elsewhere(uri, parts):
        return "…"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
