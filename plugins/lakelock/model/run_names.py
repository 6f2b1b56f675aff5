"""Validation of the names that a run or a command is given."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from lakelock.errors import RunRefused, State

NEAREST, LISTED = 3, 20
# TriggerDagRunOperator adds this name if the OpenLineage provider is active.
OF_AIRFLOW = frozenset({"openlineage"})


def check_names(given: Iterable[str], known: Iterable[str]) -> None:
    """Raise RunRefused with each unknown name and the nearest known one."""
    names = sorted(known)
    wrong = [name for name in given if name not in names and name not in OF_AIRFLOW]
    if wrong:
        raise RunRefused(
            f"the configuration of this run has {'; '.join(f'{name!r}, {_hint(name, names)}' for name in wrong)}.",
            State.NOTHING_CHANGED,
            "Trigger the run again without it.",
        )


def check_table(pipeline: str, table: str, known: Sequence[str]) -> None:
    """Raise RunRefused, with the nearest names, if *table* is not among the *known* tables."""
    if table in known:
        return
    # A short list follows as a whole.
    near = difflib.get_close_matches(table, known, n=1 if len(known) <= LISTED else NEAREST)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    more = f" and {len(known) - LISTED:,} more" if len(known) > LISTED else ""
    raise RunRefused(
        f"{table!r} is not a table of pipeline {pipeline!r}.{hint}",
        State.NOTHING_CHANGED,
        f"Its tables: {', '.join(known[:LISTED])}{more}.",
    )


def _hint(name: str, names: list[str]) -> str:
    folded = {known.replace("_", ""): known for known in names}
    near = difflib.get_close_matches(name.lower().replace("_", "").replace("-", ""), folded, n=1, cutoff=0.6)
    if near:
        return f"which is not a field of its form: did you mean {folded[near[0]]!r}?"
    return f"which is not a field of its form; the fields are {', '.join(names)}"
