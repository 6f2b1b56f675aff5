"""Where tables are, where bad records go, and when staged files are committed."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from pydantic import Field

from lakelock.config.section import ConnId, Section
from lakelock.config.table_sections import TableName
from lakelock.config.values import Duration, SizeBytes


class Catalog(Section):
    """Where the tables are."""

    conn_id: ConnId = Field(default="iceberg_default", description="Airflow connection to the Iceberg catalog.")
    branch: Annotated[str, Field(min_length=1)] = Field(default="main", description="Branch that commits go to.")
    requests_per_second: float | None = Field(
        default=None,
        gt=0,
        description=(
            "Most tables per second that a run loads, creates or commits. The commit tasks of a run share it. "
            "Default: no limit."
        ),
        examples=[20],
    )


class DeadLetterLimits(Section):
    """More dead letters than this in one table of one batch stop the pipeline before anything is committed."""

    ratio: float | None = Field(default=None, gt=0, le=1, description="Share of the records read.")
    count: int | None = Field(default=None, ge=1, description="Number of records.")


class DeadLetters(Section):
    """Where records go that cannot be decoded or converted."""

    table: TableName | None = Field(
        default=None,
        description=("Dead-letter table. Default: `<namespace of the first table>.<pipeline>__dead_letters`."),
    )
    stop_at: DeadLetterLimits | None = Field(
        default=None, description="Limits per table and batch; either one stops the batch. Default: no limit."
    )


class Commit(Section):
    """When staged files are committed: at either limit, or when a run asks for it."""

    max_latency: Duration = Field(
        default=timedelta(minutes=1),
        description=(
            "The next run commits files that were staged longer ago than this. A window commits them at once."
        ),
    )
    min_bytes: SizeBytes = Field(default=64 << 20, description=("Staged bytes at which a commit is due at once."))
    keep_snapshots: int = Field(
        default=1000,
        ge=10,
        description=("Number of snapshots that a table keeps. Older ones expire with later commits."),
    )

    rollback_window: Duration | None = Field(
        default=None,
        description=(
            "How far back a rollback must stay possible: no snapshot that was the table's state within this time "
            "expires. `keep_snapshots` must have room for one commit per batch in that time. Default: no guarantee "
            "beyond `keep_snapshots`."
        ),
        examples=["1d"],
    )
    pool: Annotated[str, Field(min_length=1)] | None = Field(
        default=None,
        description=(
            "Airflow pool of the commit tasks: its slots bound how many of them run at once, also of several pipelines. "
            "Default: `default_pool`."
        ),
        examples=["catalog"],
    )

    @property
    def max_latency_s(self) -> float:
        return self.max_latency.total_seconds()

    @property
    def rollback_window_ms(self) -> int:
        """0 without one."""
        return 0 if self.rollback_window is None else round(self.rollback_window / timedelta(milliseconds=1))
