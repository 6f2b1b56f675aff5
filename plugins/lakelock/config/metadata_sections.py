"""Columns for a record's own fields in Kafka: topic, offset, timestamp, key, headers."""

from __future__ import annotations

from typing import Any

from pydantic import Field, model_validator

from lakelock.config.section import Section
from lakelock.config.values import NameOrFalse, NamesByHeader, OptionalName


class MetadataColumns(Section):
    """Names of the columns that say where a row came from; `false` leaves one out."""

    partition: NameOrFalse = Field(
        default="_kafka_partition", description="Kafka partition (int; or long, if the file or the table says so)."
    )
    offset: NameOrFalse = Field(default="_kafka_offset", description="Kafka offset (long).")
    timestamp: NameOrFalse = Field(default="_kafka_timestamp", description="Record timestamp (timestamptz).")
    timestamp_type: OptionalName = Field(
        default=None,
        description=(
            "Type of the timestamp (string): `CreateTime` or `LogAppendTime`; null for a record without a timestamp. "
            "Default: no such column."
        ),
    )
    topic: OptionalName = Field(default=None, description="Topic (string). Default: no such column.")
    key: OptionalName = Field(
        default=None,
        description="Record key (binary; or string, if the file or the table says so). Default: no such column.",
    )
    headers: OptionalName = Field(
        default=None,
        description=(
            "All headers of the record (`list<struct<key: string, value: binary>>`; or `map<string, binary>` or "
            "`map<string, string>`, if the file or the table says so). Default: no such column."
        ),
    )
    header: NamesByHeader = Field(
        default=None,
        description=(
            "Map of header name to the column for its value (string; or binary, if the file or the table says so). Default: "
            "no such columns."
        ),
        examples=[{"trace-id": "trace_id"}],
    )

    @model_validator(mode="before")
    @classmethod
    def _all_or_none(cls, value: Any) -> Any:
        return dict.fromkeys(("partition", "offset", "timestamp"), False) if value is False else value
