"""Manifests that are written to nowhere: whether a commit could name files is known before they are staged."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from pyiceberg.io import FileIO, InputFile, OutputFile

from lakelock.adapters.iceberg import pyiceberg_private as inside
from lakelock.adapters.iceberg.handle import Handle
from lakelock.adapters.iceberg.manifests import ManifestWriting
from lakelock.adapters.parquet.data_file_json import decode_data_file
from lakelock.model.batches import DataFile


def try_manifests(handle: Handle, files: Sequence[DataFile]) -> None:
    """Raises what the manifests of a commit of *files* would raise."""
    metadata = handle.metadata
    writing = ManifestWriting(_Nowhere(), metadata.schema(), metadata.specs(), 0, str)
    entries = (decode_data_file(f.detail) for f in files)
    writing.added(entries, handle.name, 0, inside.Tally(metadata.schema()))


class _Nowhere(FileIO):
    def new_output(self, location: str) -> OutputFile:
        return _Discarded(location)

    def new_input(self, location: str) -> InputFile:
        raise FileNotFoundError(location)

    def delete(self, location: str | InputFile | OutputFile) -> None:
        raise FileNotFoundError(str(location))


class _Discarded(OutputFile):
    def __len__(self) -> int:
        return 0

    def exists(self) -> bool:
        return False

    def to_input_file(self) -> InputFile:
        raise FileNotFoundError(self.location)

    def create(self, overwrite: bool = False) -> Any:
        return io.BytesIO()
