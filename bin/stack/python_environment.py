"""The locked Python environment in `.venv`, and byte-code of what it runs. Standard library only."""

from __future__ import annotations

import compileall
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from stack import download_sizes, machine, settings, ticker

LOCK = settings.REPOSITORY / "requirements-dev.txt"
# Parts of packages that nothing here imports: their tests, build sources and more. Python writes their byte-code if
# they are imported after all.
NOT_IMPORTED = "|".join(
    (
        ".*/tests?",
        "mypyc?",
        "polars",
        "hive_metastore",
        "libcst",
        "pygments/lexers",
        "pyspark/(?:pandas|ml|mllib)",
        "sqlalchemy/testing",
    )
)


def ensure(say: Callable[[str, float], None]) -> Path:
    """Make the locked environment in `.venv`, again if the lock or the Python changed; returns its Python."""
    python = machine.VENV / "bin" / "python"
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    stamp = machine.VENV / ".lakelock-stamp"
    wanted = hashlib.sha256(LOCK.read_bytes()).hexdigest() + " " + version
    if python.exists() and stamp.exists() and stamp.read_text() == wanted and os.access(python.resolve(), os.X_OK):
        return python
    began = time.monotonic()
    machine.report(f"making the Python environment in {machine.VENV}; this is done once and takes about a minute.")
    uv = _uv()
    machine.run(
        [*uv, "venv", "--quiet", "--allow-existing", "--python", sys.executable, str(machine.VENV)], "making .venv"
    )
    size = download_sizes.in_words(_package_bytes(uv, python))
    machine.report(f"downloading Python packages{size}; what uv has in its cache is not downloaded again.")
    command = [*uv, "pip", "sync", "--quiet", "--python", str(python), str(LOCK)]
    pins = len(re.findall(r"^[A-Za-z0-9].*==", LOCK.read_text(), re.MULTILINE))
    with ticker.shown(
        "Python environment", lambda: sum(1 for _ in machine.VENV.glob("lib/*/site-packages/*.dist-info")), pins
    ):
        machine.run(command, f"installing {LOCK.name}")
        _compile_packages(python, machine.VENV / "lib" / f"python{version}" / "site-packages")
    stamp.write_text(wanted)
    say("Python environment", time.monotonic() - began)
    return python


def _package_bytes(uv: Sequence[str], python: Path) -> int | None:
    """Total size of the lock's packages. uv caches these requests, so the installation does not repeat them."""
    with tempfile.TemporaryDirectory(prefix="lakelock-") as folder:
        resolved = Path(folder) / "pylock.toml"
        command = ["pip", "compile", "--quiet", "--no-deps", "--format", "pylock.toml", "--python", str(python)]
        done = subprocess.run(
            [*uv, *command, str(LOCK), "-o", str(resolved)], env=machine.environment(), capture_output=True, check=False
        )
        return download_sizes.of_packages(resolved) if done.returncode == 0 else None


def _compile_packages(python: Path, packages: Path) -> None:
    """Compile packages without the half that is never imported here, such as tests. Failures are ignored."""
    command = [
        str(python),
        "-m",
        "compileall",
        "-q",
        "-j",
        "0",
        "-x",
        f"/site-packages/(?:{NOT_IMPORTED})/",
        str(packages),
    ]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def _uv() -> list[str]:
    found = shutil.which("uv")
    if found:
        return [found]
    folder = machine.home() / "uv"
    if not (folder / "uv").is_dir() and not (folder / "bin" / "uv").exists():
        folder.mkdir(parents=True, exist_ok=True)
        _install_uv(folder)
    return [str(folder / "bin" / "uv")]


def _install_uv(folder: Path) -> None:
    have_pip = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False)
    if have_pip.returncode == 0:
        machine.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), "uv"], "installing uv")
        return
    have_venv = subprocess.run([sys.executable, "-c", "import ensurepip"], capture_output=True, check=False)
    if have_venv.returncode:
        raise machine.SetupFault(
            f"{sys.executable} has neither pip nor ensurepip. Install one (Debian, Ubuntu: apt-get install python3-venv), "
            "or put uv on the PATH."
        )
    machine.run([sys.executable, "-m", "venv", str(folder / "venv")], "making an environment for uv")
    python = str(folder / "venv" / "bin" / "python")
    machine.run([python, "-m", "pip", "install", "--quiet", "--target", str(folder), "uv"], "installing uv")


def compile_own() -> None:
    """Compile our own modules: Airflow imports them in every task, and nothing else compiles them."""
    for folder in ("plugins", "dags", "bin", "spark_jobs"):
        compileall.compile_dir(settings.REPOSITORY / folder, quiet=2)
