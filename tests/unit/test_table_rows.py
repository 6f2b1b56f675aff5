"""Rows with their metadata columns, and the records that these refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from kits.columns import columns
from kits.slices import target
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.records.values import Values
from lakelock.workers.table_rows import TableRows, tombstones

KEYS = [b"a", None, b"\xff", b"", b"no json's"]
VALUES = [b'{"id":0}', b'{"id":1}', b'{"id":2}', b'{"id":3}', b"no json"]


def decoded(folder: Path, kind: str, required: bool) -> tuple[list[Any], list[tuple[int, str, str | None, str]]]:
    of = columns({"id": "long", "k": kind, "t": "string", "p": "long"}, required=("k",) if required else ())
    wanted = target(folder, "t", of, ["t"], metadata_columns={"key": "k", "topic": "t", "partition": "p"})
    rows = TableRows(wanted, arrow_schema(FileLayout.of(wanted.layout).schema))
    metadata = {
        "key": pa.array(KEYS, pa.binary()),
        "topic": pa.repeat("t", 5),
        "partition": pa.array(range(5), pa.int32()),
    }
    found = rows.decode(Values.from_list(VALUES), metadata.__getitem__)
    bad = [(b.index, b.stage, b.reason.field, b.reason.kind) for b in found.bad]
    return [(r["id"], r["k"], r["t"], r["p"]) for r in found.table.to_pylist()], bad


@pytest.mark.parametrize("kind", ["binary", "string"])
@pytest.mark.parametrize("required", [False, True])
def test_keys_that_the_column_cannot_hold_make_dead_letters_of_their_records_alone(
    tmp_path: Path, kind: str, required: bool
) -> None:
    rows, bad = decoded(tmp_path, kind, required)
    refused: dict[int, tuple[int, str, str | None, str]] = {4: (4, "decode", None, "not a JSON object")}
    if required:
        refused[1] = (1, "convert", "k", "required field is null")
    if kind == "string":
        refused[2] = (2, "convert", "k", "not UTF-8")
    keys = [k.decode() if k is not None and kind == "string" and n != 2 else k for n, k in enumerate(KEYS)]
    assert bad == [refused[n] for n in sorted(refused)]
    assert rows == [(n, keys[n], "t", n) for n in range(5) if n not in refused]


def test_tombstones_are_the_values_that_are_absent_except_for_those_kept() -> None:
    values = Values.from_list([None, b"", None, b"{}", None])
    assert tombstones(values, ()).tolist() == [0, 2, 4]
    assert tombstones(values, {2, 3}).tolist() == [0, 4]
    assert tombstones(Values.from_list([b"{}"]), ()).tolist() == []
