"""The value types of a column's own keys: constants and masks, as YAML has them and typed in Python."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

from lakelock.records.masks import COUNTS, HMAC, KINDS, REDACT, SHA256, Mask


def _constant(value: Any) -> Any:
    try:
        json.dumps(value, allow_nan=False).encode()
    except (TypeError, ValueError) as fault:
        raise ValueError("must be text, a number, true or false, or a list or map of these") from fault
    return value


def _mask(value: Any) -> Any:
    if value is None or isinstance(value, Mask):
        return value
    kind, argument = (value, None) if isinstance(value, str) else _only(value)
    if kind not in KINDS:
        raise ValueError(f"{kind!r} is no mask; there are {', '.join(KINDS)}")
    if kind in COUNTS:
        if not isinstance(argument, int) or isinstance(argument, bool) or argument < (1 if kind == "truncate" else 0):
            raise ValueError(f"{kind} needs a number of characters, such as {{{kind}: 4}}")
    elif kind == SHA256:
        if argument is not None:
            raise ValueError(f"{SHA256} has no argument; write mask: {SHA256}")
    elif not isinstance(argument, str) or (kind == HMAC and not argument):
        what = "the id of the Airflow connection with the key" if kind == HMAC else "a text"
        raise ValueError(
            f"{kind} needs {what}, such as {{{kind}: {'masking_key' if kind == HMAC else chr(34) + '***' + chr(34)}}}"
        )
    return Mask(kind, argument)


def _only(value: Any) -> tuple[object, object]:
    if not isinstance(value, Mapping) or len(value) != 1:
        raise ValueError(
            f"must be {SHA256}, or one of: {', '.join(f'{{{kind}: …}}' for kind in KINDS if kind != SHA256)}"
        )
    return next(iter(value.items()))


def _mask_json(mask: Mask | None) -> object:
    return None if mask is None else mask.kind if mask.argument is None else {mask.kind: mask.argument}


Constant = Annotated[Any, BeforeValidator(_constant), WithJsonSchema({})]
MaskNotation = Annotated[
    Mask | None,
    BeforeValidator(_mask),
    PlainSerializer(_mask_json),
    WithJsonSchema(
        {
            "anyOf": [
                {"const": SHA256},
                *(
                    {"type": "object", "properties": {kind: of}, "required": [kind], "additionalProperties": False}
                    for kind, of in (
                        (HMAC, {"type": "string", "minLength": 1}),
                        (REDACT, {"type": "string"}),
                        *((kind, {"type": "integer", "minimum": int(kind == "truncate")}) for kind in COUNTS),
                    )
                ),
            ]
        }
    ),
]
