"""What `lakelock_watch` reports about a pipeline, and its notifiers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from lakelock.config.section import Section
from lakelock.config.values import Duration


class Notify(Section):
    """An Airflow notifier."""

    notifier: Annotated[str, Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$")] = Field(
        description="Import path of the notifier's class.",
        examples=["airflow.providers.slack.notifications.slack.SlackNotifier"],
    )
    arguments: Mapping[str, Any] = Field(
        default={},
        description=(
            "Arguments of the notifier. Those that are templates may contain `{{ lakelock.message }}`, `{{ "
            "lakelock.pipeline }}`, `{{ lakelock.kind }}`, and `{{ lakelock.began }}`, which is false when an "
            "incident is over."
        ),
        examples=[{"slack_conn_id": "slack", "text": "{{ lakelock.message }}"}],
    )


class Alerts(Section):
    """What the DAG `lakelock_watch` reports, once when it begins and once when it is over."""

    lag: Duration | None = Field(
        default=None,
        description=(
            "The age of the oldest uncommitted record above which lakelock reports an incident, even while the DAG is "
            "paused. Default: the pipeline's promise, while the DAG is not paused. The promise is "
            "`commit.max_latency`, plus the larger of one minute and five times `schedule.batch_every` (or "
            "`schedule.every`), after lakelock first saw a record. If the intervals of a cron schedule differ, the "
            "longest one counts once, and the usual one four times."
        ),
        examples=["15m"],
    )
    retention_left: Duration | None = Field(
        default=None,
        description="Report an uncommitted record that Kafka will delete within this time. Default: never.",
        examples=["12h"],
    )
    schema_changes: bool = Field(
        default=False,
        description=(
            "Report each change of a table's columns that records asked for (`new_fields: evolve`, `new_types: "
            "evolve`), once and without an end."
        ),
    )
    deadline: Duration | None = Field(
        default=None,
        description=(
            "Airflow's scheduler reports a run of `ingest__<pipeline>` that has not ended this long after it was "
            "queued. Must be longer than a window. Default: never."
        ),
        examples=["30m"],
    )
    notify: tuple[Notify, ...] = Field(
        default=(),
        description=("Notifiers to call. Default: none. The run in which an incident begins fails in any case."),
    )
