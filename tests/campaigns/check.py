"""What every run must end with: each record once, counted by another engine than the writer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import duckdb
from lakelock.app.runtime import Runtime
from lakelock.model.batches import NO_TABLE
from lakelock.model.coverage import Kind
from pyiceberg.exceptions import NoSuchTableError

from campaigns import expected, routes
from campaigns.place import ORDERS, Place, Record

Where = tuple[int, int]


@dataclass(frozen=True)
class Verdict:
    """`lost` records are in no table and no dead letter, and no operator asked to leave them out; `doubled` ones are there once too
    often, or where they do not belong, or have other values. `faults` is what the product's own audit says, and books whose
    filtered records are not as many as there are."""

    lost: int
    doubled: int
    dead: int
    skipped: int
    faults: tuple[str, ...]
    details: tuple[str, ...] = ()

    @property
    def well(self) -> bool:
        return not (self.lost or self.doubled or self.faults)


def audit(place: Place, runtime: Runtime, may_skip: Mapping[str, set[Where]]) -> Verdict:
    """*may_skip* has, per table, the offsets that a person agreed to leave out."""
    lost: list[str] = []
    doubled: list[str] = []
    faults: list[str] = []
    dead = skipped = 0
    dead_letters = _dead_letters(place, runtime)
    if place.routed:
        unrouted = Counter(dead_letters.get(NO_TABLE, ()))
        for where, record in place.topic.records.items():
            times = unrouted.pop(where, 0)
            is_taken = record.value is None or place.mixed or bool(routes.tables_of(record.fields))
            wanted = not is_taken
            lost += [f"{where} has no table, and is no dead letter"] * (times < wanted)
            doubled += [f"{where} is a dead letter without a table {times} times"] * (times > wanted)
        doubled += [f"{where} is no record" for where in unrouted]
    for name in place.tables:
        rows = _rows(runtime, place, name)
        dropped = _skipped(runtime, place.table(name))
        there, reported = Counter(w for w, _ in rows), Counter(dead_letters.get(place.table(name), ()))
        dead += reported.total()
        without = 0
        for where, record in place.topic.records.items():
            found = (there.pop(where, 0), reported.pop(where, 0))
            if where in dropped:
                skipped += 1
                if where not in may_skip.get(name, ()):
                    lost.append(f"{name}{where} was skipped, which no operator asked for")
                if found[0] or found[1] > 1:
                    doubled.append(f"{name}{where} was skipped and is there: {found}")
                continue
            without += sum(found) == 0
            if found not in _as_it_must_be(place, name, record):
                if sum(found) == 0:
                    lost.append(f"{name}{where} is lost")
                else:
                    doubled.append(f"{name}{where} is in {found[0]} rows and {found[1]} dead letters")
        doubled += [f"{name}{where} is no record" for where in (*there, *reported)]
        rows_by_place = dict(rows)
        doubled += [
            f"{name}{where} has {rows_by_place[where]}, not {_row(place, name, record)}"
            for where, record in place.topic.records.items()
            if where in rows_by_place and rows_by_place[where] != _row(place, name, record)
        ]
        if name not in routes.TABLES and (booked := _filtered(runtime, place.table(name))) not in (None, without):
            faults.append(
                f"the books of {name} count {booked} filtered records, and {without} are neither row nor dead letter"
            )
    said = runtime.audit()
    faults += [*said.faults, *(f"{t.table}: {f}" for t in said.tables for f in t.faults)]
    faults += [f"{t.table} was not counted: {r}" for t in said.tables for r in t.not_counted]
    return Verdict(len(lost), len(doubled), dead, skipped, tuple(faults), (*lost[:5], *doubled[:5]))


def _as_it_must_be(place: Place, name: str, record: Record) -> set[Where]:
    """How often it is a row, and a dead letter: neither for a tombstone, or if the table filters it.

    Once a table is fixed, what fits it is a row: redriven, which is both, or read after that; where it was fixed *in part* of
    the time, some may not be redriven yet. A redrive keeps dead letters that the table filters. What of the both is told by the
    ledger, the product's own audit says.
    """
    if record.value is None:
        return {(0, 0)}
    fields = record.fields
    if name in routes.TABLES:
        is_here = name in routes.tables_of(fields)
        return {(0, 0)} if not is_here else {(0, 1)} if ORDERS in record.dead_in else {(1, 0)}
    filtered = fields is not None and expected.filtered(name, fields, sql=place.sql)
    follows = place.evolves and name == ORDERS and record.dead_in == {ORDERS}
    if name not in record.dead_in or follows:
        return {(0, 0)} if filtered else {(1, 0)}
    fixed = place.known.get("fixed") if record.dead_in == {ORDERS} else None
    if not fixed:
        return {(0, 1)}
    if filtered:
        return {(0, 1), (0, 0)}
    return {(1, 1), (1, 0)} | ({(0, 1)} if fixed == "in part" else set())


def _query(runtime: Runtime, table: str, columns: str) -> list[Any]:
    try:
        found = runtime.tables.catalog.load_table(table)
    except NoSuchTableError:
        return []
    files = [task.file.file_path.removeprefix("file://") for task in found.scan().plan_files()]
    return duckdb.sql(f"SELECT {columns} FROM read_parquet({files!r})").fetchall() if files else []


def _rows(runtime: Runtime, place: Place, name: str) -> list[tuple[Where, Any]]:
    if place.evolves and name == ORDERS:
        return _evolved_rows(runtime, place.table(name))
    columns = routes.COLUMNS if name in routes.TABLES else expected.columns(name, sql=place.sql)
    found = _query(runtime, place.table(name), f"_kafka_partition, _kafka_offset, {columns}")
    return [((p, o), tuple(values)) for p, o, *values in found]


def _evolved_rows(runtime: Runtime, table: str) -> list[tuple[Where, Any]]:
    """Files of several schemas, whose columns are found by their ids."""
    try:
        found = runtime.tables.catalog.load_table(table)
    except NoSuchTableError:
        return []
    rows = found.scan().to_arrow().to_pylist()
    return [((r["_kafka_partition"], r["_kafka_offset"]), expected.present(r)) for r in rows]


def _row(place: Place, name: str, record: Record) -> Any:
    """The row's columns as the table should have them."""
    if (fields := record.fields) is None:
        return None
    if name in routes.TABLES:
        return routes.row(fields)
    if place.evolves and name == ORDERS:
        return expected.evolved_row(fields)
    return expected.row(name, fields, sql=place.sql)


def _filtered(runtime: Runtime, table: str) -> int | None:
    """How many records its books have as read and filtered; None without books."""
    try:
        ledger = runtime.tables.load(table).ledger
    except Exception:
        return None
    return ledger.coverage.sums["filtered"] if ledger else None


def _dead_letters(place: Place, runtime: Runtime) -> dict[str, list[Where]]:
    out: dict[str, list[Where]] = {}
    for table, partition, offset in _query(runtime, place.dead_letters, 'target_table, partition, "offset"'):
        out.setdefault(table, []).append((partition, offset))
    return out


def _skipped(runtime: Runtime, table: str) -> set[Where]:
    try:
        ledger = runtime.tables.load(table).ledger
    except Exception:
        return set()
    coverage = ledger.coverage if ledger else {}
    return {
        (source.partition, offset)
        for source, covered in coverage.items()
        for i in covered.intervals
        if i.kind is Kind.SKIPPED
        for offset in range(i.start, i.end)
    }
