"""Prove with a scratch table that a catalog's compare-and-swap holds, before a pipeline relies on it."""

from __future__ import annotations

import logging
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

from pyiceberg.exceptions import NamespaceNotEmptyError
from pyiceberg.table.refs import SnapshotRef, SnapshotRefType
from pyiceberg.table.update import SetPropertiesUpdate

from lakelock.adapters.iceberg import pyiceberg_private as internals
from lakelock.adapters.iceberg.handle import handle_of
from lakelock.adapters.iceberg.snapshot_builder import ref_requirement
from lakelock.adapters.iceberg.tables import IcebergTables
from lakelock.errors import CatalogUnfit, CommitConflict, LakelockError
from lakelock.model.column_types import Column, Integer
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.ports import Change, TableDefinition, TableState

logger = logging.getLogger(__name__)

RACERS = 4
ROUNDS = 3
_PIPELINE = "lakelock_check"
_MARK = "lakelock-check"


def check_compare_and_swap(tables: IcebergTables, namespace: str) -> None:
    """Create a table in *namespace*, prove that commits from a stale base are refused, and drop it with its files.

    Raises CatalogUnfit, or Unreachable and AccessDenied like any commit.
    """
    probe = tables.for_pipeline(_PIPELINE, str(uuid.uuid4()))
    name = f"{namespace}.lakelock_check_{uuid.uuid4().hex[:12]}"
    made = _missing_namespaces(probe, namespace)
    probe.create(name, TableDefinition((Column("id", Integer(64)),)))
    try:
        _stale_base(probe, name)
        _stale_tag(probe, name)
        if internals.shared_by_threads(probe.catalog):
            _race(probe, name)
    finally:
        _drop(probe, name, made)


def _stale_base(probe: IcebergTables, name: str) -> None:
    """Commit twice from one load: first without any snapshot, then with one."""
    for what in ("an empty table", "a table with snapshots"):
        base = probe.load(name)
        landed = _commit(probe, base)
        _must_refuse(probe, base, f"a second commit from one load of {what}")
        if probe.load(name).head_id != landed:
            raise CatalogUnfit(f"{name}: the catalog lost an acknowledged commit ({landed}). {_LOSES}", do=_ADVICE)


def _stale_tag(probe: IcebergTables, name: str) -> None:
    """A commit whose branch requirement holds and whose tag requirement does not."""
    handle = handle_of(probe.load(name))
    older = next(s for s in handle.ancestry() if s is not handle.head)
    stale = SnapshotRef.model_validate({"snapshot-id": older.snapshot_id, "type": SnapshotRefType.TAG})
    requirements = (ref_requirement(handle.branch, handle.branch_ref), ref_requirement(handle.tag, stale))
    try:
        probe.catalog.commit_table(handle.table, requirements, (SetPropertiesUpdate(updates={_MARK: "stale"}),))
    except Exception as fault:
        logger.debug("stale tag refused: %s", fault)
    if _MARK in probe.load(name).properties:
        raise CatalogUnfit(
            f"{name}: the catalog accepted a commit although the tag that it required had moved. {_LOSES}", do=_ADVICE
        )


def _race(probe: IcebergTables, name: str) -> None:
    """Several simultaneous commits from one load: every acknowledged one must be in the table afterwards."""
    for _ in range(ROUNDS):
        bases = [probe.load(name) for _ in range(RACERS)]
        start = threading.Barrier(RACERS)

        def racer(base: TableState, start: threading.Barrier = start) -> int | None:
            start.wait()
            try:
                return _commit(probe, base)
            except LakelockError as fault:
                logger.debug("racer: %s", fault)
                return None

        with ThreadPoolExecutor(RACERS) as pool:
            claimed = [s for s in pool.map(racer, bases) if s is not None]
        ancestors = {s.snapshot_id for s in handle_of(probe.load(name)).ancestry()}
        if lost := [s for s in claimed if s not in ancestors]:
            raise CatalogUnfit(
                f"{name}: of {len(claimed)} simultaneous commits that the catalog acknowledged, {len(lost)} are lost. "
                f"{_LOSES}",
                do=_ADVICE,
            )


_LOSES = "It lets the last writer win, so records would be lost or doubled."
_ADVICE = "Use a catalog with atomic commits (REST, SQL, Hive with locks, Glue), or repair this one."


def _must_refuse(probe: IcebergTables, base: TableState, what: str) -> None:
    try:
        snapshot_id = _commit(probe, base)
    except CommitConflict:
        return
    raise CatalogUnfit(f"{base.name}: the catalog accepted {what} (snapshot {snapshot_id}). {_LOSES}", do=_ADVICE)


def _commit(probe: IcebergTables, base: TableState) -> int:
    installation = probe.installation_id
    ledger = Ledger(installation, _PIPELINE, str(uuid.uuid4()), 0, "check", Coverage())
    return probe.commit(base, Change(ledger, {}, keep_snapshots=1000, keep_younger_ms=0))


def _missing_namespaces(probe: IcebergTables, namespace: str) -> list[tuple[str, ...]]:
    """Namespaces that the probe's table will create, innermost first."""
    parts = tuple(namespace.split("."))
    with probe.border.crossing(f"looking for namespace {namespace}"):
        return [parts[:i] for i in range(len(parts), 0, -1) if not probe.catalog.namespace_exists(parts[:i])]


def _drop(probe: IcebergTables, name: str, namespaces: list[tuple[str, ...]]) -> None:
    """Drop the table, including files of refused commits that no metadata references."""
    try:
        table = probe.catalog.load_table(tuple(name.split(".")))
        try:
            probe.catalog.purge_table(tuple(name.split(".")))
        except NotImplementedError:
            probe.catalog.drop_table(tuple(name.split(".")))
        internals.delete_folder(table.io, table.location())
        for namespace in namespaces:
            probe.catalog.drop_namespace(namespace)
    except NamespaceNotEmptyError:
        logger.debug("namespace of %s is in use now", name)
    except Exception as fault:
        logger.warning("scratch table %s could not be dropped (%s): drop it yourself", name, probe.border.reason(fault))
