"""A set-up reports what it downloads as the servers do, before it downloads."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from stack import download_sizes, jars, machine, python_environment

MB = 1_000_000


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder, and the address that an HTTP server has it at."""
    folder = tmp_path / "served"
    folder.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield folder, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Tests have enough to say."""


def program(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}")
    path.chmod(0o755)
    return str(path)


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(machine, "VENV", tmp_path / ".venv")
    monkeypatch.setenv("LAKELOCK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_addresses_have_the_length_that_the_server_reports(served: tuple[Path, str]) -> None:
    folder, url = served
    (folder / "a.jar").write_bytes(b"a" * 3 * MB)
    (folder / "b.jar").write_bytes(b"b" * 4 * MB)
    known = [f"{url}/a.jar", f"{url}/b.jar"]
    assert download_sizes.of_addresses(known) == 7 * MB
    # Of one that is not known the sum is none.
    for unknown in (f"{url}/gone.jar", "http://127.0.0.1:1/x.jar", ".jar"):
        assert download_sizes.of_addresses([*known, unknown]) is None
    assert download_sizes.of_addresses([]) is None


LOCK = """
[[packages]]
name = "wheel-and-source"
sdist = { url = "https://x/s.tar.gz", size = 900 }
wheels = [{ url = "https://x/1.whl", size = 40000000 }, { url = "https://x/2.whl", size = 42000000 }]

[[packages]]
name = "source"
sdist = { url = "https://x/t.tar.gz", size = 450000000 }
"""


def test_packages_have_a_wheel_or_else_their_source(tmp_path: Path) -> None:
    lock = tmp_path / "pylock.toml"
    lock.write_text(LOCK)
    assert download_sizes.of_packages(lock) == 492 * MB
    lock.write_text(LOCK + '[[packages]]\nname = "untold"\nsdist = { url = "https://x/u.tar.gz" }\n')
    assert download_sizes.of_packages(lock) is None


@pytest.mark.parametrize(("compiles", "reported"), [(True, " (492 MB)"), (False, "")])
def test_packages_are_sized_before_they_are_downloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], compiles: bool, reported: str
) -> None:
    lock, seen = tmp_path / "pylock.toml", tmp_path / "seen"
    lock.write_text(LOCK)
    # Its last argument but none is where the lock goes.
    compiled = f'for last; do :; done; cp {lock} "$last"' if compiles else "exit 2"
    uv = program(
        tmp_path / "uv",
        f'case "$1 $2" in "pip compile") {compiled};; "pip sync") touch {seen}; echo "error: no more" >&2; exit 1;; esac\n',
    )
    monkeypatch.setattr(python_environment, "_uv", lambda: [uv])
    with pytest.raises(machine.SetupFault, match="no more"):
        python_environment.ensure(lambda what, seconds: None)
    assert seen.exists()
    said = capfd.readouterr().err.splitlines()
    assert (
        said[-1]
        == f"lakelock: downloading Python packages{reported}; what uv has in its cache is not downloaded again."
    )


REPORT = """<ivy-report><dependencies>
<module name="a"><revision name="1"><metadata-artifact origin-location="{url}/a-1.pom"/></revision></module>
<module name="b"><revision name="0" evicted="by 1"><metadata-artifact origin-location="{url}/b-0.pom"/></revision>
<revision name="1"><metadata-artifact origin-location="{url}/b-1.pom"/></revision></module>
</dependencies></ivy-report>"""


def test_jars_are_sized_by_the_server_that_ivy_found_them_on_before_they_are_fetched(
    served: tuple[Path, str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder, url = served
    for name, size in (("a-1", 2 * MB), ("b-0", 9 * MB), ("b-1", 3 * MB)):
        (folder / f"{name}.jar").write_bytes(b"j" * size)
    report = tmp_path / "report.xml"
    report.write_text(REPORT.format(url=url))
    ivy = machine.VENV / "lib" / "python3" / "site-packages" / "pyspark" / "jars" / "ivy-1.jar"
    ivy.parent.mkdir(parents=True)
    ivy.touch()
    java = program(
        tmp_path / "java",
        'while [ "$1" != -cache ]; do shift; done\n'
        f'case "$*" in *-retrieve*) echo "error: fetched" >&2; exit 1;; esac\n'
        f'mkdir -p "$2" && cp {report} "$2/x-caller-default.xml"\n',
    )
    with pytest.raises(machine.SetupFault, match="fetched"):
        jars.ensure(java, lambda what, seconds: None, ["kafka"])
    assert capfd.readouterr().err.splitlines() == [
        "lakelock: fetching the jars for Kafka; this is done once.",
        "lakelock: downloading the jars for Kafka (5 MB).",
    ]
