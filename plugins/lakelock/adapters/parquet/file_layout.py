"""An Iceberg table's layout as the writers of its data files need it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pyiceberg.partitioning import PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table.sorting import SortOrder
from pyiceberg.typedef import IcebergBaseModel
from pyiceberg.types import ListType, MapType, NestedField, StructType

from lakelock.model.layouts import Layout

# Version 0.2.0 recorded no digest.
_TOKEN = re.compile(r"schema (\d+)(?: \(([0-9a-f]+)\))?, partition spec (\d+)")
_DIGITS = 12


@dataclass(frozen=True, slots=True)
class FileLayout:
    """The schema, partition spec and sort order under which files are written."""

    schema: Schema
    spec: PartitionSpec
    sort_order: SortOrder

    @classmethod
    def of(cls, layout: Layout) -> FileLayout:
        """Inverse of `layout`."""
        details = layout.details
        return cls(
            Schema.model_validate(details["schema"]),
            PartitionSpec.model_validate(details["spec"]),
            SortOrder.model_validate(details["sort_order"]),
        )

    @property
    def layout(self) -> Layout:
        """Files may be committed whatever the sort order is then, so the token leaves it out."""
        token = f"schema {self.schema.schema_id} ({digest_of(self.schema)}), partition spec {self.spec.spec_id}"
        details = {"schema": plain(self.schema), "spec": plain(self.spec), "sort_order": plain(self.sort_order)}
        return Layout(token, bool(self.spec.fields), details)


@dataclass(frozen=True, slots=True)
class Written:
    """Ids in a layout's token. If older metadata is registered again, its table may give a schema id to other columns."""

    schema_id: int
    schema_digest: str | None
    spec_id: int

    @classmethod
    def of(cls, token: str) -> Written | None:
        """None for a token of another form."""
        found = _TOKEN.fullmatch(token)
        return cls(int(found[1]), found[2], int(found[3])) if found else None


def digest_of(schema: Schema) -> str:
    """Of all fields, with ids, names, types and whether they are required; comments do not count.

    In lakelock's own form, which must not change: a staged part is compared with the table by it.
    """
    text = "\n".join(_lines(schema.fields))
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _lines(fields: Iterable[NestedField]) -> Iterator[str]:
    for field in fields:
        kind, inner = field.field_type, list[NestedField]()
        match kind:
            case StructType():
                name, inner = "struct", list(kind.fields)
            case ListType():
                name, inner = "list", [kind.element_field]
            case MapType():
                name, inner = "map", [kind.key_field, kind.value_field]
            case _:
                name = str(kind)
        yield f"{field.field_id} {field.name!r} {'required' if field.required else 'optional'} {name} {len(inner)}"
        yield from _lines(inner)


def plain(model: IcebergBaseModel) -> dict[str, Any]:
    """The JSON form of a schema, spec or sort order."""
    out: dict[str, Any] = json.loads(model.model_dump_json())
    return out
