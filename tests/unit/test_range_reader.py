"""The thin layer over librdkafka, as far as it needs no broker; tests/integration/test_native_reader.py has the rest."""

from __future__ import annotations

import _ctypes
import ctypes
import gc
import importlib
import math
import sys
import time
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

import confluent_kafka
import numpy as np
import pytest
from confluent_kafka import Consumer, KafkaError, cimpl
from lakelock.adapters.kafka import client, librdkafka, loops
from lakelock.adapters.kafka.block import Block, Original
from lakelock.adapters.kafka.block_draft import BlockDraft
from lakelock.adapters.kafka.broker import refuse_nameless
from lakelock.adapters.kafka.errors import settings_of
from lakelock.adapters.kafka.librdkafka import Message
from lakelock.adapters.kafka.reader import RangeReader
from lakelock.adapters.kafka.reader_settings import DEFAULTS, FORCED
from lakelock.errors import AccessDenied, ConnectionFault, State, Unreachable
from lakelock.model.offsets import OffsetRange, Source
from lakelock.records.headers import HEADERS

NOWHERE = {"bootstrap.servers": "127.0.0.1:1", "log_level": "0"}
CONSUME = ctypes.CFUNCTYPE(
    ctypes.c_ssize_t, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_uint64), ctypes.c_size_t
)
RANGES = [OffsetRange(Source("t", "id", partition), 10, 100) for partition in (0, 1)]


def reader(settings: Mapping[str, str] | None = None, silence_s: float = 45.0) -> RangeReader:
    return RangeReader({**NOWHERE, **(settings or {})}, RANGES, silence_s)


def test_a_broker_without_topic_ids_is_refused() -> None:
    refuse_nameless("t", "0X6vUq_lSX2vNqYJVDs0Kg", "broker:9092")
    with pytest.raises(ConnectionFault, match="no topic id"):
        refuse_nameless("t", str(confluent_kafka.Uuid(0, 0)), "broker:9092")


def test_a_broker_that_nobody_runs_is_named_with_what_the_client_said() -> None:
    with reader(silence_s=1.0) as opened, pytest.raises(Unreachable, match=r"127\.0\.0\.1:1.*(refused|down)"):
        list(opened.blocks(10, 1 << 20))


@pytest.mark.parametrize(
    "settings",
    [
        {"no.such.setting": "1"},
        {"fetch.min.bytes": "many"},
        {"fetch.min.bytes": "-1"},
        {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "NONE"},
        {"security.protocol": "SSL", "ssl.ca.location": "/no/such/file"},
        {"plugin.library.paths": "no-such-plugin"},
        {"socket.keepalive.enable": "perhaps"},
    ],
)
def test_a_setting_that_no_client_takes_is_named_as_confluent_kafkas_consumer_names_it(
    settings: Mapping[str, str],
) -> None:
    said: list[str] = []
    for make in (reader, lambda given: Consumer({**DEFAULTS, **NOWHERE, **given, **FORCED})):
        try:
            with settings_of("nowhere:1"):
                make(settings)
        except ConnectionFault as fault:
            said.append(fault.what.partition("of the Kafka connection")[2])
    assert len(said) == 2
    assert said[0] == said[1]


def test_settings_that_clients_take_are_taken_by_both() -> None:
    taken = {"client.id": "é", "client.software.name": "mine", "debug": "security"}
    with reader(taken), closing(Consumer({**DEFAULTS, **NOWHERE, **taken, **FORCED})):
        pass


def test_another_librdkafka_than_confluent_kafkas_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    version = confluent_kafka.libversion()
    assert librdkafka.library().call["version"]() == version[1]
    monkeypatch.setattr(confluent_kafka, "libversion", lambda: ("9.9.9", 0x090909FF))
    with pytest.raises(ConnectionFault, match=rf"uses version 9\.9\.9, and {version[0]} is what is found") as caught:
        librdkafka.of_module(str(cimpl.__file__))
    assert caught.value.state is State.NOTHING_CHANGED
    assert "wheel" in caught.value.do


@pytest.mark.parametrize("module", [_ctypes.__file__, "/no/such/module.so"])
def test_a_librdkafka_that_is_hidden_in_another_module_is_refused(module: str) -> None:
    with pytest.raises(ConnectionFault, match="cannot use the librdkafka of confluent-kafka"):
        librdkafka.of_module(module)


def test_a_python_without_the_compiler_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    with pytest.raises(ConnectionFault, match="has no llvmlite") as caught:
        loops.loops.__wrapped__()
    assert "docs/connections.md" in caught.value.do


def no_original(message: int) -> Original:
    raise AssertionError(message)


def test_a_refused_login_is_named_also_where_the_client_then_calls_the_broker_down() -> None:
    with reader() as opened:
        opened._on_error(KafkaError(KafkaError._AUTHENTICATION, "wrong password"))
        opened._on_error(KafkaError(KafkaError._ALL_BROKERS_DOWN, "1/1 brokers are down"))
        with pytest.raises(AccessDenied, match="wrong password"):
            list(opened.blocks(10, 1 << 20))


def headers_in_memory(headers: Sequence[tuple[bytes, bytes | None]]) -> int:
    """The address of librdkafka's own list of them."""
    real = ctypes.CDLL(cimpl.__file__)
    real.rd_kafka_headers_new.restype = ctypes.c_void_p
    made: int = real.rd_kafka_headers_new(len(headers))
    for name, value in headers:
        size = 0 if value is None else len(value)
        texts = ctypes.c_char_p(name), ctypes.c_ssize_t(len(name)), ctypes.c_char_p(value), ctypes.c_ssize_t(size)
        assert real.rd_kafka_header_add(ctypes.c_void_p(made), *texts) == 0
    return made


class Memory:
    """Messages as librdkafka lays them, and its functions for them in Python."""

    def __init__(self) -> None:
        self.covered: dict[int, tuple[Message, list[ctypes.Array[ctypes.c_char]], int]] = {}
        self.ended: list[int] = []
        self.timestamp_of = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)(self._timestamp)
        self.types: dict[int, int] = {}
        self.headers: dict[int, int] = {}
        self.headers_of = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))(
            self._headers
        )
        self.destroy = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.ended.append)

    def message(
        self,
        value: bytes | None,
        offset: int = 0,
        partition: int = 0,
        code: int = 0,
        timestamp_ms: int = 0,
        key: bytes | None = None,
        kind: int = 1,
        headers: Sequence[tuple[bytes, bytes | None]] | int = KafkaError._NOENT,
    ) -> int:
        """*headers* are librdkafka's, or its code for why there are none."""
        parts = [None if b is None else ctypes.create_string_buffer(b, max(len(b), 1)) for b in (value, key)]
        buffers = [b for b in parts if b is not None]
        payload, key_at = (None if b is None else ctypes.addressof(b) for b in parts)
        # librdkafka says nothing of the length of what is absent.
        lengths = (7 if b is None else len(b) for b in (value, key))
        made = Message(code, None, partition, payload, next(lengths), key_at, next(lengths), offset, None)
        address = ctypes.addressof(made)
        self.covered[address] = (made, buffers, timestamp_ms)
        self.types[address] = kind
        self.headers[address] = headers if isinstance(headers, int) else headers_in_memory(headers)
        return address

    def _timestamp(self, message: int, kind: int | None) -> int:
        if kind is not None:
            ctypes.c_int.from_address(kind).value = self.types[message]
        return self.covered[message][2]

    def _headers(self, message: int, out: Any) -> int:
        found = self.headers[message]
        if found < 0:
            return found
        out[0] = found
        return 0

    def arrive(self, draft: BlockDraft, *messages: int) -> None:
        ctypes.memmove(draft.place, (ctypes.c_uint64 * len(messages))(*messages), 8 * len(messages))

    def address(self, function: object) -> int:
        return int(ctypes.cast(function, ctypes.c_void_p).value or 0)  # type: ignore[arg-type]


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    made = Memory()
    functions = made.timestamp_of, made.headers_of, made.destroy
    timestamp_of, headers_of, destroy = map(made.address, functions)
    fake = librdkafka.Librdkafka({}, 0, timestamp_of, headers_of, librdkafka.library().header_get_all, destroy)
    monkeypatch.setattr("lakelock.adapters.kafka.block_draft.library", lambda: fake)
    yield made
    gc.collect()


def test_keys_are_those_of_the_kept_records_until_the_block_is_released(memory: Memory) -> None:
    draft = BlockDraft(8, 4, lambda message: Original(None, None, ()))
    keys: list[bytes | None] = [b"k", None, b"gone", b"", b"\n\xff", b"longer than the others"]
    memory.arrive(draft, *(memory.message(b"v", n, key=key) for n, key in enumerate(keys)))
    draft.arrived(len(keys))
    draft.keep(np.array([n != 2 for n in range(len(keys))]))
    kept = [key for key in keys if key != b"gone"]
    block = draft.block("t")
    assert block.metadata("key").to_pylist() == kept
    assert block.metadata("topic").to_pylist() == ["t"] * 5
    part = block.part(1, block.values[1:4])
    assert part.metadata("key").to_pylist() == kept[1:4]
    assert part.metadata("offset").to_pylist() == [1, 3, 4]
    with pytest.raises(RuntimeError, match="after the next block"):
        draft.keys(3, 3)
    draft.release()
    with pytest.raises(RuntimeError, match="after the next block"):
        block.metadata("key")


@pytest.mark.parametrize("notes_originals", [True, False])
@pytest.mark.parametrize(
    ("key", "headers"), [(None, None), (b"", None), (None, []), (None, [(b"a", None)]), (b"k", [(b"a", b"1")])]
)
def test_keys_and_headers_are_noted_by_whichever_call_they_come_with(
    memory: Memory, notes_originals: bool, key: bytes | None, headers: list[tuple[bytes, bytes | None]] | None
) -> None:
    draft = BlockDraft(8, 4, no_original, notes_originals=notes_originals)
    bare = [memory.message(b"v", n) for n in range(2)]
    odd = memory.message(b"v", 2, key=key, headers=KafkaError._NOENT if headers is None else headers)
    for messages in (bare, [odd], [memory.message(b"v", 3)]):
        memory.arrive(draft, *messages)
        draft.arrived(len(messages))
        draft.keep(np.ones(len(messages), np.bool_))
    keys, found = draft.keys_and_headers(0, 4)
    assert (None if keys is None else list(keys)) == (None if key is None else [None, None, key, None])
    if not headers:
        assert found is None
    else:
        assert found is not None
        assert found.equals(draft.headers(0, 4))
    assert draft.keys_and_headers(0, 2) == (None, None)


def test_a_record_without_a_timestamp_has_none_as_a_column_either(memory: Memory) -> None:
    draft = BlockDraft(8, 4, lambda message: Original(None, None, ()))
    memory.arrive(draft, *(memory.message(b"v", n, timestamp_ms=at) for n, at in enumerate((5, -1, 2**60))))
    draft.arrived(3)
    draft.keep(np.ones(3, np.bool_))
    at = draft.block("t").metadata("timestamp").cast("int64").to_pylist()
    assert at == [5000, None, None]


def test_the_type_of_a_timestamp_has_kafkas_name_and_none_is_null(memory: Memory) -> None:
    """Those beyond the year 9999 are timestamps, too, although no column holds them."""
    stamps = [(5, 1), (5, 2), (-1, 0), (2**60, 2), (-1, 1), (0, 1)]
    draft = BlockDraft(8, 4, no_original)
    memory.arrive(draft, *(memory.message(b"v", n, timestamp_ms=at, kind=kind) for n, (at, kind) in enumerate(stamps)))
    draft.arrived(len(stamps))
    draft.keep(np.ones(len(stamps), np.bool_))
    block = draft.block("t")
    types = ["CreateTime", "LogAppendTime", None, "LogAppendTime", None, "CreateTime"]
    assert block.metadata("timestamp_type").to_pylist() == types
    assert block.part(1, block.values[1:3]).metadata("timestamp_type").to_pylist() == types[1:3]
    assert block.part(6, block.values[6:]).metadata("timestamp_type").to_pylist() == []
    draft.release()
    with pytest.raises(RuntimeError, match="after the next block"):
        block.metadata("timestamp_type")


def test_headers_are_those_of_the_kept_records_in_order_with_all_that_is_odd(memory: Memory) -> None:
    headers: list[Sequence[tuple[bytes, bytes | None]] | int] = [
        [(b"a", b"1"), (b"b", None), (b"a", b"")],
        KafkaError._NOENT,
        [(b"gone", b"x")],
        [(b"", b"\x00\xff\n"), ("ü".encode(), b"long" * 50_000)],
        KafkaError._BAD_MSG,
        [],
        [(b"\xff\xfe", b"v"), (b"c" * 300, b"z")],
    ]
    draft = BlockDraft(8, 4, no_original)
    memory.arrive(draft, *(memory.message(b"v", n, headers=found) for n, found in enumerate(headers)))
    draft.arrived(len(headers))
    draft.keep(np.array([n != 2 for n in range(len(headers))]))
    block = draft.block("t")
    wanted: list[list[tuple[str, bytes | None] | None] | None] = [
        [("a", b"1"), ("b", None), ("a", b"")],
        None,
        [("", b"\x00\xff\n"), ("ü", b"long" * 50_000)],
        [None],
        None,
        [("\\xff\\xfe", b"v"), ("c" * 300, b"z")],
    ]
    assert block.metadata("headers").type == HEADERS
    assert pairs(block) == wanted
    assert pairs(block.part(0, block.values[:2])) == wanted[:2]
    assert pairs(block.part(1, block.values[1:3])) == wanted[1:3]
    assert pairs(block.part(6, block.values[6:])) == []
    draft.release()
    with pytest.raises(RuntimeError, match="after the next block"):
        block.metadata("headers")


def pairs(block: Block) -> list[list[tuple[str, bytes | None] | None] | None]:
    found = block.metadata("headers").to_pylist()
    return [None if h is None else [p and (p["key"], p["value"]) for p in h] for h in found]


def test_a_draft_has_the_records_that_are_kept_and_ends_each_message_once(memory: Memory) -> None:
    draft = BlockDraft(8, 4, lambda message: Original(None, b"%d" % memory.covered[message][0].offset, ()))
    first = [
        memory.message(b"a", 2**40, 3, timestamp_ms=5),
        memory.message(b"gone", 8),
        memory.message(b"x", -1, -1, -185, -1),
    ]
    memory.arrive(draft, *first)
    arrived = draft.arrived(3)
    assert (arrived.codes.tolist(), arrived.partitions.tolist()) == ([0, 0, -185], [3, 0, -1])
    assert arrived.offsets.tolist() == [2**40, 8, -1]
    assert draft.message(2) == first[2]
    draft.keep(np.array([True, False, False]))
    assert memory.ended == first[1:]
    second = [memory.message(None, 9, timestamp_ms=-1), memory.message(b"", 10), memory.message(b"q" * 100_000, 11)]
    memory.arrive(draft, *second)
    draft.arrived(3)
    draft.keep(np.array([True, True, True]))
    assert (draft.records, draft.size_bytes) == (4, 100_001)

    block = draft.block("t")
    assert list(block.values) == [b"a", None, b"", b"q" * 100_000]
    assert (block.partitions.tolist(), block.offsets.tolist()) == ([3, 0, 0, 0], [2**40, 9, 10, 11])
    assert block.timestamps_ms.tolist() == [5, -1, 0, 0]
    assert block.part(2, block.values[2:]).original(1).value == b"11"
    assert memory.ended == first[1:]
    draft.release()
    assert memory.ended == [*first[1:], first[0], *second]
    draft.release()
    assert len(memory.ended) == 6
    with pytest.raises(RuntimeError, match="after the next block"):
        block.original(0)
    with pytest.raises(RuntimeError, match="after the next block"):
        block.original(5)
    assert list(block.values) == [b"a", None, b"", b"q" * 100_000]


def test_messages_have_a_place_as_soon_as_they_are_there_and_those_that_are_gone_have_none(memory: Memory) -> None:
    """Also where a signal comes before Python knows of them: a client waits for ever for a message that nothing ends."""
    draft = BlockDraft(6, 100, no_original)
    made = [memory.message(b"%d" % n, n) for n in range(3)]

    def consume(queue: int, timeout_ms: int, messages: Any, most: int) -> int:
        assert (queue, timeout_ms, most) == (77, 200, 5)
        # The last two it has taken back, as after a pause.
        for place, message in enumerate([*made, 66, 67]):
            messages[place] = message
        return 3

    function = CONSUME(consume)
    assert loops.loops().receive(draft.place, 5, memory.address(function), 77, 200) == 3
    assert draft._messages.tolist() == [*made, 0, 0, 0]
    draft.release()
    assert memory.ended == made
    assert draft._messages.tolist() == [0] * 6


def test_a_call_that_fails_brings_nothing(memory: Memory) -> None:
    draft = BlockDraft(3, 100, no_original)
    function = CONSUME(lambda *_: -1)
    assert loops.loops().receive(draft.place, 3, memory.address(function), 77, 0) == -1
    assert draft._messages.tolist() == [0] * 3


def test_what_arrived_and_was_not_kept_yet_is_ended_too(memory: Memory) -> None:
    draft = BlockDraft(4, 100, no_original)
    messages = [memory.message(b"a"), memory.message(b"b", 1)]
    memory.arrive(draft, *messages)
    draft.arrived(2)
    draft.release()
    assert memory.ended == messages


def test_a_call_that_brings_nothing_is_one(memory: Memory) -> None:
    draft = BlockDraft(4, 100, no_original)
    assert len(draft.arrived(0).codes) == 0
    draft.keep(np.zeros(0, np.bool_))
    assert (draft.records, draft.size_bytes) == (0, 0)
    draft.release()
    assert memory.ended == []


def test_a_block_ends_before_it_is_full_if_it_passes_far_more_offsets_than_it_has_records(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of its records keeps aborted ones in memory."""
    delivered = [(0, 10), (0, 60), (0, 99), (1, 99)]
    with reader() as opened:

        def consume(draft: BlockDraft, most: int) -> int:
            partition, offset = delivered.pop(0)
            memory.arrive(draft, memory.message(b"x", offset, partition))
            return 1

        monkeypatch.setattr(opened, "_consume", consume)
        found = [block.offsets.tolist() for block in opened.blocks(10, 1 << 20)]
    assert found == [[10, 60], [99, 99]]


AWS = {
    "security.protocol": "SASL_PLAINTEXT",
    "sasl.mechanism": "OAUTHBEARER",
    "sasl.oauthbearer.method": "oidc",
    "sasl.oauthbearer.metadata.authentication.type": "aws_iam",
    "sasl.oauthbearer.config": "region=eu-central-1,audience=https://kafka",
}


def fake_aws(monkeypatch: pytest.MonkeyPatch, create: object) -> None:
    module = types.ModuleType("aws_autowire")
    module.create_handler = create  # type: ignore[attr-defined]
    usual = importlib.import_module
    monkeypatch.setattr(importlib, "import_module", lambda n: module if n.endswith("aws_autowire") else usual(n))


def test_tokens_of_aws_are_fetched_as_confluent_kafka_fetches_them(monkeypatch: pytest.MonkeyPatch) -> None:
    requested: list[object] = []

    def token(configuration: str) -> tuple[str, float, str, dict[str, str]]:
        requested.append(configuration)
        return "a-token", time.time() + 300, "a-principal", {"logicalCluster": "x"}

    def create(configuration: str, extensions: str | None) -> object:
        requested.append((configuration, extensions))
        return token

    fake_aws(monkeypatch, create)
    with reader(AWS):
        assert requested == [(AWS["sasl.oauthbearer.config"], None), AWS["sasl.oauthbearer.config"]]


@pytest.mark.parametrize("fault", [OSError, SystemExit])
def test_a_token_that_does_not_come_is_a_fault_of_the_connection(
    monkeypatch: pytest.MonkeyPatch, fault: type[BaseException]
) -> None:
    def token(configuration: str) -> object:
        raise fault("planted-secret")

    monkeypatch.setattr(client, "TOKEN_S", 0.5)
    fake_aws(monkeypatch, lambda configuration, extensions: token)
    with pytest.raises(ConnectionFault, match="OAuth token not set") as caught:
        reader(AWS)
    assert "planted-secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"sasl.oauthbearer.method": "default"}, "needs sasl.oauthbearer.method=oidc"),
        ({"sasl.oauthbearer.config": ""}, "needs sasl.oauthbearer.config"),
        ({}, r"confluent-kafka\[oauthbearer-aws\]"),
    ],
)
def test_what_tokens_of_aws_need_is_said(monkeypatch: pytest.MonkeyPatch, changed: dict[str, str], said: str) -> None:
    def create(configuration: str, extensions: str | None) -> object:
        raise ImportError("no boto3")

    fake_aws(monkeypatch, create)
    with pytest.raises(ConnectionFault, match=said):
        reader({**AWS, **changed})


def test_machine_code_is_made_in_moments() -> None:
    """Each process of Spark makes it for itself."""
    fastest = math.inf
    for _ in range(3):
        began = time.process_time()
        loops.loops.__wrapped__()
        fastest = min(fastest, time.process_time() - began)
    assert fastest < 1.0
