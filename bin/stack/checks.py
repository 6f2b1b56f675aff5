"""bin/test: every check of the repository, then the tests; with arguments only the tests they choose."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence

from stack.settings import REPOSITORY

CHECKS = {
    "style": ("ruff", "check", "."),
    "format": ("ruff", "format", "--check", "."),
    "types": ("mypy", "-p", "lakelock", "-p", "stack"),
    "arrows": ("lint-imports",),
}
# Two workers, each with servers of its own: much of the suite waits for servers to start or to be missed.
SIDE_BY_SIDE = ("-n", "2", "--no-loadscope-reorder")


def main(arguments: Sequence[str]) -> int:
    failed = []
    environment = os.environ | {"PATH": os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if not arguments:
        for name, command in CHECKS.items():
            began = time.monotonic()
            done = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False)
            if done.returncode:
                failed.append(name)
                print(done.stdout + done.stderr, flush=True)
            print(f"  {'FAILED' if done.returncode else 'ok'}: {name} ({time.monotonic() - began:.1f} s)", flush=True)
    # In the caller's place: Ctrl-C reaches pytest, which stops its servers.
    pytest = [sys.executable, "-m", "pytest", *(arguments or SIDE_BY_SIDE)]
    tests = subprocess.Popen(pytest, cwd=REPOSITORY, env=environment)
    while True:
        try:
            code = tests.wait()
            break
        except KeyboardInterrupt:
            continue
    if failed:
        print(f"failed checks: {', '.join(failed)}", file=sys.stderr)
    return code or (1 if failed else 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
