"""The C functions of the librdkafka that confluent-kafka uses, for what its own consumer makes a Python object of.

Rules and types are those of rdkafka.h. What another librdkafka than confluent-kafka's would do is not known, so there is no
other way to one.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import confluent_kafka
from confluent_kafka import cimpl

from lakelock.errors import ConnectionFault, State

CONSUMER = 1
NO_CONSUMER_CLOSE = 8
ERROR_BYTES = 512
Function = Callable[..., Any]

_ANY, _TEXT, _INT, _SIZE = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_size_t
_INT32, _INT64, _INT64S = ctypes.c_int32, ctypes.c_int64, ctypes.POINTER(ctypes.c_int64)
# (client, configuration, opaque).
TOKEN_CALLBACK = ctypes.CFUNCTYPE(None, _ANY, _TEXT, _ANY)

# Name without `rd_kafka_`: the result's type, the arguments' types.
_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "version": (_INT,),
    "version_str": (_TEXT,),
    "err2str": (_TEXT, _INT),
    "last_error": (_INT,),
    "fatal_error": (_INT, _ANY, _TEXT, _SIZE),
    "conf_new": (_ANY,),
    "conf_destroy": (None, _ANY),
    "conf_set": (_INT, _ANY, _TEXT, _TEXT, _TEXT, _SIZE),
    "conf_set_error_cb": (None, _ANY, _ANY),
    "conf_set_opaque": (None, _ANY, _ANY),
    "conf_set_oauthbearer_token_refresh_cb": (None, _ANY, TOKEN_CALLBACK),
    "conf_enable_sasl_queue": (None, _ANY, _INT),
    "new": (_ANY, _INT, _ANY, _TEXT, _SIZE),
    "destroy_flags": (None, _ANY, _INT),
    "sasl_background_callbacks_enable": (_ANY, _ANY),
    "error_code": (_INT, _ANY),
    "error_string": (_TEXT, _ANY),
    "error_destroy": (None, _ANY),
    "oauthbearer_set_token": (_INT, _ANY, _TEXT, _INT64, _TEXT, ctypes.POINTER(_TEXT), _SIZE, _TEXT, _SIZE),
    "oauthbearer_set_token_failure": (_INT, _ANY, _TEXT),
    "poll_set_consumer": (_INT, _ANY),
    "queue_get_consumer": (_ANY, _ANY),
    "queue_destroy": (None, _ANY),
    "topic_partition_list_new": (_ANY, _INT),
    "topic_partition_list_add": (_ANY, _ANY, _TEXT, _INT32),
    "topic_partition_list_set_offset": (_INT, _ANY, _TEXT, _INT32, _INT64),
    "topic_partition_list_destroy": (None, _ANY),
    "assign": (_INT, _ANY, _ANY),
    "pause_partitions": (_INT, _ANY, _ANY),
    "query_watermark_offsets": (_INT, _ANY, _TEXT, _INT32, _INT64S, _INT64S, _INT),
    "consume_batch_queue": (ctypes.c_ssize_t, _ANY, _INT, _ANY, _SIZE),
    "consumer_close": (_INT, _ANY),
    "message_errstr": (_TEXT, _ANY),
    "message_headers": (_INT, _ANY, ctypes.POINTER(_ANY)),
    "header_get_all": (_INT, _ANY, _SIZE, ctypes.POINTER(_TEXT), ctypes.POINTER(_ANY), ctypes.POINTER(_SIZE)),
    "message_timestamp": (_INT64, _ANY, _ANY),
    "message_destroy": (None, _ANY),
}
_BY_ADDRESS = ("consume_batch_queue", "message_timestamp", "message_headers", "header_get_all", "message_destroy")


class Message(ctypes.Structure):
    """`rd_kafka_message_t`."""

    _fields_ = (
        ("err", _INT),
        ("rkt", _ANY),
        ("partition", _INT32),
        ("payload", _ANY),
        ("len", _SIZE),
        ("key", _ANY),
        ("key_len", _SIZE),
        ("offset", _INT64),
        ("_private", _ANY),
    )


class ErrorNote(ctypes.Structure):
    """The arguments of an error callback; a long reason is cut."""

    _fields_ = (("code", _INT), ("reason", ctypes.c_char * 508))


class Notes(ctypes.Structure):
    """Errors in order. *count* may be more than there is room for: the last place then has the last error."""

    _fields_ = (("count", _INT64), ("noted", ErrorNote * 16))


@dataclass(frozen=True, slots=True)
class Librdkafka:
    """`call["new"]` is `rd_kafka_new`; addresses are for machine code."""

    call: dict[str, Function]
    consume_batch_queue: int
    message_timestamp: int
    message_headers: int
    header_get_all: int
    message_destroy: int


@cache
def library() -> Librdkafka:
    """Raises ConnectionFault unless it is found, with the functions and the version that confluent-kafka uses."""
    return of_module(cimpl.__file__)


def of_module(path: str) -> Librdkafka:
    """The librdkafka that the compiled module at *path* was linked with, wherever that one is: the loader finds a name in
    what a module depends on as it did for the module itself."""
    try:
        loaded = ctypes.CDLL(path)
        call = {name: _declared(loaded, name, *types) for name, types in _FUNCTIONS.items()}
    except (OSError, AttributeError) as fault:
        raise _unusable(f"it has no such functions for other modules ({fault})") from fault
    wanted, found = confluent_kafka.libversion(), (call["version_str"]().decode(), call["version"]())
    if found != wanted:
        raise _unusable(f"confluent-kafka uses version {wanted[0]}, and {found[0]} is what is found beside it")
    return Librdkafka(call, *(_address(call[name]) for name in _BY_ADDRESS))


def _declared(loaded: ctypes.CDLL, name: str, result: Any, *arguments: Any) -> Function:
    function: Any = getattr(loaded, f"rd_kafka_{name}")
    function.restype, function.argtypes = result, arguments
    declared: Function = function
    return declared


def _address(function: Any) -> int:
    return int(ctypes.cast(function, _ANY).value or 0)


def _unusable(why: str) -> ConnectionFault:
    return ConnectionFault(
        f"lakelock cannot use the librdkafka of confluent-kafka {confluent_kafka.version()} at {cimpl.__file__}: {why}.",
        State.NOTHING_CHANGED,
        "Install confluent-kafka from its wheel, as requirements.txt has it, or build it with a shared librdkafka, in the "
        "Python of Spark's workers.",
    )
