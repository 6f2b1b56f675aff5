"""What a pipeline reads: topics, and how the values of their records are read."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from lakelock.config.section import ConnId, Section
from lakelock.config.values import SizeBytes, StartAt
from lakelock.records.decompression import Compression


class SourceTopics(Section):
    """What to read."""

    conn_id: ConnId = Field(default="kafka_default", description="Airflow connection to Kafka.")
    topics: tuple[Annotated[str, Field(min_length=1)], ...] = Field(default=(), description="Topics by name.")
    topics_regex: str | None = Field(
        default=None,
        description=(
            "Topics by regular expression, matched against the whole name, beside those in `topics`. Topics that appear "
            "later are read from their earliest offset."
        ),
    )
    start: StartAt = Field(
        default="earliest",
        description=(
            "Where the first run starts: `earliest`, `latest`, a time (first record with at least this timestamp), or "
            "`{topic: {partition: offset}}`. Fixed by the first run; partitions and topics found later start at earliest."
        ),
    )


class Value(Section):
    """How record values are read."""

    format: Literal["json"] = Field(default="json", description="One JSON object per record.")
    decompress: Literal["gzip", "zstd"] | None = Field(
        default=None,
        description=(
            "How producers compress each value themselves; Kafka's own compression of batches needs nothing here. A value that "
            "is not compressed so is a dead letter."
        ),
    )
    max_decompressed_bytes: SizeBytes = Field(
        default=64 << 20, ge=1, description="A value that is larger than this once decompressed is a dead letter."
    )

    @property
    def compression(self) -> Compression | None:
        """None where values are as they were produced."""
        return None if self.decompress is None else Compression(self.decompress, self.max_decompressed_bytes)
