"""One scenario of the catalogue."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scenario:
    """Exactly one of *tests*, *cannot* (why it cannot occur here) and *limit* (what is stated as not promised) is given."""

    number: str
    title: str
    expected: str
    tests: tuple[str, ...] = ()
    cannot: str = ""
    limit: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    scenarios: tuple[Scenario, ...]


KILLS = "tests/acceptance/test_kills.py::"
POINTS = "tests/acceptance/test_crash_points.py::"
BAD_INPUT = "tests/acceptance/test_bad_input.py::"
KAFKA_SIDE = "tests/acceptance/test_kafka_side.py::"
HOURS = "tests/unit/test_hours.py::"
EDITED = "tests/acceptance/test_edited_files.py::"
BROKEN = "tests/acceptance/test_broken_table.py::"
ROLLBACK = "tests/acceptance/test_rollback.py::"
ROLLED_BACK = "tests/interleavings/test_rollbacks.py::"
REBUILT = "tests/interleavings/test_rebuilt_logs.py::"
RECOVER = "tests/acceptance/test_recover.py::"
RECOVERED = "tests/interleavings/test_recoveries.py::"
LOST_LOGS = "tests/interleavings/test_lost_logs.py::"
GOES_BACK = "tests/interleavings/test_tables_that_go_back.py::"
AUDIT = "tests/acceptance/test_audit.py::"
DECISIONS = "tests/acceptance/test_decisions.py::"
LOSSES = "tests/interleavings/test_losses.py::"
REBINDING = "tests/interleavings/test_rebinding.py::"
UPKEEP = "tests/acceptance/test_upkeep.py::"
STEPS = "tests/acceptance/test_scenarios.py::"
TABLES = "tests/acceptance/test_scenarios_tables.py::"
HANDS = "tests/acceptance/in_airflow/test_hands.py::"
RESTARTS = "tests/acceptance/in_airflow/test_restarts.py::"
RUNS = "tests/dags/test_ingest_runs.py::"
COMMIT = "tests/integration/test_iceberg_commit.py::"
OUTCOME = "tests/integration/test_iceberg_outcome.py::"
RETENTION = "tests/integration/test_iceberg_retention.py::"
LOUD = "tests/integration/test_loud_ledgers.py::"
SPOILED = "tests/integration/test_spoiled_answers.py::"
CUT = "tests/integration/test_sql_catalog_cut.py::"
ATTEMPTS = "tests/integration/test_wal_attempts.py::"
PLAN = "tests/integration/test_wal_plan.py::"
STAGE = "tests/integration/test_wal_stage.py::"
MARKS = "tests/integration/test_wal_marks.py::"
CONNECTION = "tests/integration/test_wal_connection.py::"
MIGRATIONS = "tests/integration/test_migrations.py::"
BROKER = "tests/integration/test_kafka_broker.py::"
SLICE = "tests/integration/test_write_slice.py::"
SPARK = "tests/integration/test_spark_connect.py::"
DECIDED = "tests/unit/test_commit_decisions.py::"
ANY_POINT = POINTS + "test_a_process_killed_or_frozen_at_any_point_of_a_step_loses_and_doubles_nothing"
