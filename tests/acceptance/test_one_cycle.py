"""One whole cycle through the CLI: real broker, Postgres, Spark Connect, catalog; read back by another engine."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from kits import forks
from kits.topics import produce
from pyiceberg.catalog.sql import SqlCatalog


@pytest.fixture
def connections(kafka: Any, spark_connect: Any, wal_dsn: str, catalog_properties: Mapping[str, str]) -> dict[str, str]:
    uri = catalog_properties["uri"]
    extra = {k: v for k, v in catalog_properties.items() if k != "uri"}
    return {
        "AIRFLOW_CONN_KAFKA_DEFAULT": json.dumps(
            {"conn_type": "kafka", "extra": {"bootstrap.servers": kafka.bootstrap}}
        ),
        "AIRFLOW_CONN_ICEBERG_DEFAULT": json.dumps({"conn_type": "iceberg", "host": uri, "extra": extra}),
        "AIRFLOW_CONN_LAKELOCK_POSTGRES": wal_dsn.replace("postgresql://", "postgres://"),
        "AIRFLOW_CONN_SPARK_DEFAULT": json.dumps(
            {"conn_type": "spark_connect", "host": "sc://127.0.0.1", "port": spark_connect.port}
        ),
    }


def lakelock(connections: Mapping[str, str], *arguments: object) -> subprocess.CompletedProcess[str]:
    return forks.lakelock(*arguments, environment={**os.environ, **connections})


def ok(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def rows(catalog_properties: Mapping[str, str], table: str) -> Any:
    """The table's live rows as DuckDB reads them from the files its manifests name."""
    found = SqlCatalog("iceberg_default", **catalog_properties).load_table(table)
    files = [task.file.file_path.removeprefix("file://") for task in found.scan().plan_files()]
    return duckdb.read_parquet(files) if files else None


def test_records_go_in_once_and_bad_ones_become_dead_letters(
    connections: dict[str, str],
    catalog_properties: dict[str, str],
    namespace: str,
    folder: Path,
    new_topic: Callable[..., str],
    producer: Any,
) -> None:
    topic = new_topic(2)
    file = folder / "orders.yaml"
    file.write_text(f"source: {{topics: [{topic}]}}\ntables: [{{name: {namespace}.orders}}]\n")
    first = [
        json.dumps(
            {"id": n, "amount": n / 4, "at": "2026-11-21T04:00:00Z", "note": None, "who": {"name": "x", "zip": n}}
        ).encode()
        for n in range(50)
    ]
    produce(producer, topic, [*first, b"{broken", b'{"id":"x"}', None])
    assert "0001" in ok(lakelock(connections, "migrate"))
    checked = ok(lakelock(connections, "check", file, "--sample", 100))
    assert "FAIL" not in checked
    sampled = "tables:\n" + checked.partition("\ntables:\n")[2].partition("\n\n")[0]
    pasted = yaml.safe_load(sampled)["tables"][0]["columns"]
    assert pasted["amount"] == "double"
    assert pasted["who"] == "struct<`name`: string, `zip`: long>"
    file.write_text(f"source: {{topics: [{topic}]}}\n{sampled}\n")
    assert "3 dead letters" in checked

    print(ok(lakelock(connections, "-v", "run", file, "--once")))
    orders = rows(catalog_properties, f"{namespace}.orders")
    assert orders.aggregate("count(*), count(distinct (_kafka_partition, _kafka_offset)), sum(id)").fetchall() == [
        (50, 50, 1225)
    ]
    dead_letters = rows(catalog_properties, f"{namespace}.orders__dead_letters")
    assert dead_letters.aggregate("count(*)").fetchall() == [(3,)]
    assert {r[0] for r in dead_letters.select("stage").fetchall()} == {"decode", "convert"}

    produce(
        producer,
        topic,
        [json.dumps({"id": 1000 + n, "amount": 1.5, "at": "2026-11-21T05:00:00+01:00"}).encode() for n in range(7)],
    )
    ok(lakelock(connections, "run", file, "--once"))
    again = ok(lakelock(connections, "run", file, "--once"))
    assert "nothing to read" in again
    assert rows(catalog_properties, f"{namespace}.orders").aggregate("count(*)").fetchall() == [(57,)]

    status = json.loads(ok(lakelock(connections, "status", file, "--json")))["pipelines"][0]
    assert [s["lag_offsets"] for s in status["sources"]] == [0, 0]
    assert sum(s["committed"] for s in status["sources"]) == 60
    assert {p["state"] for p in status["parts"]} == {"committed"}
    assert "0 offsets behind" in ok(lakelock(connections, "status", file))
