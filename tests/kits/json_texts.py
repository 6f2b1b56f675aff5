"""Random JSON as bytes: any white space and spelling, names again, deep nesting; and ways to break it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random

NAMES = ("a", "b", "c", "ab", "a.b", "", "ä", "😀", 'q"', "b\\s", "n\n", "\0", "\u2028", "x" * 40)
NUMBERS = (
    *("0", "-0", "1", "-17", "1.10", "-0.0", "1E5", "1e+5", "2.50e-3", "0e0", "9" * 38, "1e400", "1e-400"),
    *("123456789012345678901234567890.5", "0.1", "9007199254740993", "1767225600"),
)
SCALARS = (
    *NUMBERS,
    "true",
    "false",
    "null",
    '""',
    '"text"',
    r'"\u0041\n\"\\\/"',
    r'"\ud83d\ude00"',
    '"ä😀"',
    r'"\u0000"',
)
WHITE = ("", "", "", "", " ", "\t", "\n", "\r", "  \r\n\t ")
_SHORT = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def white(random: Random) -> str:
    return random.choice(WHITE)


def spelled(random: Random, text: str) -> str:
    """*text* as a JSON string, with escapes of any kind at random."""
    if random.random() < 0.6:
        return json.dumps(text, ensure_ascii=random.random() < 0.3)
    return '"' + "".join(_character(random, c) for c in text) + '"'


def _character(random: Random, c: str) -> str:
    ways = [_SHORT[c]] * 2 if c in _SHORT else []
    if c not in '"\\' and c >= " ":
        ways += [c, c]
    units = c.encode("utf-16-be", "surrogatepass")
    codes = [units[i : i + 2].hex() for i in range(0, len(units), 2)]
    ways.append("".join("\\u" + (h.upper() if random.random() < 0.5 else h) for h in codes))
    return random.choice(ways)


def any_value(random: Random, depth: int = 3, names: Sequence[str] = NAMES) -> str:
    kind = random.random() if depth else 0.0
    if kind < 0.55:
        return random.choice(SCALARS)
    if kind < 0.8:
        return any_object(random, depth - 1, names)
    return any_list(random, lambda: any_value(random, depth - 1, names))


def any_list(random: Random, element: Callable[[], str]) -> str:
    elements = [white(random) + element() + white(random) for _ in range(random.choice((0, 1, 1, 2, 3)))]
    return "[" + (",".join(elements) or white(random)) + "]"


def any_object(random: Random, depth: int = 3, names: Sequence[str] = NAMES) -> str:
    count = random.choice((0, 1, 2, 3, 4))
    return object_of(random, [(random.choice(names), any_value(random, depth, names)) for _ in range(count)])


def object_of(random: Random, members: Sequence[tuple[str, str]]) -> str:
    """Members are names and the texts of their values."""
    texts = [
        f"{white(random)}{spelled(random, name)}{white(random)}:{white(random)}{value}{white(random)}"
        for name, value in members
    ]
    return "{" + (",".join(texts) or white(random)) + "}"


_PIECES = (b"", b",", b":", b'"', b"\\", b"{", b"}", b"[", b"]", b"0", b"-", b".", b"e", b"\x00", b"\x1f", b"\xff", b"\xc3",
           b"\n", b"NaN", b"Infinity", b"\\u12", b"\\ud800", b"tru", b"null", b"//", b"'")  # fmt: skip


def broken(random: Random, text: bytes) -> bytes:
    """*text* after a few cuts, insertions, deletions and swaps; some of it may be valid still."""
    for _ in range(random.choice((1, 1, 2, 4))):
        at, other = random.randrange(len(text) + 1), random.randrange(len(text) + 1)
        match random.randrange(5):
            case 0:
                text = text[:at]
            case 1:
                text = text[:at] + random.choice(_PIECES) + text[at:]
            case 2:
                text = text[:at] + text[at + 1 :]
            case 3:
                text = text[: min(at, other)] + text[max(at, other) :]
            case 4 if text:
                swapped = bytearray(text)
                at, other = at % len(text), other % len(text)
                swapped[at], swapped[other] = swapped[other], swapped[at]
                text = bytes(swapped)
    return text


@dataclass(frozen=True)
class Value:
    """A value in a text: its place, and members (names with quotes, names, values) if it is an object."""

    start: int
    end: int
    members: tuple[tuple[bytes, str, Value], ...] | None = None
    elements: tuple[Value, ...] | None = None


_TOKEN = re.compile(rb'[ \t\r\n]*("(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^ \t\r\n\[\]{}:,"]+)')


def parsed(text: bytes) -> Value:
    """Of JSON that is valid: places are all that is looked for."""
    tokens = [(m.start(1), m.end(1)) for m in _TOKEN.finditer(text)]
    at = count()

    def value() -> Value:
        start, end = tokens[next(at)]
        if text[start:end] not in {b"{", b"["}:
            return Value(start, end)
        return inside(start, is_object=text[start:end] == b"{")

    def inside(start: int, *, is_object: bool) -> Value:
        nonlocal at
        members: list[tuple[bytes, str, Value]] = []
        elements: list[Value] = []
        while True:
            here = next(at)
            first, last = tokens[here]
            token = text[first:last]
            if token in {b"}", b"]"}:
                return Value(start, last, tuple(members) if is_object else None, None if is_object else tuple(elements))
            if token == b",":
                continue
            if is_object:
                next(at)
                members.append((token, json.loads(token.decode("utf-8", "surrogateescape")), value()))
            else:
                at = count(here)
                elements.append(value())

    return value()


def is_valid(text: bytes) -> bool:
    """Byte by byte, as the scanner leaves UTF-8 to others."""

    def no_constant(name: str) -> float:
        raise ValueError(name)

    try:
        found = json.loads(text.decode("latin-1"), parse_constant=no_constant, parse_int=str, parse_float=str)
    except ValueError:
        return False
    return isinstance(found, dict)
