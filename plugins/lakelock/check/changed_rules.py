"""The difference between the rules of two configurations with a `route`, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lakelock.model.units import cut, one_line

CHARACTERS = 80
SHOWN = 5
# A batch that nothing follows from yet takes the file as it is now.
_PLANNED = (
    "from the next planned batch on, and in a planned batch of which nothing is staged, if no entry of `tables` takes its "
    "records and no run that worked on it was killed"
)
NEXT_BATCH = f"{_PLANNED}; other planned batches keep the old value"
_ADDED = "records are routed from the next planned batch on; `check --sample N` lists the tables"
_CHANGED = (
    f"{_PLANNED}; other planned batches keep the old rules. A table that no rule makes any longer keeps its rows, and gets no "
    "new ones. `check --sample N` compares where records go"
)
_REMOVED = (
    "refused as long as the pipeline has tables that rules made: keep `route`, with rules that make no further ones"
)


def route_change(before: Mapping[str, object] | None, now: Mapping[str, object]) -> tuple[str, str] | None:
    """How the rules of `route` changed, and the effect; which tables that concerns, a sample shows."""
    old, new = rules_of(before or {}), rules_of(now)
    if not old and new:
        return ("new" if before is None else "added"), _ADDED
    if old and not new:
        return "removed", _REMOVED
    return None if old == new else (changed_rules(old, new), _CHANGED)


def rules_of(config: Mapping[str, object]) -> list[Mapping[str, Any]]:
    """Rules of a resolved configuration, *otherwise* last; empty without a `route`."""
    route = config.get("route")
    return [*route["rules"], {**route["otherwise"], "otherwise": True}] if isinstance(route, Mapping) else []


def changed_rules(old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> str:
    """Rules that were added or removed; those of which only settings changed; else their order."""
    before, after = ([rule_text(rule) for rule in rules] for rules in (old, new))
    removed, added = [t for t in before if t not in after], [t for t in after if t not in before]
    was = dict(zip(before, old, strict=True))
    edited = [t for t, rule in zip(after, new, strict=True) if t in was and was[t] != rule]
    parts = [("removed", removed), ("added", added), ("other settings", edited)]
    return "; ".join(f"{what}: {_listed(texts)}" for what, texts in parts if texts) or "another order"


def rule_text(rule: Mapping[str, Any]) -> str:
    """Which records a rule is for, and its tables."""
    if "otherwise" in rule:
        asked = "otherwise"
    else:
        topics = [*rule["topics"], *([f"/{rule['topics_regex']}/"] if "topics_regex" in rule else [])]
        conditions = [f"{key} = {' or '.join(map(_shown, values))}" for key, values in rule["when"].items()]
        asked = ", ".join([*topics, *conditions, *([one_line(rule["where"])] if "where" in rule else [])])
    return cut(" -> ".join(filter(None, (asked, ", ".join(rule["table"])))), CHARACTERS)


def _shown(value: str) -> str:
    return value or "''"


def _listed(texts: Sequence[str]) -> str:
    shown = ", ".join(f"[{text}]" for text in texts[:SHOWN])
    return shown if len(texts) <= SHOWN else f"{shown} and {len(texts) - SHOWN} more"
