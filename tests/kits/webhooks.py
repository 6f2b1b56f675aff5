"""GitHub's example webhooks again and again, with small changes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from stack.github_examples import by_event


def examples() -> list[dict[str, Any]]:
    return [example for _, example in by_event()]


def payloads(found: list[dict[str, Any]], count: int, seed: int = 1) -> Iterator[bytes]:
    """*count* of them in turn; whole numbers differ."""
    rng = random.Random(seed)
    # To vary each one would take longer than to send it: of each example a few variants are sent in turn.
    variants = [[packed(_varied(example, rng)) for _ in range(8)] for example in found]
    for n in range(count):
        of_one = variants[n % len(variants)]
        yield of_one[rng.randrange(len(of_one))]


def packed(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _varied(value: Any, rng: random.Random) -> Any:
    if isinstance(value, dict):
        return {name: _varied(inner, rng) for name, inner in value.items()}
    if isinstance(value, list):
        return [_varied(inner, rng) for inner in value]
    return value + rng.randint(0, 9) if isinstance(value, int) and not isinstance(value, bool) else value
