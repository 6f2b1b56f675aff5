"""Validation of the names in a run's configuration."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from lakelock.errors import RunRefused, State

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


def _hint(name: str, names: list[str]) -> str:
    folded = {known.replace("_", ""): known for known in names}
    near = difflib.get_close_matches(name.lower().replace("_", "").replace("-", ""), folded, n=1, cutoff=0.6)
    if near:
        return f"which is not a field of its form: did you mean {folded[near[0]]!r}?"
    return f"which is not a field of its form; the fields are {', '.join(names)}"
