"""Titles, hints and choices of the page's dialogs as an ES module, from the catalogue that also makes Airflow's forms."""

from __future__ import annotations

import json

from lakelock.catalogue import FORMS

_FORMS = {
    form.dag: {
        option.name: {
            "title": option.title,
            "hint": option.but(choices={}).text("Empty"),
            "choices": {name: f"{name}: {what}" for name, what in option.choices.items()},
        }
        for option in form.fields
    }
    for form in FORMS.values()
}


def script() -> str:
    return f"export const FORMS = {json.dumps(_FORMS, ensure_ascii=False)};\n"
