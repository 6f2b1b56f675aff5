"""bin/test: every check of the repository, then the tests; with arguments only the tests they choose."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

from stack.settings import REPOSITORY

CHECKS = {
    "style": ("ruff", "check", "."),
    "format": ("ruff", "format", "--check", "."),
    "types": ("mypy",),
    "arrows": ("lint-imports",),
}
# Whole stacks that are watched by the second have the machine for themselves; of the rest much only waits for servers, so
# two workers, each with servers of its own, share it by file.
ALONE = ("tests/acceptance/in_airflow", "tests/integration/test_stack_demo.py")
SIDE_BY_SIDE = ("-n", "2", "--dist", "loadfile", "--no-loadscope-reorder", *(f"--ignore={path}" for path in ALONE))
INTERRUPTED = 2


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
    code = 0
    for chosen in (arguments,) if arguments else (ALONE, SIDE_BY_SIDE):
        ended = _pytest(chosen, environment)
        code = code or ended
        if ended == INTERRUPTED:
            break
    if failed:
        print(f"failed checks: {', '.join(failed)}", file=sys.stderr)
    return code or (1 if failed else 0)


def _pytest(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    # In the caller's place: Ctrl-C reaches pytest, which stops its servers.
    tests = subprocess.Popen([sys.executable, "-m", "pytest", *arguments], cwd=REPOSITORY, env=environment)
    while True:
        try:
            return tests.wait()
        except KeyboardInterrupt:
            continue


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
