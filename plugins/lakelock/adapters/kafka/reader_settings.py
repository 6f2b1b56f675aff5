"""librdkafka settings for reading exact ranges."""

from __future__ import annotations

# The guarantees depend on these: they override the user's connection.
FORCED: dict[str, object] = {
    "enable.auto.commit": False,
    "enable.auto.offset.store": False,
    "isolation.level": "read_committed",
    "auto.offset.reset": "error",
    "enable.partition.eof": True,
    "check.crcs": True,
}
# Bound memory for any range: the prefetch queue beside the block being built. One fetch counts most, because it is in
# memory compressed, decompressed and as messages at once.
DEFAULTS: dict[str, object] = {
    "group.id": "lakelock.reader",
    "queued.min.messages": 100_000,
    "queued.max.messages.kbytes": 8_192,
    "max.partition.fetch.bytes": 1 << 20,
    "fetch.max.bytes": 4 << 20,
    # By default a full queue pauses a partition for a second.
    "fetch.queue.backoff.ms": 2,
    "fetch.wait.max.ms": 10,
    "fetch.error.backoff.ms": 50,
    "socket.keepalive.enable": True,
}
