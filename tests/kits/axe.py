"""axe-core, which reports what of a page people cannot use who see, hear or move otherwise."""

from __future__ import annotations

import hashlib
import shutil
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stack import machine

if TYPE_CHECKING:
    from playwright.sync_api import Page

VERSION = "4.14.1"
_SCRIPT_SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
_MEMBER = "package/axe.min.js"
# Fetched by npm, from whatever registry it is set to: the package has no other home.
NPM = shutil.which("npm")
MISSING = "no npm on this machine, which fetches axe-core (Debian: apt-get install npm)"

_RUN = """
async () => (await axe.run(document, {resultTypes: ["violations"]})).violations
    .filter(({impact}) => ["serious", "critical"].includes(impact))
    .flatMap(({id, impact, help, nodes}) => nodes.map((n) => ({rule: id, impact, help, where: n.target.join(" "), why: n.failureSummary})))
"""


@dataclass(frozen=True, slots=True)
class Violation:
    """One element that breaks one rule of axe-core, of impact serious or critical."""

    rule: str
    impact: str
    help: str
    where: str
    why: str


def script() -> str:
    """Fetched once, and refused if it is not the file that is expected."""
    file = machine.home() / "axe" / f"axe-{VERSION}.min.js"
    if not file.exists():
        assert NPM is not None, MISSING
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent) as folder:
            command = [NPM, "pack", "--silent", "--pack-destination", folder, f"axe-core@{VERSION}"]
            machine.run(command, "fetching axe-core")
            (archive,) = Path(folder).glob("*.tgz")
            with tarfile.open(archive) as members:
                member = members.extractfile(_MEMBER)
                assert member is not None
                # Under its own name only when it is whole: another test may look for it meanwhile.
                (Path(folder) / "whole").write_bytes(member.read())
            (Path(folder) / "whole").replace(file)
    found = file.read_bytes()
    digest = hashlib.sha256(found).hexdigest()
    assert digest == _SCRIPT_SHA256, f"{file} is not axe-core {VERSION}: its SHA-256 is {digest}. Delete it."
    return found.decode("utf-8")


def violations(page: Page, axe: str) -> list[Violation]:
    """In the page as it is just now; *axe* is evaluated from outside, which the page's own policy does not forbid."""
    page.evaluate(f"() => {{ {axe} }}")
    return [Violation(**found) for found in page.evaluate(_RUN)]
