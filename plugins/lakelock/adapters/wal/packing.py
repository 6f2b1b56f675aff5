"""Compress the manifest entries of a part's files together, one line of JSON each: about a tenth of single rows."""

from __future__ import annotations

from collections.abc import Sequence

import zstandard


def pack(file_details: Sequence[bytes]) -> bytes:
    return zstandard.compress(b"\n".join(file_details), 3)


def unpack(packed: bytes) -> list[bytes]:
    return zstandard.decompress(packed).splitlines()
