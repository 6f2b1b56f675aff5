"""A consumer of librdkafka with partitions assigned by hand, which gives messages as addresses."""

from __future__ import annotations

import ctypes
import operator
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

import confluent_kafka
from confluent_kafka import KafkaError, KafkaException

from lakelock.adapters.kafka import tokens
from lakelock.adapters.kafka.block import Original
from lakelock.adapters.kafka.librdkafka import (
    CONSUMER,
    ERROR_BYTES,
    NO_CONSUMER_CLOSE,
    TOKEN_CALLBACK,
    Message,
    Notes,
    library,
)
from lakelock.adapters.kafka.loops import loops

TOKEN_S = 10.0
# Those that are not closed: threads of librdkafka may call their callbacks, whatever Python still refers to.
_open: set[NativeConsumer] = set()


class NativeConsumer:
    """*settings* mean what they mean to confluent-kafka's Consumer. *on_error* gets errors that no message has, at the end
    of `consume`.

    Raises KafkaException and ValueError as that Consumer does. Each message must be ended before `close`.
    """

    def __init__(self, settings: Mapping[str, object], topic: str, on_error: Callable[[KafkaError], None]) -> None:
        found = library()
        self._call, self._receive, self._loops = found.call, found.consume_batch_queue, loops()
        self._topic, self._on_error = topic.encode(), on_error
        # A signal handler may run as soon as a callback in Python begins, and ctypes drops the exception that it raises.
        # So errors are noted by machine code.
        self._notes = Notes()
        self._callbacks: list[object] = []
        self._has_token = threading.Event()
        # The client and its queue.
        self._handles: list[int | None] = []
        _open.add(self)
        try:
            self._start(settings)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Idempotent. A client that was only half made is ended, too."""
        handles, self._handles = [handle for handle in self._handles if handle is not None], []
        if handles:
            client, *queues = handles
            # After a fatal error `consumer_close` does nothing, and without the flag the last call would wait for it for
            # ever. A signal handler cannot raise between these calls, because no Python code runs there.
            steps = [partial(self._call["consumer_close"], client)]
            steps += [partial(self._call["queue_destroy"], queue) for queue in queues]
            steps += [partial(self._call["destroy_flags"], client, NO_CONSUMER_CLOSE)]
            list(map(operator.call, steps))
        _open.discard(self)

    @property
    def _client(self) -> int:
        return self._handle(0)

    @property
    def _queue(self) -> int:
        return self._handle(1)

    def _handle(self, index: int) -> int:
        handle = self._handles[index] if self._handles else None
        if handle is None:
            raise RuntimeError("the consumer is closed")
        return handle

    def assign(self, positions: Mapping[int, int]) -> None:
        """The next offset to read, by partition."""
        with self._partitions(positions) as chosen:
            self._check(self._call["assign"](self._client, chosen))

    def pause(self, partition: int) -> None:
        with self._partitions({partition: 0}) as chosen:
            self._check(self._call["pause_partitions"](self._client, chosen))

    def watermarks(self, partition: int, timeout_s: float) -> tuple[int, int]:
        """What Kafka has of the partition, half-open."""
        low, high = ctypes.c_int64(), ctypes.c_int64()
        ask = self._call["query_watermark_offsets"]
        self._check(ask(self._client, self._topic, partition, low, high, int(timeout_s * 1000)))
        return low.value, high.value

    def consume(self, messages: int, most: int, timeout_s: float) -> int:
        """Puts the addresses of up to *most* messages at address *messages*; they are the caller's. Returns their number."""
        count = self._loops.receive(messages, most, self._receive, self._queue, int(timeout_s * 1000))
        self._report()
        if count < 0:
            self._check(self._call["last_error"]())
        return max(count, 0)

    def error_of(self, message: int) -> KafkaError:
        return self._error(Message.from_address(message).err, self._call["message_errstr"](message))

    def original(self, message: int) -> Original:
        covered = Message.from_address(message)
        key = ctypes.string_at(covered.key, covered.key_len) if covered.key else None
        value = ctypes.string_at(covered.payload, covered.len) if covered.payload else None
        headers = ctypes.c_void_p()
        code = self._call["message_headers"](message, headers)
        if code:
            return Original(key, value, () if code == KafkaError._NOENT else None)
        return Original(key, value, tuple(self._headers(headers)))

    def _headers(self, headers: ctypes.c_void_p) -> Iterator[tuple[str, bytes | None]]:
        name, value, size = ctypes.c_char_p(), ctypes.c_void_p(), ctypes.c_size_t()
        at = 0
        while not self._call["header_get_all"](headers, at, name, value, size):
            text = (name.value or b"").decode(errors="backslashreplace")
            yield text, ctypes.string_at(value.value, size.value) if value.value else None
            at += 1

    def _start(self, settings: Mapping[str, object]) -> None:
        handler = tokens.handler(settings)
        error = ctypes.create_string_buffer(ERROR_BYTES)
        configuration = self._configured(settings, handler, error)
        self._keep("new", CONSUMER, configuration, error, ERROR_BYTES)
        if self._handles == [None]:
            code = self._call["last_error"]()
            # A client that was made has taken it over.
            self._call["conf_destroy"](configuration)
            raise KafkaException(KafkaError(code, f"Failed to create consumer: {error.value.decode(errors='replace')}"))
        if handler is not None:
            self._await_token()
        self._call["poll_set_consumer"](self._client)
        self._keep("queue_get_consumer", self._client)

    def _keep(self, name: str, *arguments: object) -> None:
        """Adds what the function returns to the handles. A signal handler can raise before Python assigns a result, but not
        before `extend` has it.
        """
        self._handles.extend(map(self._call[name], *([argument] for argument in arguments)))

    def _configured(self, settings: Mapping[str, object], handler: tokens.Handler | None, error: Any) -> int:
        configuration: int = self._call["conf_new"]()
        try:
            # A broker shows them: which client, and of which version.
            version = f"{confluent_kafka.version()}-rdkafka-{confluent_kafka.libversion()[0]}"
            named = {"client.software.name": "confluent-kafka-python", "client.software.version": version, **settings}
            for key in sorted(named, key=lambda k: (k != "debug", k != "plugin.library.paths")):
                value = str(named[key])
                if key == "plugin.library.paths":
                    value = confluent_kafka._resolve_plugins(value)
                if self._call["conf_set"](configuration, key.encode(), value.encode(), error, ERROR_BYTES):
                    raise KafkaException(KafkaError(KafkaError._INVALID_ARG, error.value.decode(errors="replace")))
            self._call["conf_set_opaque"](configuration, ctypes.addressof(self._notes))
            self._call["conf_set_error_cb"](configuration, self._loops.note)
            if handler is not None:
                self._callbacks.append(TOKEN_CALLBACK(self._fetcher(handler)))
                self._call["conf_set_oauthbearer_token_refresh_cb"](configuration, self._callbacks[0])
                self._call["conf_enable_sasl_queue"](configuration, 1)
        except BaseException:
            self._call["conf_destroy"](configuration)
            raise
        return configuration

    def _await_token(self) -> None:
        if refused := self._call["sasl_background_callbacks_enable"](self._client):
            code, why = self._call["error_code"](refused), self._call["error_string"](refused)
            self._call["error_destroy"](refused)
            raise KafkaException(KafkaError(code, f"no tokens can be fetched: {why.decode(errors='replace')}"))
        if not self._has_token.wait(TOKEN_S):
            said = f"OAuth token not set within {TOKEN_S:.0f} seconds timeout"
            raise KafkaException(KafkaError(KafkaError.SASL_AUTHENTICATION_FAILED, said))

    def _fetcher(self, handler: tokens.Handler) -> Callable[[int, bytes, object], None]:
        """Called by a thread of librdkafka, in which Python runs no signal handlers."""

        def fetch(client: int, configuration: bytes | None, _: object) -> None:
            error = ctypes.create_string_buffer(ERROR_BYTES)
            try:
                token, expires_s, principal, extensions = handler((configuration or b"").decode())
                pairs = [text.encode() for pair in extensions.items() for text in pair]
                listed = (ctypes.c_char_p * len(pairs))(*pairs)
                expires_ms = int(expires_s * 1000)
                reported = (token.encode(), expires_ms, principal.encode(), listed, len(pairs), error, ERROR_BYTES)
                if self._call["oauthbearer_set_token"](client, *reported):
                    raise ValueError(error.value.decode(errors="replace"))
                self._has_token.set()
            except BaseException as fault:
                said = f"no token: {type(fault).__name__}"
                self._call["oauthbearer_set_token_failure"](client, said.encode())

        return fetch

    def _report(self) -> None:
        """The errors that were noted."""
        if not self._notes.count:
            return
        noted = [(note.code, note.reason) for note in self._notes.noted[: self._notes.count]]
        self._notes.count = 0
        for code, reason in noted:
            self._on_error(self._error(code, reason))

    def _error(self, code: int, reason: bytes) -> KafkaError:
        if code == KafkaError._FATAL:
            error = ctypes.create_string_buffer(ERROR_BYTES)
            code, reason = self._call["fatal_error"](self._client, error, ERROR_BYTES), error.value
        return KafkaError(code, reason.decode(errors="replace"))

    def _check(self, code: int) -> None:
        if code:
            raise KafkaException(KafkaError(code, self._call["err2str"](code).decode(errors="replace")))

    @contextmanager
    def _partitions(self, positions: Mapping[int, int]) -> Iterator[Any]:
        chosen = self._call["topic_partition_list_new"](len(positions))
        try:
            for partition, offset in positions.items():
                self._call["topic_partition_list_add"](chosen, self._topic, partition)
                self._call["topic_partition_list_set_offset"](chosen, self._topic, partition, offset)
            yield chosen
        finally:
            self._call["topic_partition_list_destroy"](chosen)
