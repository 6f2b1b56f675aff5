"""An Iceberg table's layout as the writers of its data files need it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson
from pyiceberg.partitioning import PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table.sorting import SortOrder
from pyiceberg.typedef import IcebergBaseModel
from pyiceberg.types import ListType, MapType, NestedField, StructType

from lakelock.model.layouts import Layout

_TOKEN = re.compile(r"schema (\d+) \(([0-9a-f]+)\), partition spec (\d+) \(([0-9a-f]+)\)")
# As version 0.2.0 recorded it.
_OLD_TOKEN = re.compile(r"schema (\d+), partition spec (\d+)")
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
        return cls.read(orjson.dumps(layout.details).decode())

    @staticmethod
    def read(details: str) -> FileLayout:
        """Of the details of a layout as JSON."""
        return _read(details)

    @property
    def layout(self) -> Layout:
        """Files may be committed whatever the sort order is then, so the token leaves it out."""
        schema, spec = self.schema, self.spec
        token = (
            f"schema {schema.schema_id} ({digest_of(schema)}), partition spec {spec.spec_id} ({digest_of_spec(spec)})"
        )
        details = {"schema": plain(schema), "spec": plain(spec), "sort_order": plain(self.sort_order)}
        return Layout(token, bool(spec.fields), details)


# Thousands of tables that a task writes are mostly alike, and each asks a few times.
@lru_cache(maxsize=64)
def _read(details: str) -> FileLayout:
    plain = json.loads(details)
    return FileLayout(
        Schema.model_validate(plain["schema"]),
        PartitionSpec.model_validate(plain["spec"]),
        SortOrder.model_validate(plain["sort_order"]),
    )


@dataclass(frozen=True, slots=True)
class Written:
    """Ids in a layout's token, and the digests of schema and spec.

    If older metadata is registered again, its table may give an id to other columns, or to another spec.
    """

    schema_id: int
    spec_id: int
    digests: tuple[str, str] | None = None

    @classmethod
    def of(cls, token: str) -> Written | None:
        """None for a token of another form."""
        if found := _TOKEN.fullmatch(token):
            return cls(int(found[1]), int(found[3]), (found[2], found[4]))
        found = _OLD_TOKEN.fullmatch(token)
        return cls(int(found[1]), int(found[2])) if found else None


def digest_of(schema: Schema) -> str:
    """Of all fields, with ids, names, types and whether they are required; comments do not count.

    In lakelock's own form, which must not change: a staged part is compared with the table by it.
    """
    return _digest(_lines(schema.fields))


def digest_of_spec(spec: PartitionSpec) -> str:
    """Of all fields, with their source columns, transforms and names."""
    return _digest(f"{f.source_id} {f.field_id} {f.transform} {f.name!r}" for f in spec.fields)


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:_DIGITS]


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
