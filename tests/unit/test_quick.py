"""Records that are read quickly get the rows that the thorough decoder gives them, and all others go to it."""

from __future__ import annotations

import ctypes
import json
import mmap
import struct
from decimal import Decimal
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kits.columns import columns
from kits.formats import decoder
from kits.json_texts import NAMES, any_object, any_value, broken, object_of, white
from lakelock.adapters.json.reader import reader
from lakelock.adapters.json.scanner import scanner
from lakelock.records import reasons
from lakelock.records.casts import Reading
from lakelock.records.decoding import Decoded, Decoder
from lakelock.records.json import quick
from lakelock.records.json.decode import JsonDecoder
from lakelock.records.json.field_tree import MOST_BYTES_FLAT, Field, FieldTree, ReadAs, ValueKind, flat, tree_of_texts
from lakelock.records.json.format import JSON
from lakelock.records.json.record_fields import RecordFields
from lakelock.records.json.reshape import Flatten, Reshape
from lakelock.records.json.scanned import Fault
from lakelock.records.reasons import Unfit
from lakelock.records.values import Values

SEEDS = st.integers(0, 2**64)
DECIMALS = ("decimal(6, 2)", "decimal(18, 0)", "decimal(18, 18)", "decimal(20, 2)")
TYPES = (
    *(
        "long",
        "int",
        "double",
        "float",
        "boolean",
        "string",
        "date",
        "timestamp",
        "timestamptz",
        "time",
        "uuid",
        "binary",
    ),
    *DECIMALS,
)
TEXTS = {
    "date": ('"2026-02-28"', '"2026-02-30"'), "timestamp": ('"2026-01-01T00:00:00"', '"2026-01-01T00:00:00Z"'),
    "timestamptz": ('"2026-01-01T00:00:00Z"', '"x"'), "time": ('"01:02:03.5"', '"25:00:00"'),
    "uuid": ('"12345678-1234-5678-1234-567812345678"', '"1"'), "binary": ('"AAH/"', '"AB=="'),
    "string": ('"text"', '"\\u00e4\\ud83d\\ude00\\n"', '"\\ud83d"', '"\\udc00\\ud83d"', '"a\\\\"', '"ä"', '"\\u0000"'),
    "boolean": ("true", "false"), "int": ("-1", "2147483647", "2147483648", "1.0", "-0"),
    "long": ("17", "-9223372036854775808", "9223372036854775807", "9223372036854775808", "1e3", "01"),
    "double": ("1.5", "-0.0", "1e-7", "9007199254740992", "9007199254740993", "1e400", "5e-324", "0.1e-70", "1e15", ".5", "1."),
    "float": ("1.5", "16777217", "3.4028235e38", "0.1"),
    **dict.fromkeys(DECIMALS, (
        "0", "0.5", "-1.25", "1.250000", "1.255", '"1.2"', '"-0.10"', '"01"', '" 1"', '"1e1"', "1e1", "9999.99", "10000", "-0", "0.999999999999999999",
        "999999999999999999", "1000000000000000000", "-999999999999999999.0", '"1', '""', '"-"', "0.0000000000000000010",
    )),
}  # fmt: skip
FLAT_NAMES = ("a", "b", "a_b", "a_b_c", "b_c", "c", "_a", "a_", "a__b", "")


def said(decoded: Decoded, kept: list[int]) -> object:
    good = kept if decoded.good is None else list(decoded.good)
    assert sorted([*good, *(b.index for b in decoded.bad)]) == kept
    # Which of several faults is named depends on a record's neighbours.
    return good, repr(decoded.table.to_pylist()), [(b.index, b.stage) for b in decoded.bad]


def no_seven(rows: pa.Table) -> None:
    for column in rows.columns:
        if column.type == pa.int64() and 17 in column.to_pylist():
            raise Unfit("seventeen has no partition", reasons.PARTITION_VALUE)


class Drawn:
    """Two decoders of one table, and records for it."""

    def __init__(self, random: Random) -> None:
        self.random = random
        way = random.choice(("plain", "plain", "flatten", "parse", "both", "paths"))
        names = FLAT_NAMES if way in {"flatten", "both"} else NAMES[:8]
        self.types = {n: random.choice(TYPES) for n in random.sample(names, random.choice((1, 2, 4)))}
        self.nested = way != "plain"
        required = [n for n in self.types if random.random() < 0.1]
        flatten = (
            Flatten(random.choice(("_", "_", "__")), random.choice((None, None, 0, 1, 2)))
            if way in {"flatten", "both"}
            else None
        )
        parse = tuple((n,) for n in random.sample(FLAT_NAMES, 2)) + ((("a", "b"),) if random.random() < 0.5 else ())
        self.parse = parse if way in {"parse", "both"} else ()
        readings: dict[str, Reading] = {}
        if way in {"paths", "parse"}:
            readings = {n: Reading((random.choice("abc"), n)) for n in self.types if random.random() < 0.6}
        self.readings = readings
        common: dict[str, Any] = {
            "readings": readings,
            "zones": {n: "Europe/Berlin" for n, t in self.types.items() if t == "timestamp" and random.random() < 0.5},
            "unknown_fields": random.choice(("dead_letter", "ignore")),
            "check": random.choice((no_seven, lambda rows: None)),
            "reshape": Reshape(self.parse, flatten) if flatten or self.parse else None,
        }
        of = columns(self.types, tuple(required))
        try:
            self.quick: Decoder | None = decoder(JSON, of, **common)
        except Unfit:
            # Two columns read one field.
            self.quick = None
        else:
            self.slow = decoder(JSON, of, quick=False, **common)

    def value(self, name: str) -> str:
        kind, random = self.types[name], self.random
        draw = random.random()
        if draw < 0.85:
            found = random.choice(TEXTS[kind][:6]) if kind in DECIMALS else TEXTS[kind][0]
        elif draw < 0.95:
            found = random.choice(TEXTS[kind])
        else:
            found = random.choice(("null", any_value(random)))
        return found

    def members(self) -> list[tuple[str, str]]:
        random, found = self.random, []
        for name in self.types:
            if random.random() < 0.9:
                path = list(self.readings[name].path if name in self.readings else (name,))
                if self.nested and "_" in name and random.random() < 0.6:
                    path = name.split("_", random.choice((1, 2)))
                text = self.value(name)
                for outer in reversed(path[1:]):
                    text = object_of(random, [(outer, text), *self.more(0.1)])
                found.append((path[0], text))
        return [*found, *self.more(0.2)]

    def more(self, share: float) -> list[tuple[str, str]]:
        random = self.random
        if random.random() > share:
            return []
        return [(random.choice((*NAMES, *FLAT_NAMES)), random.choice(("null", "{}", any_value(random))))]

    def record(self) -> bytes | None:
        random = self.random
        members = [
            (n, json.dumps(text) if (n,) in self.parse and random.random() < 0.9 else text)
            for n, text in self.members()
        ]
        if random.random() < 0.2:
            random.shuffle(members)
        text = (white(random) + object_of(random, members) + white(random)).encode()
        draw = random.random()
        if draw < 0.05:
            return random.choice((None, b"", any_object(random).encode()))
        return broken(random, text) if draw < 0.15 else text


@given(SEEDS)
@settings(max_examples=300, deadline=None)
def test_records_are_read_quickly_as_thoroughly(seed: int) -> None:
    random = Random(seed)
    drawn = Drawn(random)
    if drawn.quick is None:
        return
    for _ in range(2):
        records = [drawn.record() for _ in range(random.choice((1, 8, 40)))]
        filtered = np.array(sorted(random.sample(range(len(records)), random.randrange(2))), np.int64)
        kept = [n for n in range(len(records)) if n not in filtered]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(quick, "_BLOCKS_ALONE", 0)
            found = drawn.quick.decode(Values.from_list(records), filtered)
        wanted = drawn.slow.decode(Values.from_list(records), filtered)
        assert said(found, kept) == said(wanted, kept)
        assert found.table.schema.equals(wanted.table.schema, check_metadata=True)
        found.table.validate(full=True)


def only(kind: ValueKind, arrow: pa.DataType, limit: float = 0.0) -> FieldTree:
    root = Field("")
    root.at(("x",)).column = 0
    return FieldTree(root, [ReadAs(kind, arrow, False, limit=limit)], False, 1 << 60)


@given(SEEDS)
@settings(max_examples=30, deadline=None)
def test_a_double_is_the_nearest_one(seed: int) -> None:
    random, texts = Random(seed), []
    for _ in range(300):
        halfway = Decimal((1 << 53) + 2 * random.getrandbits(52) + 1) * Decimal(2) ** -random.randint(1, 11)
        texts += [
            repr(random.random() * 10 ** random.randint(-8, 12)),
            f"{random.getrandbits(63)}e{random.randint(-80, 5)}",
            f"-{random.getrandbits(random.randint(1, 63))}e-{random.randint(0, 30)}",
            str(halfway),
            f"{random.randint(1, 9) << 64}{random.choice(('', '.5', '7'))}",
            f"0.{random.randint(0, 3) * '0'}{random.randint(1, 9) << 64}{random.choice(('', '5', 'e3'))}",
            json.dumps(struct.unpack("d", struct.pack("Q", random.getrandbits(64) & ~(1 << 62)))[0]),
            f"{random.randint(0, 9)}.{random.getrandbits(60)}E{random.choice('+-')}{random.randint(0, 20)}",
        ]
    values = Values.from_list([f'{{"x":{text}}}'.encode() for text in texts])
    read = reader(only(ValueKind.NUMBER, pa.float64(), 2.0**53))(values, np.zeros(len(texts), np.bool_))
    taken = [t for t, is_taken in zip(texts, read.taken, strict=True) if is_taken]
    assert len(taken) > len(texts) // 4
    found, wanted = np.array(read.arrays[0].to_pylist()), np.array([float(t) for t in taken])
    assert (found.view(np.uint64) == wanted.view(np.uint64)).all()
    assert (np.abs(wanted) < 2**53).all()


def test_only_what_is_not_certain_goes_to_the_thorough_decoder(monkeypatch: pytest.MonkeyPatch) -> None:
    given_to: list[list[bytes | None]] = []
    plain = JsonDecoder.decode

    def decode(self: JsonDecoder, values: Values, *more: object) -> Decoded:
        given_to.append(list(values))
        return plain(self, values)

    monkeypatch.setattr(JsonDecoder, "decode", decode)
    of = decoder(JSON, columns({"id": "long", "at": "timestamptz", "note": "string"}))
    fine = b'{"id":1,"at":"2026-01-01T00:00:00Z","note":"\\u00e4\\n"}'
    assert of.decode(Values.from_list([fine] * 10)).good is None
    assert not given_to
    odd = [b'{"id":-0}', b'{"id":1.0}', b'{"id":2,"at":"x"}']
    found = of.decode(Values.from_list([fine, odd[0], *[fine] * 20, odd[1], odd[2]]))
    assert given_to == [odd]
    assert (list(found.good or ()), [b.index for b in found.bad]) == (list(range(22)), [22, 23])
    assert found.table.column("id").to_pylist() == [1, 0, *[1] * 20]


def test_after_a_block_that_is_mostly_left_the_next_ones_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    of = decoder(JSON, columns({"id": "long"}))
    of.decode(Values.from_list([b'{"id":-0}'] * 5))
    calls: list[int] = []
    monkeypatch.setattr(of, "_read", lambda values, out: calls.append(len(values)))
    for _ in range(quick._BLOCKS_ALONE):
        assert of.decode(Values.from_list([b'{"id":1}'])).table.to_pylist() == [{"id": 1}]
    assert not calls
    with pytest.raises(AttributeError):
        of.decode(Values.from_list([b'{"id":1}']))


def test_texts_find_room_as_they_grow() -> None:
    of = decoder(JSON, columns({"a": "string", "b": "string"}))
    for size in (3, 30_000, 1, 9_000):
        records = [json.dumps({"a": "x" * (n % 7), "b": "y" * size}).encode() for n in range(100)]
        found = of.decode(Values.from_list(records))
        assert found.table.to_pylist() == [json.loads(r) for r in records]


def test_a_flattened_record_stays_below_the_limit_if_it_is_read_quickly() -> None:
    from lakelock.adapters.json.reshape import MOST_BYTES

    assert MOST_BYTES_FLAT**2 < MOST_BYTES


def test_nothing_is_read_beyond_the_buffer() -> None:
    """The text ends with its page, and the next one may not be read."""
    page = mmap.PAGESIZE
    area = mmap.mmap(-1, 2 * page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(area))
    assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(start + page), page, 0) == 0
    whole = np.frombuffer(memoryview((ctypes.c_ubyte * page).from_address(start)), np.uint8)
    random = Random(7)
    root = Field("")
    for n, name in enumerate(("a", "b", "c")):
        root.at((name,)).column = n
    root.at(("d", "e")).column = 1
    root.at(("d",)).is_parsed = True
    kinds = ((ValueKind.INTEGER, pa.int64()), (ValueKind.TEXT, pa.string()), (ValueKind.NUMBER, pa.float64()))
    read = reader(FieldTree(root, [ReadAs(k, t, False, -9, 9, 1e9) for k, t in kinds], True, 1 << 60))
    assert [f.name for f, _ in flat(root)] == ["", "a", "b", "c", "d", "e"]
    for _ in range(3_000):
        members = [
            (random.choice("abcdx"), random.choice(('"\\ud83d\\ude00"', '"{\\"e\\":\\"1\\"}"', "1", any_value(random))))
            for _ in range(3)
        ]
        text = object_of(random, members).encode()
        text = text[: random.randrange(len(text) + 1)] if random.random() < 0.7 else broken(random, text)
        text = text[:3000]
        # Without the line break, which may not be read either.
        whole[page - len(text) :] = np.frombuffer(text, np.uint8)
        read(Values(whole, np.array([page - len(text), page + 1])), np.zeros(1, np.bool_))


def test_a_text_that_is_not_utf_8_is_not_read_quickly() -> None:
    values = Values.from_list([b'{"v":"a"}', b'{"v":"\xff"}', b'{"v":"b"}'])
    decoded = decoder(JSON, columns({"v": "string"})).decode(values)
    assert decoded.table.column("v").to_pylist() == ["a", "b"]
    assert [b.index for b in decoded.bad] == [1]


def test_each_byte_of_a_text_counts_wherever_it_is() -> None:
    """Texts are read sixteen bytes at a time."""
    parts = [b'"', b"\\", b"\x1f", b"\0", b"\n", b"\\n", b'\\"', b"\\u00e4", "ä".encode(), b"\x7f", b'","b":"', b""]
    texts = [b"x" * at + part + b"y" * more for at in range(36) for more in range(20) for part in parts]
    values = [b'{"a":"' + text + b'"}' + b" " * (n % 20) for n, text in enumerate(texts)]
    names = [b"{" + b'"' + text + b'":1,"a":"z"}' for text in texts]
    fields = RecordFields()
    fields.take_text(("a",))
    block = Values.from_list([*values, *names])
    found = scanner(fields.nodes(), 1, False)(block)
    tree = tree_of_texts([("a",)])
    assert tree is not None
    read = reader(tree)(block, np.zeros(len(block), np.bool_))
    rows = iter(read.arrays[0].to_pylist())
    for value, fault, is_taken in zip(block, found.faults.tolist(), read.taken.tolist(), strict=True):
        assert value is not None
        try:
            text = json.loads(value)["a"]
        except ValueError:
            assert fault == Fault.INVALID
            assert not is_taken
            continue
        assert fault == Fault.NONE
        assert not is_taken or next(rows) == text
        assert is_taken or b"\\" in value
    assert next(rows, None) is None
