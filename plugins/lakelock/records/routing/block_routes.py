"""Routes the records of blocks: as `route_one` does, with one decision for all records that have the same texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lakelock.records import reasons
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import NONE, Indexes
from lakelock.records.reasons import Reason
from lakelock.records.routing.block_texts import BlockTexts
from lakelock.records.routing.numbered_texts import Codes, Combinations, Found, Numbered, TextColumn
from lakelock.records.routing.predicates import VALUE, Predicates
from lakelock.records.routing.readers import Readers
from lakelock.records.routing.record_texts import CsvRecord, NoText, Texts
from lakelock.records.routing.route_one import decide, parsed, placeholder, topic_values
from lakelock.records.routing.router import Predicate, Router
from lakelock.records.routing.templates import Placeholder, Rendered
from lakelock.records.values import Values

# Decisions that are kept from block to block.
KEPT_DECISIONS = 100_000
_NONE = -1
# Numbers of tables, whether a record is filtered, and the reason for a dead letter.
_Made = tuple[tuple[int, ...], bool, Reason | None]


@dataclass(frozen=True, slots=True)
class RoutedBlock:
    """Pairs of *records*, by index, and the *tables* that they go to, by number; *filtered* records, and *bad* ones, which are
    dead letters without a target. Records are in order for each table."""

    records: Indexes
    tables: Codes
    filtered: Indexes
    bad: Sequence[BadRecord]


class _Decisions:
    """Decisions by number: the *tables* of each, of which `_NONE` is none, and what else may become of a record."""

    def __init__(self) -> None:
        self._combinations = Combinations()
        # By combination.
        self._numbers = np.empty(0, np.int64)
        self.reasons: list[Reason | None] = []
        self._made: list[tuple[tuple[int, ...], bool]] = []
        self.tables = np.empty((0, 0), np.int64)
        self.are_filtered = self.are_bad = np.empty(0, np.bool_)

    def __len__(self) -> int:
        return len(self._made)

    def numbers(self, codes: Sequence[Codes], count: int, decide: Callable[[int], _Made]) -> Codes:
        """Of *count* records with these *codes*; *decide* is asked once for records with the same ones, by index."""
        combinations = self._combinations.of(codes, count)
        known = len(self._numbers)
        if (needed := int(combinations.max(initial=-1)) + 1) > known:
            self._numbers = np.concatenate([self._numbers, np.full(needed - known, _NONE)])
        found: Codes = self._numbers[combinations]
        undecided = np.flatnonzero(found == _NONE)
        if not len(undecided):
            return found
        _, firsts = np.unique(combinations[undecided], return_index=True)
        for record in undecided[np.sort(firsts)].tolist():
            tables, is_filtered, reason = decide(record)
            self._numbers[combinations[record]] = len(self._made)
            self._made.append((tables, is_filtered))
            self.reasons.append(reason)
        self._lay_out()
        return np.asarray(self._numbers[combinations])

    def _lay_out(self) -> None:
        most = max(len(tables) for tables, _ in self._made)
        self.tables = np.array([(*t, *[_NONE] * (most - len(t))) for t, _ in self._made], np.int64)
        self.tables = self.tables.reshape(len(self._made), most)
        self.are_filtered = np.array([is_filtered for _, is_filtered in self._made], np.bool_)
        self.are_bad = np.array([reason is not None for reason in self.reasons], np.bool_)


class BlockRoutes:
    """Applies *router*; *number* gives the number of a table for records of a topic."""

    def __init__(self, router: Router, readers: Readers, number: Callable[[Rendered, str], int]) -> None:
        self._router, self._readers, self._number = router, readers, number
        self._topics: dict[str, _TopicRoutes] = {}

    def of(
        self,
        topic: str,
        values: Values,
        metadata: Callable[[str], pa.Array],
        unfit: Mapping[int, Reason],
        *,
        skips_tombstones: bool = False,
        outcomes: pa.Array | None = None,
    ) -> RoutedBlock:
        """*unfit* has the decompression faults of values that are None. With *skips_tombstones*, a record without a value is
        filtered, unless a rule makes it a dead letter. *outcomes* are those of the router's `Predicates`, if it has
        any."""
        routes = self._topics.get(topic)
        if routes is None:
            # A slice reads one topic after the other.
            self._topics.clear()
            routes = self._topics[topic] = _TopicRoutes(self._router, topic, self._readers, self._number)
        return routes.of(values, metadata, unfit, skips_tombstones, outcomes)


class _TopicRoutes:
    def __init__(self, router: Router, topic: str, readers: Readers, number: Callable[[Rendered, str], int]) -> None:
        self._router, self._topic, self._number = router, topic, number
        of_templates: dict[Placeholder, None] = {}
        wanted: dict[Placeholder, frozenset[str]] = {}
        for rule in router.rules:
            if topic_values(rule, topic) is None:
                continue
            for text, allowed in rule.when:
                place = placeholder(text)
                wanted[place] = wanted.get(place, frozenset()).union(allowed)
            of_templates |= dict.fromkeys(p for t in rule.templates for p in parsed(t).placeholders)
        places = [p for p in dict.fromkeys((*wanted, *of_templates)) if not p.is_of_topic]
        self._places = {p.text: n for n, p in enumerate(places)}
        narrow = {p: texts for p, texts in wanted.items() if p not in of_templates}
        self._texts = BlockTexts(places, narrow, readers, router)
        self._predicates = Predicates.of(router)
        wheres = [r.where for r in router.rules if r.where is not None and topic_values(r, topic) is not None]
        self._has_predicates = bool(wheres)
        self._reads_values = self._texts.has_fields or any(VALUE in where.columns for where in wheres)
        self._outcomes = Numbered()
        self._decisions = _Decisions()

    def of(
        self,
        values: Values,
        metadata: Callable[[str], pa.Array],
        unfit: Mapping[int, Reason],
        skips_tombstones: bool,
        outcomes: pa.Array | None,
    ) -> RoutedBlock:
        count = len(values)
        if max(len(self._decisions), self._texts.numbered) > KEPT_DECISIONS:
            self._texts.forget()
            self._outcomes = Numbered()
            self._decisions = _Decisions()
        tombstones = NONE
        if skips_tombstones:
            tombstones = np.setdiff1d(np.flatnonzero(values.absent), list(unfit))
        texts = self._texts.of(self._topic, values, metadata, tombstones)
        columns = texts.columns
        if self._has_predicates:
            assert outcomes is not None
            columns = [*columns, TextColumn(self._outcomes.codes(outcomes, str), self._outcomes)]
        decisions = self._decisions
        codes = [column.codes for column in columns]
        numbers = decisions.numbers(codes, count, lambda record: self._decided(record, columns))
        of_tables = decisions.tables[numbers]
        of_tables[tombstones] = _NONE
        records, tables = _pairs(of_tables)
        is_filtered, is_bad = decisions.are_filtered[numbers], decisions.are_bad[numbers]
        has_tables = (decisions.tables[numbers[tombstones]] != _NONE).any(axis=1)
        is_filtered[tombstones[has_tables]] = True
        skipped = frozenset(tombstones.tolist())
        bad: list[BadRecord] = []
        for i in np.flatnonzero(is_bad).tolist():
            reason = decisions.reasons[numbers[i]]
            assert reason is not None
            stage = "route"
            if i in skipped and reason.kind in (reasons.NO_ROUTE, reasons.TABLE_RETIRED):
                is_filtered[i] = True
                continue
            if reason.kind == reasons.NO_ROUTE and self._is_skipped(values[i]):
                is_filtered[i] = True
                continue
            if reason.kind == reasons.NO_ROUTE and self._reads_values:
                if i in unfit:
                    stage, reason = "decompress", unfit[i]
                elif i in texts.unreadable:
                    stage, reason = "decode", texts.reason(i)
            bad.append(BadRecord(i, stage, reason))
        return RoutedBlock(records, tables, np.flatnonzero(is_filtered), bad)

    def _is_skipped(self, value: bytes | None) -> bool:
        csv = self._router.csv
        return csv is not None and CsvRecord(self._topic, None, None, value, csv=csv).is_skipped

    def _decided(self, record: int, columns: Sequence[TextColumn]) -> _Made:
        found = [column.found(record) for column in columns]
        verdicts = self._predicates.verdicts(str(found[-1])) if self._predicates and self._has_predicates else {}
        routed = decide(self._router, _Combination(self._topic, found, self._places, verdicts))
        return tuple(self._number(made, self._topic) for made in routed.tables), routed.filtered, routed.reason


class _Combination(Texts):
    def __init__(
        self, topic: str, found: Sequence[Found], places: Mapping[str, int], verdicts: Mapping[Predicate, str]
    ) -> None:
        super().__init__(topic, verdicts)
        self._found, self._places = found, places

    def found(self, place: Placeholder) -> str | None:
        value = self._found[self._places[place.text]]
        if isinstance(value, NoText):
            # A raised one keeps the frames that it was raised in.
            raise NoText(*value.args)
        return value


def _pairs(tables: npt.NDArray[np.int64]) -> tuple[Indexes, Codes]:
    """Records and tables, for the tables of each record."""
    found = [(here, column[here]) for column in tables.T if len(here := np.flatnonzero(column >= 0))]
    if not found:
        return NONE, NONE
    return np.concatenate([here for here, _ in found]), np.concatenate([of for _, of in found])
