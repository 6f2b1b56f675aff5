"""Apache Iceberg through PyIceberg, with a commit of lakelock's own."""

from __future__ import annotations

from lakelock.adapters.iceberg.letters import IcebergLetters
from lakelock.adapters.iceberg.preflight import check_compare_and_swap
from lakelock.adapters.iceberg.tables import IcebergTables
from lakelock.adapters.iceberg.upkeep import IcebergStorage

__all__ = ["IcebergLetters", "IcebergStorage", "IcebergTables", "check_compare_and_swap"]
