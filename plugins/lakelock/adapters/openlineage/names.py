"""OpenLineage names of topics and tables: https://openlineage.io/docs/spec/naming."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

from lakelock.model.redaction import without_secrets


class DatasetName(NamedTuple):
    namespace: str
    name: str


def topic_name(bootstrap_servers: str, topic: str) -> DatasetName:
    """Name by the first server, like any other producer of lineage with the same list."""
    first = bootstrap_servers.split(",", maxsplit=1)[0].strip().rpartition("://")[2]
    return DatasetName(f"kafka://{first if ':' in first.rpartition(']')[2] else f'{first}:9092'}", topic)


def table_name(location: str) -> DatasetName:
    """Name by location, as OpenLineage's Spark integration names Iceberg tables, so that both mean the same dataset."""
    parts = urlsplit(location)
    if parts.scheme in {"", "file"}:
        return DatasetName("file", parts.path.rstrip("/"))
    scheme = "s3" if parts.scheme in {"s3a", "s3n"} else parts.scheme
    path = parts.path.rstrip("/")
    return DatasetName(f"{scheme}://{parts.netloc}", path if scheme == "hdfs" else path.lstrip("/"))


def table_symlink(catalog_uri: str, table: str) -> DatasetName:
    """Name of the table in its catalog."""
    return DatasetName(without_secrets(catalog_uri), table)
