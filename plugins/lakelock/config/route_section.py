"""Rules that route records to tables whose names follow from the records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from functools import cached_property
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from lakelock.config.section import Section
from lakelock.config.table_sections import Table, TableSettings
from lakelock.config.values import Duration, SqlText
from lakelock.records.routing.router import Fate, Predicate, RouteRule
from lakelock.records.routing.templates import Placeholder, Template

FATES = ("filter", "dead_letter")
# Keys of a rule that say which records it is for.
OF_RECORDS = ("topics", "topics_regex", "when", "where")


def _placeholder(text: str) -> str:
    if "{" in text or "}" in text:
        raise ValueError(f"keys of when have no braces: write {text.replace('{', '').replace('}', '') or 'event.kind'}")
    Placeholder.parse(text)
    return text


def _names(value: Any) -> Any:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not names or not all(isinstance(name, str) for name in names):
        raise ValueError("must be a table, a list of tables, filter, or dead_letter")
    for name in names:
        if name not in FATES:
            Template.parse(name)
        elif len(names) > 1:
            raise ValueError(f"{name} stands alone, without tables")
    if len(set(names)) < len(names):
        raise ValueError("has a table twice")
    return tuple(names)


def _allowed(value: Any) -> tuple[str, ...]:
    values = value if isinstance(value, list | tuple) else [value]
    if not values or not all(isinstance(one, str | bool | int | float) for one in values):
        raise ValueError("must be a text, number or boolean, or a list of them")
    return tuple(dict.fromkeys(one if isinstance(one, str) else json.dumps(one) for one in values))


_SCALAR = {"type": ["string", "number", "boolean"]}
Names = Annotated[
    tuple[str, ...],
    BeforeValidator(_names),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "minLength": 1},
                {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1},
            ]
        }
    ),
]
Allowed = Annotated[
    tuple[str, ...],
    BeforeValidator(_allowed),
    WithJsonSchema({"anyOf": [_SCALAR, {"type": "array", "items": _SCALAR, "minItems": 1}]}),
]


class Rule(TableSettings):
    """Records, and the tables that they go to. It may have each key of `tables` except `name`."""

    topics: tuple[str, ...] = Field(
        default=(),
        description="Topics whose records this rule is for. Default: all topics, unless `topics_regex` is set.",
    )
    topics_regex: str | None = Field(
        default=None,
        description="A regular expression for more topics, matched against the whole name. Its groups are placeholders.",
        examples=["tenant_(.*)"],
    )
    when: Mapping[Annotated[str, AfterValidator(_placeholder)], Allowed] = Field(
        default={},
        description="Map of placeholder, without braces, to the value or the values that it must have.",
        examples=[{"event.type": ["push", "pull"], "header.tenant": "a"}],
    )
    where: SqlText | None = Field(
        default=None,
        description=(
            "Spark SQL expression of a record's `key`, `value`, `topic`, `partition`, `offset`, `timestamp` and `headers` that "
            "is true for the records that this rule is for. See [predicates](routing.md#predicates)."
        ),
        examples=["get_json_object(value, '$.event.kind') like 'pay%'"],
    )
    table: Names = Field(
        description=(
            "Name of the table, which may have placeholders: `{topic}`, `{topic.1}` (a group of `topics_regex`), `{key}`, "
            "`{header.NAME}`, or a field such as `{event.type}`. With a list, records go to each of its tables. `filter` leaves "
            "them out, and `dead_letter` makes them dead letters."
        ),
        examples=["lake.{event.type}"],
    )

    @property
    def fate(self) -> Fate:
        return "filter" if self.table == ("filter",) else "dead_letter" if self.table == ("dead_letter",) else "tables"

    @property
    def table_names(self) -> tuple[str, ...]:
        """As they are written; none for `filter` and `dead_letter`."""
        return self.table if self.fate == "tables" else ()

    @cached_property
    def templates(self) -> tuple[Template, ...]:
        return tuple(map(Template.parse, self.table_names))

    @property
    def is_for_all_topics(self) -> bool:
        return not self.topics and self.topics_regex is None

    @cached_property
    def as_seen_by_tasks(self) -> RouteRule:
        return RouteRule(
            self.fate, self.table_names, self.topics, self.topics_regex, tuple(self.when.items()), self.predicate
        )

    @property
    def predicate(self) -> Predicate | None:
        if self.where is None:
            return None
        from lakelock.records.sql.syntax import columns_used

        return Predicate(self.where, columns_used(self.where))

    @cached_property
    def settings(self) -> dict[str, Any]:
        """Those that a table which this rule makes has."""
        return {name: getattr(self, name) for name in TableSettings.model_fields if name not in OF_RECORDS}

    @cached_property
    def _any_table(self) -> Table:
        return Table.model_construct(**self.settings, topics=(), where=None, name="")

    def table_of(self, name: str) -> Table:
        """What an entry of `tables` would be for a table of this *name*."""
        changed = {"name": name}
        if self.location is not None:
            namespace, _, table = name.rpartition(".")
            changed["location"] = self.location.replace("{namespace}", namespace.replace(".", "/")).replace(
                "{table}", table
            )
        return self._any_table.model_copy(update=changed)


class Route(Section):
    """Tables whose names follow from the records: [routing](routing.md)."""

    rules: tuple[Rule, ...] = Field(
        min_length=1, description="Rules in order: the first one that fits a record decides."
    )
    otherwise: Annotated[
        Rule, BeforeValidator(lambda value: {"table": value} if isinstance(value, str | list | tuple) else value)
    ] = Field(
        default=Rule(table=("dead_letter",)),
        description=(
            "Destination of records that no rule fits and that no entry of `tables` takes: `dead_letter`, `filter`, a table, or "
            "a map of `table` and the keys of `tables`."
        ),
    )
    max_tables: int = Field(
        default=1000,
        ge=1,
        description=(
            "The most tables that the rules may make. The table of `otherwise` counts, retired tables do not. A batch whose "
            "records ask for more stops (`RouteLimit`)."
        ),
    )
    mark_every: Duration = Field(
        default=timedelta(minutes=1),
        description=(
            "The least time between two commits of the dead-letter table that only move [the consistent "
            "cut](routing.md#the-consistent-cut)."
        ),
    )

    @property
    def mark_every_s(self) -> float:
        return self.mark_every.total_seconds()

    @property
    def namespace(self) -> str:
        """That of the first table that a rule names, as it is written; empty if none does."""
        return next((template.namespace for rule in self.all_rules for template in rule.templates), "")

    @property
    def all_rules(self) -> tuple[Rule, ...]:
        return (*self.rules, self.otherwise)
