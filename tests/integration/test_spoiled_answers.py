"""A REST catalog behind a proxy that lands commits or loses them, and answers whatever it likes: each row is there once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kits.commits import Bench, open_bench
from kits.faulty_catalog import ANSWERS, Fault, FaultyCatalog, Landing
from kits.wal import sql
from lakelock.adapters.iceberg import pyiceberg_private as internals
from lakelock.adapters.wal import migrate
from lakelock.errors import AccessDenied, Unreachable
from stack.postgres import Postgres

STATUSES = (400, 401, 403, 404, 409, 419, 429, 500, 502, 503, 504)
EVERY = (*STATUSES, *ANSWERS)
LANDED, LOST = Landing.LANDED, Landing.LOST
# Once; several times in a row; lost first, then landed with the same answer.
SEQUENCES = {"once": (LOST,), "landed": (LANDED,), "three times": (LOST, LOST, LOST), "then landed": (LOST, LANDED)}
# PyIceberg itself logs in again and sends once more after 401 and 419.
DENIED = (401, 403, 419)
# For what goes the same way as a commit: one answer of each kind.
KINDS = (401, 403, 409, 503, 504, "reset", "time-out", "garbage", "truncated", "an older answer")

pytestmark = pytest.mark.drawn(0.15)


@pytest.fixture
def proxy(rest_properties: dict[str, str]) -> Iterator[FaultyCatalog]:
    catalog = FaultyCatalog(rest_properties["uri"])
    yield catalog
    catalog.close()


@pytest.fixture(scope="module")
def log_dsn(postgres: Postgres) -> str:
    """One log for all pipelines of this file."""
    sql(postgres.dsn("postgres"), "CREATE DATABASE spoiled_answers")
    dsn = postgres.dsn("spoiled_answers")
    migrate(dsn)
    return dsn


@pytest.fixture
def new_bench(
    folder: Path,
    namespace: str,
    log_dsn: str,
    rest_properties: dict[str, str],
    proxy: FaultyCatalog,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Callable[[], Bench]]:
    with open_bench(log_dsn, folder, namespace, {**rest_properties, "uri": proxy.uri}, rest_properties) as bench:
        if request.node.callspec.params.get("answer") == "time-out":
            with monkeypatch.context() as short:
                short.setattr(internals, "READ_TIMEOUT_S", 1.0)
                assert bench.tables.catalog
        yield lambda: bench


@pytest.fixture
def bench(new_bench: Callable[[], Bench]) -> Bench:
    bench = new_bench()
    bench.stage()
    return bench


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("answer", EVERY)
def test_a_commit_is_in_the_table_once_whatever_it_was_answered(
    bench: Bench, proxy: FaultyCatalog, answer: int | str, sequence: str
) -> None:
    landings = SEQUENCES[sequence]
    proxy.script = [Fault(answer, landing) for landing in landings]
    runs = bench.commit(runs=len(landings) + 1)
    bench.check(snapshots=1)
    if answer in DENIED:
        # A refused login is a person's to look at: it is not asked again in the same run.
        assert all(isinstance(fault, AccessDenied) for fault in bench.faults)
        assert answer != 403 or len(bench.faults) == landings.count(LOST)
    else:
        assert runs == 1, bench.faults
    assert not proxy.script
    assert proxy.statuses.count(200) == 1
    assert proxy.waiting == (len(landings) if answer == "time-out" else 0), "the client's own time-out ended it"
    bench.stage()
    bench.commit()
    bench.check(snapshots=2)


@pytest.mark.parametrize("landing", [LANDED, LOST])
@pytest.mark.parametrize("answer", [503, 504, "reset", "garbage"])
def test_a_catalog_that_goes_down_with_the_answer_is_asked_by_the_next_run(
    bench: Bench, proxy: FaultyCatalog, answer: int | str, landing: Landing
) -> None:
    """The table cannot be read after the commit, so nothing is known; nothing is sent again before it was."""
    proxy.script = [Fault(answer, landing, down=2)]
    assert bench.commit() == 2
    assert isinstance(bench.faults[0], Unreachable)
    bench.check(snapshots=1)
    assert proxy.statuses.count(200) == 1


@pytest.mark.parametrize("landing", [Landing.BEFORE_NEXT, Landing.AFTER_NEXT])
@pytest.mark.parametrize("answer", [503, 504, 409, "reset", "time-out", "garbage", "an older answer"])
def test_a_commit_that_was_held_up_on_its_way_lands_once(
    bench: Bench, proxy: FaultyCatalog, answer: int | str, landing: Landing
) -> None:
    """The client has read the table without it, and sent the same files again: only one of the two is accepted."""
    proxy.script = [Fault(answer, landing)]
    assert bench.commit() == 1, bench.faults
    bench.check(snapshots=1)
    assert sorted(proxy.statuses) == [200, 409]


@pytest.mark.parametrize("landing", [LANDED, LOST])
@pytest.mark.parametrize("answer", KINDS)
def test_a_rollback_is_done_once_whatever_it_was_answered(
    bench: Bench, proxy: FaultyCatalog, answer: int | str, landing: Landing
) -> None:
    bench.commit()
    target = bench.head
    bench.stage()
    bench.commit()
    bench.stage()
    proxy.script = [Fault(answer, landing)]
    bench.roll_back(target)
    state = bench.honest.load(bench.table)
    assert state.ledger is not None
    assert state.ledger.generation == 1
    assert bench.log.generations(bench.pipeline.name)[bench.table] == 1
    bench.commit()
    bench.check()


@pytest.mark.parametrize("landing", [LANDED, LOST])
def test_a_rollback_whose_outcome_nobody_could_read_may_be_requested_again(
    bench: Bench, proxy: FaultyCatalog, landing: Landing
) -> None:
    bench.commit()
    target = bench.head
    bench.stage()
    bench.commit()
    proxy.script = [Fault(504, landing, down=2)]
    assert bench.roll_back(target) == 2
    bench.commit()
    bench.check()


@pytest.mark.parametrize("landing", [LANDED, LOST])
@pytest.mark.parametrize("answer", KINDS)
def test_a_table_is_adopted_once_whatever_the_answer(
    new_bench: Callable[[], Bench], proxy: FaultyCatalog, answer: int | str, landing: Landing
) -> None:
    bench = new_bench()
    bench.plan(3)
    proxy.script = [Fault(answer, landing)]
    if answer == 403 and landing is LOST:
        with pytest.raises(AccessDenied):
            bench.bound()
    state = bench.bound()
    assert state.ledger is not None
    assert proxy.statuses.count(200) == 1
    assert len(bench.honest.history(state)) == 1
