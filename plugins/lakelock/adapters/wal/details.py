"""Manifest entries of a part's files as one compressed JSON list: a tenth of a row each, one parse for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import orjson
import zstandard


def pack(file_details: Sequence[Mapping[str, object]]) -> bytes:
    return zstandard.compress(orjson.dumps([dict(d) for d in file_details]), 3)


def unpack(packed: bytes) -> list[Mapping[str, object]]:
    found: list[Mapping[str, object]] = orjson.loads(zstandard.decompress(packed))
    return found
