"""Routes one record at a time: what routing means, in plain code. `check` uses it on a sample, and tests compare with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from lakelock.records.reasons import NO_ROUTE, TABLE_RETIRED, Reason
from lakelock.records.routing import unroutable
from lakelock.records.routing.predicates import rule_name
from lakelock.records.routing.record_texts import CsvRecord, Headers, Record, Texts
from lakelock.records.routing.router import Predicate, Router, RouteRule
from lakelock.records.routing.templates import Placeholder, Rendered, Template
from lakelock.records.sql.outcomes import FAILS, PASSES


@dataclass(frozen=True, slots=True)
class Routed:
    """Where a record goes: to *tables*, which each get it; nowhere, if it is *filtered*; or to the dead letters, with a *reason*.

    It is a dead letter if no rule fits, if the predicate of a rule fails for it before one fits, or if any table of the rule that
    fits cannot have it: never a row and a dead letter.
    *rule* is the index of the rule that decides.
    """

    tables: tuple[Rendered, ...] = ()
    filtered: bool = False
    reason: Reason | None = None
    rule: int | None = None

    @property
    def without_tombstone(self) -> Routed:
        """For a record without a value, if these are skipped: only a rule for dead letters has it."""
        is_skipped = self.tables or (self.reason is not None and self.reason.kind in (NO_ROUTE, TABLE_RETIRED))
        return Routed(filtered=True) if is_skipped else self


def route(
    router: Router,
    topic: str,
    key: bytes | None,
    headers: Headers | None,
    value: bytes | None,
    verdicts: Mapping[Predicate, str] = MappingProxyType({}),
) -> Routed:
    """*headers* are None if they cannot be read; *value* is as it was decompressed.

    *verdicts* have the letter of each predicate for the record (`records.sql.outcomes`), as Spark evaluates it.
    """
    if router.csv is None:
        return decide(router, Record(topic, key, headers, value, verdicts, root=router.root))
    record = CsvRecord(topic, key, headers, value, verdicts, csv=router.csv)
    routed = decide(router, record)
    is_unroutable = routed.reason is not None and routed.reason.kind == NO_ROUTE
    return Routed(filtered=True) if is_unroutable and record.is_skipped else routed


def decide(router: Router, record: Texts) -> Routed:
    """As `route`, for what has the texts of a record."""
    for n, rule in enumerate(router.rules):
        values = _fitting(rule, record)
        if values is None:
            continue
        if rule.where is not None and (letter := record.verdicts[rule.where]) != PASSES:
            if letter == FAILS:
                return Routed(reason=unroutable.predicate_failed(rule_name(n)), rule=n)
            continue
        if rule.fate == "filter":
            return Routed(filtered=True, rule=n)
        if rule.fate == "dead_letter":
            if n == len(router.rules) - 1:
                break
            return Routed(reason=unroutable.to_dead_letters(), rule=n)
        return _to_tables(router, rule, n, values)
    return Routed(reason=unroutable.no_rule(*(record.unfit or ())))


def could_make(router: Router, made: Rendered) -> bool:
    """Whether a rule could give a table this name."""
    return any(parsed(text).could_make(made, {}) for rule in router.rules for text in rule.templates)


@lru_cache(maxsize=4096)
def parsed(template: str) -> Template:
    return Template.parse(template)


@lru_cache(maxsize=4096)
def placeholder(text: str) -> Placeholder:
    return Placeholder.parse(text)


def topic_values(rule: RouteRule, topic: str) -> dict[str, str] | None:
    """What the rule's placeholders take from *topic*, by text; None if the rule is not for it."""
    found = re.fullmatch(rule.topics_regex, topic) if rule.topics_regex is not None else None
    if (rule.topics or rule.topics_regex is not None) and topic not in rule.topics and found is None:
        return None
    values = {"topic": topic}
    if found is not None:
        groups = {**{str(n): text for n, text in enumerate(found.groups(), 1)}, **found.groupdict()}
        values |= {f"topic.{name}": text for name, text in groups.items() if text is not None}
    return values


def _fitting(rule: RouteRule, record: Texts) -> dict[str, str] | None:
    """Values by placeholder if the rule fits, but for its predicate."""
    values = topic_values(rule, record.topic)
    if values is None:
        return None
    for text, allowed in rule.when:
        if not _has(values, placeholder(text), record) or values[text] not in allowed:
            return None
    for template in rule.templates:
        if not all(_has(values, p, record) for p in parsed(template).placeholders):
            return None
    return values


def _has(values: dict[str, str], place: Placeholder, record: Texts) -> bool:
    """Whether there is a value, which then is among *values*."""
    if place.text not in values and not place.is_of_topic and (found := record.text(place)) is not None:
        values[place.text] = found
    return place.text in values


def _to_tables(router: Router, rule: RouteRule, at: int, values: dict[str, str]) -> Routed:
    tables: dict[str, Rendered] = {}
    reason: Reason | None = None
    for text in rule.templates:
        made = parsed(text).render(values)
        if made is None:
            why: Reason | None = unroutable.no_name(text)
        elif made.name in router.taken:
            why = unroutable.taken(made)
        elif made.name in router.retired:
            why = unroutable.retired(made)
        else:
            first = tables.get(made.name, made).raw_name
            owner = router.known.get(made.name, first)
            why = None if owner == made.raw_name else unroutable.collision(made, owner)
            if why is None:
                tables[made.name] = made
        reason = reason or why
    return Routed(rule=at, reason=reason) if reason else Routed(tuple(tables.values()), rule=at)
