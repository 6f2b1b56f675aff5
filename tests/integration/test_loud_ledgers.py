"""What another tool or another installation did to a table stops its commits loudly; fixed, nothing is lost or twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from kits.commits import Bench, open_bench
from kits.iceberg import plain_catalog, rows
from kits.wal import sql
from lakelock.adapters.iceberg import IcebergTables
from lakelock.adapters.iceberg.ledger_reading import tag_name
from lakelock.errors import (
    ClockBehind,
    LakelockError,
    LedgerDetached,
    LedgerForeign,
    LedgerUnreadable,
    Terminal,
    WalUnusable,
)
from lakelock.model import ledger as codec
from lakelock.model.ledger import Mode
from lakelock.rollback.rollback import ApprovedRollback


@pytest.fixture
def bench(folder: Path, namespace: str, log_dsn: str, catalog_properties: dict[str, str]) -> Iterator[Bench]:
    """Half of its offsets are in the table, the other half is staged."""
    with open_bench(log_dsn, folder, namespace, catalog_properties) as bench:
        bench.stage()
        bench.commit()
        bench.stage()
        yield bench


def stops(bench: Bench, error: type[LakelockError], reported: str) -> None:
    """Commit and rollback refuse, and neither the table nor what is staged has changed."""
    before = plain_catalog(bench.honest).load_table(bench.table).metadata_location
    staged = bench.log.staged(bench.pipeline.name)
    head = plain_catalog(bench.honest).load_table(bench.table).current_snapshot()
    shown = ApprovedRollback(0, head.snapshot_id if head else 0)
    with pytest.raises(error, match=reported):
        bench.committer.commit(bench.table, now=True)
    with pytest.raises(error, match=reported):
        bench.rollbacks.roll_back(bench.table, "last:1", Mode.RECOMMIT, "tester", "a test", shown)
    assert plain_catalog(bench.honest).load_table(bench.table).metadata_location == before
    assert [p.batch_id for p in bench.log.staged(bench.pipeline.name)] == [p.batch_id for p in staged]
    assert all(Path(f.path.removeprefix("file://")).exists() for p in staged for f in p.result.files)


Summary = dict[str, str]


def without(key: str) -> Callable[[Summary], Summary]:
    return lambda own: {k: v for k, v in own.items() if k != key}


def with_(key: str, value: str) -> Callable[[Summary], Summary]:
    return lambda own: {**own, key: value}


HARMS: dict[str, tuple[Callable[[Summary], Summary], type[Terminal], str]] = {
    "all of it gone": (lambda _: {}, LedgerUnreadable, "Nothing was changed"),
    "no protocol version": (without(codec.PROTOCOL), LedgerUnreadable, "Nothing was changed"),
    "a newer protocol": (with_(codec.PROTOCOL, "99"), LedgerUnreadable, "99"),
    "no coverage": (without(codec.COVERAGE), LedgerUnreadable, "Nothing was changed"),
    "garbled coverage": (with_(codec.COVERAGE, "{!"), LedgerUnreadable, "Nothing was changed"),
    "coverage cut short": (
        lambda own: {**own, codec.COVERAGE: own[codec.COVERAGE][: len(own[codec.COVERAGE]) // 2]},
        LedgerUnreadable,
        "Nothing was changed",
    ),
    "a generation that is no number": (with_(codec.GENERATION, "one"), LedgerUnreadable, "Nothing was changed"),
    "another installation": (
        with_(codec.INSTALLATION, "somebody-else"),
        LedgerForeign,
        "Nothing was changed|installation",
    ),
}


@pytest.mark.parametrize("harm", HARMS)
def test_snapshot_properties_that_another_tool_wrote_or_cut_stop_until_they_are_fixed(bench: Bench, harm: str) -> None:
    harmed, error, reported = HARMS[harm]
    tag = tag_name(bench.pipeline.name)
    table = plain_catalog(bench.honest).load_table(bench.table)
    good = table.current_snapshot()
    assert good is not None
    assert good.summary is not None
    own = {k: v for k, v in good.summary.additional_properties.items() if k.startswith(codec.PREFIX)}
    table.append(rows([]), snapshot_properties=harmed(own))
    head = table.current_snapshot()
    assert head is not None
    table.manage_snapshots().remove_tag(tag).create_tag(head.snapshot_id, tag).commit()
    stops(bench, error, reported)
    table.manage_snapshots().remove_tag(tag).create_tag(good.snapshot_id, tag).commit()
    bench.commit()
    bench.check()


def test_our_properties_copied_by_another_tool_into_its_own_snapshot_change_nothing(bench: Bench) -> None:
    table = plain_catalog(bench.honest).load_table(bench.table)
    good = table.current_snapshot()
    assert good is not None
    assert good.summary is not None
    table.append(rows([]), snapshot_properties=dict(good.summary.additional_properties))
    bench.commit()
    bench.check()


def test_a_second_installation_with_a_pipeline_of_the_same_name_is_kept_out(
    bench: Bench, folder: Path, namespace: str, new_log: Callable[[], str], catalog_properties: dict[str, str]
) -> None:
    other_dsn = new_log()
    before = bench.head
    with open_bench(other_dsn, folder, namespace, catalog_properties, pipeline_name=bench.pipeline.name) as other:
        other.plan(3)
        with pytest.raises(LedgerForeign, match="another installation"):
            other.bound()
        with pytest.raises(LedgerForeign, match="another installation"):
            other.rollbacks.preview(other.table, "last:1", Mode.RECOMMIT)
        assert not other.log.bound(other.pipeline.name)
    assert bench.head == before
    bench.commit()
    bench.check()


def test_expired_ancestry_stops_until_a_person_has_looked(bench: Bench) -> None:
    """What is between the head and the tag has expired: it is unknown whether the table was rolled back."""
    table = plain_catalog(bench.honest).load_table(bench.table)
    for _ in range(2):
        table.append(rows([]))
    head = table.current_snapshot()
    assert head is not None
    assert head.parent_snapshot_id is not None
    table.maintenance.expire_snapshots().by_ids([head.parent_snapshot_id]).commit()
    stops(bench, LedgerDetached, "expired")


def test_a_clock_behind_the_head_stops_until_it_is_set(bench: Bench) -> None:
    head = bench.honest.load(bench.table).head
    assert head is not None
    right = bench.tables
    behind = IcebergTables(
        "lake", right._properties, bench.pipeline.name, right.installation_id, now_ms=lambda: head.at_ms - 60_000
    )
    stops(replace(bench, tables=behind), ClockBehind, "60 s behind")
    bench.commit()
    bench.check()


def test_a_log_that_only_takes_reading_stops_every_step(bench: Bench, log_dsn: str) -> None:
    """A standby that was promoted for reading, or a fail-over that is not over."""
    name = log_dsn.rpartition("/")[2]
    sql(log_dsn, f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    bench.log.close()
    before = bench.head
    for step in (
        lambda: bench.plan(3),
        lambda: bench.committer.commit(bench.table, now=True),
        lambda: bench.rollbacks.preview(bench.table, "last:1", Mode.RECOMMIT),
    ):
        with pytest.raises(WalUnusable, match="is read-only"):
            step()
    assert bench.head == before
    sql(log_dsn.rpartition("/")[0] + "/postgres", f'ALTER DATABASE "{name}" RESET default_transaction_read_only')
    bench.commit()
    bench.check()
