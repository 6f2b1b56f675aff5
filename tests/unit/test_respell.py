"""Names of fields get the spelling of columns, beside a slow reading."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import numpy as np
import pytest
from kits.json_texts import any_object, broken, object_of
from lakelock.adapters.json.respell import Respell
from lakelock.adapters.json.scanner import MOST_LEVELS
from lakelock.records import reasons
from lakelock.records.json.record_fields import FieldKind, Node
from lakelock.records.spelling import ascii_lower
from lakelock.records.values import Values

NAMES = ("id", "ID", "iD", "a", "A", "ab", "aB", "Ab", "q\"A", "q\"a", "b\\S", "ä", "Ä", "äX", "Äx", "äx", "n\nA", "😀k", "😀K", "x[", "X{", "", "x" * 40, "X" * 40)  # fmt: skip


class Pairs(list[tuple[str, Any]]):
    """The members of an object."""


class TwiceError(Exception):
    pass


def tree(random: Random, depth: int = 3, name: str = "") -> Node:
    if depth == 0 or (name and random.random() < 0.3):
        return Node(name, random.choice((FieldKind.LEAF, FieldKind.TEXT)), None, ())
    kind = (
        random.choice((FieldKind.OBJECT, FieldKind.OBJECT, FieldKind.LIST, FieldKind.MAP)) if name else FieldKind.OBJECT
    )
    if kind is not FieldKind.OBJECT:
        return Node(name, kind, None, (tree(random, depth - 1, "element"),))
    chosen = {ascii_lower(n): n for n in random.sample(NAMES, 5)}
    return Node(
        name,
        kind,
        None,
        tuple(tree(random, depth - 1, n) if n else Node(n, FieldKind.LEAF, None, ()) for n in chosen.values()),
    )


def slow(value: Any, node: Node | None) -> Any:
    if isinstance(value, Pairs):
        if node is None or node.kind not in (FieldKind.OBJECT, FieldKind.MAP):
            return Pairs((name, slow(inner, None)) for name, inner in value)
        if node.kind is FieldKind.MAP:
            return Pairs((name, slow(inner, node.children[0])) for name, inner in value)
        known = {ascii_lower(child.name): child for child in node.children}
        first: dict[str, str] = {}
        out = Pairs()
        for name, inner in value:
            child = known.get(ascii_lower(name))
            if child is not None:
                before = first.setdefault(child.name, name)
                if ascii_lower(name) in {ascii_lower(n) for n, _ in out} and {before, name} != {child.name}:
                    raise TwiceError
                first[child.name] = name
            out.append((name if child is None else child.name, slow(inner, child)))
        return out
    if isinstance(value, list):
        within = node.children[0] if node is not None and node.kind is FieldKind.LIST else None
        return [slow(inner, within) for inner in value]
    return value


def loaded(text: bytes) -> Any:
    return json.loads(text, object_pairs_hook=Pairs, parse_float=str, parse_int=str)


def fitting(random: Random, node: Node | None, depth: int = 4) -> str:
    """JSON that has mostly the fields of *node*, in any case."""
    if node is None or depth == 0 or random.random() < 0.1:
        return any_object(random, 1, NAMES)
    if node.kind is FieldKind.LIST:
        return (
            "[" + ",".join(fitting(random, node.children[0], depth - 1) for _ in range(random.choice((0, 1, 2)))) + "]"
        )
    if node.kind not in (FieldKind.OBJECT, FieldKind.MAP):
        return random.choice(("1", '"a"', "null", any_object(random, 1, NAMES)))
    names = (
        NAMES
        if node.kind is FieldKind.MAP
        else [random.choice((c.name, c.name.upper(), c.name.lower(), c.name.swapcase())) for c in node.children]
    )
    members = random.sample(list(names), random.choice((0, 1, 2, min(3, len(names)))))
    known = {ascii_lower(child.name): child for child in node.children}
    return object_of(
        random,
        [
            (
                n,
                fitting(
                    random, node.children[0] if node.kind is FieldKind.MAP else known.get(ascii_lower(n)), depth - 1
                ),
            )
            for n in members
        ],
    )


@pytest.mark.parametrize("seed", range(60))
def test_names_are_spelled_as_by_a_slow_reading(seed: int) -> None:
    random = Random(seed)
    root = tree(random)
    respell = Respell(root)
    for _ in range(3):
        texts = [
            fitting(random, root).encode() if random.random() < 0.8 else any_object(random, 3, NAMES).encode()
            for _ in range(60)
        ]
        values = Values.from_list(texts)[random.choice((0, 5)) :]
        out = np.array([random.random() < 0.1 for _ in values])
        before = values.text.to_pybytes()
        found, bad = respell(values, out)
        assert values.text.to_pybytes() == before
        refused = {b.index for b in bad}
        assert len(found) == len(values)
        for i, (value, text) in enumerate(zip(found, values, strict=True)):
            assert value is not None
            assert text is not None
            assert len(value) == len(text)
            if out[i]:
                assert value == text
                continue
            try:
                expected = slow(loaded(text), root)
            except TwiceError:
                assert i in refused
                continue
            assert i not in refused
            assert loaded(value) == expected


@pytest.mark.parametrize("seed", range(20))
def test_text_that_is_no_json_stays_beside_records(seed: int) -> None:
    random = Random(seed)
    root = tree(random)
    texts = [broken(random, fitting(random, root).encode()) for _ in range(200)]
    values = Values.from_list([text.replace(b"\n", b" ") for text in texts])
    found, _ = Respell(root)(values, np.zeros(len(values), np.bool_))
    assert [len(v or b"") for v in found] == [len(v or b"") for v in values]


def test_nothing_is_copied_if_every_name_is_that_of_its_column() -> None:
    values = Values.from_list([b'{"id": 1, "x": {"ID": 2}}', None])
    found, bad = Respell(Node("", FieldKind.OBJECT, None, (Node("id", FieldKind.LEAF, None, ()),)))(
        values, np.zeros(2, np.bool_)
    )
    assert found is values
    assert not bad


def test_nesting_is_bounded() -> None:
    """A record whose names stay as they are would fill its columns with nulls."""
    deep = b'{"z":' + b"[" * MOST_LEVELS + b"]" * MOST_LEVELS + b',"ID":1}'
    whole = b'{"z":' + b"[" * (MOST_LEVELS - 1) + b"]" * (MOST_LEVELS - 1) + b',"ID":1}'
    values = Values.from_list([deep, b'{"ID": 1}', whole, deep])
    root = Node("", FieldKind.OBJECT, None, (Node("id", FieldKind.LEAF, None, ()),))
    found, bad = Respell(root)(values, np.array([False, False, False, True]))
    assert [(b.index, b.reason.kind, b.reason.message) for b in bad] == [
        (0, reasons.UNREADABLE, "objects and lists are nested too deep")
    ]
    assert found[1] == b'{"id": 1}'
    assert found[2] == whole.replace(b"ID", b"id")
