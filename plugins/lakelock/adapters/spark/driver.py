"""The session of a driver that spark-submit started."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lakelock.adapters.spark.errors import translated

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@contextmanager
def classic_session() -> Iterator[SparkSession]:
    """A session with master and settings from spark-submit's command line; Spark stops with the block."""
    from pyspark.sql import SparkSession

    try:
        session = SparkSession.builder.getOrCreate()
    except Exception as error:
        raise translated(error) from error
    try:
        yield session
    finally:
        session.stop()
