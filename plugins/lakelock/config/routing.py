"""What the rules of a pipeline file mean for tasks, and for tables that were made by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import overload

from lakelock.config.route_section import Route, Rule
from lakelock.config.source_sections import Value
from lakelock.config.table_sections import Table
from lakelock.records.routing.route_one import topic_values
from lakelock.records.routing.router import Router, RouteRule
from lakelock.records.routing.templates import Rendered, Template

# Of a pipeline that is not `is_replaceable`: why.
NOT_REPLACEABLE = "routes records to tables, which this release does not replace"


def router(route: Route, tables: Sequence[Table], dead_letter_table: str, value: Value) -> Router:
    """*tables* are those that the file lists: what they take is no dead letter if no rule fits."""
    rules = [rule.as_seen_by_tasks for rule in route.rules]
    topics = {topic for table in tables for topic in table.topics}
    if not all(table.topics for table in tables):
        last = RouteRule("filter")
    else:
        last = route.otherwise.as_seen_by_tasks
        rules += [RouteRule("filter", topics=tuple(sorted(topics)))] if topics else []
    taken = frozenset((*(t.name for t in tables), dead_letter_table))
    return Router((*rules, last), taken=taken, max_tables=route.max_tables, format=value.format, csv=value.options)


def routed_table(route: Route, made: Rendered) -> Table:
    """With the settings of the first rule that has the name without a placeholder, else of the first one that could have made it;
    of none if there is no such rule any more.
    """
    rule = next(_makers(route, made), None)
    return rule.table_of(made.name) if rule else Table.model_construct(name=made.name)


def _makers(route: Route, made: Rendered) -> Iterator[Rule]:
    if made.raw_name == made.name:
        yield from (rule for rule in route.all_rules if made.name in rule.table_names)
    yield from (rule for rule in route.all_rules if any(t.could_make(made, {}) for t in rule.templates))


@dataclass(frozen=True, slots=True)
class Overruled:
    """No table of *template* has the settings of its *rule*, but other ones of an *earlier* rule, which could make all its names.

    Rules are given by their index in `Route.all_rules`.
    """

    rule: int
    template: Template
    earlier: int


def overruled(route: Route) -> Iterator[Overruled]:
    rules = route.all_rules
    for n, rule in enumerate(rules):
        for template in (t for t in rule.templates if not t.is_fixed):
            makers = (m for m, r in enumerate(rules) if any(t.could_make_all_of(template) for t in r.templates))
            if rules[first := next(makers)].settings != rule.settings:
                yield Overruled(n, template, first)


class TablesOfRules(Sequence[Table]):
    """The tables that a file *lists*, then *routed* ones: names with those without corrections.

    There may be thousands, so a routed table is made at its first use.
    """

    def __init__(self, lists: Sequence[Table], route: Route, routed: Mapping[str, str]) -> None:
        self._lists, self._route, self._routed = lists, route, routed
        self._made: dict[str, Table] = {}

    def made(self, name: str) -> Table:
        """The routed table of this name."""
        if name not in self._made:
            self._made[name] = routed_table(self._route, Rendered(name, self._routed[name]))
        return self._made[name]

    @cached_property
    def _names(self) -> list[str]:
        return list(self._routed)

    def __len__(self) -> int:
        return len(self._lists) + len(self._routed)

    @overload
    def __getitem__(self, place: int) -> Table: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Table, ...]: ...
    def __getitem__(self, place: int | slice) -> Table | tuple[Table, ...]:
        if isinstance(place, slice):
            return tuple(self[n] for n in range(len(self))[place])
        n = range(len(self))[place]
        return self._lists[n] if n < len(self._lists) else self.made(self._names[n - len(self._lists)])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


def feeds(route: Route, made: Rendered, topic: str) -> bool:
    """Whether records of *topic* could go to the table."""
    return any(_feeds(rule, made, topic) for rule in route.all_rules)


def _feeds(rule: Rule, made: Rendered, topic: str) -> bool:
    values = _topic_values(rule.as_seen_by_tasks, topic)
    if values is None:
        return False
    return any(
        template.could_make(made, values)
        for template in rule.templates
        if all(p.text in values for p in template.placeholders if p.is_of_topic)
    )


@lru_cache(maxsize=65536)
def _topic_values(rule: RouteRule, topic: str) -> dict[str, str] | None:
    return topic_values(rule, topic)
