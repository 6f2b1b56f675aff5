"""Points: before and after each call with which the steps touch the world. At one of them the process dies or freezes.

No list has the points: a run without a fault records them, so an effect that is new in the code has its points at once.
"""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from kits import here_writer
from kits.here_writer import HereCopier, HereRedriver, HereWriter
from lakelock.adapters.parquet.row_copy import copy_files
from lakelock.adapters.parquet.writer import TableWriter
from lakelock.app.runtime import Runtime
from lakelock.workers.redrive import redrive_dead_letters
from lakelock.workers.write import write_slice
from pyiceberg.catalog import Catalog
from pyiceberg.io.pyarrow import PyArrowFile, PyArrowFileIO

from campaigns.gate import Gate, gated

# Calls that only look. Whatever else a port or a catalog has is an effect.
READS = frozenset({
    "accounts", "begun", "bound", "catalog", "close", "commit_views", "complete", "config", "evidence", "lately_routed", "own_since", "routed", "count_dead_letters", "count_rows", "dead_letters",
    "declared_starts", "files_of", "find_commit", "generations", "has_ledger", "has_other_unclosed", "history", "installation_id", "lacking", "ledger_at", "dead_letter_tables", "ledgers", "list_namespaces",
    "list_tables", "list_views", "load", "load_namespace_properties", "load_table", "missing_files", "namespace_exists", "notes", "now",
    "offsets_at", "others", "owner", "paces", "parallelism", "planned", "recent", "record_bytes", "retention_ms", "sample_ranges", "sources", "staged",
    "staged_tables", "storage", "streams", "supports_server_side_planning", "table_exists", "timestamps_at", "unsettled", "view_exists", "wait", "watermarks",
})  # fmt: skip
# Found by a clock of its own: only the first in a run is a point that can be found again.
ONCE = frozenset({"log.heartbeat"})


class Kind(Enum):
    KILL = "kill"
    FREEZE = "freeze"
    # Inside Spark's tasks only: the task's Python process, or the whole server.
    WORKER = "kill the worker"
    SERVER = "kill Spark"


@dataclass(frozen=True)
class Fault:
    """What happens to the process at the point of this name."""

    point: str
    kind: Kind


@dataclass
class Points:
    """Counts the points that the process passes; *reads* says whether looking counts, too."""

    fault: Fault | None = None
    reads: bool = False
    seen: list[str] = field(default_factory=list)
    armed: bool = False
    _hits: Counter[str] = field(default_factory=Counter)

    def around(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def passed(*arguments: Any, **named: Any) -> Any:
            reported = f"{name}({_reported(arguments)})" if name == "file" else name
            if not self.armed or (reported in ONCE and self._hits[reported]):
                return call(*arguments, **named)
            self._hits[reported] += 1
            hit = self._hits[reported]
            point = reported if hit == 1 else f"{reported} {hit}"
            self._at(f"{point} before")
            out = call(*arguments, **named)
            self._at(f"{point} after")
            return out

        return passed

    def wanted(self, name: str) -> bool:
        return self.reads or name.rpartition(".")[2] not in READS

    def _at(self, point: str) -> None:
        self.seen.append(point)
        if self.fault is not None and self.fault.point == point:
            os.kill(os.getpid(), signal.SIGKILL if self.fault.kind is Kind.KILL else signal.SIGSTOP)


def _reported(arguments: tuple[Any, ...]) -> str:
    """What kind of file it is."""
    path = str(getattr(arguments[0], "location", arguments[-1]))
    kinds = {".parquet": "data", ".metadata.json": "metadata", ".avro": "manifest"}
    kind = next((k for end, k in kinds.items() if path.endswith(end)), "side")
    return "manifest list" if kind == "manifest" and "/snap-" in path else kind


class Watched:
    """A port whose every call is passed on, with its points."""

    def __init__(self, inner: Any, name: str, points: Points) -> None:
        self._inner, self._name, self._points = inner, name, points

    def __getattr__(self, name: str) -> Any:
        value, reported = getattr(self._inner, name), f"{self._name}.{name}"
        if name == "for_pipeline":
            # The catalog beneath is shared, so its points are set.
            return lambda *arguments: Watched(value(*arguments), "tables", self._points)
        return self._points.around(reported, value) if callable(value) and self._points.wanted(reported) else value


def watched_tables(tables: Any, points: Points) -> Any:
    """The tables, and beneath them the catalog itself: between the two lies what a commit prepares."""
    catalog = tables.catalog
    for name in dir(Catalog):
        reported = f"catalog.{name}"
        if not name.startswith("_") and callable(getattr(Catalog, name)) and points.wanted(reported):
            setattr(catalog, name, points.around(reported, getattr(catalog, name)))
    return Watched(tables, "tables", points)


def watch(runtime: Runtime, points: Points, *, spark: bool = False, gate: Gate | None = None) -> None:
    """From now on what *runtime* does has points, once they are armed; *gate* stands in the tasks of its Spark jobs.

    What evaluates SQL is on Spark even without *spark*, then without points and begun when it is needed: an act that writes
    nothing waits for no session.
    """
    known = runtime.__dict__
    known["log"] = Watched(runtime.log, "log", points)
    known["tables"] = watched_tables(runtime.tables, points)
    known["broker"] = Watched(runtime.broker, "broker", points)
    in_place: dict[str, Any] = {"copier": HereCopier()}
    if not any(table.expressions for table in runtime.pipeline.tables):
        in_place |= {"writer": HereWriter(), "redriver": HereRedriver()}
    if spark:
        in_place["writer"] = gated(runtime.writer, gate) if gate else runtime.writer
    known["_on_spark"] = {name: Watched(server, name, points) for name, server in in_place.items()}
    here_writer.redrive_dead_letters = points.around("redrive", redrive_dead_letters)  # type: ignore[attr-defined]
    here_writer.copy_files = points.around("copy", copy_files)  # type: ignore[attr-defined]
    if not spark:
        here_writer.write_slice = points.around("slice", write_slice)  # type: ignore[attr-defined]
        TableWriter.finish = points.around("files of a table", TableWriter.finish)  # type: ignore[method-assign]
    PyArrowFile.create = points.around("file", PyArrowFile.create)  # type: ignore[method-assign]
    PyArrowFileIO.delete = points.around("delete", PyArrowFileIO.delete)  # type: ignore[method-assign]
