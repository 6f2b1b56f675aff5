"""A busy pipeline's expiry must not cut the walk from the head to an idle pipeline's tag."""

from __future__ import annotations

from pathlib import Path

from kits.iceberg import SOURCE, change, definition, open_tables

NAME = "shop.orders"


def test_the_busy_pipelines_expiry_does_not_detach_the_idle_one(folder: Path) -> None:
    properties = {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/warehouse"}
    busy, idle = open_tables(properties, "busy"), open_tables(properties, "idle")
    busy.create(NAME, definition())
    busy.commit(busy.load(NAME), change(busy.load(NAME), pipeline="busy"))
    idle.commit(idle.load(NAME), change(idle.load(NAME), pipeline="idle"))
    for i in range(30):  # keep_snapshots 10: the same as 1,100 commits under the default of 1,000
        state = busy.load(NAME)
        busy.commit(state, change(state, i, i + 1, pipeline="busy", keep_snapshots=10))
    state = idle.load(NAME)
    idle.commit(state, change(state, 0, 5, pipeline="idle"))
    state = busy.load(NAME)
    for i in range(30, 60):
        state = busy.load(NAME)
        busy.commit(state, change(state, i, i + 1, pipeline="busy", keep_snapshots=10))
    assert {name: list(covered) for name, covered in busy.others(busy.load(NAME)).items()} == {"idle": [SOURCE]}
