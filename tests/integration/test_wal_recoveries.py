"""The log's part in a recovery: only the last one that began ends it, and what is given up was approved as it was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from kits.coverage import booked
from kits.wal import PIPELINE, TABLE, ledger, one_staged, plan, redo, source, sql, stage
from lakelock.adapters.wal import PostgresLog
from lakelock.errors import Fenced, Unreachable, WalUnusable
from lakelock.model.coverage import Coverage
from lakelock.model.log_state import Notes, PartState, Stand
from lakelock.model.offsets import OffsetRange


@pytest.fixture
def log(log_dsn: str) -> Iterator[PostgresLog]:
    """[0, 10) is staged."""
    with PostgresLog(log_dsn, patience_s=5) as log:
        stage(log, plan(log, (source(), 0, 10)))
        log.bind(PIPELINE, TABLE, "uuid-1")
        yield log


def yes(notes: Notes) -> None:
    assert all(isinstance(name, str) for name in notes)


def rebuild(log: PostgresLog, token: str) -> None:
    covered = Coverage().adding(booked(OffsetRange(source(), 0, 10)), {source(): 0}, 1)
    log.rebuild(
        PIPELINE,
        [Stand(TABLE, "uuid-1", replace(ledger(log, generation=1), coverage=covered))],
        redo(max_offsets=15),
        token,
    )


def test_a_recovery_that_was_overtaken_ends_nothing(log: PostgresLog) -> None:
    with pytest.raises(Fenced, match="overtaken"):
        rebuild(log, "never begun")
    log.give_up(PIPELINE, "first", "1", None, yes)
    log.give_up(PIPELINE, "second", "2", "1", yes)
    assert log.recovering(PIPELINE) == "second"
    with pytest.raises(Fenced, match="second started another one"):
        rebuild(log, "1")
    with pytest.raises(WalUnusable, match="second started to recover it"):
        plan(log, (source(), 10, 20))
    rebuild(log, "2")
    assert log.recovering(PIPELINE) is None
    stage(log, plan(log, (source(), 10, 20)))
    with pytest.raises(Fenced, match="second started another one"):
        rebuild(log, "1")
    # Again it is done already.
    rebuild(log, "2")
    assert one_staged(log).ranges == (OffsetRange(source(), 10, 20),)


def test_a_recovery_gives_up_only_the_log_that_it_has_examined(log: PostgresLog) -> None:
    assert log.last_recovery(PIPELINE) is None
    log.give_up(PIPELINE, "first", "1", None, yes)
    rebuild(log, "1")
    assert log.last_recovery(PIPELINE) == "1"
    for examined in (None, "earlier"):
        with pytest.raises(Fenced, match="first started another one"):
            log.give_up(PIPELINE, "second", "2", examined, yes)
    assert log.recovering(PIPELINE) is None
    stage(log, plan(log, (source(), 10, 20)))
    # Again, as after an answer that was lost.
    for _ in range(2):
        log.give_up(PIPELINE, "second", "2", "1", yes)
    assert log.recovering(PIPELINE) == "second"


def test_what_is_not_approved_stays_as_it_is(log: PostgresLog) -> None:
    def no(notes: Notes) -> None:
        assert [(n.state, n.ranges) for n in notes[TABLE]] == [(PartState.STAGED, (OffsetRange(source(), 0, 10),))]
        raise Fenced("not that")

    with pytest.raises(Fenced, match="not that"):
        log.give_up(PIPELINE, "me", "1", None, no)
    assert log.recovering(PIPELINE) is None
    assert one_staged(log)


def test_another_server_that_does_not_answer_leaves_no_lock_behind(log: PostgresLog, log_dsn: str) -> None:
    def silent(notes: Notes) -> None:
        raise Unreachable("Kafka did not answer")

    with PostgresLog(log_dsn, patience_s=0) as other:
        other.installation_id()
        with pytest.raises(Unreachable, match="Kafka"):
            other.give_up(PIPELINE, "me", "1", None, silent)
        with PostgresLog(log_dsn, lock_timeout_ms=500) as third:
            third.give_up(PIPELINE, "me", "2", None, yes)
    assert log.staged(PIPELINE) == []


def test_a_process_that_sleeps_while_it_asks_must_ask_again(log: PostgresLog, log_dsn: str) -> None:
    """Postgres ends a transaction whose process says nothing for a minute; here it is ended at once."""
    requested = []
    idle = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'"

    def approve(notes: Notes) -> None:
        requested.append(notes)
        if len(requested) == 1:
            assert sql(log_dsn, idle)

    log.give_up(PIPELINE, "me", "1", None, approve)
    assert len(requested) == 2
    assert log.staged(PIPELINE) == []


def test_what_was_staged_although_all_was_given_up_is_not_rebuilt_over(log: PostgresLog, log_dsn: str) -> None:
    """By an attempt whose claim was recorded in the moment in which everything was given up."""
    log.give_up(PIPELINE, "me", "1", None, yes)
    sql(log_dsn, "UPDATE lakelock.parts SET state = 'staged', finished_at = NULL")
    with pytest.raises(Fenced, match="staged while the recovery gave up all batches"):
        rebuild(log, "1")
    assert log.recovering(PIPELINE) == "me"
    log.give_up(PIPELINE, "me", "2", "1", yes)
    rebuild(log, "2")
    assert log.staged(PIPELINE) == []
