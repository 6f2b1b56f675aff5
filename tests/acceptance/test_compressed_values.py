"""A topic whose producers compress each value themselves, from the sample to the redrive of what came otherwise."""

from __future__ import annotations

import gzip
from contextlib import closing

from kits.redrives import proven, redrive
from kits.topics import new_producer, produce
from kits.world import World
from lakelock.check import sample as records_sample

GZIP = "value: {decompress: gzip, max_decompressed_bytes: 4KiB}\n"


def test_compressed_values_land_with_inferred_columns_and_dead_letters_can_be_redriven(fresh: World) -> None:
    def send(*values: bytes) -> None:
        produce(new_producer(fresh.connections["kafka_default"].extra["bootstrap.servers"]), fresh.topic, values)

    packed = [gzip.compress(b'{"id": %d, "note": "n"}' % n) for n in range(200)]
    settings = fresh.settings
    fresh.settings = settings + GZIP
    send(*packed[:100], gzip.compress(bytes(5000)))
    with closing(fresh.runtime()) as runtime:
        text = records_sample.sample(runtime, 1000).text
        assert "would become 100 rows in 1 table partition, 1 dead letter" in text
        assert "#   too large once decompressed: 1 (larger than value.max_decompressed_bytes (4KiB)" in text
        assert "note: string" in text
    fresh.next_id = 100
    fresh.run()
    fresh.audit(dead=1)

    # The setting is lost, and comes back: the records in between are no JSON, and fit again.
    fresh.settings = settings
    send(*packed[100:])
    fresh.run()
    fresh.audit(dead=101)
    fresh.settings = settings + GZIP
    with closing(fresh.runtime()) as runtime:
        (done,) = redrive(runtime)
        assert (done.tried, done.rows) == (101, 100)
        assert list(done.unfit) == ["too large once decompressed"]
    fresh.next_id = 200
    proven(fresh, redriven=100, dead=1)
