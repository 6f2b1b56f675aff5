"""The package that Spark's workers import."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import lakelock
import pytest
from lakelock.adapters.spark import package_zip as shipping
from lakelock.adapters.spark.package_zip import package_zip


def _package(folder: Path) -> Path:
    package = folder / "lakelock"
    (package / "sql").mkdir(parents=True)
    (package / "__init__.py").write_text("VALUE = 1\n")
    (package / "sql" / "__init__.py").write_text("")
    (package / "sql" / "one.sql").write_text("SELECT 1")
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "__init__.cpython-311.pyc").write_bytes(b"stale")
    return package


def test_the_same_files_give_the_same_bytes_under_the_same_name(tmp_path: Path) -> None:
    package = _package(tmp_path)
    one = package_zip(package, tmp_path / "a")
    for path in package.rglob("*.py"):
        os.utime(path, (1, 1))
    two = package_zip(package, tmp_path / "b")
    assert one.name == two.name
    assert one.read_bytes() == two.read_bytes()


def test_it_is_made_once(tmp_path: Path) -> None:
    package = _package(tmp_path)
    made = package_zip(package, tmp_path / "a")
    before = made.stat()
    assert package_zip(package, tmp_path / "a") == made
    assert made.stat().st_mtime_ns == before.st_mtime_ns
    assert [p.name for p in (tmp_path / "a").iterdir()] == [made.name]


def test_another_content_has_another_name(tmp_path: Path) -> None:
    package = _package(tmp_path)
    one = package_zip(package, tmp_path / "a")
    (package / "sql" / "one.sql").write_text("SELECT 2")
    assert package_zip(package, tmp_path / "a").name != one.name


def test_it_holds_sources_bytecode_and_sql_and_nothing_else(tmp_path: Path) -> None:
    with zipfile.ZipFile(package_zip(_package(tmp_path), tmp_path / "a")) as archive:
        assert sorted(archive.namelist()) == [
            "lakelock/__init__.py",
            "lakelock/__init__.pyc",
            "lakelock/sql/__init__.py",
            "lakelock/sql/__init__.pyc",
            "lakelock/sql/one.sql",
        ]


def test_python_imports_the_bytecode_and_reads_the_sql_from_the_zip(tmp_path: Path) -> None:
    made = package_zip(_package(tmp_path), tmp_path / "a")
    program = (
        "import lakelock, importlib.resources as r; "
        "print(lakelock.__file__, lakelock.VALUE, (r.files('lakelock') / 'sql' / 'one.sql').read_text())"
    )
    out = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(made)},
        cwd=tmp_path / "a",
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert out.split() == [f"{made}/lakelock/__init__.pyc", "1", "SELECT", "1"]


def test_the_own_package_is_complete(tmp_path: Path) -> None:
    folder = Path(lakelock.__file__).parent
    with zipfile.ZipFile(package_zip(folder=tmp_path)) as archive:
        names = set(archive.namelist())
    expected = {p.relative_to(folder.parent).as_posix() for s in ("*.py", "*.sql", "*.ll") for p in folder.rglob(s)}
    assert expected <= names
    assert not [n for n in names if "__pycache__" in n]


def test_within_a_zip_the_zip_itself_is_the_package(tmp_path: Path) -> None:
    made = package_zip(folder=tmp_path)
    out = subprocess.run(
        [sys.executable, "-c", "from lakelock.adapters.spark.package_zip import package_zip; print(package_zip())"],
        env={"PYTHONPATH": str(made)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert out.strip() == str(made)


def test_code_in_a_zip_reads_from_kafka(tmp_path: Path) -> None:
    """It needs a library of another package, and the text of its own loops."""
    code = (
        "from lakelock.adapters.kafka.reader import RangeReader\n"
        "from lakelock.model.offsets import OffsetRange, Source\n"
        "settings = {'bootstrap.servers': '127.0.0.1:1', 'log_level': '0'}\n"
        "with RangeReader(settings, [OffsetRange(Source('t', 'id', 0), 0, 1)], 0.1) as reader:\n"
        "    list(reader.blocks(1, 1))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(package_zip(folder=tmp_path))},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "lakelock.errors.Unreachable: " in done.stderr


def test_code_in_a_zip_scans_json(tmp_path: Path) -> None:
    code = (
        "from lakelock.adapters.json.scanner import scanner\n"
        "from lakelock.records.json.record_fields import FieldKind, Node\n"
        "from lakelock.records.values import Values\n"
        "scan = scanner(Node('', FieldKind.OBJECT, None, ()), 0, True)\n"
        "print(scan(Values.from_list([b'{\"a\": 1}'])).rest)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(package_zip(folder=tmp_path))},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert '"{"a":1}"' in done.stdout


def test_a_folder_that_others_may_write_to_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    usual = tmp_path / f"lakelock-{os.getuid()}"
    assert shipping._private_folder() == usual
    assert usual.stat().st_mode & 0o777 == 0o700
    usual.chmod(0o777)
    assert shipping._private_folder() != usual


def test_a_process_ships_the_release_that_it_imported(tmp_path: Path) -> None:
    """A new release on disk is not sent before the process that talks to it is a new one, too."""
    shutil.copytree(Path(lakelock.__file__).parent, tmp_path / "lakelock", ignore=shutil.ignore_patterns("__pycache__"))
    script = (
        "import pathlib, lakelock; from lakelock.adapters.spark.package_zip import package_zip; first = package_zip();"
        "pathlib.Path(lakelock.__file__).with_name('errors.py').write_text('newer = 1');"
        "print(first == package_zip(), pathlib.Path(lakelock.__file__).parent)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["True", str(tmp_path / "lakelock")]
