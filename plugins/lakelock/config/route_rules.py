"""Rules of `route`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lakelock.config.broken import Broken, Path
from lakelock.config.described_tables import described_rules, rule_places
from lakelock.config.model import Pipeline
from lakelock.config.route_section import OF_RECORDS, Route, Rule
from lakelock.config.routing import overruled
from lakelock.config.table_sections import TableSettings
from lakelock.records.csv.row_fields import field_name
from lakelock.records.formats import EVOLVING
from lakelock.records.routing.predicates import NAMES
from lakelock.records.routing.templates import Placeholder

_HERE: Path = ("route", "rules")


def route_rules(pipeline: Pipeline, table_defaults: TableSettings | None) -> Iterator[Broken]:
    """*table_defaults* are those that lie under the rules; None if they are wrong themselves."""
    route = pipeline.route
    if route is None:
        if not pipeline.tables:
            missing = "tables" not in pipeline.model_fields_set
            yield Broken(("tables",), "tables is missing" if missing else "must not be empty", (("route",),))
        return
    if pipeline.publish.max_lateness is not None:
        message = "complete hours are not reported for the tables of a route: leave out one of the two"
        yield Broken(("publish", "max_lateness"), message, (("route",),))
    yield from _dead_letters(pipeline, route)
    for at, rule in described_rules(pipeline):
        yield from _keys(rule, at)
        yield from _topics(pipeline, rule, at)
        yield from _placeholders(pipeline, rule, at)
        yield from _predicate(rule, at)
        yield from _location(rule, at)
    yield from _names(pipeline, route)
    yield from _overruled(route, table_defaults) if table_defaults else ()
    yield from _reach(pipeline, route)


def _dead_letters(pipeline: Pipeline, route: Route) -> Iterator[Broken]:
    if not pipeline.tables and not any(rule.table_names for rule in route.all_rules):
        yield Broken(_HERE, "no rule names a table, and there are no tables", (("tables",), ("route", "otherwise")))
    elif pipeline.dead_letters.table is None and not pipeline.tables and "{" in route.namespace:
        message = f"dead_letters.table is needed, because the namespace of the first table, {route.namespace}, has a placeholder"
        yield Broken(_HERE, message, (("dead_letters", "table"), ("tables",), ("route", "otherwise")))


def _keys(rule: Rule, at: Path) -> Iterator[Broken]:
    """Keys without an effect."""
    given = rule.model_fields_set
    if at[-1] == "otherwise":
        for key in sorted(given & {*OF_RECORDS}):
            yield Broken((*at, key), "otherwise is for all records that no rule fits; leave this key out")
    if not rule.table_names:
        for key in sorted(given - {*OF_RECORDS, "table"}):
            yield Broken((*at, key), f"has no effect with table: {rule.table[0]}", ((*at, "table"),))


def _topics(pipeline: Pipeline, rule: Rule, at: Path) -> Iterator[Broken]:
    source = pipeline.source
    decided_on: tuple[Path, ...] = (("source", "topics"), ("source", "topics_regex"))
    if rule.topics_regex is not None:
        try:
            re.compile(rule.topics_regex)
        except re.error as error:
            yield Broken((*at, "topics_regex"), f"not a regular expression: {error}")
            return
    if source.topics_regex is not None:
        return
    for topic in rule.topics:
        if topic not in source.topics:
            yield Broken((*at, "topics"), f"topic {topic!r} is not in source.topics", decided_on)
    if rule.topics_regex is not None and not any(re.fullmatch(rule.topics_regex, topic) for topic in source.topics):
        yield Broken((*at, "topics_regex"), "matches none of source.topics", decided_on)


def _placeholders(pipeline: Pipeline, rule: Rule, at: Path) -> Iterator[Broken]:
    used = [((*at, "table"), place) for template in rule.templates for place in template.placeholders]
    used += [((*at, "when", text), Placeholder.parse(text)) for text in rule.when]
    for path, place in used:
        if place.kind == "group" and (problem := _no_group(rule, place)):
            yield Broken(path, problem, ((*at, "topics_regex"),))
        if place.kind == "field" and (fault := _no_field(pipeline, place)) is not None:
            yield Broken(path, *fault)


def _no_field(pipeline: Pipeline, place: Placeholder) -> tuple[str, tuple[Path, ...]] | None:
    """Why values do not have the field, with the keys that say so."""
    value = pipeline.value
    if value.options is not None:
        name = field_name(place.path)
        if name in value.options.columns:
            return None
        return f"{{{place.text}}}: there is no field {name!r} in value.csv.columns", (("value", "csv", "columns"),)
    if value.format in EVOLVING:
        return None
    return f"{{{place.text}}} is a field, and values of value.format {value.format} have none", (("value", "format"),)


def _predicate(rule: Rule, at: Path) -> Iterator[Broken]:
    """Columns that records do not have."""
    for name in rule.predicate.columns if rule.predicate else ():
        if name not in NAMES:
            field = f"for a field of the value, write get_json_object(value, '$.{name}')"
            meant = f"it is written {name.lower()!r}" if name.lower() in NAMES else field
            yield Broken((*at, "where"), f"uses column {name!r}, and records have {', '.join(NAMES)}; {meant}")


def _no_group(rule: Rule, place: Placeholder) -> str | None:
    field = f"for a field, write {{value.{place.text}}}"
    if rule.topics_regex is None:
        return f"{{{place.text}}} is a group of topics_regex, which this rule does not have; {field}"
    if (pattern := _compiled(rule)) is None:
        return None
    found = 1 <= int(place.name) <= pattern.groups if place.name.isdigit() else place.name in pattern.groupindex
    return None if found else f"topics_regex has no group {place.name!r}; {field}"


def _compiled(rule: Rule) -> re.Pattern[str] | None:
    try:
        return None if rule.topics_regex is None else re.compile(rule.topics_regex)
    except re.error:
        return None


def _location(rule: Rule, at: Path) -> Iterator[Broken]:
    """Two tables in one folder would delete each other's files."""
    if rule.location is None or not rule.table_names:
        return
    one_table = len(rule.templates) == 1 and rule.templates[0].is_fixed
    namespaces = {template.namespace for template in rule.templates}
    needed = [] if one_table else ["{table}"]
    needed += ["{namespace}"] if len(namespaces) > 1 or "{" in next(iter(namespaces)) else []
    if missing := [text for text in needed if text not in rule.location]:
        message = f"must contain {' and '.join(missing)}, because the rule makes tables that differ in it"
        yield Broken((*at, "location"), message, ((*at, "table"),))


def _names(pipeline: Pipeline, route: Route) -> Iterator[Broken]:
    """Names without placeholders."""
    listed = {table.name for table in pipeline.tables}
    dead_letters = None if "{" in pipeline.dead_letter_table else pipeline.dead_letter_table
    first: dict[str, tuple[str, Rule]] = {}
    for at, rule in described_rules(pipeline):
        where: Path = (*at, "table")
        for template in rule.templates:
            name = template.text
            if not template.is_fixed:
                continue
            if name in listed:
                yield Broken(where, f"{name} is an entry of tables, which takes records by its topics", (("tables",),))
            elif name == dead_letters:
                yield Broken(where, f"{name} is the dead-letter table", (("dead_letters",), ("tables",)))
            label, other = first.setdefault(name, (rule_label(at), rule))
            if differing := [key for key in rule.settings if rule.settings[key] != other.settings[key]]:
                message = f"{name} has the settings of {label}, the first rule that names it; give the same ones here"
                yield Broken((*at, differing[0]), f"{differing[0]}: {message}", (_HERE, ("route", "otherwise")))
    if len(first) > route.max_tables:
        message = f"the rules name {len(first)} tables already"
        yield Broken(("route", "max_tables"), message, (_HERE, ("route", "otherwise")))


def _overruled(route: Route, table_defaults: TableSettings) -> Iterator[Broken]:
    """Settings that a rule has itself, and none of its tables."""
    places = rule_places(route)
    for found in overruled(route):
        rule, earlier, at = route.all_rules[found.rule], route.all_rules[found.earlier], places[found.rule]
        own = {key for key, value in rule.settings.items() if value != getattr(table_defaults, key)}
        key = next((key for key in rule.settings if key in own and rule.settings[key] != earlier.settings[key]), None)
        if key is None:
            continue
        first = rule_label(places[found.earlier])
        message = (
            f"{key}: never applies to {found.template.text}: {first} could make all of these names, and a table has the settings "
            f"of the first rule that could make its name. Write them at {first}, or route to names of another namespace; or to "
            "names with a text of their own, in a rule before it"
        )
        yield Broken((*at, key), message, (_HERE, ("route", "otherwise")))


def rule_label(at: Path) -> str:
    return "route.otherwise" if at[-1] == "otherwise" else f"route.rules[{at[-1]}]"


def _reach(pipeline: Pipeline, route: Route) -> Iterator[Broken]:
    """Rules that no record gets to."""
    decided_on: tuple[Path, ...] = (_HERE, ("source",))
    if "otherwise" in route.model_fields_set:
        for i, table in enumerate(pipeline.tables):
            if not table.topics:
                message = f"has no effect: it is for records that go to no table, and tables[{i}] takes all of them"
                yield Broken(("route", "otherwise"), message, (("tables",),))
                break
    if any(rule.topics_regex is not None and _compiled(rule) is None for rule in route.rules):
        return
    for i, rule in enumerate(route.rules):
        before = [n for n, earlier in enumerate(route.rules[:i]) if _asks_no_more(earlier, rule)]
        if taken_by := _takers(pipeline, route, before, rule):
            earlier = " and ".join(f"route.rules[{n}]" for n in taken_by)
            fit = "fits" if len(taken_by) == 1 else "fit"
            yield Broken((*_HERE, i), f"no record gets to this rule: {earlier} {fit} all of its records", decided_on)


def _asks_no_more(earlier: Rule, later: Rule) -> bool:
    """Whether *earlier* fits each record of its topics that *later* fits."""
    same_groups = earlier.topics_regex == later.topics_regex
    has_text = {place.text for template in later.templates for place in template.placeholders} | {*later.when}
    needed = {place for template in earlier.templates for place in template.placeholders if place.kind != "topic"}
    if earlier.where is not None and earlier.where != later.where:
        return False
    return all(
        key in later.when and {*later.when[key]} <= {*values} and (same_groups or not key.startswith("topic."))
        for key, values in earlier.when.items()
    ) and all(place.text in has_text and (place.kind != "group" or same_groups) for place in needed)


def _takers(pipeline: Pipeline, route: Route, before: list[int], rule: Rule) -> list[int]:
    """Which of the rules *before* take all topics of the rule; empty if some topic is left."""
    source, takers = pipeline.source, list[int]()
    if source.topics_regex is None:
        rest = {topic for topic in source.topics if _is_for(rule, topic)}
        if not rest:
            return []
    else:
        rest = set(rule.topics)
        if rule.topics_regex is not None or rule.is_for_all_topics:
            # It is for topics that no one has listed, too.
            takers = [n for n in before if _takes_unlisted(route.rules[n], rule)][:1]
            if not takers:
                return []
    for n in dict.fromkeys((*takers, *before)):
        taken = {topic for topic in rest if _is_for(route.rules[n], topic)}
        rest -= taken
        takers += [n] if taken and n not in takers else []
    return [] if rest else takers


def _takes_unlisted(earlier: Rule, later: Rule) -> bool:
    return earlier.is_for_all_topics or (later.topics_regex is not None and earlier.topics_regex == later.topics_regex)


def _is_for(rule: Rule, topic: str) -> bool:
    if rule.is_for_all_topics or topic in rule.topics:
        return True
    return rule.topics_regex is not None and re.fullmatch(rule.topics_regex, topic) is not None
