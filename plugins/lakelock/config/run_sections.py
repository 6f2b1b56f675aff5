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
        description="Time between runs. Default: `5m`, unless `cron` is set. Used only by Airflow.",
    )
    cron: str | None = Field(
        default=None, description="A cron expression with five fields, instead of `every`.", examples=["*/10 * * * *"]
    )
    batch_every: Duration | None = Field(
        default=None,
        description=(
            "Makes each run a window as long as `every`: it plans and writes a batch this often in one warm Spark "
            "session, and commits in parallel. Must be shorter than `every`."
        ),
    )
    timezone: ZoneName = Field(default="UTC", description="IANA time zone of `cron`.")

    @property
    def period(self) -> timedelta | None:
        """Time between runs; None when a cron expression decides."""
        return None if self.cron else self.every or timedelta(minutes=5)


class BatchLimits(Section):
    """The size of one batch."""

    max_records: int = Field(
        default=5_000_000,
        ge=1,
        description=(
            "Maximum number of offsets in one batch, and in all batches of a run without a window. A larger backlog "
            "takes several batches."
        ),
    )
    max_bytes: SizeBytes = Field(
        default=1 << 30,
        ge=1,
        description=(
            "Approximate maximum bytes of keys and values in one batch, estimated from a few records at its start."
        ),
    )
    max_seconds: Duration | None = Field(
        default=None,
        description=(
            "Time that a Spark job reads. The next batch or another job reads the rest, so other pipelines on the "
            "same Spark server wait at most this long for a slot. Default: `schedule.batch_every`, or 30s."
        ),
        examples=["10s"],
    )
    parallelism: int | None = Field(
        default=None, ge=1, description=("Maximum number of parallel Spark tasks. Default: Spark's parallelism.")
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
            "Mirror committed offsets to a consumer group, for lag tools. With `false`, the lag is only on the page, "
            "in `status` and in the metrics."
        ),
    )
    group_prefix: str = Field(
        default="lakelock.", description="Committed offsets are mirrored to the consumer group `<prefix><pipeline>`."
    )
    max_lateness: Duration | None = Field(
        default=None,
        description=(
            "The most by which a record's timestamp may be earlier than that of a previous record in its partition, "
            "and earlier than the time at which the record enters Kafka. If it is set, lakelock reports each "
            "complete hour (UTC) of a table as an asset event. At least `1m`. Default: hours are not reported."
        ),
        examples=["15m"],
    )

    connect_valid_through: bool = Field(
        default=False,
        description=(
            "Also write the valid-through timestamp of each commit as `kafka.connect.valid-through-ts`, the name that "
            "Iceberg's Kafka Connect sink uses."
        ),
    )

    @property
    def max_lateness_ms(self) -> int:
        """0 where none is declared."""
        return 0 if self.max_lateness is None else round(self.max_lateness / timedelta(milliseconds=1))
