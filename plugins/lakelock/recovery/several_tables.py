"""Do the same to several tables, some at a time."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import TypeVar

from lakelock.errors import Terminal

logger = logging.getLogger(__name__)

T = TypeVar("T")


def for_each_table(tables: Sequence[str], act: Callable[[str], T], at_once: int) -> dict[str, T]:
    """What *act* returns of each table, in their order; *at_once* threads call it, for 1 that of the caller.

    A Terminal error of one table does not stop the others: the first one is raised after them. Any other error is raised at once,
    and ends what has not begun.
    """

    def tried(table: str) -> T | Terminal:
        try:
            return act(table)
        except Terminal as fault:
            return fault

    done: dict[str, T] = {}
    faults: list[Terminal] = []
    with closing(_results(tables, tried, at_once)) as results:
        for table, result in zip(tables, results, strict=True):
            if isinstance(result, Terminal):
                faults.append(result)
            else:
                done[table] = result
    for further in faults[1:]:
        logger.error("%s", further)
    if faults:
        raise faults[0]
    return done


def _results(tables: Iterable[str], act: Callable[[str], T], at_once: int) -> Generator[T]:
    if at_once == 1:
        yield from map(act, tables)
        return
    with ThreadPoolExecutor(at_once, thread_name_prefix="lakelock-recover") as pool:
        yield from pool.map(act, tables)
