"""By what a run of the tests draws its short campaigns: the same for one commit, something else for the next one."""

from __future__ import annotations

import os
import subprocess
from functools import cache

from stack.settings import REPOSITORY

SEED = "LAKELOCK_SEED"


@cache
def seed() -> str:
    """The commit's hash, unless `LAKELOCK_SEED` is given; the same for all where there is no repository."""
    if given := os.environ.get(SEED):
        return given
    command = ["git", "-c", f"safe.directory={REPOSITORY}", "rev-parse", "--short=12", "HEAD"]
    try:
        done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    except OSError:
        return "none"
    return done.stdout.strip() or "none"
