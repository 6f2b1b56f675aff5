"""A window lands many routed tables: one Spark job makes and writes them, and two commit tasks share them, within a pace."""

from __future__ import annotations

import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import duckdb
import pytest
from kits.here_writer import HereCopier, HereRedriver
from kits.routing import BY_TYPE, letters, names, routed_file, send
from kits.world import World, open_with
from lakelock.audit.audit_text import audit_text
from lakelock.ingest.commit_share import CommitShare

pytestmark = pytest.mark.drawn(0.5, about=("ingest/commit_share", "ingest/window", "request_pace"))

TABLES, A_SECOND = 60, 40


def test_two_tasks_of_a_window_land_all_tables_within_their_pace(world: World) -> None:
    tables = TABLES
    world.copier, world.redriver = HereCopier(), HereRedriver()
    pace = f"catalog: {{requests_per_second: {A_SECOND}}}\n"
    text = routed_file(world, BY_TYPE, rest="  max_tables: 5000", tables=f"schedule: {{batch_every: 5s}}\n{pace}")
    send(world, *[f"t{n}" for n in range(tables)] * 3)
    with open_with(world, text) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.write(str(uuid.uuid4()), "test/1", planned.batch_id)

    def landed(n: int) -> tuple[set[str], int]:
        with open_with(world, text) as task:
            task.catalog_pace.tasks = 2
            own = [letters(world)] if n == 0 else []
            outcomes = task.commit_window(own, datetime.now(UTC), now=True, share=CommitShare(n, 2))
        done = [o.table for o in outcomes if o.version_id is not None and o.table not in own]
        return {*done}, len(done)

    began_s = time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        (first, by_first), (second, by_second) = pool.map(landed, range(2))
    took_s = time.monotonic() - began_s
    assert by_first + by_second == len(first | second) == tables
    assert min(by_first, by_second) > tables // 4, "both had a share"
    # Each is loaded and committed.
    assert took_s > 0.9 * 2 * tables / A_SECOND
    assert names(world) == sorted(["letters", *(f"t{n}" for n in range(tables))])
    files = [
        task.file.file_path.removeprefix("file://")
        for n in range(tables)
        for task in world.catalog.load_table(f"{world.namespace}.t{n}").scan().plan_files()
    ]
    query = f"SELECT event.type, list_sort(list(id)) FROM read_parquet({files!r}) GROUP BY 1"
    assert dict(duckdb.sql(query).fetchall()) == {f"t{n}": [n, n + tables, n + 2 * tables] for n in range(tables)}
    with open_with(world, text) as runtime:
        runtime.publish()
        cut = runtime.cut()
        assert cut is not None
        assert (cut.total, cut.behind) == (3 * tables, ())
        audited = runtime.audit()
        assert audited.complete, audit_text(audited)
