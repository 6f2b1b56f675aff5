"""GitHub's example webhooks (npm package @octokit/webhooks-examples), produced again and again with small changes."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PACKAGE = "@octokit/webhooks-examples@7.6.1"
MISSING = "npm is not on this machine"


def is_possible() -> bool:
    return shutil.which("npm") is not None


def examples() -> list[dict[str, Any]]:
    """329 payloads of 58 events, 10 kB each on average, with some 3,600 different paths in all."""
    with tempfile.TemporaryDirectory(prefix="lakelock-webhooks-") as folder:
        subprocess.run(
            ["npm", "pack", "--silent", "--pack-destination", folder, PACKAGE], check=True, capture_output=True
        )
        (packed,) = Path(folder).glob("*.tgz")
        with tarfile.open(packed) as archive:
            file = archive.extractfile("package/api.github.com/index.json")
            assert file is not None
            events = json.load(file)
    return [example for event in events for example in event["examples"]]


def payloads(found: list[dict[str, Any]], count: int, seed: int = 1) -> Iterator[bytes]:
    """*count* of them in turn; whole numbers differ."""
    rng = random.Random(seed)
    # To vary each anew would take longer than to send it: of each example a few variants are sent in turn.
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
