"""CPU and wall time of one commit (load, decide, commit) against snapshots, source partitions, and age of the table.

And of the page's list of the newest hundred snapshots, on the same tables.

    export PYTHONPATH=plugins:tests
    python tests/benchmarks/bench_commit.py                  about two minutes
    python tests/benchmarks/bench_commit.py --only age --commits 20000  what a commit costs after so many (ten minutes)
    python tests/benchmarks/bench_commit.py --only age --commits 10000 --keep 1000  as pipelines are by default
    python tests/benchmarks/bench_commit.py --only size --snapshots 100 1000 10000 --partitions 1  where none expires
    python tests/benchmarks/bench_commit.py --catalog postgresql+psycopg://…  on a catalog of your own

SqlCatalog on SQLite in a temporary folder; data files are entries only (the commit never opens them).
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from kits.iceberg import INSTALLATION, definition, open_tables, write_files
from lakelock.adapters.iceberg import IcebergTables
from lakelock.adapters.iceberg.page_snapshots import SnapshotViews
from lakelock.adapters.parquet.data_file_json import decode_data_file
from lakelock.model.batches import Books, DataFile
from lakelock.model.coverage import Coverage, Interval, SourceCoverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import Change
from lakelock.ports.edits import Append

STEP = 1_000


@dataclass
class Bench:
    """One table, committed to again and again; each commit moves *sources* partitions by STEP offsets."""

    tables: IcebergTables
    name: str
    sources: list[Source]
    files: tuple[DataFile, ...]
    done: int = 0

    @classmethod
    def create(cls, tables: IcebergTables, partitions: int) -> Bench:
        name = f"bench.t_{uuid.uuid4().hex[:8]}"
        tables.create(name, definition())
        sources = [Source("topic", "AAAAAAAAAAAAAAAAAAAAAA", p) for p in range(partitions)]
        return cls(tables, name, sources, write_files(tables.load(name), range(10)))

    def once(self, keep_snapshots: int) -> tuple[float, float]:
        """CPU and wall milliseconds of load + commit; making coverage and books is the caller's decision, not counted."""
        end = (self.done + 1) * STEP
        coverage = Coverage({s: SourceCoverage(0, (Interval(0, end),)) for s in self.sources})
        books = tuple(Books(OffsetRange(s, end - STEP, end), STEP, STEP) for s in self.sources)
        ledger = Ledger(INSTALLATION, "p", str(uuid.uuid4()), 0, "config", coverage)
        change = Change(
            ledger,
            {"name": "p"},
            Append(self.files),
            (str(uuid.uuid4()),),
            books,
            keep_snapshots=keep_snapshots,
            keep_younger_ms=0,
        )
        cpu, wall = time.process_time(), time.perf_counter()
        self.tables.commit(self.tables.load(self.name), change)
        self.done += 1
        return (time.process_time() - cpu) * 1e3, (time.perf_counter() - wall) * 1e3

    def theirs(self) -> tuple[float, float]:
        """The same file by PyIceberg's own fast append, on a table that is as old; it neither guards nor records offsets."""
        file = decode_data_file(self.files[0].detail).entry
        cpu, wall = time.process_time(), time.perf_counter()
        table = self.tables.catalog.load_table(self.name)
        with table.transaction() as transaction, transaction.update_snapshot().fast_append() as append:
            append.append_data_file(file)
        return (time.process_time() - cpu) * 1e3, (time.perf_counter() - wall) * 1e3

    def shown(self) -> tuple[float, float]:
        """The page's list of snapshots, with the table loaded again for it."""
        cpu, wall = time.process_time(), time.perf_counter()
        views, _ = SnapshotViews(self.tables, "p").snapshots(self.tables.load(self.name), 100)
        assert views[0].kind == "commit"
        return (time.process_time() - cpu) * 1e3, (time.perf_counter() - wall) * 1e3

    def upto(self, snapshots: int, keep_snapshots: int) -> Iterator[tuple[float, float]]:
        while self.done < snapshots:
            yield self.once(keep_snapshots)


def show(what: str, samples: list[tuple[float, float]]) -> float:
    cpu = sorted(c for c, _ in samples)
    wall = sorted(w for _, w in samples)
    middle = statistics.median(cpu)
    print(
        f"{what:<44} CPU ms median {middle:6.1f}  mean {statistics.fmean(cpu):6.1f}  max {cpu[-1]:7.1f}   "
        f"wall ms median {statistics.median(wall):6.1f}",
        flush=True,
    )
    return middle


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commits", type=int, default=600, help="commits of the ageing run")
    parser.add_argument("--keep", type=int, default=100, help="keep_snapshots of the ageing run")
    parser.add_argument("--catalog", help="SQLAlchemy URI of a SQL catalog")
    parser.add_argument("--only", choices=["size", "age"])
    parser.add_argument(
        "--snapshots", type=int, nargs="+", default=[100, 1_000], help="sizes of the size run, ascending"
    )
    parser.add_argument(
        "--partitions", type=int, nargs="+", default=[1, 64, 10_000], help="of the size run; 1 is first"
    )
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lakelock-bench-") as folder:
        uri = args.catalog or f"sqlite:///{folder}/catalog.db"
        tables = open_tables({"type": "sql", "uri": uri, "warehouse": f"file://{folder}/warehouse"})
        if args.only != "age":
            sizes(tables, args.snapshots, args.partitions)
        if args.only != "size":
            age(tables, args.commits, args.keep)


def sizes(tables: IcebergTables, counts: list[int], sources: list[int]) -> None:
    """The last 20 commits up to so many snapshots, for few and many source partitions; none expires."""
    few: dict[int, float] = {}
    for partitions in sources:
        bench = Bench.create(tables, partitions)
        for snapshots in counts:
            samples = list(bench.upto(snapshots, keep_snapshots=2 * counts[-1]))
            middle = show(f"{snapshots} snapshots, {partitions} source partitions", samples[-20:])
            few.setdefault(snapshots, middle)
            print(f"{'':<44} x {middle / few[snapshots]:.2f} of {sources[0]} partitions")
            show(f"{snapshots} snapshots, the page's list", [bench.shown() for _ in range(20)])
            if partitions == 1:
                theirs = show(f"{snapshots} snapshots, PyIceberg's own append", [bench.theirs() for _ in range(20)])
                print(f"{'':<44} ours x {middle / theirs:.2f} of it")


def age(tables: IcebergTables, commits: int, keep: int) -> None:
    """A long life, then old and young table in turns, so that both see the same machine.

    The means hold each table's share of expiry, clean-up and merging of manifests.
    """
    window = max(keep + keep // 10 + 1, 100)
    old, young = Bench.create(tables, 16), Bench.create(tables, 16)
    while old.done < commits:
        samples = [old.once(keep) for _ in range(min(window * 20, commits - old.done))]
        show(f"commits up to {old.done}, keeping {keep}", samples)
    for _ in young.upto(window, keep):
        pass
    pairs = [(young.once(keep), old.once(keep)) for _ in range(2 * window)]
    first = show(f"a table of {young.done} commits", [a for a, _ in pairs])
    last = show(f"a table of {old.done} commits, in turns with it", [b for _, b in pairs])
    print(f"{'':<44} x {last / first:.2f}")
    views = [(young.shown(), old.shown()) for _ in range(20)]
    first = show("the page's list of the young one", [a for a, _ in views])
    last = show("the page's list of the old one", [b for _, b in views])
    print(f"{'':<44} x {last / first:.2f}")


if __name__ == "__main__":
    main()
