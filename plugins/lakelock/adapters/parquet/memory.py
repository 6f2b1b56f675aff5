"""Write-only files in memory, to test whether something can be written."""

from __future__ import annotations

import io
from typing import Any

from pyiceberg.io import FileIO, InputFile, OutputFile


class MemoryIO(FileIO):
    def new_output(self, location: str) -> OutputFile:
        return _Output(location)

    def new_input(self, location: str) -> InputFile:
        raise FileNotFoundError(location)

    def delete(self, location: str | InputFile | OutputFile) -> None:
        raise FileNotFoundError(str(location))


class _Output(OutputFile):
    def __len__(self) -> int:
        return 0

    def exists(self) -> bool:
        return False

    def to_input_file(self) -> InputFile:
        raise FileNotFoundError(self.location)

    def create(self, overwrite: bool = False) -> Any:
        return io.BytesIO()
