"""Dead letters of the last hour that are no rows yet, for the page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.server import Connection
from lakelock.model import coverage_text
from lakelock.model.offsets import OffsetRange, Source, offsets_in, overlap


def still_dead(connection: Connection, dead: dict[tuple[str, str], int], window_s: float) -> dict[tuple[str, str], int]:
    """*dead*, the numbers of dead letters of this window by pipeline and table, without redriven ones."""

    def rows(name: str, **key: object) -> list[dict[str, Any]]:
        return connection.execute(queries("redrive")[name], key).fetchall()

    pipelines, tables = [p for p, _ in dead], [t for _, t in dead]
    if not dead or not (redriven := rows("redriven", of=pipelines, tables=tables)):
        return dead
    where: dict[tuple[str, str], list[OffsetRange]] = defaultdict(list)
    for r in rows("last_dead_letters", pipelines=pipelines, window_s=window_s):
        source = Source(r["topic"], r["topic_id"], r["partition"])
        where[r["pipeline"], r["target"]].append(OffsetRange(source, r["start_offset"], r["end_offset"]))
    for r in redriven:
        name = (r["pipeline"], r["table_name"])
        dead[name] = dead_letters_left(dead[name], where[name], coverage_text.decode(r["coverage"]).redriven)
    return dead


def dead_letters_left(count: int, where: Iterable[OffsetRange], redriven: Iterable[OffsetRange]) -> int:
    """Number of *count* dead letters in *where* that were not redriven."""
    return max(0, count - offsets_in(overlap(where, redriven)))
