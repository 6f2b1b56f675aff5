"""The flights of 2013 as the source file has them, and as the demo's table has them."""

from __future__ import annotations

import csv
import io
import json
import shlex
import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any

from lakelock.adapters.spark_connect import open_connect
from stack.flights import PARTITIONS, partition_of, source_file
from stack.lake import TABLE


def flights_by_file() -> list[dict[str, Any]]:
    """Every line of the source file as the row it should be, by partition and offset."""
    texts = {"carrier", "tailnum", "origin", "dest"}
    ends = dict.fromkeys(range(PARTITIONS), 0)
    rows = []
    with zipfile.ZipFile(source_file()) as archive, archive.open("flights.csv") as raw:
        for line in csv.DictReader(io.TextIOWrapper(raw, encoding="utf-8")):
            partition = partition_of(line["carrier"])
            row: dict[str, Any] = {k: None if v in {"", "NA"} else v for k, v in line.items()}
            for key, value in row.items():
                if value is not None and key not in texts:
                    row[key] = datetime.fromisoformat(value) if key == "time_hour" else int(value)
            rows.append(row | {"_kafka_partition": partition, "_kafka_offset": ends[partition]})
            ends[partition] += 1
    return sorted(rows, key=lambda r: (r["_kafka_partition"], r["_kafka_offset"]))


def read_connections(file: Path) -> dict[str, dict[str, Any]]:
    """The demo's connections by the names of their variables, from the file of exports that it leaves for a shell."""
    exports = (line.removeprefix("export ").partition("=") for line in file.read_text().splitlines())
    return {name: json.loads(shlex.split(text)[0]) for name, _, text in exports}


def flights_by_spark(connections: Path) -> list[dict[str, Any]]:
    """The table's rows of the source file's year, read by Iceberg's Java library; the trickle's are a year later."""
    spark = read_connections(connections)["AIRFLOW_CONN_SPARK_DEFAULT"]
    with open_connect(f"{spark['host']}:{spark['port']}", "reader", TABLE) as session:
        table = session.table(f"iceberg_default.{TABLE}").where("year = 2013").drop("_kafka_timestamp")
        rows: list[dict[str, Any]] = table.orderBy("_kafka_partition", "_kafka_offset").toArrow().to_pylist()
        return rows
