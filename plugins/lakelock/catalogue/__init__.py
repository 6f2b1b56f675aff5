"""Every command and form once: parsers, Airflow's forms, the page's dialogs and docs/commands.md are made from it."""

from __future__ import annotations

from lakelock.catalogue.commands import COMMANDS
from lakelock.catalogue.dag_forms import FORMS
from lakelock.catalogue.model import Command, Dialog, Files, Form, Option, OptionKind

__all__ = ["COMMANDS", "FORMS", "Command", "Dialog", "Files", "Form", "Option", "OptionKind"]
