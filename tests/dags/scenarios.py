"""Runs an ingest DAG with `dag.test()` under scripted steps, and prints states, calls and asset events as JSON.

Only `lakelock.app.runtime` is scripted: tasks, wiring and Airflow are the real ones.
"""

from __future__ import annotations

import json
import sys
import time
import types
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from lakelock import errors
from lakelock.adapters.iceberg.request_pace import RequestPace
from lakelock.backfill.backfill import BackfillPlan, Waiting
from lakelock.backfill.decision import Share
from lakelock.backfill.span import Span
from lakelock.config import Pipeline
from lakelock.ingest import commit_share
from lakelock.ingest.complete_hours import CompleteHours
from lakelock.ingest.hours_decision import HOUR, hour_of
from lakelock.ingest.outcome import CommitOutcome, PlanOutcome, WriteOutcome
from lakelock.ingest.plan_decision import StopAt
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.run_names import check_table
from lakelock.monitor.cut_status import CutOffset, CutStatus, TableBehind
from lakelock.replace.replace_preview import ReplacePlan

calls: list[list[Any]] = []
script: dict[str, Any] = {}


class ScriptedTables:
    def load(self, name: str) -> Any:
        if script.get("no_catalog"):
            raise errors.Unreachable("the catalog fails in this test")
        return types.SimpleNamespace(location=f"s3a://lake/{name}")


class ScriptedBackfills:
    """`asking` are offsets that a table lacks, `waiting` those that were asked for and are not there."""

    def __init__(self, call: Callable[..., None]) -> None:
        self._call = call

    def preview(self, span: Span) -> BackfillPlan:
        self._call("backfill.preview", span=span.text, table=span.table)
        share = Share(ranges(script.get("asking", 0)), ranges(script.get("waiting", 0)))
        return BackfillPlan(span, ranges(100), {"n.t": share}, {})

    def request(self, planned: BackfillPlan, who: str, why: str) -> None:
        span = planned.span
        self._call("backfill.ask", span=span.text, table=span.table, who=who.partition("__")[0], why=why)

    def waiting(self) -> Waiting:
        self._call("backfill.waiting")
        left = script.get("left", [])
        requested = ranges(left.pop(0) if left else 0)
        coverage = Coverage().requesting(requested, {r.source: r.end for r in requested})
        ledger: Any = types.SimpleNamespace(ledger=Ledger("", "one", "", 0, "", coverage))
        return Waiting({"n.t": ledger} if requested else {}, {})

    def check_all(self) -> None:
        if lines := self.waiting().lines:
            raise errors.BackfillUnfinished("; ".join(lines))

    def go_on(self) -> list[str]:
        self._call("backfill.go_on")
        return ["n.t"]

    def check(self, planned: BackfillPlan) -> None:
        self._call("backfill.check", offsets=sum(r.end - r.start for r in planned.interval))


class ScriptedReplacing:
    """`replacing` are offsets that a table has of the time, `refused` why another is refused."""

    def __init__(self, call: Callable[..., None]) -> None:
        self._call = call

    def preview(self, span: Span) -> ReplacePlan:
        self._call("replace.preview", span=span.text, table=span.table)
        shares: Any = {"n.t": types.SimpleNamespace(line="n.t: rows")} if script.get("replacing") else {}
        refused = {"n.u": script["refused"]} if "refused" in script else {}
        return ReplacePlan(span, shares, (), refused)


def ranges(count: int) -> tuple[OffsetRange, ...]:
    return (OffsetRange(Source("flights", "id", 0), 0, count),) if count else ()


class ScriptedRuntime:
    """Does what the scenario says: `fail` maps a step to error class names, one for each call until none is left."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = self.file = pipeline
        self.kafka_config = {"bootstrap.servers": "broker.shop:9093,other.shop:9093"}
        self.catalog = ("lake", {"uri": "https://lake:hunter2@catalog.shop/iceberg"})
        self.tables = ScriptedTables()
        self.catalog_pace = RequestPace(pipeline.catalog.requests_per_second)
        self.backfills = ScriptedBackfills(self._call)
        self.replacing = ScriptedReplacing(self._call)

    def _call(self, step: str, **arguments: Any) -> None:
        calls.append([step, {key: str(value) if value is not None else None for key, value in arguments.items()}])
        faults = script.get("fail", {}).get(step, [])
        if faults:
            raise getattr(errors, faults.pop(0))(f"{step} fails in this test")

    def plan(
        self,
        max_records: int | None = None,
        dry_run: bool = False,
        passed_over: Collection[str] = (),
        stop_at: StopAt | None = None,
    ) -> PlanOutcome:
        self._call("plan", max_records=max_records, dry_run=dry_run, stop_at=stop_at)
        return PlanOutcome(
            script.get("batch_id"), script.get("staged", False), script.get("publish_due", False), "planned"
        )

    def write_run(
        self,
        attempt: str,
        run: str,
        batch_id: str,
        max_records: int | None = None,
        report: Callable[[WriteOutcome], None] = lambda outcome: None,
        stop_at: StopAt | None = None,
    ) -> list[WriteOutcome]:
        self._call("write", attempt=attempt, run=run, batch_id=batch_id, stop_at=stop_at)
        return self._written(report)

    def write_window(
        self,
        attempt: str,
        run: str,
        until: datetime,
        batch_every_s: float,
        max_records: int | None = None,
        batch_id: str | None = None,
        stop_at: StopAt | None = None,
        report: Callable[[WriteOutcome], None] = lambda outcome: None,
    ) -> list[WriteOutcome]:
        self._call(
            "write_window", run=run, until=until, batch_every_s=batch_every_s, batch_id=batch_id, stop_at=stop_at
        )
        return self._written(report)

    def backfill(
        self,
        attempt: str,
        run: str,
        interval: Sequence[OffsetRange] | None,
        report: Callable[[WriteOutcome], None] = lambda outcome: None,
    ) -> list[WriteOutcome]:
        self._call("backfill.write", run=run.partition("__manual")[0], interval=interval and len(interval))
        return [] if script.get("others") else self._written(report)

    def _written(self, report: Callable[[WriteOutcome], None]) -> list[WriteOutcome]:
        outcome = WriteOutcome("b", "written", read=3, rows=3)
        report(outcome)
        return [outcome]

    def replace(self, span: Span, who: str, why: str, report: Callable[[CommitOutcome], None]) -> list[CommitOutcome]:
        self._call("replace", span=span.text, table=span.table, who=who.partition("__")[0], why=why)
        outcomes = self._outcomes(["n.t"])
        for outcome in outcomes:
            report(outcome)
        if "refused" in script:
            raise errors.ReplaceRefused(script["refused"])
        return outcomes

    def commit(
        self,
        tables: list[str],
        now: Collection[str] | bool = False,
        report: Callable[[CommitOutcome], None] = lambda outcome: None,
        share: commit_share.CommitShare | None = None,
    ) -> list[CommitOutcome]:
        more = {"share": f"{share.number} of {share.of}"} if share else {}
        if self.file.catalog.requests_per_second is not None:
            more["paced"] = f"as one of {self.catalog_pace.tasks}"
        self._call("commit", tables=list(tables), now=now, **more)
        shared = [t for t in script.get("routed", ()) if share and share.distance(t) == 0]
        return self._commit(self._outcomes([*tables, *shared]), report)

    def require_table(self, table: str, command: str = "") -> None:
        check_table(self.file.name, table, [self.file.dead_letter_table, *script.get("routed", ())])

    def commit_window(
        self,
        tables: list[str],
        until: datetime,
        now: Collection[str] | bool = False,
        report: Callable[[CommitOutcome], None] = lambda outcome: None,
        share: commit_share.CommitShare | None = None,
    ) -> list[CommitOutcome]:
        self._call("commit_window", tables=list(tables), until=until, now=now)
        return self._commit([*self._outcomes(tables, 0), *self._outcomes(tables, 1)], report)

    def _commit(self, outcomes: list[CommitOutcome], report: Callable[[CommitOutcome], None]) -> list[CommitOutcome]:
        """`after` maps a table to faults of its commit, one for each try, of which the others have landed."""
        faults = [script["after"][o.table].pop(0) for o in outcomes if script.get("after", {}).get(o.table)]
        for outcome in outcomes:
            report(outcome)
            # What landed once has nothing to commit any more.
            script.get("landed", {}).pop(outcome.table, None)
        if faults:
            raise getattr(errors, faults[0])("a commit fails in this test")
        return outcomes

    def publish(self) -> str:
        self._call("publish")
        return "published"

    def cut(self) -> CutStatus | None:
        """`cut` has the end of the cut, and per table that is behind the first offset that it lacks."""
        if "cut" not in script:
            return None
        end, behind = script["cut"]
        source = Source("flights", "id", 0)
        lacks = [TableBehind(t, (OffsetRange(source, start, end),)) for t, start in behind.items()]
        return CutStatus((CutOffset(source, end),), end * 1000, tuple(lacks))

    def waiting_for_hours(self, reported: Mapping[str, datetime | None]) -> list[str]:
        return [table for table in script.get("hours", {}) if self._new_hours(table, reported)]

    def complete_hours(self, reported: Mapping[str, datetime | None]) -> list[CompleteHours]:
        self._call("hours", **reported)
        found = {table: self._new_hours(table, reported) for table in script.get("complete", script.get("hours", {}))}
        return [CompleteHours(t, tuple(hours), hours[-1] + HOUR, 7) for t, hours in found.items() if hours]

    def _new_hours(self, table: str, reported: Mapping[str, datetime | None]) -> list[datetime]:
        hours = [hour for key in script["hours"][table] if (hour := hour_of(key)) is not None]
        last = reported.get(table)
        return [hour for hour in hours if last is None or hour > last]

    def _outcomes(self, tables: list[str], nth: int = 0) -> list[CommitOutcome]:
        landed = script.get("landed", {})
        return [
            CommitOutcome(
                t,
                landed[t] + nth if t in landed else None,
                (OffsetRange(Source("flights", "id", 0), nth * 10, nth * 10 + 10),),
                10,
                f"{t} committed",
            )
            for t in tables
        ]


@contextmanager
def open_pipeline(resolved: Any, connections: Any) -> Iterator[ScriptedRuntime]:
    yield ScriptedRuntime(Pipeline.from_resolved(resolved))


def main() -> None:
    compose = types.ModuleType("lakelock.app.runtime")
    vars(compose).update(open_pipeline=open_pipeline, Runtime=ScriptedRuntime)
    sys.modules["lakelock.app.runtime"] = compose

    from airflow import settings
    from airflow.dag_processing import dagbag
    from airflow.models.asset import AssetDagRunQueue, AssetEvent, AssetPartitionDagRun
    from airflow.models.dag import DagModel
    from sqlalchemy import delete, select, update

    bag = dagbag.DagBag(sys.argv[1])
    results = {}
    # A paused DAG is not woken by assets; dag.test() writes the folder's DAGs to the database at its first call.
    bag.dags["consumer"].test()
    with settings.Session() as session:
        session.execute(update(DagModel).values(is_paused=False))
        session.commit()
    # Each call would read the folder and write it to the database again, which takes half of the time.
    dagbag.BundleDagBag = dagbag.sync_bag_to_db = lambda *_, **__: None
    # It rests for a second before each further try of a task.
    rest = time.sleep
    time.sleep = lambda seconds: rest(0.01 if seconds == 1 else seconds)
    bag.dags["elsewhere"].test()
    for name, scenario in json.loads(Path(sys.argv[2]).read_text(encoding="utf-8")).items():
        calls.clear()
        script.clear()
        script.update(scenario)
        dag = bag.dags[scenario["dag"]]
        for task in dag.tasks:
            task.retry_delay = type(task.retry_delay)(0)
        values = ("max_records", "stop_at_time", "stop_at_offsets", "commit_tables")
        nothing = dict.fromkeys(values) | {"commit_now": False, "dry_run": False}
        if "backfill" in dag.tags:
            nothing = dict.fromkeys(("from", "to", "table", "why")) | {"dry_run": False, "mode": "fill"}
        run = dag.test(run_conf=nothing | scenario.get("params", {}))
        session = settings.Session()
        events = session.scalars(select(AssetEvent).where(AssetEvent.source_run_id == run.run_id)).all()
        results[name] = {
            "state": str(run.state),
            "tasks": {
                ti.task_id + (f"[{ti.map_index}]" if ti.map_index >= 0 else ""): str(ti.state)
                for ti in run.get_task_instances(session=session)
            },
            "labels": sorted(ti.rendered_map_index or "" for ti in run.get_task_instances(session=session)),
            "calls": list(calls),
            "events": [{"uri": e.asset.uri, "partition": e.partition_key, **e.extra} for e in events],
            "consumers": list(session.scalars(select(AssetDagRunQueue.target_dag_id))),
            "partitions": sorted(session.scalars(select(AssetPartitionDagRun.partition_key))),
        }
        session.execute(delete(AssetDagRunQueue))
        session.commit()
        session.close()
    print("RESULT " + json.dumps(results, default=str))


if __name__ == "__main__":
    main()
