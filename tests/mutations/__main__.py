"""Breaks one guard after the other in a copy of the repository, and reports which test noticed.

    PYTHONPATH=tests python -m mutations                     those of files that changed, and a few that the commit draws
    PYTHONPATH=tests python -m mutations --long              all of them; also writes docs/proofs/guards.md
    PYTHONPATH=tests python -m mutations --long --share 0.2  a fifth, drawn by the commit
    PYTHONPATH=tests python -m mutations --only skip

Exit 1 where a guard can be broken unseen.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.util import cache_from_source
from pathlib import Path

from campaigns.draw import REPOSITORY, Draw, changed_files, seed, share_of
from campaigns.result import Result

from mutations.catalogue import MUTATIONS
from mutations.choice import chosen
from mutations.mutation import Mutation

PAGE = REPOSITORY / "docs" / "proofs" / "guards.md"
HEAD = """# Guards

`python -m mutations --long` (with `PYTHONPATH=tests`) writes this page. For each guard of the
product, it changes one text in a copy of the repository, so that the guard is broken. The test
named here must then fail. [Guarantees](../guarantees.md) has the invariants.

"""
LINKED = (".venv", ".lakelock")
LEFT_OUT = shutil.ignore_patterns(".git", *LINKED, "__pycache__", ".*_cache", ".hypothesis")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="mutations")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--share", type=share_of, default=1.0, help="of the long form")
    parser.add_argument("--only", default="", help="part of what is broken")
    args = parser.parse_args(arguments)
    draw = Draw(seed(), args.share)
    mutations = taken(draw, long=args.long, only=args.only)
    lines = ["| invariant | without the guard | detected by | seconds |", "|---|---|---|---|"]
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
    lines.append(f"\n{len(mutations)} guards broken, {len(unseen)} undetected")
    print(lines[-1])
    print(Result(len(mutations), draw.of, "guards", {"unseen": len(unseen)}).line)
    # A part of them is no page: it would say less than the one that is there.
    if len(mutations) == len(MUTATIONS):
        PAGE.write_text(HEAD + "\n".join(lines) + "\n")
    return 1 if unseen else 0


def taken(draw: Draw, *, long: bool, only: str) -> list[Mutation]:
    if only:
        return draw.take("guards", [m for m in MUTATIONS if only in m.breaks])
    if long:
        return draw.take("guards", MUTATIONS, lambda m: m.quick)
    mutations = chosen(MUTATIONS, changed_files(), draw.seed)
    draw.note("guards", len(mutations), len(MUTATIONS))
    return mutations


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
    # A session of its own: an interrupt reaches it once, from here.
    test_run = subprocess.Popen(
        command,
        cwd=copy,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        said, faults = test_run.communicate()
    except KeyboardInterrupt:
        # Interrupted, pytest stops its servers; killed, it would leave them behind.
        test_run.send_signal(signal.SIGINT)
        test_run.communicate()
        raise
    # A fixture that meets the broken guard has noticed, too; a server that did not start has not.
    if test_run.returncode not in {0, 1} or (" error" in said.splitlines()[-1] and "plugins/lakelock/" not in said):
        raise SystemExit(f"{test} cannot be run:\n{said[-4000:]}{faults[-2000:]}")
    return test_run.returncode


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main(sys.argv[1:]))
