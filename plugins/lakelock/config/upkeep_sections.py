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
        description="Time between runs of `maintain__<pipeline>`. Default: it runs when triggered.",
        examples=["1d"],
    )
    compact_min_files: int = Field(
        default=5,
        ge=2,
        description=(
            "Data files of one partition, each smaller than the table's `write.target-file-size-bytes`, from which on they are "
            "rewritten into larger ones."
        ),
    )
    compact_after: Duration = Field(
        default=timedelta(hours=1), description="Files that were added later than this ago are not rewritten yet."
    )
    compact_within: Duration = Field(
        default=timedelta(hours=1),
        description=(
            "Time after which a run of `compact` begins no further commit of a table, each of which takes up to 45 minutes. "
            "The next run goes on with what is left."
        ),
    )
    expire_after: Duration = Field(
        default=timedelta(days=7),
        description="Snapshots older than this expire, with the files that only they name. A reader must be done by then.",
    )
    keep_at_least: int = Field(
        default=100,
        ge=2,
        description=(
            "The newest snapshots that stay, however old, as far as `commit.keep_snapshots` does. Those of compactions do not "
            "count, here or there: their rows are those of the snapshot before."
        ),
    )
    orphans_after: Duration = Field(
        default=timedelta(days=1),
        description=(
            "Files of lost attempts, and metadata files of commits that never landed, are deleted when they are older than "
            "this: at least `1h`, and longer than it takes you to run `recover` after Postgres was restored."
        ),
    )


class Backfill(Section):
    """What Airflow's *Backfill* button makes of `backfill__<pipeline>`."""

    interval: Duration = Field(
        default=timedelta(hours=1),
        description=(
            "How much time of records each run of a backfill reads, counted from midnight (UTC): at least `1m`, and a part "
            "of a day without remainder, or whole days."
        ),
        examples=["15m", "1d"],
    )
