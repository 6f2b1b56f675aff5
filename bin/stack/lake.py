"""The demo's table as read by two engines that share no code with lakelock: DuckDB and Spark."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import duckdb
from lakelock.model.offsets import missing
from pyiceberg.catalog import Catalog, load_catalog
from pyiceberg.exceptions import NoSuchNamespaceError, NoSuchTableError

from stack.accounts import Accounts, Ranges, WithoutRow
from stack.process import StackError
from stack.settings import CATALOG

if TYPE_CHECKING:
    from pyiceberg.table import Table

TABLE = "demo.flights"
T = TypeVar("T")
QUESTION = """
SELECT carrier, count(*) AS flights, count(DISTINCT dest) AS destinations,
       sum(distance) AS miles, max(dep_delay) AS longest_delay_min
FROM {table}
GROUP BY carrier ORDER BY flights DESC, carrier LIMIT 5
"""
STORED = """
SELECT _kafka_partition AS source, min(_kafka_offset) AS first, max(_kafka_offset) AS last, count(*) AS all_rows,
       count(DISTINCT _kafka_offset) AS distinct_rows
FROM {table}
GROUP BY _kafka_partition ORDER BY _kafka_partition
"""


@dataclass(frozen=True, slots=True)
class Stored:
    """The rows of one partition in a table; *last* is inclusive."""

    partition: int
    first: int
    last: int
    rows: int
    distinct: int

    def is_exactly(self, wanted: Sequence[tuple[int, int]], without_row: int = 0) -> bool:
        """Whether each offset of the ranges *wanted* but *without_row* of them is there once, and no other."""
        count = sum(end - start for start, end in wanted) - without_row
        if not wanted or (self.rows, self.distinct) != (count, count):
            return False
        first, last = wanted[0][0], wanted[-1][1] - 1
        # Offsets without a row may be the first or the last ones.
        return first <= self.first and self.last <= last if without_row else (self.first, self.last) == (first, last)


def differences(stored: Sequence[Stored], accounts: Accounts) -> list[str]:
    """Differences between a table and its topic, a line each; empty if it holds exactly the rows that it must.

    Offsets that were left out must not be there.
    """
    by_partition = {h.partition: h for h in stored}
    out = []
    for partition, (start, end) in sorted(accounts.spans.items()):
        here = by_partition.pop(partition, None)
        left_out = accounts.left_out.get(partition, ())
        none = accounts.without_row.get(partition, WithoutRow())
        wanted = missing(start, end, left_out)
        without = "".join(f", without [{a}, {b})" for a, b in left_out) + (f", less {none}" if none.offsets else "")
        if here is None:
            if sum(b - a for a, b in wanted) > none.offsets:
                out.append(f"partition {partition}: nothing of offsets [{start}, {end}){without} is in the table")
        elif not here.is_exactly(wanted, none.offsets):
            out.append(
                f"partition {partition}: the topic has offsets [{start}, {end}){without}, the table {here.rows} rows with "
                f"{here.distinct} different offsets from {here.first} to {here.last}"
            )
    return [
        *out,
        *(f"partition {p}: {h.rows} rows of it, which the topic does not have" for p, h in by_partition.items()),
    ]


def strangers(left_out: Ranges) -> str:
    """A query for rows with offsets of *left_out*, counted by partition."""
    ranges = " OR ".join(
        f"(_kafka_partition = {partition} AND _kafka_offset >= {start} AND _kafka_offset < {end})"
        for partition, pairs in sorted(left_out.items())
        for start, end in pairs
    )
    return (
        "SELECT _kafka_partition, count(*) FROM {table} "
        f"WHERE {ranges or 'false'} GROUP BY _kafka_partition ORDER BY _kafka_partition"
    )


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot of lakelock: the rows that it added, and the [start, end) per partition that it covers."""

    snapshot_id: int
    at_ms: int
    rows: int
    ranges: tuple[tuple[int, int, int], ...]


class Lake:
    """The demo's catalog and tables."""

    def __init__(self, catalog_uri: str, warehouse: str, spark_remote: str) -> None:
        self._properties = {"type": "sql", "uri": catalog_uri, "warehouse": warehouse}
        self._remote = spark_remote
        self._catalog: Catalog | None = None
        self._spark: Any = None

    def table(self, name: str = TABLE) -> Table | None:
        """The table as it is now; None if it does not exist."""
        try:
            return self._asked(lambda catalog: catalog.load_table(name))
        except NoSuchTableError:
            return None

    def names(self, namespace: str) -> list[str]:
        """The tables of *namespace* in order; none if it does not exist."""
        try:
            return sorted(".".join(name) for name in self._asked(lambda catalog: catalog.list_tables(namespace)))
        except NoSuchNamespaceError:
            return []

    def _asked(self, question: Callable[[Catalog], T]) -> T:
        if self._catalog is None:
            self._catalog = load_catalog(CATALOG, **self._properties)
        try:
            return question(self._catalog)
        except (NoSuchTableError, NoSuchNamespaceError):
            raise
        except Exception:
            # A new Postgres lacks the tables of the catalog, which a new catalog makes.
            self._catalog = None
            raise

    def by_duckdb(self, sql: str, table: Table) -> list[tuple[Any, ...]]:
        """Run *sql* with `{table}` as the data files of the table's current snapshot."""
        tasks = list(table.scan().plan_files())
        if any(task.delete_files for task in tasks):
            raise StackError(f"{table.name()} has delete files, which this reader does not apply.")
        if not tasks:
            return []
        files = ", ".join("'" + task.file.file_path.removeprefix("file://").replace("'", "''") + "'" for task in tasks)
        with duckdb.connect() as connection:
            text = sql.format(table=f"read_parquet([{files}], union_by_name=true)")
            rows: list[tuple[Any, ...]] = connection.execute(text).fetchall()
            return rows

    def by_spark(self, sql: str, name: str = TABLE) -> list[tuple[Any, ...]]:
        """Run *sql* with `{table}` as Spark's catalog sees the table."""
        if self._spark is None:
            from pyspark.sql.connect.session import SparkSession

            self._spark = SparkSession.builder.remote(self._remote).create()
        try:
            return [tuple(row) for row in self._spark.sql(sql.format(table=f"{CATALOG}.{name}")).collect()]
        except BaseException:
            # A restarted server does not know the session.
            self._spark = None
            raise

    def rows(self, table: Table) -> int:
        """Number of rows, from the snapshot's summary."""
        snapshot = table.current_snapshot()
        return int(snapshot.summary["total-records"] or 0) if snapshot and snapshot.summary else 0

    def close(self) -> None:
        if self._spark is not None:
            self._spark.stop()
            self._spark = None


def stored(rows: Sequence[tuple[Any, ...]]) -> list[Stored]:
    """Parse the answer to HELD."""
    return [Stored(*map(int, row)) for row in rows]


def snapshots(table: Table) -> list[Snapshot]:
    """lakelock's snapshots, oldest first; the topics of a pipeline are not distinguished here."""
    out = []
    for snapshot in table.snapshots():
        summary = snapshot.summary
        if summary is None or "lakelock.ranges" not in summary.additional_properties:
            continue
        ranges = json.loads(summary["lakelock.ranges"] or "[]")
        if not ranges:
            # The snapshot that adopted the table.
            continue
        triples = tuple((int(r[1]), int(r[2]), int(r[3])) for r in ranges)
        added = int(summary.additional_properties.get("added-records", "0"))
        out.append(Snapshot(snapshot.snapshot_id, snapshot.timestamp_ms, added, triples))
    return out
