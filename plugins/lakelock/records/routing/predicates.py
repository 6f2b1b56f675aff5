"""Predicates of rules as one more thing that Spark evaluates, and the columns of records that they see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lakelock.model.batches import NO_TABLE
from lakelock.model.column_types import Column, Integer, Text, Timestamp
from lakelock.records.metadata import HEADERS
from lakelock.records.routing.router import Predicate, Router
from lakelock.records.sql.expressions import Expressions, RowCheck

# Those of Spark's source for Kafka, with keys and values as text.
COLUMNS = (
    Column("key", Text()),
    Column("value", Text()),
    Column("topic", Text()),
    Column("partition", Integer(32)),
    Column("offset", Integer(64)),
    Column("timestamp", Timestamp(zoned=True)),
    Column("headers", HEADERS),
)
NAMES = tuple(column.name for column in COLUMNS)
VALUE = "value"


@dataclass(frozen=True, slots=True)
class Predicates:
    """Distinct *predicates*, each with the name of the first rule that has it, for Spark to evaluate."""

    predicates: Mapping[Predicate, str]

    @classmethod
    def of(cls, router: Router | None) -> Predicates | None:
        """None for a router without any."""
        found: dict[Predicate, str] = {}
        for n, rule in enumerate(router.rules if router else ()):
            if rule.where is not None:
                found.setdefault(rule.where, rule_name(n))
        return cls(found) if found else None

    @property
    def table(self) -> str:
        return NO_TABLE

    @property
    def columns(self) -> Sequence[Column]:
        return COLUMNS

    @property
    def expressions(self) -> Expressions:
        checks = tuple(RowCheck(name, predicate.sql) for predicate, name in self.predicates.items())
        return Expressions(checks=checks, tell_each=True)

    @property
    def columns_seen(self) -> list[str]:
        """The names of the columns that they see."""
        return [name for name in NAMES if any(name in p.columns for p in self.predicates)]

    def verdicts(self, outcome: str) -> dict[Predicate, str]:
        """The letter of each (`records.sql.outcomes`), for a record with this *outcome*."""
        return dict(zip(self.predicates, outcome[1:], strict=True))


def rule_name(number: int) -> str:
    """Of the predicate of a rule, as the pipeline file has it."""
    return f"route.rules[{number}].where"
