"""Rows of a table with the results of its expressions: derived columns, records left out, and rows that fail a check."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pyiceberg.partitioning import PartitionSpec
from pyiceberg.schema import Schema

from lakelock.adapters.parquet.partition_limits import PartitionLimits
from lakelock.ports import Target
from lakelock.records import reasons
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import NONE, Decoded, Indexes, refused_rows
from lakelock.records.reasons import Reason
from lakelock.records.sql.expressions import RowCheck
from lakelock.records.sql.guarded import FAILED, LEFT_OUT, OUTCOME, check_field, value_field

_Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Filled:
    """Rows with derived columns. *left_out* are indexes of records that are filtered.

    *stopped* is the index of a record that fails a check which stops the batch, with the reason.
    """

    decoded: Decoded
    left_out: Indexes
    stopped: tuple[int, Reason] | None = None


class DerivedColumns:
    """The expressions of *target*, whose Arrow schema is *schema*."""

    def __init__(self, target: Target, schema: pa.Schema) -> None:
        assert target.expressions is not None
        self._expressions = target.expressions
        self._schema = schema
        limits = PartitionLimits(Schema.model_validate(target.schema), PartitionSpec.model_validate(target.spec))
        self._check_limits = limits.check
        self._names = list(self._expressions.all)
        self._required = [name for name in self._expressions.derived if not schema.field(name).nullable]

    def fill(self, decoded: Decoded, results: pa.StructArray) -> Filled:
        """*results* are of `guarded.projections`, one for each row of *decoded*."""
        count = decoded.table.num_rows
        assert len(results) == count
        at = np.arange(count) if decoded.good is None else np.asarray(decoded.good, np.int64)
        outcome = results.field(OUTCOME)
        left_out = _true(pc.equal(outcome, pa.scalar(LEFT_OUT, outcome.type)))
        failed = _nulls(outcome)
        bad: list[BadRecord] = []
        for row in np.flatnonzero(failed).tolist():
            reason, is_stop = self._failure(results.field(FAILED)[row].as_py())
            if is_stop:
                return Filled(decoded, NONE, (int(at[row]), reason))
            bad.append(BadRecord(int(at[row]), "convert", reason))
        kept = ~(left_out | failed)
        table = self._with_values(decoded.table, results)
        for name in self._required:
            reason = Reason(reasons.REQUIRED_NULL, f"column {name!r} is required, but its SQL gives no value", name)
            lacking = kept & _nulls(table.column(name))
            bad += [BadRecord(i, "convert", reason) for i in at[lacking].tolist()]
            kept &= ~lacking
        for number, check in enumerate(self._expressions.checks):
            fails = kept & ~_true(results.field(check_field(number)))
            reason = _check_reason(check)
            if check.on_fail == "stop" and fails.any():
                return Filled(decoded, NONE, (int(at[fails][0]), reason))
            if check.on_fail == "filter":
                left_out |= fails
            else:
                bad += [BadRecord(i, "check", reason) for i in at[fails].tolist()]
            kept &= ~fails
        return Filled(self._kept(replace(decoded, table=table), kept, at, bad), at[left_out])

    def _with_values(self, rows: pa.Table, results: pa.StructArray) -> pa.Table:
        """The rows with derived columns, and without inputs."""
        table = rows.select(range(len(self._schema)))
        for number, name in enumerate(self._expressions.derived):
            place = self._schema.get_field_index(name)
            field = self._schema.field(place)
            table = table.set_column(place, field, results.field(value_field(number)).cast(field.type))
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

    def _failure(self, failed: list[int]) -> tuple[Reason, bool]:
        """The reason for a record for which expressions fail, by their numbers, and whether it stops the batch."""
        derived, checks = list(self._expressions.derived), self._expressions.checks
        first_check = len(self._names) - len(checks)
        for check in (checks[number - first_check] for number in failed if number >= first_check):
            if check.on_fail == "stop":
                return _check_reason(check), True
        field = next((d for d in derived if self._names[failed[0]] == f"column {d!r}"), None)
        return Reason(
            reasons.EXPRESSION_FAILED, f"{self._names[failed[0]]}: its SQL fails for this record", field
        ), False


def _check_reason(check: RowCheck) -> Reason:
    return Reason(reasons.CHECK_FAILED, f"check {check.name!r} does not hold", check.name)


def _true(flags: pa.Array) -> _Flags:
    found: _Flags = pc.fill_null(flags, False).to_numpy(zero_copy_only=False)
    return found


def _nulls(column: pa.Array | pa.ChunkedArray) -> _Flags:
    found: _Flags = np.asarray(column.is_null())
    return found
