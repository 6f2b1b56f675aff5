"""The schema of the write-ahead log: made once, whole or not at all, and refused when it is another release's."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from zipfile import ZipFile

import lakelock
import psycopg
import pytest
from kits.wal import sql
from lakelock.adapters.wal import PostgresLog, migrate, migrations
from lakelock.errors import WalUnusable


def test_the_first_run_applies_everything_and_the_second_nothing(wal_dsn: str) -> None:
    assert migrate(wal_dsn) == list(migrations.known())
    installation = sql(wal_dsn, "SELECT * FROM lakelock.installation")
    assert migrate(wal_dsn) == []
    assert sql(wal_dsn, "SELECT * FROM lakelock.installation") == installation


def test_migrating_from_many_places_at_once_applies_each_migration_once(wal_dsn: str) -> None:
    with ThreadPoolExecutor(6) as pool:
        applied = [name for names in pool.map(migrate, [wal_dsn] * 6) for name in names]
    assert applied == list(migrations.known())
    assert len(sql(wal_dsn, "SELECT * FROM lakelock.installation")) == 1


def test_installations_differ(wal_dsn: str, new_database: Callable[[], str]) -> None:
    other = new_database()
    migrate(wal_dsn)
    migrate(other)
    with PostgresLog(wal_dsn) as one, PostgresLog(other) as two:
        assert one.installation_id() != two.installation_id()


def test_a_migration_that_fails_leaves_nothing_behind(wal_dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {**migrations.known(), "9999_broken": ("0", "CREATE TABLE lakelock.half (); SELECT 1 / 0")}
    monkeypatch.setattr(migrations, "known", lambda: known)
    with pytest.raises(WalUnusable, match="division by zero"):
        migrate(wal_dsn)
    assert sql(wal_dsn, "SELECT to_regnamespace('lakelock') AS found") == [{"found": None}]


def test_a_later_migration_is_applied_to_what_is_there(wal_dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    migrate(wal_dsn)
    known = {**migrations.known(), "9999_next": ("0", "CREATE TABLE lakelock.next (i int)")}
    monkeypatch.setattr(migrations, "known", lambda: known)
    with PostgresLog(wal_dsn) as log, pytest.raises(WalUnusable, match=r"9999_next.*lakelock migrate"):
        log.installation_id()
    assert migrate(wal_dsn) == ["9999_next"]
    with PostgresLog(wal_dsn) as log:
        log.installation_id()


def test_parts_that_0_2_0_staged_keep_what_they_were_written_for(wal_dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of_0_2_0 = {name: of for name, of in migrations.known().items() if name == "0001_wal"}
    with monkeypatch.context() as older:
        older.setattr(migrations, "known", lambda: of_0_2_0)
        migrate(wal_dsn)
    sql(wal_dsn, "INSERT INTO lakelock.configs (digest, config) VALUES ('d', '{}')")
    sql(
        wal_dsn,
        "INSERT INTO lakelock.batches (batch_id, pipeline, lane, config_digest) VALUES (gen_random_uuid(), 'p', 'live', 'd')",
    )
    for state, staged in (("planned", "NULL, NULL, NULL, NULL, NULL, NULL"), ("staged", "'a', 'u', 0, 3, 1, now()")):
        sql(
            wal_dsn,
            "INSERT INTO lakelock.parts (batch_no, pipeline, table_name, state, attempt, table_uuid, generation, schema_id, "
            f"spec_id, staged_at) SELECT batch_no, 'p', '{state}', '{state}', {staged} FROM lakelock.batches",
        )
    assert migrate(wal_dsn) == [
        "0002_layout",
        "0003_versions",
        "0004_routes",
        "0005_retired_tables",
        "0006_few_of_many_tables",
        "0007_left_out_tables",
    ]
    layouts = {
        row["table_name"]: row["layout"] for row in sql(wal_dsn, "SELECT table_name, layout FROM lakelock.parts")
    }
    assert layouts == {"planned": None, "staged": "schema 3, partition spec 1"}
    with pytest.raises(psycopg.errors.CheckViolation):
        sql(wal_dsn, "UPDATE lakelock.parts SET layout = NULL")


def test_a_log_that_was_never_made_is_refused_with_what_to_run(wal_dsn: str) -> None:
    with PostgresLog(wal_dsn) as log, pytest.raises(WalUnusable, match="lakelock migrate"):
        log.installation_id()


def test_a_log_of_a_newer_release_is_refused_by_work_and_by_migrate(wal_dsn: str) -> None:
    migrate(wal_dsn)
    sql(wal_dsn, "INSERT INTO lakelock.migrations VALUES ('9999_future', 'x')")
    with PostgresLog(wal_dsn) as log, pytest.raises(WalUnusable, match=r"9999_future.*Upgrade"):
        log.installation_id()
    with pytest.raises(WalUnusable, match=r"9999_future.*Upgrade"):
        migrate(wal_dsn)


def test_a_log_made_by_another_text_of_a_migration_is_refused(wal_dsn: str) -> None:
    migrate(wal_dsn)
    sql(wal_dsn, "UPDATE lakelock.migrations SET checksum = 'another'")
    with PostgresLog(wal_dsn) as log, pytest.raises(WalUnusable, match="another version of 0001_wal"):
        log.installation_id()
    with pytest.raises(WalUnusable, match="another version of 0001_wal"):
        migrate(wal_dsn)


def test_every_table_and_view_says_what_it_is(wal_dsn: str) -> None:
    migrate(wal_dsn)
    silent = sql(
        wal_dsn,
        "SELECT relname FROM pg_class WHERE relnamespace = 'lakelock'::regnamespace AND relkind IN ('r', 'v') "
        "AND relname <> 'migrations' AND obj_description(oid, 'pg_class') IS NULL",
    )
    assert silent == []


def test_statements_and_migrations_are_found_in_a_zip(tmp_path: Path) -> None:
    """A cluster gets the library as one archive."""
    archive = tmp_path / "lakelock.zip"
    package = Path(lakelock.__file__).parent
    with ZipFile(archive, "w") as zipped:
        for file in sorted(package.rglob("*")):
            if file.suffix in {".py", ".sql"}:
                zipped.write(file, file.relative_to(package.parent))
    code = (
        "from lakelock.adapters.wal import migrations, queries; "
        "print('.zip' in migrations.__file__, list(migrations.known()), len(queries.queries('plan')) > 5)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(archive)}, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == f"True {list(migrations.known())} True", done.stderr
