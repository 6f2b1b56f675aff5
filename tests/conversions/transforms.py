"""docs/transforms.md."""

from __future__ import annotations

from datetime import UTC, datetime

from kits.cast_cases import shown
from kits.transform_cases import FILTERED, TOOLS, TRANSFORMS, Record, Transform, Words

from conversions.page import REPOSITORY, code, dead, value, wrapped

PAGE = REPOSITORY / "docs" / "transforms.md"
HEAD = "| their transform | in the pipeline file | record | becomes |\n|---|---|---|---|"
INTRO = """# Transforms of other tools

This page lists the transforms of kafka-delta-ingest, of the Apache Iceberg sink and of Kafka Connect, the
settings of lakelock that do the same, and {count} records with the result of each.
[Shape records](shaping.md) and [JSON to columns](json.md) explain the settings.

`python -m conversions` (with `PYTHONPATH=tests`) writes this page from the cases of
[`test_transforms.py`](../tests/unit/test_transforms.py), and those with SQL of
[`test_expressions.py`](../tests/integration/test_expressions.py). The tests write the settings into a
pipeline file, pass each record through the path that a Spark task takes, and read the files that it wrote.

- `source`, `value` and `metadata_columns` are keys of the pipeline, all others keys of a table. Without
  `metadata_columns`, a case has no metadata columns.
- A *dead letter* is followed by its [kind](json.md#kinds-of-faults). A *filtered* record is in no table, and
  the books count it.
- Values are shown as in [Conversions](conversions.md). Times are in UTC.
- *Not yet* means that lakelock has no equivalent.
"""


def page() -> str:
    out = [wrapped(INTRO.format(count=len(TRANSFORMS)))]
    for tool in TOOLS:
        out += [wrapped(f"## {tool.title}\n\n{tool.source}.\n"), HEAD]
        out += [_line(t) for t in tool.transforms]
        out.append("")
    return "\n".join(out)


def _line(transform: Transform | Words) -> str:
    if isinstance(transform, Words):
        return f"| {transform.theirs} | {transform.why} | | |"
    settings = "<br>".join(map(code, transform.settings))
    return f"| {transform.theirs} | {settings} | {_record(transform.record)} | {_becomes(transform)} |"


def _becomes(transform: Transform) -> str:
    if transform.row is None:
        return FILTERED if transform.other == FILTERED else dead(transform.other)
    return ", ".join(f"{code(name)}: {value(text)}" for name, text in transform.row.items())


def _record(record: Record) -> str:
    """Its value, and of the rest what is not the default."""
    parts = [record.called or code((record.value or b"").decode())]
    parts += [f"header {code(name)}: {code((sent or b'').decode())}" for name, sent in record.headers]
    default = Record(None)
    parts += [
        f"{name} {code(str(own))}"
        for name, own, usual in (
            ("topic", record.topic, default.topic),
            ("partition", record.partition, default.partition),
            ("offset", record.offset, default.offset),
        )
        if own != usual
    ]
    if record.timestamp_ms is not None:
        at = datetime.fromtimestamp(record.timestamp_ms / 1000, UTC)
        parts.append(f"timestamp {code(shown(at))}")
    return "<br>".join(parts)
