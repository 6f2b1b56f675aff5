"""The outcome of a commit that was refused or never answered: read from the table, never guessed."""

from __future__ import annotations

from enum import Enum

from lakelock.adapters.iceberg.handle import Handle
from lakelock.adapters.iceberg.snapshot_builder import Draft


class Outcome(Enum):
    """Outcome of a commit; LANDED and REFUSED are proven."""

    LANDED = "landed"
    REFUSED = "refused"
    UNKNOWN = "unknown"


def judge(draft: Draft, before: Handle, now: Handle, metadata_moved: bool, said_no: bool) -> Outcome:
    """Decide the outcome of *draft* from *now*, a later load. *said_no*: the catalog reported a failed requirement.

    Each snapshot of a table has a sequence number of its own, one above the last. So a retained foreign snapshot with
    this draft's number, or a last number below it, proves that the draft is not in the table; its absence alone does
    not, because it may have landed and expired. It cannot land later either if a requirement can no longer hold, or if
    the catalog reported a refusal and there is a change that explains it.
    """
    snapshot_id, number = draft.snapshot.snapshot_id, draft.snapshot.sequence_number or 0
    if now.metadata.table_uuid != before.metadata.table_uuid:
        # This table shows nothing about the one it replaced.
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
