"""Changes of a table by another engine, and what becomes of files that were staged before and of later records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pyiceberg.table import Table
from pyiceberg.table.update.schema import UpdateSchema
from pyiceberg.transforms import BucketTransform, IdentityTransform
from pyiceberg.types import DoubleType, LongType, StringType

COLUMNS = "{id: long, note: string, n: int}"
AS_THEY_ARE, AGAIN = "committed as they are", "written again"
# The staged record, and the one that follows the change unless a case has another.
STAGED = {"id": 1, "note": "b", "n": 2}
LATER = {"id": 2, "note": "c", "n": 3}


@dataclass(frozen=True)
class Changed:
    """*then* is the text about later records. Rows are without Kafka's columns; None is a dead letter.

    With the *strict* settings, the later record is a dead letter, and so is the staged one where it has a value for a column
    that is gone (*lost*).
    *columns* are those of the file; without them, they are inferred.
    """

    what: str
    alter: Callable[[Table], None]
    staged: str
    then: str
    later: dict[str, Any] = field(default_factory=lambda: LATER)
    staged_row: dict[str, Any] | None = field(default_factory=lambda: STAGED)
    later_row: dict[str, Any] | None = field(default_factory=lambda: LATER)
    columns: str = COLUMNS
    strict: str = ""
    lost: bool = False

    @property
    def row(self) -> str:
        return f"| {self.what} | {self.staged} | {self.then} |"


def evolved(*steps: Callable[[UpdateSchema], object]) -> Callable[[Table], None]:
    """One schema for each step."""

    def alter(table: Table) -> None:
        for step in steps:
            with table.update_schema(allow_incompatible_changes=True) as update:
                step(update)

    return alter


def _partitioned(table: Table) -> None:
    with table.update_spec() as spec:
        spec.add_field("id", BucketTransform(4), "bucket")


def _sorted(table: Table) -> None:
    with table.update_sort_order() as order:
        order.asc("n", IdentityTransform())


CHANGES = (
    Changed(
        "a column is added",
        evolved(lambda u: u.add_column("more", StringType())),
        AS_THEY_ARE,
        "the column takes the field of its name",
        {**LATER, "more": "m"},
        {**STAGED, "more": None},
        {**LATER, "more": "m"},
    ),
    Changed(
        "a column is renamed",
        evolved(lambda u: u.rename_column("note", "remark")),
        AS_THEY_ARE,
        "the column takes the field of its new name",
        {"id": 2, "remark": "c", "n": 3},
        {"id": 1, "remark": "b", "n": 2},
        {"id": 2, "remark": "c", "n": 3},
    ),
    Changed(
        "a column that the file names is renamed, and records have the old name",
        evolved(lambda u: u.rename_column("note", "remark")),
        AS_THEY_ARE,
        "the column takes the field of its old name, too",
        staged_row={"id": 1, "remark": "b", "n": 2},
        later_row={"id": 2, "remark": "c", "n": 3},
    ),
    Changed(
        "a column that the file does not name is renamed, and records have the old name",
        evolved(lambda u: u.rename_column("note", "remark")),
        AS_THEY_ARE,
        "the column takes its old name, too; with [`new_fields: dead_letter`](json.md#fields-without-a-column), a dead letter",
        staged_row={"id": 1, "remark": "b", "n": 2},
        later_row={"id": 2, "remark": "c", "n": 3},
        strict="new_fields: dead_letter",
        columns="",
    ),
    Changed(
        "a type is widened: `int` to `long`, `float` to `double`, a `decimal` of higher precision",
        evolved(lambda u: u.update_column("n", LongType())),
        AS_THEY_ARE,
        "the column takes the wider type",
        {**LATER, "n": 2**40},
        later_row={**LATER, "n": 2**40},
    ),
    Changed(
        "a column is dropped",
        evolved(lambda u: u.delete_column("note")),
        AGAIN,
        "its field is left out; with [`new_fields: dead_letter`](json.md#fields-without-a-column), a dead letter",
        staged_row={"id": 1, "n": 2},
        later_row={"id": 2, "n": 3},
        strict="new_fields: dead_letter",
        lost=True,
    ),
    Changed(
        "a column is dropped, and another one gets its name",
        evolved(lambda u: u.delete_column("n"), lambda u: u.add_column("n", DoubleType())),
        AGAIN,
        "the column takes the type that it has now",
        {**LATER, "n": 3.5},
        {**STAGED, "n": 2.0},
        {**LATER, "n": 3.5},
    ),
    Changed(
        "a column becomes required",
        evolved(lambda u: u.update_column("n", required=True)),
        AGAIN,
        "a record without a value makes it optional again; with `new_types: dead_letter`, a dead letter",
        {"id": 2, "note": "c"},
        later_row={"id": 2, "note": "c", "n": None},
        strict="new_types: dead_letter",
    ),
    Changed(
        "a column is no longer required",
        evolved(lambda u: u.update_column("n", required=True), lambda u: u.make_column_optional("n")),
        AS_THEY_ARE,
        "a record without a value is a row",
        {"id": 2, "note": "c"},
        later_row={"id": 2, "note": "c", "n": None},
    ),
    Changed(
        "the order of columns or a comment changes",
        evolved(lambda u: u.move_first("n"), lambda u: u.update_column("n", doc="a number")),
        AS_THEY_ARE,
        "nothing changes",
    ),
    Changed("the partitioning changes (none is one too)", _partitioned, AS_THEY_ARE, "files have the new partitioning"),
    Changed("the sort order changes", _sorted, AS_THEY_ARE, "files are sorted in the new order"),
)
