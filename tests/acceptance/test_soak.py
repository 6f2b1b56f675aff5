"""A minute of `python -m campaigns.soak`: load, and servers and processes killed and frozen by chance."""

from __future__ import annotations

import random

import pytest
from campaigns.servers import started
from campaigns.soak import soak

SECONDS, RATE = 60.0, 200


@pytest.mark.long
def test_a_minute_of_random_faults_under_load_loses_and_doubles_nothing() -> None:
    """Its seed is printed; the same one chooses the same faults again."""
    seed = random.randrange(1_000_000)
    with started(spark=True) as own:
        result = soak(own.known, own.killable, SECONDS, RATE, seed)
    print(result.text)
    assert result.visible > 0
    assert result.well, result.text
