"""GitHub's example webhooks (npm package @octokit/webhooks-examples), once each or again and again with small changes."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stack import machine

VERSION = "7.6.1"
# As npm has it in lock files: "sha512-" and this.
_SHA512 = "De6U3XB6O3DtCa7bKgCMzTHdeopqqZ6SNivMYJnK65ierKL1AnNIA0tkRYCRS7lwGT792d+Ps1WbfHlso6MynQ=="
_MEMBER = "package/api.github.com/index.json"
# Fetched by npm, from whatever registry it is set to: the package has no other home.
NPM = shutil.which("npm")
MISSING = "no npm on this machine, which fetches GitHub's example webhooks (Debian: apt-get install npm)"


def is_possible() -> bool:
    return NPM is not None


def by_event() -> list[tuple[str, dict[str, Any]]]:
    """329 payloads of 58 events, 10 kB each on average, with some 3,600 different paths in all."""
    with tarfile.open(_archive()) as archive:
        member = archive.extractfile(_MEMBER)
        assert member is not None
        events = json.load(member)
    return [(event["name"], example) for event in events for example in event["examples"]]


def examples() -> list[dict[str, Any]]:
    return [example for _, example in by_event()]


def _archive() -> Path:
    """Fetched once, and refused if it is not the file that is expected."""
    file = machine.home() / "webhooks" / f"webhooks-examples-{VERSION}.tgz"
    if not file.exists():
        assert NPM is not None, MISSING
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent) as folder:
            package = f"@octokit/webhooks-examples@{VERSION}"
            machine.run(
                [NPM, "pack", "--silent", "--pack-destination", folder, package], "fetching GitHub's example webhooks"
            )
            (packed,) = Path(folder).glob("*.tgz")
            # Under its own name only when it is whole: another test may look for it meanwhile.
            packed.replace(file)
    digest = base64.b64encode(hashlib.sha512(file.read_bytes()).digest()).decode()
    assert digest == _SHA512, f"{file} is not version {VERSION}: its SHA-512 is {digest}. Delete it."
    return file


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
