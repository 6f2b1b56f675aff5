"""The scan in machine code equals a slow reading of the same text by other means, on any text."""

from __future__ import annotations

import ctypes
import json
import mmap
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kits.json_texts import NAMES, Value, any_list, any_object, any_value, broken, is_valid, object_of, parsed, white
from lakelock.adapters.json import scanner as module
from lakelock.adapters.json.scanner import MOST_LEVELS, scanner
from lakelock.records.json.record_fields import FieldKind, Node
from lakelock.records.json.scanned import Fault, Scanned
from lakelock.records.values import Values
from native.__main__ import SOURCES, digest

SEEDS = st.integers(0, 2**64)


class Reference:
    """What the scan must find in one valid text."""

    def __init__(self, text: bytes, root: Node, keeps_rest: bool) -> None:
        self.text, self.without = text, bytearray(text)
        self.texts: dict[int, bytes] = {}
        self.twice: int | None = None
        top = parsed(text)
        self.object(top, root)
        self.drop(top, root, taken=False)
        self.rest = self.sparse(top, root)
        if keeps_rest:
            self.blank_unknown(top, root)

    def of(self, value: Value) -> bytes:
        return self.text[value.start : value.end]

    def object(self, value: Value, node: Node) -> None:
        for _, name, inner in value.members or ():
            child = next((c for c in node.children if c.name == name), None)
            if child is None:
                continue
            if child.kind is FieldKind.OBJECT:
                self.object(inner, child)
            if child.slot is None:
                continue
            if child.slot in self.texts and self.twice is None:
                self.twice = child.slot
            self.texts[child.slot] = self.of(inner)
            if child.kind is FieldKind.TEXT:
                self.blank(inner)

    def blank(self, value: Value) -> None:
        self.without[value.start : value.end] = b"0".ljust(value.end - value.start)

    def blank_unknown(self, value: Value, node: Node) -> None:
        if node.slot is not None:
            return
        match node.kind:
            case FieldKind.LIST:
                for element in value.elements or ():
                    self.blank_unknown(element, node.children[0])
            case FieldKind.MAP:
                for _, _, inner in value.members or ():
                    self.blank_unknown(inner, node.children[0])
            case FieldKind.OBJECT:
                for _, name, inner in value.members or ():
                    child = next((c for c in node.children if c.name == name), None)
                    if child is None:
                        self.blank(inner)
                    else:
                        self.blank_unknown(inner, child)

    def drop(self, value: Value, node: Node, *, taken: bool) -> None:
        """Remove members that no column takes from objects that one takes as text, each with one comma."""
        taken = taken or node.slot is not None
        match node.kind:
            case FieldKind.LIST:
                for element in value.elements or ():
                    self.drop(element, node.children[0], taken=taken)
            case FieldKind.MAP:
                for _, _, inner in value.members or ():
                    self.drop(inner, node.children[0], taken=taken)
            case FieldKind.OBJECT:
                comma = before = value.start
                for written, name, inner in value.members or ():
                    behind = inner.end + len(self.text[inner.end :]) - len(self.text[inner.end :].lstrip(b" \t\r\n"))
                    child = next((c for c in node.children if c.name == name), None)
                    if child is not None:
                        self.drop(inner, child, taken=taken)
                        comma = behind
                    elif taken:
                        start = self.text.rindex(written, before, inner.start)
                        self.without[start : inner.end] = b" " * (inner.end - start)
                        gone = behind if self.text[behind] == ord(",") else comma
                        if self.text[gone] == ord(","):
                            self.without[gone] = ord(" ")
                    before = inner.end

    def sparse(self, value: Value, node: Node) -> bytes | None:
        """What no child takes of an object; nothing is new in one that is taken as text."""
        if node.slot is not None:
            return None
        kept = []
        for written, name, inner in value.members or ():
            child = next((c for c in node.children if c.name == name), None)
            if child is None:
                kept.append(written + b":" + self.of(inner))
            elif child.kind is FieldKind.OBJECT:
                if (some := self.sparse(inner, child)) is not None:
                    kept.append(written + b":" + some)
            elif self.has_unknown(inner, child):
                kept.append(written + b":" + self.of(inner))
        return b"{" + b",".join(kept) + b"}" if kept else None

    def has_unknown(self, value: Value, node: Node) -> bool:
        """Within lists and maps."""
        if node.slot is not None:
            return False
        match node.kind:
            case FieldKind.LIST:
                return any(self.has_unknown(v, node.children[0]) for v in value.elements or ())
            case FieldKind.MAP:
                return any(self.has_unknown(v, node.children[0]) for _, _, v in value.members or ())
            case FieldKind.OBJECT:
                return self.sparse(value, node) is not None
        return False


def drawn_tree(random: Random, depth: int = 3) -> tuple[Node, int]:
    """A tree of nodes, and how many slots it has."""
    slots = count()

    def children(depth: int, *, below_list: bool) -> tuple[Node, ...]:
        names = random.sample(NAMES, random.choice((0, 1, 2, 3, 5)))
        return tuple(node(name, depth, below_list=below_list) for name in names)

    def node(name: str, depth: int, *, below_list: bool) -> Node:
        kinds = [
            FieldKind.LEAF,
            *([FieldKind.OBJECT, FieldKind.OBJECT, FieldKind.LIST, FieldKind.MAP] if depth else []),
        ]
        kind = random.choice([*kinds, *([] if below_list else [FieldKind.TEXT, FieldKind.TEXT])])
        slot = next(slots) if kind is FieldKind.TEXT or (not below_list and random.random() < 0.3) else None
        if kind is FieldKind.OBJECT:
            return Node(name, kind, slot, children(depth - 1, below_list=below_list))
        if kind in {FieldKind.LIST, FieldKind.MAP}:
            return Node(name, kind, slot, (node("", depth - 1, below_list=True),))
        return Node(name, kind, slot, ())

    root = Node("", FieldKind.OBJECT, None, children(depth, below_list=False))
    return root, next(slots)


def drawn_value(random: Random, node: Node) -> str:
    """Mostly of the node's kind."""
    if random.random() < 0.15:
        return any_value(random)
    match node.kind:
        case FieldKind.OBJECT:
            return drawn_object(random, node)
        case FieldKind.LIST:
            return any_list(random, lambda: drawn_value(random, node.children[0]))
        case FieldKind.MAP:
            names = [random.choice(NAMES) for _ in range(random.choice((0, 1, 2)))]
            return object_of(random, [(n, drawn_value(random, node.children[0])) for n in names])
    return any_value(random, 2)


def drawn_object(random: Random, node: Node) -> str:
    members = [(c.name, drawn_value(random, c)) for c in node.children if random.random() < 0.8]
    if members and random.random() < 0.1:
        members.append(random.choice(members))
    members += [(random.choice(NAMES), any_value(random, 2)) for _ in range(random.choice((0, 0, 1, 2)))]
    random.shuffle(members)
    return object_of(random, members)


def drawn_text(random: Random, root: Node) -> bytes | None:
    kind = random.random()
    if kind < 0.05:
        return None
    text = (white(random) + drawn_object(random, root) + white(random)).encode("utf-8", "surrogatepass")
    if kind < 0.15:
        text = any_object(random).encode()
    return broken(random, text) if kind > 0.7 else text


def check(found: Scanned, texts: list[bytes | None], root: Node, slots: int) -> None:
    everything = np.arange(len(texts))
    fields = [found.gather(found.values, found.starts[s], found.ends[s]).cast("large_binary") for s in range(slots)]
    for n in everything.tolist():
        text = texts[n] or b""
        if not is_valid(text):
            # The scan ends at the first fault.
            assert found.faults[n] in {Fault.INVALID, Fault.TWICE}, text
            continue
        expected = Reference(text, root, found.rest is not None)
        if expected.twice is not None:
            assert (found.faults[n], found.twice[n]) == (Fault.TWICE, expected.twice), text
            continue
        assert found.faults[n] == Fault.NONE, text
        assert {s: f[n].as_py() for s, f in enumerate(fields) if f[n].is_valid} == expected.texts, text
        assert found.without[n] == bytes(expected.without), text
        json.loads(expected.without.decode("latin-1"), parse_int=str)
        if found.rest is not None:
            rest = found.rest.cast("large_binary")[n].as_py()
            assert rest == expected.rest, text
            assert rest is None or is_valid(rest)
    assert list(found.without.absent) == [t is None for t in texts]


@given(SEEDS)
@settings(max_examples=300)
def test_a_scan_equals_the_slow_reading(seed: int) -> None:
    random = Random(seed)
    root, slots = drawn_tree(random)
    texts = [drawn_text(random, root) for _ in range(8)]
    check(scanner(root, slots, random.random() < 0.8)(Values.from_list(texts)), texts, root, slots)


@given(SEEDS)
@settings(max_examples=50)
def test_a_view_of_values_is_scanned_as_a_copy(seed: int) -> None:
    random = Random(seed)
    root, slots = drawn_tree(random)
    texts = [drawn_text(random, root) for _ in range(9)]
    start = random.randrange(10)
    end = random.randrange(start, 10)
    check(scanner(root, slots, True)(Values.from_list(texts)[start:end]), texts[start:end], root, slots)
    chosen = sorted(random.sample(range(9), 4))
    check(scanner(root, slots, True)(Values.from_list(texts).take(chosen)), [texts[i] for i in chosen], root, slots)


@given(st.binary(max_size=40))
def test_any_bytes_are_valid_or_a_fault(text: bytes) -> None:
    root = Node("", FieldKind.OBJECT, None, (Node("a", FieldKind.TEXT, 0, ()),))
    for value in (text, b"{" + text + b"}", b'{"a":' + text + b"}", b'{"' + text + b'":1}'):
        check(scanner(root, 1, True)(Values.from_list([value])), [value], root, 1)


NO_VALUES = ("", "01", "-01", "00", "-", "+1", "1.", ".5", "1.e5", "1e", "1e+", "0x1", "1_0", "--1", "1 2", "NaN", "Infinity", "-Infinity",
             "tru", "truee", "True", "nul", "undefined", "'a'", '"a', 'a"', '"a\\"', '"\\x"', '"\\u12"', '"\\u12g4"', '"\t"', '"\x00"', "\x0b",
             "[", "]", "[1", "[1,]", "[,1]", "[1 2]", "[1}", "{1]", "{]", "[:]", "{", "{1:2}", '{"a"}', '{"a":}', '{"a":1', '{"a":1,}',
             '{,"a":1}', '{"a" 1}', '{"a":1 "b":2}', '{"a":1]', '{"a"::1}', "[[1}]", "//", "/**/1", "\ufeff1", "\u00a01")  # fmt: skip


@pytest.mark.parametrize("text", NO_VALUES)
def test_what_is_no_json_is_a_fault_wherever_it_is(text: str) -> None:
    """Taken as text, kept in the rest, within what is kept, and alone."""
    at = [
        f'{{"p":{text}}}',
        f'{{"new":{text}}}',
        f'{{"new":[0,{text}]}}',
        f'{{"s":{{"x":{text}}}}}',
        f'{{"p":1,{text}}}',
        f'{{"p":1}}{text}',
    ]
    texts: list[bytes | None] = [t.encode() for t in at]
    found = scanner(ROOT, 2, True)(Values.from_list(texts))
    assert [f == Fault.NONE for f in found.faults] == [is_valid(t or b"") for t in texts]
    assert not any(is_valid(t or b"") for t in texts[:4])


ROOT = Node(
    "",
    FieldKind.OBJECT,
    None,
    (
        Node("p", FieldKind.TEXT, 0, ()),
        Node("s", FieldKind.OBJECT, None, (Node("x", FieldKind.LEAF, None, ()),)),
        Node("t", FieldKind.OBJECT, 1, (Node("x", FieldKind.LEAF, None, ()),)),
        Node("l", FieldKind.LIST, None, (Node("", FieldKind.OBJECT, None, (Node("x", FieldKind.LEAF, None, ()),)),)),
        Node("m", FieldKind.MAP, None, (Node("", FieldKind.OBJECT, None, (Node("x", FieldKind.LEAF, None, ()),)),)),
    ),
)


def one(text: bytes) -> Scanned:
    found = scanner(ROOT, 2, True)(Values.from_list([text]))
    check(found, [text], ROOT, 2)
    return found


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (b"{}", None),
        (b'{"p":1}', None),
        (b'{ "q" : [ 1.10 , 2 ] , "p":{"q":1}}', '{"q":[ 1.10 , 2 ]}'),
        (b'{"s":{"x":1,"y":{"z":null}}}', '{"s":{"y":{"z":null}}}'),
        (b'{"s":{"x":1},"l":[{"x":1}],"m":{"k":{"x":2}}}', None),
        (b'{"l":[{"x":1},{"y":2}],"m":{"k":{"y":2}},"n":0}', '{"l":[{"x":1},{"y":2}],"m":{"k":{"y":2}},"n":0}'),
        (b'{"a":1,"s":{"b":2,"x":3,"c":4},"d":5}', '{"a":1,"s":{"b":2,"c":4},"d":5}'),
        (b'{"t":{"x":1,"y":{"z":null}},"n":0}', '{"n":0}'),
        (b'{"new":1,"new":2}', '{"new":1,"new":2}'),
        (rb'{"\u006eew":"\u0041","\u0070":1}', r'{"\u006eew":"\u0041"}'),
    ],
)
def test_the_rest_is_what_no_node_takes_as_it_was_written(text: bytes, rest: str | None) -> None:
    kept = one(text).rest
    assert kept is not None
    assert kept.to_pylist() == [rest]


def test_escapes_in_names_leave_texts_as_they_are() -> None:
    text = rb'{"\u0070":{"\u0061":"\u0041"}}'
    found = one(text)
    assert found.texts(0, np.arange(1)).to_pylist() == [r'{"\u0061":"\u0041"}']
    assert found.values[0] == text


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_found_in_any_spelling(name: str) -> None:
    root = Node(
        "", FieldKind.OBJECT, None, (Node("other", FieldKind.LEAF, None, ()), Node(name, FieldKind.TEXT, 0, ()))
    )
    units = name.encode("utf-16-be")
    escaped = "".join("\\u" + units[i : i + 2].hex() for i in range(0, len(units), 2))
    texts = [
        f'{{"{spelling}":1}}'.encode()
        for spelling in (json.dumps(name)[1:-1], escaped, escaped.upper().replace("U", "u"))
    ]
    texts += [f'{{"{escaped}x":1}}'.encode(), f'{{"x{escaped}":1}}'.encode()]
    check(scanner(root, 1, True)(Values.from_list(list(texts))), list(texts), root, 1)
    assert [scanner(root, 1, True)(Values.from_list([t])).starts[0, 0] >= 0 for t in texts] == [True] * 3 + [False] * 2


@pytest.mark.parametrize(("opens", "closes"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_nesting_is_read_up_to_its_limit(opens: bytes, closes: bytes) -> None:
    def nested(depth: int) -> bytes:
        return b'{"p":' + opens * (depth - 1) + b"0" + closes * (depth - 1) + b"}"

    texts: list[bytes | None] = [nested(MOST_LEVELS), nested(MOST_LEVELS + 1), nested(300_000), opens * 300_000, b"{}"]
    found = scanner(ROOT, 2, True)(Values.from_list(texts))
    too_deep = Fault.TOO_DEEP if opens != b"[" else Fault.INVALID
    assert found.faults.tolist() == [Fault.NONE, Fault.TOO_DEEP, Fault.TOO_DEEP, too_deep, Fault.NONE]
    assert found.texts(0, np.array([0])).to_pylist() == [nested(MOST_LEVELS)[5:-1].decode()]


def test_no_values_and_no_slots() -> None:
    root = Node("", FieldKind.OBJECT, None, ())
    found = scanner(root, 0, True)(Values.from_list([]))
    assert (len(found.without), len(found.faults), found.starts.shape) == (0, 0, (0, 0))
    nothing: list[bytes | None] = [None, b"", None]
    assert scanner(root, 0, False)(Values.from_list(nothing)).faults.tolist() == [Fault.INVALID] * 3


def test_a_level_of_the_scanner_takes_what_its_caller_gives() -> None:
    """Six integers and three bytes, in multiples of eight."""
    assert ctypes.sizeof(ctypes.c_int64 * 7) + 8 == 64
    assert len(module._Scanner(ROOT, 2, True)._levels) == MOST_LEVELS * 64


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_the_machine_code_is_made_of_the_source(source: Path) -> None:
    """`python -m native` makes it."""
    assert f"; {digest(source)}\n" in source.with_suffix(".ll").read_text("utf-8")


CANARY = 0xA5


@pytest.fixture
def fenced(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[np.ndarray[Any, Any]]]:
    """Arrays that the scanner makes have canaries on both sides, which are checked at the end."""
    whole: list[np.ndarray[Any, Any]] = []

    def made(shape: Any, fill: Any, dtype: Any) -> np.ndarray[Any, Any]:
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        array = np.frombuffer(bytearray([CANARY]) * (size + 128), np.uint8)
        whole.append(array)
        inner: np.ndarray[Any, Any] = array[64 : 64 + size].view(dtype).reshape(shape)
        inner[...] = fill
        return inner

    monkeypatch.setattr("lakelock.adapters.json.scanner.np.full", made)
    monkeypatch.setattr("lakelock.adapters.json.scanner.np.zeros", lambda shape, dtype: made(shape, 0, dtype))
    monkeypatch.setattr("lakelock.adapters.json.scanner.np.empty", lambda shape, dtype: made(shape, 0, dtype))
    yield whole
    monkeypatch.undo()
    assert whole
    for array in whole:
        assert (array[:64] == CANARY).all()
        assert (array[-64:] == CANARY).all()


def test_nothing_is_written_outside_of_what_is_given(fenced: list[np.ndarray[Any, Any]]) -> None:
    """The rest is at its largest where no node takes anything: then it is the text itself."""
    random = Random(5)
    for _ in range(150):
        root, slots = drawn_tree(random)
        texts = [drawn_text(random, root) for _ in range(6)]
        scan = scanner(root, slots, True)(Values.from_list(texts))
        for slot in range(slots):
            scan.texts(slot, np.arange(6))
    texts = [b'{"a":{"b":1},"c":[]}', b"{", b'{"":0']
    found = scanner(Node("", FieldKind.OBJECT, None, ()), 0, True)(Values.from_list(texts))
    assert found.rest is not None
    assert found.rest.to_pylist() == ['{"a":{"b":1},"c":[]}', None, None]


def test_nothing_is_read_behind_the_last_value() -> None:
    """The text ends with its page, and the next one may not be read."""
    page = mmap.PAGESIZE
    area = mmap.mmap(-1, 2 * page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(area))
    assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(start + page), page, 0) == 0
    whole = np.frombuffer(memoryview((ctypes.c_ubyte * page).from_address(start)), np.uint8)
    random = Random(7)
    for _ in range(300):
        root, slots = drawn_tree(random)
        text = (drawn_text(random, root) or b"")[:3000]
        if random.random() < 0.5:
            text = text[: random.randrange(len(text) + 1)]
        # Without the line break, which may not be read either.
        whole[page - len(text) :] = np.frombuffer(text, np.uint8)
        values = Values(whole, np.array([page - len(text), page + 1]))
        scanned = scanner(root, slots, True)(values)
        assert is_valid(text) or scanned.faults[0] != Fault.NONE
