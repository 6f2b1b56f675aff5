"""Routed tables in an audit: the offsets that they may still get, and dead letters that no table is known for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from lakelock.audit.decision import of_dead_letters
from lakelock.audit.route_sums import RouteAudit, route_sums
from lakelock.errors import TableMissing, Terminal
from lakelock.ingest.assigned_letters import assigned_letters
from lakelock.model.batches import NO_TABLE, of_target
from lakelock.model.counts import Accounts, DeadLetterCounts
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import registry_of
from lakelock.model.offsets import OffsetRange, Source, united, without
from lakelock.model.registry import Registry
from lakelock.model.route_evidence import RouteEvidence
from lakelock.ports import Log, Tables
from lakelock.records.reasons import CountedCause, together


def still_coming(evidence: RouteEvidence, own: Coverage) -> list[OffsetRange]:
    """Ranges for which a table with *own* coverage has an open part, or may get records from a batch that is not closed.

    Also those behind dead letters without a table that are not committed: until then nothing is filled.
    """
    ahead = []
    for source, frontier in sorted(evidence.frontiers.items()):
        decided = min(evidence.closed_to.get(source, frontier), evidence.letters_to.get(source, frontier))
        if decided < frontier:
            ahead.append(OffsetRange(source, decided, frontier))
    return without(united([*ahead, *evidence.open]), own.ranges)


def with_coming(accounts: Accounts, table: str, coming: Iterable[OffsetRange]) -> Accounts:
    """*accounts* in which *coming* ranges are open for the table."""
    of_table: dict[Source, list[OffsetRange]] = {}
    for r in coming:
        of_table.setdefault(r.source, []).append(r)
    more = {(table, s): tuple(united([*accounts.open.get((table, s), ()), *some])) for s, some in of_table.items()}
    return replace(accounts, open={**accounts.open, **more})


def assigned_to(tables: Tables, dead_letter_tables: Iterable[str], table: str) -> list[OffsetRange]:
    """Offsets of dead letters without a table that an operator has assigned to *table*."""
    registry = _registry(tables, dead_letter_tables)
    return list(registry.assigned.get(table, ())) if registry is not None else []


@dataclass(frozen=True, slots=True)
class Letters:
    """Dead letters that no table is known for, as ledgers count them, and their commonest causes."""

    count: int = 0
    causes: tuple[CountedCause, ...] = ()
    faults: tuple[str, ...] = ()


def letters_without_table(tables: Tables, dead_letter_tables: Iterable[str], most: int) -> Letters:
    """Of all dead-letter tables of a pipeline: each letter that a ledger has is there once. At most *most* causes."""
    count, faults, causes = 0, list[str](), list[CountedCause]()
    for name in dead_letter_tables:
        try:
            state = tables.load(name)
        except TableMissing:
            continue
        coverage = state.ledger.coverage if state.ledger is not None else Coverage()
        named = {
            plain: covered for s, covered in coverage.items() for target, plain in [of_target(s)] if target == NO_TABLE
        }
        if not (written := sum(covered.totals.written for covered in named.values())):
            continue
        count += written
        causes += tables.dead_letter_causes(state, NO_TABLE, {s.topic_id for s in named}, most)
        found = tables.count_dead_letters(state, NO_TABLE, named)
        for source, covered in sorted(named.items()) if found is not None else ():
            counted = (found or {}).get(source, DeadLetterCounts())
            faults += [f"{name}: {source}: {f}" for f in of_dead_letters(covered.totals.written, counted)]
    return Letters(count, tuple(together(causes, most)), tuple(faults))


def audited_routes(
    pipeline: str, log: Log, tables: Tables, dead_letter_tables: Sequence[str], causes: int | None
) -> RouteAudit:
    """What routing did with records; dead letters are counted, with so many *causes*, unless that is None."""
    letters = Letters() if causes is None else letters_without_table(tables, dead_letter_tables, causes)
    registry = _registry(tables, dead_letter_tables)
    out = RouteAudit((), letters.count, letters.causes, letters.faults)
    if registry is not None:
        out = replace(out, assigned=assigned_letters(log, tables, pipeline, registry))
    try:
        sums = route_sums(log.routed_ranges(pipeline))
    except Terminal as fault:
        return replace(out, faults=(*out.faults, str(fault)))
    faults = (f"{s.source}: {fault}" for s in sums for fault in s.faults)
    return replace(out, sums=sums, faults=(*out.faults, *faults))


def _registry(tables: Tables, dead_letter_tables: Iterable[str]) -> Registry | None:
    ledgers = []
    for name in dead_letter_tables:
        with suppress(TableMissing):
            ledgers.append(tables.load(name).ledger)
    return registry_of(ledger for ledger in ledgers if ledger is not None)
