"""Some of the sampled records, as they are in Kafka and as they would be in the table."""

from __future__ import annotations

import json
from collections.abc import Container, Mapping, Sequence

from lakelock.adapters.kafka.sample import SampledRecord
from lakelock.model.units import cut, one_line
from lakelock.records.decoding import Decoded
from lakelock.records.reasons import Reason

SHOWN = 10
CHARACTERS = 300


def before_and_after(
    records: Sequence[SampledRecord],
    values: Sequence[bytes | None],
    decoded: Decoded,
    reasons: Mapping[int, Reason],
    filters: Mapping[int, str],
    stopping: Container[int] = (),
    *,
    hides: bool,
) -> list[str]:
    """Lines for the first records: place and value, then the row without its nulls, or why there is none.

    Records that are filtered come last; *filters* names the filter of each. *stopping* are indexes of those that stop the
    batch.
    *hides* leaves out values as they are in Kafka, because a column of the table has a mask.
    """
    shown = sorted(range(len(records)), key=lambda i: (i in filters, i))[:SHOWN]
    good = range(len(records)) if decoded.good is None else decoded.good
    rows = dict(zip(good, decoded.table.slice(0, SHOWN).to_pylist(), strict=False))
    lines = [f"# {len(shown)} of these records, before and after:"] if shown else []
    for i in shown:
        value = values[i]
        if value is None:
            text = "no value"
        else:
            text = "(a column has a mask)" if hides else one_line(value.decode(errors="backslashreplace"))
        lines.append(f"#   {records[i].source} {records[i].offset}: {cut(text, CHARACTERS)}")
        if i in filters:
            lines.append(f"#     filtered: {one_line(filters[i])}")
        elif i in rows:
            lines.append(f"#     row: {cut(_row_text(rows[i]), CHARACTERS)}")
        else:
            kind = "stops the batch" if i in stopping else "dead letter"
            lines.append(f"#     {kind}: {cut(one_line(reasons[i].message), CHARACTERS)}")
    return lines


def _row_text(row: Mapping[str, object]) -> str:
    return json.dumps({n: v for n, v in row.items() if v is not None}, ensure_ascii=False, default=_text)


def _text(value: object) -> str:
    return f"0x{value.hex()}" if isinstance(value, bytes) else str(value)
