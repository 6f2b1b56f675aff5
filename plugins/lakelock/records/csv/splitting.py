"""What a split of records into fields finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lakelock.records.csv.options import CsvOptions
from lakelock.records.values import Flags, Values


@dataclass(frozen=True, slots=True)
class Split:
    """*faults* marks the records that are no row, and those that were passed over. `texts` has those of one field in all others,
    null for nulls; these must be UTF-8.
    """

    faults: npt.NDArray[np.bool_]
    texts: Callable[[int], pa.Array]


class Splitter(Protocol):
    """Makes a split into rows of so many fields, which passes over the records that are flagged."""

    def __call__(self, options: CsvOptions, fields: int) -> Callable[[Values, Flags], Split]: ...
