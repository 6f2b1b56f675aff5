"""Commit tasks as Airflow has them, with what each asks the servers for, and the CPU time of Postgres."""

from __future__ import annotations

import cProfile
import pstats
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import psutil
from kits.world import World
from lakelock.adapters.wal.session import Session
from lakelock.app.runtime import Runtime
from lakelock.ingest.commit_share import CommitShare


@dataclass
class Counts:
    """Transactions on the log by name, and requests to the catalog by method, of this process."""

    transactions: Counter[str] = field(default_factory=Counter)
    requests: Counter[str] = field(default_factory=Counter)

    def attach(self, runtime: Runtime) -> None:
        run, catalog = Session.run, runtime.tables.catalog

        def counted(session: Session, doing: str, work: Any, **more: Any) -> Any:
            self.transactions[doing] += 1
            return run(session, doing, work, **more)

        Session.run = counted  # type: ignore[method-assign, assignment]
        for name in ("load_table", "commit_table", "create_table", "table_exists"):
            setattr(catalog, name, self._counting(name, getattr(catalog, name)))

    def _counting(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*values: Any, **more: Any) -> Any:
            self.requests[name] += 1
            return call(*values, **more)

        return counted


_runtime: Runtime
_counts: Counts


def begin_task(world: World) -> None:
    """What a task does before its first table."""
    global _runtime, _counts
    _runtime, _counts = world.runtime(), Counts()
    _counts.attach(_runtime)


def task(number: int, of: int, dead_letters: str, profile: bool) -> tuple[int, float, Counts]:
    """Tables that the task committed, its CPU time, and what it asked the servers for."""
    _counts.transactions.clear()
    _counts.requests.clear()
    profiler, cpu = cProfile.Profile(), time.process_time()
    if profile:
        profiler.enable()
    landed = _runtime.commit([dead_letters] if number == 0 else [], True, share=CommitShare(number, of))
    if profile:
        profiler.disable()
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(60)
        pstats.Stats(profiler).sort_stats("tottime").print_stats(40)
    return sum(o.version_id is not None for o in landed), time.process_time() - cpu, _counts


def postgres_cpu(pid: int) -> Callable[[], float]:
    """CPU time of the server with all its processes, those that ended included."""

    def spent() -> float:
        main = psutil.Process(pid)
        seconds = 0.0
        for process in main.children(recursive=True):
            # One that has ended is counted with its parent.
            with suppress(psutil.NoSuchProcess):
                of = process.cpu_times()
                seconds += of.user + of.system
        return seconds + sum(main.cpu_times()[:4])

    return spent
