"""The trace of a world for people: who did what to which server, in words of the product."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from lakelock.model.batches import Batch, Closing, PartResult, PlannedRange, StagedPart
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Following, Rebuilt, Redo, Stand
from lakelock.model.offsets import OffsetRange
from lakelock.ports import Change, SliceOutput, TableState, WriteOrder
from lakelock.ports.edits import Overwrite, Restore, new_files, replaced_files
from lakelock.ports.redrive_jobs import RedriveOrder, RedriveOutput

READS = frozenset(
    [
        "streams",
        "begun",
        "planned",
        "staged",
        "are_staged",
        "staged_tables",
        "unsettled",
        "generations",
        "bound",
        "declared_starts",
        "files_of",
        "ledgers",
        "accounts",
        "config",
        "notes",
        "lacking",
        "load",
        "owner",
        "history",
        "ledger_at",
        "find_commit",
        "others",
        "missing_files",
        "live_files",
        "live_among",
        "unfit",
        "candidates",
        "rows_within",
        "compared",
        "spec",
        "storage",
        "sources",
        "watermarks",
        "count_rows",
        "count_dead_letters",
        "dead_letters",
        "dead_letter_tables",
        "first_ledger",
        "recovering",
        "open",
        "files",
        "routed",
        "lately_routed",
        "evidence",
        "complete",
        "commit_views",
    ]
)
_DIGEST = re.compile(r"\b[0-9a-f]{64}\b")
_COVERAGE_SIGNS = {"": "", "s": "skipped", "l": "lost", "r": "retired"}
_TOOK = re.compile(r", \d+\.\d+ s(?=;|$)")


def call(port: str, name: str, args: Sequence[Any], what: object) -> str | None:
    """None for what only reads and did not fail."""
    if name in READS and not isinstance(what, Exception | str):
        return None
    shown = ", ".join(filter(None, map(value, args)))
    return _DIGEST.sub("CONFIG", f"{port}.{name}({shown}) -> {value(what)}")


def value(x: Any) -> str:
    for kind, text_of in _DESCRIBED:
        if isinstance(x, kind):
            return text_of(x)
    # A function would be shown by its address.
    return "" if callable(x) else str(x)


def _coverage(coverage: Coverage) -> str:
    parts = []
    for source, covered in sorted(coverage.items()):
        target = source.topic_id.partition(">")[2]
        spans = " ".join(
            f"[{i.start},{i.end})@{i.generation}{_COVERAGE_SIGNS[i.kind.value]}" for i in covered.intervals
        )
        redriven = f" redriven {list(covered.redriven)}" if covered.redriven else ""
        redriven += f" owed {list(covered.owed)}" if covered.owed else ""
        parts.append(f"{source}{'>' + target if target else ''} from {covered.start_offset}: {spans or '-'}{redriven}")
    return "; ".join(parts) or "nothing"


def _ledger(ledger: Ledger) -> str:
    mode = f" {ledger.rollback.mode.value}" if ledger.rollback else ""
    more = f" mark {_coverage(ledger.mark)}" if ledger.mark is not None else ""
    more += (
        f" behind { ({name: list(map(str, ranges)) for name, ranges in ledger.behind.items()}) }"
        if ledger.behind
        else ""
    )
    if ledger.registry is not None:
        tables = {name: t.uuid for name, t in ledger.registry.tables.items()}
        configs = [{str(s): o for s, o in c.first_offsets.items()} for c in ledger.registry.configs]
        more += f" registry {tables} {configs}"
    return f"<{ledger.commit_id} generation {ledger.generation}{mode}: {_coverage(ledger.coverage)}{more}>"


def _change(change: Change) -> str:
    edit = change.edit
    onto = f", onto {edit.version}" if isinstance(edit, Restore) else ""
    how = "read again " if isinstance(edit, Overwrite) else ""
    in_place = f", {how}in place of {list(gone)}" if (gone := replaced_files(edit)) else ""
    files = [f.path for f in new_files(edit)]
    return f"batches {', '.join(change.batch_ids) or 'none'}, {files}{in_place}{onto}, {_ledger(change.ledger)}"


def _part(part: PartResult) -> str:
    books = ", ".join(f"{b.range}: {b.written} rows {b.dead} dead" for b in part.books)
    of = f" dead letters of {part.target}" if part.target else ""
    i = part.identity
    return f"<{part.table}{of}, generation {i.generation}, {i.layout}: {books}>"


def _batch(batch: Batch) -> str:
    unclosed = "" if batch.closed else ", not closed"
    return f"<{batch.batch_id} {batch.lane}: {value(batch.ranges)} for {', '.join(batch.planned_tables)}{unclosed}>"


def _router(order: WriteOrder) -> str:
    if order.router is None:
        return ""
    only = "" if order.router.only is None else f" only {sorted(order.router.only)}"
    return f", routed by {dict(order.router.known)}{only}"


def _closing(closing: Closing) -> str:
    return f"closes with {dict(closing.tables)}"


def _following(done: Following) -> str:
    return f"mark {done.mark}, restage {done.restage}, abort {done.abort}, redo {value(done.redo)}"


_DESCRIBED: tuple[tuple[Any, Callable[[Any], str]], ...] = (
    (Exception, lambda x: f"{type(x).__name__}: {x}"),
    (str, str),
    (TableState, lambda x: f"{x.name} at {x.head_id}"),
    (Ledger, _ledger),
    (Coverage, _coverage),
    (Change, _change),
    (StagedPart, lambda x: f"{x.batch_id} by {x.attempt}{' restaged' if x.restaged else ''} {_part(x.result)}"),
    (PartResult, _part),
    (Batch, _batch),
    (Closing, _closing),
    (PlannedRange, lambda x: str(x.range)),
    (OffsetRange, lambda x: f"{x}{'>' + x.source.topic_id.partition('>')[2] if '>' in x.source.topic_id else ''}"),
    (Following, _following),
    (Stand, lambda x: f"{x.table} {_ledger(x.ledger)}"),
    (Rebuilt, lambda x: f"{[f'{s.source} up to {s.next_offset}' for s in x.streams]}, redo {value(x.redo)}"),
    (SliceOutput, lambda x: f"{[f'{t.table}: {[f.path for f in t.files]}' for t in (*x.tables, *x.dead_letters)]}"),
    (Redo, lambda x: f"redo with at most {x.max_offsets} offsets"),
    (
        WriteOrder,
        lambda x: f"order for {x.batch_id}: {value(x.slices)}, decided {dict(x.decided)}{_router(x)}",
    ),
    (RedriveOrder, lambda x: f"dead letters of {x.target.table}: {value(x.slices)}"),
    (RedriveOutput, lambda x: f"{[f.path for f in x.files]} with {value(x.rows)}, unfit {dict(x.unfit)}"),
    (Mapping, lambda x: "{" + ", ".join(f"{value(k)}: {value(v)}" for k, v in x.items()) + "}" if len(x) < 6 else ""),
    ((list, tuple), lambda x: "[" + ", ".join(map(value, x)) + "]"),
)


class _Lines(logging.Handler):
    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.INFO)
        self.say = say

    def emit(self, record: logging.LogRecord) -> None:
        # How long it took is the machine's, not the world's.
        self.say(f"    log line: {_TOOK.sub('', record.getMessage())}")


@contextmanager
def overheard(say: Callable[[str], None]) -> Iterator[None]:
    """The product's own log lines, in the trace."""
    logger, handler = logging.getLogger("lakelock"), _Lines(say)
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
