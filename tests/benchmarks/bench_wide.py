"""Wide records: GitHub's webhooks, 10 kB each and 3,600 leaf columns, against a raw loop over the same records.

    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_wide.py                   a few minutes; needs npm
    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_wide.py --records 3000 --rounds 1

The raw loop is librdkafka -> pyarrow.json -> zstd Parquet with the same schema, in two processes. It cannot read records whose types
conflict: both sides read those that fit, then ours alone reads all, of which one in thirty becomes a dead letter.
"""

from __future__ import annotations

import argparse
import itertools
import os
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
from bench_write_path import METADATA, Raw, broker, compare, produce, run_ours, run_raw
from kits.webhooks import examples, packed, payloads
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.model.column_types import Column, Struct, leaves
from lakelock.records.infer import infer_schema
from lakelock.records.json.decode import JsonDecoder
from lakelock.records.json.wire_types import wire_type
from lakelock.records.values import Values


def fitting(found: list[dict[str, Any]], columns: Sequence[Column]) -> Iterator[dict[str, Any]]:
    """Those that no type conflict makes a dead letter."""
    decoder = JsonDecoder(
        columns,
        arrow_schema(schema_from(columns)),
        zones={},
        skip=frozenset(),
        unknown_fields="dead_letter",
    )
    bad = {b.index for b in decoder.decode(Values.from_list([packed(one) for one in found])).bad}
    return itertools.compress(found, [n not in bad for n in range(len(found))])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, pyarrow {pa.__version__}")
    found = examples()
    columns = infer_schema([packed(one) for one in found], METADATA.values()).columns
    wire = pa.schema([(c.name, wire_type(c.type)) for c in columns])
    print(f"{len(columns)} columns, {leaves(Struct(columns))} leaf columns")
    with broker(None) as address:
        fits = produce(address, [], payloads(list(fitting(found, columns)), args.records))
        conflicts = produce(address, [], payloads(found, args.records))
        compare(
            "wide",
            args.rounds,
            args.records,
            raw=lambda: run_raw(address, fits, Raw(wire, 3_000)),
            ours=lambda: run_ours(address, fits, columns=columns),
        )
        compare(
            "types that conflict",
            args.rounds,
            args.records,
            clean=lambda: run_ours(address, fits, columns=columns),
            bad=lambda: run_ours(address, conflicts, columns=columns),
        )


if __name__ == "__main__":
    main()
