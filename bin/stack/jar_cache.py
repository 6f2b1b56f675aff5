"""Link jars that an earlier checkout of the same user has fetched. Standard library only."""

from __future__ import annotations

import hashlib
import os
import shutil
from contextlib import suppress
from pathlib import Path


def place(artifacts: object) -> Path:
    """The folder for exactly these *artifacts*; other versions have folders beside it."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "lakelock" / "jars" / hashlib.sha256(repr(artifacts).encode()).hexdigest()[:16]


def restore(artifacts: object, folder: Path) -> bool:
    """Link the kept jars into *folder*; False if there are none."""
    kept = place(artifacts)
    if not kept.is_dir():
        return False
    shutil.copytree(kept, folder, copy_function=_link, dirs_exist_ok=True)
    return True


def keep(artifacts: object, folder: Path) -> None:
    """Keep the jars of *folder*, all or none; does nothing if the home is not writable."""
    kept = place(artifacts)
    new = kept.with_name(f"{kept.name}.{os.getpid()}")
    with suppress(OSError, shutil.Error):
        shutil.copytree(folder, new, copy_function=_link)
        os.rename(new, kept)
    shutil.rmtree(new, ignore_errors=True)


def _link(source: str, target: str) -> str:
    """Link a file, or copy it if they are on different disks or hard links are not allowed."""
    try:
        os.link(source, target)
    except OSError:
        return shutil.copy2(source, target)
    return target
