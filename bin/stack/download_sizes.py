"""How much a set-up is about to download, as the servers tell it. Standard library only.

None where they do not: nobody waits long for a number, and no set-up ends over one.
"""

from __future__ import annotations

import tomllib
import urllib.request
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

PATIENCE_S = 5.0
THREADS = 16


def of_packages(pylock: Path) -> int | None:
    """Of each package of a lock that uv resolved for this machine: its largest wheel that fits, else its source."""
    total = 0
    for package in tomllib.loads(pylock.read_text(encoding="utf-8")).get("packages", []):
        files = package.get("wheels") or [package.get("sdist", {})]
        sizes = [file["size"] for file in files if "size" in file]
        if not sizes:
            return None
        total += max(sizes)
    return total


def jars_of(report: Path) -> list[str]:
    """Addresses of the jars that an Ivy report's modules have: beside their descriptors, whatever server these came from."""
    out = []
    for revision in ElementTree.parse(report).iter("revision"):
        if revision.get("evicted") is None and (descriptor := revision.find("metadata-artifact")) is not None:
            out.append(descriptor.get("origin-location", "").removesuffix(".pom") + ".jar")
    return out


def of_addresses(addresses: Sequence[str], length: Callable[[str], int | None] | None = None) -> int | None:
    with ThreadPoolExecutor(THREADS) as pool:
        sizes = list(pool.map(length or content_length, addresses))
    known = [size for size in sizes if size is not None]
    return sum(known) if known and len(known) == len(sizes) else None


def content_length(address: str) -> int | None:
    """As the server answers to HEAD."""
    try:
        request = urllib.request.Request(address, method="HEAD")
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            told = answer.headers.get("Content-Length")
    except (OSError, ValueError):
        return None
    return int(told) if told and told.isdigit() else None


def in_words(size_bytes: int | None) -> str:
    """To follow what is downloaded."""
    return "" if size_bytes is None else f" ({max(1, round(size_bytes / 1e6))} MB)"
