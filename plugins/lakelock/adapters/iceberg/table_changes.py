"""A change of a table's columns, partitioning, sort order and properties as updates of one compare-and-swap."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pyiceberg.partitioning import PartitionField
from pyiceberg.table import Transaction
from pyiceberg.table.sorting import SortDirection
from pyiceberg.table.update import SetPropertiesUpdate, TableRequirement, TableUpdate
from pyiceberg.table.update.sorting import UpdateSortOrder
from pyiceberg.table.update.spec import UpdateSpec
from pyiceberg.transforms import VoidTransform, parse_transform

from lakelock.adapters.iceberg import pyiceberg_private as internals
from lakelock.adapters.iceberg.definitions import iceberg_text, partition_name, partition_spec_of, sort_order_of
from lakelock.adapters.iceberg.handle import Handle
from lakelock.adapters.iceberg.schema_changes import SchemaChange, schema_change
from lakelock.errors import BadTableDefinition, State
from lakelock.model.column_changes import Added, Commented, MadeOptional, Widened
from lakelock.model.partition_expressions import Transform, parse_partition
from lakelock.ports import TableCapabilities
from lakelock.ports.edits import Evolve

CAPABILITIES = TableCapabilities(
    format="iceberg",
    file_lists=True,
    rewrites=True,
    restores=True,
    expires=True,
    rearranges=True,
    column_changes=frozenset((Added, Widened, MadeOptional, Commented)),
)
_Updates = tuple[tuple[TableUpdate, ...], tuple[TableRequirement, ...]]


def table_change(handle: Handle, edit: Evolve) -> SchemaChange:
    """All of *edit*, of which partitioning and sort order may name columns that it adds. Raises BadTableDefinition.

    It relies on the last ids of fields and partition fields and on the default sort order, beside schema and spec.
    """
    columns = schema_change(handle, edit.changes)
    updates, requirements = columns.updates, columns.requirements
    try:
        if edit.partition_by is not None:
            of_spec = _partitioned(internals.staged(handle.table, updates), edit.partition_by)
            updates, requirements = (*updates, *of_spec[0]), (*requirements, *of_spec[1])
        if edit.sort_by is not None:
            of_order = _sorted(internals.staged(handle.table, updates), edit.sort_by)
            updates, requirements = (*updates, *of_order[0]), (*requirements, *of_order[1])
    except BadTableDefinition as fault:
        raise BadTableDefinition(f"{handle.name}: {fault.what}", State.NOTHING_CHANGED, fault.do) from fault
    except ValueError as fault:
        raise BadTableDefinition(
            f"{handle.name}: its partitioning cannot change: {str(fault).splitlines()[0]}.", State.NOTHING_CHANGED
        ) from fault
    if edit.properties:
        updates = (*updates, SetPropertiesUpdate(updates=dict(edit.properties)))
    return SchemaChange(columns.schema_id, updates, requirements)


def _partitioned(transaction: Transaction, expressions: Sequence[str]) -> _Updates:
    """Fields that stay keep their ids and places, and one that an earlier spec had is used again."""
    metadata = transaction.table_metadata
    schema = metadata.schema()
    # Checks every expression, and each against the others.
    partition_spec_of(expressions, schema)
    wanted = {(schema.find_field(t.column).field_id, iceberg_text(t)): t for t in map(parse_partition, expressions)}
    there = {(f.source_id, str(f.transform)): f for f in metadata.spec().fields}
    known = [f for spec in metadata.specs().values() for f in spec.fields]
    update = UpdateSpec(transaction)
    for key, field in there.items():
        if key not in wanted and not isinstance(field.transform, VoidTransform):
            update.remove_field(field.name)
    taken = {f.name for f in known}
    for key, transform in wanted.items():
        if key in there:
            continue
        name = _name_of(key, known) or _free_name(transform, taken, schema.column_names)
        taken.add(name)
        update.add_field(transform.column, parse_transform(key[1]), name)
    return internals.spec_updates(update)


def _name_of(key: tuple[int, str], known: Sequence[PartitionField]) -> str | None:
    return next((f.name for f in known if (f.source_id, str(f.transform)) == key), None)


def _free_name(transform: Transform, taken: Collection[str], columns: Collection[str]) -> str:
    """A name that no field of any spec has: readers join the partition fields of all specs in one struct."""
    name = partition_name(transform, columns)
    if name not in taken:
        return name
    base = name if transform.parameter is None else f"{name}_{transform.parameter}"
    numbered = (base if n == 1 else f"{base}_{n}" for n in range(1, len(taken) + len(columns) + 2))
    return next(n for n in numbered if n not in taken and n not in columns)


def _sorted(transaction: Transaction, expressions: Sequence[str]) -> _Updates:
    schema = transaction.table_metadata.schema()
    update = UpdateSortOrder(transaction)
    for key in sort_order_of(expressions, schema).fields:
        add = update.desc if key.direction is SortDirection.DESC else update.asc
        add(schema.find_column_name(key.source_id) or "", key.transform, key.null_order)
    return internals.sort_order_updates(update)
