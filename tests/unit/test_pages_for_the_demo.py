"""Programs and tables of pages that a newcomer tries in the demo."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from lakelock.config.upkeep_sections import Maintenance
from lakelock.model.units import format_duration
from pyiceberg.catalog import load_catalog
from pyiceberg.schema import Schema
from pyiceberg.types import NestedField, StringType
from stack.settings import REPOSITORY

PROGRAM = re.compile(r"^\.venv/bin/python - <<'END'\n(.*?)^END$", re.DOTALL | re.MULTILINE)


def text(name: str) -> str:
    return (REPOSITORY / "docs" / name).read_text(encoding="utf-8")


def test_the_page_of_dead_letters_and_the_tour_have_the_same_programs() -> None:
    producer, _, fix = PROGRAM.findall(text("dead-letters.md"))
    tour = PROGRAM.findall(text("guide.md"))
    assert {producer, fix} <= set(tour)


def test_the_page_of_maintenance_has_every_setting_with_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (?:`(\w+)`)? ?\| ", text("maintenance.md"), re.MULTILINE)
    defaults = {name: field.default for name, field in Maintenance.model_fields.items()}
    assert dict(rows) == {
        name: "" if value is None else str(value) if isinstance(value, int) else format_duration(value)
        for name, value in defaults.items()
    }


def test_the_program_of_the_page_registers_the_newest_state_of_each_table(tmp_path: Path) -> None:
    def connection(database: str) -> dict[str, object]:
        extra = {"type": "sql", "warehouse": f"file://{tmp_path}/warehouse"}
        return {"conn_type": "iceberg", "host": f"sqlite:///{tmp_path}/{database}.db", "extra": extra}

    lost = load_catalog("iceberg_default", uri=f"sqlite:///{tmp_path}/lost.db", **connection("lost")["extra"])  # type: ignore[arg-type]
    lost.create_namespace("demo")
    newest = {}
    for name in ("demo.flights", "demo.flights__dead_letters"):
        table = lost.create_table(name, Schema(NestedField(1, "carrier", StringType(), required=False)))
        for n in range(3):
            with table.transaction() as change:
                change.set_properties({"n": str(n)})
        newest[name] = table.metadata_location
    (program,) = PROGRAM.findall(text("recover.md"))
    known = os.environ | {"AIRFLOW_CONN_ICEBERG_DEFAULT": json.dumps(connection("new"))}
    subprocess.run([sys.executable, "-c", program], env=known, check=True, timeout=120)
    new = load_catalog("iceberg_default", uri=f"sqlite:///{tmp_path}/new.db", **connection("new")["extra"])  # type: ignore[arg-type]
    assert {name: new.load_table(name).metadata_location for name in newest} == newest
