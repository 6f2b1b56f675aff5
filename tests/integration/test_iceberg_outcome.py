"""What a commit concludes when the catalog's answer is an error, late, or never comes."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pydantic
import pytest
import requests
from kits.iceberg import adopted, change, definition, ids_in, open_tables, raw, rows
from lakelock.adapters.iceberg import IcebergTables
from lakelock.errors import AccessDenied, CommitConflict, LakelockError, OutcomeUnknown, Unreachable
from lakelock.ports import TableState
from lakelock.ports.edits import new_files
from pyiceberg import exceptions as iceberg
from pyiceberg.table import CommitTableResponse
from sqlalchemy import exc as sql

pytestmark = pytest.mark.drawn(0.2)

ERRORS: list[Exception] = [
    iceberg.CommitFailedException("Requirement failed: branch main has changed"),
    iceberg.CommitStateUnknownException("504"),
    iceberg.ServiceUnavailableError("503"),
    iceberg.TooManyRequestsError("429"),
    iceberg.ServerError("500"),
    iceberg.BadRequestError("400"),
    iceberg.ForbiddenError("403"),
    iceberg.UnauthorizedError("401"),
    iceberg.RESTError("422"),
    requests.exceptions.ConnectionError("reset"),
    requests.exceptions.ReadTimeout("60 s"),
    pydantic.ValidationError.from_exception_data("CommitTableResponse", []),
    sql.OperationalError("UPDATE iceberg_tables", {}, Exception("server closed the connection unexpectedly")),
    ValueError("Cannot add snapshot with sequence number 2 older than last sequence number 2"),
    OSError("connection timed out"),
    RuntimeError("anything"),
]
DENIED = (iceberg.ForbiddenError, iceberg.UnauthorizedError)
# What errors a REST catalog really gives is in test_spoiled_answers.py.
ONE_CATALOG = pytest.mark.parametrize("any_catalog", ["sql"], indirect=True)


@pytest.fixture
def tables(any_catalog: dict[str, str]) -> IcebergTables:
    return open_tables(any_catalog)


@pytest.fixture
def name(namespace: str) -> str:
    return f"{namespace}.flights"


@pytest.fixture
def state(tables: IcebergTables, name: str) -> TableState:
    return adopted(tables, name)


@pytest.fixture
def answer(tables: IcebergTables, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets the next commits reach the real catalog, or not, and end in the given error."""

    def install(fault: Exception, *, landed: bool, then: Callable[[], object] = lambda: None) -> None:
        real = tables.catalog.commit_table

        def commit_table(*args: Any) -> CommitTableResponse:
            if landed:
                real(*args)
            then()
            raise fault

        monkeypatch.setattr(tables.catalog, "commit_table", commit_table)

    return install


@ONE_CATALOG
@pytest.mark.parametrize("fault", ERRORS, ids=lambda e: type(e).__name__)
def test_a_commit_that_landed_is_never_taken_as_failed(
    tables: IcebergTables, name: str, state: TableState, answer: Callable[..., None], fault: Exception
) -> None:
    planned = change(state, 0, 3)
    answer(fault, landed=True)
    snapshot_id = tables.commit(state, planned)
    after = tables.load(name)
    assert after.head_id == snapshot_id
    assert tables.find_commit(after, planned.ledger.commit_id) == snapshot_id
    assert ids_in(tables, name) == [0, 1, 2]


@ONE_CATALOG
@pytest.mark.parametrize("fault", ERRORS, ids=lambda e: type(e).__name__)
def test_a_commit_that_may_still_land_is_unknown_and_nothing_is_deleted(
    tables: IcebergTables, name: str, state: TableState, answer: Callable[..., None], fault: Exception
) -> None:
    """The table has not moved, so nothing explains the answer; only a refusal of the login is definite."""
    planned = change(state, 0, 3)
    answer(fault, landed=False)
    with pytest.raises(AccessDenied if isinstance(fault, DENIED) else OutcomeUnknown) as caught:
        tables.commit(state, planned)
    assert "are kept" in str(caught.value)
    assert tables.missing_files(state, new_files(planned.edit)) == []
    assert ids_in(tables, name) == []


@ONE_CATALOG
@pytest.mark.parametrize("fault", ERRORS, ids=lambda e: type(e).__name__)
def test_a_table_that_moved_proves_that_nothing_landed(
    tables: IcebergTables, name: str, state: TableState, answer: Callable[..., None], fault: Exception
) -> None:
    planned = change(state, 0, 3)
    other = open_tables(tables._properties)
    answer(fault, landed=False, then=lambda: other.commit(other.load(name), change(state, 0, 2)))
    with pytest.raises(CommitConflict):
        tables.commit(state, planned)
    assert ids_in(tables, name) == [0, 1]


def test_a_commit_that_landed_below_foreign_snapshots_is_found(
    tables: IcebergTables, name: str, state: TableState, answer: Callable[..., None]
) -> None:
    other = open_tables(tables._properties)
    answer(
        iceberg.CommitFailedException("409"),
        landed=True,
        then=lambda: raw(other.load(name)).append(rows([100])),
    )
    snapshot_id = tables.commit(state, change(state, 0, 2))
    assert snapshot_id in {s.snapshot_id for s in raw(other.load(name)).snapshots()}
    assert ids_in(tables, name) == [0, 1, 100]


def test_a_commit_that_landed_and_expired_at_once_is_unknown(
    tables: IcebergTables, name: str, state: TableState, answer: Callable[..., None]
) -> None:
    """Absence from the retained history is no proof of absence."""

    def bury() -> None:
        other = open_tables(tables._properties)
        table = raw(other.load(name))
        landed = table.current_snapshot()
        assert landed is not None
        table.append(rows([100]))
        table.manage_snapshots().remove_tag("lakelock-p").commit()
        table.maintenance.expire_snapshots().by_ids([landed.snapshot_id]).commit()

    answer(iceberg.CommitFailedException("409"), landed=True, then=bury)
    with pytest.raises(OutcomeUnknown):
        tables.commit(state, change(state, 0, 2))


def test_a_commit_that_landed_and_was_rolled_back_at_once_is_unknown(
    tables: IcebergTables, name: str, state: TableState, answer: Callable[..., None]
) -> None:
    def roll_back() -> None:
        other = open_tables(tables._properties)
        assert state.head_id is not None
        raw(other.load(name)).manage_snapshots().rollback_to_snapshot(state.head_id).commit()

    answer(iceberg.CommitStateUnknownException("504"), landed=True, then=roll_back)
    with pytest.raises(OutcomeUnknown):
        tables.commit(state, change(state, 0, 2))


def test_a_commit_that_landed_in_a_table_that_was_replaced_at_once_is_unknown(
    tables: IcebergTables, name: str, state: TableState, answer: Callable[..., None]
) -> None:
    def replace() -> None:
        other = open_tables(tables._properties)
        other.catalog.drop_table(name)
        other.create(name, definition())

    answer(iceberg.CommitStateUnknownException("504"), landed=True, then=replace)
    with pytest.raises(OutcomeUnknown):
        tables.commit(state, change(state, 0, 2))


def test_a_table_that_cannot_be_read_afterwards_is_unknown(
    tables: IcebergTables, state: TableState, answer: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: Any) -> None:
        raise requests.exceptions.ConnectionError("refused")

    answer(
        iceberg.CommitStateUnknownException("504"),
        landed=True,
        then=lambda: monkeypatch.setattr(tables.catalog, "load_table", gone),
    )
    with pytest.raises(OutcomeUnknown, match="cannot be read now"):
        tables.commit(state, change(state, 0, 2))


def test_an_answer_without_the_commit_is_unknown(
    tables: IcebergTables, state: TableState, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = CommitTableResponse.model_validate({"metadata": raw(state).metadata, "metadata-location": "file:///none"})
    monkeypatch.setattr(tables.catalog, "commit_table", lambda *_: old)
    with pytest.raises(OutcomeUnknown, match="lacks it"):
        tables.commit(state, change(state, 0, 2))


def test_storage_that_fails_before_anything_is_sent_is_no_unknown_outcome(
    tables: IcebergTables, name: str, state: TableState, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = change(state, 0, 2)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device", "/warehouse/x.avro")

    monkeypatch.setattr(raw(state).io, "new_output", full)
    with pytest.raises(Unreachable, match=r"/warehouse/x\.avro"):
        tables.commit(state, planned)


@pytest.mark.parametrize("writers", [4])
def test_racing_writers_land_each_range_once(
    tables: IcebergTables, name: str, state: TableState, any_catalog: dict[str, str], writers: int
) -> None:
    """All try to land the next ten offsets until forty are in; only the table decides who does."""
    errors: list[LakelockError] = []
    start = threading.Barrier(writers)

    def run(_: int) -> int:
        mine = open_tables(any_catalog)
        landed = 0
        start.wait()
        while True:
            seen = mine.load(name)
            assert seen.ledger is not None
            end = max((c.prefix_end for c in seen.ledger.coverage.values()), default=0)
            if end >= 40:
                return landed
            try:
                mine.commit(seen, change(seen, end, end + 10))
                landed += 1
            except (CommitConflict, OutcomeUnknown) as fault:
                errors.append(fault)

    with ThreadPoolExecutor(writers) as pool:
        landed = list(pool.map(run, range(writers)))
    assert sum(landed) == 4
    assert ids_in(tables, name) == list(range(40))
    assert all(isinstance(e, CommitConflict) for e in errors)


def test_errors_travel_between_processes(
    tables: IcebergTables, name: str, state: TableState, answer: Callable[..., None]
) -> None:
    answer(iceberg.ServerError("500"), landed=False)
    with pytest.raises(OutcomeUnknown) as caught:
        tables.commit(state, change(state, 0, 1))
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
