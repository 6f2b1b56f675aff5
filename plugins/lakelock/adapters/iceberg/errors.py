"""Translate failures behind PyIceberg into lakelock's errors; messages never contain a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from pyiceberg import exceptions as iceberg
from requests import exceptions as http
from sqlalchemy import exc as sql

from lakelock.errors import (
    AccessDenied,
    ConnectionFault,
    LakelockError,
    State,
    TableMissing,
    TableUnfit,
    Unreachable,
)
from lakelock.model.redaction import NOT_SHOWN, redacted, secrets_of, without_secrets

_DENIED_TEXT = re.compile(
    r"authentication failed|no pg_hba\.conf entry|permission denied|access denied|access_denied|role \S+ does not exist|"
    r"no password supplied|forbidden|invalidaccesskeyid|signaturedoesnotmatch",
    re.IGNORECASE,
)
_DENIED = (
    iceberg.UnauthorizedError,
    iceberg.ForbiddenError,
    iceberg.OAuthError,
    iceberg.AuthorizationExpiredError,
    PermissionError,
)
_SILENT = (
    iceberg.ServerError,
    iceberg.ServiceUnavailableError,
    iceberg.TooManyRequestsError,
    http.RequestException,
    sql.DBAPIError,
    sql.TimeoutError,
    OSError,
)


def safe_uri(uri: str) -> str:
    """*uri* without user, password and parameters."""
    shown = without_secrets(uri)
    return "the catalog" if shown == NOT_SHOWN else shown


class Border:
    """Translates exceptions that leave the adapter; knows the catalog's display name and the secrets to mask."""

    def __init__(self, properties: Mapping[str, str]) -> None:
        uri = str(properties.get("uri", ""))
        self.catalog = safe_uri(uri) if uri else f"catalog of type {properties.get('type', 'unknown')}"
        self.warehouse = safe_uri(str(properties.get("warehouse", ""))) if properties.get("warehouse") else None
        self._secrets = secrets_of(properties)

    @contextmanager
    def crossing(self, doing: str) -> Iterator[None]:
        """Re-raise any exception as a lakelock error; *doing* begins the message."""
        try:
            yield
        except LakelockError:
            raise
        except Exception as fault:
            translated = self.translated(fault, doing)
            # A chained cause is printed with its own text, which may contain the secrets masked here.
            if self.redacted(str(fault)) != str(fault):
                raise translated from None
            raise translated from fault

    def translated(self, fault: Exception, doing: str) -> LakelockError:
        reason = self.reason(fault)
        if isinstance(fault, iceberg.NoSuchTableError | iceberg.NoSuchNamespaceError | iceberg.NoSuchIcebergTableError):
            return TableMissing(f"{doing}: {self.catalog} has no such table ({reason}).", State.STAGED)
        if self._denied(fault):
            return AccessDenied(
                f"{doing}: access denied by {self._where(fault)}: {reason}.",
                State.STAGED,
                "Check the login and its rights.",
            )
        if isinstance(fault, _SILENT):
            return Unreachable(
                f"{doing}: no answer from {self._where(fault)}: {reason}.", State.STAGED, "The next run tries again."
            )
        if isinstance(fault, ValueError) and "No default path is set" in str(fault):
            return ConnectionFault(
                f"{doing}: the catalog connection has no 'warehouse'.",
                State.STAGED,
                "Set one in the extra of the connection.",
            )
        if isinstance(fault, ImportError | iceberg.NotInstalledError):
            return ConnectionFault(
                f"{doing}: a Python package that the catalog or storage needs is missing: {reason}.",
                State.STAGED,
                "Install it.",
            )
        return TableUnfit(f"{doing}: {self.catalog} gave an answer that PyIceberg cannot use: {reason}.", State.STAGED)

    def reason(self, fault: Exception) -> str:
        """One line, without SQL, parameters or secrets."""
        inner: BaseException = fault
        if isinstance(fault, sql.DBAPIError) and fault.orig is not None:
            inner = fault.orig
        lines = [line.strip() for line in str(inner).splitlines() if line.strip()]
        return self.redacted(f"{type(inner).__name__}: {lines[0][:400] if lines else 'no message'}")

    def redacted(self, text: str) -> str:
        return redacted(text, self._secrets)

    def _where(self, fault: Exception) -> str:
        if isinstance(fault, OSError) and not isinstance(fault, http.RequestException):
            return f"the warehouse ({self.redacted(fault.filename)})" if fault.filename else "the warehouse"
        return self.catalog

    def _denied(self, fault: Exception) -> bool:
        if isinstance(fault, _DENIED):
            return True
        if isinstance(fault, sql.DBAPIError):
            state = getattr(fault.orig, "sqlstate", None) or getattr(fault.orig, "pgcode", None) or ""
            return state in {"28P01", "28000", "42501"} or bool(_DENIED_TEXT.search(str(fault.orig)))
        return isinstance(fault, OSError) and bool(_DENIED_TEXT.search(str(fault)))


def refused(fault: Exception) -> bool:
    """Whether the catalog itself reported that a requirement of the commit did not hold."""
    return isinstance(fault, iceberg.CommitFailedException)


def not_understood(fault: Exception) -> bool:
    """Whether a REST server refused a request for what it asks: status 400, 422 or 501."""
    return isinstance(fault, iceberg.BadRequestError | NotImplementedError) or type(fault) is iceberg.RESTError
