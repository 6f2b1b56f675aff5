"""The Kafka cluster as plan, publish, status and check see it: an admin client, and a consumer without a group."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from confluent_kafka import (
    ConsumerGroupTopicPartitions,
    IsolationLevel,
    KafkaError,
    TopicCollection,
    TopicPartition,
)
from confluent_kafka.admin import ConfigResource, OffsetSpec, ResourceType

from lakelock.adapters.kafka.admin_requests import AdminRequests
from lakelock.adapters.kafka.errors import translated
from lakelock.adapters.kafka.sample import SampledRecord, read_records
from lakelock.errors import ConnectionFault, Retryable, State, TopicMissing
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import Watermarks

logger = logging.getLogger(__name__)

T = TypeVar("T")
K = TypeVar("K")

# How librdkafka writes the id of zeros, which protocols use for "none".
_NO_TOPIC_ID = ("", "None", "AAAAAAAAAAAAAAAAAAAAAA")
# Each consumer group has a coordinator among the brokers, which a cluster needs a moment to choose when it starts or loses a
# broker. librdkafka's admin client does not retry.
_COORDINATOR_MOVES = frozenset(
    {KafkaError.NOT_COORDINATOR, KafkaError.COORDINATOR_NOT_AVAILABLE, KafkaError.COORDINATOR_LOAD_IN_PROGRESS}
)
_POLL_S = 0.05
_FIRST_RECORD_WAIT_S = 5.0
# Records whose size is looked at: each may have megabytes.
_WEIGHED = 32


class KafkaBroker:
    """`ports.Broker` on librdkafka; *config* is librdkafka's, as an Airflow Kafka connection holds it.

    Every call ends within about *timeout_s*. Clients are made at first use and are not thread-safe together.
    """

    def __init__(self, config: Mapping[str, str], timeout_s: float = 15.0) -> None:
        self._config = dict(config)
        self._timeout_s = timeout_s
        self._servers = str(self._config.get("bootstrap.servers", "(no bootstrap.servers)"))
        self._requests = AdminRequests(self._config, self._servers, timeout_s)

    def reach(self) -> None:
        """Raises Unreachable where no broker answers, whatever becomes of single topics."""
        self._requests.results(
            lambda c: {"": c.describe_cluster(request_timeout=self._timeout_s)}, about=lambda _: "the cluster's brokers"
        )

    def sources(self, topics: Sequence[str], topics_regex: str | None = None) -> list[Source]:
        names = set(topics)
        if topics_regex is not None:
            pattern = re.compile(topics_regex)
            names |= {t for t in self._requests.topic_names() if pattern.fullmatch(t) and not t.startswith("__")}
        described = self._described(sorted(names), named=set(topics))
        for name, topic in described.items():
            refuse_nameless(name, str(topic.topic_id), self._servers)
        return sorted(
            Source(name, str(topic.topic_id), partition.id)
            for name, topic in described.items()
            if name in topics or not topic.is_internal
            for partition in topic.partitions
        )

    def watermarks(self, sources: Sequence[Source]) -> dict[Source, Watermarks]:
        lows = self._offsets(sources, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED)
        ends = self._offsets(sources, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED)
        highs = self._offsets(sources, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED)
        out = {}
        for source in sources:
            low, end = lows[source].offset, ends[source].offset
            # Asked one after the other: retention or new records between the questions must not turn them around.
            end = max(low, end)
            out[source] = Watermarks(low, end, max(end, highs[source].offset), _epoch(ends[source].leader_epoch))
        return out

    def offsets_at(self, sources: Sequence[Source], timestamp_ms: int) -> dict[Source, int]:
        ends = self._offsets(sources, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED)
        found = self._offsets(sources, OffsetSpec.for_timestamp(timestamp_ms), IsolationLevel.READ_COMMITTED)
        # Kafka answers -1 where no record is that young.
        return {s: found[s].offset if found[s].offset >= 0 else ends[s].offset for s in sources}

    def publish(self, group: str, offsets: Mapping[Source, int]) -> None:
        left = [TopicPartition(s.topic, s.partition, offset) for s, offset in sorted(offsets.items())]
        deadline = time.monotonic() + self._timeout_s
        while left:
            refused = self._refused(group, left)
            if not refused:
                return
            error = next(iter(refused.values()))
            if error.code() == KafkaError.UNKNOWN_MEMBER_ID:
                raise self._group_in_use(group, error)
            if error.code() not in _COORDINATOR_MOVES or time.monotonic() > deadline:
                listed = ", ".join(f"{t}-{p}" for t, p in list(refused)[:8]) + (", …" if len(refused) > 8 else "")
                raise translated(error, self._servers, f"the offsets of group {group} for {listed} ({len(refused)} of "
                                                       f"{len(offsets)} partitions; the others are set)")  # fmt: skip
            left = [p for p in left if (p.topic, p.partition) in refused]
            time.sleep(_POLL_S)

    def _refused(self, group: str, wanted: Sequence[TopicPartition]) -> dict[tuple[str, int], KafkaError]:
        """Sets these offsets of a group; the partitions whose offset was not set, by topic and number, each with its error."""
        request = ConsumerGroupTopicPartitions(group, list(wanted))
        answer: ConsumerGroupTopicPartitions | KafkaError = self._requests.results(
            lambda c: c.alter_consumer_group_offsets([request], request_timeout=self._timeout_s),
            about=lambda _: f"the offsets of group {group}",
            # A group with members answers so for the whole group.
            allowed=(KafkaError.UNKNOWN_MEMBER_ID, KafkaError.NON_EMPTY_GROUP, KafkaError.REBALANCE_IN_PROGRESS),
        )[group]
        if isinstance(answer, KafkaError):
            raise self._group_in_use(group, answer)
        return {(p.topic, p.partition): p.error for p in answer.topic_partitions if p.error is not None}

    def retention_ms(self, topics: Iterable[str]) -> dict[str, int | None]:
        names = sorted(set(topics))
        if not names:
            return {}
        resources = [ConfigResource(ResourceType.TOPIC, name) for name in names]
        answers = self._requests.results(
            lambda c: c.describe_configs(resources, request_timeout=self._timeout_s),
            about=lambda r: f"the settings of topic {r.name}",
            # Each topic has rights of its own.
            allowed=(KafkaError.TOPIC_AUTHORIZATION_FAILED,),
        )
        out: dict[str, int | None] = {}
        for resource, settings in answers.items():
            if isinstance(settings, KafkaError):
                continue
            value = int(settings["retention.ms"].value)
            deletes = "delete" in settings["cleanup.policy"].value
            out[resource.name] = value if deletes and value >= 0 else None
        return out

    def timestamps_at(self, offsets: Mapping[Source, int]) -> dict[Source, int | None]:
        out: dict[Source, int | None] = dict.fromkeys(offsets)
        if not offsets:
            return out
        spans = self.watermarks(list(offsets))
        ranges = []
        for source, offset in offsets.items():
            start = max(offset, spans[source].low_offset)
            if start < spans[source].end_offset:
                ranges.append(OffsetRange(source, start, spans[source].end_offset))
        for record in self.sample_ranges(ranges, len(ranges), _FIRST_RECORD_WAIT_S, per_range=1):
            out[record.source] = record.timestamp_ms
        return out

    def sample(self, sources: Sequence[Source], limit: int, timeout_s: float = 10.0) -> list[SampledRecord]:
        """About *limit* of the newest records of all *sources* together, in offset order; fewer when there are fewer."""
        spans = self.watermarks(sources)
        held = {s: w.end_offset - w.low_offset for s, w in spans.items() if w.end_offset > w.low_offset}
        shares = _shares(held, limit)
        ranges = [
            OffsetRange(s, spans[s].end_offset - share, spans[s].end_offset) for s, share in shares.items() if share
        ]
        return self.sample_ranges(ranges, limit, timeout_s)

    def sample_ranges(
        self, ranges: Sequence[OffsetRange], limit: int, timeout_s: float = 10.0, per_range: int | None = None
    ) -> list[SampledRecord]:
        """The first committed records of each range, at most *limit* together, shared out evenly over the ranges.

        Joins no group and commits nothing. Ends at *timeout_s* with what has come by then.
        """
        if not ranges or limit <= 0:
            return []
        shares = dict.fromkeys(ranges, per_range) if per_range else _shares({r: r.offsets for r in ranges}, limit)
        wanted = {r: share for r, share in shares.items() if share}
        return read_records(self._config, self._servers, wanted, limit, timeout_s)

    def record_bytes(self, ranges: Sequence[OffsetRange]) -> float:
        try:
            records = self.sample_ranges(ranges, _WEIGHED, timeout_s=2.0)
        except Retryable as fault:
            # Where a long transaction was aborted, nothing comes for a while; whatever else it is, the write will say so.
            logger.info("the size of records is not known: %s", fault)
            return 0.0
        sizes = [len(r.key or b"") + len(r.value or b"") for r in records]
        return sum(sizes) / len(sizes) if sizes else 0.0

    def close(self) -> None:
        """Its threads and sockets go."""
        self._requests.close()

    def _described(self, names: Sequence[str], named: set[str]) -> dict[str, Any]:
        """Descriptions by topic; one that vanished since a regular expression found it is left out."""
        if not names:
            return {}
        out: dict[str, Any] = self._requests.results(
            lambda c: c.describe_topics(TopicCollection(list(names)), request_timeout=self._timeout_s),
            about=lambda name: f"topic {name}",
            allowed=(KafkaError.UNKNOWN_TOPIC_OR_PART,),
        )
        missing = sorted(name for name, topic in out.items() if isinstance(topic, KafkaError) and name in named)
        if missing:
            raise TopicMissing(
                f"Kafka at {self._servers} has no topic {', '.join(missing)}.",
                State.READ_KEPT,
                "Create it or "
                "fix its name in the pipeline. Where it was read before and is gone for good, run "
                f"`bin/lakelock retire FILE --topic {missing[0]} --why TEXT`.",
            )
        return {name: topic for name, topic in out.items() if not isinstance(topic, KafkaError)}

    def _offsets(self, sources: Sequence[Source], spec: OffsetSpec, isolation: IsolationLevel) -> dict[Source, Any]:
        if not sources:
            return {}
        if self._requests.is_first:
            # A list_offsets that is a client's first operation may stall for three seconds; a description never does.
            self._described(sorted({s.topic for s in sources}), named={s.topic for s in sources})
        by_partition = {(s.topic, s.partition): s for s in sources}
        request = {TopicPartition(s.topic, s.partition): spec for s in sources}
        answers = self._requests.results(
            lambda c: c.list_offsets(request, isolation_level=isolation, request_timeout=self._timeout_s),
            about=lambda p: f"topic {p.topic}, partition {p.partition}",
        )
        return {by_partition[p.topic, p.partition]: answer for p, answer in answers.items()}

    def _group_in_use(self, group: str, error: KafkaError) -> Retryable:
        return Retryable(
            f"Kafka at {self._servers} does not take offsets for group {group}, because consumers are members of it: "
            f"{error.str()}. The tables are right; only the lag that tools show is stale. Stop these consumers or choose "
            "another publish.group_prefix."
        )


def refuse_nameless(topic: str, topic_id: str, servers: str) -> None:
    """Raises ConnectionFault for a broker without topic ids (KIP-516): all its topics would be one and the same."""
    if topic_id in _NO_TOPIC_ID:
        raise ConnectionFault(
            f"Kafka at {servers} gives topic {topic!r} no topic id, so a topic that is deleted and created again would "
            "look like the old one.",
            State.NOTHING_READ,
            "Brokers from Kafka 2.8 on have topic ids.",
        )


def _epoch(leader_epoch: int | None) -> int | None:
    return leader_epoch if leader_epoch is not None and leader_epoch >= 0 else None


def _shares(held: Mapping[K, int], limit: int) -> dict[K, int]:
    """*limit* shared out evenly; what a small one leaves goes to the larger ones."""
    shares: dict[K, int] = {}
    left = limit
    for count, (key, size) in zip(range(len(held), 0, -1), sorted(held.items(), key=lambda kv: kv[1]), strict=True):
        shares[key] = min(size, -(-left // count))
        left -= shares[key]
    return shares
