"""A pipeline in memory that has moved its first records."""

from __future__ import annotations

import pytest
from kits.memory_world import MemoryWorld


@pytest.fixture
def memory() -> MemoryWorld:
    world = MemoryWorld()
    world.produce(20)
    world.run()
    return world
