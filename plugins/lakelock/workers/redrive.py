"""Redrive dead letters: read a dead-letter table's files, decode with the table's current columns, write rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyiceberg.io import load_file_io

from lakelock.adapters.parquet.file import storage_fault
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.adapters.parquet.row_batches import batches
from lakelock.adapters.parquet.writer import TableWriter
from lakelock.errors import State, TableUnfit
from lakelock.model.offset_arrays import Numbers, ranges_of, within
from lakelock.model.offsets import OffsetRange, Source, offsets_in, united
from lakelock.model.table_files import FileView
from lakelock.model.units import as_reason
from lakelock.ports.redrive_jobs import METADATA_COLUMNS, REDRIVEN_COLUMNS, DeadLetterFiles, RedriveOrder, RedriveOutput
from lakelock.records.decoding import Decoded
from lakelock.records.decompression import Part, parts
from lakelock.records.headers import HEADERS
from lakelock.records.metadata import needs_headers
from lakelock.records.reasons import Reason
from lakelock.records.values import Values
from lakelock.redrive.decision import ATTEMPT, check_books
from lakelock.workers.derived_columns import DerivedColumns
from lakelock.workers.table_rows import Metadata, TableRows
from lakelock.workers.trial import Trial

BLOCK_DEAD_LETTERS = 20_000
READ_BYTES = 8 << 20
# Records can name any field: beyond this many causes the rest is counted together.
CAUSES = 50
OTHER = "other causes"
# Of a record that `where` or a check leaves out: its dead letter stays.
FILTERED = "filtered"
_KEPT = State.DEAD_LETTERS_KEPT
_ID = b"PARQUET:field_id"


@dataclass(frozen=True, slots=True)
class DeadLettersRead:
    """Some of the wanted dead letters, decoded: their *sources* and *offsets*.

    *unfit* has the decompression faults of values by index.
    """

    sources: Sequence[Source]
    source_numbers: npt.NDArray[np.int32]
    offsets: Numbers
    decoded: Decoded
    unfit: Mapping[int, Reason]


Results = Mapping[str, pa.Table]


def redrive_dead_letters(order: RedriveOrder, slice_no: int) -> RedriveOutput:
    """Write one row for each dead letter of the slice that fits; a duplicate dead letter still gives one row.

    For an order without expressions. Raises TableUnfit, Unreachable, AccessDenied, BooksUnbalanced; nothing then references
    the files written before.
    """
    return write_dead_letters(order, slice_no, ((read, {}) for read in read_dead_letters(order, slice_no)))


def read_dead_letters(order: RedriveOrder, slice_no: int) -> Iterator[DeadLettersRead]:
    """The wanted dead letters of the slice, each once, decoded."""
    wanted = WantedLetters(order.slices[slice_no])
    rows = TableRows(order.target, _schema(order))
    for block, part in _parts(order, wanted):
        decoded = rows.decode(part.values, metadata_of(block))
        numbers, offsets = block.column("source").to_numpy(), block.column("offset").to_numpy()
        yield DeadLettersRead(wanted.sources, numbers, offsets, decoded, part.unfit)


def read_dead_letters_with_rows(order: RedriveOrder, slice_no: int) -> Iterator[tuple[DeadLettersRead, Results]]:
    """The same for another process, each with the rows for the table's expressions."""
    for read in read_dead_letters(order, slice_no):
        yield read, {order.target.table: read.decoded.table}


def write_dead_letters(
    order: RedriveOrder, slice_no: int, found: Iterator[tuple[DeadLettersRead, Results]]
) -> RedriveOutput:
    """Write the rows that fit, unless the order is a trial; each of *found* has the results of the table's expressions."""
    schema, target = _schema(order), order.target
    writer = (
        None if order.is_trial else TableWriter(target, order.redrive_id, ATTEMPT, order.target_file_bytes, kept=_KEPT)
    )
    derived = DerivedColumns(target, schema) if target.expressions else None
    trial = Trial(target, _KEPT)
    unfit: Counter[str] = Counter()
    fits: dict[Source, list[Numbers]] = {}
    for read, results in found:
        decoded = read.decoded
        if derived is not None:
            filled = derived.fill(decoded, results[target.table])
            decoded = filled.decoded
            unfit.update({FILTERED: len(filled.left_out)} if len(filled.left_out) else {})
        decoded = trial.sifted(decoded)
        for record in decoded.bad:
            cause = read.unfit.get(record.index, record.reason).cause
            unfit[cause if cause in unfit or len(unfit) < CAUSES else OTHER] += 1
        good = np.arange(len(read.offsets)) if decoded.good is None else np.asarray(decoded.good, np.int64)
        numbers, offsets = read.source_numbers[good], read.offsets[good]
        for number, source in enumerate(read.sources):
            fits.setdefault(source, []).append(offsets[numbers == number])
        if writer is not None:
            writer.write(decoded.table)
    ranges = [r for source, at in sorted(fits.items()) for r in ranges_of(source, np.concatenate(at))]
    files = () if writer is None else writer.finish()
    if writer is not None:
        rows, wanted = offsets_in(ranges), offsets_in(order.slices[slice_no])
        check_books(target.table, wanted, rows, sum(unfit.values()), sum(f.rows for f in files))
    return RedriveOutput(slice_no, files, tuple(ranges), dict(unfit))


def _schema(order: RedriveOrder) -> pa.Schema:
    return arrow_schema(FileLayout.of(order.target.layout).schema)


@dataclass
class WantedLetters:
    """Offsets still to be read, by source; each is taken once."""

    ranges: Sequence[OffsetRange]
    sources: list[Source] = field(init=False)
    _by_source: dict[Source, list[OffsetRange]] = field(init=False)
    _taken: dict[Source, Numbers] = field(init=False)

    def __post_init__(self) -> None:
        self._by_source = {}
        for r in united(self.ranges):
            self._by_source.setdefault(r.source, []).append(r)
        self.sources = list(self._by_source)
        self._taken = {source: np.empty(0, np.int64) for source in self.sources}

    def may_be_in(self, file: FileView) -> bool:
        return file.may_hold((r.source.partition, r.start, r.end) for r in self.ranges)

    def take(self, dead_letters: pa.Table, target: str) -> pa.Table | None:
        """The wanted rows of *dead_letters*, each once, with their source's index in column `source`; None if none are."""
        of_target = pc.fill_null(pc.equal(dead_letters.column("target_table"), target), False)
        topic_ids, partitions = dead_letters.column("topic_id"), dead_letters.column("partition")
        offsets = dead_letters.column("offset").to_numpy()
        numbers = np.full(len(dead_letters), -1, np.int32)
        for number, source in enumerate(self.sources):
            of_topic = pc.fill_null(pc.equal(topic_ids, source.topic_id), False)
            of_source = pc.and_(pc.and_(of_target, of_topic), pc.equal(partitions, source.partition))
            at = np.flatnonzero(of_source.to_numpy())
            at = at[within(offsets[at], self._by_source[source])]
            at = at[~np.isin(offsets[at], self._taken[source])]
            once, first = np.unique(offsets[at], return_index=True)
            numbers[at[first]] = number
            self._taken[source] = np.concatenate((self._taken[source], once))
        chosen = np.flatnonzero(numbers >= 0)
        if not len(chosen):
            return None
        return dead_letters.take(pa.array(chosen)).append_column("source", pa.array(numbers[chosen]))


def _parts(order: RedriveOrder, wanted: WantedLetters) -> Iterator[tuple[pa.Table, Part]]:
    """The wanted dead letters in parts, with their values decompressed."""
    for block in _blocks(order, wanted):
        for part in parts(Values.from_list(block.column("value").to_pylist()), order.compression, order.block_bytes):
            yield block.slice(part.start, len(part.values)), part


def _blocks(order: RedriveOrder, wanted: WantedLetters) -> Iterator[pa.Table]:
    """The wanted dead letters of all files, in blocks."""
    buffered: list[pa.Table] = []
    count = size_bytes = 0
    for dead_letters in order.dead_letters:
        for file in dead_letters.files:
            if not wanted.may_be_in(file):
                continue
            for read in read_letters(dead_letters, file.path, order.target.metadata_columns):
                found = wanted.take(read, order.letters_target)
                if found is None:
                    continue
                buffered.append(found)
                count, size_bytes = count + len(found), size_bytes + found.nbytes
                if count >= BLOCK_DEAD_LETTERS or size_bytes >= order.block_bytes:
                    yield pa.concat_tables(buffered)
                    buffered, count, size_bytes = [], 0, 0
    if buffered:
        yield pa.concat_tables(buffered)


def read_letters(dead_letters: DeadLetterFiles, path: str, metadata: Collection[str]) -> Iterator[pa.Table]:
    """Columns of *metadata* that the file does not have are null."""
    extra = {*metadata, *(["headers"] if needs_headers(metadata) else [])}
    wanted = [*REDRIVEN_COLUMNS, *(name for name in METADATA_COLUMNS if name in extra)]
    with _faults(dead_letters.table, path):
        io = load_file_io(dict(dead_letters.storage), path)
        with io.new_input(path).open() as stream, pq.ParquetFile(stream, pre_buffer=False) as parquet:
            names = _names(dead_letters, parquet.schema_arrow, path, wanted)
            for batch in batches(parquet, READ_BYTES, list(names.values())):
                read = {name: batch.column(found) for name, found in names.items()}
                columns = [_plain(read.get(name, pa.nulls(batch.num_rows)), name) for name in wanted]
                yield pa.Table.from_arrays(columns, names=wanted)


def _names(dead_letters: DeadLetterFiles, schema: pa.Schema, path: str, wanted: Sequence[str]) -> dict[str, str]:
    """The file's column names, resolved by field id: columns may have been renamed since it was written."""
    by_id = {int((f.metadata or {}).get(_ID, -1)): f.name for f in schema}
    names = {name: by_id[number] for name in wanted if (number := dead_letters.columns.get(name)) in by_id}
    if not names.keys() >= set(REDRIVEN_COLUMNS):
        raise TableUnfit(
            f"{dead_letters.table}: data file {path} lacks columns that dead letters have, or their field ids.",
            State.DEAD_LETTERS_KEPT,
            "Remove it from the table.",
        )
    return names


def _plain(column: pa.Array, name: str) -> pa.Array:
    """Cast to the expected type: another engine may have rewritten the file with other types for the same values."""
    kinds = {
        "key": pa.binary(),
        "value": pa.binary(),
        "partition": pa.int32(),
        "offset": pa.int64(),
        "timestamp": pa.timestamp("us", "UTC"),
        "headers": HEADERS,
    }
    return column.cast(kinds.get(name, pa.string()))


def metadata_of(block: pa.Table) -> Metadata:
    """Dead letters do not have the type of the timestamp."""
    return lambda key: (
        pa.nulls(len(block), pa.string()) if key == "timestamp_type" else block.column(key).combine_chunks()
    )


@contextmanager
def _faults(table: str, path: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as fault:
        raise TableUnfit(
            f"{table}: data file {path} is gone, and dead letters with it.", State.DEAD_LETTERS_KEPT, "Restore it."
        ) from fault
    except OSError as fault:
        raise storage_fault(fault, table, path, State.DEAD_LETTERS_KEPT, "read") from fault
    except MemoryError:
        raise
    except pa.ArrowException as fault:
        raise TableUnfit(
            f"{table}: data file {path} cannot be read: {as_reason(fault)}.", State.DEAD_LETTERS_KEPT
        ) from fault
