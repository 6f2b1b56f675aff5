"""Reasons why a record goes to no table."""

from __future__ import annotations

from lakelock.model.units import cut
from lakelock.records import reasons
from lakelock.records.reasons import FOUND_CHARACTERS, Reason
from lakelock.records.routing.templates import MAX_LEVEL_CHARACTERS, Rendered


def no_rule(placeholder: str | None = None, found: str | None = None) -> Reason:
    """*placeholder* is the first one that a rule needs and that is no text: *found* says what it is, such as `a list`."""
    if placeholder is None:
        return Reason(reasons.NO_ROUTE, "no rule of route fits the record")
    message = f"no rule of route fits the record: {{{placeholder}}} is {found}, so it has no text"
    return Reason(reasons.NO_ROUTE, message, placeholder)


def predicate_failed(name: str) -> Reason:
    return Reason(reasons.PREDICATE_FAILED, f"{name}: its SQL fails for this record", name)


def to_dead_letters() -> Reason:
    return Reason(reasons.ROUTED_TO_DEAD_LETTERS, "a rule of route makes the record a dead letter")


def no_name(template: str) -> Reason:
    message = (
        f"table {template!r} has no name for the record: a level of it would be empty, longer than {MAX_LEVEL_CHARACTERS} "
        "characters, or no text"
    )
    return Reason(reasons.NO_TABLE_NAME, message)


def collision(made: Rendered, owner: str) -> Reason:
    """*owner* is the raw name for which the table was made."""
    message = f"{_cut(made.raw_name)!r} makes table {made.name}, which is the table of {_cut(owner)!r}"
    return Reason(reasons.NAMES_COLLIDE, message, found=_cut(made.raw_name))


def taken(made: Rendered) -> Reason:
    message = f"{_cut(made.raw_name)!r} makes table {made.name}, which is another table of the pipeline"
    return Reason(reasons.NAME_TAKEN, message, found=_cut(made.raw_name))


def retired(made: Rendered) -> Reason:
    message = f"{_cut(made.raw_name)!r} makes table {made.name}, which is retired"
    return Reason(reasons.TABLE_RETIRED, message, found=_cut(made.raw_name))


def _cut(text: str) -> str:
    return cut(text, FOUND_CHARACTERS)
