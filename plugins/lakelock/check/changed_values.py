"""The difference between two values of a key of a pipeline file, as text."""

from __future__ import annotations

import json
from collections.abc import Mapping

CHARACTERS = 60


def changed(old: object, new: object) -> str:
    """Both values; of lists of named entries, only what differs."""
    if (before := by_name(old)) is None or (after := by_name(new)) is None:
        return _both(old, new)
    parts = [
        f"{name}.{key}: {_both(before[name].get(key), after[name].get(key))}"
        for name in before
        if name in after
        for key in dict.fromkeys((*before[name], *after[name]))
        if before[name].get(key) != after[name].get(key)
    ]
    parts += [f"{name}: removed" for name in before if name not in after]
    parts += [f"{name}: added" for name in after if name not in before]
    return "; ".join(parts) or "another order"


def by_name(value: object) -> dict[str, Mapping[str, object]] | None:
    """Entries of a list by their name; None for anything else, and for an empty list."""
    if not isinstance(value, list | tuple) or not value:
        return None
    if not all(isinstance(entry, Mapping) and "name" in entry for entry in value):
        return None
    return {str(entry["name"]): entry for entry in value}


def _both(old: object, new: object) -> str:
    """Long texts are cut, and begin shortly before the first difference."""
    texts = _text(old), _text(new)
    same = next((at for at, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), min(map(len, texts)))
    start = max(0, same - 20) if max(map(len, texts)) > CHARACTERS else 0
    return " -> ".join(_cut(text, start) for text in texts)


def _cut(text: str, start: int) -> str:
    shown = f"…{text[start:]}" if start else text
    return shown if len(shown) <= CHARACTERS else f"{shown[: CHARACTERS - 1]}…"


def _text(value: object) -> str:
    if value is None:
        return "not set"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
