"""What a pipeline reads: topics, and how the values of their records are read."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from lakelock.config.csv_section import Csv
from lakelock.config.section import ConnId, Section
from lakelock.config.values import SizeBytes, StartAt
from lakelock.records.csv.options import CsvOptions
from lakelock.records.decompression import Compression
from lakelock.records.formats import FORMATS, names


class SourceTopics(Section):
    """What to read."""

    conn_id: ConnId = Field(default="kafka_default", description="Airflow connection to Kafka.")
    topics: tuple[Annotated[str, Field(min_length=1)], ...] = Field(default=(), description="Topics by name.")
    topics_regex: str | None = Field(
        default=None,
        description=(
            "A regular expression for more topics, matched against the whole name. Topics that appear later are read "
            "from their earliest offset."
        ),
    )
    start: StartAt = Field(
        default="earliest",
        description=(
            "Start of the first run: `earliest`, `latest`, a time (the first record with this timestamp or a later "
            "one), or `{topic: {partition: offset}}`. The first run fixes it. Partitions and topics that appear later "
            "start at their earliest offset."
        ),
    )


# None, as if the key were not there, is what releases without it do.
Tombstones = Annotated[
    Literal["skip"] | None,
    BeforeValidator(lambda value: None if value == "dead_letter" else value),
    WithJsonSchema({"enum": ["dead_letter", "skip"]}),
]


def _format(value: str) -> str:
    # To look through the installed packages takes a while, and each batch has its own copy of the file.
    if value not in FORMATS and value not in names():
        raise ValueError(f"must be one of {', '.join(names())}")
    return value


FormatName = Annotated[str, AfterValidator(_format), Field(examples=list(FORMATS))]


class Value(Section):
    """How record values are read."""

    format: FormatName = Field(
        default="json",
        description=(
            "`json`: one JSON object per record; `connect_json`: JSON of Kafka Connect with `schema` and `payload`; `csv`: one "
            "row of delimited text; `raw`: the whole value in one column, as text or bytes; `none`: nothing of the value; or a "
            "format of an installed package."
        ),
    )
    decompress: Literal["gzip", "zstd"] | None = Field(
        default=None,
        description=(
            "The compression that producers apply to each value. Kafka's own compression of batches needs no setting. "
            "A value that is not compressed in this way becomes a dead letter."
        ),
    )
    max_decompressed_bytes: SizeBytes = Field(
        default=64 << 20,
        ge=1,
        description=("A value that is larger than this once decompressed becomes a dead letter."),
    )

    tombstones: Tombstones = Field(
        default=None,
        description=(
            "Treatment of a record without a value: `dead_letter` (the default), or `skip`, which counts it as filtered."
        ),
    )

    csv: Csv | None = Field(
        default=None, description="Options of format `csv`. See [delimited text](formats.md#delimited-text)."
    )

    @property
    def options(self) -> CsvOptions | None:
        """Those of the format; None if it has none."""
        return (self.csv or Csv()).options if self.format == "csv" else None

    @property
    def compression(self) -> Compression | None:
        """None where values are as they were produced."""
        return None if self.decompress is None else Compression(self.decompress, self.max_decompressed_bytes)
