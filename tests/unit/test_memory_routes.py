"""The writer in memory routes numbered records as slices route those of a topic."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lakelock.model.batches import NO_TABLE
from lakelock.model.layouts import Layout
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import SliceOutput, Target, WriteOrder
from lakelock.records.routing.router import Router, RouteRule
from lakelock.testing.catalog import MemoryCatalog
from lakelock.testing.kafka import BAD, GOOD, NONE, TOMBSTONE, Kafka, MemoryWriter
from lakelock.testing.routing import routed_record

SOURCE = Source("t", "id", 0)
RECORDS = [
    routed_record(GOOD, 1), routed_record(BAD, 1), routed_record(GOOD, 2), GOOD, NONE, routed_record(GOOD, 3),
    routed_record(GOOD, 9), TOMBSTONE, routed_record(TOMBSTONE, 1), routed_record(GOOD, 1),
]  # fmt: skip
RULES = (
    RouteRule("filter", when=(("to", ("9",)),)),
    RouteRule("tables", ("ns.t{to}", "ns.all"), when=(("to", ("1",)),)),
    RouteRule("tables", ("ns.t{to}",)),
    RouteRule("dead_letter"),
)


def target(table: str, *, is_routed: bool = True) -> Target:
    layout = Layout("", False, {"variant": 0, "extras": {}})
    return Target(table, "uuid", 0, layout, "", (), {}, ("t",), is_routed=is_routed)


def write(**more: Any) -> tuple[SliceOutput, Mapping[str, list[int]]]:
    kafka, catalog = Kafka(), MemoryCatalog(itertools.count().__next__, lambda: 0)
    kafka.add(SOURCE)
    kafka.records[SOURCE] += RECORDS
    order = WriteOrder(
        "p", "b", "a", ((OffsetRange(SOURCE, 0, len(RECORDS)),),), (target("ns.t1"), target("ns.all"), target("ns.t5")),
        target("ns.dead"), {}, router=Router(RULES),
    )  # fmt: skip
    (output,) = MemoryWriter(kafka, catalog, lambda path, target: None).run(replace(order, **more))
    rows: dict[str, list[int]] = {}
    for one in (*output.tables, *output.dead_letters):
        for row in (row for file in one.files for row in catalog.rows[file.path] if row is not None):
            rows.setdefault((row[0] and f"dead {row[0]}") or one.table, []).append(row[4])
    return output, rows


def test_records_are_in_their_tables() -> None:
    output, rows = write()
    assert rows == {
        "ns.t1": [0, 9], "ns.all": [0, 9], "dead ns.t1": [1], "dead ns.all": [1], f"dead {NO_TABLE}": [3, 7, 8],
    }  # fmt: skip
    assert output.routed is not None
    (books,) = output.routed.books
    assert (books.read, books.written, books.dead, books.filtered) == (9, 5, 3, 1)
    assert [(u.table, u.offset, u.sample) for u in output.routed.unknown] == [
        ("ns.t2", 2, (b'{"to": "2"}',)), ("ns.t3", 5, (b'{"to": "3"}',)),
    ]  # fmt: skip
    counts = {t.table: [(b.read, b.written, b.dead) for b in t.books] for t in output.tables}
    assert counts == {"ns.t1": [(3, 2, 1)], "ns.all": [(3, 2, 1)], "ns.t5": [(0, 0, 0)]}


def test_decided_and_skipped_records() -> None:
    decided, lost = frozenset({("t", 0, 0), ("t", 0, 3)}), frozenset({("t", 0, 2), ("t", 0, 7)})
    output, rows = write(decided={NO_TABLE: decided}, lost={NO_TABLE: lost})
    assert (rows["ns.t1"], rows[f"dead {NO_TABLE}"]) == ([9], [8])
    assert output.routed is not None
    (books,) = output.routed.books
    assert (books.written, books.dead, books.filtered) == (4, 4, 1)
    output, rows = write(skips_tombstones=True)
    assert rows[f"dead {NO_TABLE}"] == [3]
    assert output.routed is not None
    assert output.routed.books[0].filtered == 3


def test_tables_that_are_retired_or_left_out() -> None:
    known = {f"ns.t{n}": f"ns.t{n}" for n in (1, 2, 3)} | {"ns.all": "ns.all"}
    router = Router(RULES, known=known, retired=frozenset({"ns.t2"}), left_out=frozenset({"ns.t3"}))
    output, rows = write(router=router)
    assert (2 in rows[f"dead {NO_TABLE}"], 5 in rows[f"dead {NO_TABLE}"]) == (True, False)
    assert output.routed is not None
    assert not {"ns.t2", "ns.t3"} & {u.table for u in output.routed.unknown}


def test_static_tables_and_a_part_of_the_routed_ones() -> None:
    known = {f"ns.t{n}": f"ns.t{n}" for n in (1, 2, 3)} | {"ns.all": "ns.all"}
    output, rows = write(
        targets=(target("ns.t2"), target("ns.whole", is_routed=False)),
        router=Router(RULES, known=known, only=frozenset({"ns.t2"})),
    )
    assert (rows["ns.t2"], rows["ns.whole"]) == ([2], [0, 2, 3, 5, 6, 9])
    assert output.routed is not None
    assert not output.routed.unknown
    assert output.routed.books[0].written == 5
