"""Map a time span of records to offsets of a pipeline's sources, and to tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from lakelock.errors import LedgerDetached, State, Terminal
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.plan import current_sources
from lakelock.ingest.plan_decision import check_identity
from lakelock.model.batches import LIVE
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import Broker, TableState


@dataclass(frozen=True, slots=True)
class Span:
    """Records with a timestamp in `[start, end)` for *table* (None: all tables that take the topics).

    Per source these are the offsets from the first record at *start* or later up to the first at *end* or later. If
    producers write timestamps out of order, some records in between have another time.
    """

    start: datetime
    end: datetime
    table: str | None = None

    @property
    def text(self) -> str:
        return f"{self.start.isoformat()} to {self.end.isoformat()}"

    @property
    def between_ms(self) -> tuple[int, int]:
        """The span in Kafka's milliseconds."""
        return _ms(self.start), _ms(self.end)


def interval_of(
    context: PipelineContext, broker: Broker, span: Span, refused: type[Terminal]
) -> tuple[list[OffsetRange], dict[Source, int]]:
    """Offsets of the span by source, and Kafka's first offsets. Raises *refused* if the span is not valid."""
    if span.start >= span.end:
        raise refused(
            f"{span.text}: the end is not after the start.", State.NOTHING_CHANGED, "Choose an end after the start."
        )
    pipeline, log = context.pipeline, context.log
    streams = log.streams(pipeline.name, LIVE)
    sources = current_sources(pipeline, streams, broker)
    check_identity(streams, sources, pipeline.name)
    known = sorted({s.source for s in streams} & set(sources))
    if not known:
        raise refused(
            f"pipeline {pipeline.name!r} has read nothing yet, so nothing is missing.",
            State.NOTHING_CHANGED,
            "Let it run first, or set source.start in its file.",
        )
    start_ms, end_ms = span.between_ms
    starts = broker.offsets_at(known, start_ms)
    ends = broker.offsets_at(known, end_ms)
    lows = {s: w.low_offset for s, w in broker.watermarks(known).items()}
    # The time of dropped records is unknown: they may be in the span.
    starts = {s: 0 if start <= lows[s] else start for s, start in starts.items()}
    return [OffsetRange(s, starts[s], ends[s]) for s in known if starts[s] < ends[s]], lows


def tables_of(
    context: PipelineContext, span: Span, interval: Sequence[OffsetRange], refused: type[Terminal]
) -> list[str]:
    """Tables of the file that the span is for and that were ever written to. Raises *refused* for an unknown table."""
    pipeline = context.pipeline
    names = [t.name for t in pipeline.entries]
    if span.table is not None and not pipeline.has_table(span.table):
        raise refused(
            f"pipeline {pipeline.name!r} has no table {span.table!r}.",
            State.NOTHING_CHANGED,
            f"Name one of its tables: {', '.join(names)}." if names else "Name one of its tables.",
        )
    topics = {r.source.topic for r in interval}
    meant = [n for n in names if span.table in {None, n} and any(pipeline.feeds(n, topic) for topic in topics)]
    return written(context, meant)


def written(context: PipelineContext, tables: Iterable[str]) -> list[str]:
    """Those of *tables* that were ever written to; nothing is missing from the others."""
    bound = context.log.bound(context.pipeline.name)
    return [t for t in tables if t in bound]


def ledger_of(state: TableState) -> Ledger:
    """The table's ledger. Raises LedgerDetached if there is none."""
    if state.ledger is None:
        raise LedgerDetached(
            f"table {state.name}: its ledger is gone, because its {state.marks.owner} and its {state.marks.newest} were "
            "removed.",
            State.NOTHING_CHANGED,
            f"{state.marks.restore}.",
        )
    return state.ledger


def _ms(moment: datetime) -> int:
    # Kafka gives negative timestamps other meanings.
    return max(0, int(moment.timestamp() * 1000))
