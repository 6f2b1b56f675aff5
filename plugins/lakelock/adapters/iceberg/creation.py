"""Create a declared table and its missing namespaces; it does not matter which process creates them."""

from __future__ import annotations

import logging

from pyiceberg.catalog import Catalog
from pyiceberg.exceptions import NamespaceAlreadyExistsError, TableAlreadyExistsError
from sqlalchemy.exc import IntegrityError

from lakelock.adapters.iceberg import definitions
from lakelock.adapters.iceberg.catalogs import CatalogConnection
from lakelock.adapters.iceberg.errors import Border
from lakelock.errors import BadTableDefinition, State
from lakelock.ports import TableDefinition

logger = logging.getLogger(__name__)


def create(connection: CatalogConnection, border: Border, name: str, definition: TableDefinition) -> None:
    """Create the table unless another process does. Raises BadTableDefinition, and errors translated by *border*."""
    schema = definitions.schema_of(definition)
    spec = definitions.partition_spec_of(definition.partition_by, schema)
    order = definitions.sort_order_of(definition.sort_by, schema)
    properties = definitions.properties_of(definition)
    identifier = tuple(name.split("."))
    if len(identifier) < 2 or not all(identifier):
        raise BadTableDefinition(
            f"table name {name!r} has no namespace.", State.NOTHING_CREATED, "Write <namespace>.<table>."
        )
    with border.crossing(f"creating table {name}"):
        catalog = connection.catalog()
        for depth in range(1, len(identifier)):
            _ensure_namespace(catalog, identifier[:depth])
        try:
            connection.pace.wait()
            catalog.create_table(identifier, schema, definition.location, spec, order, properties)
        except TableAlreadyExistsError:
            logger.info("table %s was created by another process at the same time", name)


def _ensure_namespace(catalog: Catalog, namespace: tuple[str, ...]) -> None:
    if catalog.namespace_exists(namespace):
        return
    try:
        catalog.create_namespace(namespace)
    except (NamespaceAlreadyExistsError, IntegrityError):
        logger.info("namespace %s was created by another process at the same time", ".".join(namespace))
