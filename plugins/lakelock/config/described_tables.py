"""The tables that a pipeline file describes, each with its place in the file."""

from __future__ import annotations

from collections.abc import Iterator

from lakelock.config.broken import Path
from lakelock.config.model import Pipeline
from lakelock.config.route_section import Route, Rule
from lakelock.config.table_sections import Table


def described_tables(pipeline: Pipeline) -> Iterator[tuple[Path, Table]]:
    """Entries of `tables`, and what rules say of the tables that they make, under the first name that a rule has."""
    for i, table in enumerate(pipeline.tables):
        if not pipeline.is_routed(table.name):
            yield ("tables", i), table
    for at, rule in described_rules(pipeline):
        if rule.table_names:
            yield at, rule.table_of(rule.table_names[0])


def described_rules(pipeline: Pipeline) -> Iterator[tuple[Path, Rule]]:
    """Rules of `route`, and last what happens to the other records."""
    if pipeline.route is not None:
        yield from zip(rule_places(pipeline.route), pipeline.route.all_rules, strict=True)


def rule_places(route: Route) -> list[Path]:
    """Of all rules, *otherwise* last."""
    return [*(("route", "rules", i) for i in range(len(route.rules))), ("route", "otherwise")]
