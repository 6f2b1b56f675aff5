"""The inputs that fuzzing begins with have its property, and an input that has not is found."""

from __future__ import annotations

from random import Random

import pytest
from campaigns.fuzz_targets import BETWEEN, TARGETS, TOMBSTONE, check, seeds
from hypothesis import given
from hypothesis import strategies as st
from lakelock.records.decoding import Decoded
from lakelock.records.values import Values


@pytest.mark.parametrize("name", TARGETS)
def test_what_fuzzing_begins_with_is_settled_once(name: str) -> None:
    for data in seeds(TARGETS[name], Random(name), 20):
        check(TARGETS[name], data)


@pytest.mark.parametrize("name", TARGETS)
def test_the_sample_has_rows(name: str) -> None:
    target = TARGETS[name]
    for record in target.sample:
        found = target.decoder.decode(_values([record]))
        assert found.table.num_rows == 1, found.bad


@given(st.sampled_from(list(TARGETS)), st.lists(st.binary(max_size=40), max_size=4))
def test_any_bytes_are_settled_once(name: str, records: list[bytes]) -> None:
    check(TARGETS[name], BETWEEN.join([*records, TOMBSTONE]))


def test_a_record_that_is_neither_row_nor_dead_letter_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    target = TARGETS["raw text"]
    found = target.decoder.decode(_values([b"a", b"b"]))

    class Losing:
        unknown_fields = frozenset[str]()

        def decode(self, values: object, filtered: object = None) -> Decoded:
            return Decoded(found.table.slice(0, 1), [0], [])

    monkeypatch.setitem(target.__dict__, "decoder", Losing())
    with pytest.raises(AssertionError, match="are rows"):
        check(target, BETWEEN.join([b"a", b"b"]))


def _values(records: list[bytes | None]) -> Values:
    return Values.from_list(records)
