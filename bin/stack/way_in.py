"""The way to a folder for another user: Postgres runs as this one when root starts it. Standard library only."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from stack import settings
from stack.machine import SetupFault, home

OTHER_USER = "nobody"
SEARCH = 0o001


def on_the_way(path: Path) -> list[Path]:
    """All existing folders that a user must enter to reach *path*, outermost first; links are followed."""
    found: dict[Path, None] = {}
    for step in reversed([path, *path.parents]):
        if step.exists():
            real = step.resolve()
            found |= dict.fromkeys(reversed([real, *real.parents]))
    return [folder for folder in found if folder.is_dir()]


def closed(paths: Iterable[Path]) -> list[Path]:
    """Folders on the way to *paths* that other users may not enter."""
    folders = dict.fromkeys(folder for path in paths for folder in on_the_way(path))
    return [folder for folder in folders if not folder.stat().st_mode & SEARCH]


def require(paths: Sequence[Path]) -> None:
    """Raise SetupFault if root starts the servers, and Postgres' user can never reach *paths*."""
    if os.geteuid() == 0:
        _refuse(folder for folder in closed(paths) if not _is_ours(folder, ()))


def let_in(paths: Sequence[Path], ours: Sequence[Path]) -> None:
    """Let other users enter the folders on the way to *paths*: adds search permission, never read.

    Changes only folders in the clone, in the state folder, and in *ours*. Raises SetupFault, with nothing changed, if
    another folder is closed.
    """
    shut = closed(paths)
    _refuse(folder for folder in shut if not _is_ours(folder, ours))
    for folder in shut:
        folder.chmod(folder.stat().st_mode | SEARCH)


def _is_ours(folder: Path, more: Sequence[Path]) -> bool:
    return any(folder.is_relative_to(mine.resolve()) for mine in (settings.REPOSITORY, home(), *more))


def _refuse(folders: Iterable[Path]) -> None:
    for folder in folders:
        # Postgres' programs are in the clone, so another state folder helps only if the clone can be entered.
        of_state = folder in on_the_way(home()) and folder not in on_the_way(settings.REPOSITORY)
        elsewhere = (
            "name a state folder that all users may enter in LAKELOCK_HOME"
            if of_state
            else "move the clone to a folder that all users may enter, such as one in /opt"
        )
        raise SetupFault(
            f"Postgres refuses to run as root, so it runs as the user {OTHER_USER}, who may not enter {folder} (mode "
            f"{folder.stat().st_mode & 0o7777:04o}). Postgres was not started, and the mode of {folder} was not changed. "
            f"Either start this as an ordinary user, or {elsewhere}."
        )
