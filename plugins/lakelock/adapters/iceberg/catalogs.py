"""Connections to catalogs, configured so that every call has a time limit."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit

from pyiceberg.catalog import Catalog, load_catalog
from sqlalchemy.exc import IntegrityError, ProgrammingError

from lakelock.adapters.iceberg.errors import Border, not_understood
from lakelock.adapters.iceberg.pyiceberg_private import CachingSqlCatalog, TimedRestCatalog
from lakelock.adapters.iceberg.request_pace import RequestPace
from lakelock.ports.edits import Edit, Expire

logger = logging.getLogger(__name__)

# libpq's names; values in the URI take precedence.
_POSTGRES = {
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "60000",
    "application_name": "lakelock",
}
_SQLITE = {"timeout": "30"}


class CatalogConnection:
    """A catalog that connects at first use. Thread-safe. If it cannot remove schemas, *keeps_schemas* is its answer."""

    def __init__(
        self, name: str, properties: Mapping[str, str], border: Border, pace: RequestPace | None = None
    ) -> None:
        self.pace = pace or RequestPace()
        self._name = name
        self._properties = properties
        self._border = border
        self._catalog: Catalog | None = None
        self._opening = threading.Lock()
        self.keeps_schemas = ""

    def catalog(self) -> Catalog:
        """The catalog, opened if necessary. Raises Unreachable, AccessDenied, ConnectionFault."""
        with self._opening:
            if self._catalog is None:
                with self._border.crossing("opening the catalog"):
                    self._catalog = open_catalog(self._name, self._properties)
            return self._catalog

    def request(self) -> Catalog:
        """As `catalog`, once a request may be sent: a load or a change of one table."""
        catalog = self.catalog()
        self.pace.wait()
        return catalog

    def learn(self, edit: Edit, fault: Exception) -> None:
        """Note that the catalog does not know an update, if *fault* says so."""
        if isinstance(edit, Expire) and edit.column_sets and not_understood(fault) and not self.keeps_schemas:
            self.keeps_schemas = self._border.reason(fault)
            logger.warning(
                "%s does not remove schemas (%s), so earlier ones stay in the tables' metadata",
                self._border.catalog,
                self.keeps_schemas,
            )

    def close(self) -> None:
        """Close idle connections; later calls open new ones."""
        with self._opening:
            if self._catalog is not None:
                self._catalog.close()


def open_catalog(name: str, properties: Mapping[str, str]) -> Catalog:
    """Connect. Raises whatever PyIceberg, SQLAlchemy or requests raise."""
    settings = {k: str(v) for k, v in properties.items()}
    uri = settings.get("uri", "")
    kind = settings.get("type", "").lower()
    if kind == "rest" or (not kind and uri.startswith("http") and "py-catalog-impl" not in settings):
        _implement(settings, TimedRestCatalog)
    elif kind == "sql" or (not kind and uri.startswith(("postgresql", "sqlite")) and "py-catalog-impl" not in settings):
        _implement(settings, CachingSqlCatalog)
        settings["uri"] = _with_defaults(uri)
        settings.setdefault("pool_pre_ping", "true")
    try:
        return load_catalog(name, **settings)
    except (IntegrityError, ProgrammingError):
        # Another process created the catalog's own tables at the same time; now they exist.
        return load_catalog(name, **settings)


def _implement(settings: dict[str, str], catalog: type[Catalog]) -> None:
    settings.pop("type", None)
    settings["py-catalog-impl"] = f"{catalog.__module__}.{catalog.__qualname__}"


def _with_defaults(uri: str) -> str:
    defaults = _POSTGRES if uri.startswith("postgresql") else _SQLITE if uri.startswith("sqlite:///") else {}
    query = urlsplit(uri).query
    missing = {k: v for k, v in defaults.items() if f"{k}=" not in query}
    if not missing:
        return uri
    return f"{uri}{'&' if query else '?'}{urlencode(missing)}"
