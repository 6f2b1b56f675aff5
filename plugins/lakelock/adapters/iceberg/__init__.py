"""Apache Iceberg through PyIceberg, with a commit of lakelock's own."""

from __future__ import annotations

from lakelock.adapters.iceberg.preflight import check_compare_and_swap
from lakelock.adapters.iceberg.tables import IcebergTables

__all__ = ["IcebergTables", "check_compare_and_swap"]
