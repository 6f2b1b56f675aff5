"""What people read of a status and an audit."""

from __future__ import annotations

from datetime import UTC

from lakelock.steps.audit import PipelineAudit
from lakelock.steps.status import PipelineStatus


def status_text(s: PipelineStatus) -> str:
    """What a person reads: a line per source, then decisions, rollbacks, open batches and last commits."""
    lines = [f"{s.pipeline}: {s.lag_offsets} offsets behind in {len(s.sources)} partitions"]
    lines.append(_row("source", "low", "end", "frontier", "committed", "lag", "lag s", "retention left s"))
    lines += [
        _row(
            str(x.source),
            x.low_offset,
            x.end_offset,
            x.frontier,
            x.committed,
            x.lag_offsets,
            "?" if x.lag_s is None else f"{x.lag_s:.1f}",
            "-" if x.retention_left_s is None else f"{x.retention_left_s:.0f}",
        )
        for x in s.sources
    ]
    if s.stopped:
        lines.append(f"the next run stops: {s.stopped}")
    if s.waiting_s:
        lines.append("staged, oldest part: " + ", ".join(f"{t} {age:.1f} s" for t, age in s.waiting_s.items()))
    if s.decisions:
        lines += ["last decisions:", *(f"  {d}" for d in s.decisions)]
    if s.rollbacks:
        lines += ["last rollbacks; what was committed before them may be left out:", *(f"  {r}" for r in s.rollbacks)]
    if s.parts:
        lines.append("open batches and last commits:")
        lines += [
            f"  {p.state:9} {p.table}  batch {p.batch_id}  {p.rows} rows, {p.files} files"
            + (f", snapshot {p.snapshot_id}" if p.snapshot_id else "")
            + (f", {p.at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" if p.at else "")
            for p in s.parts
        ]
    return "\n".join(lines)


def audit_text(a: PipelineAudit) -> str:
    """What a person reads: a line per source of each table, then what is wrong with it."""
    lines = [f"{a.pipeline}: {'complete' if a.complete else 'NOT COMPLETE'}"]
    lines += [f"  FAULT  {fault}" for fault in a.faults]
    for table in a.tables:
        about = [f"snapshot {table.snapshot_id}, generation {table.generation}"] if table.snapshot_id else []
        about += [table.note] if table.note else []
        about += [f"not counted: {reason}" for reason in table.not_counted]
        about += [f"beside {table.rows_without_offset} rows without an offset"] if table.rows_without_offset else []
        lines.append("; ".join([table.table, *about]))
        if table.sources:
            heads = ("start", "end", "held", "open", "lag", "no record", "written", "dead", "filtered", "rows")
            lines.append(_row("source", *heads))
        for s in table.sources:
            books = (s.without_record, s.totals.written, s.totals.dead, s.totals.filtered)
            rows = "-" if s.counted is None else s.counted.rows
            lines.append(_row(str(s.source), s.start_offset, s.end_offset, s.held, s.open, s.lag, *books, rows))
            lines += [f"    declared as not to be read: {n} offsets, {kind}" for kind, n in s.gaps.items()]
            lines += [f"    retired: nothing from {s.retired_from} on is read"] if s.retired_from is not None else []
        lines += [f"  decided  {d.line}" for d in table.decisions]
        lines += [f"  last rolled back  {table.last_rollback}"] if table.last_rollback else []
        lines += [f"  FAULT  {fault}" for fault in table.faults]
    return "\n".join(lines)


def _row(first: str, *rest: object) -> str:
    return f"  {first:32}" + "".join(f"  {x!s:>11}" for x in rest)
