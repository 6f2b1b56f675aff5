"""What tables get of a block of routed records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lakelock.adapters.kafka.block import Block
from lakelock.records.reasons import Reason
from lakelock.workers.unfit_places import Place

# The decompression faults of records.
Unfit = Mapping[Place, Reason]


@dataclass(frozen=True, slots=True)
class TableShares:
    """Records `[start, end)` of *block* for each of some tables. *unfit* has the decompression faults of values that are None.
    *end_soon*: the tables have their last records with those of their neighbours."""

    block: Block
    sections: Sequence[tuple[str, int, int]]
    unfit: Mapping[int, Reason]
    end_soon: bool = False


@dataclass(frozen=True, slots=True)
class LastShares:
    """Of *tables*, of which no record of the topic follows."""

    tables: Sequence[str]


def unfit_in(block: Block, unfit: Unfit) -> Mapping[int, Reason]:
    """Those of the records of *block*, by index."""
    if not unfit:
        return {}
    absent = np.flatnonzero(block.values.absent)
    places = zip(absent.tolist(), block.partitions[absent].tolist(), block.offsets[absent].tolist(), strict=True)
    return {i: unfit[p, o] for i, p, o in places if (p, o) in unfit}
