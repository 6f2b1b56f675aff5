"""Headers as columns: all of them, or single ones by their names."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kits.columns import columns
from kits.slices import target
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.kafka import sample
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.adapters.parquet.writer import TableWriter
from lakelock.model.column_types import Column, ColumnType, ListOf, MapOf, Struct
from lakelock.records.headers import HEADERS, Headers, headers_array
from lakelock.records.metadata import METADATA_TYPES, OF_HEADER, takes
from lakelock.records.values import Values
from lakelock.workers.table_rows import TableRows

LIST = "list<struct<key: string, value: binary>>"
Sent = Sequence[tuple[str, bytes | None]] | None
RECORDS: list[Sent] = [
    [("a", b"1"), ("b", None)],
    [],
    [("b", b"x"), ("a", b"\xff"), ("b", b"y")],
    None,
    [("c", b"")],
    [("a", b"2"), ("a", b"2")],
    [("a", "ü".encode())],
]
READ = [n for n, sent in enumerate(RECORDS) if sent is not None]
Refused = dict[int, tuple[str, str]]
UNREADABLE = ("headers cannot be read", "column 'h': the record's headers cannot be read")


def decoded(
    folder: Path, of: Sequence[Column], named: dict[str, str], records: Sequence[Sent] = tuple(RECORDS)
) -> tuple[dict[int, Any], Refused]:
    """Column `h` by id, and the kind and the message of each refused record."""
    wanted = target(folder, "t", of, ["t"], metadata_columns=named)
    rows = TableRows(wanted, arrow_schema(FileLayout.of(wanted.layout).schema))
    found = rows.decode(Values.from_list([b'{"id":%d}' % n for n in range(len(records))]), of_headers(records))
    assert found.table.schema == arrow_schema(FileLayout.of(wanted.layout).schema)
    found.table.validate(full=True)
    assert all((b.stage, b.reason.field) == ("convert", "h") for b in found.bad)
    good = {r["id"]: r["h"] for r in found.table.to_pylist()}
    assert sorted([*good, *(b.index for b in found.bad)]) == list(range(len(records)))
    return good, {b.index: (b.reason.kind, b.reason.message) for b in found.bad}


def of_headers(records: Sequence[Sent]) -> Any:
    def metadata(key: str) -> pa.Array:
        assert key == "headers"
        return headers_array(records)

    return metadata


def twice(name: str) -> tuple[str, str]:
    return "header twice", f"column 'h': the record has header {name!r} twice"


def no_text(name: str) -> tuple[str, str]:
    return "not UTF-8", f"column 'h': the value of header {name!r} is not UTF-8"


def test_a_list_has_all_headers_in_order_and_null_for_none(tmp_path: Path) -> None:
    good, bad = decoded(tmp_path, columns({"id": "long", "h": LIST}), {"headers": "h"})
    assert good == {n: [{"key": k, "value": v} for k, v in RECORDS[n] or ()] or None for n in READ}
    assert bad == {3: UNREADABLE}


def test_a_map_refuses_names_that_are_there_twice_and_a_map_of_text_what_is_no_text(tmp_path: Path) -> None:
    of_bytes = {0: [("a", b"1"), ("b", None)], 1: None, 4: [("c", b"")], 6: [("a", "ü".encode())]}
    good, bad = decoded(tmp_path, columns({"id": "long", "h": "map<string, binary>"}), {"headers": "h"})
    assert (good, bad) == (of_bytes, {2: twice("b"), 3: UNREADABLE, 5: twice("a")})

    records = [*RECORDS, [("a", b"1"), ("z", b"\xff"), ("y", b"\xfe")], [("d", b"\xff"), ("e", b"1"), ("e", b"2")]]
    good, bad = decoded(tmp_path, columns({"id": "long", "h": "map<string, string>"}), {"headers": "h"}, records)
    assert good == {n: of and [(k, v if v is None else v.decode()) for k, v in of] for n, of in of_bytes.items()}
    assert bad == {2: twice("b"), 3: UNREADABLE, 5: twice("a"), 7: no_text("z"), 8: twice("e")}


@pytest.mark.parametrize("kind", ["string", "binary"])
def test_a_header_has_a_column_of_its_own(tmp_path: Path, kind: str) -> None:
    good, bad = decoded(tmp_path, columns({"id": "long", "h": kind}), {"header.a": "h"})
    values: dict[int, Any] = {0: b"1", 1: None, 4: None, 6: "ü".encode()}
    refused = {3: UNREADABLE, 5: twice("a")}
    if kind == "string":
        assert good == {n: v if v is None else v.decode() for n, v in values.items()}
        assert bad == {**refused, 2: no_text("a")}
    else:
        assert good == {**values, 2: b"\xff"}
        assert bad == refused


@pytest.mark.parametrize("kind", ["string", "binary"])
def test_a_required_header_that_is_absent_or_null_refuses_the_record(tmp_path: Path, kind: str) -> None:
    lacks = ("required field is null", "column 'h' is required, but the record has no value for it")
    good, bad = decoded(tmp_path, columns({"id": "long", "h": kind}, ("h",)), {"header.b": "h"})
    assert not good
    assert bad == {**dict.fromkeys((0, 1, 4, 5, 6), lacks), 2: twice("b"), 3: UNREADABLE}


@pytest.mark.parametrize("kind", [LIST, "map<string, binary>"])
def test_required_headers_refuse_a_record_without_any(tmp_path: Path, kind: str) -> None:
    _, bad = decoded(tmp_path, columns({"id": "long", "h": kind}, ("h",)), {"headers": "h"})
    assert bad[1] == ("required field is null", "column 'h' is required, but the record has no value for it")


def requiring(kind: ColumnType) -> ColumnType:
    """The same, with everything in it required, and with comments."""
    match kind:
        case ListOf(Struct(fields)):
            return ListOf(Struct(tuple(replace(f, required=True, doc="a comment") for f in fields)), True)
        case MapOf(key, value):
            return MapOf(key, value, True)
    raise AssertionError(kind)


@pytest.mark.parametrize("text", [LIST, "map<string, binary>", "map<string, string>"])
def test_a_table_whose_values_are_required_refuses_null_ones(tmp_path: Path, text: str) -> None:
    (column,) = columns({"h": text})
    kind = requiring(column.type)
    assert takes("headers", kind)
    of = (*columns({"id": "long"}), replace(column, type=kind))
    records: list[Sent] = [[("a", b"1")], [("a", b"1"), ("b", None), ("c", None)], None, []]
    good, bad = decoded(tmp_path, of, {"headers": "h"}, records)
    assert sorted(good) == [0, 3]
    said = "column 'h': its values are required, but header 'b' has none"
    assert bad == {1: ("required field is null", said), 2: UNREADABLE}
    wanted = target(tmp_path, "t", of, ["t"], metadata_columns={"headers": "h"})
    writer = TableWriter(wanted, str(uuid.uuid4()), str(uuid.uuid4()), 1 << 20)
    rows = TableRows(wanted, writer.arrow_schema)
    values = Values.from_list([b'{"id":%d}' % n for n in range(4)])
    writer.write(rows.decode(values, of_headers(records)).table)
    (file,) = writer.finish()
    assert {r["id"]: r["h"] for r in pq.read_table(file.path.removeprefix("file://")).to_pylist()} == good


def test_a_sample_has_each_column_that_a_block_has() -> None:
    assert sample._METADATA.keys() | {OF_HEADER} == METADATA_TYPES.keys()


@pytest.mark.parametrize(
    ("key", "text", "fits"),
    [
        ("headers", LIST, True),
        ("headers", "list<struct<value: binary, key: string>>", False),
        ("headers", "list<struct<key: string, value: string>>", False),
        ("headers", "map<binary, binary>", False),
        ("headers", "string", False),
        ("header.x", "string", True),
        ("header.x", "binary", True),
        ("header.x", "long", False),
        ("header.partition", "int", False),
        ("timestamp_type", "string", True),
        ("timestamp_type", "int", False),
    ],
)
def test_columns_have_types_that_take_all_values(key: str, text: str, fits: bool) -> None:
    (column,) = columns({"c": text})
    assert takes(key, column.type) is fits


def test_a_part_of_a_column_is_read_as_its_own(tmp_path: Path) -> None:
    """As a redrive cuts dead letters."""
    field = arrow_schema(schema_from(columns({"h": LIST}))).field("h")
    whole = headers_array([*RECORDS[:3], *RECORDS[4:]])
    column, unfit = Headers(whole.slice(2, 3)).all(field)
    assert column.to_pylist() == whole.to_pylist()[2:5]
    assert unfit == {}
    (of_one,) = (Headers(whole.slice(2, 3)).of_name("c", pa.field("h", pa.string())),)
    assert of_one[0].to_pylist() == [None, "", None]


NAMES = st.sampled_from(["a", "b", "", "ü"])
HEADER_LISTS = st.one_of(st.none(), st.lists(st.tuples(NAMES, st.one_of(st.none(), st.binary(max_size=3))), max_size=4))


@given(st.lists(HEADER_LISTS, max_size=8), st.integers(0, 3))
def test_a_record_is_refused_exactly_if_a_map_or_a_column_cannot_hold_its_headers(
    records: list[list[tuple[str, bytes | None]] | None], skipped: int
) -> None:
    given_headers = headers_array(records).slice(skipped)
    records = records[skipped:]
    assert given_headers.type == HEADERS
    of_map, bad = Headers(given_headers).all(pa.field("h", pa.map_(pa.string(), pa.string())))
    for n, sent in enumerate(records):
        names = [k for k, _ in sent or ()]
        assert (n in bad) == (sent is None or len(set(names)) < len(names) or not all(map(is_text, sent)))
        if sent is not None and n not in bad:
            assert of_map[n].as_py() == ([(k, v if v is None else v.decode()) for k, v in sent] or None)
    of_one, bad = Headers(given_headers).of_name("a", pa.field("h", pa.binary()))
    for n, sent in enumerate(records):
        found = [v for k, v in sent or () if k == "a"]
        assert (n in bad) == (sent is None or len(found) > 1)
        if n not in bad:
            assert of_one[n].as_py() == (found[0] if found else None)


def is_text(header: tuple[str, bytes | None]) -> bool:
    try:
        (header[1] or b"").decode()
    except UnicodeDecodeError:
        return False
    return True
