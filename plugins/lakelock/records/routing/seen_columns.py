"""Records as the predicates of rules see them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lakelock.records.headers import Headers, texts
from lakelock.records.metadata import HEADERS
from lakelock.records.sql.types import arrow_type
from lakelock.records.values import Values

_HEADERS = pa.field("headers", arrow_type(HEADERS))


def seen(names: Iterable[str], values: Values, metadata: Callable[[str], pa.Array]) -> pa.Table:
    """The columns *names* of records; *metadata* has a column of all of them by key. What cannot be read as text is null."""
    columns = {name: _column(name, values, metadata) for name in names}
    # A table without columns has no rows.
    return pa.table(columns or {"nothing": pa.nulls(len(values))})


def _column(name: str, values: Values, metadata: Callable[[str], pa.Array]) -> pa.Array:
    match name:
        case "value":
            return texts(values.binary())[0]
        case "key":
            return texts(metadata("key"))[0]
        case "headers":
            column, unreadable = Headers(metadata("headers")).all(_HEADERS)
            if not unreadable:
                return column
            fit = np.ones(len(column), np.bool_)
            fit[list(unreadable)] = False
            return pc.if_else(pa.array(fit), column, pa.scalar(None, column.type))
    return metadata(name)
