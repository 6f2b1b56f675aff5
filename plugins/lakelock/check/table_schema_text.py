"""The text of `bin/lakelock schema`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lakelock.check.table_schema import ColumnView, PastChange, TableSchema
from lakelock.model.units import counted, cut, one_line

# A payload can have hundreds of fields.
_CHARACTERS = 300
_CHANGES_SHOWN = 10


def schema_text(found: TableSchema) -> str:
    return "\n".join(_lines(found))


def _lines(found: TableSchema) -> Iterator[str]:
    sampled = counted(found.sampled, "sampled record")
    if not found.exists:
        yield f"{found.table}: does not exist yet; fields of {sampled}:"
        yield from _listed([f"{name}: {kind}" for name, kind in (found.fields_without_column or {}).items()])
        return
    yield f"{found.table}: {counted(len(found.columns), 'column')}, beside {sampled}"
    yield f"  in effect: new_fields: {found.new_fields}, new_types: {found.new_types}"
    yield from _columns(found.columns)
    without = [f"{name}: {kind}" for name, kind in (found.fields_without_column or {}).items()]
    for title, lines in (
        ("fields without a column:", without),
        ("columns without a field in the sample:", found.columns_without_field),
        ("changes that the next batch would make for these records:", found.changes),
        ("changes that new_fields: evolve and new_types: evolve would make:", found.possible),
        ("the file says otherwise; `bin/lakelock apply FILE` would make this:", found.differences),
        ("the file says otherwise, and it cannot be applied:", found.refused),
        ("the file has earlier names of columns:", found.notes),
        ("changes for these records are not known:", [found.fault] if found.fault else []),
        ("last changes of its columns, newest first:", _past(found.past)),
    ):
        if lines:
            yield title
            yield from _listed(lines)


def _columns(columns: Sequence[ColumnView]) -> Iterator[str]:
    rows = [("column", "type", "", "since", "in the records")]
    for c in columns:
        since = "" if c.schema is None else f"schema {c.schema}" + (" or before" if c.or_before else "")
        since += f", {c.since:%Y-%m-%d %H:%M:%S}" if c.since else ""
        need = "required" if c.required else "optional"
        rows.append((one_line(c.name), cut(c.type, _CHARACTERS), need, since, cut(c.seen or "-", _CHARACTERS)))
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:4], widths, strict=True)]
        yield f"  {'  '.join(cells)}  {row[4]}".rstrip()


def _past(past: Sequence[PastChange]) -> list[str]:
    out = []
    for one in past[:_CHANGES_SHOWN]:
        by = ", ".join(f"{name} {value}" for name, value in one.asked_by.items())
        out.append(f"{one.at:%Y-%m-%d %H:%M:%S} snapshot {one.version_id}: {'; '.join(one.changes)} ({by})")
    if len(past) > _CHANGES_SHOWN:
        out.append(f"and {len(past) - _CHANGES_SHOWN} more")
    return out


def _listed(lines: Sequence[str]) -> Iterator[str]:
    yield from (f"  {one_line(line)}" for line in lines)
