"""Garbage collections while a slice is written."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# A slice of thousands of tables makes hundreds of thousands of objects, few of them in cycles. Python looks at all of them again
# and again after each 700 new ones.
_ALLOCATIONS = 50_000


@contextmanager
def rare_collections() -> Iterator[None]:
    """Collect garbage after more allocations than usual; the process goes on with its own thresholds."""
    before = gc.get_threshold()
    gc.set_threshold(_ALLOCATIONS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
