"""A consumer of librdkafka whose process is interrupted by a signal while C code runs."""

from __future__ import annotations

import ctypes
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import llvmlite.binding as llvm
import pytest
from confluent_kafka import KafkaError, KafkaException, cimpl
from lakelock.adapters.kafka import client, librdkafka, loops, tokens
from lakelock.adapters.kafka.block_draft import BlockDraft
from lakelock.adapters.kafka.client import NativeConsumer
from lakelock.adapters.kafka.reader import RangeReader
from lakelock.errors import AccessDenied
from lakelock.model.offsets import OffsetRange, Source

NOWHERE = {"bootstrap.servers": "127.0.0.1:1", "log_level": "0", "group.id": "g"}


class Stopped(Exception):
    """Raised by a signal handler."""


@pytest.fixture(autouse=True)
def stopping() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Stopped

    before = signal.signal(signal.SIGUSR1, stop)
    yield
    signal.signal(signal.SIGUSR1, before)


class Native:
    """librdkafka as the client sees it, with functions replaced by machine code: Python cannot run before they return."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        loops.loops()
        self.real = librdkafka.library()
        self.call: dict[str, Any] = dict(self.real.call)
        self._engines: list[object] = []
        changed = replace(self.real, call=self.call)
        monkeypatch.setattr(client, "library", lambda: changed)

    def watch(self, name: str, *, stops: bool = False) -> ctypes.c_int64:
        """Counts the calls of a function; *stops* sends a signal before it returns."""
        usual, count = self.call[name], ctypes.c_int64()
        kinds = {None: "void", ctypes.c_int: "i32", ctypes.c_size_t: "i64"}
        result, *arguments = (kinds.get(kind, "ptr") for kind in (usual.restype, *usual.argtypes))
        listed = ", ".join(f"{kind} %a{n}" for n, kind in enumerate(arguments))
        place = f"ptr inttoptr (i64 {ctypes.addressof(count)} to ptr)"
        made = self.compiled(f"""
            define {result} @made({listed}) {{
              {"" if result == "void" else "%result = "}call {result} inttoptr (i64 {address(usual)} to ptr)({listed})
              %before = load i64, {place}
              %now = add i64 %before, 1
              store i64 %now, {place}
              {f"call i32 @raise(i32 {int(signal.SIGUSR1)})" if stops else ""}
              ret {result} {"" if result == "void" else "%result"}
            }}""")
        self.call[name] = ctypes.CFUNCTYPE(usual.restype, *usual.argtypes)(made)
        return count

    def compiled(self, text: str) -> int:
        """The address of the function `@made` of *text*, which may call `@raise`."""
        machine = llvm.Target.from_default_triple().create_target_machine()
        module = llvm.parse_assembly(f"declare i32 @raise(i32)\n{text}")
        engine = llvm.create_mcjit_compiler(module, machine)
        engine.finalize_object()
        self._engines.append(engine)
        return engine.get_function_address("made")  # type: ignore[no-any-return]


@pytest.fixture
def native(monkeypatch: pytest.MonkeyPatch) -> Native:
    return Native(monkeypatch)


def address(function: object) -> int:
    if isinstance(function, int):
        return function
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)  # type: ignore[arg-type]


def recorded(native: Native, name: str) -> list[tuple[Any, ...]]:
    """The calls of a function, which are made as well."""
    calls: list[tuple[Any, ...]] = []
    usual: Callable[..., Any] = native.call[name]

    def call(*arguments: Any) -> Any:
        calls.append(arguments)
        return usual(*arguments)

    native.call[name] = call
    return calls


def test_a_signal_before_an_error_is_noted_interrupts_and_the_error_is_reported_by_the_next_call(
    native: Native,
) -> None:
    """ctypes drops exceptions of callbacks, and Python runs signal handlers as soon as a callback begins."""
    callbacks, opaques = recorded(native, "conf_set_error_cb"), recorded(native, "conf_set_opaque")
    heard: list[KafkaError] = []
    consumer = NativeConsumer(NOWHERE, "t", heard.append)
    ((_, callback),), ((_, opaque),) = callbacks, opaques
    consume = native.compiled(f"""
        @reason = constant [5 x i8] c"down\\00"
        define i64 @made(ptr %queue, i32 %timeout_ms, ptr %messages, i64 %most) {{
          %raised = call i32 @raise(i32 {int(signal.SIGUSR1)})
          call void inttoptr (i64 {address(callback)} to ptr)(ptr null, i32 {KafkaError._ALL_BROKERS_DOWN}, ptr @reason, ptr inttoptr (i64 {opaque} to ptr))
          ret i64 0
        }}""")
    place = (ctypes.c_uint64 * 1)()
    usual, consumer._receive = consumer._receive, consume
    with pytest.raises(Stopped):
        consumer.consume(ctypes.addressof(place), 1, 0)
    consumer._receive = usual
    consumer.consume(ctypes.addressof(place), 1, 0)
    assert (heard[0].code(), heard[0].str()) == (KafkaError._ALL_BROKERS_DOWN, "down")
    consumer.close()


def test_errors_are_noted_in_order_and_the_last_one_has_a_place_whatever_their_number() -> None:
    notes = librdkafka.Notes()
    note = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(loops.loops().note)
    for code, reason in enumerate([None, b"x" * 1000, *(b"%d" % n for n in range(2, 20))]):
        note(None, -code, reason, ctypes.addressof(notes))
    assert notes.count == 20
    assert [n.code for n in notes.noted] == [*range(0, -15, -1), -19]
    assert [n.reason for n in notes.noted] == [b"", b"x" * 507, *(b"%d" % n for n in range(2, 15)), b"19"]


def test_a_fatal_error_is_named_by_its_cause_and_its_client_ends(native: Native) -> None:
    """librdkafka's code for it has no cause, and a consumer that had one is not closed before it is destroyed."""
    fail = ctypes.CDLL(cimpl.__file__).rd_kafka_test_fatal_error
    fail.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)
    handles = recorded(native, "poll_set_consumer")
    with RangeReader(NOWHERE, [OffsetRange(Source("t", "id", 0), 0, 1)]) as reader:
        fail(handles[0][0], KafkaError.SASL_AUTHENTICATION_FAILED, b"no way")
        with pytest.raises(AccessDenied, match="no way"):
            list(reader.blocks(10, 1 << 20))


@pytest.mark.parametrize("function", ["new", "poll_set_consumer", "queue_get_consumer"])
def test_a_client_that_is_interrupted_while_it_is_made_ends(native: Native, function: str) -> None:
    """Its threads would call Python's callbacks, and its memory is its own."""
    stopped, ended, freed = (
        native.watch(function, stops=True),
        native.watch("destroy_flags"),
        native.watch("conf_destroy"),
    )
    queues, queues_ended = native.watch("queue_get_consumer"), native.watch("queue_destroy")
    before = set(client._open)
    with pytest.raises(Stopped):
        NativeConsumer(NOWHERE, "t", print)
    assert (stopped.value, ended.value, freed.value) == (1, 1, 0)
    assert queues.value == queues_ended.value
    assert client._open == before


def test_a_client_that_has_no_thread_for_tokens_says_why(native: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without waiting for tokens that cannot come."""
    ended, freed = native.watch("destroy_flags"), native.watch("error_destroy")
    usual = native.call["conf_enable_sasl_queue"]
    native.call["conf_enable_sasl_queue"] = lambda configuration, _: usual(configuration, 0)
    monkeypatch.setattr(tokens, "handler", lambda settings: lambda text: ("a-token", time.time() + 300, "us", {}))
    login = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "OAUTHBEARER"}
    began = time.monotonic()
    with pytest.raises(KafkaException, match="no tokens can be fetched: No SASL mechanism") as caught:
        NativeConsumer({**NOWHERE, **login}, "t", print)
    assert caught.value.args[0].code() != 0
    assert (ended.value, freed.value) == (1, 1)
    assert time.monotonic() - began < client.TOKEN_S


def test_a_reader_that_is_interrupted_while_it_is_closed_ends(native: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    ended, interruptions, release = native.watch("destroy_flags"), [Stopped()], BlockDraft.release

    def interrupted(self: BlockDraft) -> None:
        if interruptions:
            raise interruptions.pop()
        release(self)

    monkeypatch.setattr(BlockDraft, "release", interrupted)
    reader = RangeReader(NOWHERE, [OffsetRange(Source("t", "id", 0), 0, 1)])
    reader._new_draft(10, 10)
    with pytest.raises(Stopped):
        reader.close()
    assert ended.value == 1


def test_settings_that_make_no_client_are_freed_once(native: Native) -> None:
    freed, ended = native.watch("conf_destroy"), native.watch("destroy_flags")
    before = set(client._open)
    for fault in ({"security.protocol": "SSL", "ssl.ca.location": "/no/such/file"}, {"no.such.setting": "1"}):
        freed.value = 0
        with pytest.raises(KafkaException):
            NativeConsumer({**NOWHERE, **fault}, "t", print)
        assert (freed.value, ended.value) == (1, 0)
    assert client._open == before


def test_a_client_that_is_interrupted_while_it_is_closed_ends_and_closing_it_again_does_nothing(native: Native) -> None:
    closed = native.watch("consumer_close", stops=True)
    ended, queues_ended = native.watch("destroy_flags"), native.watch("queue_destroy")
    consumer = NativeConsumer(NOWHERE, "t", print)
    with pytest.raises(Stopped):
        consumer.close()
    consumer.close()
    assert (closed.value, ended.value, queues_ended.value) == (1, 1, 1)
    assert consumer not in client._open
    with pytest.raises(RuntimeError, match="closed"):
        consumer.consume(0, 1, 0)
    with pytest.raises(RuntimeError, match="closed"):
        consumer.assign({0: 0})


@pytest.mark.parametrize(("code", "headers"), [(KafkaError._NOENT, ()), (KafkaError._BAD_MSG, None)])
def test_headers_that_cannot_be_read_are_not_taken_for_none(
    native: Native, code: int, headers: tuple[tuple[str, bytes | None], ...] | None
) -> None:
    native.call["message_headers"] = lambda message, found: code
    message = librdkafka.Message()
    with closing(NativeConsumer(NOWHERE, "t", lambda fault: None)) as consumer:
        assert consumer.original(ctypes.addressof(message)) == (None, None, headers)
