"""Numbers for the texts that records have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.records.routing.record_texts import NoText

Codes = npt.NDArray[np.int64]
# A text, why there is none, or None for no value.
Found = str | NoText | None
# Of a column that is absent, or of which any value that it has makes no difference.
NO_CODE = -1
# There are fewer codes, and fewer combinations of them.
_CODE_BITS = 31


class Numbered:
    """Texts that records have, numbered over all blocks; most blocks have nothing new."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self._numbers: dict[Found, int] = {}
        # Texts by what is made of them, and the numbers of these; the last number is for none.
        self._known: dict[Callable[[Any], Found], tuple[pa.Array, Codes]] = {}

    @property
    def size(self) -> int:
        """Texts that are kept; many may have the same number, such as all objects."""
        return len(self.found) + sum(len(texts) for texts, _ in self._known.values())

    def number(self, found: Found) -> int:
        number = self._numbers.setdefault(found, len(self.found))
        if number == len(self.found):
            self.found.append(found)
        return number

    def codes(self, texts: pa.Array, value: Callable[[Any], Found]) -> Codes:
        """Numbers of what *value* makes of each text, `NO_CODE` for nulls."""
        known, of_known = self._known.get(value, (pa.array([], texts.type), np.array([NO_CODE])))
        at = pc.index_in(texts, known)
        if at.null_count > texts.null_count:
            new = texts.filter(pc.and_(at.is_null(), texts.is_valid())).unique()
            numbers = [self.number(value(raw)) for raw in new.to_pylist()]
            known = pa.concat_arrays([known, new])
            of_known = np.concatenate([of_known[:-1], numbers, [NO_CODE]]).astype(np.int64)
            self._known[value] = known, of_known
            at = pc.index_in(texts, known)
        codes: Codes = of_known[pc.fill_null(at, -1).to_numpy(zero_copy_only=False)]
        return codes

    def codes_of_some(
        self, texts: pa.Array, may_be: Callable[[pa.Array], pa.Array], value: Callable[[Any], Found]
    ) -> Codes:
        """As `codes`, but only those of the distinct texts that *may_be* wanted get a number."""
        found = texts.dictionary_encode()
        at = np.flatnonzero(may_be(found.dictionary).to_numpy(zero_copy_only=False))
        numbers = np.full(len(found.dictionary) + 1, NO_CODE)
        numbers[at] = [self.number(value(raw)) for raw in found.dictionary.take(pa.array(at)).to_pylist()]
        codes: Codes = numbers[pc.fill_null(found.indices, -1).to_numpy(zero_copy_only=False)]
        return codes


def itself(text: str) -> Found:
    return text


@dataclass(slots=True)
class TextColumn:
    """What a placeholder has in each record: *codes* are numbers in *of*, `NO_CODE` for nothing."""

    codes: Codes
    of: Numbered

    def found(self, record: int) -> Found:
        code = int(self.codes[record])
        return None if code == NO_CODE else self.of.found[code]

    def put(self, record: int, found: Found) -> None:
        self.codes[record] = self.of.number(found)


class Combinations:
    """Numbers for the codes that records have in several columns together, kept over all blocks."""

    def __init__(self) -> None:
        # Of each column but the first: the number so far, and the code.
        self._known: dict[int, pa.Array] = {}

    def of(self, columns: Sequence[Codes], count: int) -> Codes:
        """Of *count* records: equal if they have the same codes in all of *columns*."""
        if not columns:
            return np.zeros(count, np.int64)
        numbers: Codes = columns[0] - NO_CODE
        for n, column in enumerate(columns[1:]):
            pairs = pa.array(numbers << _CODE_BITS | (column - NO_CODE))
            known = self._known.get(n, pairs.slice(0, 0))
            at = pc.index_in(pairs, known)
            if at.null_count:
                known = self._known[n] = pa.concat_arrays([known, pairs.filter(at.is_null()).unique()])
                at = pc.index_in(pairs, known)
            numbers = at.to_numpy().astype(np.int64)
        return numbers
