"""What the page and the watch know of runs in Airflow's database, printed as JSON.

The arguments are a folder for a DAG file, pipelines with the states of their runs, oldest first, as JSON, and the DAGs whose
runs may be read.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from airflow import settings
from airflow.dag_processing.dagbag import DagBag
from airflow.models.dag import DagModel
from airflow.models.dagbundle import DagBundleModel
from airflow.models.dagrun import DagRun

ASKS = """
import json
from airflow.sdk import DAG, task
with DAG("asks", schedule=None):
    @task
    def ask(names):
        from lakelock.orchestration import watch_tasks
        known = {name: watch_tasks._runs("ingest__" + name) for name in names}
        with open("told.json", "w") as file:
            json.dump({n: r and [r.is_paused, r.failed.run_id if r.failed else None] for n, r in known.items()}, file)
    ask(NAMES)
"""
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def main() -> None:
    folder, given = Path(sys.argv[1]), json.loads(sys.argv[2])
    (folder / "asks.py").write_text(ASKS.replace("NAMES", repr([*given, "unknown"])))
    asks = DagBag(str(folder)).dags["asks"]
    with settings.Session() as session:
        session.add(DagBundleModel(name="named"))
        session.flush()
        for name, known in given.items():
            dag_id = f"ingest__{name}"
            about: dict[str, Any] = {"bundle_name": "named", "fileloc": "n.py", "is_stale": False}
            session.add(DagModel(dag_id=dag_id, is_paused=known["paused"], **about))
            session.flush()
            for n, state in enumerate(known["runs"]):
                at = BEGAN + timedelta(hours=n)
                run = DagRun(dag_id=dag_id, run_id=f"run-{n}", run_type="scheduled", logical_date=at, run_after=at)
                run.state = state
                run.end_date = None if state == "running" else at + timedelta(minutes=1)
                session.add(run)
        session.commit()
    state = str(asks.test().state)

    from lakelock.page import access

    readable = set(sys.argv[3:])
    access._allowed = lambda request, user, method, entity, dag_id: dag_id in readable
    page = {
        name: [r.is_paused, r.failed.run_id if r.failed else None]
        for name, r in access.ingest_runs(cast(Any, None), None, list(given)).items()
    }
    print("RESULT " + json.dumps({"state": state, "watch": json.loads(Path("told.json").read_text()), "page": page}))


if __name__ == "__main__":
    main()
