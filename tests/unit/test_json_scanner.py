"""The scan in machine code against a slow reading of the same text, on hostile objects."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import native.__main__ as made
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lakelock.adapters.json.scanner import scanner
from lakelock.model.column_types import Column, ColumnType, Integer, ListOf, MapOf, Struct, Text
from lakelock.records.json.fields import Fault, RecordFields, Scanned
from lakelock.records.values import Values

POINT = Struct((Column("x", Integer(64)), Column("y", Struct((Column("z", Text()),)))))
KNOWN: dict[str, ColumnType] = {
    "id": Integer(64),
    "point": POINT,
    "points": ListOf(POINT),
    "by_name": MapOf(Text(), POINT),
    'odd "name"\n': Integer(64),
    "": Text(),
}
TEXTS = (("raw",), ("deep", "er", "raw"), ("point", "taken"), ("é",))
FIELDS = RecordFields()
for _name, _kind in KNOWN.items():
    FIELDS.take((_name,), Column(_name, _kind), None)
SLOTS = [FIELDS.take_text(path) for path in TEXTS]
ROOT = FIELDS.nodes()
SCAN, SCAN_ALONE = scanner(ROOT, len(SLOTS), True), scanner(ROOT, len(SLOTS), False)

_NAMES = [
    *KNOWN,
    "raw",
    "deep",
    "er",
    "x",
    "y",
    "z",
    "taken",
    "é",
    "e\u0301",
    "raw ",
    "ra",
    "a.b",
    "\U0001f600",
    "\x7f",
]
_NUMBERS = ["0", "-0", "1.10", "-12.5e-3", "1E5", "9" * 40, "0.0"]


class Pairs(list[tuple[str, Any]]):
    """An object as it is written."""


def _written(draw: st.DrawFn, value: Any) -> str:
    white = draw(st.sampled_from(["", "", " ", "\t \r\n"]))
    if isinstance(value, Pairs):
        inner = ",".join(f"{white}{_string(draw, n)}{white}:{white}{_written(draw, v)}{white}" for n, v in value)
        return "{" + (inner or white) + "}"
    if isinstance(value, list):
        return "[" + (",".join(f"{white}{_written(draw, v)}{white}" for v in value) or white) + "]"
    if isinstance(value, str):
        return _string(draw, value)
    return str(value)


def _string(draw: st.DrawFn, text: str) -> str:
    plain = json.dumps(text, ensure_ascii=draw(st.booleans()))
    if text and draw(st.integers(0, 9)) == 0:
        return '"' + "".join(f"\\u{ord(c):04x}" for c in text if ord(c) < 0x10000) + '"'
    return plain


_SCALARS = st.one_of(
    st.sampled_from([*_NUMBERS, "true", "false", "null"]).map(lambda word: (word,)),
    st.sampled_from(["", "text", 'q"\\', "{}", "\U0001f600", "\ud800"]),
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(st.tuples(st.sampled_from(_NAMES), inner), max_size=3, unique_by=lambda pair: pair[0]).map(Pairs),
    ),
    max_leaves=12,
)


@st.composite
def records(draw: st.DrawFn) -> bytes:
    names = draw(st.lists(st.sampled_from(_NAMES), max_size=8))
    record = Pairs((name, draw(_VALUES)) for name in names)
    return _written(draw, _bare(record)).encode("utf-8", "surrogatepass")


def _bare(value: Any) -> Any:
    if isinstance(value, tuple):
        return _Word(value[0])
    if isinstance(value, Pairs):
        return Pairs((n, _bare(v)) for n, v in value)
    return [_bare(v) for v in value] if isinstance(value, list) else value


class _Word:
    def __init__(self, word: str) -> None:
        self._word = word

    def __str__(self) -> str:
        return self._word


@st.composite
def broken(draw: st.DrawFn) -> bytes:
    """A record, or one with a byte or two cut out, put in or changed."""
    text = bytearray(draw(records()))
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(text)))
        match draw(st.integers(0, 3)):
            case 0:
                del text[at : at + 1]
            case 1:
                text.insert(at, draw(st.sampled_from(b'{}[]",:\\0x1-+.eE tn\x00\x1f\xff\n')))
            case 2:
                del text[at:]
            case _ if at < len(text):
                text[at] = draw(st.integers(0, 255))
    return bytes(text)


def _constant(name: str) -> None:
    raise ValueError(name)


def slow(value: bytes | None) -> Pairs | None:
    """The object, or None if the value is no JSON object."""
    try:
        # Bytes that are no UTF-8 are the decoder's to refuse.
        text = (value or b"").decode("utf-8", "surrogateescape")
        found = json.loads(text, object_pairs_hook=Pairs, parse_constant=_constant, parse_int=str, parse_float=str)
    except ValueError:
        return None
    return found if isinstance(found, Pairs) else None


def texts_of(record: Pairs, path: Sequence[str]) -> list[Any]:
    """All values at *path*, where names may repeat."""
    found = [value for name, value in record if name == path[0]]
    if len(path) == 1:
        return found
    return [inner for value in found if isinstance(value, Pairs) for inner in texts_of(value, path[1:])]


def rest_of(record: Pairs, kind: Struct, path: tuple[str, ...] = ()) -> Pairs:
    """What no column takes: of objects only such fields, of a list or map that has any the whole."""
    types = {f.name: f.type for f in kind.fields}
    out = Pairs()
    for name, value in record:
        inner = (*path, name)
        if inner in TEXTS:
            continue
        if name not in types:
            if any(text[: len(inner)] == inner for text in TEXTS):
                if isinstance(value, Pairs) and (below := rest_of(value, Struct(()), inner)):
                    out.append((name, below))
                continue
            out.append((name, value))
        elif isinstance(types[name], Struct):
            if isinstance(value, Pairs) and (below := rest_of(value, types[name], inner)):  # type: ignore[arg-type]
                out.append((name, below))
        elif _has_unknown(value, types[name]):
            out.append((name, value))
    return out


def _has_unknown(value: Any, kind: ColumnType) -> bool:
    match kind:
        case Struct(fields) if isinstance(value, Pairs):
            types = {f.name: f.type for f in fields}
            return any(name not in types or _has_unknown(v, types[name]) for name, v in value)
        case ListOf(element) if isinstance(value, list) and not isinstance(value, Pairs):
            return any(_has_unknown(v, element) for v in value)
        case MapOf() if isinstance(value, Pairs):
            return any(_has_unknown(v, kind.value) for _, v in value)
    return False


ROW = Struct(tuple(Column(name, kind) for name, kind in KNOWN.items()))


def agrees(value: bytes, scanned: Scanned, i: int) -> None:
    record, fault = slow(value), Fault(scanned.faults[i])
    if record is None:
        # A field that is there twice may come before what is not JSON.
        assert fault in (Fault.INVALID, Fault.TWICE)
        return
    twice = [path for path in TEXTS if len(texts_of(record, path)) > 1]
    assert (fault is Fault.TWICE) == bool(twice)
    assert fault in (Fault.NONE, Fault.TWICE)
    if twice:
        assert TEXTS[scanned.twice[i]] in twice
        return
    without = slow(scanned.without[i])
    assert without is not None
    for path, slot in zip(TEXTS, SLOTS, strict=True):
        start, end = int(scanned.starts[slot][i]), int(scanned.ends[slot][i])
        found = texts_of(record, path)
        assert (start >= 0) == bool(found)
        if found:
            text = scanned.values.buffer[start:end].tobytes()
            assert text.strip(b" \t\r\n") == text
            assert slow(b'{"v":' + text + b"}") == [("v", found[0])]
            assert texts_of(without, path) == ["0"]
    assert scanned.rest is not None
    expected, rest = rest_of(record, ROW), scanned.rest[i]
    assert (slow(rest) if rest is not None else Pairs()) == expected


@given(st.lists(broken(), min_size=1, max_size=4), st.integers(0, 3))
@example([b'{"points":[{"x":1,"new":[2]}],"by_name":{"a":{"y":{"n":1}}},"point":{"y":{"q":0},"taken":[1]}}'], 0)
@example([b'{"\\u0072aw":1,"r\\u0061w ":2}', b'{"raw":1,"\\u0072aw":2}'], 0)
@example([b'{"points":[[{"x":1}],{"new":1}],"point":[{"n":1}],"id":{"n":1}}'], 0)
def test_a_scan_finds_what_a_slow_reading_finds(values: list[bytes], start: int) -> None:
    # Places of a view count from the start of its buffer.
    whole = Values.from_list([*[b'{"raw":"of a neighbour"}'] * start, *values])
    scanned = SCAN(whole[start:])
    for i, value in enumerate(values):
        agrees(value, scanned, i)
    alone = SCAN_ALONE(whole[start:])
    assert (alone.faults == scanned.faults).all()
    assert alone.rest is None
    assert list(alone.without) == list(scanned.without)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "01",
            "-01",
            "1.",
            ".5",
            "+1",
            "-",
            "1e",
            "1e+",
            "1.e5",
            "0x1",
            "NaN",
            "-Infinity",
            "1 2",
            "tru",
            "nul",
            "True",
        ),
        *(
            '"\x1f"',
            '"\n"',
            '"\\x"',
            '"\\u12g4"',
            '"\\u123"',
            '"',
            '"\\"',
            "'a'",
            "[1,]",
            "[,1]",
            "[1",
            "]",
            "{,}",
            '{"a":1,}',
            '{"a"}',
        ),
        *('{"a" 1}', "{1:2}", "[1}", '{"a":1]', "1]", "1}", '"a" "b"', "", "\ufeff1", "/**/1", "\x0b1"),
        *(
            "0",
            "-0",
            "1e5",
            "1E-5",
            "0.0",
            '"\\ud800"',
            '"\x7f"',
            '"\\/"',
            "[]",
            "{}",
            "[ ]",
            "{ }",
            "[[[]]]",
            "null",
            "true",
            "false",
        ),
    ],
)
def test_what_json_is_and_is_not(text: str) -> None:
    values = [f'{{"raw":{text}}}'.encode(), f'{{"id":[{text}]}}'.encode(), f'{{"new":{{"a":{text}}}}}'.encode()]
    scanned = SCAN(Values.from_list(values))
    for i, value in enumerate(values):
        agrees(value, scanned, i)


def test_tombstones_and_empty_blocks() -> None:
    scanned = SCAN(Values.from_list([None, b"", b'{"raw":1}']))
    assert scanned.faults.tolist() == [Fault.INVALID, Fault.INVALID, Fault.NONE]
    assert scanned.texts(SLOTS[0], np.array([2])).to_pylist() == ["1"]
    assert len(SCAN(Values.from_list([])).faults) == 0


@pytest.mark.parametrize("depth", [9_998, 9_999, 10_000, 1_000_000])
def test_nesting_has_a_limit(depth: int) -> None:
    scanned = SCAN(Values.from_list([b'{"raw":' + b"[" * depth + b"]" * depth + b"}", b'{"id":' + b'{"a":' * depth]))
    assert scanned.faults.tolist() == [
        Fault.NONE if depth < 10_000 else Fault.TOO_DEEP,
        Fault.INVALID if depth < 10_000 else Fault.TOO_DEEP,
    ]


def test_the_rest_is_the_text_as_it_is_written() -> None:
    value = b'{ "new" : [1.10, 1E5 ,null] , "id":1,"p\\u00e4":"\\u00e4" , "point":{"x":1, "k" :{ }} }'
    scanned = SCAN(Values.from_list([value]))
    assert scanned.rest is not None
    assert scanned.rest[0] == '{"new":[1.10, 1E5 ,null],"pä":"\\u00e4","point":{"k":{ }}}'.encode()


def test_the_machine_code_is_made_of_its_source() -> None:
    text = made.SOURCE.with_suffix(".ll").read_text("utf-8")
    recorded = re.search(r"^; ([0-9a-f]{64})$", text, re.MULTILINE)
    assert recorded is not None
    assert recorded[1] == made.digest(made.SOURCE.read_bytes())
