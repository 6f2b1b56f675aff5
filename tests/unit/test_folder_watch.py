"""A pipeline file that comes, changes or goes is noticed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stack.folder_watch import FolderWatch


@contextmanager
def watched(*folders: Path) -> Iterator[threading.Event]:
    changed = threading.Event()
    watch = FolderWatch(folders, changed.set)
    watch.start()
    try:
        yield changed
    finally:
        watch.stop()


def test_files_that_come_change_or_go_are_noticed(tmp_path: Path) -> None:
    one, other = tmp_path / "dags", tmp_path / "pipelines"
    for folder in (one, other):
        folder.mkdir()
        (folder / "there.yaml").write_text("a")
    with watched(one, other) as changed:
        for change in (
            lambda: (other / "new.yaml").write_text("a"),
            lambda: (other / "new.yaml").write_text("ab"),
            (one / "there.yaml").unlink,
            lambda: (other / "new.yaml").rename(other / "named.yaml"),
        ):
            changed.clear()
            change()
            assert changed.wait(30)


def test_a_change_is_said_once_more_when_nothing_has_changed_for_a_while(tmp_path: Path) -> None:
    said = threading.Semaphore(0)
    watch = FolderWatch([tmp_path], said.release, settled_s=0.1)
    watch.start()
    try:
        (tmp_path / "a.yaml").write_text("a")
        assert said.acquire(timeout=30)
        assert said.acquire(timeout=30)
    finally:
        watch.stop()


def test_a_link_to_nothing_hides_no_file(tmp_path: Path) -> None:
    for n in range(5):
        (tmp_path / f"p{n}.yaml").write_text("a")
        (tmp_path / f".#p{n}.yaml").symlink_to("nowhere")
    assert len(FolderWatch([tmp_path], lambda: None).scan()) == 5


def test_what_python_compiles_beside_the_files_is_no_change(tmp_path: Path) -> None:
    watch = FolderWatch([tmp_path], lambda: None)
    (tmp_path / "dag.py").write_text("")
    before = watch.scan()
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "dag.pyc").write_text("")
    assert watch.scan() == before
    assert list(before) == [tmp_path / "dag.py"]


def test_a_folder_that_is_not_there_yet_is_checked_when_it_is(tmp_path: Path) -> None:
    with watched(tmp_path) as changed, watched(later := tmp_path / "later") as then:
        later.mkdir()
        (later / "a.yaml").write_text("a")
        assert then.wait(30)
        assert not changed.is_set()
