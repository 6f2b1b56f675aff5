"""Table definitions as PyIceberg objects; faults are reported before any call to the catalog."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pydantic import ValidationError
from pyiceberg.partitioning import PARTITION_FIELD_ID_START, PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table.sorting import UNSORTED_SORT_ORDER, NullOrder, SortDirection, SortField, SortOrder
from pyiceberg.transforms import parse_transform
from pyiceberg.types import DoubleType, FloatType, NestedField

from lakelock.adapters.iceberg.columns import columns_of, schema_from
from lakelock.errors import BadTableDefinition, State
from lakelock.model.ledger import CREATED_BY
from lakelock.model.partition_expressions import TIME_KINDS, Transform, TransformKind, parse_partition, parse_sort
from lakelock.model.schema_lines import column_names
from lakelock.ports import TableDefinition

DEFAULT_PROPERTIES = {
    "format-version": "2",
    # Each commit writes a metadata file that lists all retained snapshots; without these settings the files would pile
    # up.
    "write.metadata.delete-after-commit.enabled": "true",
    "write.metadata.previous-versions-max": "20",
    "write.parquet.compression-codec": "zstd",
}


def schema_of(definition: TableDefinition) -> Schema:
    """Raises BadTableDefinition, also for columns that cannot be identifier columns."""
    schema = schema_from(definition.columns)
    ids: list[int] = []
    for column in definition.identifier_columns:
        field = _column(schema, column, f"identifier column {column!r}")
        if not field.required:
            raise BadTableDefinition(
                f"identifier column {column!r} is optional.", State.NOTHING_CREATED, "Declare it 'required: true'."
            )
        if not field.field_type.is_primitive or isinstance(field.field_type, FloatType | DoubleType):
            raise BadTableDefinition(
                f"identifier column {column!r}: {field.field_type} cannot identify rows.", State.NOTHING_CREATED
            )
        ids.append(field.field_id)
    if not ids:
        return schema
    try:
        return Schema(*schema.fields, schema_id=schema.schema_id, identifier_field_ids=ids)
    except (ValidationError, ValueError) as fault:
        raise BadTableDefinition(
            f"the identifier columns cannot be used: {str(fault).splitlines()[0]}.", State.NOTHING_CREATED
        ) from fault


def partition_spec_of(expressions: Sequence[str], schema: Schema) -> PartitionSpec:
    """Raises BadTableDefinition; no expression is ever ignored."""
    fields: list[PartitionField] = []
    seen: dict[tuple[str, str], str] = {}
    columns = set(_names(schema))
    for i, text in enumerate(expressions):
        transform = parse_partition(text)
        source = _column(schema, transform.column, f"partition expression {text!r}")
        _must_fit(transform, source, f"partition expression {text!r}")
        # The Iceberg specification allows one transform of a kind per column, and only one of the time transforms.
        kind = "time" if transform.kind in TIME_KINDS else transform.kind.value
        if other := seen.get((kind, transform.column)):
            raise BadTableDefinition(
                f"partition expressions {other!r} and {text!r} repeat each other.", State.NOTHING_CREATED, "Keep one."
            )
        seen[kind, transform.column] = text
        fields.append(
            PartitionField(
                source_id=source.field_id,
                field_id=PARTITION_FIELD_ID_START + i,
                transform=parse_transform(iceberg_text(transform)),
                name=partition_name(transform, columns),
            )
        )
    return PartitionSpec(*fields)


def partition_name(transform: Transform, columns: Collection[str]) -> str:
    """The name of a partition field, which a column has only if the field is its identity."""
    name = transform.field_name
    return f"{name}_partition" if transform.kind is not TransformKind.IDENTITY and name in columns else name


def sort_order_of(expressions: Sequence[str], schema: Schema) -> SortOrder:
    """Parse sort expressions; raises BadTableDefinition."""
    fields: list[SortField] = []
    for text in expressions:
        key = parse_sort(text)
        source = _column(schema, key.transform.column, f"sort expression {text!r}")
        _must_fit(key.transform, source, f"sort expression {text!r}")
        fields.append(
            SortField(
                source_id=source.field_id,
                transform=parse_transform(iceberg_text(key.transform)),
                direction=SortDirection.DESC if key.descending else SortDirection.ASC,
                null_order=NullOrder.NULLS_FIRST if key.nulls_first else NullOrder.NULLS_LAST,
            )
        )
    return SortOrder(*fields) if fields else UNSORTED_SORT_ORDER


def properties_of(definition: TableDefinition) -> dict[str, str]:
    """Declared properties merged over defaults. Raises BadTableDefinition for formats that lakelock cannot write."""
    properties = {**DEFAULT_PROPERTIES, **{k: str(v) for k, v in definition.properties.items()}}
    if properties["format-version"] != "2":
        raise BadTableDefinition(
            f"property format-version is {properties['format-version']!r}, and lakelock writes format 2.",
            State.NOTHING_CREATED,
            "Remove the property.",
        )
    if owned := sorted(k for k in properties if k.startswith("lakelock.")):
        raise BadTableDefinition(
            f"properties that begin with 'lakelock.' are lakelock's own: {', '.join(owned)}.",
            State.NOTHING_CREATED,
            "Remove them.",
        )
    return properties if definition.created_by is None else {**properties, CREATED_BY: definition.created_by}


def _column(schema: Schema, name: str, where: str) -> NestedField:
    names = _names(schema)
    if name not in names:
        raise BadTableDefinition(
            f"{where}: there is no column {name!r}.", State.NOTHING_CREATED, f"Name one of these: {', '.join(names)}."
        )
    return schema.find_field(name)


def _names(schema: Schema) -> list[str]:
    return column_names(columns_of(schema))


def _must_fit(transform: Transform, source: NestedField, where: str) -> None:
    if not parse_transform(iceberg_text(transform)).can_transform(source.field_type):
        raise BadTableDefinition(
            f"{where}: {transform.kind.value} does not fit column {transform.column!r} ({source.field_type}).",
            State.NOTHING_CREATED,
        )


def iceberg_text(transform: Transform) -> str:
    return transform.kind.value if transform.parameter is None else f"{transform.kind.value}[{transform.parameter}]"
