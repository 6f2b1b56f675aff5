"""Keep a Python worker of Spark small: memory that goes back to the system, and no pandas."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

Task = Callable[[Iterable[Any]], Iterator[Any]]

_M_ARENA_MAX = -8
# Arrow's C++ code reads it once, when Arrow is loaded.
_POOL = "ARROW_DEFAULT_MEMORY_POOL"


class Thrifty:
    """*task*, for whose sake a process becomes thrifty that unpickles it: before it imports the modules of the task."""

    def __init__(self, task: Task) -> None:
        self._task = task

    def __repr__(self) -> str:
        return repr(self._task)

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        yield from self._task(batches)
        # Another task may need less, and keeps what this one freed between two objects that last.
        _call("malloc_trim", 0)

    def __reduce__(self) -> tuple[Callable[[_First, Task], Thrifty], tuple[_First, Task]]:
        return _revived, (_First(), self._task)


class _First:
    """Unpickled in front of the task."""

    def __reduce__(self) -> tuple[Callable[[], _First], tuple[()]]:
        return _begun, ()


def _begun() -> _First:
    be_thrifty()
    return _First()


def _revived(_: _First, task: Task) -> Thrifty:
    return Thrifty(task)


@cache
def be_thrifty() -> None:
    """For this process only; a user's own choice of Arrow's memory pool stands.

    The pools that Arrow prefers keep what was freed for a while, as glibc does for each thread: with a consumer's threads
    and Arrow's that is a tenth of a task's memory, and saves no time.
    """
    _call("mallopt", _M_ARENA_MAX, 1)
    is_chosen = _POOL in os.environ
    os.environ.setdefault(_POOL, "system")
    import pyarrow as pa

    if not is_chosen:
        pa.set_memory_pool(pa.system_memory_pool())
    _forget_pandas(pa)


def _call(name: str, *arguments: int) -> None:
    """A function that only glibc has."""
    function = getattr(ctypes.CDLL(None), name, None)
    if function is not None:
        function(*arguments)


def _forget_pandas(pa: ModuleType) -> None:
    """Arrow looks for pandas once in a process, at the first value that might be of pandas; importing it takes 30 MiB."""
    if "pandas" in sys.modules:
        return
    with _absent("pandas"):
        pa.scalar(0)


class _Absent:
    def __init__(self, name: str) -> None:
        self._name = name

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name == self._name:
            raise ModuleNotFoundError(f"no {name} is looked for", name=name)
        return None


@contextmanager
def _absent(name: str) -> Iterator[None]:
    finder = _Absent(name)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
