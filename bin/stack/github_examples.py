"""GitHub's example webhooks, from the npm package @octokit/webhooks-examples."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stack import machine

VERSION = "7.6.1"
# As npm has it in lock files: "sha512-" and this.
_SHA512 = "De6U3XB6O3DtCa7bKgCMzTHdeopqqZ6SNivMYJnK65ierKL1AnNIA0tkRYCRS7lwGT792d+Ps1WbfHlso6MynQ=="
_MEMBER = "package/api.github.com/index.json"
# Fetched by npm, from whatever registry it is set to: the package has no other home.
NPM = shutil.which("npm")
MISSING = "no npm on this machine, which fetches GitHub's example webhooks (Debian, Ubuntu: apt-get install npm)"
# An event's name, and the body of one of its webhooks.
Webhook = tuple[str, dict[str, Any]]


def is_possible() -> bool:
    return NPM is not None


def by_event() -> list[Webhook]:
    """329 webhooks of 58 events, 10 kB each on average, with some 3,600 different paths in all."""
    with tarfile.open(archive()) as package:
        member = package.extractfile(_MEMBER)
        assert member is not None
        events = json.load(member)
    return [(event["name"], example) for event in events for example in event["examples"]]


def over_time(webhooks: Sequence[Webhook]) -> list[tuple[float, Webhook]]:
    """Each with a moment in [0, 1): events begin one after another, and each continues to the end."""
    names = list(dict.fromkeys(name for name, _ in webhooks))
    moments = []
    for n, name in enumerate(names):
        begins = n / len(names)
        of_one = [webhook for webhook in webhooks if webhook[0] == name]
        moments += [(begins + (1 - begins) * k / len(of_one), webhook) for k, webhook in enumerate(of_one)]
    return sorted(moments, key=lambda moment: moment[0])


def archive() -> Path:
    """The package's file: fetched once, and refused if it is not the file that is expected."""
    file = machine.home() / "webhooks" / f"webhooks-examples-{VERSION}.tgz"
    if not file.exists():
        if NPM is None:
            raise machine.SetupFault(f"{MISSING}.")
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent) as folder:
            package = f"@octokit/webhooks-examples@{VERSION}"
            machine.run(
                [NPM, "pack", "--silent", "--pack-destination", folder, package], "fetching GitHub's example webhooks"
            )
            (packed,) = Path(folder).glob("*.tgz")
            # Under its own name only when it is whole: another process may look for it meanwhile.
            packed.replace(file)
    digest = base64.b64encode(hashlib.sha512(file.read_bytes()).digest()).decode()
    if digest != _SHA512:
        raise machine.SetupFault(f"{file} is not version {VERSION}: its SHA-512 is {digest}. Delete it.")
    return file
