"""Values of a topic that cannot be decompressed: a few bytes each, because all values of a slice may be such."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping

from lakelock.records.reasons import Reason

Place = tuple[int, int]
# Each has some 300 bytes. A reason quotes four bytes of its value, so there may be as many as values.
MOST_REASONS = 1_000


class UnfitPlaces(Mapping[Place, Reason]):
    """Reasons by partition and offset. Beyond *MOST_REASONS* different ones, a further one has its kind alone."""

    def __init__(self) -> None:
        self.clear()

    def __ior__(self, more: Mapping[Place, Reason]) -> UnfitPlaces:
        for (partition, offset), reason in more.items():
            offsets, numbers = self._of.setdefault(partition, (array("q"), array("i")))
            # They come in order but for a block that is read again.
            at = len(offsets) if not offsets or offset > offsets[-1] else bisect_left(offsets, offset)
            if at == len(offsets) or offsets[at] != offset:
                offsets.insert(at, offset)
                numbers.insert(at, self._number(reason))
        return self

    def _number(self, reason: Reason) -> int:
        if reason not in self._reasons and len(self._reasons) >= MOST_REASONS:
            reason = Reason(reason.kind, f"{reason.kind}, as many others are", reason.field)
        if reason not in self._reasons:
            self._reasons[reason] = len(self._by_number)
            self._by_number.append(reason)
        return self._reasons[reason]

    def __getitem__(self, place: Place) -> Reason:
        partition, offset = place
        offsets, numbers = self._of.get(partition, (array("q"), array("i")))
        at = bisect_left(offsets, offset)
        if at == len(offsets) or offsets[at] != offset:
            raise KeyError(place)
        return self._by_number[numbers[at]]

    def __iter__(self) -> Iterator[Place]:
        return ((partition, offset) for partition, (offsets, _) in self._of.items() for offset in offsets)

    def __len__(self) -> int:
        return sum(len(offsets) for offsets, _ in self._of.values())

    def clear(self) -> None:
        self._reasons: dict[Reason, int] = {}
        self._by_number: list[Reason] = []
        self._of: dict[int, tuple[array[int], array[int]]] = {}
