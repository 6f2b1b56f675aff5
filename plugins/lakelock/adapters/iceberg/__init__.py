"""Apache Iceberg through PyIceberg, with lakelock's own commit."""

from __future__ import annotations

from lakelock.adapters.iceberg.cas_check import check_compare_and_swap
from lakelock.adapters.iceberg.table_storage import IcebergStorage
from lakelock.adapters.iceberg.tables import IcebergTables

__all__ = ["IcebergStorage", "IcebergTables", "check_compare_and_swap"]
