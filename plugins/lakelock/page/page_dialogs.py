"""The page's dialogs as an ES module, from the catalogue that also makes Airflow's forms."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from lakelock.catalogue import COMMANDS, FORMS, Dialog, Option

_ASKED = "It shows a preview and waits for approval."


def dialogs() -> dict[str, dict[str, Any]]:
    """Dialogs by the kind of their DAG, or by the command of their decision."""
    of_forms = {form.dag: _dialog(form.dialog, form.dialog.fixed) for form in FORMS.values()}
    of_decisions = {c.name: _dialog(c.dialog, {"decision": c.name}) for c in COMMANDS.values() if c.dialog}
    return of_forms | of_decisions


def script() -> str:
    return f"export const DIALOGS = {json.dumps(dialogs(), ensure_ascii=False)};\n"


def _dialog(dialog: Dialog, fixed: Mapping[str, object]) -> dict[str, Any]:
    return {
        "button": dialog.button,
        "title": dialog.title,
        "about": dialog.about,
        "fields": [_field(option) for option in dialog.fields],
        "fixed": dict(fixed),
        "previews": dialog.previews,
        "asks": dialog.asks,
        "then": _ASKED if dialog.asks else dialog.then,
        "same": dialog.same,
    }


def _field(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "kind": option.kind.value,
        "title": option.title,
        "hint": option.but(choices={}).text("Empty"),
        "choices": {name: f"{name}: {what}" for name, what in option.choices.items()},
        "default": option.default,
        "required": option.required,
        "unset": option.unset,
    }
