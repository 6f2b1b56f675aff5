"""What a commit asks of the object store, counted: the figures that `check` multiplies into a day."""

from __future__ import annotations

from collections import Counter

from kits import counting_io
from kits.iceberg import adopted, change, open_tables, write_files
from lakelock.adapters.iceberg import IcebergTables
from lakelock.adapters.iceberg.manifest_writer import MAX_SMALL_MANIFESTS
from lakelock.check.day_cost import PER_COMMIT, Requests

KEPT = 20
# Until snapshots expire, manifests are merged and old metadata is deleted; then until they are merged once more.
SETTLING, COUNTED = MAX_SMALL_MANIFESTS + 10, MAX_SMALL_MANIFESTS


def test_a_commit_asks_for_no_more_than_is_said(catalog_properties: dict[str, str], namespace: str) -> None:
    """Each in a process of its own, as a run's commit task is one: nothing is remembered of the commit before."""
    name = f"{namespace}.flights"
    settings = catalog_properties | {"py-io-impl": counting_io.IMPLEMENTATION}
    state = adopted(open_tables(settings), name)
    files = write_files(state, [0])
    kept = open_tables(settings)

    def land(tables: IcebergTables, n: int) -> None:
        loaded = tables.load(name)
        tables.commit(loaded, change(loaded, n, n + 1, files=files, keep_snapshots=KEPT))

    for n in range(SETTLING):
        land(kept, n)
    found: Counter[str] = Counter()
    for n in range(SETTLING, SETTLING + COUNTED):
        fresh = open_tables(settings)
        counting_io.counted.clear()
        land(fresh, n)
        found.update(counting_io.requests())
        fresh.close()
    mean = Requests(**{kind: count / COUNTED for kind, count in found.items()})
    for kind in ("get", "put", "head", "delete"):
        said, counted = getattr(PER_COMMIT, kind), getattr(mean, kind)
        # A tenth of the snapshots expires at once: with few of them their lists are read a little more often.
        assert said - 1 < counted <= said + 0.5, f"{kind}: {counted} counted, {said} said"
