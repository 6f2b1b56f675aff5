"""Detect secret settings by name, and redact them from texts and addresses.

One list for Kafka (librdkafka), catalogs and storage (PyIceberg), Spark and Postgres (libpq): a test plants a secret in
every property that these document as sensitive.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

_SECRET = re.compile(
    r"passw|passphrase|passcode|secret|token|credential|private|authorization|signature|jaas|keytab|ticket|cookie"
    r"|connection[-_.]?string|session-kwargs|keyfile[-_.]?(?:dict|json)|oauthbearer\.(?:config|extensions)"
    # Whole words only: `key` is part of many harmless names.
    r"|(?:^|[-_.])(?:sas|sig|key)(?:[-_.]|$)|(?:account|access|api|client|server|shared|ssl)[-_.]?key(?:[-_.]|$)"
    # HTTP headers are secret whatever their name: proxies and gateways have their own names for tokens.
    r"|(?:^|\.)headers?\.(?!accept|content-|user-agent|x-iceberg-access-delegation)",
    re.IGNORECASE,
)
# Settings that say where a secret is, or how to obtain it, are not secret.
_HARMLESS = re.compile(
    r"(?:uri|url|endpoint|location|file|path|enabled|expires[-_]at(?:[-_]ms)?|interval(?:[-_]ms)?|timeout(?:[-_]ms)?"
    r"|mechanism|method|type|provider|class)$",
    re.IGNORECASE,
)
_PARAMETER = re.compile(r"[?&;]([\w.-]+)=([^&;#\s]*)")
_PASSWORD = re.compile(r"passw|passphrase|passcode", re.IGNORECASE)
_HEADER = re.compile(r"(?:^|\.)headers?\.", re.IGNORECASE)
# The part that a library shows on its own: the secret after `Bearer`, or after `id:` in a credential.
_NAMED = re.compile(r"(?:bearer|basic)\s+(\S+)|[^\s:/]+:([^\s:/]\S*)", re.IGNORECASE)
_PAIR = re.compile(r"""(?<![\w.-])([\w.-]+)\s*[=:]\s*["']?([^"';,\s]+)""")
# Shorter secrets occur in any text by chance; for headers, rarely secret, the limit is higher. Common words likewise,
# except as passwords.
LEAST, LEAST_HEADER = 4, 8
_COMMON = re.compile(r"true|false|none|null|basic|bearer|\d{1,5}", re.IGNORECASE)
MASK = "***"
NOT_SHOWN = "…"


def names_secret(key: str) -> bool:
    """Whether the value of setting *key* must never appear in logs or on pages."""
    return bool(_SECRET.search(key)) and not _HARMLESS.search(key)


def secrets_of(settings: Mapping[str, Any]) -> set[str]:
    """Texts in *settings* that must not be shown: secret values, parts of them, and passwords and tokens in addresses."""
    return {s for key, value in settings.items() for s in _within(str(key), value) if len(s) >= LEAST}


def redacted(text: str, secrets: Iterable[str]) -> str:
    """*text* with each of *secrets* masked."""
    # Longest first: one secret may be part of another.
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, MASK)
    return text


def password_of(uri: str) -> str | None:
    """The password in a URI's authority, as it is written there."""
    try:
        return urlsplit(uri).password
    except ValueError:
        return None


def password_may_be_elsewhere(uri: str, parts: SplitResult) -> bool:
    """Whether a password may extend past the authority: with a bare `/`, `?` or `#`, which database drivers accept."""
    _, colon, port = parts.netloc.rpartition("]")[2].rpartition(":")
    return bool(colon) and "@" not in parts.netloc and ("@" in uri or not port.isdecimal())


def without_secrets(uri: str) -> str:
    """*uri* without user, password and query; text that cannot be parsed as a URI is not shown at all."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return NOT_SHOWN
    if password_may_be_elsewhere(uri, parts) or ("@" in parts.path and not parts.netloc):
        return NOT_SHOWN
    # urlunsplit takes the first folder of `sqlite:////path` for a host.
    slashes = "//" if "://" in uri else ""
    scheme = f"{parts.scheme}:" if parts.scheme else ""
    return f"{scheme}{slashes}{parts.netloc.rpartition('@')[2]}{parts.path}"


def _within(key: str, value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            # Everything in a mapping with a secret name is secret, whatever its keys are called.
            yield from _within(f"{key}.{name}" if names_secret(key) else str(name), inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _within(key, inner)
    elif isinstance(value, str):
        yield from _in_address(value)
        if names_secret(key):
            least = LEAST_HEADER if _HEADER.search(key) else LEAST
            is_password = bool(_PASSWORD.search(key))
            yield from (s for s in _parts(value) if is_password or (len(s) >= least and not _COMMON.fullmatch(s)))


def _in_address(value: str) -> Iterator[str]:
    if "://" not in value:
        return
    if password := password_of(value):
        yield password
        yield unquote(password)
    for name, given in _PARAMETER.findall(value):
        if names_secret(name):
            yield given
            yield unquote(given)


def _parts(value: str) -> Iterator[str]:
    """A secret value and its parts: libraries show the secret after `id:` or `Bearer `, or one of several settings."""
    yield value
    if named := _NAMED.fullmatch(value):
        yield named[1] or named[2]
    yield from (given for name, given in _PAIR.findall(value) if names_secret(name))
    if value.lstrip().startswith("{"):
        try:
            yield from secrets_of(json.loads(value))
        except (ValueError, RecursionError):
            return
