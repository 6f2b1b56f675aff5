"""Ledgers of the model: the product's, through its codec, with what the design adds to them; one object for equal ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from lakelock.model import ledger as codec
from lakelock.model.coverage import Coverage, Kind
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source, united

from model.breadth_first import Answers
from model.tables.mark_decision import Mark
from model.tables.registration_decision import Registered, Uuids, config_of
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

    def table_ledger(self, ledger: Ledger, owed: Sequence[OffsetRange]) -> TableLedger:
        text, parsed = self._parsed(ledger)
        gaps = [r for r, kind in parsed.coverage.gaps if kind is Kind.SKIPPED]
        found = TableLedger(parsed, tuple(owed), offsets_of(parsed.coverage.ranges), offsets_of(gaps), offsets_of(owed))
        return self.remembered(("table", text, tuple(owed)), lambda: found)  # type: ignore[no-any-return]

    def new_table(self) -> TableLedger:
        return self.table_ledger(Ledger("1", "p", COMMIT_ID, 0, "0", Coverage().starting(STARTS)), ())

    def pipeline_ledger(
        self,
        ledger: Ledger,
        owed: Sequence[OffsetRange],
        mark: Mark,
        tables: Uuids,
        configs: tuple[Registered, ...],
    ) -> PipelineLedger:
        text, parsed = self._parsed(ledger)
        named = tuple(sorted(tables.items()))
        complete = offsets_of(mark.complete.ranges)
        behind = frozenset((t, o) for t, some in mark.behind.items() for o in offsets_of(some))
        key = ("pipeline", text, tuple(owed), complete, behind, named, configs)
        found = PipelineLedger(
            parsed,
            tuple(owed),
            mark,
            dict(named),
            configs,
            offsets_of(parsed.coverage.ranges),
            offsets_of(owed),
            complete,
            behind,
            self._config_at(configs),
        )
        return self.remembered(key, lambda: found)  # type: ignore[no-any-return]

    def _config_at(self, configs: tuple[Registered, ...]) -> tuple[str, ...]:
        found = [config_of(configs, ranges([o])[0]) for o in range(self.setup.offsets)]
        return tuple(config for config in found if config is not None)

    def new_pipeline(self) -> PipelineLedger:
        empty = Ledger("1", "p", COMMIT_ID, 0, "0", Coverage())
        return self.pipeline_ledger(empty, (), Mark(), {}, (Registered(0, "0"),))

    def pipeline_with(self, at: PipelineLedger, **fields: Any) -> PipelineLedger:
        kept = {f: getattr(at, f) for f in ("ledger", "owed", "mark", "tables", "configs")}
        return self.pipeline_ledger(**{**kept, **fields})
