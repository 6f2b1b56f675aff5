"""The commands of the README and of the pages for a first pipeline, typed in order by a shell; only addresses are the test's own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
from confluent_kafka.admin import AdminClient
from kits.pages import BLOCK, exports, page, printed, program, typed, with_addresses
from kits.topics import create_topic, produce
from lakelock.adapters.iceberg.snippets import reading
from lakelock.adapters.kafka.broker import KafkaBroker
from pyiceberg.catalog import load_catalog
from stack.settings import CATALOG, REPOSITORY

# One of two: both type what a first pipeline needs.
PAGES_COMMANDS = pytest.mark.drawn(
    0.5, group="commands of pages", about=("README.md", "docs/first-pipeline", "docs/dead-letters", "lakelock/cli/")
)


@PAGES_COMMANDS
def test_the_readmes_commands_make_a_pipeline_that_runs(
    clone: Path, addresses: Mapping[str, str], kafka: Any, producer: Any, catalog_properties: dict[str, str]
) -> None:
    admin = AdminClient({"bootstrap.servers": kafka.bootstrap})
    create_topic(admin, "orders")
    records = [{"id": n, "amount": n / 4, "created_at": "2026-11-21T04:00:00Z"} for n in range(40)]
    produce(producer, "orders", [*(json.dumps(r).encode() for r in records), b"{broken"])

    readme = page("first-pipeline.md") + page("dead-letters.md")
    exported, migrated, checked, ran, viewed, proven, went_back, recovered, small, older, replanned, fixed = typed(
        clone, readme, addresses
    )

    assert exported == ""
    assert "applied 0001" in migrated
    assert "FAIL" not in checked
    assert "amount: double" in checked
    assert "1 dead letter" in checked
    assert "40 rows" in ran
    assert "0 offsets behind in 2 partitions" in viewed
    status = json.loads(viewed[viewed.index("\n{") :])
    assert [(s["committed"], s["lag_offsets"]) for s in status["pipelines"][0]["sources"]] == [(21, 0), (20, 0)]
    assert "orders: complete" in proven
    assert "batches to commit again: 1" in went_back
    approved = went_back[went_back.index("bin/lakelock rollback") :]
    again = f"{approved}bin/lakelock run dags/pipelines/orders.yaml --once\n"
    _, done = typed(clone, f"```sh run\n{exports()}```\n```sh run\n{again}```\n", addresses)
    assert "last rolled back" in done
    assert "nothing to recover" in recovered
    assert "1 open dead letter:" in fixed
    assert "0 of the 1 that were tried now fit the table" in fixed
    assert "redrive dead letters of all topics: none of them fits its table now" in fixed
    assert "--yes" not in fixed
    assert "no files to compact" in small
    assert "no snapshot to expire" in small
    assert "no manifests to rewrite" in small
    assert "no orphan files" in small
    assert "backfill of records of 2026-01-31T00:00:00+00:00 to 2026-02-01T00:00:00+00:00: 0 offsets" in older
    assert "replace of records of 2026-01-31T00:00:00+00:00 to 2026-02-01T00:00:00+00:00" in replanned
    table = load_catalog(CATALOG, **catalog_properties).load_table("shop.orders")
    files = [task.file.file_path.removeprefix("file://") for task in table.scan().plan_files()]
    query = f"SELECT count(*), count(DISTINCT (_kafka_partition, _kafka_offset)), sum(id) FROM read_parquet({files!r})"
    assert duckdb.sql(query).fetchall() == [(40, 40, sum(range(40)))]
    amounts = [n / 4 for n in range(40) if n / 4 > 2]
    for reader in ("read_by_duckdb.py", "read_by_spark.py"):
        assert printed(program(readme, reader), addresses) == repr([(len(amounts), sum(amounts))]), reader
    (by_polars,) = re.findall(r"`(catalog\.load_table\(.*to_polars\(\))`", readme)
    catalog = program(readme, "read_by_duckdb.py").partition("orders =")[0]
    assert printed(f"{catalog}print(len({by_polars}))", addresses) == str(len(amounts))
    assert_the_pages_programs_read("shop.orders", addresses, catalog_properties, records)


@PAGES_COMMANDS
def test_the_readmes_commands_make_a_pipeline_of_the_demos_topic(
    clone: Path, addresses: Mapping[str, str], kafka: Any, producer: Any
) -> None:
    """As beside a demo, whose Airflow runs the pipeline once its file is there: here the command `run` does."""
    create_topic(AdminClient({"bootstrap.servers": kafka.bootstrap}), "flights")
    produce(producer, "flights", [json.dumps({"carrier": "UA", "distance": n}).encode() for n in range(30)])
    demo = clone / ".lakelock" / "demo"
    demo.mkdir(parents=True)
    (demo / "connections.env").write_text(with_addresses(exports(), addresses) + "bin/lakelock migrate\n")
    (clone / "dags" / "pipelines").mkdir(parents=True)
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    checks, views = (body for shell, _, body in BLOCK.findall(readme) if shell)
    ran = "bin/lakelock run dags/pipelines/mine.yaml --once\n"
    file = next(body for _, file, body in BLOCK.findall(readme) if file == "mine.yaml")
    blocks = f"```yaml file=mine.yaml\n{file}```\n" + "".join(f"```sh run\n{b}```\n" for b in (checks, ran, views))
    checked, ran, viewed = typed(clone, blocks, addresses)
    assert "distance: long" in checked
    assert "FAIL" not in checked
    assert "30 rows" in ran
    assert "0 offsets behind in 2 partitions" in viewed
    assert "mine: complete" in viewed


def assert_the_pages_programs_read(
    table: str,
    addresses: Mapping[str, str],
    catalog_properties: Mapping[str, str],
    records: Sequence[Mapping[str, Any]],
) -> None:
    """Ten rows of the table, with what they show beside a run's own words."""
    remote = with_addresses("sc://spark.example.com:15002", addresses)
    snippets = reading(table, "main", CATALOG, catalog_properties, remote)
    assert [s.engine for s in snippets] == ["PyIceberg and DuckDB", "PyIceberg and polars", "Spark"]
    known = {(r["id"], r["amount"]) for r in records}
    for snippet in snippets:
        shown = printed(snippet.program, addresses)
        rows = [
            re.split(r"\s*[│┆|]\s*", line.strip("│| ")) for line in shown.splitlines() if re.match(r"[│|]\s*\d", line)
        ]
        assert len(rows) == 10, shown
        assert {(int(id), float(amount)) for id, amount, *_ in rows} <= known


def test_the_readmes_producer_makes_a_topic_and_fills_it(clone: Path, kafka: Any) -> None:
    text = program(page("first-pipeline.md"), "produce.py")
    topic = f"orders-{uuid.uuid4().hex}"
    known = json.dumps({"conn_type": "kafka", "extra": {"bootstrap.servers": kafka.bootstrap}})
    subprocess.run(
        [sys.executable, "-c", text.replace('"orders"', f'"{topic}"')],
        cwd=clone,
        env=os.environ | {"AIRFLOW_CONN_KAFKA_DEFAULT": known},
        check=True,
        timeout=120,
    )
    broker = KafkaBroker({"bootstrap.servers": kafka.bootstrap})
    spans = broker.watermarks(broker.sources([topic], None))
    assert sum(span.end_offset for span in spans.values()) == 1000
