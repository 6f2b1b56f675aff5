"""Jars that one checkout has fetched are those of the next, as long as it wants the same ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from stack import jar_cache

WANTED = ("org.example", "server", "1.0")


@pytest.fixture
def fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "first"
    folder.mkdir()
    (folder / "server-1.0.jar").write_bytes(b"jar")
    return folder


def test_a_second_checkout_gets_the_first_ones_jars(fetched: Path, tmp_path: Path) -> None:
    jar_cache.keep(WANTED, fetched)
    second = tmp_path / "second"
    assert jar_cache.restore(WANTED, second)
    (fetched / "server-1.0.jar").unlink()
    assert [(p.name, p.read_bytes()) for p in second.iterdir()] == [("server-1.0.jar", b"jar")]


def test_other_versions_are_fetched(fetched: Path, tmp_path: Path) -> None:
    jar_cache.keep(WANTED, fetched)
    assert not jar_cache.restore(("org.example", "server", "1.1"), tmp_path / "second")
    assert not (tmp_path / "second").exists()


def test_what_is_kept_stays_when_another_checkout_keeps_the_same(fetched: Path) -> None:
    jar_cache.keep(WANTED, fetched)
    before = sorted(jar_cache.place(WANTED).iterdir())
    jar_cache.keep(WANTED, fetched)
    assert sorted(jar_cache.place(WANTED).iterdir()) == before
    assert [p.name for p in jar_cache.place(WANTED).parent.iterdir()] == [jar_cache.place(WANTED).name]


def test_a_home_that_cannot_be_written_keeps_none(fetched: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    jar_cache.keep(WANTED, fetched)
    assert not jar_cache.restore(WANTED, tmp_path / "second")
