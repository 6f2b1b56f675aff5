"""Which table properties a file can be written with; every set that is let through is tried on a real file."""

from __future__ import annotations

import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from kits.columns import columns, layout
from lakelock.adapters.parquet.file import Folder
from lakelock.errors import State, TableUnfit
from lakelock.model.parquet_options import parquet_options
from lakelock.ports import Target
from lakelock.records.metadata import check_metadata

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
