"""Values as JSON: dataclasses by their fields, and ids as strings, because browser numbers have 53 bits."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from typing import Any

import orjson
from fastapi.responses import Response

# Most values; a call for each of ten thousand would cost more than all the rest.
_AS_THEY_ARE = (int, str, float, bool, type(None))
_IDS = frozenset({"snapshot_id", "version_id"})


def fields(value: Any) -> dict[str, Any]:
    """The fields of a dataclass, unconverted."""
    return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}


def plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {k: str(v) if k in _IDS and v is not None else plain(v) for k, v in value.items()}
    if dataclasses.is_dataclass(value):
        return plain(fields(value))
    if isinstance(value, list | tuple):
        return [v if type(v) in _AS_THEY_ARE else plain(v) for v in value]
    return value


def answer(value: Mapping[str, Any]) -> Response:
    """A JSON response that is never cached: rights may change, and it is outdated in a second."""
    body = orjson.dumps(plain(value), option=orjson.OPT_UTC_Z)
    return Response(body, media_type="application/json", headers={"Cache-Control": "no-store"})
