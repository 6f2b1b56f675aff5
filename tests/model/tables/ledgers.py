"""Ledgers of the model: the product's, through its codec; one object for equal ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

from lakelock.model import ledger as codec
from lakelock.model.coverage import Coverage, Kind
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source, united
from lakelock.model.registry import RegisteredConfig, Registry

from model.breadth_first import Answers
from model.tables.rules import Rule
from model.tables.state import PipelineLedger, Setup, TableLedger

SOURCE = Source("t", "T", 0)
STARTS = {SOURCE: 0}
COMMIT_ID = "commit"


def ranges(offsets: Iterable[int]) -> tuple[OffsetRange, ...]:
    return _ranges(frozenset(offsets))


@cache
def _ranges(offsets: frozenset[int]) -> tuple[OffsetRange, ...]:
    return tuple(united(OffsetRange(SOURCE, o, o + 1) for o in sorted(offsets)))


def offsets_of(some: Iterable[OffsetRange]) -> frozenset[int]:
    return frozenset(o for r in some for o in range(r.start, r.end))


class Ledgers(Answers[Rule]):
    """Ledgers of one search."""

    def __init__(self, setup: Setup, removed: frozenset[Rule]) -> None:
        super().__init__(removed)
        self.setup = setup

    def _parsed(self, ledger: Ledger) -> tuple[object, Ledger]:
        summary = codec.summary(ledger, (), ())
        return tuple(summary.items()), codec.parse(summary, "model")

    def table_ledger(self, ledger: Ledger) -> TableLedger:
        text, parsed = self._parsed(ledger)
        coverage = parsed.coverage
        gaps = [r for r, kind in coverage.gaps if kind is Kind.SKIPPED]
        found = TableLedger(parsed, offsets_of(coverage.ranges), offsets_of(gaps), offsets_of(coverage.owed))
        return self.remembered(("table", text), lambda: found)  # type: ignore[no-any-return]

    def new_table(self) -> TableLedger:
        return self.table_ledger(Ledger("1", "p", COMMIT_ID, 0, "0", Coverage().starting(STARTS)))

    def pipeline_ledger(self, ledger: Ledger) -> PipelineLedger:
        text, parsed = self._parsed(ledger)
        registry = parsed.registry
        assert registry is not None
        pieces = [p for o in range(self.setup.offsets) for p in registry.pieces(ranges([o])[0])]
        found = PipelineLedger(
            parsed,
            registry,
            {name: t.uuid for name, t in registry.tables.items()},
            offsets_of(parsed.mark.ranges if parsed.mark else ()),
            {table: offsets_of(some) for table, some in parsed.behind.items()},
            tuple(p.digest for p in pieces),
        )
        return self.remembered(("pipeline", text), lambda: found)  # type: ignore[no-any-return]

    def new_pipeline(self) -> PipelineLedger:
        registry = Registry({}, (RegisteredConfig("0", {}, STARTS),))
        return self.pipeline_ledger(Ledger("1", "p", COMMIT_ID, 0, "0", Coverage(), registry=registry))

    def pipeline_with(self, at: PipelineLedger, **fields: Any) -> PipelineLedger:
        return self.pipeline_ledger(replace(at.ledger, **fields))
