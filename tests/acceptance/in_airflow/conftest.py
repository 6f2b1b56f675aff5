"""One Airflow for the tests that look at it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from acceptance.in_airflow.live import SecretStack


@pytest.fixture(scope="package")
def secret_stack(
    session_folder: Path, postgres: Any, kafka: Any, warm_spark: Any, warehouse: str
) -> Iterator[SecretStack]:
    """An Airflow with the session's servers, for tests that look at it and kill nothing."""
    stack = SecretStack(session_folder / "secret-stack", postgres, kafka, warm_spark, warehouse)
    stack.start()
    yield stack
    stack.airflow.stop()
