"""Sizes of a set-up's downloads, as the servers report them. Standard library only.

None if they do not: no set-up waits long for a number or fails because of one.
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
    """Total size of a lock that uv resolved for this machine.

    Counts per package the largest wheel that fits, else its source.
    """
    total = 0
    for package in tomllib.loads(pylock.read_text(encoding="utf-8")).get("packages", []):
        files = package.get("wheels") or [package.get("sdist", {})]
        sizes = [file["size"] for file in files if "size" in file]
        if not sizes:
            return None
        total += max(sizes)
    return total


def jars_of(report: Path) -> list[str]:
    """Addresses of the jars of an Ivy report's modules, which are beside their descriptors on any server."""
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
    """The size that the server reports to a HEAD request."""
    try:
        request = urllib.request.Request(address, method="HEAD")
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            length = answer.headers.get("Content-Length")
    except (OSError, ValueError):
        return None
    return int(length) if length and length.isdigit() else None


def in_words(size_bytes: int | None) -> str:
    """A suffix for the name of a download."""
    return "" if size_bytes is None else f" ({max(1, round(size_bytes / 1e6))} MB)"
