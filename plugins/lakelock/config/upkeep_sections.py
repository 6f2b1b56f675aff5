"""What the DAGs beside a pipeline's runs do: maintenance and backfills."""

from __future__ import annotations

from datetime import timedelta

from pydantic import Field

from lakelock.config.section import Section
from lakelock.config.values import Duration


class Maintenance(Section):
    """What `maintain__<pipeline>` tidies, and the commands `compact`, `expire`, `rewrite-manifests` and `orphans`."""

    every: Duration | None = Field(
        default=None,
        description="Time between runs of `maintain__<pipeline>`. Default: it runs only when triggered.",
        examples=["1d"],
    )
    apply: bool | None = Field(
        default=None,
        description=(
            "Whether each run of `maintain__<pipeline>` begins with "
            "[`apply`](evolution.md#what-the-file-says-of-an-existing-table), which changes the tables as this file says. "
            "It does not ask for approval. Default: `false`."
        ),
    )
    compact_min_files: int = Field(
        default=5,
        ge=2,
        description=(
            "Minimum number of data files in one partition, each smaller than the table's "
            "`write.target-file-size-bytes`, to rewrite them into larger ones."
        ),
    )
    compact_after: Duration = Field(
        default=timedelta(hours=1), description="Files younger than this are not rewritten yet."
    )
    compact_within: Duration = Field(
        default=timedelta(hours=1),
        description=(
            "Time after which a run of `compact` does not start another commit to a table. Each commit takes up to 45 "
            "minutes. The next run continues."
        ),
    )
    expire_after: Duration = Field(
        default=timedelta(days=7),
        description=(
            "Snapshots older than this expire, and the files that only they reference are deleted. It must be longer than "
            "the longest query."
        ),
    )
    keep_at_least: int = Field(
        default=100,
        ge=2,
        description=(
            "Number of newest snapshots that stay regardless of their age, up to `commit.keep_snapshots`. Snapshots "
            "of compactions count toward neither setting, because they contain the same rows as the snapshot before."
        ),
    )
    orphans_after: Duration = Field(
        default=timedelta(days=1),
        description=(
            "Age at which files of lost attempts, and metadata files of failed commits, are deleted. At least `1h`, "
            "and longer than you need to run `recover` after Postgres is restored."
        ),
    )


class BackfillRuns(Section):
    """What Airflow's *Backfill* button makes of `backfill__<pipeline>`."""

    interval: Duration = Field(
        default=timedelta(hours=1),
        description=(
            "The time range of records that each run of a backfill loads, counted from midnight (UTC). At least `1m`. "
            "It must divide a day without remainder, or be whole days."
        ),
        examples=["15m", "1d"],
    )
