"""The valid-through timestamp in the table's own snapshots, and in `status`."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime

from confluent_kafka import Producer
from kits.rollbacks import roll_back
from kits.topics import new_producer
from kits.world import World
from lakelock.model.ledger import Mode
from lakelock.monitor.status_text import status_text

OURS, SINK = "lakelock.valid-through", "kafka.connect.valid-through-ts"


def _send(world: World, producer: Producer, partition: int, stamp_ms: int) -> None:
    producer.produce(world.topic, b'{"id": %d, "note": "n"}' % world.next_id, partition=partition, timestamp=stamp_ms)
    world.next_id += 1
    producer.flush()


def _newest(world: World) -> dict[str, str]:
    snapshot = world.catalog.load_table(world.table).current_snapshot()
    assert snapshot is not None
    assert snapshot.summary is not None
    return snapshot.summary.additional_properties


def test_each_snapshot_names_the_time_through_which_it_is_valid(near: World) -> None:
    near.settings += "publish: {connect_valid_through: true}\n"
    producer = new_producer(near.connections["kafka_default"].extra["bootstrap.servers"])
    now_ms = int(datetime.now(UTC).timestamp() * 1000)
    stamps = {0: now_ms - 5000, 1: now_ms - 9000}
    for partition, stamp_ms in stamps.items():
        _send(near, producer, partition, stamp_ms - 1000)
        _send(near, producer, partition, stamp_ms)
    near.run()
    text = datetime.fromtimestamp(stamps[1] / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert (_newest(near)[OURS], _newest(near)[SINK]) == (text, text)

    # Partition 1 has nothing new: it does not hold the other back.
    _send(near, producer, 0, stamps[0] + 2000)
    near.run()
    assert datetime.fromisoformat(_newest(near)[OURS]).timestamp() * 1000 == stamps[0] + 2000
    with closing(near.runtime()) as runtime:
        shown = status_text(runtime.status())
        assert f"valid through: {near.table} {_newest(near)[OURS]}" in shown

        # Of two partitions with unread records only one is read.
        _send(near, producer, 0, stamps[0] + 3000)
        _send(near, producer, 1, stamps[0] + 3000)
        near.cycle(runtime, max_records=1)
        assert not {OURS, SINK} & set(_newest(near))
        assert f"valid through: {near.table} unknown" in status_text(runtime.status())
        near.cycle(runtime)
        assert OURS in _newest(near)

        roll_back(runtime, near.table, "last:1", Mode.REPLAY)
        assert OURS not in _newest(near), "the table lacks what it said"
        near.cycle(runtime)
    near.audit()
