"""Rows of a table with the results of its expressions: derived columns, records left out, and rows that fail a check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.adapters.parquet.partition_limits import PartitionLimits
from lakelock.ports import Target
from lakelock.records import reasons
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import NONE, Decoded, Indexes, refused_rows
from lakelock.records.reasons import Reason
from lakelock.records.sql.expressions import WHERE, RowCheck
from lakelock.records.sql.outcomes import FAILED, FAILS, LEFT_OUT, OUTCOME, PASSES

_Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Filled:
    """Rows with derived columns. *left_out* are indexes of records that are filtered.

    *stopped* is the index of a record that fails a check which stops the batch, with the reason. If it does not stop here,
    *stopping* has the indexes of all such records, which are dead letters, and *filters* the name of the filter of each
    record in *left_out*.
    """

    decoded: Decoded
    left_out: Indexes
    stopped: tuple[int, Reason] | None = None
    stopping: frozenset[int] = frozenset()
    filters: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Refused:
    """A dead letter; with *is_stop*, of a check that stops the batch."""

    stage: str
    reason: Reason
    is_stop: bool = False


class DerivedColumns:
    """The expressions of *target*, whose Arrow schema is *schema*. Unless it *stops*, a check that would stop the batch gives
    a dead letter."""

    def __init__(self, target: Target, schema: pa.Schema, *, stops: bool = True) -> None:
        assert target.expressions is not None
        self._stops = stops
        self._expressions = target.expressions
        self._schema = schema
        layout = FileLayout.of(target.final_layout)
        limits = PartitionLimits(layout.schema, layout.spec)
        self._check_limits = limits.check
        self._names = list(self._expressions.all)
        self._required = [name for name in self._expressions.derived if not schema.field(name).nullable]

    def fill(self, decoded: Decoded, results: pa.Table) -> Filled:
        """*results* are of `guarded.projections`, one for each row of *decoded*."""
        count = decoded.table.num_rows
        assert results.num_rows == count
        at = np.arange(count) if decoded.good is None else np.asarray(decoded.good, np.int64)
        outcomes = results.column(OUTCOME)
        kept = _nulls(outcomes)
        left_out = np.zeros(count, np.bool_)
        bad: list[BadRecord] = []
        stopping: set[int] = set()
        filters: dict[int, str] = {}
        # By outcome, of which there are few, instead of by record.
        for outcome in pc.unique(outcomes).drop_null().to_pylist():
            rows = _true(pc.equal(outcomes, outcome))
            if (said := self._said(outcome)) is None:
                left_out |= rows
                if not self._stops:
                    filters |= dict.fromkeys(at[rows].tolist(), self._filter(outcome))
            elif said.is_stop and self._stops:
                return Filled(decoded, NONE, (int(at[rows][0]), said.reason))
            else:
                bad += [BadRecord(i, said.stage, said.reason) for i in at[rows].tolist()]
                if said.is_stop:
                    stopping.update(at[rows].tolist())
        table = self._with_values(decoded.table, results)
        for name in self._required:
            reason = Reason(reasons.REQUIRED_NULL, f"column {name!r} is required, but its SQL gives no value", name)
            lacking = kept & _nulls(table.column(name))
            bad += [BadRecord(i, "convert", reason) for i in at[lacking].tolist()]
            kept &= ~lacking
        kept_rows = self._kept(replace(decoded, table=table), kept, at, bad)
        return Filled(kept_rows, at[left_out], None, frozenset(stopping), filters)

    def _filter(self, outcome: str) -> str:
        """Which of the expressions leaves records with this outcome out."""
        if outcome == LEFT_OUT:
            return WHERE
        return next(
            f"check {c.name!r}"
            for c, letter in zip(self._expressions.checks, outcome[1:], strict=True)
            if letter != PASSES
        )

    def _said(self, outcome: str) -> _Refused | None:
        """Why a record with this outcome has no row; None if it is left out."""
        if outcome == LEFT_OUT:
            return None
        if outcome[0] == FAILED:
            number = outcome.find(FAILS, 1) - 1
            name = self._names[number]
            field = next((d for d in self._expressions.derived if name == f"column {d!r}"), None)
            return _Refused(
                "convert", Reason(reasons.EXPRESSION_FAILED, f"{name}: its SQL fails for this record", field)
            )
        checks = [
            (c, letter) for c, letter in zip(self._expressions.checks, outcome[1:], strict=True) if letter != PASSES
        ]
        for check, letter in checks:
            if check.on_fail == "stop":
                return _Refused("check", _check_reason(check, letter), is_stop=True)
        # What is left out in silence must be certain.
        for check, letter in checks:
            if check.on_fail == "dead_letter" or letter == FAILS:
                return _Refused("check", _check_reason(check, letter))
        return None

    def _with_values(self, rows: pa.Table, results: pa.Table) -> pa.Table:
        """The rows with derived columns, and without inputs."""
        table = rows.select(range(len(self._schema)))
        for number, name in enumerate(self._expressions.derived, 1):
            place = self._schema.get_field_index(name)
            field = self._schema.field(place)
            table = table.set_column(place, field, results.column(number).cast(field.type))
        return table

    def _kept(self, decoded: Decoded, kept: _Flags, at: Indexes, bad: list[BadRecord]) -> Decoded:
        """The rows *kept*, but for those that the table's partitions cannot hold."""
        table, good = decoded.table, decoded.good
        if not kept.all():
            table, at = table.filter(pa.array(kept)), at[kept]
            good = at.tolist()
        if beyond := refused_rows(self._check_limits, table) if len(at) else {}:
            bad += [BadRecord(int(at[row]), "convert", reason) for row, reason in beyond.items()]
            others = np.setdiff1d(np.arange(len(at)), list(beyond))
            table, good = table.take(pa.array(others)), at[others].tolist()
        return Decoded(table, good, sorted([*decoded.bad, *bad], key=lambda b: b.index) if bad else decoded.bad)


def _check_reason(check: RowCheck, letter: str) -> Reason:
    if letter == FAILS:
        return Reason(reasons.EXPRESSION_FAILED, f"check {check.name!r}: its SQL fails for this record", check.name)
    return Reason(reasons.CHECK_FAILED, f"check {check.name!r} does not hold", check.name)


def _true(flags: pa.Array) -> _Flags:
    found: _Flags = pc.fill_null(flags, False).to_numpy(zero_copy_only=False)
    return found


def _nulls(column: pa.Array | pa.ChunkedArray) -> _Flags:
    found: _Flags = np.asarray(column.is_null())
    return found
