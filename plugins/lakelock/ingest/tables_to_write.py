"""Bind the tables of a batch, and check that they can take its records before anything is read."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from lakelock.config import Pipeline
from lakelock.errors import LakelockError, NothingToInfer, State, Terminal
from lakelock.ingest import bind as binding
from lakelock.ingest.bind import refuse_brought
from lakelock.ingest.dead_letter_state import DeadLetterTables
from lakelock.ingest.landing import as_written
from lakelock.ingest.present_names import PresentNames
from lakelock.ingest.table_fit import fitting
from lakelock.ingest.write_order import MaskKeys
from lakelock.model.batches import LIVE, Batch, is_backfill
from lakelock.model.offsets import Source
from lakelock.model.parquet_options import not_honoured, parquet_options
from lakelock.model.registry import RegisteredTable
from lakelock.ports import TableDefinition, TableState, UnknownTable
from lakelock.records import dead_letters

logger = logging.getLogger(__name__)


class Define(Protocol):
    """Gives the definition of a new table of a batch; *sample* has values of the records that are routed to it."""

    def __call__(
        self, pipeline: Pipeline, name: str, batch: Batch, sample: Sequence[bytes] | None = None, /
    ) -> TableDefinition: ...


@dataclass(frozen=True, slots=True)
class TablesToWrite:
    """Prepares tables for one attempt at *batch*. *known* are registered ones. *names* are the settings of those that were
    prepared, by table."""

    binder: binding.Binder
    batch: Batch
    define: Define
    keys: MaskKeys
    known: Mapping[str, RegisteredTable] = field(default_factory=dict)
    names: dict[str, PresentNames] = field(default_factory=dict)

    def all(self, pipeline: Pipeline, names: Iterable[str]) -> tuple[dict[str, TableState], dict[str, LakelockError]]:
        """States of the tables that can be written, and faults of the others."""
        return each_table(names, partial(self.prepared, pipeline))

    def prepared(self, pipeline: Pipeline, name: str, sample: Sequence[bytes] | None = None) -> TableState:
        """The table, created if it does not exist and is not known with a UUID.

        A slice would find out only after it has begun what is checked here.
        """
        define = partial(self.define, pipeline, name, self.batch, sample)
        known = self.known.get(name)
        # One that took the place of another has its ledger from there: an empty one would not say what it lacks.
        is_refilled = known is not None and known.refilled
        starts = partial(self._routed_starts, pipeline, name) if pipeline.is_routed(name) and not is_refilled else None
        # A log that was lost since this attempt began does not have the table, which may be gone: no second one is created (T9).
        uuid = known.uuid if known is not None else None
        state = self.binder.bind(name, define=define, declare_starts=True, routed_starts=starts, registered=uuid)
        if pipeline.is_routed(name) and is_backfill(self.batch.lane):
            refuse_brought(name, [p.range for p in self.batch.ranges], self.binder.tables.others(state))
        now = fitting(pipeline, pipeline.table(name), state, self.binder.tables, State.PART_PLANNED)
        self.names[name] = now
        if now.line:
            logger.info("%s: settings of the file follow renamed columns: %s", name, now.line)
        parquet_options(name, state.properties)
        may_be_shuffled = pipeline.may_be_shuffled(name)
        if useless := not_honoured(state.properties, state.columns, may_be_shuffled=may_be_shuffled):
            logger.warning("%s: properties without effect here: %s", name, ", ".join(useless))
        self.keys(pipeline.table(name))
        return as_written(pipeline.table(name), state, self.binder.tables)

    def existing(self, pipeline: Pipeline, name: str, sample: Sequence[bytes], bound: str | None) -> TableState:
        """The routed table, created if it does not exist and has no *bound* UUID: to register it, before it is prepared."""
        return self.binder.existing(name, partial(self.define, pipeline, name, self.batch, sample), bound)

    def _routed_starts(self, pipeline: Pipeline, name: str) -> dict[Source, int]:
        """Declared starts of the sources that may feed a routed table."""
        streams = self.binder.log.streams(pipeline.name, LIVE)
        return {s.source: s.start_offset for s in streams if pipeline.feeds(name, s.source.topic)}


def each_table(
    names: Iterable[str], step: Callable[[str], TableState]
) -> tuple[dict[str, TableState], dict[str, LakelockError]]:
    """States of the tables after *step*, and faults of those that it stops."""
    states: dict[str, TableState] = {}
    faults: dict[str, LakelockError] = {}
    for name in names:
        try:
            states[name] = step(name)
        except NothingToInfer as fault:
            faults[name] = fault
        except Terminal as fault:
            logger.error("%s", fault)
            faults[name] = fault
    return states, faults


def dead_letter_tables(binder: binding.Binder, name: str) -> DeadLetterTables:
    """The dead-letter table of this *name*, created if it does not exist, and former ones."""

    def bind() -> TableState:
        return binder.bind(name, define=lambda: TableDefinition(dead_letters.COLUMNS), declare_starts=False)

    return DeadLetterTables.load(binder.log, binder.tables, binder.owner.pipeline, name, bind)


def most_tables(pipeline: Pipeline, batch: Batch) -> int:
    """How many routed tables the records of *batch* can be for. To prepare one costs more than a look at a few records."""
    return most_tables_of_record(pipeline) * sum(p.range.offsets for p in batch.ranges)


def most_tables_of_record(pipeline: Pipeline) -> int:
    """How many routed tables one record can be for."""
    assert pipeline.route is not None
    return max([1, *(len(rule.templates) for rule in pipeline.route.all_rules)])


def sample_of(every: Sequence[UnknownTable]) -> list[bytes]:
    """Values to infer the columns of a table from that slices met, in the order of the records."""
    ordered = sorted(every, key=lambda u: (u.topics, u.partition, u.offset))
    return [value for unknown in ordered for value in unknown.sample]
