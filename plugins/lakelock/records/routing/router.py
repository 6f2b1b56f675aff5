"""Rules that route records to tables, as tasks see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from lakelock.records.csv.options import CsvOptions
from lakelock.records.formats import PAYLOAD

Fate = Literal["tables", "filter", "dead_letter"]


@dataclass(frozen=True, slots=True)
class Predicate:
    """A Spark SQL expression over *columns* of `records.routing.predicates`."""

    sql: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RouteRule:
    """A rule for records of *topics* and of those that *topics_regex* matches as a whole; of all topics if both are empty.

    Each of *when* (a placeholder, without braces, and the values that it may have) must hold. Of a rule with the fate *tables*,
    *templates* name the tables; a record without a value for one of their placeholders goes on to the next rule. Of records for
    which all of this holds, the rule fits those for which *where* is true; one for which it fails is a dead letter.
    """

    fate: Fate
    templates: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    topics_regex: str | None = None
    when: tuple[tuple[str, tuple[str, ...]], ...] = ()
    where: Predicate | None = None


@dataclass(frozen=True, slots=True)
class Router:
    """*rules* in order: the first one that fits a record decides. The last one fits all records.

    *known* has the names of routed tables before corrections, by table: a record whose table belongs to another name is a dead
    letter, and so is one whose table is among those *taken* by the pipeline itself, or *retired*. If *only* is given, these
    tables alone are written, and records of others are counted as if they were; so are, always, those of tables *left_out*. A
    slice reports one more unknown table than *max_tables* leaves room for. *format* is that of the values, *csv* has its options
    if it is `csv`.
    """

    rules: tuple[RouteRule, ...]
    known: Mapping[str, str] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    retired: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()
    only: frozenset[str] | None = None
    max_tables: int = 1_000
    format: str = "json"
    csv: CsvOptions | None = None

    @property
    def root(self) -> tuple[str, ...]:
        """The path in a JSON value at which the paths of placeholders begin."""
        return (PAYLOAD,) if self.format == "connect_json" else ()
