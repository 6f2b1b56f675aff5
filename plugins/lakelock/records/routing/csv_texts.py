"""The texts that fields have in the delimited text of a block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.records.csv.format import header_rows
from lakelock.records.csv.options import CsvOptions
from lakelock.records.csv.record import row_fault
from lakelock.records.csv.row_fields import field_name
from lakelock.records.csv.splitting import Splitter
from lakelock.records.raw import NO_VALUE, not_texts
from lakelock.records.reasons import Reason
from lakelock.records.routing.field_texts import FoundFields
from lakelock.records.routing.numbered_texts import NO_CODE, Codes, Numbered, TextColumn, itself
from lakelock.records.routing.templates import Placeholder
from lakelock.records.values import Values


class CsvTexts:
    """Finds the texts of *placeholders*, which are among the fields that *options* name."""

    def __init__(self, placeholders: Sequence[Placeholder], options: CsvOptions, splitter: Splitter) -> None:
        self._options = options
        self._positions = {p: options.columns.index(field_name(p.path)) for p in placeholders}
        self._split = splitter(options, len(options.columns))

    def of(
        self, topic: str, values: Values, tombstones: Codes, numbered: Mapping[Placeholder, Numbered]
    ) -> FoundFields:
        """As of `FieldTexts`."""
        passed = values.absent.copy()
        faults = not_texts(values, passed)
        passed[[*faults]] = True
        split = self._split(values, passed)
        rows = np.flatnonzero(~split.faults)
        headers = header_rows(split, self._options)
        columns = []
        for place, position in self._positions.items():
            texts = split.texts(position)
            if headers:
                is_header = np.zeros(len(rows), np.bool_)
                is_header[[*headers]] = True
                texts = pc.if_else(pa.array(is_header), pa.scalar(None, texts.type), texts)
            codes = np.full(len(values), NO_CODE)
            codes[rows] = numbered[place].codes(texts, itself)
            columns.append(TextColumn(codes, numbered[place]))
        faults |= {int(rows[row]): why for row, why in headers.items()}

        def reason(record: int) -> Reason:
            if record in faults:
                return faults[record]
            value = values[record]
            return NO_VALUE if value is None else row_fault(value.decode(), self._options)

        return FoundFields(columns, frozenset((*faults, *np.flatnonzero(split.faults).tolist())), reason)
