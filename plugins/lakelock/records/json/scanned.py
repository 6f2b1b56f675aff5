"""What a scan of records finds by a tree of fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lakelock.records import reasons
from lakelock.records.json.block_parser import not_json
from lakelock.records.json.record_fields import Node, Path
from lakelock.records.reasons import Reason
from lakelock.records.values import Values

Places = npt.NDArray[np.int64]

TOO_DEEP = Reason(reasons.UNREADABLE, "objects and lists are nested too deep")


class Fault(IntEnum):
    """Why a scan refuses a record."""

    NONE = 0
    INVALID = 1
    TOO_DEEP = 2
    TWICE = 3


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a scan found in *values*. In `without`, fields taken as text or kept in the rest are the number 0.

    `starts` and `ends` are places in `values`' buffer, by slot and record; below zero for a record without the field.
    `faults` is by record, with `twice` as the slot of a field that is there twice. `rest` has what no node takes of each
    record, as the text of an object; null for nothing.
    """

    values: Values
    without: Values
    starts: Places
    ends: Places
    faults: npt.NDArray[np.uint8]
    twice: Places
    rest: pa.Array | None
    gather: Callable[[Values, Places, Places], pa.Array]

    def texts(self, slot: int, records: Places) -> pa.Array:
        """The text of a field in *records*, as written; null for those without it."""
        return self.gather(self.values, self.starts[slot][records], self.ends[slot][records])

    def fault(self, record: int, slots: Sequence[Path]) -> Reason:
        """Why the scan refuses a record; *slots* are the paths of the fields it takes."""
        match Fault(self.faults[record]):
            case Fault.TWICE:
                path = ".".join(slots[int(self.twice[record])])
                return Reason(reasons.FIELD_TWICE, f"field {path!r} is there twice", path)
            case Fault.TOO_DEEP:
                return TOO_DEEP
        return not_json(self.values[record])


class Scanner(Protocol):
    """Makes scans; *keeps_rest* if a scan is to gather what no node takes."""

    def __call__(self, root: Node, slots: int, keeps_rest: bool) -> Callable[[Values], Scanned]: ...
