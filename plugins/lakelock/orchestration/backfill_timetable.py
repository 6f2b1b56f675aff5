"""The schedule of `backfill__<pipeline>`: no runs by itself, and one per interval of a backfill."""

from __future__ import annotations

from datetime import timedelta

import pendulum
from airflow.timetables.base import DagRunInfo, DataInterval, TimeRestriction
from airflow.timetables.interval import DeltaDataIntervalTimetable
from pendulum import DateTime

from lakelock.model.units import format_duration


class BackfillTimetable(DeltaDataIntervalTimetable):  # type: ignore[misc]
    """Intervals of one length, counted from 1970 (UTC), so that two backfills of the same hour make the same run.

    It is periodic because Airflow refuses backfills otherwise. Only backfills ask for runs with `catchup`. The
    scheduler, the calendar and the list of next runs use the DAG's own `catchup`, which is off, and get none.
    """

    def __init__(self, length: timedelta) -> None:
        super().__init__(length)
        self.length = length
        self.description = f"Not scheduled: a backfill makes one run per {format_duration(length)} of records."

    @property
    def summary(self) -> str:
        return "backfills only"

    def next_dagrun_info(
        self, *, last_automated_data_interval: DataInterval | None, restriction: TimeRestriction
    ) -> DagRunInfo | None:
        """The interval with `restriction.earliest`, then each one after it that begins by `restriction.latest`."""
        if not restriction.catchup:
            return None
        if last_automated_data_interval is not None:
            start = last_automated_data_interval.end
        elif restriction.earliest is not None:
            start = self._square(restriction.earliest)
        else:
            return None
        if restriction.latest is not None and start > restriction.latest:
            return None
        return DagRunInfo.interval(start=start, end=start + self.length)

    def _square(self, moment: DateTime) -> DateTime:
        seconds = moment.timestamp()
        # In UTC, because in other zones a day is not always 24 hours.
        start: DateTime = pendulum.from_timestamp(seconds - seconds % self.length.total_seconds())
        return start
