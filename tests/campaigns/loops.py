"""The processes of a soak: a writer and a committer as in a window's two tasks, begun again whenever they end."""

from __future__ import annotations

import traceback
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from lakelock.app.runtime import Runtime
from lakelock.app.servers import new_id
from lakelock.errors import LakelockError

from campaigns.child import RUN, start_log
from campaigns.place import Place

WINDOW_S = 8.0
BATCH_EVERY_S = 0.5


def writer(place: Place, over: Path) -> None:
    """Windows of batches on Spark until *over* exists."""

    def window(runtime: Runtime) -> None:
        runtime.write_window(new_id(), RUN, _until(), BATCH_EVERY_S)

    _windows(place, over, window)


def committer(place: Place, over: Path) -> None:
    def window(runtime: Runtime) -> None:
        tables = [place.dead_letters, *(t.name for t in runtime.pipeline.tables)]
        try:
            runtime.commit_window(tables, _until(), now=True)
        finally:
            runtime.publish()

    _windows(place, over, window)


def _windows(place: Place, over: Path, window: object) -> None:
    start_log()
    while not over.exists():
        with closing(place.runtime()) as runtime:
            try:
                window(runtime)  # type: ignore[operator]
            except LakelockError:
                traceback.print_exc()


def _until() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=WINDOW_S)
