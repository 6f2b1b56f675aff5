"""Readings against the columns that a table has now: refused before anything is read."""

from __future__ import annotations

import pytest
from kits.columns import columns
from kits.fillings import Filled
from lakelock.errors import State, TableUnfit
from lakelock.records.casts import Reading
from lakelock.records.masks import Mask
from lakelock.records.readings import check_readings

NOW = columns({
    "id": "long", "at": "timestamp", "s": "struct<x: long>", "x": "long", "n": "int", "rest": "string", "_offset": "string",
})  # fmt: skip
NONE = frozenset[str]()


@pytest.mark.parametrize(
    ("readings", "why"),
    [
        ({"gone": Reading(("id",))}, "column 'gone': the file names it, and the table does not have it"),
        ({"id": Reading(("id",), ("epoch_s",))}, "column 'id': cast 'epoch_s' is not for long"),
        ({"at": Reading(("at",), ("epoch_s",))}, "column 'at': an epoch is an instant"),
        ({"id": Reading((), whole=True)}, "column 'id': field '$' is the whole value"),
        ({"x": Reading(("s", "x"))}, "two columns read field 's.x'"),
        ({"x": Reading(("id", "x"))}, "reads field 'id' whole, and another column one of its fields"),
        ({"n": Reading(("id",))}, "columns read field 'id' as different types; give all but one of them a cast"),
    ],
)
def test_a_reading_that_the_columns_cannot_have_is_refused(readings: dict[str, Reading], why: str) -> None:
    with pytest.raises(TableUnfit, match=rf"table n\.t: .*{why.replace('$', '[$]')}"):
        check_readings("n.t", NOW, Filled(readings, {}, None), NONE, State.PART_PLANNED)


@pytest.mark.parametrize(
    ("rest", "found"),
    [("gone", "no such column"), ("id", "it is long"), ("needed", "it is required string")],
)
def test_fields_without_a_column_go_to_an_optional_string(rest: str, found: str) -> None:
    now = (*NOW, *columns({"needed": "string"}, ("needed",)))
    with pytest.raises(TableUnfit, match=rf"column '{rest}' takes fields .*: {found}"):
        check_readings("n.t", now, Filled({}, {}, rest), NONE, State.PART_PLANNED)


def test_readings_that_fit_are_accepted() -> None:
    readings = {
        "x": Reading(("s", "x"), ("text",)),
        "n": Reading(("id",), ("clamp",)),
        "at": Reading(("at",), ("rfc3339", "epoch_ms")),
        "rest": Reading(("rest",), ("json",)),
    }
    check_readings("n.t", NOW, Filled(readings, {"at": "UTC"}, "rest"), NONE, State.PART_PLANNED)
    check_readings("n.t", NOW, Filled({}, {}, None), NONE, State.PART_PLANNED)


def test_a_metadata_column_reads_no_field() -> None:
    readings = {"id": Reading(("_offset",))}
    check_readings("n.t", NOW, Filled(readings, {}, None), frozenset(("_offset",)), State.PART_PLANNED)
    with pytest.raises(TableUnfit, match="as different types"):
        check_readings("n.t", NOW, Filled(readings, {}, None), NONE, State.PART_PLANNED)


@pytest.mark.parametrize(
    ("filled", "why"),
    [
        (Filled(constants={"gone": "1"}), "column 'gone': the file names it, and the table does not have it"),
        (Filled(constants={"id": '"eu"'}), "column 'id': its constant does not fit: field 'id': expected"),
        (Filled(masks={"gone": Mask("sha256")}), "column 'gone': the file names it"),
        (Filled(masks={"id": Mask("sha256")}), "column 'id': mask sha256 is for string and binary, not for long"),
    ],
)
def test_a_constant_or_mask_that_the_columns_cannot_have_is_refused(filled: Filled, why: str) -> None:
    with pytest.raises(TableUnfit, match=rf"table n\.t: {why}"):
        check_readings("n.t", NOW, filled, NONE, State.PART_PLANNED)


def test_a_constant_reads_no_field() -> None:
    readings = {"x": Reading(("s", "x"))}
    check_readings(
        "n.t",
        NOW,
        Filled(readings, constants={"s": '{"x": 1}'}, masks={"rest": Mask("sha256")}),
        NONE,
        State.PART_PLANNED,
    )
