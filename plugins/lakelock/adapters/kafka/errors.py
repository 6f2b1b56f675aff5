"""Translate Kafka's errors into lakelock's, naming the servers and topics they concern."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from confluent_kafka import KafkaError, KafkaException

from lakelock.errors import AccessDenied, ConnectionFault, LakelockError, State, TopicMissing, Unreachable

_DENIED = frozenset(
    {
        KafkaError._AUTHENTICATION,
        KafkaError.SASL_AUTHENTICATION_FAILED,
        KafkaError.TOPIC_AUTHORIZATION_FAILED,
        KafkaError.GROUP_AUTHORIZATION_FAILED,
        KafkaError.CLUSTER_AUTHORIZATION_FAILED,
        KafkaError.UNSUPPORTED_SASL_MECHANISM,
    }
)
_MISSING = frozenset(
    {
        KafkaError.UNKNOWN_TOPIC_OR_PART,
        KafkaError.UNKNOWN_TOPIC_ID,
        KafkaError.TOPIC_EXCEPTION,
        KafkaError._UNKNOWN_TOPIC,
        KafkaError._UNKNOWN_PARTITION,
    }
)


@contextmanager
def settings_of(servers: str) -> Iterator[None]:
    """Translate errors while a client is created: no broker is involved, so a setting of the connection is wrong.

    Raises ConnectionFault.
    """
    try:
        yield
    except (KafkaException, TypeError, ValueError) as fault:
        said = fault.args[0].str() if isinstance(fault, KafkaException) else str(fault)
        raise ConnectionFault(
            f"lakelock can make no client for Kafka at {servers} from the settings of the Kafka connection: {said}. "
            "It asked no broker.",
            State.NOTHING_CHANGED,
            "Fix the setting that is named, in the extra of the connection.",
        ) from fault


@contextmanager
def translating(servers: str, about: str) -> Iterator[None]:
    """What a client raises here, as `translated` has it."""
    try:
        yield
    except KafkaException as fault:
        raise translated(fault.args[0], servers, about) from fault


def of_group(error: KafkaError) -> bool:
    """Whether only the consumer group is refused. Reading needs no permission on it: librdkafka requires a group name,
    but partitions are assigned and no offsets are stored.
    """
    return bool(error.code() == KafkaError.GROUP_AUTHORIZATION_FAILED)


def is_denied(error: KafkaError) -> bool:
    return error.code() in _DENIED


def translated(error: KafkaError, servers: str, about: str) -> LakelockError:
    """Translate *error*; *about* names the subject, e.g. "topic flights". Never repeats the client's configuration."""
    if of_group(error):
        return AccessDenied(
            f"Kafka at {servers} refuses {about}: {error.str()}. Reading continues without it.",
            do="Grant the login of the Kafka connection Read on this consumer group, for lag tools to see the "
            "progress.",
        )
    if error.code() in _DENIED:
        return AccessDenied(
            f"Kafka at {servers} refuses {about}: {error.str()}.",
            State.NOTHING_CHANGED,
            "Check the login and the rights of the Kafka connection.",
        )
    if error.code() in _MISSING:
        return TopicMissing(
            f"Kafka at {servers} does not have {about}: {error.str()}.",
            State.READ_KEPT,
            "Create the topic, or correct its name in the pipeline. If it was read before and was deleted permanently, run "
            "`bin/lakelock retire FILE --topic TOPIC --why TEXT`.",
        )
    return Unreachable(
        f"Kafka at {servers} did not answer for {about}: {error.str()}.",
        State.NOTHING_CHANGED,
        "Check that the broker runs and that this address is reachable from here; the next run continues.",
    )
