"""The Airflow notifiers that a pipeline file names."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Mapping
from typing import Any

from airflow.sdk import BaseNotifier

Send = Callable[[Mapping[str, Any]], None]
NOTIFIER_S = 60.0


def notifier(path: str, arguments: Mapping[str, Any]) -> Send:
    module, _, name = path.rpartition(".")
    found = getattr(importlib.import_module(module), name)
    if not (isinstance(found, type) and issubclass(found, BaseNotifier)):
        raise TypeError(f"{path} is not an Airflow notifier")
    made: Send = found(**arguments)
    return made


def within(seconds: float, send: Send, given: Mapping[str, Any]) -> None:
    """Call *send* and wait at most *seconds*, so that a notifier that hangs does not keep others from being called."""
    faults: list[Exception] = []

    def run() -> None:
        try:
            send(given)
        except Exception as error:
            faults.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise TimeoutError(f"no answer within {seconds:.0f} s")
    if faults:
        raise faults[0]
