"""The Kafka cluster for planning, publishing, status and checks: an admin client, and a consumer without a group."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from confluent_kafka import (
    IsolationLevel,
    KafkaError,
    TopicCollection,
    TopicPartition,
)
from confluent_kafka.admin import ConfigResource, OffsetSpec, ResourceType

from lakelock.adapters.kafka.admin_requests import AdminRequests
from lakelock.adapters.kafka.group_offsets import GroupOffsets
from lakelock.adapters.kafka.sample import SampledRecord, read_records
from lakelock.errors import ConnectionFault, Retryable, State, TopicMissing
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import Watermarks

logger = logging.getLogger(__name__)

T = TypeVar("T")
K = TypeVar("K")

# librdkafka's text for the zero id, which the protocol uses for "none".
_NO_TOPIC_ID = ("", "None", "AAAAAAAAAAAAAAAAAAAAAA")
_FIRST_RECORD_WAIT_S = 5.0
# Records to measure: each may have megabytes.
_WEIGHED = 32


class KafkaBroker:
    """`ports.Broker` on librdkafka; *config* is librdkafka's, as in an Airflow Kafka connection.

    Every call ends within about *timeout_s*. Clients are created at first use; an instance is not thread-safe.
    """

    def __init__(self, config: Mapping[str, str], timeout_s: float = 15.0) -> None:
        self._config = dict(config)
        self._timeout_s = timeout_s
        self._servers = str(self._config.get("bootstrap.servers", "(no bootstrap.servers)"))
        self._requests = AdminRequests(self._config, self._servers, timeout_s)

    def reach(self) -> None:
        """Raise Unreachable if no broker answers, independent of any topic."""
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
            # The requests are not simultaneous: retention or new records between them must not invert the order.
            end = max(low, end)
            out[source] = Watermarks(low, end, max(end, highs[source].offset), _epoch(ends[source].leader_epoch))
        return out

    def offsets_at(self, sources: Sequence[Source], timestamp_ms: int) -> dict[Source, int]:
        ends = self._offsets(sources, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED)
        found = self._offsets(sources, OffsetSpec.for_timestamp(timestamp_ms), IsolationLevel.READ_COMMITTED)
        # Kafka answers -1 if no record is that recent.
        return {s: found[s].offset if found[s].offset >= 0 else ends[s].offset for s in sources}

    def publish(self, group: str, offsets: Mapping[Source, int]) -> None:
        GroupOffsets(self._requests, self._servers, self._timeout_s, group).set(offsets)

    def retention_ms(self, topics: Iterable[str]) -> dict[str, int | None]:
        names = sorted(set(topics))
        if not names:
            return {}
        resources = [ConfigResource(ResourceType.TOPIC, name) for name in names]
        answers = self._requests.results(
            lambda c: c.describe_configs(resources, request_timeout=self._timeout_s),
            about=lambda r: f"the settings of topic {r.name}",
            # Topics have separate permissions.
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
        """About *limit* of the newest records of all *sources* together, in offset order; fewer if there are fewer."""
        spans = self.watermarks(sources)
        available = {s: w.end_offset - w.low_offset for s, w in spans.items() if w.end_offset > w.low_offset}
        shares = _shares(available, limit)
        ranges = [
            OffsetRange(s, spans[s].end_offset - share, spans[s].end_offset) for s, share in shares.items() if share
        ]
        return self.sample_ranges(ranges, limit, timeout_s)

    def sample_ranges(
        self, ranges: Sequence[OffsetRange], limit: int, timeout_s: float = 10.0, per_range: int | None = None
    ) -> list[SampledRecord]:
        """The first committed records of each range, at most *limit* in total, shared evenly among the ranges.

        Joins no group and commits nothing. After *timeout_s* it returns the records received so far.
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
            # After a long aborted transaction no record arrives for a while; for any other cause, the write will fail
            # and report it.
            logger.info("cannot estimate the size of records: %s", fault)
            return 0.0
        sizes = [len(r.key or b"") + len(r.value or b"") for r in records]
        return sum(sizes) / len(sizes) if sizes else 0.0

    def close(self) -> None:
        """Stop the clients' threads and close their sockets."""
        self._requests.close()

    def _described(self, names: Sequence[str], named: set[str]) -> dict[str, Any]:
        """Descriptions by topic; a topic that vanished since a regular expression matched it is omitted."""
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
                "fix its name in the pipeline. If it was read before and was deleted permanently, run "
                f"`bin/lakelock retire FILE --topic {missing[0]} --why TEXT`.",
            )
        return {name: topic for name, topic in out.items() if not isinstance(topic, KafkaError)}

    def _offsets(self, sources: Sequence[Source], spec: OffsetSpec, isolation: IsolationLevel) -> dict[Source, Any]:
        if not sources:
            return {}
        if self._requests.is_first:
            # list_offsets as a client's first operation may stall for three seconds; a description never does.
            self._described(sorted({s.topic for s in sources}), named={s.topic for s in sources})
        by_partition = {(s.topic, s.partition): s for s in sources}
        request = {TopicPartition(s.topic, s.partition): spec for s in sources}
        answers = self._requests.results(
            lambda c: c.list_offsets(request, isolation_level=isolation, request_timeout=self._timeout_s),
            about=lambda p: f"topic {p.topic}, partition {p.partition}",
        )
        return {by_partition[p.topic, p.partition]: answer for p, answer in answers.items()}


def refuse_nameless(topic: str, topic_id: str, servers: str) -> None:
    """Raise ConnectionFault for a broker without topic ids (KIP-516): recreated topics could not be distinguished."""
    if topic_id in _NO_TOPIC_ID:
        raise ConnectionFault(
            f"Kafka at {servers} gives topic {topic!r} no topic id, so a topic that is deleted and created again would "
            "look like the old one.",
            State.NOTHING_READ,
            "Brokers from Kafka 2.8 on have topic ids.",
        )


def _epoch(leader_epoch: int | None) -> int | None:
    return leader_epoch if leader_epoch is not None and leader_epoch >= 0 else None


def _shares(available: Mapping[K, int], limit: int) -> dict[K, int]:
    """Share *limit* evenly; what small entries do not need goes to larger ones."""
    shares: dict[K, int] = {}
    left = limit
    for count, (key, size) in zip(
        range(len(available), 0, -1), sorted(available.items(), key=lambda kv: kv[1]), strict=True
    ):
        shares[key] = min(size, -(-left // count))
        left -= shares[key]
    return shares
