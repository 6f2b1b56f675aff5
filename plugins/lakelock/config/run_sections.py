"""How runs go: when they start, how much one batch takes, on which servers, and what they publish."""

from __future__ import annotations

from datetime import timedelta

from pydantic import Field

from lakelock.config.section import ConnId, Section
from lakelock.config.values import Duration, SizeBytes, ZoneName


class Schedule(Section):
    """When runs start. A run moves what is there, up to `batch.max_records`, or works a window when `batch_every` is set."""

    every: Duration | None = Field(
        default=None,
        description="Time between runs. Default `5m`, unless `cron` is given. Without Airflow it is not used.",
    )
    cron: str | None = Field(
        default=None, description="Instead of `every`: a cron expression of five fields.", examples=["*/10 * * * *"]
    )
    batch_every: Duration | None = Field(
        default=None,
        description=(
            "Makes each run a window as long as `every`: batches are planned and written this often in one warm Spark "
            "session, and commits run beside it. Shorter than `every`."
        ),
    )
    timezone: ZoneName = Field(default="UTC", description="IANA time zone that `cron` is read in.")

    @property
    def period(self) -> timedelta | None:
        """Time between runs; None when a cron expression decides."""
        return None if self.cron else self.every or timedelta(minutes=5)


class BatchLimits(Section):
    """The size of one batch."""

    max_records: int = Field(
        default=5_000_000,
        ge=1,
        description="Most offsets that one batch takes, and all batches of a run without a window. A backlog is read in batches.",
    )
    max_bytes: SizeBytes = Field(
        default=1 << 30,
        ge=1,
        description="About how many bytes of keys and values one batch takes, estimated from a few records at its start.",
    )
    max_seconds: Duration | None = Field(
        default=None,
        description=(
            "How long a Spark job reads. The rest is left to the next batch or to another job, so other pipelines on the same "
            "Spark wait this long for a slot at most. Default: `schedule.batch_every`, or 30s."
        ),
        examples=["10s"],
    )
    parallelism: int | None = Field(
        default=None, ge=1, description="Spark tasks at once. Default: Spark's parallelism."
    )


class Spark(Section):
    """Where batches are written."""

    conn_id: ConnId = Field(
        default="spark_default",
        description="Airflow connection: type `spark_connect` (warm server) or `spark` (spark-submit).",
    )


class Wal(Section):
    """The write-ahead log."""

    conn_id: ConnId = Field(default="lakelock_postgres", description="Airflow connection to Postgres.")


class Publish(Section):
    """What other tools can see of the progress."""

    group: bool = Field(
        default=True,
        description=(
            "Mirror committed offsets to a consumer group, for lag tools. `false`: no group is written, and the lag is on the "
            "page, in `status` and in the metrics alone."
        ),
    )
    group_prefix: str = Field(
        default="lakelock.", description="Committed offsets are mirrored to the consumer group `<prefix><pipeline>`."
    )
    max_lateness: Duration | None = Field(
        default=None,
        description=(
            "By how much, at most, a record's timestamp is earlier than that of a record before it in its partition, and than "
            "the moment at which it comes into Kafka. With it lakelock reports each hour (UTC) that is complete in a table as an "
            "asset event. At least `1m`. Default: no hour is reported."
        ),
        examples=["15m"],
    )

    connect_valid_through: bool = Field(
        default=False,
        description=(
            "Also gives the valid-through timestamp of each commit under the name of Iceberg's Kafka Connect sink, "
            "`kafka.connect.valid-through-ts`."
        ),
    )

    @property
    def max_lateness_ms(self) -> int:
        """0 where none is declared."""
        return 0 if self.max_lateness is None else round(self.max_lateness / timedelta(milliseconds=1))
