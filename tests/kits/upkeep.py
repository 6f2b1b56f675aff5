"""Tables that want tidying, and their files on disk."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import airflow.providers.apache.spark.hooks.spark_submit  # noqa: F401
from lakelock.app.runtime import Runtime
from lakelock.model.ledger import Mode
from lakelock.upkeep import compact_decision as compact
from lakelock.upkeep.expiry_decision import ExpiryLimits
from pyiceberg.table import Table

from kits.world import World

DAY_MS = 86_400_000


# Everything but the newest is old.
FEW = ExpiryLimits(1, 3)


# What was shown of a rollback by one commit stays until it is done: a rewrite and an expiry may each add a snapshot in between.
SOME = ExpiryLimits(1, 8)


class Killed(BaseException):
    pass


def landed(world: World, times: int = 4, bad: int = 0) -> None:
    for _ in range(times):
        world.produce(10, bad=[b"{"] * bad)
        world.run()


def table_of(world: World) -> Table:
    return world.catalog.load_table(world.table)


def on_disk(table: Table, kind: str = "data") -> set[str]:
    return files_in(Path(table.location().removeprefix("file://")) / kind)


def files_in(folder: Path) -> set[str]:
    return {f"file://{p}" for p in folder.rglob("*") if p.is_file()}


def named(table: Table) -> set[str]:
    """What the table's snapshots need, by PyIceberg alone."""
    out = {s.manifest_list for s in table.snapshots()}
    for snapshot in table.snapshots():
        for manifest in snapshot.manifests(table.io):
            out.add(manifest.manifest_path)
            out |= {e.data_file.file_path for e in manifest.fetch_manifest_entry(table.io)}
    return out


def aged(table: Table, days: float = 2) -> None:
    """All files in the table's folders were written days ago."""
    aged_in(Path(table.location().removeprefix("file://")), days)


def aged_in(folder: Path, days: float = 2) -> None:
    for path in files_in(folder):
        file = Path(path.removeprefix("file://"))
        # Another process may have deleted it since it was listed.
        with suppress(FileNotFoundError):
            then = file.stat().st_mtime - days * 86_400
            os.utime(file, (then, then))


def roll_back(runtime: Runtime, table: str, where: str, mode: Mode) -> None:
    planned = runtime.rollbacks.preview(table, where, mode)
    to = str(planned.to.id)
    runtime.rollbacks.roll_back(table, to, mode, "tester", "a test", planned.shown)


def clean_up(world: World) -> tuple[str, ...]:
    """Paths that went."""
    with closing(world.runtime()) as runtime:
        planned = runtime.orphans.preview(world.table, DAY_MS)
        done = runtime.orphans.clean_up(world.table, DAY_MS)
        assert [f.path for f in planned.files] == [f.path for f in done.files]
        assert done.deleted is None or done.deleted == len(done.files)
        again = runtime.orphans.clean_up(world.table, DAY_MS)
        assert not again.files
        assert again.deleted is None
    return tuple(f.path for f in done.files)


def moves_while(world: World, tidy: Callable[[Runtime, str], object]) -> None:
    """Records land and the table goes back while all tables are tidied, again and again, by another thread; then it is quiet."""
    faults: list[BaseException] = []
    over = threading.Event()

    def tidied() -> None:
        try:
            with closing(world.runtime()) as runtime:
                while not over.is_set():
                    for table in runtime.all_tables():
                        tidy(runtime, table)
        except BaseException as fault:
            faults.append(fault)

    tidying = threading.Thread(target=tidied)
    with closing(world.runtime()) as runtime:
        tidying.start()
        try:
            for n in range(12):
                world.produce(10, bad=[b"{"])
                world.cycle(runtime)
                if n % 4 == 3:
                    roll_back(runtime, world.table, "last:1", (Mode.RECOMMIT, Mode.REPLAY)[n // 4 % 2])
        finally:
            over.set()
            tidying.join()
        assert not faults, faults
        for _ in range(4):
            world.cycle(runtime)


DUE = "maintenance: {compact_min_files: 2, compact_after: 1ms}\n"


def live(world: World) -> set[str]:
    return {t.file.file_path for t in table_of(world).scan().plan_files()}


def rewritten(world: World) -> set[str]:
    return {f for f in live(world) if f"/{compact.ATTEMPT}/" in f}


def compacted(world: World, runtime: Runtime) -> None:
    done = runtime.compact(world.table)
    assert done.groups == 1, done.line
    assert rewritten(world)
