"""Sample rows of one file: as DuckDB reads them, under the names that the table has now, and at the cost of a few pages."""

from __future__ import annotations

import io
import json
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from kits.columns import columns as of_types
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.adapters.parquet.first_rows import MOST_LEAVES, SHOWN_CHARS, first_rows, shown_columns
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.schema import Schema


def schema(**columns: str) -> Schema:
    return schema_from(of_types(columns))


def shown(of: Schema, path: Path, rows: int = 10) -> list[list[str | None]]:
    columns, _ = shown_columns(of)
    return first_rows(PyArrowFileIO(), f"file://{path}", of, list(columns), rows)


def written(path: Path, of: Schema, rows: list[dict[str, Any]], **options: Any) -> Path:
    pq.write_table(pa.Table.from_pylist(rows, schema=arrow_schema(of)), path, **options)
    return path


class ByteCountingIO(PyArrowFileIO):
    """Counts the bytes that are read of files."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes_read = 0

    def new_input(self, location: str) -> Any:
        return SimpleNamespace(open=lambda: self._counting(location))

    def _counting(self, location: str) -> io.BufferedReader:
        count = self

        class Raw(io.FileIO):
            def readinto(self, buffer: Any) -> int:
                read = super().readinto(buffer)
                count.bytes_read += read
                return read

        return io.BufferedReader(Raw(location.removeprefix("file://")), 1)


PLAIN = {
    "a": "long", "b": "boolean", "c": "string", "d": "decimal(10, 2)", "e": "date", "f": "double",
}  # fmt: skip


def test_plain_values_are_as_duckdb_writes_them(tmp_path: Path) -> None:
    of = schema(**PLAIN)
    rows: list[dict[str, Any]] = [
        {"a": -(2**63), "b": True, "c": "<b>'\"\n", "d": Decimal("-1.20"), "e": 0, "f": 0.1},
        dict.fromkeys(PLAIN),
        {"a": 7, "b": False, "c": "", "d": Decimal("99999999.99"), "e": 2_932_896, "f": -1.5},
    ]
    path = written(tmp_path / "f.parquet", of, rows)
    texts = ", ".join(f"CAST({c} AS VARCHAR)" for c in PLAIN)
    assert [tuple(r) for r in shown(of, path)] == duckdb.sql(f"SELECT {texts} FROM read_parquet('{path}')").fetchall()


def test_fields_within_have_the_names_of_now_and_new_ones_no_value(tmp_path: Path) -> None:
    of = schema(s="struct<x: long, y: list<struct<z: binary>>>", m="map<string, timestamptz>")
    row = {"s": {"x": 1, "y": [{"z": b"\x00\xff"}]}, "m": [("k", 0)]}
    path = written(tmp_path / "f.parquet", of, [row])
    text = of.model_dump_json().replace('"x"', '"x.now"').replace('"z"', '"z now"')
    renamed = Schema.model_validate_json(text)
    (struct, mapped) = shown(renamed, path)[0]
    assert json.loads(struct or "") == {"x.now": 1, "y": [{"z now": "0x00ff"}]}
    assert json.loads(mapped or "") == {"k": "1970-01-01 00:00:00.000000Z"}
    assert first_rows(PyArrowFileIO(), f"file://{path}", of, [99], 1) == []


def test_long_values_are_cut_and_say_so(tmp_path: Path) -> None:
    of = schema(text="string", raw="binary", many="list<long>")
    path = written(
        tmp_path / "f.parquet", of, [{"text": "x" * 10_000, "raw": b"r" * 10_000, "many": list(range(10_000))}]
    )
    for value in shown(of, path)[0][:2]:
        assert value is not None
        assert len(value) == SHOWN_CHARS + 1
        assert value.endswith("…")


def test_of_a_wide_struct_the_first_fields_are_read_and_the_others_counted(tmp_path: Path) -> None:
    wide = ", ".join(f"f{n}: long" for n in range(300))
    of = schema(payload=f"struct<{wide}>", id="long")
    path = written(tmp_path / "f.parquet", of, [{"payload": {f"f{n}": n for n in range(300)}, "id": 1}])
    columns, left_out = shown_columns(of)
    assert (list(columns.values()), left_out) == (["payload"], 201)
    (cell,) = shown(of, path)[0]
    assert cell is not None
    assert cell.startswith('{"f0": 0, "f1": 1')
    narrow = schema(**{f"c{n}": "long" for n in range(300)})
    columns, left_out = shown_columns(narrow)
    assert (len(columns), left_out) == (MOST_LEAVES, 200)


def test_ten_rows_of_a_large_file_cost_a_page_of_each_column(tmp_path: Path) -> None:
    of = schema(a="string", b="string")
    rows = [{"a": f"{n:064x}", "b": f"{n * 7919:064x}"} for n in range(200_000)]
    path = written(tmp_path / "f.parquet", of, rows, compression="none", use_dictionary=False, data_page_size=64 * 1024)
    counting = ByteCountingIO()
    columns, _ = shown_columns(of)
    assert len(first_rows(counting, f"file://{path}", of, list(columns), 10)) == 10
    assert path.stat().st_size > 20_000_000
    assert 0 < counting.bytes_read < 1_000_000


def test_a_file_without_field_ids_or_rows_has_none(tmp_path: Path) -> None:
    of = schema(a="long")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "plain.parquet")
    assert shown(of, tmp_path / "plain.parquet") == []
    assert shown(of, written(tmp_path / "empty.parquet", of, [])) == []


@pytest.mark.parametrize("rows", [1, 3])
def test_no_more_rows_than_requested(tmp_path: Path, rows: int) -> None:
    of = schema(a="long")
    path = written(tmp_path / "f.parquet", of, [{"a": n} for n in range(5)], row_group_size=2)
    assert [r[0] for r in shown(of, path, rows)] == [str(n) for n in range(rows)]
