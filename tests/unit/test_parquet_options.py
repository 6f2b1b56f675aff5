"""Which table properties a file can be written with; every set that is let through is tried on a real file."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from kits.columns import columns, layout
from lakelock.adapters.parquet.file import Folder, ParquetFile
from lakelock.errors import State, TableUnfit
from lakelock.model.parquet_options import not_honoured, parquet_options
from lakelock.ports import Target
from lakelock.records.metadata import check_metadata
from pyiceberg.typedef import Record

CODEC, LEVEL = "write.parquet.compression-codec", "write.parquet.compression-level"


@pytest.mark.parametrize(
    "properties",
    [
        {},
        *({CODEC: c} for c in ("zstd", "GZIP", "snappy", "lz4", "lz4_raw", "brotli", "uncompressed", "none")),
        *({CODEC: c, LEVEL: "3"} for c in ("zstd", "gzip", "brotli", "snappy", "lz4", "uncompressed")),
        {LEVEL: str(-(2**31))},
        {CODEC: "gzip", LEVEL: "9"},
        {
            f"write.{name}": size
            for name in ("parquet.page-size-bytes", "parquet.page-row-limit", "parquet.dict-size-bytes")
            for size in ("1",)
        },
        {"write.parquet.page-size-bytes": str(2**63 - 1), "write.parquet.page-row-limit": str(2**63 - 1)},
    ],
)
def test_a_file_can_be_written_with_what_is_let_through(folder: Path, properties: dict[str, str]) -> None:
    target = Target("ns.t", "", 0, layout(columns({"i": "long"})), f"file://{folder}", (), properties, ())
    options = Folder(target, "b", "a").options
    rows, written = pa.table({"i": range(50_000)}), io.BytesIO()
    with pq.ParquetWriter(written, rows.schema, **options) as writer:
        writer.write_table(rows)
    written.seek(0)
    assert pq.read_table(written).equals(rows)


@pytest.mark.parametrize(
    "properties",
    [
        {CODEC: "lzo"},
        {CODEC: ""},
        {CODEC: "bz2"},
        {CODEC: "gzip", LEVEL: "10"},
        {LEVEL: "high"},
        {LEVEL: str(2**31)},
        {"write.parquet.page-row-limit": "0"},
        {"write.parquet.page-row-limit": "-5"},
        {"write.parquet.page-size-bytes": str(2**63)},
        {"write.parquet.dict-size-bytes": "2MB"},
        {"write.parquet.row-group-size-bytes": "1.5"},
        {"write.target-file-size-bytes": ""},
    ],
)
def test_what_no_file_can_be_written_with_is_refused_by_name(properties: dict[str, str]) -> None:
    with pytest.raises(TableUnfit) as refused:
        parquet_options("ns.t", properties)
    name, value = list(properties.items())[-1]
    assert f"table ns.t: no file can be written with its properties: {name} is {value!r}" in str(refused.value)


def test_every_such_property_is_named_at_once() -> None:
    with pytest.raises(TableUnfit, match="codec is 'lzo'.*page-row-limit is '0'"):
        parquet_options("ns.t", {CODEC: "lzo", "write.parquet.page-row-limit": "0"})


def test_a_metadata_column_of_another_type_is_refused_by_name() -> None:
    with pytest.raises(TableUnfit, match="'_t' is long.*Kafka timestamp"):
        check_metadata(
            "ns.t", columns({"id": "long", "_t": "long"}), {"partition": "_p", "timestamp": "_t"}, State.PART_PLANNED
        )


OF_ALL_KINDS = columns(
    {"i": "long", "b": "boolean", "s": "struct<x: string, y: boolean>", "l": "list<string>", "m": "map<string, double>"}
)
BLOOM = "write.parquet.bloom-filter-enabled.column."
PATHS = {
    "i": "i",
    "s.x": "s.x",
    "l.element": "l.list.element",
    "m.key": "m.key_value.key",
    "m.value": "m.key_value.value",
}


def file_with(folder: Path, properties: dict[str, str], rows: int = 5_000) -> str:
    target = Target("ns.t", "", 0, layout(OF_ALL_KINDS), f"file://{folder}", OF_ALL_KINDS, properties, ())
    within = Folder(target, "b", "a")
    file = ParquetFile(within, Record())
    values = [
        {"i": n, "b": n % 2 == 0, "s": {"x": f"x{n}", "y": True}, "l": [f"l{n}"], "m": [(f"k{n}", n / 3)]}
        for n in range(rows)
    ]
    file.append(pa.Table.from_pylist(values, schema=within.arrow_schema))
    return file.close(None).path.removeprefix("file://")


@pytest.mark.parametrize("name", PATHS)
def test_a_bloom_filter_rules_out_what_is_not_there(folder: Path, name: str) -> None:
    """As another engine reads it."""
    path = file_with(folder, {BLOOM + name: "true"})
    described = (
        "SELECT replace(path_in_schema, ', ', '.') AS path FROM parquet_metadata($path) WHERE bloom_filter_length > 0"
    )
    assert duckdb.sql(described, params={"path": path}).fetchall() == [(PATHS[name],)]
    if name != "i":
        return
    probe = "SELECT bloom_filter_excludes FROM parquet_bloom_probe($path, 'i', $value)"
    assert duckdb.sql(probe, params={"path": path, "value": 77}).fetchall() == [(False,)]
    excluded = [
        duckdb.sql(probe, params={"path": path, "value": n}).fetchall() == [(True,)] for n in range(9_000, 9_300)
    ]
    assert sum(excluded) > 280


@pytest.mark.parametrize(
    ("more", "most_bytes"),
    [
        # The Parquet library knows how many rows there are.
        ({}, 8192),
        ({"write.parquet.bloom-filter-max-bytes": "4096"}, 4096),
        ({"write.parquet.bloom-filter-max-bytes": "5000"}, 4096),
        ({"write.parquet.bloom-filter-ndv.column.i": "2000"}, 4096),
        ({"write.parquet.bloom-filter-ndv.column.i": "2000", "write.parquet.bloom-filter-fpp.column.i": "0.3"}, 1024),
        ({"write.parquet.bloom-filter-ndv.column.i": str(10**12)}, 8192),
    ],
)
def test_a_bloom_filter_is_as_large_as_its_properties_say(folder: Path, more: dict[str, str], most_bytes: int) -> None:
    path = file_with(folder, {f"{BLOOM}i": "true", **more})
    (size_bytes,) = [c["bloom_filter_length"] for c in _columns(path) if c["path_in_schema"] == "i"]
    # The filter's own header.
    assert most_bytes < size_bytes < most_bytes + 64


def test_a_column_gets_a_dictionary_or_none_as_its_property_says(folder: Path) -> None:
    prefix = "write.parquet.dict-encoding-enabled.column."
    of = {c["path_in_schema"]: c["has_dictionary_page"] for c in _columns(file_with(folder, {}))}
    assert (of["i"], of["m.key_value.value"]) == (False, True), "what is chosen otherwise"
    chosen = file_with(folder, {f"{prefix}i": "true", f"{prefix}m.value": "false"})
    now = {c["path_in_schema"]: c["has_dictionary_page"] for c in _columns(chosen)}
    assert now == {**of, "i": True, "m.key_value.value": False}


def test_pages_have_the_version_of_the_property(folder: Path) -> None:
    sizes = {v: Path(file_with(folder, {"write.parquet.page-version": v})).read_bytes() for v in ("v1", "V2")}
    assert sizes["v1"] != sizes["V2"]
    assert pq.read_table(pa.BufferReader(sizes["V2"])).num_rows == 5_000


def _columns(path: str) -> list[dict[str, Any]]:
    group = pq.read_metadata(path).row_group(0)
    return [group.column(n).to_dict() for n in range(group.num_columns)]


def test_bloom_filters_take_little_memory_until_a_file_is_closed(folder: Path) -> None:
    properties = {f"{BLOOM}i": "true", f"{BLOOM}s.x": "true", "write.parquet.bloom-filter-max-bytes": str(16 << 20)}
    target = Target("ns.t", "", 0, layout(OF_ALL_KINDS), f"file://{folder}", OF_ALL_KINDS, properties, ())
    within = Folder(target, "b", "a")
    file, before = ParquetFile(within, Record()), pa.total_allocated_bytes()
    for group in range(100):
        values = [{"i": n, "s": {"x": f"x{n}"}} for n in range(group * 500, group * 500 + 500)]
        file.append(pa.Table.from_pylist(values, schema=within.arrow_schema))
    assert pa.total_allocated_bytes() - before < 2 << 20
    assert pq.read_table(file.close(None).path.removeprefix("file://")).num_rows == 50_000


@pytest.mark.parametrize(
    "useless",
    [
        {"write.parquet.bloom-filter-max-bytes": "1048576"},
        {f"{BLOOM}i": "true", "write.parquet.bloom-filter-max-bytes": "1MB"},
        {f"{BLOOM}i": "true", "write.parquet.bloom-filter-fpp.column.i": "0.9999999999999999"},
        {f"{BLOOM}i": "true", "write.parquet.bloom-filter-fpp.column.i": "low"},
        {f"{BLOOM}i": "true", "write.parquet.bloom-filter-ndv.column.i": "0"},
        {f"{BLOOM}i": "false", "write.parquet.bloom-filter-ndv.column.i": "10"},
        {"write.parquet.page-version": "v3"},
        {CODEC: "snappy", LEVEL: "3"},
    ],
)
def test_a_setting_that_means_nothing_stops_no_table_and_is_named(folder: Path, useless: dict[str, str]) -> None:
    name = list(useless)[-1]
    assert not_honoured(useless, OF_ALL_KINDS) == [name]
    others = {n: v for n, v in useless.items() if n != name}
    assert parquet_options("ns.t", useless) == parquet_options("ns.t", others)
    file_with(folder, useless)


@pytest.mark.parametrize(
    "of_a_column",
    [
        {"write.parquet.bloom-filter-fpp.column.i": "0.5", "write.parquet.bloom-filter-max-bytes": str(2**40)},
        {"write.parquet.bloom-filter-fpp.column.i": "0.000001", "write.parquet.bloom-filter-max-bytes": "1"},
        {"write.parquet.bloom-filter-ndv.column.i": str(2**62), "write.parquet.bloom-filter-max-bytes": str(1 << 27)},
    ],
)
def test_the_extremes_of_a_bloom_filter_can_be_written(folder: Path, of_a_column: dict[str, str]) -> None:
    properties = {f"{BLOOM}i": "true", **of_a_column}
    assert not_honoured(properties, OF_ALL_KINDS) == []
    assert 0 < parquet_options("ns.t", properties).bloom_filters["i"].distinct < 2**31
    file_with(folder, properties)


def test_properties_without_effect_are_named() -> None:
    with_effect = {
        CODEC: "zstd", LEVEL: "3", "write.parquet.page-version": "v2", "write.metadata.metrics.default": "none",
        "write.metadata.metrics.column.s.x": "full", "write.format.default": "PARQUET", "write.target-file-size-bytes": "1",
        **{f"{BLOOM}{name}": "true" for name in PATHS}, "write.parquet.dict-encoding-enabled.column.b": "true",
        "write.delete.mode": "merge-on-read", "write.metadata.previous-versions-max": "5", "owner": "ann",
    }  # fmt: skip
    without = {
        f"{BLOOM}b": "true", f"{BLOOM}gone": "true", f"{BLOOM}s": "true", "write.format.default": "orc",
        "write.metadata.metrics.column.l": "none", "write.metadata.metrics.max-inferred-column-defaults": "3",
        "write.object-storage.enabled": "true", "write.parquet.stats-enabled.column.i": "false",
        "write.parquet.unheard-of": "1",
    }  # fmt: skip
    assert not_honoured(with_effect, OF_ALL_KINDS) == []
    assert not_honoured({**with_effect, **without}, OF_ALL_KINDS) == sorted(without)
