"""Breaks one guard after the other in a copy of the repository, and tells which test noticed.

    PYTHONPATH=tests python -m mutations            those that need no server
    PYTHONPATH=tests python -m mutations --long     all of them; also writes docs/guards.md
    PYTHONPATH=tests python -m mutations --only skip

Exit 1 where a guard can be broken unseen.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.util import cache_from_source
from pathlib import Path

from mutations.catalogue import MUTATIONS, Mutation

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = REPOSITORY / "docs" / "guards.md"
HEAD = """# Guards

Written by `python -m mutations --long` (with `PYTHONPATH=tests`). Each guard of the product is broken in a copy of the repository, by the change of one
text; then the test named here must fail. Invariants are those of [guarantees](guarantees.md).

"""
LINKED = (".venv", ".lakelock")
LEFT_OUT = shutil.ignore_patterns(".git", *LINKED, "__pycache__", ".*_cache", ".hypothesis")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="mutations")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", default="", help="part of what is broken")
    chosen = parser.parse_args(arguments)
    mutations = [m for m in MUTATIONS if chosen.only in m.breaks and (chosen.long or chosen.only or m.quick)]
    lines = ["| invariant | broken | seen by | seconds |", "|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    unseen = []
    with tempfile.TemporaryDirectory(prefix="lakelock-mutations-") as folder:
        copy = Path(folder) / "repository"
        shutil.copytree(REPOSITORY, copy, ignore=LEFT_OUT, symlinks=True)
        copy.parent.chmod(0o755)
        for name in LINKED:
            if (REPOSITORY / name).exists():
                (copy / name).symlink_to((REPOSITORY / name).resolve())
        for mutation in mutations:
            began = time.monotonic()
            seen = is_seen(copy, mutation)
            if not seen:
                unseen.append(mutation)
            by = f"`{mutation.test}`" if seen else "**nothing**"
            lines.append(f"| {mutation.invariant} | {mutation.breaks} | {by} | {time.monotonic() - began:.0f} |")
            print(lines[-1], flush=True)
    lines.append(f"\n{len(mutations)} guards broken, {len(unseen)} unseen")
    print(lines[-1])
    if chosen.long and not chosen.only:
        PAGE.write_text(HEAD + "\n".join(lines) + "\n")
    return 1 if unseen else 0


def is_seen(copy: Path, mutation: Mutation) -> bool:
    """Whether the test fails; raises where the guard or its test is not there any more, or cannot be run at all."""
    file = copy / "plugins" / "lakelock" / mutation.file
    before = file.read_text()
    if before.count(mutation.old) != 1:
        raise SystemExit(f"{mutation.file} has {before.count(mutation.old)} times: {mutation.old!r}")
    write(file, before.replace(mutation.old, mutation.new))
    try:
        return run(copy, mutation.test) == 1
    finally:
        write(file, before)


def write(file: Path, text: str) -> None:
    """Python takes compiled code of the same size and second for that of this text."""
    file.write_text(text)
    Path(cache_from_source(str(file))).unlink(missing_ok=True)


def run(copy: Path, test: str) -> int:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", test]
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    # A fixture that meets the broken guard has noticed, too; a server that did not start has not.
    if done.returncode not in {0, 1} or (
        " error" in done.stdout.splitlines()[-1] and "plugins/lakelock/" not in done.stdout
    ):
        raise SystemExit(f"{test} cannot be run:\n{done.stdout[-4000:]}{done.stderr[-2000:]}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
