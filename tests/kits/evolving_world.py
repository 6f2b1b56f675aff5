"""Records for tables whose columns follow them, and what became of both."""

from __future__ import annotations

import json
from datetime import datetime
from decimal import Decimal
from typing import Any

from lakelock.adapters.iceberg.columns import columns_of

from kits.evolution import types
from kits.topics import new_producer, produce
from kits.upkeep import table_of
from kits.world import World


def send(world: World, *records: dict[str, Any]) -> None:
    servers = world.connections["kafka_default"].extra["bootstrap.servers"]
    produce(new_producer(servers), world.topic, [json.dumps(record).encode() for record in records])


def plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value


def rows_of(world: World) -> list[dict[str, Any]]:
    found = table_of(world).scan().to_arrow().sort_by("_kafka_offset").to_pylist()
    return [{name: plain(v) for name, v in row.items() if not name.startswith("_kafka")} for row in found]


def columns(world: World) -> dict[str, str]:
    return types(columns_of(table_of(world).schema()))
