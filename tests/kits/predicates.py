"""Predicates of rules with what they mean in plain Python, and records of all kinds."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from lakelock.records.routing.router import Predicate
from lakelock.records.sql.outcomes import FAILS, IS_FALSE, PASSES
from lakelock.records.sql.syntax import columns_used


@dataclass(frozen=True)
class Sent:
    """A record as it was sent; *headers* are None if they cannot be read."""

    topic: str
    partition: int
    offset: int
    timestamp_ms: int
    key: bytes | None
    value: bytes | None
    headers: Sequence[tuple[str, bytes | None]] | None = ()

    @property
    def key_text(self) -> str | None:
        return _text(self.key)

    @property
    def value_text(self) -> str | None:
        return _text(self.value)

    def field(self, name: str) -> Any:
        """As get_json_object has it: null without such a field, or without a JSON object."""
        try:
            found = json.loads(self.value_text or "")
        except ValueError:
            return None
        return found.get(name) if isinstance(found, dict) else None


class Fails(Exception):
    """What Spark's ANSI mode does not evaluate."""


def _text(value: bytes | None) -> str | None:
    try:
        return None if value is None else value.decode()
    except UnicodeDecodeError:
        return None


def _long(text: Any) -> int | None:
    if text is None:
        return None
    if not re.fullmatch(r"\s*[-+]?\d+\s*", str(text)) or abs(int(text)) >= 2**63:
        raise Fails
    return int(text)


def _amount_above(sent: Sent) -> bool | None:
    found = _long(sent.field("n"))
    return None if found is None else found > 100


def _tenant(sent: Sent) -> bool | None:
    if sent.headers is None or not sent.headers:
        # A record without headers has null.
        return None
    found = [None if value is None else value == b"a" for name, value in sent.headers if name == "tenant"]
    return True if True in found else None if None in found else False


def _ratio(sent: Sent) -> bool | None:
    if sent.offset % 5 == 0:
        raise Fails
    return sent.offset % 5 < 3


def _like(sent: Sent) -> bool | None:
    return None if sent.key_text is None else sent.key_text.startswith("p")


MEANINGS: Mapping[str, Callable[[Sent], bool | None]] = {
    "cast(get_json_object(value, '$.n') as bigint) > 100": _amount_above,
    "get_json_object(value, '$.n') > 100": _amount_above,
    "key like 'p%'": _like,
    "partition = 1": lambda sent: sent.partition == 1,
    "10 / (offset % 5) > 4": _ratio,
    "timestamp >= timestamp'2020-01-01 00:00:00'": lambda sent: sent.timestamp_ms >= 1577836800000,
    "exists(headers, h -> h.key = 'tenant' and h.value = X'61')": _tenant,
    "topic = 'pay' and value is not null": lambda sent: sent.topic == "pay" and sent.value_text is not None,
    "value is null": lambda sent: sent.value_text is None,
    "cast(null as boolean)": lambda sent: None,
    "length(key) div 0 = 1": lambda sent: None if sent.key_text is None else _fails(),
}


def _fails() -> bool:
    raise Fails


def predicate(sql: str) -> Predicate:
    return Predicate(sql, columns_used(sql))


def letter(sql: str, sent: Sent) -> str:
    """What Spark should give, by plain Python."""
    try:
        return PASSES if MEANINGS[sql](sent) else IS_FALSE
    except Fails:
        return FAILS


def records(count: int, topic: str, chance: Random, *, readable: bool = False) -> list[Sent]:
    """In order of their offsets; with *readable* headers alone."""
    values = [None, b"", b"\xff", b"[1]", b"no json", "é".encode()]
    keys = [None, b"pay", b"p\xff", b"x", b"", "pé".encode()]
    headers: list[Any] = [
        (),
        (("tenant", b"a"),),
        (("tenant", b"b"), ("tenant", b"a")),
        (("tenant", None),),
        (("x", b"a"),),
    ]
    out = []
    for n in range(count):
        value = json.dumps(
            {"n": chance.choice([1, 101, "102", "x", None, 2**63, " 7 "]), "type": chance.choice(["a", "b", "c"])}
        )
        out.append(
            Sent(
                topic,
                0,
                n,
                chance.choice([1577836799999, 1577836800000, 0, 1795000000123]),
                chance.choice(keys),
                value.encode() if chance.random() < 0.8 else chance.choice(values),
                chance.choice(headers if readable else [*headers, None]),
            )
        )
    return out
