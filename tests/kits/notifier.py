"""A notifier of a site's own, which writes to a file."""

from __future__ import annotations

from pathlib import Path

NOTIFIER = """
from pathlib import Path
from airflow.sdk.bases.notifier import BaseNotifier

class ToFile(BaseNotifier):
    template_fields = ("message",)

    def __init__(self, path, message):
        super().__init__()
        self.path, self.message = path, message

    def notify(self, context):
        with Path(self.path).open("a") as file:
            file.write(f"{context['lakelock']['began']} {self.message}\\n")
"""


def to_file(path: Path) -> str:
    text = "{{ lakelock.kind }} of {{ lakelock.pipeline }}: {{ lakelock.message }}"
    return f'{{notifier: site_notifier.ToFile, arguments: {{path: {path}, message: "{text}"}}}}'
