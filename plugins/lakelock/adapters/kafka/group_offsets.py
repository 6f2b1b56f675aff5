"""Offsets of a consumer group, which mirror the progress of the tables."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from confluent_kafka import ConsumerGroupTopicPartitions, KafkaError, TopicPartition

from lakelock.adapters.kafka.admin_requests import AdminRequests
from lakelock.adapters.kafka.errors import translated
from lakelock.errors import Retryable
from lakelock.model.offsets import Source

# A consumer group's coordinator is one of the brokers. The cluster needs a moment to elect one when it starts or loses
# a broker, and librdkafka's admin client does not retry.
_COORDINATOR_MOVES = frozenset(
    {KafkaError.NOT_COORDINATOR, KafkaError.COORDINATOR_NOT_AVAILABLE, KafkaError.COORDINATOR_LOAD_IN_PROGRESS}
)
_POLL_S = 0.05


class GroupOffsets:
    """Sets offsets of one group, again while its coordinator moves, for about *timeout_s*."""

    def __init__(self, requests: AdminRequests, servers: str, timeout_s: float, group: str) -> None:
        self._requests = requests
        self._servers = servers
        self._timeout_s = timeout_s
        self._group = group

    def set(self, offsets: Mapping[Source, int]) -> None:
        """Raises Retryable if consumers are members of the group."""
        left = [TopicPartition(s.topic, s.partition, offset) for s, offset in sorted(offsets.items())]
        deadline = time.monotonic() + self._timeout_s
        while left:
            refused = self._refused(left)
            if not refused:
                return
            error = next(iter(refused.values()))
            if error.code() == KafkaError.UNKNOWN_MEMBER_ID:
                raise self._in_use(error)
            if error.code() not in _COORDINATOR_MOVES or time.monotonic() > deadline:
                listed = ", ".join(f"{t}-{p}" for t, p in list(refused)[:8]) + (", …" if len(refused) > 8 else "")
                raise translated(
                    error,
                    self._servers,
                    f"the offsets of group {self._group} for {listed} ({len(refused)} of {len(offsets)} partitions; the "
                    "others are set)",
                )
            left = [p for p in left if (p.topic, p.partition) in refused]
            time.sleep(_POLL_S)

    def _refused(self, wanted: Sequence[TopicPartition]) -> dict[tuple[str, int], KafkaError]:
        """Set these offsets; returns the partitions that were refused, by topic and number, each with its error."""
        request = ConsumerGroupTopicPartitions(self._group, list(wanted))
        answer: ConsumerGroupTopicPartitions | KafkaError = self._requests.results(
            lambda c: c.alter_consumer_group_offsets([request], request_timeout=self._timeout_s),
            about=lambda _: f"the offsets of group {self._group}",
            # A group with members is refused as a whole with these.
            allowed=(KafkaError.UNKNOWN_MEMBER_ID, KafkaError.NON_EMPTY_GROUP, KafkaError.REBALANCE_IN_PROGRESS),
        )[self._group]
        if isinstance(answer, KafkaError):
            raise self._in_use(answer)
        return {(p.topic, p.partition): p.error for p in answer.topic_partitions if p.error is not None}

    def _in_use(self, error: KafkaError) -> Retryable:
        return Retryable(
            f"Kafka at {self._servers} does not take offsets for group {self._group}, because consumers are members of it: "
            f"{error.str()}. The tables are correct; only the lag that tools show is stale.",
            do="Stop these consumers or choose another publish.group_prefix.",
        )
