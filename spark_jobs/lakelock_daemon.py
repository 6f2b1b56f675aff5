"""PySpark's daemon with the packages that lakelock's tasks need: `spark.python.daemon.module=lakelock_daemon`.

Workers are forked from the daemon, so they share the memory of its modules, and do not import them again. This file must be
on the `PYTHONPATH` of Spark's executors. It imports nothing of lakelock, which comes with each job in a release of its own.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys

# Before Arrow is loaded. Without its thread that returns memory, no thread is lost when a worker is forked.
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
os.environ.setdefault("JE_ARROW_MALLOC_CONF", "background_thread:false")

# pyarrow.dataset and what needs it are left out: pandas would come with them, which lakelock's workers do without.
PACKAGES = (
    "confluent_kafka.admin",
    "llvmlite.binding",
    "numpy",
    "orjson",
    "pyarrow.compute",
    "pyarrow.csv",
    "pyarrow.json",
    "pyarrow.parquet",
    "pyiceberg.table",
    "zstandard",
)


def warm_up() -> None:
    """Import what there is: tasks say better what is missing."""
    for name in PACKAGES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    # A collection would write to each object, and so copy its memory.
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    # Spark reads the port from standard output.
    with contextlib.redirect_stdout(sys.stderr):
        warm_up()
    from pyspark.daemon import manager

    manager()
