"""The pipeline of a runtime: the file's, with the tables that the log has for its routes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest
from lakelock.app.runtime import Runtime
from lakelock.config import Pipeline


class RoutedRuntime(Runtime):
    """*routed* is the log's, and changes as a log does."""

    def __init__(self, pipeline: Any, routed: dict[str, str]) -> None:
        super().__init__(pipeline, _no_connection)
        self.asked = 0
        self.known = routed

    @cached_property
    def log(self) -> Any:
        return SimpleNamespace(routed=self._asked)

    def _asked(self, pipeline: str) -> Mapping[str, str]:
        self.asked += 1
        return dict(self.known)


def _no_connection(conn_id: str) -> NoReturn:
    raise AssertionError(f"asked for the connection {conn_id}")


def _static() -> Pipeline:
    return Pipeline.model_validate({"name": "p", "source": {"topics": ("t",)}, "tables": ({"name": "lake.a"},)})


class _RoutedFile(SimpleNamespace):
    """A pipeline file with routes; counts how often its model with tables is made."""

    made = 0

    def with_routed(self, tables: Mapping[str, str]) -> Any:
        self.made += 1
        return SimpleNamespace(name=self.name, tables=[SimpleNamespace(name=t) for t in tables])


def _routed() -> _RoutedFile:
    return _RoutedFile(name="p", route=object(), tables=(), catalog=SimpleNamespace(requests_per_second=None))


def test_a_static_pipeline_asks_no_log() -> None:
    runtime = Runtime(_static(), _no_connection)
    assert runtime.pipeline is runtime.file
    runtime.refresh_tables()


def test_routed_tables_come_from_the_log_at_first_use() -> None:
    runtime = RoutedRuntime(_routed(), {"lake.push": "lake.Push"})
    assert runtime.asked == 0
    assert [t.name for t in runtime.pipeline.tables] == ["lake.push"]
    assert runtime.asked == 1


def test_tables_that_appear_are_seen_after_a_refresh_and_made_once() -> None:
    runtime = RoutedRuntime(_routed(), {"lake.a": "lake.a"})
    before = runtime.pipeline
    runtime.known["lake.b"] = "lake.b"
    assert runtime.pipeline is before
    runtime.refresh_tables()
    assert [t.name for t in runtime.pipeline.tables] == ["lake.a", "lake.b"]
    runtime.refresh_tables()
    assert runtime.file.made == 2  # type: ignore[attr-defined]


def test_parts_that_need_connections_alone_do_not_ask_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = Runtime(_static(), _no_connection)
    monkeypatch.setattr(runtime.file.__class__, "route", object(), raising=False)
    with pytest.raises(AssertionError, match="kafka_default"):
        _ = runtime.kafka_config
    with pytest.raises(AssertionError, match="lakelock_postgres"):
        _ = runtime.log
    with pytest.raises(AssertionError, match="spark_default"):
        runtime.check_spark_ui()
