"""Which tables are behind, and by how much."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from lakelock.model.counts import Accounts
from lakelock.model.offsets import Source, offsets_in
from lakelock.ports import Broker

# Kafka is asked for the times of so many offsets of a partition, the lowest ones. Most tables wait for the same.
MOST_TIMES = 8


@dataclass(frozen=True, slots=True)
class TableStatus:
    """What a table lacks of the offsets that were planned: those of batches that are not committed to it yet.

    `lag_s` is the age of the oldest such record, `staged_s` of its oldest staged part, and `retention_left_s` the time until
    Kafka deletes that record. None is unknown or not applicable.
    """

    table: str
    open_offsets: int = 0
    lag_s: float | None = None
    retention_left_s: float | None = None
    staged_s: float | None = None
    paused: bool = False


def tables_behind(
    names: Collection[str],
    accounts: Accounts,
    staged_s: Mapping[str, float],
    keeps_ms: Mapping[Source, int],
    broker: Broker,
    now_ms: float,
) -> tuple[TableStatus, ...]:
    """Tables of these *names*, and others that open batches are for; those that are behind first, by lag."""
    first: dict[str, dict[Source, int]] = defaultdict(dict)
    offsets: dict[str, int] = defaultdict(int)
    for (table, source), ranges in accounts.open.items():
        first[table][source] = min(r.start for r in ranges)
        offsets[table] += offsets_in(ranges)
    ages_s = _ages_s(broker, first.values(), now_ms)
    out = []
    for table in {*names, *first}:
        known = {s: age for s, offset in first.get(table, {}).items() if (age := ages_s.get((s, offset))) is not None}
        left = [keeps_ms[s] / 1000 - age for s, age in known.items() if s in keeps_ms]
        ledger = accounts.seen.get(table)
        out.append(
            TableStatus(
                table,
                offsets.get(table, 0),
                max(known.values(), default=None),
                min(left, default=None),
                staged_s.get(table),
                ledger is not None and ledger.paused is not None,
            )
        )
    return tuple(sorted(out, key=_rank))


def _rank(t: TableStatus) -> tuple[bool, float, float, int, str]:
    return not t.open_offsets, -(t.lag_s or 0.0), -(t.staged_s or 0.0), -t.open_offsets, t.table


def _ages_s(broker: Broker, wanted: Collection[Mapping[Source, int]], now_ms: float) -> dict[tuple[Source, int], float]:
    """Ages of the records at these offsets, as far as Kafka knows them."""
    distinct: dict[Source, set[int]] = defaultdict(set)
    for of_table in wanted:
        for source, offset in of_table.items():
            distinct[source].add(offset)
    lowest = {source: sorted(offsets)[:MOST_TIMES] for source, offsets in distinct.items()}
    found: dict[tuple[Source, int], float] = {}
    for n in range(max(map(len, lowest.values()), default=0)):
        asked = {source: offsets[n] for source, offsets in lowest.items() if n < len(offsets)}
        for source, at_ms in broker.timestamps_at(asked).items():
            if at_ms is not None:
                found[source, asked[source]] = max(0.0, (now_ms - at_ms) / 1000)
    return found
