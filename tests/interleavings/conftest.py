"""A pipeline without a server for every test of how the product's steps interleave."""

from __future__ import annotations

import pytest
from kits.memory_world import MemoryWorld


@pytest.fixture
def memory() -> MemoryWorld:
    """A pipeline that has moved its first records already."""
    world = MemoryWorld()
    world.produce(20)
    world.run()
    return world
