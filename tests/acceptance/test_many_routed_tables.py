"""Postgres is lost while a topic goes to hundreds of tables, of which some have had no row for as long as Kafka remembers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from kits.recoveries import postgres_of
from kits.routing import BY_TYPE, cycle, ids, ledger, letters, names, routed_file, send
from kits.topics import delete_before
from kits.world import World, open_with, write_next
from lakelock.audit.audit_text import audit_text

pytestmark = pytest.mark.drawn(0.35, about=("recovery", "ingest/marking"))


@pytest.mark.parametrize("tables", [20, pytest.param(500, marks=pytest.mark.long)])
def test_a_lost_log_of_many_tables_is_rebuilt_from_the_tail_alone(
    fresh: World, new_log: Callable[[], str], tables: int
) -> None:
    text = routed_file(fresh, BY_TYPE)
    every: list[str | bytes] = [f"t{n}" for n in range(tables)]
    sent: list[list[str | bytes]] = [
        [*every, b"no json"],
        ["t1", "t2"] * 4,
        every[: tables // 2],
        [b"no json", "t3", "t4"],
    ]
    tail: list[str | bytes] = ["t1", "t5", "new", "new"]
    with open_with(fresh, text) as runtime:
        for records in sent:
            send(fresh, *records)
            cycle(fresh, runtime)
        mark = ledger(runtime, letters(fresh)).mark
        assert mark is not None
        for source, coverage in mark.items():
            delete_before(fresh, source.partition, coverage.prefix_end)
        send(fresh, *tail)
        write_next(runtime)
    postgres_of(fresh, new_log())
    with open_with(fresh, text) as runtime:
        runtime.recovery("tester", take_over=True).recover()
    with open_with(fresh, text) as runtime:
        assert runtime.recovery("tester").preview() == []
        planned = [r.range for b in runtime.log.planned(runtime.pipeline.name) for r in b.ranges]
        assert planned
        assert all(r.start >= mark[r.source].prefix_end for r in planned)
        for _ in range(2):
            cycle(fresh, runtime)
        last = every[-1]
        send(fresh, last)
        cycle(fresh, runtime)
        audited = runtime.audit()
        assert audited.complete, audit_text(audited)
    sent += [tail, [last]]
    wanted = Counter(t for records in sent for t in records if isinstance(t, str))
    assert {n: len(ids(fresh, n)) for n in names(fresh) if n != "letters"} == dict(wanted)
    assert len({i for n in wanted for i in ids(fresh, n)}) == sum(wanted.values())
