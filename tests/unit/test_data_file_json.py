"""A manifest entry comes back from its JSON with the partition that it had."""

from __future__ import annotations

import math
from datetime import date
from decimal import Decimal
from uuid import UUID

import pytest
from lakelock.adapters.parquet.data_file_json import decode_data_file, encode_data_file, partition_of, partition_text
from pyiceberg.manifest import DataFile, DataFileContent, FileFormat
from pyiceberg.typedef import Record

PLAIN = (None, True, 7, -0.0, 1e300, "ä", b"\0", Decimal("-0.10"), UUID(int=5))


def file(*partition: object) -> DataFile:
    out = DataFile.from_args(
        content=DataFileContent.DATA,
        file_path="file:///f.parquet",
        file_format=FileFormat.PARQUET,
        partition=Record(*partition),
        record_count=1,
        file_size_in_bytes=1,
    )
    out.spec_id = 3
    return out


def shown(partition: Record) -> list[str]:
    """Comparable: a NaN is itself, 0.0 is not -0.0."""
    return [repr(partition[n]) for n in range(len(partition))]


@pytest.mark.parametrize("value", [*PLAIN, math.nan, math.inf, -math.inf])
def test_a_partition_value_comes_back(value: object) -> None:
    back = decode_data_file(encode_data_file(file(value, 1), 7))
    assert shown(back.entry.partition) == [repr(value), "1"]
    assert (back.schema_id, back.entry.spec_id) == (7, 3)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, date(2026, 7, 1)])
def test_a_partition_without_a_plain_form_has_no_text(value: object) -> None:
    assert partition_text(file(1, value)) is None


def test_the_text_of_a_partition_is_what_it_was_made_of() -> None:
    text = partition_text(file(*PLAIN))
    assert text is not None
    assert shown(partition_of(text)) == [repr(v) for v in PLAIN]
