"""One JSON object for each record."""

from __future__ import annotations

from lakelock.records.decoding import Decoder, Format, RowShape
from lakelock.records.infer import infer_schema
from lakelock.records.json.decode import JsonDecoder
from lakelock.records.json.reshaped import ReshapedDecoder
from lakelock.records.json.shaped import ShapedDecoder
from lakelock.records.json.together import together


def _decoder(shape: RowShape) -> Decoder:
    if shape.reshape is not None and shape.reshaper is not None:
        return ReshapedDecoder(shape, shape.reshaper(shape.reshape), _decoder)
    if shape.readings or shape.rest is not None or shape.dropped:
        return ShapedDecoder(
            shape.columns,
            shape.schema,
            zones=shape.zones,
            skip=shape.skip,
            unknown_fields=shape.unknown_fields,
            readings=shape.readings,
            rest=shape.rest,
            dropped=shape.dropped,
            scanner=shape.scanner,
            check=shape.check,
        )
    return JsonDecoder(
        shape.columns,
        shape.schema,
        zones=shape.zones,
        skip=shape.skip,
        unknown_fields=shape.unknown_fields,
        check=shape.check,
    )


JSON = Format(_decoder, infer_schema, together=together)
