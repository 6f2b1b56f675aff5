"""Text of a pipeline's status for `bin/lakelock status`."""

from __future__ import annotations

from datetime import UTC

from lakelock.model.units import as_row, counted
from lakelock.model.valid_through import text
from lakelock.monitor.incidents import missing_line
from lakelock.monitor.status import PipelineStatus


def status_text(s: PipelineStatus) -> str:
    """The status as text: a line per source, then decisions, rollbacks, open batches and last commits."""
    lines = [f"{s.pipeline}: {counted(s.lag_offsets, 'offset')} behind in {counted(len(s.sources), 'partition')}"]
    lines.append(as_row("source", "low", "end", "frontier", "committed", "lag", "lag s", "retention left s"))
    lines += [
        as_row(
            str(x.source),
            x.low_offset,
            x.end_offset,
            x.frontier,
            x.committed,
            x.lag_offsets,
            "?" if x.lag_s is None else f"{x.lag_s:.1f}",
            ("?" if x.retention_unknown else "-") if x.retention_left_s is None else f"{x.retention_left_s:.0f}",
        )
        for x in s.sources
    ]
    if s.valid_through_ms:
        said = (f"{t} {'unknown' if at is None else text(at)}" for t, at in s.valid_through_ms.items())
        lines.append(f"valid through: {', '.join(said)}")
    if s.missing:
        lines.append(missing_line(s.missing))
    if s.stopped:
        lines.append(f"the next run stops: {s.stopped}")
    if s.waiting_s:
        lines.append("staged, oldest part: " + ", ".join(f"{t} {age:.1f} s" for t, age in s.waiting_s.items()))
    if s.decisions:
        lines += ["last decisions:", *(f"  {d}" for d in s.decisions)]
    if s.paused:
        lines += ["paused tables:", *(f"  {p}" for p in s.paused)]
    if s.rollbacks:
        lines += ["last rollbacks; earlier commits may have been removed:", *(f"  {r}" for r in s.rollbacks)]
    if s.parts:
        lines.append("open batches and last commits:")
        lines += [
            f"  {p.state:9} {p.table}  batch {p.batch_id}  {counted(p.rows, 'row')}, {counted(p.files, 'file')}"
            + (f", snapshot {p.snapshot_id}" if p.snapshot_id else "")
            + (f", {p.at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" if p.at else "")
            for p in s.parts
        ]
    return "\n".join(lines)
