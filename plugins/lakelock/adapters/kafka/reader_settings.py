"""Settings of librdkafka for the reader of exact ranges."""

from __future__ import annotations

# What the promise rests on: what a user's connection says about these is overruled.
FORCED: dict[str, object] = {
    "enable.auto.commit": False,
    "enable.auto.offset.store": False,
    "isolation.level": "read_committed",
    "auto.offset.reset": "error",
    "enable.partition.eof": True,
    "check.crcs": True,
}
# Bounded memory whatever the range: what is prefetched beside the block being built. What one fetch brings counts most,
# because it is there compressed, decompressed and as messages at once.
DEFAULTS: dict[str, object] = {
    "group.id": "lakelock.reader",
    "queued.min.messages": 100_000,
    "queued.max.messages.kbytes": 8_192,
    "max.partition.fetch.bytes": 1 << 20,
    "fetch.max.bytes": 4 << 20,
    # By default a full queue makes a partition wait a second.
    "fetch.queue.backoff.ms": 2,
    "fetch.wait.max.ms": 10,
    "fetch.error.backoff.ms": 50,
    "socket.keepalive.enable": True,
}
