"""Warnings of rules whose tables have the settings of an earlier rule."""

from __future__ import annotations

from lakelock.config.described_tables import rule_places
from lakelock.config.route_rules import rule_label
from lakelock.config.route_section import Route
from lakelock.config.routing import overruled


def overruled_notes(route: Route | None) -> list[str]:
    """One for each template; the file is refused if such a rule has settings itself."""
    if route is None:
        return []
    labels = [rule_label(place) for place in rule_places(route)]
    return [
        f"warning: tables of {labels[found.rule]} ({found.template.text}) have the settings of {labels[found.earlier]}, which "
        "could make all of their names"
        for found in overruled(route)
    ]
