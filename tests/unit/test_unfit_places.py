"""Values that cannot be decompressed are noted in a few bytes each."""

from __future__ import annotations

import tracemalloc

from lakelock.records.reasons import NOT_COMPRESSED, Reason
from lakelock.workers.unfit_places import MOST_REASONS, UnfitPlaces


def reason(n: int) -> Reason:
    return Reason(NOT_COMPRESSED, f"not gzip: begins with {n:08x}")


def test_each_place_has_its_reason() -> None:
    places = UnfitPlaces()
    places |= {(1, 5): reason(1), (0, 7): reason(2), (1, 9): reason(1)}
    places |= {(1, 7): reason(3), (1, 9): reason(1)}
    assert dict(places) == {(1, 5): reason(1), (0, 7): reason(2), (1, 9): reason(1), (1, 7): reason(3)}
    assert (1, 6) not in places
    assert (2, 5) not in places
    assert len(places) == 4
    places.clear()
    assert not places


def test_many_take_a_few_bytes_each() -> None:
    """Beyond a number of different reasons, further ones have their kind."""
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    places = UnfitPlaces()
    for n in range(200_000):
        places |= {(0, n): reason(n)}
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (after - before) / 200_000 < 24
    assert places[0, MOST_REASONS - 1] == reason(MOST_REASONS - 1)
    assert places[0, MOST_REASONS] == Reason(NOT_COMPRESSED, f"{NOT_COMPRESSED}, as many others are")
    assert {r.kind for r in places.values()} == {NOT_COMPRESSED}
