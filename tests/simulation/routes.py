"""Rules of the simulated pipelines with routes, and what each of them says of a record, in plain code of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from lakelock.testing.kafka import BAD, NONE, TOMBSTONE
from lakelock.testing.routing import kind_of, routed_record, text_of, to_of

X, Y = "x", "y"
# Records without a field `to`, and those in which it is such a text.
WORDS = ("", "a", "A", "b", "B", "c")
_NUMBERS = {text_of(to): to for to in range(10, 16)}
# Fates of records without a table.
FILTERED, DEAD = "filter", "dead_letter"


class Rules(NamedTuple):
    """The section `route` without the settings of tables, and the tables of a record, or its fate, by topic and word.

    A record without a word has no field at all. None: no rule fits.
    """

    rules: tuple[Mapping[str, Any], ...]
    of: Callable[[str, str], tuple[str, ...] | str | None]
    otherwise: str = DEAD


RULES = (
    Rules(({"table": "ns.r_{to}"},), lambda topic, word: (f"ns.r_{word}",) if word else None),
    Rules(
        (
            {"when": {"to": ["a", "A"]}, "table": ["ns.r_{to}", "ns.all"]},
            {"when": {"to": "c"}, "table": "filter"},
            {"table": "ns.r_{to}"},
        ),
        lambda topic, word: (
            (f"ns.r_{word}", "ns.all")
            if word in ("a", "A")
            else FILTERED
            if word == "c"
            else (f"ns.r_{word}",)
            if word
            else None
        ),
    ),
    Rules(
        ({"topics": [X], "table": "ns.x_{to}"}, {"topics": [Y], "table": "ns.{to}"}),
        lambda topic, word: None if not word else (f"ns.x_{word}",) if topic == X else (f"ns.{word}",),
        otherwise="filter",
    ),
    Rules(
        ({"when": {"to": ["b", "B"]}, "table": "dead_letter"}, {"table": ["ns.r_{to}", "ns.all"]}),
        lambda topic, word: DEAD if word in ("b", "B") else (f"ns.r_{word}", "ns.all") if word else None,
        otherwise="ns.rest",
    ),
)
# Every table that some rules name.
ROUTED = frozenset(
    name.lower() for rules in RULES for topic in (X, Y) for word in WORDS for name in (rules.of(topic, word) or ())
) | {"ns.rest"}


class Due(NamedTuple):
    """The tables that a record must be in; whether it is a dead letter without one instead."""

    tables: frozenset[str] = frozenset()
    dead: bool = False


NOWHERE = Due()


def section(number: int, settings: Mapping[str, Any]) -> dict[str, Any]:
    """`route` of the pipeline file; *settings* are those of the tables that it makes."""
    chosen = RULES[number]
    rules = [rule if rule["table"] in (FILTERED, DEAD) else {**rule, **settings} for rule in chosen.rules]
    otherwise = chosen.otherwise if chosen.otherwise in (FILTERED, DEAD) else {"table": chosen.otherwise, **settings}
    return {"rules": rules, "otherwise": otherwise}


def due(
    number: int, record: int, topic: str, raw_names: Mapping[str, str], static: Mapping[str, tuple[str, ...]]
) -> Due:
    """*raw_names* are those of the registered tables; *static* has the tables of the file, each with its topics."""
    chosen = RULES[number]
    if kind_of(record) == NONE:
        return NOWHERE
    says = chosen.of(topic, text_of(to_of(record)))
    if says is None:
        taken = any(not topics or topic in topics for topics in static.values())
        all_taken = any(not topics for topics in static.values())
        says = FILTERED if taken or all_taken else chosen.otherwise
        says = says if says in (FILTERED, DEAD) else (says,)
    if says == FILTERED:
        return NOWHERE
    if says == DEAD:
        return Due(dead=True)
    names = {name.lower(): name for name in says}
    if names.keys() & static.keys() or any(raw_names.get(name, raw) != raw for name, raw in names.items()):
        return Due(dead=True)
    return Due(frozenset(names))


def expects(record: int, due: Due, skips_tombstones: bool) -> Due:
    """*due* of a record that may also be left out because it has no value."""
    return NOWHERE if kind_of(record) == TOMBSTONE and skips_tombstones else due


def record(kind: int, word: str) -> int:
    """One that can be: without a value it has no word, and without a word it is no JSON."""
    if kind in (NONE, TOMBSTONE):
        return kind
    return routed_record(kind, _NUMBERS[word]) if word else BAD
