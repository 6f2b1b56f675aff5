"""What became of a commit whose answer was no, or never came: read from the table, never guessed."""

from __future__ import annotations

from enum import Enum

from lakelock.adapters.iceberg.handle import Handle
from lakelock.adapters.iceberg.snapshots import Draft


class Outcome(Enum):
    """LANDED and REFUSED are proven."""

    LANDED = "landed"
    REFUSED = "refused"
    UNKNOWN = "unknown"


def judge(draft: Draft, before: Handle, now: Handle, metadata_moved: bool, said_no: bool) -> Outcome:
    """*now* is a load after the answer; *said_no*: the catalog itself reported that a requirement did not hold.

    A table gives each snapshot a sequence number of its own, one above the last. So a retained foreign snapshot with
    this draft's number, or a last number below it, proves that the draft is not in the table; its absence alone does
    not, because it may have landed and expired. That it will not land later either follows from a requirement that can
    no longer hold, or from the catalog's own no together with the change that explains it.
    """
    snapshot_id, number = draft.snapshot.snapshot_id, draft.snapshot.sequence_number or 0
    if now.metadata.table_uuid != before.metadata.table_uuid:
        # What this table shows says nothing about the one that was there.
        return Outcome.REFUSED if said_no else Outcome.UNKNOWN
    if snapshot_id in now.snapshots:
        in_branch = any(s.snapshot_id == snapshot_id for s in now.ancestry())
        return Outcome.LANDED if in_branch else Outcome.UNKNOWN
    taken = any(s.sequence_number == number for s in now.metadata.snapshots)
    absent = taken or now.metadata.next_sequence_number() <= number
    moved = (
        now.branch_ref != before.branch_ref
        or now.tag_ref != before.tag_ref
        or now.metadata.current_schema_id != before.metadata.current_schema_id
        or now.metadata.default_spec_id != before.metadata.default_spec_id
        # Catalogs refuse a snapshot whose number is not above the last one's, unless it has no parent.
        or (taken and draft.snapshot.parent_snapshot_id is not None)
    )
    return Outcome.REFUSED if absent and (moved or (said_no and metadata_moved)) else Outcome.UNKNOWN
