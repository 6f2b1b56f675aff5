"""A cache of shared values, a limit on concurrent work, and a back-off from servers that do not answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from cachetools import TTLCache

from lakelock.errors import State, Unreachable

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SharedCache(Generic[K, V]):
    """By key, for *ttl_s*; one caller makes a value while others of its key wait. At most *most* are kept."""

    def __init__(self, ttl_s: float, most: int = 64, wait_s: float = 5.0) -> None:
        self._wait_s = wait_s
        self._values: TTLCache[K, tuple[V]] = TTLCache(most, ttl_s)
        # Each is there as long as a caller holds it or waits for it.
        self._locks: WeakValueDictionary[K, threading.Lock] = WeakValueDictionary()
        self._guard = threading.Lock()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The kept value, else a new one from *make*, whose errors are not kept.

        Raises Unreachable if another caller makes it for longer than *wait_s*.
        """
        with self._guard:
            lock = self._locks.setdefault(key, threading.Lock())
        if not lock.acquire(timeout=self._wait_s):
            raise Unreachable("Another request is already computing this.", State.NOTHING_CHANGED, "Try again shortly.")
        try:
            with self._guard:
                known = self._values.get(key)
            if known is not None:
                return known[0]
            value = make()
            with self._guard:
                self._values[key] = (value,)
            return value
        finally:
            lock.release()


class Gate:
    """At most *most* at once: waiting for other servers must not take all threads of the api-server."""

    def __init__(self, most: int, wait_s: float) -> None:
        self._places, self._wait_s = threading.BoundedSemaphore(most), wait_s

    @contextmanager
    def passed(self) -> Iterator[None]:
        """Hold a place for the block; raises Unreachable if none is free within *wait_s*."""
        if not self._places.acquire(timeout=self._wait_s):
            raise Unreachable(
                "Too many requests for tables and topics are running.", State.NOTHING_CHANGED, "Try again shortly."
            )
        try:
            yield
        finally:
            self._places.release()


class Silences(Generic[K]):
    """Servers that did not answer just now, so that the next requests do not wait for them as well."""

    def __init__(self) -> None:
        self._until: dict[K, float] = {}

    def note(self, key: K, for_s: float) -> None:
        self._until[key] = time.monotonic() + for_s

    def refuse(self, key: K, message: str) -> None:
        """Raise Unreachable for a server that was silent just now."""
        if time.monotonic() < self._until.get(key, 0.0):
            raise Unreachable(message)
