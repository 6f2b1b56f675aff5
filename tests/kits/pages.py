"""Pages as a reader follows them: a shell types their commands in order; only addresses are the test's own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from stack.settings import REPOSITORY

# ```yaml file=PATH is a file to write, ```sh run a block to type; GitHub shows both as their language.
BLOCK = re.compile(r"^```(?:(sh) run|yaml file=(\S+))\n(.*?)^```", re.DOTALL | re.MULTILINE)
NEXT = "=== next block ==="


def page(name: str) -> str:
    return (REPOSITORY / "docs" / name).read_text(encoding="utf-8")


def file(text: str, name: str) -> str:
    """The content of a file that a page shows."""
    (found,) = [body for _, shown, body in BLOCK.findall(text) if shown == name]
    return str(found)


def exports() -> str:
    """The first pipeline's connections, as a block to type."""
    return str(next(body for shell, _, body in BLOCK.findall(page("first-pipeline.md")) if shell))


def with_addresses(text: str, addresses: Mapping[str, str]) -> str:
    for pattern, mine in addresses.items():
        text = re.sub(pattern, lambda _, mine=mine: mine, text)  # type: ignore[misc]
    assert "example.com" not in text
    return text


def typed(clone: Path, text: str, addresses: Mapping[str, str]) -> list[str]:
    """Output of each `sh run` block; files are there before the block that comes after them."""
    script = ["set -euo pipefail"]
    for shell, name, body in BLOCK.findall(text):
        if shell:
            script += [with_addresses(body, addresses), f"echo '{NEXT}'"]
        else:
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            (clone / name).write_text(body)
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("AIRFLOW_CONN_")}
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)],
        cwd=clone,
        env=inherited,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.split(f"{NEXT}\n")[:-1]


def program(text: str, name: str) -> str:
    (found,) = re.findall(rf"^```python file={re.escape(name)}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return str(found)


def printed(text: str, addresses: Mapping[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-c", with_addresses(text, addresses)],
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
