"""Spark SQL expressions of a table: columns that they derive, the records that it takes, and checks of its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from lakelock.model.column_types import Column

OnFail = Literal["dead_letter", "filter", "stop"]
WHERE = "where"


def quoted(name: str) -> str:
    """*name* as an identifier of Spark SQL."""
    return f"`{name.replace('`', '``')}`"


@dataclass(frozen=True, slots=True)
class RowCheck:
    """Passes if *sql* is true; null fails, as false does."""

    name: str
    sql: str
    on_fail: OnFail = "dead_letter"


@dataclass(frozen=True, slots=True)
class Expressions:
    """*derived* is SQL by column name. *inputs* are columns for expressions alone, which the table does not have.

    `where` and *derived* see inputs and the columns that they do not derive themselves; *checks* see all. If they *tell_each*,
    which is for checks alone, the outcome has a letter for each check, also if all pass.
    """

    derived: Mapping[str, str] = field(default_factory=dict)
    where: str | None = None
    checks: tuple[RowCheck, ...] = ()
    inputs: tuple[Column, ...] = ()
    tell_each: bool = False

    @property
    def all(self) -> dict[str, str]:
        """SQL by the name that messages give it, in the order of evaluation."""
        named = {WHERE: self.where} if self.where is not None else {}
        return {
            **named,
            **{f"column {name!r}": sql for name, sql in self.derived.items()},
            **{f"check {c.name!r}": c.sql for c in self.checks},
        }


class Evaluable(Protocol):
    """What Spark evaluates expressions for: a table, or rules that route records, whose name is `NO_TABLE`."""

    @property
    def table(self) -> str: ...
    @property
    def columns(self) -> Sequence[Column]: ...
    @property
    def expressions(self) -> Expressions | None: ...
