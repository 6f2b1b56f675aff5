"""Slices whose records are routed: their orders, the ways to write them, and the books of their outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lakelock.model.batches import Books
from lakelock.ports import SliceOutput, Target, WriteOrder
from lakelock.records.routing.router import Router, RouteRule
from lakelock.workers import held_records, shuffled_records, slice_reading
from lakelock.workers.detached_events import read_detached
from lakelock.workers.write import write_read, write_slice

from kits.shuffles import as_one, shuffled_outputs, with_shuffle
from kits.slices import ID, target

LETTERS = RouteRule("dead_letter")
BY_TYPE = RouteRule("tables", ("ns.{type}",))


def routed(wanted: WriteOrder, *rules: RouteRule, last: RouteRule = LETTERS, **more: Any) -> WriteOrder:
    targets = tuple(replace(t, is_routed=True) for t in wanted.targets)
    return replace(wanted, targets=targets, router=Router((*rules, last), **more))


def targets_of(folder: Path, topics: Sequence[str], *names: str, **more: Any) -> list[Target]:
    return [target(folder, name, ID, topics, unknown_fields="ignore", **more) for name in names]


def balance(output: SliceOutput, table: str) -> dict[tuple[str, int], tuple[int, int, int, int]]:
    (found,) = [t for t in output.tables if t.table == table]
    return by_place(found.books)


def by_place(books: Sequence[Books]) -> dict[tuple[str, int], tuple[int, int, int, int]]:
    assert all(b.balanced for b in books)
    return {(b.range.source.topic, b.range.source.partition): (b.read, b.written, b.dead, b.filtered) for b in books}


WAYS = ("at once", "held", "on the disk", "detached", "shuffled")


def writing(way: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[WriteOrder], SliceOutput]:
    """Writes slice 0: with small blocks that are held for long, for short, on the disk, through another process's half, or by
    other tasks."""
    monkeypatch.setattr(slice_reading, "BLOCK_MESSAGES", 50)
    limit = 64 << 20 if way == "held" else 2_000
    monkeypatch.setattr(held_records.HeldRecords.__init__, "__defaults__", (limit,))
    if way in ("on the disk", "detached"):
        monkeypatch.setattr(held_records, "DIRECT_SHARE", 0.5 if way == "detached" else 100.0)
    if way == "detached":
        return lambda order: write_read(order, 0, ((event, {}) for event, _ in read_detached(order, 0)))
    if way == "shuffled":
        monkeypatch.setattr(shuffled_records, "HELD_BYTES", 8_000)
        return lambda order: as_one(shuffled_outputs(with_shuffle(order, bucket_bytes=10_000)))
    return lambda order: write_slice(order, 0)
