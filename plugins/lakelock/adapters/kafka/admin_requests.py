"""Requests to Kafka's brokers through librdkafka's admin client, each with a time limit."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import ExitStack
from typing import Any, TypeVar

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient

from lakelock.adapters.kafka.errors import is_denied, settings_of, translated
from lakelock.errors import LakelockError, Unreachable

logger = logging.getLogger(__name__)

T = TypeVar("T")
K = TypeVar("K")

_POLL_S = 0.05


class AdminRequests:
    """Requests with a client that is created at first use, and again after a time-out. Not thread-safe."""

    def __init__(self, config: Mapping[str, str], servers: str, timeout_s: float) -> None:
        self._config = config
        self._servers = servers
        self._timeout_s = timeout_s
        self._client: AdminClient | None = None
        self._opened = ExitStack()
        self._trouble: KafkaError | None = None

    @property
    def is_first(self) -> bool:
        """Whether the client is not created yet."""
        return self._client is None

    def results(
        self,
        send: Callable[[AdminClient], Mapping[K, Future[T]]],
        about: Callable[[K], str],
        allowed: Sequence[int] = (),
    ) -> dict[K, Any]:
        """Results by key; for errors in *allowed*, the KafkaError instead. A refused login ends the wait at once."""
        client = self._admin()
        self._trouble = None
        try:
            futures = send(client)
        except KafkaException as error:
            raise self._fault(error.args[0], "a request") from error
        try:
            return self._awaited(client, futures, about, allowed)
        finally:
            if not all(future.done() for future in futures.values()):
                self.close()

    def topic_names(self) -> list[str]:
        # A refused login only lets the metadata request time out; describing the cluster first reports it.
        self.results(
            lambda c: {"": c.describe_cluster(request_timeout=self._timeout_s)}, about=lambda _: "the list of topics"
        )
        try:
            return list(self._admin().list_topics(timeout=self._timeout_s).topics)
        except KafkaException as error:
            raise self._fault(error.args[0], "the list of topics") from error

    def _awaited(
        self,
        client: AdminClient,
        futures: Mapping[K, Future[T]],
        about: Callable[[K], str],
        allowed: Sequence[int],
    ) -> dict[K, Any]:
        deadline = time.monotonic() + self._timeout_s + 1
        out: dict[K, Any] = {}
        for key, future in futures.items():
            while not future.done():
                # A background thread receives answers; polling only serves the error callback.
                wait([future], timeout=_POLL_S)
                client.poll(0)
                if self._trouble is not None and is_denied(self._trouble):
                    raise self._fault(self._trouble, about(key))
                if time.monotonic() > deadline:
                    raise self._fault(KafkaError(KafkaError._TIMED_OUT), about(key))
            try:
                out[key] = future.result()
            except KafkaException as error:
                if error.args[0].code() not in allowed:
                    raise self._fault(error.args[0], about(key)) from error
                out[key] = error.args[0]
        return out

    def _fault(self, error: KafkaError, about: str) -> LakelockError:
        """Translate an error, and close a client that got no answer."""
        fault = translated(error, self._servers, about)
        if isinstance(fault, Unreachable):
            # A time-out or a partition without leader hides its cause, which the error callback got from librdkafka.
            if self._trouble is not None:
                fault = translated(self._trouble, self._servers, about)
            # A client that saw its broker restart may keep metadata without leaders for minutes.
            self.close()
        return fault

    def _admin(self) -> AdminClient:
        if self._client is None:
            # Errors reach the callback and are reported once; the client's log would repeat every failed connection.
            config = {"log_level": 2, **self._config, "error_cb": self._note}
            with settings_of(self._servers):
                self._client = self._opened.enter_context(AdminClient(config, logger=logger))
        return self._client

    def _note(self, error: KafkaError) -> None:
        if self._trouble is None or not is_denied(self._trouble):
            self._trouble = error

    def close(self) -> None:
        """Stop the client's threads and close its sockets.

        If this is left to the garbage collector, which may run on any thread, a client with a request in flight could
        be destroyed by its own thread, and librdkafka would abort the process (confluent-kafka-python #2131).
        """
        self._client = None
        self._opened.close()
