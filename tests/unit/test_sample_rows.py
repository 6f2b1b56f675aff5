"""Records of a sample as they are in Kafka, and what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
from lakelock.adapters.kafka.sample import SampledRecord
from lakelock.check.sample_rows import SHOWN, before_and_after
from lakelock.model.offsets import Source
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import Decoded
from lakelock.records.reasons import Reason

AT = Source("orders", "id", 3)


def shown(
    values: list[bytes | None],
    bad: dict[int, str],
    filters: dict[int, str],
    stopping: Sequence[int] = (),
    *,
    hides: bool = False,
) -> list[str]:
    good = [i for i in range(len(values)) if i not in bad and i not in filters]
    table = pa.table({"id": pa.array(good, pa.int64()), "raw": [b"\x01"] * len(good), "none": pa.nulls(len(good))})
    reasons = {i: Reason("kind", why) for i, why in bad.items()}
    decoded = Decoded(table, good, [BadRecord(i, "convert", why) for i, why in reasons.items()])
    records = [SampledRecord(AT, 40 + i, 0, None, v) for i, v in enumerate(values)]
    return before_and_after(records, values, decoded, reasons, filters, stopping, hides=hides)


def test_each_record_is_followed_by_its_row_its_reason_or_its_filter() -> None:
    lines = shown([b'{"id":0}', b"{\xff\n}", None, b'{"id":3}'], {1: "no JSON"}, {2: "missing value"})
    assert lines == [
        "# 4 of these records, before and after:",
        f'#   {AT} 40: {{"id":0}}',
        '#     row: {"id": 0, "raw": "0x01"}',
        f"#   {AT} 41: {{\\xff }}",
        "#     dead letter: no JSON",
        f'#   {AT} 43: {{"id":3}}',
        '#     row: {"id": 3, "raw": "0x01"}',
        f"#   {AT} 42: no value",
        "#     filtered: missing value",
    ]


def test_a_record_that_stops_the_batch_is_no_dead_letter() -> None:
    lines = shown([b"1", b"2"], {0: "check 'a' does not hold", 1: "no JSON"}, {}, stopping=[0])
    assert lines[2::2] == ["#     stops the batch: check 'a' does not hold", "#     dead letter: no JSON"]


def test_ten_are_shown_and_long_ones_are_cut() -> None:
    lines = shown([b"x" * 1000] * 30, {}, {})
    assert len(lines) == 1 + 2 * SHOWN
    assert all(len(line) < 400 for line in lines)
    assert shown([], {}, {}) == []


def test_what_a_mask_hides_is_not_shown() -> None:
    lines = shown([b'{"mail":"ann@example.org"}', None], {}, {}, hides=True)
    assert "ann@" not in "".join(lines)
    assert "(a column has a mask)" in lines[1]
