from __future__ import annotations

import datetime as dt
import json
import random
import uuid
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from kits.columns import columns
from kits.iceberg import adopted, change, open_tables, raw
from lakelock.adapters.iceberg import IcebergTables
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.adapters.parquet.routes import transformed
from lakelock.adapters.parquet.writer import OPEN_FILES, TableWriter
from lakelock.model.batches import DataFile
from lakelock.ports import TableState, Target
from pyiceberg import transforms as tf
from pyiceberg import types as ty
from pyiceberg.partitioning import _to_partition_representation as as_number

UTC = dt.UTC
US = pa.timestamp("us", "UTC")


@pytest.fixture
def tables(folder: Path) -> IcebergTables:
    return open_tables({"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}"})


def entry(file: DataFile) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.detail)
    return found


def writer(state: TableState, **more: Any) -> TableWriter:
    target = Target(
        table=state.name,
        identity_uuid=state.uuid,
        generation=0,
        layout=state.layout,
        location=state.location,
        columns=state.columns,
        properties={**state.properties, **more.pop("properties", {})},
        topics=(),
    )
    return TableWriter(target, str(uuid.uuid4()), str(uuid.uuid4()), more.pop("file_bytes", 512 << 20), **more)


def written(state: TableState, batches: list[pa.Table], **more: Any) -> tuple[DataFile, ...]:
    writing = writer(state, **more)
    for batch in batches:
        writing.write(batch.cast(writing.arrow_schema))
    return writing.finish()


def batches(count: int, each: int, users: int) -> list[pa.Table]:
    source = random.Random(7)
    out = []
    for n in range(0, count, each):
        ids = [source.randrange(10**9) for _ in range(each)]
        names = [None if source.random() < 0.1 else f"user {i % users}" for i in ids]
        at = [dt.datetime(2026, 1, 1, tzinfo=UTC) + dt.timedelta(minutes=n + i) for i in range(each)]
        out.append(pa.table({"id": pa.array(ids, pa.int64()), "name": names, "ts": pa.array(at, US)}))
    return out


def test_a_thousand_partitions_become_a_file_each_whatever_the_buffer_holds(tables: IcebergTables) -> None:
    state = adopted(tables, "ns.t", partition_by=("bucket(1000, id)",), sort_by=("name desc", "ts"))
    rows = batches(60_000, 5_000, 50)
    files = written(state, rows, buffer_bytes=400_000)
    assert len(files) == 1_000
    assert len({f.path for f in files}) == 1_000
    everything = pa.concat_tables([pq.read_table(f.path.removeprefix("file://")) for f in files])
    assert sorted(everything["id"].to_pylist()) == sorted(pa.concat_tables(rows)["id"].to_pylist())
    buckets = tf.BucketTransform(1000).transform(ty.LongType())
    for file in files[::50]:
        read = pq.read_table(file.path.removeprefix("file://"))
        (bucket,) = entry(file)["partition"]
        assert {buckets(i) for i in read["id"].to_pylist()} == {bucket}
        keyed = read.append_column("null", read["name"].is_null())
        order = pc.sort_indices(
            keyed, sort_keys=[("null", "ascending"), ("name", "descending"), ("ts", "ascending")]
        ).to_pylist()
        assert order == list(range(read.num_rows))
        assert entry(file)["sort_order_id"] == FileLayout.of(state.layout).sort_order.order_id


def test_files_open_at_once_are_bounded(tables: IcebergTables, monkeypatch: pytest.MonkeyPatch) -> None:
    state = adopted(tables, "ns.t", partition_by=("bucket(64, id)",))
    writing = writer(state, buffer_bytes=50_000)
    most = 0
    for batch in batches(20_000, 1_000, 5):
        writing.write(batch.cast(writing.arrow_schema))
        most = max(most, len(writing._open))
    assert most <= OPEN_FILES
    assert len(writing.finish()) == 64


def test_what_is_committed_is_what_readers_find_and_prune_by(tables: IcebergTables) -> None:
    by = ("day(ts)", "truncate(3, name)", "bucket(4, ts)", "id")
    state = adopted(tables, "ns.t", partition_by=by)
    at = [dt.datetime(1969, 12, 31, 23, tzinfo=UTC), dt.datetime(2026, 11, 21, 4, tzinfo=UTC), None]
    table = pa.table(
        {
            "id": pa.array([n % 2 for n in range(90)], pa.int64()),
            "name": [["ünïcode", "plain", None][n // 3 % 3] for n in range(90)],
            "ts": pa.array([at[n % 3] for n in range(90)], US),
        }
    )
    files = written(state, [table])
    tables.commit(state, change(state, 0, 90, files=files))
    read = raw(tables.load("ns.t"))
    assert read.scan().to_arrow().num_rows == 90
    assert read.scan(row_filter="ts is null").to_arrow().num_rows == 30
    past = read.scan(row_filter="ts < '1970-01-01T00:00:00+00:00' and name = 'plain'")
    assert past.to_arrow().num_rows == 10
    assert len(list(past.plan_files())) < len(files) / 3
    entries = read.inspect.files()
    assert entries["record_count"].to_pylist()
    assert sum(entries["record_count"].to_pylist()) == 90


def test_every_type_can_be_an_identity_partition(tables: IcebergTables) -> None:
    kinds: dict[str, tuple[pa.DataType, list[Any]]] = {
        "boolean": (pa.bool_(), [True, False, None]),
        "int": (pa.int32(), [-1, 2**31 - 1, None]),
        "decimal(20, 3)": (pa.decimal128(20, 3), [Decimal("1.125"), Decimal("-12345678901234567.000"), None]),
        "date": (pa.date32(), [dt.date(1960, 2, 29), dt.date(2026, 11, 21), None]),
        "time": (pa.time64("us"), [dt.time(23, 59, 59, 1), dt.time(0), None]),
        "timestamp": (pa.timestamp("us"), [dt.datetime(1960, 1, 1, 0, 0, 0, 1), dt.datetime(2026, 1, 1), None]),
        "timestamptz": (US, [dt.datetime(2026, 1, 1, tzinfo=UTC), None]),
        "uuid": (pa.uuid(), [uuid.uuid4().bytes, uuid.uuid4().bytes, None]),
        "binary": (pa.binary(), [b"\0\xff", b"", None]),
        "fixed[2]": (pa.binary(2), [b"\0\xff", None]),
    }
    for n, (kind, (arrow, values)) in enumerate(kinds.items()):
        state = adopted(tables, f"ns.t{n}", columns=columns({"id": "long", "k": kind}), partition_by=("k",))
        several = values * 5
        table = pa.table({"id": pa.array(range(len(several)), pa.int64()), "k": pa.array(several, arrow)})
        files = written(state, [table])
        assert sorted(f.rows for f in files) == [5] * len(values), kind
        tables.commit(state, change(state, 0, 100, files=files))
        found = raw(tables.load(f"ns.t{n}")).scan().to_arrow()
        assert Counter(map(str, found["k"].to_pylist())) == Counter(map(str, table["k"].to_pylist())), kind


def test_files_roll_at_the_tables_size_and_follow_its_properties(tables: IcebergTables, folder: Path) -> None:
    state = adopted(tables, "ns.t")
    properties = {
        "write.target-file-size-bytes": "200000",
        "write.parquet.compression-codec": "snappy",
        "write.data.path": f"file://{folder}/elsewhere",
        "write.metadata.metrics.default": "counts",
        "write.metadata.metrics.column.id": "full",
    }
    files = written(state, batches(80_000, 10_000, 50), properties=properties, buffer_bytes=100_000)
    assert len(files) > 3
    assert all(f.size_bytes < 900_000 for f in files)
    for file in files:
        path = file.path.removeprefix("file://")
        assert path.startswith(f"{folder}/elsewhere/")
        assert Path(path).stat().st_size == file.size_bytes
        assert pq.read_metadata(path).row_group(0).column(0).compression == "SNAPPY"
        assert list(entry(file)["lower_bounds"]) == ["1"]
        assert entry(file)["value_counts"] == {"1": file.rows, "2": file.rows, "3": file.rows}


def test_the_ends_of_every_type_can_be_described(tables: IcebergTables) -> None:
    extremes: dict[str, tuple[str, pa.DataType, list[Any]]] = {
        "id": ("long", pa.int64(), [-(2**63), 2**63 - 1]),
        "f": ("float", pa.float32(), [-3.4028234663852886e38, 1e-45]),
        "d": ("double", pa.float64(), [-1.7976931348623157e308, 5e-324]),
        "dec": (
            "decimal(38, 9)",
            pa.decimal128(38, 9),
            [Decimal("-" + "9" * 29 + "." + "9" * 9), Decimal("0.000000001")],
        ),
        "day": ("date", pa.date32(), [dt.date.min, dt.date.max]),
        "t": ("time", pa.time64("us"), [dt.time.min, dt.time.max]),
        "ts": ("timestamp", pa.timestamp("us"), [dt.datetime.min, dt.datetime.max]),
        "tz": ("timestamptz", US, [dt.datetime.min.replace(tzinfo=UTC), dt.datetime.max.replace(tzinfo=UTC)]),
        "s": ("string", pa.string(), ["\U0010ffff" * 40, "\0" * 40 + "x" * 100_000]),
        "raw": ("binary", pa.binary(), [b"\xff" * 40, b""]),
        "u": ("uuid", pa.uuid(), [b"\0" * 16, b"\xff" * 16]),
    }
    state = adopted(tables, "ns.t", columns=columns({n: kind for n, (kind, *_) in extremes.items()}))
    table = pa.table({n: pa.array([*values, None], arrow) for n, (_, arrow, values) in extremes.items()})
    files = written(state, [table])
    tables.commit(state, change(state, 0, 3, files=files))
    found = raw(tables.load("ns.t")).scan().to_arrow()
    assert [[str(v) for v in found[n].to_pylist()] for n in extremes] == [
        [str(v) for v in table[n].to_pylist()] for n in extremes
    ]


VALUES: list[tuple[ty.PrimitiveType, pa.DataType, list[Any]]] = [
    (ty.IntegerType(), pa.int32(), [0, -1, 5, 2**31 - 1, -(2**31), None]),
    (ty.LongType(), pa.int64(), [0, -1, 34, 2**63 - 1, -(2**63), None]),
    (ty.DecimalType(9, 2), pa.decimal128(9, 2), [Decimal("14.20"), Decimal("-0.01"), None, Decimal("-9999999.99")]),
    (ty.DecimalType(38, 5), pa.decimal128(38, 5), [Decimal("-123456789012345678901234567890123.12345"), None]),
    (ty.DateType(), pa.date32(), [dt.date(2017, 11, 16), dt.date(1969, 12, 31), dt.date(1, 1, 1), None]),
    (ty.TimeType(), pa.time64("us"), [dt.time(22, 31, 8), dt.time(0), None]),
    (
        ty.TimestampType(),
        pa.timestamp("us"),
        [dt.datetime(1969, 12, 31, 23, 59, 59, 999999), dt.datetime(1, 1, 1), None],
    ),
    (ty.TimestamptzType(), US, [dt.datetime(2017, 11, 16, 22, 31, 8, tzinfo=UTC), dt.datetime(1910, 3, 1, tzinfo=UTC)]),
    (ty.StringType(), pa.string(), ["", "iceberg", "日本語日本語", "😀😀😀😀x", None]),
    (ty.UUIDType(), pa.binary(16), [uuid.UUID("f79c3e09-677c-4bbd-a479-3f349cb785e7").bytes, None]),
    (ty.FixedType(4), pa.binary(4), [b"\0\1\2\3", None]),
    (ty.BinaryType(), pa.binary(), [b"\0\1\2\3\4\5\6", b"", None]),
]


@pytest.mark.parametrize(("kind", "arrow", "values"), VALUES, ids=[str(v[0]) for v in VALUES])
@pytest.mark.parametrize(
    "transform",
    [
        tf.IdentityTransform(), tf.BucketTransform(16), tf.TruncateTransform(4), tf.YearTransform(), tf.MonthTransform(),
        tf.DayTransform(), tf.HourTransform(),
    ],
    ids=str,
)  # fmt: skip
def test_columns_transform_as_icebergs_single_values_do(
    kind: ty.PrimitiveType, arrow: pa.DataType, values: list[Any], transform: tf.Transform[Any, Any]
) -> None:
    if not transform.can_transform(kind):
        pytest.skip("no such transform")
    numbers = [None if v is None else as_number(kind, v) for v in values]
    expected = [transform.transform(kind)(v) for v in numbers]
    result = transform.result_type(kind)
    found = transformed(pa.array(values, arrow), kind, transform).to_pylist()
    assert [None if v is None else as_number(result, v) for v in found] == expected
