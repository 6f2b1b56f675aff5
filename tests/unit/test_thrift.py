"""What a Python worker of Spark does to stay small, each time in a process of its own."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from lakelock.adapters.spark.task import SliceTask
from lakelock.adapters.spark.thrift import Thrifty
from lakelock.workers.write import write_slice
from stack.settings import REPOSITORY

SEEN = """
import os, sys
import pyarrow as pa
threads = len(os.listdir("/proc/self/task"))
print(pa.default_memory_pool().backend_name, "pandas" in sys.modules, "lakelock" in sys.modules, threads)
"""


def seen(code: str, folder: str = "plugins", **environment: str) -> list[str]:
    """The pool, whether pandas and lakelock are loaded, and the number of threads after *code*."""
    chosen = {"PYTHONPATH": str(REPOSITORY / folder), "OMP_NUM_THREADS": "1", **environment}
    done = subprocess.run(
        [sys.executable, "-c", code + SEEN], env=os.environ | chosen, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def backwards(batches: Iterable[Any]) -> Iterator[Any]:
    yield from reversed(list(batches))


def test_it_runs_its_task_and_looks_like_it() -> None:
    assert list(Thrifty(backwards)([1, 2, 3])) == [3, 2, 1]
    assert repr(Thrifty(SliceTask[Any, Any](None, write_slice))) == "slices"


@pytest.mark.parametrize("before", ["", "import pyarrow\n"])
def test_a_process_is_thrifty_before_it_imports_the_modules_of_its_task(before: str) -> None:
    assert find_spec("pandas") is not None
    task = pickle.dumps(Thrifty(SliceTask[Any, Any](None, write_slice)))
    assert seen(f"{before}import pickle; pickle.loads({task!r})")[:3] == ["system", "False", "True"]


def test_pandas_can_still_be_imported() -> None:
    code = "from lakelock.adapters.spark.thrift import be_thrifty; be_thrifty(); import pandas as pd; pd.DataFrame({'a': [1]})"
    assert seen(code)[:2] == ["system", "True"]


def test_the_pool_that_a_user_chose_stands() -> None:
    code = "from lakelock.adapters.spark.thrift import be_thrifty; be_thrifty()"
    assert seen(code, ARROW_DEFAULT_MEMORY_POOL="mimalloc")[0] == "mimalloc"


def test_the_daemon_has_all_packages_without_threads_pandas_and_lakelock() -> None:
    code = "import lakelock_daemon as d, sys; d.warm_up(); assert set(d.PACKAGES) <= set(sys.modules)"
    assert seen(code, "spark_jobs") == ["system", "False", "False", "1"]


def test_the_daemon_does_without_a_package_that_is_not_there() -> None:
    code = "import lakelock_daemon as d, sys; sys.modules['llvmlite'] = None; d.warm_up(); assert 'zstandard' in sys.modules"
    assert seen(code, "spark_jobs")[3] == "1"


def test_the_daemon_needs_nothing_of_lakelock() -> None:
    assert "import lakelock" not in Path(REPOSITORY / "spark_jobs" / "lakelock_daemon.py").read_text()
