"""Decoders to fuzz, and the property that every input must have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

import pyarrow as pa
from kits.columns import columns
from kits.formats import decoder
from kits.json_texts import any_value, object_of
from lakelock.records.casts import Reading
from lakelock.records.decoding import Decoded, Decoder
from lakelock.records.formats import named
from lakelock.records.json.reshape import Flatten, Reshape
from lakelock.records.values import Values

# Parts of an input that are records, and one that is a tombstone.
BETWEEN, TOMBSTONE = b"\0", b"\xff"
JSON_COLUMNS = {
    **{"id": "long", "n": "int", "d": "decimal(9, 2)", "f": "double", "b": "boolean", "s": "string", "u": "uuid"},
    **{"day": "date", "at": "timestamptz", "local": "timestamp", "t": "time", "bin": "binary"},
    **{"st": "struct<x: long, y: string>", "l": "list<struct<x: long>>", "m": "map<string, double>"},
}
SAMPLE = (
    b'{"id":1,"n":2,"d":1.25,"f":1e3,"b":true,"s":"\\u00e4","u":"00000000-0000-0000-0000-000000000001"}',
    b'{"day":"2026-01-01","at":"2026-01-01T00:00:00Z","local":"2026-01-01T00:00:00","t":"12:00:00","bin":"AAE="}',
    b'{"st":{"x":1,"y":"z"},"l":[{"x":1},null],"m":{"a":1.5}}',
)
CONNECT = (
    b'{"schema":{"type":"struct","fields":[{"field":"id","type":"int64"},{"field":"at","type":"int64",'
    b'"name":"org.apache.kafka.connect.data.Timestamp"}]},"payload":{"id":1,"at":1767225600000}}',
)


@dataclass(frozen=True)
class Target:
    """A format's decoder for a table of these columns, and records to begin with."""

    format: str
    types: Mapping[str, str]
    sample: Sequence[bytes]
    readings: Mapping[str, Reading] = field(default_factory=dict)
    rest: str | None = None
    reshape: Reshape | None = None

    @cached_property
    def decoder(self) -> Decoder:
        of = columns({**self.types, **({self.rest: "string"} if self.rest else {})})
        return decoder(named(self.format), of, self.readings, self.rest, reshape=self.reshape)


TARGETS = {
    "json": Target("json", JSON_COLUMNS, SAMPLE),
    "json with casts": Target(
        "json",
        JSON_COLUMNS,
        (*SAMPLE, b'{"n":"270.0","d":12.345,"day":20454,"at":1767225600,"t":3600000}'),
        {
            "n": Reading(("n",), ("text", "integral")),
            "d": Reading(("d",), ("round", "clamp")),
            "day": Reading(("day",), ("pattern:dd.MM.yyyy", "epoch_days", "rfc3339")),
            "at": Reading(("at",), ("rfc3339", "epoch_s")),
            "t": Reading(("t",), ("rfc3339", "time_ms")),
            "s": Reading(("st", "y"), ("stringify",)),
            "bin": Reading(("bin",), ("null",)),
        },
        "rest",
    ),
    "json columns": Target(
        "json",
        {"whole": "string", "part": "string", "id": "long"},
        SAMPLE,
        {"whole": Reading((), whole=True), "part": Reading(("st",), ("json",))},
        "rest",
    ),
    "json reshaped": Target(
        "json",
        {"id": "long", "st_x": "long", "s_a": "string", "whole": "string"},
        (b'{"id":1,"st":{"x":2},"s":"{\\"a\\":\\"\\\\u00e4\\"}"}',),
        {"whole": Reading((), whole=True)},
        "rest",
        Reshape((("s",),), Flatten("_")),
    ),
    "connect_json": Target("connect_json", {"id": "long", "at": "timestamptz"}, CONNECT),
    "csv": Target(
        "csv",
        {"id": "long", "name": "string", "amount": "decimal(9, 2)", "at": "timestamptz", "ok": "boolean"},
        (b'1,"a ""b"", c",1.25,2026-01-01T00:00:00Z,true', b"2,,,,\r\n"),
        {"at": Reading(("at",), ("rfc3339", "epoch_s"))},
    ),
    "raw text": Target("raw", {"value": "string"}, (b"text", "ä".encode())),
}


def seeds(target: Target, random: Random, count: int) -> list[bytes]:
    """Inputs to begin with: the target's sample, and random objects of its columns' fields."""
    names = [*target.types, "new"]
    drawn = [
        object_of(random, [(n, any_value(random, 2)) for n in random.sample(names, random.randrange(len(names)))])
        for _ in range(count)
    ]
    return [*target.sample, BETWEEN.join([*target.sample, TOMBSTONE, b""]), *(text.encode() for text in drawn)]


def check(target: Target, data: bytes) -> None:
    """Each record is a row or a dead letter, and the same one alone as beside the others."""
    records = [None if part == TOMBSTONE else part for part in data.split(BETWEEN)]
    found = _settled(target.decoder.decode(Values.from_list(records)), len(records))
    for index, record in enumerate(records if len(records) > 1 else []):
        (alone,) = _settled(target.decoder.decode(Values.from_list([record])), 1)
        assert alone == found[index], f"record {index} is {alone} alone, and {found[index]} beside the others"


def _settled(decoded: Decoded, size: int) -> list[str]:
    """By index: the row, or the kind of reason."""
    decoded.table.validate(full=True)
    good = list(range(size) if decoded.good is None else decoded.good)
    bad = {b.index: f"{b.stage}: {b.reason.kind}, {b.reason.field}" for b in decoded.bad}
    assert sorted([*good, *bad]) == list(range(size)), f"{good} are rows, and {sorted(bad)} dead letters"
    assert len(bad) == len(decoded.bad)
    rows = dict(zip(good, map(repr, _rows(decoded.table)), strict=True))
    return [rows.get(i) or bad[i] for i in range(size)]


def _rows(table: pa.Table) -> list[dict[str, object]]:
    return table.to_pylist()  # type: ignore[no-any-return]
