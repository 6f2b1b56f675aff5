"""What `lakelock_watch` reports about a pipeline, and whom it notifies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from lakelock.config.section import Section
from lakelock.config.values import Duration


class Notify(Section):
    """An Airflow notifier."""

    notifier: Annotated[str, Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$")] = Field(
        description="Its class, by import path.",
        examples=["airflow.providers.slack.notifications.slack.SlackNotifier"],
    )
    arguments: Mapping[str, Any] = Field(
        default={},
        description=(
            "Its arguments. Those that it takes as templates may have `{{ lakelock.message }}`, `{{ lakelock.pipeline }}`, "
            "`{{ lakelock.kind }}`, and `{{ lakelock.began }}`, which is false for an incident that is over."
        ),
        examples=[{"slack_conn_id": "slack", "text": "{{ lakelock.message }}"}],
    )


class Alerts(Section):
    """What the DAG `lakelock_watch` reports, once when it begins and once when it is over."""

    lag: Duration | None = Field(
        default=None,
        description=(
            "The oldest record that is not committed is older than this, while the DAG is paused, too. Default: the pipeline's "
            "own promise, while it is not paused: lakelock saw a record longer ago than `commit.max_latency` and the larger of "
            "one minute and five times `schedule.batch_every` (or `schedule.every`), and it is not committed. If a cron's "
            "intervals differ, the longest one counts once, and the usual one four times."
        ),
        examples=["15m"],
    )
    retention_left: Duration | None = Field(
        default=None,
        description="Kafka deletes a record that is not committed within this time. Default: never reported.",
        examples=["12h"],
    )
    deadline: Duration | None = Field(
        default=None,
        description=(
            "A run of `ingest__<pipeline>` has not ended this long after it was queued: Airflow's scheduler reports it, at "
            "once. Longer than a window. Default: never reported."
        ),
        examples=["30m"],
    )
    notify: tuple[Notify, ...] = Field(
        default=(), description="Who is notified. Default: no one, and the run in which an incident begins fails."
    )
