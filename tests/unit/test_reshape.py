"""JSON within texts takes their places, and objects' fields those of objects, as a slow reading of each record alone does it."""

from __future__ import annotations

import ctypes
import json
import mmap
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kits.json_texts import NAMES, Value, any_object, any_value, broken, is_valid, object_of, parsed, spelled, white
from kits.shaping import landed, pipeline, rows_of
from lakelock.adapters.json import reshape as module
from lakelock.adapters.json.reshape import reshaped_texts, reshaper
from lakelock.config import Pipeline
from lakelock.errors import ConfigFaults
from lakelock.records.decoding import NONE
from lakelock.records.formats import named
from lakelock.records.json import field_tree
from lakelock.records.json.block_parser import not_objects
from lakelock.records.json.record_fields import Path as FieldPath
from lakelock.records.json.reshape import Flatten, Reshape
from lakelock.records.values import Values

SEEDS = st.integers(0, 2**64)


class Refused(Exception):
    """The record cannot be reshaped."""


def of(text: bytes, value: Value) -> bytes:
    return text[value.start : value.end]


def with_parsed(text: bytes, path: FieldPath) -> bytes:
    """*text* with the JSON of the text at *path* in its place."""
    found: list[Value] = []

    def find(value: Value, left: FieldPath) -> None:
        for _, name, inner in value.members or ():
            if name == left[0]:
                found.append(inner) if len(left) == 1 else find(inner, left[1:])

    find(parsed(text), path)
    if len(found) > 1:
        raise Refused("twice")
    if not found or of(text, found[0]) == b"null":
        return text
    literal = of(text, found[0])
    if not literal.startswith(b'"'):
        raise Refused("no text")
    try:
        within: bytes = json.loads(literal).encode()
        wrapped = b'{"":' + within + b"}"
        members = parsed(wrapped).members if is_valid(wrapped) else None
    except (UnicodeEncodeError, StopIteration, IndexError, ValueError):
        raise Refused("no JSON") from None
    # More than one member is more than one value.
    if members is None or len(members) != 1:
        raise Refused("no JSON")
    return text[: found[0].start] + within + text[found[0].end :]


def flat(text: bytes, flatten: Flatten) -> bytes:
    separator = json.dumps(flatten.separator, ensure_ascii=False)[1:-1].encode()
    members: list[bytes] = []

    def add(value: Value, before: bytes, depth: int) -> None:
        for written, _, inner in value.members or ():
            name = before + written[1:-1]
            if inner.members and (flatten.depth is None or depth < flatten.depth):
                add(inner, name + separator, depth + 1)
            else:
                members.append(b'"' + name + b'":' + of(text, inner))

    add(parsed(text), b"", 0)
    return b"{" + b",".join(members) + b"}"


def slow(text: bytes, reshape: Reshape) -> bytes | None:
    """The record after a reshape; None if it is refused."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return None
    if not is_valid(text):
        return None
    try:
        for path in (path for paths in reshape.rounds for path in paths):
            text = with_parsed(text, path)
    except Refused:
        return None
    return text if reshape.flatten is None else flat(text, reshape.flatten)


def fast(texts: list[bytes | None], reshape: Reshape) -> list[bytes | None]:
    """By record; None for one that is refused."""
    block = Values.from_list(texts)
    out = np.array([b.index for b in not_objects(block, NONE)], np.int64)
    found: list[bytes | None] = []
    for piece in reshaper(reshape)(block, out):
        assert piece.start == len(found)
        bad = {b.index - piece.start for b in piece.bad} | {i - piece.start for i in out.tolist()}
        for i, value in enumerate(piece.values):
            assert (value or b"") == b"" or i not in bad
            found.append(None if i in bad else value)
    assert len(found) == len(texts)
    return found


def drawn_reshape(random: Random) -> Reshape:
    paths = [
        tuple(random.choice(NAMES[:6]) for _ in range(random.choice((1, 1, 2)))) for _ in range(random.randrange(4))
    ]
    paths = [path for path in paths if all(path)]
    separator = random.choice(("_", ".", "__", '"', "\\", "\n", "ä"))
    flatten = Flatten(separator, random.choice((None, None, 1, 2))) if not paths or random.random() < 0.6 else None
    return Reshape(tuple(paths), flatten)


def drawn_text(random: Random, reshape: Reshape) -> bytes | None:
    if random.random() < 0.05:
        return random.choice((None, b"", b"[]", b"{}", b" { } ", b"null"))

    def within(path: FieldPath) -> tuple[str, str]:
        embedded = any_value(random, 2, NAMES[:6]) if random.random() < 0.5 else any_object(random, 2, NAMES[:6])
        text = white(random) + embedded + white(random)
        if random.random() < 0.15:
            text = broken(random, text.encode()).decode("utf-8", "replace")
        value = (
            spelled(random, text) if random.random() < 0.9 else random.choice(("null", "1", "{}", '"\\ud800"', '""'))
        )
        for name in reversed(path[1:]):
            value = object_of(random, [(name, value)])
        return path[0], value

    members = [within(path) for path in reshape.parse if random.random() < 0.8]
    members += [(random.choice(NAMES), any_value(random, 3)) for _ in range(random.randrange(4))]
    random.shuffle(members)
    text = (white(random) + object_of(random, members) + white(random)).encode("utf-8", "surrogatepass")
    return broken(random, text) if random.random() < 0.2 else text


@settings(max_examples=400, deadline=None)
@given(SEEDS)
def test_records_are_reshaped_as_by_a_slow_reading(seed: int) -> None:
    random = Random(seed)
    reshape = drawn_reshape(random)
    texts = [drawn_text(random, reshape) for _ in range(random.choice((1, 3, 20)))]
    assert fast(texts, reshape) == [None if t is None else slow(t, reshape) for t in texts]


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_records_are_the_same_in_pieces_and_alone(seed: int) -> None:
    random = Random(seed)
    reshape = drawn_reshape(random)
    texts = [drawn_text(random, reshape) for _ in range(20)]
    whole = fast(texts, reshape)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "GROWTH", 0)
        patch.setattr(module, "ROOM", random.choice((1, 30, 200)))
        assert fast(texts, reshape) == whole
    assert [fast([t], reshape)[0] for t in texts] == whole
    block = Values.from_list(texts)[5:9]
    out = np.array([b.index for b in not_objects(block, NONE)], np.int64)
    assert [v for p in reshaper(reshape)(block, out) for v in p.values] == [
        v for p in reshaper(reshape)(Values.from_list(list(block)), out) for v in p.values
    ]


def test_a_record_that_grows_beyond_the_limit_is_a_dead_letter_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 1000)
    monkeypatch.setattr(field_tree, "MOST_BYTES_FLAT", 0)
    inner = ",".join(f'"{n}":{n}' for n in range(30))
    values = [b'{"a":{"x":1}}', f'{{"{"n" * 100}":{{{inner}}}}}'.encode(), b'{"a":{"x":3}}']
    rows, bad = landed(tmp_path, "columns: {a_x: long}\n    flatten: {}\n    new_fields: ignore", values)
    assert rows == [{"a_x": 1}, {"a_x": 3}]
    assert {n: r.kind for n, r in bad.items()} == {1: "too large once flattened"}


def test_nesting_is_bounded() -> None:
    deep = b'{"a":' * 9_000 + b"1" + b"}" * 9_000
    (found,) = fast([deep], Reshape((), Flatten("_")))
    assert found == b'{"' + b"_".join([b"a"] * 9_000) + b'":1}'
    for opened, closed in ((b'{"a":', b"}"), (b"[", b"]")):
        deep = b'{"a":' + opened * 11_000 + b"1" + closed * 11_000 + b"}"
        text = json.dumps({"p": (opened * 11_000 + b"1" + closed * 11_000).decode()}).encode()
        assert fast([deep], Reshape((), Flatten("_"))) == [None]
        assert fast([text], Reshape((("p",),))) == [None]


def test_nothing_is_read_or_written_beyond_the_buffers() -> None:
    """The text ends with its page, and the next one may not be read."""
    page = mmap.PAGESIZE
    area = mmap.mmap(-1, 2 * page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(area))
    assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(start + page), page, 0) == 0
    whole = np.frombuffer(memoryview((ctypes.c_ubyte * page).from_address(start)), np.uint8)
    random = Random(7)
    for _ in range(300):
        reshape = drawn_reshape(random)
        text = (drawn_text(random, reshape) or b"")[:3000]
        text = text[: random.randrange(len(text) + 1)] if random.random() < 0.5 else text
        # Without the line break, which may not be read either.
        whole[page - len(text) :] = np.frombuffer(text, np.uint8)
        block = Values(whole, np.array([page - len(text), page + 1]))
        (piece,) = reshaper(reshape)(block, NONE)
        try:
            text.decode()
        except UnicodeDecodeError:
            continue
        expected = slow(text, reshape)
        assert (None if piece.bad else piece.values[0]) == expected


TABLE = """columns:
      id: long
      user_name: string
      payload_x: long
      whole: {type: string, field: $}
    parse_json: [payload]
    flatten: {}
    new_fields: {json_column: rest}"""


def test_rows_have_the_reshaped_fields_and_the_whole_value_as_it_was(tmp_path: Path) -> None:
    first = (
        b' {"id":1, "user":{"name":"ann","tags":[{"a":1}],"more":{}}, "payload":"{\\"x\\":5,\\"y\\":{\\"z\\":null}}"}'
    )
    rows, bad = landed(tmp_path, TABLE, [first, b'{"id":2,"payload":null}'])
    assert not bad
    assert rows[0] == {
        "id": 1,
        "user_name": "ann",
        "payload_x": 5,
        "whole": first.decode(),
        "rest": '{"user_tags":[{"a":1}],"user_more":{},"payload_y_z":null}',
    }
    assert rows[1] == {
        "id": 2, "user_name": None, "payload_x": None, "whole": '{"id":2,"payload":null}', "rest": '{"payload":null}',
    }  # fmt: skip


BAD: list[tuple[bytes, str, str | None, str]] = [
    (b'{"id":1,"payload":"{"}', "not JSON", "payload", "its text is not JSON, at its end (1)"),
    (b'{"id":1,"payload":"{} 1"}', "not JSON", "payload", "its text is not JSON at character 4"),
    (b'{"id":1,"payload":"1,\\"id\\":2"}', "not JSON", "payload", "its text is not JSON at character 2"),
    (b'{"id":1,"payload":"[NaN]"}', "not JSON", "payload", "its text is not JSON at character 2"),
    (b'{"id":1,"payload":"[\\"\\ud800\\"]"}', "not JSON", "payload", "its text is not JSON at character 3"),
    (b'{"id":1,"payload":""}', "not JSON", "payload", "its text is not JSON, at its end (0)"),
    (b'{"id":1,"payload":{"x":1}}', "object for a JSON text", "payload", "expected text that is JSON, found an object"),
    (b'{"id":1,"payload":5}', "number for a JSON text", "payload", "found a number"),
    (b'{"payload":"1","payload":"2"}', "field twice", "payload", "is there twice"),
    (b'{"user_name":"a","user":{"name":"b"}}', "field twice", "user_name", ""),
    (b'{"user":{"name":"a"},"user":{"name":"b"}}', "field twice", "user_name", ""),
    (b'{"id":1', "not a JSON object", None, "cut off"),
    (b'{"id":1,}', "not JSON", None, "not JSON"),
    (b'{"user":{"name":1}}', "number for a string", "user_name", ""),
]


@pytest.mark.parametrize(("value", "kind", "field", "message"), BAD)
def test_a_record_that_cannot_be_reshaped_is_a_dead_letter_with_the_place(
    tmp_path: Path, value: bytes, kind: str, field: str | None, message: str
) -> None:
    rows, bad = landed(tmp_path, TABLE, [b'{"id":1}', value, b'{"id":3}'])
    assert [r["id"] for r in rows] == [1, 3]
    assert (bad[1].kind, bad[1].field) == (kind, field)
    assert message in bad[1].message


def test_tombstones_and_filtered_records_keep_their_places(tmp_path: Path) -> None:
    values: list[bytes | None] = [None, b'{"user":{"name":"a"}}', b"no", b"\xff", b'{"id":4}']
    rows, bad = landed(tmp_path, TABLE, values)
    assert [(r["user_name"], r["whole"]) for r in rows] == [("a", '{"user":{"name":"a"}}'), (None, '{"id":4}')]
    assert {n: r.kind for n, r in bad.items()} == {0: "no value", 2: "not a JSON object", 3: "not UTF-8"}
    of_table = rows_of(tmp_path, pipeline(tmp_path, TABLE))
    found = of_table.decode(Values.from_list(values), lambda key: None, np.array([0, 1]))
    assert (found.good, [b.index for b in found.bad]) == ([4], [2, 3])


def test_pieces_of_a_block_have_their_own_rows_and_dead_letters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = [b'{"id":%d,"user":{"name":%s}}' % (n, b"1" if n % 3 == 0 else b'"%d"' % n) for n in range(50)]
    whole = landed(tmp_path, TABLE, values)
    monkeypatch.setattr(module, "GROWTH", 0)
    monkeypatch.setattr(module, "ROOM", 100)
    assert landed(tmp_path, TABLE, values) == whole
    rows, bad = whole
    assert [(r["id"], r["user_name"], r["whole"]) for r in rows] == [
        (n, str(n), values[n].decode()) for n in range(50) if n % 3
    ]
    assert sorted(bad) == list(range(0, 50, 3))


def test_inner_texts_are_parsed_after_those_around(tmp_path: Path) -> None:
    value = json.dumps({"a": json.dumps({"b": json.dumps({"c": 1})})}).encode()
    table = "columns: {c: {type: long, field: a.b.c}}\n    parse_json: [a.b, a]"
    assert landed(tmp_path, table, [value]) == ([{"c": 1}], {})


def test_columns_of_a_new_table_are_those_of_the_reshaped_records() -> None:
    reshape = Reshape((("p",),), Flatten("_"))
    values = [b'{"a":{"b":1},"p":"{\\"x\\":true}"}', b"no", b'{"p":"{"}']
    texts = reshaped_texts(reshape, values)
    assert texts == [b'{"a_b":1,"p_x":true}', b"no", b'{"p":"{"}']
    assert [c.name for c in named("json").infer(texts[:1], ()).columns] == ["a_b", "p_x"]


@pytest.mark.parametrize(
    ("table", "more", "why"),
    [
        ("flatten: {}", "value: {format: raw}", r"p\.yaml:5: tables\[0\]\.flatten: is for format json, not for raw"),
        ("parse_json: [a]", "value: {format: connect_json}", "parse_json: is for format json, not for connect_json"),
        ("flatten: {separator: ''}", "batch: {}", "separator"),
        ("flatten: {depth: 0}", "batch: {}", "depth"),
        ("parse_json: [a..b]", "batch: {}", "must be a field"),
        (
            "flatten: {}\n    columns: {c: {type: long, field: a.b}}",
            "batch: {}",
            r"columns\.c: with flatten, no field is within another: write field: \[a_b\]",
        ),
        ("flatten: {}\n    drop_fields: [a.b]", "batch: {}", r"drop_fields: with flatten, write \[a_b\]"),
    ],
)
def test_a_reshape_that_cannot_be_is_a_fault(tmp_path: Path, table: str, more: str, why: str) -> None:
    with pytest.raises(ConfigFaults, match=why):
        pipeline(tmp_path, table, more)


def test_stored_files_have_it_and_files_without_it_are_as_they_were(tmp_path: Path) -> None:
    of_file = pipeline(tmp_path, "parse_json: [a, [b.c, d]]\n    flatten: {depth: 2}")
    assert of_file.tables[0].reshape == Reshape((("a",), ("b.c", "d")), Flatten("_", 2))
    assert Pipeline.from_resolved(of_file.resolved()).digest == of_file.digest
    plain = pipeline(tmp_path, "columns: {c: string}")
    assert plain.tables[0].reshape is None
    assert not {"flatten", "parse_json"} & plain.resolved()["tables"][0].keys()
