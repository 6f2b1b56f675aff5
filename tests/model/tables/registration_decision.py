"""Decide what the pipeline's ledger names before anything that needs it is staged: tables with UUIDs, and configurations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lakelock.model.offsets import OffsetRange

# None: the table could not be created yet.
Uuids = Mapping[str, str | None]


class Registered(NamedTuple):
    """A configuration that routes the records of a source from *first_offset* on."""

    first_offset: int
    config_digest: str


def config_of(configs: Sequence[Registered], r: OffsetRange) -> str | None:
    """The configuration that is registered for all of *r*; None if there are several, or none."""
    ends = [c.first_offset for c in configs[1:]] + [r.end]
    found = {c.config_digest for c, end in zip(configs, ends, strict=True) if c.first_offset < r.end and end > r.start}
    return found.pop() if len(found) == 1 else None


def registering(configs: Sequence[Registered], planned: Sequence[tuple[OffsetRange, str]]) -> tuple[Registered, ...]:
    """*configs* with those of *planned*: of one source, the ranges of a batch and of all live batches planned before it.

    A registration that left out an earlier batch would be undone when that batch registers.
    """
    out = tuple(configs)
    for r, config_digest in planned:
        if config_of(out, r) != config_digest:
            out = (*(c for c in out if c.first_offset < r.start), Registered(r.start, config_digest))
    return out


def cut(configs: Sequence[Registered], frontier: int) -> tuple[Registered, ...]:
    """*configs* as a recovery leaves them: nothing was routed from *frontier* on."""
    return tuple(c for c in configs if c.first_offset < frontier or c.first_offset == 0)


def new_tables(known: Uuids, routed: Uuids) -> dict[str, str | None]:
    """Entries of *routed* that the ledger lacks. A table that could not be created is registered without a UUID."""
    return {t: uuid for t, uuid in routed.items() if known.get(t) is None and (t not in known or uuid is not None)}


def may_create(table: str, known: Uuids, bound: str | None) -> bool:
    """Whether a run may create *table*: neither the ledger nor the log (*bound*) knows it with a UUID."""
    return known.get(table) is None and bound is None


def may_land(known: Uuids, table: str, uuid: str, registered: str | None, config_digest: str) -> bool:
    """Whether the ledger names the table and the configuration of a part. *registered* is that of the part's offsets."""
    return known.get(table) == uuid and registered == config_digest
