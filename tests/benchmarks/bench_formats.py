"""Decoding blocks of delimited text, beside the same rows as JSON, and beside Arrow's own reader of each.

    export PYTHONPATH=plugins:bin:tests
    python tests/benchmarks/bench_formats.py          about a minute, without servers

Values are in one buffer, as the reader of Kafka leaves them; a table's rows come out. Arrow's readers get the same buffer as
one text: they prove nothing, refuse nothing alone, and know no casts. The sides run in turn; the fastest round of each
counts, in nanoseconds of processor time a row.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence

import pyarrow as pa
import pyarrow.csv
import pyarrow.json
from bench_write_path import SMALL, Columns, flight_columns, flight_values, small_values
from kits.columns import columns as columns_of
from kits.formats import decoder
from lakelock.records.decoding import Decoder
from lakelock.records.formats import named
from lakelock.records.values import Values

BLOCK = 20_000
TIMES: Columns = [*SMALL[:3], ("event_ts", "timestamptz"), SMALL[4]]
ARROW = {"long": pa.int64(), "string": pa.string(), "double": pa.float64(), "timestamptz": pa.timestamp("us", "UTC")}


def as_rows(values: Sequence[bytes], quoting: int) -> Iterator[bytes]:
    """JSON objects as delimited text; null is an empty field."""
    for value in values:
        to = io.StringIO()
        csv.writer(to, quoting=quoting, lineterminator="").writerow(json.loads(value).values())  # type: ignore[arg-type]
        yield to.getvalue().encode()


def arrow_csv(values: Values, columns: Columns) -> pa.Table:
    return pyarrow.csv.read_csv(
        pa.BufferReader(values.text),
        read_options=pyarrow.csv.ReadOptions(
            column_names=[n for n, _ in columns], use_threads=False, block_size=1 << 27
        ),
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types={n: ARROW[t] for n, t in columns}, strings_can_be_null=True, quoted_strings_can_be_null=False
        ),
    )


def arrow_json(values: Values, columns: Columns) -> pa.Table:
    schema = pa.schema([(n, pa.string() if t == "timestamptz" else ARROW[t]) for n, t in columns])
    return pyarrow.json.read_json(
        pa.BufferReader(values.text),
        parse_options=pyarrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"),
        read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=1 << 27),
    )


def best(rounds: int, records: int, **sides: Callable[[], object]) -> dict[str, float]:
    """Nanoseconds a row of each side."""
    found = dict.fromkeys(sides, float("inf"))
    for _ in range(rounds):
        for side, run in sides.items():
            began = time.process_time()
            run()
            found[side] = min(found[side], time.process_time() - began)
    return {side: seconds / records * 1e9 for side, seconds in found.items()}


def decoding(of: Decoder, values: Values) -> Callable[[], object]:
    return lambda: of.decode(values)


def compare(
    name: str, rounds: int, columns: Columns, records: Sequence[bytes], quoting: int = csv.QUOTE_MINIMAL
) -> None:
    kinds = columns_of(dict(columns))
    of_json, of_csv = decoder(named("json"), kinds), decoder(named("csv"), kinds)
    objects, rows = Values.from_list(list(records)), Values.from_list(list(as_rows(records, quoting)))
    same = of_json.decode(objects).table.equals(of_csv.decode(rows).table)
    assert same or quoting == csv.QUOTE_ALL, f"{name}: the rows differ"
    ns = best(
        rounds,
        len(records),
        json=decoding(of_json, objects),
        csv=decoding(of_csv, rows),
        arrow_json=lambda: arrow_json(objects, columns),
        arrow_csv=lambda: arrow_csv(rows, columns),
    )
    times = "  ".join(f"{side} {n:.0f}" for side, n in ns.items())
    print(
        f"{name}: ns a row: {times}; csv is {ns['csv'] / ns['json']:.2f} × json, {ns['csv'] / ns['arrow_csv']:.2f} × Arrow's "
        f"reader of CSV",
        flush=True,
    )


def bad(rounds: int, records: Sequence[bytes]) -> None:
    """Records with one of six faults."""
    good = list(as_rows(records, csv.QUOTE_MINIMAL))
    faults = [b"one,a,1,,", b"no row at all", b"1.5,a,1,,", b'1,"a,1,,', b"1,a,1,,\n2,b,2,,", b"\xff,,,,"]
    of = decoder(named("csv"), columns_of(dict(SMALL)))
    mixed = [faults[i // 1000 % 6] if i % 1000 == 500 else value for i, value in enumerate(good)]
    all_bad = [faults[i % 6] for i in range(len(good))]
    ns = best(
        rounds,
        len(good),
        good=decoding(of, Values.from_list(list(good))),
        one=decoding(of, Values.from_list(list(mixed))),
        all=decoding(of, Values.from_list(list(all_bad))),
    )
    print(f"one bad record in a thousand: {ns['one']:.0f} ns a row, {ns['one'] / ns['good']:.2f} × none")
    print(f"every record bad: {1e9 / ns['all']:,.0f} records/s a core")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}, pyarrow {pa.__version__}"
    )
    small = list(small_values(BLOCK))
    compare("five fields", options.rounds, SMALL, small)
    compare("five fields, one a time", options.rounds, TIMES, small)
    compare("five fields, each in quotes", options.rounds, SMALL, small, csv.QUOTE_ALL)
    compare("flights, 19 fields", options.rounds, flight_columns(), list(flight_values(BLOCK)))
    bad(options.rounds, small)


if __name__ == "__main__":
    main()
