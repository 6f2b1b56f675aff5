"""Routes the records of blocks: as `route_one` does, with one decision for all records that have the same texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from lakelock.records import reasons
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import NONE, Indexes
from lakelock.records.json.scanned import Scanner
from lakelock.records.reasons import Reason
from lakelock.records.routing import route_one
from lakelock.records.routing.block_texts import BlockTexts, Codes, Found
from lakelock.records.routing.route_one import NoText, Routed, decide, parsed, placeholder, topic_values
from lakelock.records.routing.router import Router
from lakelock.records.routing.templates import Placeholder, Rendered
from lakelock.records.values import Values

# Decisions that are kept from block to block.
KEPT_DECISIONS = 100_000


@dataclass(frozen=True, slots=True)
class RoutedBlock:
    """Pairs of *records*, by index, and the *tables* that they go to, by number; *filtered* records, and *bad* ones, which are
    dead letters without a target. Records are in order for each table."""

    records: Indexes
    tables: Codes
    filtered: Indexes
    bad: Sequence[BadRecord]


@dataclass(frozen=True, slots=True)
class _Decision:
    """*tables* are numbers."""

    tables: tuple[int, ...]
    is_filtered: bool
    reason: Reason | None


class BlockRoutes:
    """Applies *router*; *number* gives the number of a table for records of a topic."""

    def __init__(self, router: Router, scanner: Scanner, number: Callable[[Rendered, str], int]) -> None:
        self._router, self._scanner, self._number = router, scanner, number
        self._topics: dict[str, _TopicRoutes] = {}

    def of(
        self,
        topic: str,
        values: Values,
        metadata: Callable[[str], pa.Array],
        unfit: Mapping[int, Reason],
        *,
        skips_tombstones: bool = False,
    ) -> RoutedBlock:
        """*unfit* has the decompression faults of values that are None. With *skips_tombstones*, a record without a value for
        which no rule fits, or whose table is retired, is filtered."""
        routes = self._topics.get(topic)
        if routes is None:
            routes = self._topics[topic] = _TopicRoutes(self._router, topic, self._scanner, self._number)
        return routes.of(values, metadata, unfit, skips_tombstones)


class _TopicRoutes:
    def __init__(self, router: Router, topic: str, scanner: Scanner, number: Callable[[Rendered, str], int]) -> None:
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
        self._texts = BlockTexts(places, narrow, scanner)
        self._decisions: dict[tuple[Found, ...], _Decision] = {}

    def of(
        self,
        values: Values,
        metadata: Callable[[str], pa.Array],
        unfit: Mapping[int, Reason],
        skips_tombstones: bool,
    ) -> RoutedBlock:
        count = len(values)
        tombstones = NONE
        if skips_tombstones:
            tombstones = np.setdiff1d(np.flatnonzero(values.absent), list(unfit))
        texts = self._texts.of(self._topic, values, metadata, tombstones)
        combinations, firsts = _combined([column.codes for column in texts.columns], count)
        found = [
            [None if code < 0 else c.found[code] for code in c.codes[firsts].tolist()] for c in texts.columns
        ]  # fmt: skip
        decisions = [self._decision(one) for one in (zip(*found, strict=True) if found else [()] * len(firsts))]
        records, tables = _pairs(decisions, combinations)
        is_filtered = np.array([d.is_filtered for d in decisions], np.bool_)[combinations]
        is_bad = np.array([d.reason is not None for d in decisions], np.bool_)[combinations]
        skipped = frozenset(tombstones.tolist())
        bad: list[BadRecord] = []
        for i in np.flatnonzero(is_bad).tolist():
            reason = decisions[combinations[i]].reason
            assert reason is not None
            stage = "route"
            if reason.kind == reasons.TABLE_RETIRED and i in skipped:
                is_filtered[i] = True
                continue
            if reason.kind == reasons.NO_ROUTE and self._texts.has_fields:
                if i in skipped:
                    is_filtered[i] = True
                    continue
                if i in unfit:
                    stage, reason = "decompress", unfit[i]
                elif i in texts.unreadable:
                    stage, reason = "decode", texts.reason(i)
            bad.append(BadRecord(i, stage, reason))
        return RoutedBlock(records, tables, np.flatnonzero(is_filtered), bad)

    def _decision(self, found: tuple[Found, ...]) -> _Decision:
        decision = self._decisions.get(found)
        if decision is None:
            if len(self._decisions) >= KEPT_DECISIONS:
                self._decisions.clear()
            routed = decide(self._router, _Combination(self._topic, found, self._places))
            decision = self._decisions[found] = self._numbered(routed)
        return decision

    def _numbered(self, routed: Routed) -> _Decision:
        numbers = tuple(self._number(made, self._topic) for made in routed.tables)
        return _Decision(numbers, routed.filtered, routed.reason)


class _Combination(route_one.Texts):
    def __init__(self, topic: str, found: Sequence[Found], places: Mapping[str, int]) -> None:
        super().__init__(topic)
        self._found, self._places = found, places

    def found(self, place: Placeholder) -> str | None:
        value = self._found[self._places[place.text]]
        if isinstance(value, NoText):
            # A raised one keeps the frames that it was raised in.
            raise NoText(*value.args)
        return value


def _combined(codes: Sequence[Codes], count: int) -> tuple[Codes, Codes]:
    """A number for each record, equal for records with the same codes, and the first record of each number."""
    whole = np.zeros(count, np.int64)
    numbers = 1 if count else 0
    for column in codes:
        # There are fewer numbers than records, and fewer codes than twice as many: their product fits.
        width = int(column.max(initial=-1)) + 2
        found = pa.array(whole * width + column + 1).dictionary_encode()
        whole, numbers = found.indices.to_numpy().astype(np.int64), len(found.dictionary)
    firsts = np.empty(numbers, np.int64)
    firsts[whole[::-1]] = np.arange(count)[::-1]
    return whole, firsts


def _pairs(decisions: Sequence[_Decision], combinations: Codes) -> tuple[Indexes, Codes]:
    records, tables = [NONE], [NONE]
    for place in range(max((len(d.tables) for d in decisions), default=0)):
        table = np.array([d.tables[place] if place < len(d.tables) else -1 for d in decisions], np.int64)[combinations]
        here = np.flatnonzero(table >= 0)
        records.append(here)
        tables.append(table[here])
    return np.concatenate(records), np.concatenate(tables)
