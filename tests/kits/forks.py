"""Python commands that need not import everything again: each runs in a process that is forked from one that has.

A process of its own takes seconds of a core for its imports alone. Kill tests start theirs as users do.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import runpy
import signal
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from select import select
from typing import Any

TESTS = str(Path(__file__).resolve().parents[1])


class Forks:
    """One process that has imported *modules*, and no thread and no connection, and makes a child for each command."""

    def __init__(self, modules: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        known = os.environ if environment is None else environment
        self._parent = subprocess.Popen(
            [sys.executable, "-m", "kits.forks", *modules],
            env={**known, "PYTHONPATH": os.pathsep.join([TESTS, known.get("PYTHONPATH", "")])},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # No line may be read before its turn: `select` does not see what Python holds already.
            bufsize=0,
            start_new_session=True,
        )
        atexit.register(self.close)

    def close(self) -> None:
        assert self._parent.stdin is not None
        self._parent.stdin.close()
        self._parent.wait()

    def run(
        self, arguments: Sequence[str], environment: Mapping[str, str], cwd: Path | None = None, timeout_s: float = 300
    ) -> subprocess.CompletedProcess[str]:
        """What `python *arguments*` would do and print: `-m` and a module, or a script, and what it is given."""
        with tempfile.TemporaryDirectory(prefix="lakelock-fork-") as folder:
            files = [Path(folder) / name for name in ("stdout", "stderr")]
            order = {
                "arguments": list(arguments),
                "environment": dict(environment),
                "cwd": str(cwd or Path.cwd()),
                "files": [str(f) for f in files],
            }
            pid = self._ask(order, 60)
            assert self._parent.stdout is not None
            if not select([self._parent.stdout], [], [], timeout_s)[0]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                # Its code is the next line: left there, it would be taken for the answer to the next command.
                self._parent.stdout.readline()
                raise subprocess.TimeoutExpired(list(arguments), timeout_s)
            code = int(self._parent.stdout.readline())
            output, errors = (f.read_text(encoding="utf-8") for f in files)
        return subprocess.CompletedProcess(list(arguments), code, output, errors)

    def _ask(self, order: Mapping[str, Any], timeout_s: float) -> int:
        """The id of the child that does it."""
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        self._parent.stdin.write(json.dumps(order).encode() + b"\n")
        if not select([self._parent.stdout], [], [], timeout_s)[0]:
            raise TimeoutError(f"no child within {timeout_s} s")
        return int(self._parent.stdout.readline())


@cache
def _of_the_command() -> Forks:
    commands = [
        f"lakelock.cli.{name}"
        for name in ("bring_records", "check_command", "decision_commands", "redrive", "reports", "running", "upkeep")
    ]
    return Forks(["lakelock.app.runtime", *commands, "pyspark.sql.connect.session"])


def lakelock(
    *arguments: object, environment: Mapping[str, str], timeout_s: float = 300
) -> subprocess.CompletedProcess[str]:
    """`bin/lakelock` with these arguments."""
    return _of_the_command().run(["-m", "lakelock.cli", *map(str, arguments)], environment, timeout_s=timeout_s)


_CALL = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    server.sendall(json.dumps([sys.argv[1:], dict(os.environ), os.getcwd()]).encode())
    server.shutdown(socket.SHUT_WR)
    code, output, errors = json.loads(b"".join(iter(lambda: server.recv(65536), b"")))
sys.stdout.write(output)
sys.stderr.write(errors)
sys.exit(code)
"""


@contextmanager
def as_program(program: Path) -> Iterator[None]:
    """While it lasts, the file *program* does what `bin/lakelock` does, for shells that start it."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            arguments, environment, cwd = json.loads(self.rfile.read())
            done = _of_the_command().run(["-m", "lakelock.cli", *arguments], environment, Path(cwd))
            self.wfile.write(json.dumps([done.returncode, done.stdout, done.stderr]).encode())

    address = program.with_suffix(".socket")
    with socketserver.UnixStreamServer(str(address), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        program.write_text(_CALL.format(python=sys.executable, address=str(address)))
        program.chmod(0o755)
        try:
            yield
        finally:
            server.shutdown()
            thread.join()


def serve(modules: Sequence[str]) -> None:
    sys.path.remove(TESTS)
    for module in modules:
        importlib.import_module(module)
    # Collected in a child, what is imported already would be copied.
    gc.freeze()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if not pid:
            answers.close()
            _become(order)
            # As the interpreter ends otherwise: threads are waited for, and exit handlers run.
            return
        print(pid, file=answers, flush=True)
        _, status = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)


def _become(order: Mapping[str, Any]) -> None:
    """Raises what the command does, SystemExit above all."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    out, err = (os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND) for path in order["files"])
    for number, own in enumerate((nothing, out, err)):
        os.dup2(own, number)
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.path[:0] = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p and p not in sys.path]
    time.tzset()
    os.chdir(order["cwd"])
    first, *rest = order["arguments"]
    if first == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = [first, *rest]
        sys.path.insert(0, str(Path(first).parent))
        runpy.run_path(first, run_name="__main__")


if __name__ == "__main__":
    serve(sys.argv[1:])
