"""Reading tables in memory: rows, ledgers, and the snapshots that expire."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from lakelock.model import ledger as codec
from lakelock.model.column_types import Column, Integer
from lakelock.model.counts import Counted
from lakelock.model.coverage import SourceCoverage
from lakelock.model.layouts import Layout
from lakelock.model.ledger_facts import LedgerMarks
from lakelock.model.offsets import OffsetRange
from lakelock.model.table_files import RowsOf
from lakelock.model.versions import OwnVersion, Version
from lakelock.ports import TableState
from lakelock.records.metadata import METADATA_TYPES
from lakelock.testing.catalog import Meta, Row, Snap
from lakelock.upkeep.expiry_decision import Past, expirable, reach

PIPELINE = "p"
TAG = "lakelock-" + PIPELINE
MARKS = LedgerMarks("tag", "property", "the tag names the newest snapshot")
OWNER = codec.owner_property(PIPELINE)


def meta_of(state: TableState) -> Meta:
    assert isinstance(state.handle, Meta)
    return state.handle


@lru_cache(maxsize=64)
def columns_of(variant: int, extras: tuple[str, ...] = ()) -> tuple[Column, ...]:
    metadata = (Column(f"_kafka_{key}", METADATA_TYPES[key][0]) for key in ("partition", "offset", "timestamp"))
    return (*metadata, Column(f"v{variant}", Integer(64)), *(Column(name, Integer(64)) for name in extras))


def layout_of(meta: Meta) -> Layout:
    """The token has all that decides whether files fit: the variant, and the columns beside it with their ids."""
    extras = ", ".join(f"{name} {number}" for name, number in meta.extras)
    token = f"schema {meta.schema_id} {_variant(meta)} [{extras}]"
    return Layout(token, details={"variant": meta.variant, "extras": dict(meta.extras)})


def fits_layout(meta: Meta, token: str) -> bool:
    """Whether the table still has every column of files that were written for the layout of this *token*."""
    head, _, extras = token.removesuffix("]").partition(" [")
    ids = {f"{name} {number}" for name, number in meta.extras}
    return head.endswith(_variant(meta)) and ids.issuperset(filter(None, extras.split(", ")))


def _variant(meta: Meta) -> str:
    return f"(variant {meta.variant} since {meta.variant_since})"


def is_dead_letter(row: tuple[str, str, str, int, int], target: str, ranges: Sequence[OffsetRange]) -> bool:
    return row[0] == target and any(
        row[1:4] == (r.source.topic, r.source.topic_id, r.source.partition) and r.start <= row[4] < r.end
        for r in ranges
    )


def is_of(row: Row, rows: RowsOf) -> bool:
    return row is not None and any(row[3] == n and a <= row[4] < b for n, a, b in rows.numbers)


def counted(offsets: Sequence[int], covered: SourceCoverage | None) -> Counted:
    within = [o for o in offsets if covered and any(i.start <= o < i.end for i in covered.data)]
    return Counted(len(offsets), len(set(offsets)), len(offsets) - len(within))


def version_of(snap: Snap | None) -> Version | None:
    return snap and Version(snap.snapshot_id, snap.sequence, snap.timestamp_ms)


def tag_in_ancestry(meta: Meta) -> bool | None:
    """See `Handle.tag_in_ancestry`."""
    tagged = meta.snapshots.get(meta.refs.get(TAG, -1))
    if tagged is None or meta.head is None:
        return False
    for snap in meta.ancestry(meta.head):
        if snap.snapshot_id == tagged.snapshot_id:
            return True
        if snap.sequence <= tagged.sequence:
            return False
    return None


def summary_of(snap: Snap) -> dict[str, str]:
    return codec.summary(snap.ledger, snap.batches, ()) if snap.ledger else {}


def expired(meta: Meta, keep: int, by: Snap) -> list[int]:
    history = [Past(s.snapshot_id, s.is_append, s.is_replace) for s in (by, *meta.ancestry(meta.head))]
    return expirable(history, reach((s.is_replace for s in history), keep), set(meta.refs.values()))


def own_since(meta: Meta, snapshot_id: int) -> list[OwnVersion] | None:
    out: list[OwnVersion] = []
    for snap in meta.ancestry(meta.head):
        if snap.snapshot_id == snapshot_id:
            return out[::-1]
        if snap.ledger is not None:
            out.append(OwnVersion(snap.ledger.coverage, snap.ranges))
    return None
