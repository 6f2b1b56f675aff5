"""One JSON object for each record."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from lakelock.records.decoding import Decoder, Format, RowShape
from lakelock.records.infer import infer_schema
from lakelock.records.json.column_requests import requesting
from lakelock.records.json.decode import JsonDecoder
from lakelock.records.json.quick import quick
from lakelock.records.json.reshaped import ReshapedDecoder, in_any_case
from lakelock.records.json.shaped import ShapedDecoder
from lakelock.records.json.together import together


def _decoder(shape: RowShape) -> Decoder:
    return in_any_case(shape, _exact)


def _exact(shape: RowShape) -> Decoder:
    return quick(shape, _thorough(replace(shape, reader=None)))


def _thorough(shape: RowShape) -> Decoder:
    if shape.reshape is not None and shape.reshaper is not None:
        return ReshapedDecoder(shape, shape.reshaper(shape.reshape), _thorough)
    if shape.readings or shape.rest is not None or shape.dropped:
        return requesting(shape, ShapedDecoder.of(shape))
    plain = JsonDecoder(
        shape.columns,
        shape.schema,
        zones=shape.zones,
        skip=shape.skip,
        unknown_fields=shape.unknown_fields,
        check=shape.check,
    )
    return requesting(shape, plain)


JSON = Format(_decoder, infer_schema, together=together, infer_any_case=partial(infer_schema, ignores_case=True))
