"""Text of an audit for `bin/lakelock audit` and Airflow's log."""

from __future__ import annotations

from lakelock.audit.audit import PipelineAudit, TableAudit
from lakelock.audit.decision import about_causes
from lakelock.audit.route_sums import RouteAudit
from lakelock.model.offsets import offsets_in
from lakelock.model.units import as_row, counted, one_line


def audit_text(a: PipelineAudit) -> str:
    """The audit as text: a line per source of each table, followed by the table's faults."""
    outside = any(s.asked or s.gaps for table in a.tables for s in table.sources)
    complete = "complete" + (
        ": each offset is accounted for, but some are left out, or wait for a backfill" if outside else ""
    )
    lines = [f"{a.pipeline}: {complete if a.complete else 'NOT COMPLETE'}"]
    lines += [f"  FAULT  {fault}" for fault in a.faults]
    if a.routes is not None:
        lines += _routes(a.routes)
    for table in a.tables:
        about = [f"snapshot {table.version_id}, generation {table.generation}"] if table.version_id else []
        about += [table.note] if table.note else []
        about += _outside(table)
        about += [f"not counted: {reason}" for reason in table.not_counted]
        about += [f"plus {table.rows_without_offset} rows without an offset"] if table.rows_without_offset else []
        lines.append("; ".join([table.table, *about]))
        if table.sources:
            heads = ("start", "end", "held", "open", "lag", "no record", "written", "dead", "filtered", "rows")
            lines.append(as_row("source", *heads))
        for s in table.sources:
            books = (s.without_record, s.totals.written, s.totals.dead, s.totals.filtered)
            rows = "-" if s.counted is None else s.counted.rows
            lines.append(as_row(str(s.source), s.start_offset, s.end_offset, s.held, s.open, s.lag, *books, rows))
            lines += [f"    {line}" for line in s.lines]
        lines += [f"  dead letters  {one_line(c.line)}" for c in table.causes]
        lines += [f"  dead letters  {line}" for line in about_causes(table.sources)] if table.causes else []
        lines += [f"  decided  {d.line}" for d in table.decisions]
        lines += [f"  last rolled back  {table.last_rollback}"] if table.last_rollback else []
        lines += [f"  FAULT  {fault}" for fault in table.faults]
    return "\n".join(lines)


def _routes(routes: RouteAudit) -> list[str]:
    lines = [
        "routes: what rules did with records, in batches whose detail is kept, up to the offset that all tables have; "
        "without backfills"
    ]
    if routes.sums:
        lines.append(as_row("source", "from", "up to", "read", "filtered", "no table", "routed"))
    for s in routes.sums:
        lines.append(as_row(str(s.source), s.start_offset, s.end_offset, s.read, s.filtered, s.without_table, s.routed))
    if routes.letters:
        rows = offsets_in(routes.assigned.rows)
        became = f", {rows} of which {'is a row' if rows == 1 else 'are rows'} now" if rows else ""
        lines.append(f"  {counted(routes.letters, 'dead letter')} without a table so far{became}")
    for table, of in sorted(routes.assigned.waiting.items()):
        how = ". It is retired: they wait for a rebind" if of.is_retired else ""
        lines.append(f"  assigned to {table} and no rows yet: {of.letters:,}{how}")
    return [*lines, *(f"  dead letters  {one_line(c.line)}" for c in routes.causes)]


def _outside(t: TableAudit) -> list[str]:
    """Phrases about offsets that are accounted for but not in the table."""
    coming = sum(s.open + s.lag for s in t.sources)
    requested, left_out = sum(s.asked for s in t.sources), sum(n for s in t.sources for n in s.gaps.values())
    return [
        *([f"{counted(coming, 'offset')} still to come"] if coming else []),
        *([f"{counted(requested, 'offset')} that a backfill will load"] if requested else []),
        *([f"{counted(left_out, 'offset')} left out by decisions"] if left_out else []),
    ]
