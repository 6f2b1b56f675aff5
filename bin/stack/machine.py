"""This machine's Java, state folder and tools for a set-up; tool failures become one line.

Standard library only.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from stack import settings

VENV = settings.REPOSITORY / ".venv"


class SetupFault(Exception):
    """One line about something that is missing on this machine, and the action to take."""


def home() -> Path:
    """The folder for all state of this checkout's servers."""
    return Path(os.environ.get("LAKELOCK_HOME", settings.REPOSITORY / ".lakelock"))


def environment() -> dict[str, str]:
    """The process's environment, with byte-code writing on: otherwise each Python process starts 2-3 times slower."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def report(what: str) -> None:
    """Print a line at once, because long silent work looks like a program that hangs."""
    print(f"lakelock: {what}", file=sys.stderr, flush=True)


def java() -> str:
    """A Java of at least version 17, from JAVA_HOME, the PATH, or Debian's folder."""
    candidates = [str(Path(os.environ["JAVA_HOME"]) / "bin" / "java")] if os.environ.get("JAVA_HOME") else []
    candidates += [shutil.which("java") or ""]
    folder = Path(os.environ.get("LAKELOCK_JVM_FOLDER", "/usr/lib/jvm"))
    candidates += [str(p / "bin" / "java") for p in sorted(folder.glob("*"), reverse=True)]
    seen = []
    for candidate in candidates:
        if not candidate or not os.access(candidate, os.X_OK):
            continue
        answer = subprocess.run([candidate, "-version"], capture_output=True, text=True, check=False).stderr
        match = re.search(r'version "(\d+)', answer)
        if match and int(match[1]) >= settings.MIN_JAVA:
            return candidate
        seen.append(f"{candidate} is version {match[1] if match else 'unknown'}")
    found = f" ({'; '.join(seen)})" if seen else ""
    raise SetupFault(
        f"Java {settings.MIN_JAVA} or newer is needed and was not found{found}. Install it (Debian, Ubuntu: "
        f"apt-get install openjdk-{settings.MIN_JAVA}-jre-headless) or set JAVA_HOME."
    )


def java_home(executable: str) -> str:
    return str(Path(executable).resolve().parents[1])


def run(command: Sequence[str], what: str) -> None:
    """Run a set-up command; a failure becomes one line about its likely cause."""
    try:
        done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    except OSError as fault:
        raise SetupFault(f"{what}: {fault}") from fault
    if done.returncode:
        raise SetupFault(f"{what}: {cause(done.stdout + done.stderr)}")


def cause(output: str) -> str:
    """The line of a tool's output that a person can act on."""
    if re.search("No space left on device|os error 28", output):
        return os_fault(OSError(errno.ENOSPC, "no space left"))
    if re.search(
        "dns error|resolve host|Name or service not known|Temporary failure in name|Network is unreachable|"
        "error sending request|NewConnectionError|Connection refused|UnknownHostException|Failed to fetch",
        output,
    ):
        return (
            "the package servers cannot be reached. Check the network, or set your mirror (for Python UV_DEFAULT_INDEX, "
            "for Java an Ivy settings file in LAKELOCK_IVY_SETTINGS), and try again."
        )
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if re.search("rror", line)), lines[-1] if lines else "it failed")


def os_fault(fault: OSError) -> str:
    """One line about a system call that failed."""
    if fault.errno in {errno.ENOSPC, errno.EDQUOT}:
        return f"the disk is full. Free at least 4 GB for {home()} and {VENV}, and start again."
    if fault.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return (
            f"{fault.filename or home()} cannot be written ({fault.strerror}). Use a clone of your own, or name a "
            "writable folder in LAKELOCK_HOME."
        )
    return ": ".join(str(part) for part in (fault.filename, fault.strerror or fault) if part) + "."
