"""Dead letters of the last hour that are no rows yet, for the page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from lakelock.adapters.wal.queries import queries
from lakelock.adapters.wal.server import Connection
from lakelock.model import coverage_text, registry_text
from lakelock.model.letter_rows import rows_of_letters
from lakelock.model.offsets import OffsetRange, Source, offsets_in, overlap
from lakelock.model.registry import Registry


def still_dead(connection: Connection, dead: dict[tuple[str, str], int], window_s: float) -> dict[tuple[str, str], int]:
    """*dead*, the numbers of dead letters of this window by pipeline and table, without redriven ones."""

    def rows(name: str, **key: object) -> list[dict[str, Any]]:
        return connection.execute(queries("redrive")[name], key).fetchall()

    if not dead:
        return dead
    pipelines = sorted({pipeline for pipeline, _ in dead})
    registries: dict[str, Registry] = defaultdict(Registry)
    for r in rows("assigned", pipelines=pipelines):
        registries[r["pipeline"]] = registries[r["pipeline"]].joined([registry_text.decode(r["registry"])])
    names = {*dead, *((pipeline, table) for pipeline, one in registries.items() for table in one.assigned)}
    redriven: dict[str, dict[str, list[OffsetRange]]] = defaultdict(dict)
    for r in rows("redriven", of=[p for p, _ in sorted(names)], tables=[t for _, t in sorted(names)]):
        redriven[r["pipeline"]][r["table_name"]] = coverage_text.decode(r["coverage"]).redriven
    if not redriven:
        return dead
    where: dict[tuple[str, str], list[OffsetRange]] = defaultdict(list)
    for r in rows("last_dead_letters", pipelines=pipelines, window_s=window_s):
        source = Source(r["topic"], r["topic_id"], r["partition"])
        where[r["pipeline"], r["target"]].append(OffsetRange(source, r["start_offset"], r["end_offset"]))
    for pipeline, of_tables in redriven.items():
        for target, of in rows_of_letters(registries[pipeline], of_tables).items():
            if (name := (pipeline, target)) in dead:
                dead[name] = dead_letters_left(dead[name], where[name], of)
    return dead


def dead_letters_left(count: int, where: Iterable[OffsetRange], redriven: Iterable[OffsetRange]) -> int:
    """Number of *count* dead letters in *where* that were not redriven."""
    return max(0, count - offsets_in(overlap(where, redriven)))
