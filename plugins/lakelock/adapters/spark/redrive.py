"""Jobs of redrives over a Spark session."""

from __future__ import annotations

from lakelock.adapters.spark.jobs import SparkJobs
from lakelock.ports.redrive_jobs import RedriveOrder, RedriveOutput


class SparkRedriver(SparkJobs[RedriveOrder, RedriveOutput]):
    """`ports.redrive_jobs.Redriver`."""

    def run(self, order: RedriveOrder) -> list[RedriveOutput]:
        return self.outputs(order, RedriveOutput)
