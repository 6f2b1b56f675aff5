"""Code inside one Spark task: runs a slice, and returns its result or lakelock's own error as data."""

from __future__ import annotations

import gc
import pickle
import sys
import traceback
import zipimport
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from lakelock.errors import LakelockError
from lakelock.model.redaction import redacted, secrets_of

if TYPE_CHECKING:
    import pyarrow as pa


class Order(Protocol):
    """Order for a job's tasks: its slices, and settings that contain values which must not be shown."""

    @property
    def slices(self) -> Sequence[object]: ...

    @property
    def secrets(self) -> tuple[Mapping[str, str], ...]: ...


OrderT = TypeVar("OrderT", bound=Order)
OutputT = TypeVar("OutputT")
RunSlice = Callable[[OrderT, int], OutputT]
# From an order, the number of a slice, and what runs it, rows for Spark.
Batches = Callable[[Any, int, Callable[[], object]], Iterator[Any]]

# Well below the limits of Spark and gRPC for one row; long results take several rows.
CHUNK_BYTES = 1 << 20
RESULT_COLUMNS = "slice_no long, chunk_no int, body binary"


class SliceFailed(Exception):
    """A slice failed with an error that lakelock did not raise; carries its traceback as text."""


class SliceTask(Generic[OrderT, OutputT]):
    """Runs the slices whose numbers Spark passes to it.

    The order, which contains secrets, is part of this object's pickled state only: neither plans nor logs show any of
    it.
    """

    def __init__(self, order: OrderT, run_slice: RunSlice[OrderT, OutputT], batches: Batches | None = None) -> None:
        """*batches* turns what *run_slice* returns into rows for Spark; by default, `result_batches`."""
        self._order = order
        self._run_slice: RunSlice[OrderT, OutputT] = run_slice
        self._batches: Batches = batches or result_batches

    def __repr__(self) -> str:
        return "slices"

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            for slice_no in batch.column(0).to_pylist():
                yield from self._batches(self._order, slice_no, partial(self._run_slice, self._order, slice_no))
        lighten_worker()


def result_batches(order: Order, slice_no: int, run: Callable[[], object]) -> Iterator[pa.RecordBatch]:
    """The result of *run*, or its lakelock error, as `RESULT_COLUMNS`."""
    import pyarrow as pa

    try:
        result = run()
    except LakelockError as error:
        # An error raised here would reach the driver as text only.
        result = error
    except Exception:
        # Let Spark retry; it logs the error's text.
        raise slice_failed(order, slice_no) from None
    for chunk_no, body in enumerate(packed(result)):
        yield pa.RecordBatch.from_pydict(
            {
                "slice_no": pa.array([slice_no], pa.int64()),
                "chunk_no": pa.array([chunk_no], pa.int32()),
                "body": pa.array([body], pa.binary()),
            }
        )


def slice_failed(order: Order, slice_no: int) -> SliceFailed:
    """For the exception that is being handled; without the order's secrets."""
    secrets = set().union(*map(secrets_of, order.secrets))
    return SliceFailed(redacted(f"slice {slice_no}\n{traceback.format_exc()}", secrets))


def lighten_worker() -> None:
    """Reduce overhead of this worker's next task, by about a tenth of a second of CPU.

    After each task Spark collects garbage among all imported objects, and before each it re-reads the directory of
    every zip on the path, once per package imported from it. Freezing exempts the modules; importers are recreated on
    demand, from a directory that Python caches.
    """
    _freeze()
    for path, importer in list(sys.path_importer_cache.items()):
        if isinstance(importer, zipimport.zipimporter):
            del sys.path_importer_cache[path]


@cache
def _freeze() -> None:
    """Once a process: what a task keeps later may have to be collected."""
    gc.collect()
    gc.freeze()


def packed(result: object) -> list[bytes]:
    """*result* in compressed pieces of at most `CHUNK_BYTES`."""
    body = zlib.compress(pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL), 1)
    return [body[n : n + CHUNK_BYTES] for n in range(0, len(body), CHUNK_BYTES)]


def unpacked(chunks: Iterable[bytes]) -> object:
    """Inverse of `packed`."""
    return pickle.loads(zlib.decompress(b"".join(chunks)))
