"""Rows of a table with the results of its expressions, which are made by hand here: rows, filtered, or dead letters."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from kits.columns import columns
from kits.slices import target
from kits.transform_cases import Record
from kits.transforms import pipeline_of, rows_in, written
from lakelock.adapters.iceberg.definitions import partition_spec_of, schema_of
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.model.column_types import Column, Text
from lakelock.ports import TableDefinition
from lakelock.records import reasons
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import Decoded
from lakelock.records.reasons import Reason
from lakelock.records.sql.expressions import Expressions, OnFail, RowCheck
from lakelock.records.sql.outcomes import result_columns
from lakelock.workers.derived_columns import DerivedColumns, Filled

LEAST = -(1 << 63)
KIND = Column("kind", Text())
EARLIER = Reason("not JSON", "not JSON")


class Rows:
    """A table with columns `id`, `d` and `total`, of which the last two are derived."""

    def __init__(
        self,
        folder: Path,
        *checks: OnFail,
        where: str | None = None,
        partition_by: Sequence[str] = (),
        required: Sequence[str] = (),
        derived: Sequence[str] = ("d", "total"),
    ) -> None:
        self.expressions = Expressions(
            dict.fromkeys(derived, "kind"),
            where,
            tuple(RowCheck(f"c{n}", "true", on_fail) for n, on_fail in enumerate(checks)),
            (KIND,),
        )
        kinds = columns({"id": "long", "d": "long", "total": "decimal(10, 2)"})
        of = tuple(Column(c.name, c.type, c.name in required) for c in kinds)
        spec = partition_spec_of(tuple(partition_by), schema_of(TableDefinition(of)))
        wanted = target(folder, "t", of, ["t"], expressions=self.expressions, spec=spec, metadata_columns={})
        self.schema = arrow_schema(FileLayout.of(wanted.layout).schema)
        self.target = wanted
        self._derived = DerivedColumns(wanted, self.schema)

    def fill(
        self,
        outcomes: Sequence[str | None],
        d: Sequence[Any] | None = None,
        total: Sequence[Any] | None = None,
        good: Sequence[int] | None = None,
        bad: Sequence[int] = (),
    ) -> Filled:
        count = len(outcomes)
        given = {
            "id": pa.array(range(count), pa.int64()),
            "d": pa.nulls(count, pa.int64()),
            "total": pa.nulls(count, pa.decimal128(10, 2)),
            "kind": pa.array(["x"] * count, pa.string()),
        }
        names = result_columns(self.expressions)
        found = [
            pa.array(outcomes, pa.string()),
            pa.array(range(count) if d is None else d, pa.int32() if d is None else pa.int64()),
            pa.array([None] * count if total is None else total, pa.decimal128(5, 2)),
        ]
        rows = pa.Table.from_arrays(list(given.values()), names=list(given))
        decoded = Decoded(rows, good, [BadRecord(i, "decode", EARLIER) for i in bad])
        return self._derived.fill(decoded, pa.Table.from_arrays(found[: len(names)], names=names))


def ids(found: Filled) -> list[int]:
    return found.decoded.table.column("id").to_pylist()  # type: ignore[no-any-return]


def said(found: Filled) -> list[tuple[int, str, str, str]]:
    return [(b.index, b.stage, b.reason.kind, b.reason.message) for b in found.decoded.bad]


def test_all_records_become_rows_with_values_of_the_columns_types(tmp_path: Path) -> None:
    rows = Rows(tmp_path)
    found = rows.fill([None] * 3, total=[Decimal("1.5"), None, Decimal("999.99")])
    assert found.decoded.table.schema == rows.schema
    assert found.decoded.table.to_pylist() == [
        {"id": 0, "d": 0, "total": Decimal("1.50")},
        {"id": 1, "d": 1, "total": None},
        {"id": 2, "d": 2, "total": Decimal("999.99")},
    ]
    assert (found.decoded.good, list(found.decoded.bad), len(found.left_out), found.stopped) == (None, [], 0, None)


def test_records_that_are_left_out_are_no_rows(tmp_path: Path) -> None:
    found = Rows(tmp_path, where="kind = 'x'").fill(["-", None, "-", None])
    assert ids(found) == [1, 3]
    assert found.left_out.tolist() == [0, 2]
    assert (found.decoded.good, found.decoded.bad) == ([1, 3], [])


def test_indexes_are_those_of_records_if_some_have_no_row(tmp_path: Path) -> None:
    found = Rows(tmp_path, where="a").fill([None, "-", "xpep", None, "-"], good=[1, 4, 5, 8, 9], bad=[0, 2, 7, 10])
    assert ids(found) == [0, 3]
    assert found.decoded.good == [1, 8]
    assert found.left_out.tolist() == [4, 9]
    assert [b.index for b in found.decoded.bad] == [0, 2, 5, 7, 10]
    assert [b.reason is EARLIER for b in found.decoded.bad] == [True, True, False, True, True]


def test_good_and_bad_stay_as_they_are_if_nothing_fails(tmp_path: Path) -> None:
    found = Rows(tmp_path).fill([None, None], good=[3, 5], bad=[4])
    assert found.decoded.good == [3, 5]
    assert [b.index for b in found.decoded.bad] == [4]


FAILED = {
    "xepp": (True, "where", None),
    "xpep": (True, "column 'd'", "d"),
    "xpee": (True, "column 'd'", "d"),
    "xppe": (True, "column 'total'", "total"),
    "xep": (False, "column 'd'", "d"),
    "xpe": (False, "column 'total'", "total"),
}


@pytest.mark.parametrize("outcome", FAILED)
def test_the_first_expression_that_fails_is_named(tmp_path: Path, outcome: str) -> None:
    has_where, name, field = FAILED[outcome]
    found = Rows(tmp_path, "stop", where="kind" if has_where else None).fill([None, outcome])
    message = f"{name}: its SQL fails for this record"
    assert said(found) == [(1, "convert", reasons.EXPRESSION_FAILED, message)]
    assert found.decoded.bad[0].reason.field == field
    assert (ids(found), found.stopped) == ([0], None)


DEAD: OnFail = "dead_letter"
FILTER: OnFail = "filter"
STOP: OnFail = "stop"
HOLDS_NOT, FAILS = "check {!r} does not hold", "check {!r}: its SQL fails for this record"
# The letters of checks with these treatments, and what decides; "" for a record that is filtered.
CHECKS: list[tuple[list[OnFail], str, str, bool]] = [
    ([DEAD], "f", HOLDS_NOT.format("c0"), False),
    ([DEAD], "e", FAILS.format("c0"), False),
    ([FILTER], "f", "", False),
    # It is not known whether it would hold.
    ([FILTER], "e", FAILS.format("c0"), False),
    ([STOP], "f", HOLDS_NOT.format("c0"), True),
    ([STOP], "e", FAILS.format("c0"), True),
    ([DEAD, DEAD], "pf", HOLDS_NOT.format("c1"), False),
    ([DEAD, DEAD], "fe", HOLDS_NOT.format("c0"), False),
    ([DEAD, DEAD], "ef", FAILS.format("c0"), False),
    ([FILTER, DEAD], "ff", HOLDS_NOT.format("c1"), False),
    ([FILTER, DEAD], "fp", "", False),
    ([FILTER, FILTER], "fe", FAILS.format("c1"), False),
    ([FILTER, FILTER], "ff", "", False),
    ([DEAD, FILTER, STOP], "fff", HOLDS_NOT.format("c2"), True),
    ([DEAD, FILTER, STOP], "ffp", HOLDS_NOT.format("c0"), False),
    ([DEAD, FILTER, STOP], "pfp", "", False),
    ([STOP, STOP], "pe", FAILS.format("c1"), True),
    ([STOP, STOP], "fe", HOLDS_NOT.format("c0"), True),
    ([STOP, DEAD], "pf", HOLDS_NOT.format("c1"), False),
]


@pytest.mark.parametrize(("checks", "letters", "message", "stops"), CHECKS)
def test_a_record_whose_row_fails_checks(
    tmp_path: Path, checks: list[OnFail], letters: str, message: str, stops: bool
) -> None:
    found = Rows(tmp_path, *checks).fill([None, "c" + letters], good=[2, 6])
    if stops:
        assert found.stopped is not None
        index, reason = found.stopped
        assert (index, reason.message) == (6, message)
        return
    assert (ids(found), found.stopped) == ([0], None)
    if not message:
        assert (found.left_out.tolist(), found.decoded.bad) == ([6], [])
        return
    kind = reasons.CHECK_FAILED if message.endswith("hold") else reasons.EXPRESSION_FAILED
    assert said(found) == [(6, "check", kind, message)]
    assert len(found.left_out) == 0


def test_the_first_record_that_stops_the_batch_is_named(tmp_path: Path) -> None:
    found = Rows(tmp_path, "dead_letter", "stop").fill(
        [None, "cfp", "-", "cpe", "cpf", "cff"], good=[0, 2, 4, 6, 8, 10]
    )
    assert found.stopped is not None
    assert found.stopped[0] == 6


def test_derived_columns_that_are_required_have_values(tmp_path: Path) -> None:
    rows = Rows(tmp_path, "filter", required=("d", "total"))
    found = rows.fill([None, None, None, None, "cf"], [1, None, None, 1, None], [1, 1, None, None, None])
    lacks = "column {!r} is required, but its SQL gives no value"
    assert said(found) == [
        (1, "convert", reasons.REQUIRED_NULL, lacks.format("d")),
        (2, "convert", reasons.REQUIRED_NULL, lacks.format("d")),
        (3, "convert", reasons.REQUIRED_NULL, lacks.format("total")),
    ]
    assert [b.reason.field for b in found.decoded.bad] == ["d", "d", "total"]
    assert (ids(found), found.left_out.tolist()) == ([0], [4])


@pytest.mark.parametrize("good", [None, [10, 11, 12, 13, 14, 15]])
def test_rows_that_no_partition_holds_are_dead_letters(tmp_path: Path, good: list[int] | None) -> None:
    rows = Rows(tmp_path, partition_by=("truncate(d, 10)",), where="kind")
    found = rows.fill([None, None, "-", None, "xpep", None], [5, LEAST, LEAST, 7, None, LEAST + 1], good=good)
    add = 0 if good is None else 10
    assert ids(found) == [0, 3]
    assert found.decoded.good == [add, add + 3]
    assert [(i, stage, kind) for i, stage, kind, _ in said(found)] == [
        (add + 1, "convert", reasons.PARTITION_VALUE),
        (add + 4, "convert", reasons.EXPRESSION_FAILED),
        (add + 5, "convert", reasons.PARTITION_VALUE),
    ]
    assert found.left_out.tolist() == [add + 2]


def test_check_names_the_filter_of_each_record(tmp_path: Path) -> None:
    rows = Rows(tmp_path, "filter", "dead_letter", "filter", where="true", derived=())
    names = result_columns(rows.expressions)
    given = pa.table({"id": range(6), "d": pa.nulls(6, pa.int64()), "total": pa.nulls(6, pa.decimal128(10, 2))})
    outcomes = pa.chunked_array([["-", None, "cfpp", "cppf", "cfpf", "cpfp"]], pa.string())
    wanted = DerivedColumns(rows.target, rows.schema, stops=False)
    found = wanted.fill(Decoded(given, None, []), pa.table([outcomes], names=names))
    assert found.filters == {0: "where", 2: "check 'c0'", 3: "check 'c2'", 4: "check 'c0'"}
    assert found.left_out.tolist() == sorted(found.filters)


def test_no_rows_at_all(tmp_path: Path) -> None:
    rows = Rows(tmp_path, "stop", partition_by=("truncate(d, 10)",), required=("d",))
    for found in (rows.fill([]), rows.fill([], good=[], bad=[0, 1]), rows.fill(["-", "-"])):
        assert found.decoded.table.num_rows == 0
        assert found.decoded.table.schema == rows.schema
        assert found.stopped is None
    assert found.left_out.tolist() == [0, 1]


def test_results_may_be_in_several_chunks(tmp_path: Path) -> None:
    rows = Rows(tmp_path, "dead_letter", derived=())
    names = result_columns(rows.expressions)
    chunks = pa.chunked_array([["-", None], [], ["cf", None, "-"]], pa.string())
    given = pa.table({"id": range(5), "d": pa.nulls(5, pa.int64()), "total": pa.nulls(5, pa.decimal128(10, 2))})
    found = rows._derived.fill(Decoded(given, None, []), pa.table([chunks], names=names))
    assert (ids(found), found.left_out.tolist(), [b.index for b in found.decoded.bad]) == ([1, 3], [0, 4], [2])


def test_a_lost_dead_letter_that_is_filtered_now_stays_a_dead_letter(tmp_path: Path) -> None:
    """It was counted as one, so the books of all batches together would not balance."""
    pipeline = pipeline_of(tmp_path, ["columns: {id: long}", "where: id = 3", 'checks: {c: "id > 0"}'], "t")
    records = [Record(b'{"id": %d}' % n, topic="t", offset=n) for n in range(6)]

    def results(of: Any, rows: pa.Table) -> pa.Table:
        return pa.table({"outcome": pa.array(["-", "-", "cf", None, "cf", "-"], pa.string())})

    found = written(tmp_path, pipeline, records, None, results, frozenset([0, 2, 5]))
    books = found.books
    assert (books.read, books.written, books.dead, books.filtered) == (6, 1, 4, 1)
    assert [row["offset"] for row in rows_in(found.dead_letters.files)] == [4]
