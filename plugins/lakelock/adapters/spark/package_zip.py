"""This package as a zip for Spark's Python workers, which have no lakelock installed."""

from __future__ import annotations

import hashlib
import os
import py_compile
import stat
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.util import MAGIC_NUMBER
from pathlib import Path

import lakelock

_SUFFIXES = frozenset({".py", ".sql", ".json", ".ll", ".typed"})
# The oldest time a zip can hold: the same files give the same bytes on every machine.
_TIME = (1980, 1, 1, 0, 0, 0)
_own: dict[Path, Path] = {}


def package_zip(package: Path | None = None, folder: Path | None = None) -> Path:
    """A zip with *package* (default: the imported lakelock) at its root, created once per content.

    The default zip is remembered by the process and its forks, so that a release installed later does not send Spark's
    workers code that is incompatible with this process. It contains sources, and bytecode for this Python version,
    which other versions ignore. The name has a hash of the content, so that workers distinguish it from an older zip
    that they have imported.
    """
    if package is None and folder is None:
        package = Path(lakelock.__file__).parent
        if package not in _own or not _own[package].is_file():
            _own[package] = package_zip(package)
        return _own[package]
    package = package or Path(lakelock.__file__).parent
    if package.parent.suffix == ".zip" and package.parent.is_file():
        return package.parent
    folder = folder or _private_folder()
    files = {path.relative_to(package.parent).as_posix(): path.read_bytes() for path in _files(package)}
    target = folder / f"{package.name}-{_digest(files)}.zip"
    if not target.is_file():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(target, files)
    return target


def _private_folder() -> Path:
    """A folder that persists between runs and that other users cannot write to."""
    folder = Path(tempfile.gettempdir()) / f"lakelock-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if status.st_uid == os.getuid() and stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o022:
        return folder
    return Path(tempfile.mkdtemp(prefix="lakelock-"))


def _files(package: Path) -> Iterator[Path]:
    for path in sorted(package.rglob("*")):
        if path.suffix in _SUFFIXES and "__pycache__" not in path.parts and path.is_file():
            yield path


def _digest(files: dict[str, bytes]) -> str:
    digest = hashlib.sha256(MAGIC_NUMBER)
    for name, content in files.items():
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def _write(target: Path, files: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        unfinished = Path(scratch) / target.name
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                _add(archive, name, content)
                if name.endswith(".py"):
                    _add(archive, name + "c", _compiled(Path(scratch), name, content))
        # Two processes may create it at once: the content is the same, the last one wins.
        os.replace(unfinished, target)


def _compiled(scratch: Path, name: str, content: bytes) -> bytes:
    source, bytecode = scratch / "module.py", scratch / "module.pyc"
    source.write_bytes(content)
    py_compile.compile(
        str(source),
        str(bytecode),
        dfile=name,
        doraise=True,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    return bytecode.read_bytes()


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, _TIME)
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
