"""Values of a batch that are in no row, because their columns were dropped."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Sequence

from lakelock.model.units import counted
from lakelock.ports import SliceOutput

logger = logging.getLogger(__name__)


def report_left_out(outputs: Sequence[SliceOutput], tables: Collection[str]) -> int:
    """Log them by table and field, and return how many there are in all."""
    total = 0
    for name in sorted(tables):
        found: Counter[str] = Counter()
        for output in (t for o in outputs for t in o.tables if t.table == name):
            found.update(output.left_out)
        if found:
            fields = ", ".join(f"{counted(n, 'value')} of {path}" for path, n in sorted(found.items()))
            logger.info("%s: left out of rows, because their columns were dropped: %s", name, fields)
            total += found.total()
    return total
