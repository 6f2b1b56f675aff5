"""Jars that an earlier checkout of the same user has fetched: linked instead of fetched again. Standard library only."""

from __future__ import annotations

import hashlib
import os
import shutil
from contextlib import suppress
from pathlib import Path


def place(artifacts: object) -> Path:
    """Where the jars of exactly these *artifacts* are kept; other versions are kept beside them."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "lakelock" / "jars" / hashlib.sha256(repr(artifacts).encode()).hexdigest()[:16]


def restore(artifacts: object, folder: Path) -> bool:
    """False when they are not there."""
    kept = place(artifacts)
    if not kept.is_dir():
        return False
    shutil.copytree(kept, folder, copy_function=_link, dirs_exist_ok=True)
    return True


def keep(artifacts: object, folder: Path) -> None:
    """Appears as a whole or not at all; a home that cannot be written keeps none."""
    kept = place(artifacts)
    new = kept.with_name(f"{kept.name}.{os.getpid()}")
    with suppress(OSError, shutil.Error):
        shutil.copytree(folder, new, copy_function=_link)
        os.rename(new, kept)
    shutil.rmtree(new, ignore_errors=True)


def _link(source: str, target: str) -> str:
    """A copy where the two are on different disks, or hard links are not allowed."""
    try:
        os.link(source, target)
    except OSError:
        return shutil.copy2(source, target)
    return target
