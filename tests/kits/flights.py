"""The flights of 2013 as the source file has them, and as the demo's table has them."""

from __future__ import annotations

import io
import json
import shlex
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from lakelock.adapters.spark.connect_session import open_connect
from pyarrow import csv
from stack.flights import PARTITIONS, partition_of, source_file
from stack.lake import TABLE


def flights_by_file() -> pa.Table:
    """Every line of the source file as the row it should be, by partition and offset."""
    text = zipfile.ZipFile(source_file()).read("flights.csv")
    names = text.partition(b"\n")[0].decode().strip().replace('"', "").split(",")
    kinds: dict[str, pa.DataType] = dict.fromkeys(names, pa.int64())
    kinds |= dict.fromkeys(("carrier", "tailnum", "origin", "dest"), pa.string())
    kinds["time_hour"] = pa.timestamp("us", "UTC")
    convert = csv.ConvertOptions(column_types=kinds, null_values=["", "NA"], strings_can_be_null=True)
    lines = csv.read_csv(io.BytesIO(text), convert_options=convert)
    partitions = pa.array([partition_of(carrier) for carrier in lines["carrier"].to_pylist()], pa.int32())
    parts = []
    for partition in range(PARTITIONS):
        rows = lines.filter(pc.equal(partitions, partition))
        own = pa.array([partition] * len(rows), pa.int32()), pa.array(range(len(rows)), pa.int64())
        parts.append(rows.append_column("_kafka_partition", own[0]).append_column("_kafka_offset", own[1]))
    return pa.concat_tables(parts)


def wrong_flights(connections: Path) -> list[str]:
    """Columns of the demo's table that are not the source file's, or the first such rows."""
    wanted, found = flights_by_file(), flights_by_spark(connections)
    # Spark names the zone of its session, whichever that is: the moments are the same.
    meant, there = (
        {f.name: "a moment" if pa.types.is_timestamp(f.type) else str(f.type) for f in t.schema}
        for t in (wanted, found)
    )
    if there != meant:
        return [f"columns are {there}, not {meant}"]
    found = found.select(wanted.column_names).cast(wanted.schema)
    if found.equals(wanted):
        return []
    pairs = zip(wanted.to_pylist(), found.to_pylist(), strict=False)
    first = [f"{w} is {f}" for w, f in pairs if w != f][:3]
    return [*first, f"{len(wanted)} flights of 2013, {len(found)} rows"]


def flights_by_spark(connections: Path) -> pa.Table:
    """The table's rows of the source file's year, read by Iceberg's Java library; the trickle's are a year later."""
    spark = read_connections(connections)["AIRFLOW_CONN_SPARK_DEFAULT"]
    with open_connect(f"{spark['host']}:{spark['port']}", "reader", TABLE) as session:
        table = session.table(f"iceberg_default.{TABLE}").where("year = 2013").drop("_kafka_timestamp")
        return table.orderBy("_kafka_partition", "_kafka_offset").toArrow()


def read_connections(file: Path) -> dict[str, dict[str, Any]]:
    """The demo's connections by the names of their variables, from the file of exports that it leaves for a shell."""
    exports = (line.removeprefix("export ").partition("=") for line in file.read_text().splitlines())
    return {name: json.loads(shlex.split(text)[0]) for name, _, text in exports}
