"""One DAG per pipeline file: cheap to parse, explicit about its schedule, and never hidden by another file's faults."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from jinja2 import StrictUndefined, Template
from kits.airflow import DAGS, airflow_environment, describe_folder
from lakelock.catalogue.reference import PAGE as COMMANDS_PAGE
from lakelock.config import load_folder
from lakelock.config import planned_dags as dags

pytestmark = pytest.mark.drawn(0.5, about=("dags/", "orchestration/dag_builder"))

Describe = Callable[..., dict[str, Any]]
SMALL = "source: {topics: [a]}\ntables: [{name: n.t}]\n"
HEAVY = {
    "psycopg",
    "pyiceberg",
    "pyarrow",
    "confluent_kafka",
    "pyspark",
    "pandas",
    "numpy",
    "duckdb",
    "llvmlite",
    "orjson",
    "croniter",
}
WATCH = "lakelock_watch"
EDGES = {
    "plan": ["commit", "publish", "write"],
    "write": ["commit", "done"],
    "commit": ["done", "publish"],
    "publish": ["done"],
    "done": [],
}


TABLES = "source: {topics: [a]}\ntables: [" + ", ".join(f"{{name: n.t{i}}}" for i in range(40)) + "]\n"
FILES = {
    "batch.yaml": "owner: team\ntags: [shop, a, b]\nschedule: {every: 90s}\n" + SMALL,
    "window.yaml": "schedule: {every: 5m, batch_every: 10s}\n" + SMALL,
    "cron.yaml": "schedule: {cron: '*/10 * * * *', timezone: Europe/Berlin}\nmaintenance: {every: 1d}\nalerts: {deadline: 30m}\n"
    + SMALL,
    "wide.yaml": TABLES,
    "wide_window.yaml": "schedule: {batch_every: 5s}\n" + TABLES,
    "routed.yaml": "source: {topics: [a]}\nroute: {rules: [{table: 'n.{event.type}'}]}\n",
    "mixed.yaml": TABLES + "route: {rules: [{topics: [a], table: 'n.{topic}'}]}\n",
    "routed_window.yaml": "commit: {pool: lake}\nschedule: {batch_every: 5s}\nsource: {topics: [a]}\nroute: {rules: [{table: 'n.{key}'}]}\n",
    "regex.yaml": "source: {topics_regex: 'a|b'}\ntables: [{name: n.t}]\n",
    "applied.yaml": "maintenance: {every: 1d, apply: true}\n" + SMALL,
    "hourly.yaml": "publish: {max_lateness: 15m}\n" + SMALL,
}


@pytest.fixture
def describe(tmp_path: Path) -> Describe:
    return partial(describe_folder, tmp_path)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("airflow")


@pytest.fixture(scope="module")
def parsed(home: Path) -> dict[str, Any]:
    return describe_folder(home, FILES)


def test_the_projects_own_pipelines_parse_without_errors(describe: Describe) -> None:
    found = describe()
    assert found["import_errors"] == {}
    own = [f"{kind}__flights" for kind in ("backfill", "ingest", "maintain", "recover", "rollback")]
    assert sorted(found["dags"]) == sorted([*own, WATCH])


def test_a_rollback_asks_a_person_between_the_plan_and_the_commit(parsed: dict[str, Any]) -> None:
    dag = parsed["dags"]["rollback__batch"]
    assert dag["edges"] == {"look": ["approve"], "approve": ["roll_back"], "roll_back": ["audit"], "audit": []}
    assert dag["params"]["table"]["enum"] == ["n.t"]
    assert (dag["owner"], dag["tags"]) == ("team", ["a", "b", "lakelock", "rollback", "shop"])
    assert "NullTimetable" in str(dag["timetable"])
    recover = parsed["dags"]["recover__batch"]
    assert recover["edges"] == {
        "look": ["approve"],
        "approve": ["recover"],
        "recover": ["audit", "tell"],
        "audit": [],
        "tell": [],
    }
    assert recover["params"]["decision"]["enum"] == [
        "none",
        "accept-loss",
        "apply",
        "pause",
        "rebind",
        "redrive",
        "resume",
        "retire",
    ]
    assert recover["params"]["reason"]["type"] == ["null", "string"]
    # A redrive has as many Spark jobs as a compaction.
    assert recover["hours_at_most"]["recover"] == parsed["dags"]["maintain__batch"]["hours_at_most"]["compact"] == 6


def test_the_page_of_commands_has_each_key_of_the_conf_that_a_run_takes(parsed: dict[str, Any]) -> None:
    _, *sections = re.split(
        r"^### `conf` of `(\w+)__<pipeline>`$", COMMANDS_PAGE.read_text("utf-8"), flags=re.MULTILINE
    )
    documented = {
        kind: re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
        for kind, section in zip(sections[::2], sections[1::2], strict=True)
    }
    of_dags = {n.removesuffix("__batch"): [*d["params"]] for n, d in parsed["dags"].items() if n.endswith("__batch")}
    assert documented == of_dags


def test_a_person_who_was_asked_does_not_wait_behind_ingest_runs(parsed: dict[str, Any]) -> None:
    dags = parsed["dags"]
    others = {
        w
        for dag_id, d in dags.items()
        if not re.match("(rollback|recover)__", dag_id)
        for w in d["priorities"].values()
    }
    for kind in ("rollback", "recover"):
        requested = dags[f"{kind}__batch"]["priorities"]
        assert {"look", "approve", "audit"} <= set(requested)
        assert min(requested.values()) > max(others)


def test_tables_are_tidied_then_audited_whatever_became_of_the_step_before(parsed: dict[str, Any]) -> None:
    dag = parsed["dags"]["maintain__batch"]
    assert dag["edges"] == {
        "compact": ["done", "expire"],
        "expire": ["done", "rewrite_manifests"],
        "rewrite_manifests": ["done", "orphans"],
        "orphans": ["audit", "done"],
        "audit": ["done"],
        "done": [],
    }
    assert dag["rules"] == {
        "compact": "all_done",
        "expire": "all_done",
        "rewrite_manifests": "all_done",
        "orphans": "all_done",
        "audit": "all_done",
        "done": "none_failed",
    }
    applied = parsed["dags"]["maintain__applied"]
    assert applied["edges"] == {"apply": ["compact", "done"], **dag["edges"]}
    assert applied["rules"] == {"apply": "all_success", **dag["rules"]}
    assert "NullTimetable" in str(dag["timetable"])
    assert parsed["dags"]["maintain__cron"]["timetable"]["__var"] == {"delta": 86400.0}
    assert {name: p["value"] for name, p in dag["params"].items()} == {"table": None, "dry_run": False}
    assert dag["params"]["table"]["enum"] == [None, "n.t", "n.batch__dead_letters"]
    # As the form knows a value that is null.
    assert dag["params"]["table"]["values_display"] == {"null": "all tables"}


def test_a_run_of_one_batch_is_four_tasks_in_a_row(parsed: dict[str, Any]) -> None:
    dag = parsed["dags"]["ingest__batch"]
    assert dag["edges"] == EDGES
    assert dag["rules"] == {
        "plan": "all_success",
        "write": "all_success",
        "commit": "all_done",
        "publish": "all_done",
        "done": "none_failed",
    }
    assert "DeltaDataIntervalTimetable" in str(dag["timetable"])
    assert dag["timetable"]["__var"] == {"delta": 90.0}
    assert (dag["catchup"], dag["max_active_runs"], dag["owner"]) == (False, 1, "team")
    assert dag["tags"] == ["a", "b", "ingest", "lakelock", "shop"]
    assert "backfill" not in dag["run_types"]
    assert "scheduled" in dag["run_types"]
    assert dag["groups"] == [["n.t", "n.batch__dead_letters"]]


def test_every_dag_survives_serialization(parsed: dict[str, Any]) -> None:
    assert parsed["import_errors"] == {}
    assert len(parsed["dags"]) == 5 * len(FILES) + 1
    assert all(dag["round_trip"] for dag in parsed["dags"].values())


def test_the_list_of_dags_is_what_airflow_makes_of_the_files(tmp_path: Path) -> None:
    files = {**FILES, "bad.yaml": SMALL + "ownr: x\n", "Odd name.yaml": SMALL}
    found = describe_folder(tmp_path, files)["dags"]
    planned = [*dags.planned(load_folder(tmp_path / "pipelines")), dags.watch({})]
    assert {d.dag_id: d.purpose for d in planned} == {dag_id: d["description"] for dag_id, d in found.items()}
    schedules = {}
    for dag_id, about in found.items():
        values = about["timetable"]["__var"]
        if "delta" in values:
            schedules[dag_id] = (values["delta"], None, "UTC")
        else:
            schedules[dag_id] = (None, values.get("expression"), values.get("timezone", "UTC"))
    assert schedules == {
        d.dag_id: (every.total_seconds() if (every := d.every or d.interval) else None, d.cron, d.timezone)
        for d in planned
    }


def test_every_default_of_a_form_is_a_value_that_the_form_takes(parsed: dict[str, Any]) -> None:
    # It is not checked at a parse: for the largest form that takes as long as all the rest of it.
    unfit = {dag_id: dag["unfit_defaults"] for dag_id, dag in parsed["dags"].items() if dag["unfit_defaults"]}
    without = [f"rollback__{Path(name).stem}" for name in FILES]
    assert sorted(unfit) == sorted(without)
    # The tables of a pipeline with routes are not known when its form is made.
    routed = {f"rollback__{Path(name).stem}": ["table"] for name, text in FILES.items() if "route: " in text}
    assert all(
        sorted(u.partition(":")[0] for u in unfit[name]) == ["mode", *routed.get(name, []), "why"] for name in without
    )


def test_the_tasks_of_a_dag_carry_no_copy_of_its_form(parsed: dict[str, Any]) -> None:
    tasks = parsed["dags"]["ingest__batch"]["serialized"]["dag"]["tasks"]
    assert tasks
    assert not any("max_records" in str(t["__var"].get("params")) for t in tasks)


def test_one_dag_watches_all_pipelines(parsed: dict[str, Any], describe: Describe) -> None:
    watch = parsed["dags"][WATCH]
    assert watch["edges"] == {"watch": []}
    assert watch["timetable"]["__var"] == {"delta": 300.0}
    assert describe(LAKELOCK_WATCH_EVERY="90s")["dags"][WATCH]["timetable"]["__var"] == {"delta": 90.0}


def test_a_window_commits_beside_the_write(parsed: dict[str, Any]) -> None:
    assert parsed["dags"]["ingest__window"]["edges"] == EDGES | {"write": ["done", "publish"]}


def test_complete_hours_are_reported_after_the_commits_where_the_file_asks_for_them(parsed: dict[str, Any]) -> None:
    dag = parsed["dags"]["ingest__hourly"]
    assert dag["edges"] == {
        "plan": ["commit", "hours", "publish", "write"],
        "write": ["commit", "done", "hours"],
        "commit": ["done", "hours", "publish"],
        "publish": ["done"],
        "hours": ["done"],
        "done": [],
    }
    assert dag["rules"]["hours"] == "all_done"
    assert "`iceberg://iceberg_default/n.t/hours/hourly`, at most 15m late" in dag["doc"]


def test_a_deadline_of_the_file_is_one_of_the_ingest_dag_and_carries_no_notifier(parsed: dict[str, Any]) -> None:
    [deadline] = parsed["dags"]["ingest__cron"]["serialized"]["dag"]["deadline"]
    text = str(deadline)
    assert "DagRunQueuedAtDeadline" in text
    assert "1800" in text
    assert "lakelock.orchestration.deadline.missed" in text
    assert not parsed["dags"]["ingest__batch"]["serialized"]["dag"].get("deadline")


def test_an_executor_that_runs_no_callbacks_gets_none_that_would_end_its_scheduler(tmp_path: Path) -> None:
    executor = "airflow.executors.base_executor.BaseExecutor"
    found = describe_folder(tmp_path, {"cron.yaml": FILES["cron.yaml"]}, AIRFLOW__CORE__EXECUTOR=executor)
    assert found["import_errors"] == {}
    assert not found["dags"]["ingest__cron"]["serialized"]["dag"].get("deadline")


def test_a_cron_schedule_has_data_intervals_of_its_own(parsed: dict[str, Any]) -> None:
    timetable = parsed["dags"]["ingest__cron"]["timetable"]
    assert "CronDataIntervalTimetable" in str(timetable)
    assert timetable["__var"] == {"expression": "*/10 * * * *", "timezone": "Europe/Berlin"}


def test_many_tables_share_sixteen_commit_tasks_and_two_in_a_window(parsed: dict[str, Any]) -> None:
    for name, count in (("wide", 16), ("wide_window", 2)):
        groups = parsed["dags"][f"ingest__{name}"]["groups"]
        assert len(groups) == count
        names = sorted(table for group in groups for table in group)
        assert names == sorted([*(f"n.t{i}" for i in range(40)), f"n.{name}__dead_letters"])


def test_a_dag_with_routes_has_a_few_commit_tasks_and_takes_any_name_of_a_table(parsed: dict[str, Any]) -> None:
    dags = parsed["dags"]
    dead_letters = "n.routed__dead_letters"
    assert dags["ingest__routed"]["groups"] == [[dead_letters], [], [], []]
    assert [len(of) for of in dags["ingest__routed_window"]["groups"]] == [1, 0]
    assert len(dags["ingest__mixed"]["groups"]) == 16
    label = Template(dags["ingest__routed"]["label"], undefined=StrictUndefined)
    for tables, shown in (
        ([dead_letters], f"{dead_letters}, routed tables, share 2 of 4"),
        ([], "routed tables, share 2 of 4"),
    ):
        values = {"task": {"op_kwargs": {"tables": tables}}, "ti": {"map_index": 1}}
        assert label.render(values) == shown
    assert "`n.{event.type}`, at most 1,000 tables" in dags["ingest__routed"]["doc"]
    pattern = "^[^.\\s/]+(\\.[^.\\s/]+)+$"
    for kind, name in (("rollback", "table"), ("maintain", "table"), ("recover", "table"), ("backfill", "table")):
        field = dags[f"{kind}__routed"]["params"][name]
        assert ("enum" in field, field["pattern"].startswith(pattern)) == (False, True)
        # Dead letters without a table are redriven, and no table is rolled back under this name.
        assert bool(re.search(field["pattern"], "*")) == (kind == "recover")
        assert [bool(re.search(field["pattern"], t)) for t in ("n.t", "n.a.t", "t", "**", "n.*")] == [1, 1, 0, 0, 1]
    assert dags["ingest__routed"]["params"]["commit_tables"]["items"] == {"type": "string", "pattern": pattern}
    assert dags["maintain__mixed"]["params"]["table"]["examples"][:2] == ["n.t0", "n.t1"]


def test_commit_tasks_take_slots_of_a_pool_of_their_own(parsed: dict[str, Any]) -> None:
    dags = parsed["dags"]
    for kind in ("ingest", "backfill"):
        pools = dags[f"{kind}__routed_window"]["pools"]
        assert {task for task, pool in pools.items() if pool == "lake"} == {"commit"}
        assert {*dags[f"{kind}__routed"]["pools"].values()} == {"default_pool"}


def test_the_trigger_form_explains_its_fields(parsed: dict[str, Any]) -> None:
    params = parsed["dags"]["ingest__batch"]["params"]
    assert {name: p["value"] for name, p in params.items()} == {
        "max_records": None,
        "commit_now": False,
        "dry_run": False,
        "stop_at_time": None,
        "stop_at_offsets": None,
        "commit_tables": None,
    }
    assert (params["max_records"]["type"], params["max_records"]["minimum"]) == (["null", "integer"], 1)
    assert all(p["description"] and p["title"] for p in params.values())
    # A section is folded until it is opened: what everybody uses is in none.
    assert {name for name, p in params.items() if "section" not in p} == {"max_records", "commit_now", "dry_run"}
    assert params["commit_tables"]["items"]["enum"] == ["n.t", "n.batch__dead_letters"]


def test_the_dags_page_shows_its_settings(parsed: dict[str, Any]) -> None:
    doc = parsed["dags"]["ingest__regex"]["doc"]
    for text in (
        "n.t",
        "n.regex__dead_letters",
        r"/a\|b/",
        "every 5m",
        "at 64MiB of staged files, or 1m after the first",
        "kafka_default",
        "lakelock.regex",
    ):
        assert text in doc


def test_parsing_imports_no_client_library_and_no_step(parsed: dict[str, Any]) -> None:
    assert HEAVY & {m.partition(".")[0] for m in parsed["modules"]} <= {"croniter"}
    ours = {m for m in parsed["modules"] if m.startswith("lakelock.")}
    light = (
        "lakelock.catalogue",
        "lakelock.config",
        "lakelock.errors",
        "lakelock.model",
        "lakelock.orchestration",
        "lakelock.records",
    )
    assert not [m for m in ours if not m.startswith(light) or m.endswith("_tasks")]


def test_a_second_parse_gives_the_same_dags(parsed: dict[str, Any], home: Path) -> None:
    # Anything that varies would make a new DAG version at every parse.
    again = describe_folder(home, FILES)
    assert {n: d["serialized"] for n, d in again["dags"].items()} == {
        n: d["serialized"] for n, d in parsed["dags"].items()
    }


def test_a_broken_file_shows_its_faults_twice_and_hides_no_other(describe: Describe) -> None:
    found = describe({"good.yaml": SMALL, "bad.yaml": SMALL + "ownr: x\nbach: {}\n", "Odd name.yaml": SMALL})
    of_ingest = {name for name in found["dags"] if name.startswith("ingest__")}
    assert of_ingest == {"ingest__good", "ingest__bad", "ingest__Odd_name"}
    others = {f"{kind}__good" for kind in ("backfill", "maintain", "recover", "rollback")}
    assert set(found["dags"]) - of_ingest == {*others, WATCH}
    bad = found["dags"]["ingest__bad"]
    assert bad["tags"] == ["broken", "lakelock"]
    assert list(bad["edges"]) == ["faults"]
    [(file, error)] = found["import_errors"].items()
    assert Path(file).name == "pipeline_faults.py"
    for text in ("bad.yaml:3: ownr", "bad.yaml:4: bach", "did you mean 'owner'?"):
        assert text in bad["doc"]
        assert text in error
    assert "Odd name.yaml:1" in error


def test_a_task_parses_its_own_pipeline_only(describe: Describe) -> None:
    files = {f"p{i}.yaml": SMALL for i in range(5)} | {"bad.yaml": "x: ["}
    found = describe(files, _AIRFLOW_PARSING_CONTEXT_DAG_ID="ingest__p3", _AIRFLOW_PARSING_CONTEXT_TASK_ID="plan")
    assert list(found["dags"]) == ["ingest__p3"]
    assert found["import_errors"] == {}
    found = describe(files, _AIRFLOW_PARSING_CONTEXT_DAG_ID="rollback__p3", _AIRFLOW_PARSING_CONTEXT_TASK_ID="look")
    # In a task the file's other DAGs of the same pipeline cost nothing worth a special case.
    assert "rollback__p3" in found["dags"]
    assert all(name.endswith("__p3") for name in found["dags"])
    found = describe(files, _AIRFLOW_PARSING_CONTEXT_DAG_ID=WATCH, _AIRFLOW_PARSING_CONTEXT_TASK_ID="watch")
    assert list(found["dags"]) == [WATCH]


def test_hundreds_of_pipelines_parse_in_seconds(describe: Describe, capsys: pytest.CaptureFixture[str]) -> None:
    found = describe({f"p{i}.yaml": SMALL for i in range(200)}, names_only=True)
    assert len(found["dags"]) == 5 * 200 + 1
    with capsys.disabled():
        print(f"\nparsing 200 pipelines: {found['processor_seconds']:.2f} s of processor time")
    assert found["processor_seconds"] < 10


def test_airflow_keeps_out_of_the_library_and_of_the_pipeline_files(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from airflow.plugins_manager import _get_plugins\n"
        "plugins, errors = _get_plugins()\n"
        "print([p.name for p in plugins if p.name == 'lakelock'], errors)\n"
        "print(sorted(m for m in sys.modules if m.startswith('lakelock')))\n"
        f"print(sorted({HEAVY} & {{m.partition('.')[0] for m in sys.modules}}))\n"
        "from airflow._shared.module_loading.file_discovery import find_path_from_directory\n"
        f"print(sorted(p.rpartition('/')[2] for p in find_path_from_directory({str(DAGS)!r}, '.airflowignore', 'glob')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        env=airflow_environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    loaded, modules, heavy, files = done.stdout.splitlines()[-4:]
    assert loaded == "['lakelock'] {}"
    # The plugin module and its timetable: Airflow would import every file of the folder, without this.
    light = [
        "lakelock",
        "lakelock.model",
        "lakelock.model.units",
        "lakelock.orchestration",
        "lakelock.orchestration.backfill_timetable",
        "lakelock_plugin",
    ]
    assert modules == str(light)
    assert set(eval(heavy)) <= {"croniter"}
    assert "flights.yaml" not in files


@pytest.mark.parametrize(("command", "loaded"), [("scheduler", 4), ("api-server", 0)])
def test_the_scheduler_preloads_heavy_modules_and_other_components_do_not(
    tmp_path: Path, command: str, loaded: int
) -> None:
    script = (
        "import sys\n"
        "from airflow.listeners.listener import get_listener_manager\n"
        "heavy = {'psycopg', 'pyiceberg', 'confluent_kafka', 'pyspark'}\n"
        "listeners = get_listener_manager()\n"
        "assert not heavy & {m.partition('.')[0] for m in sys.modules}\n"
        "listeners.hook.on_starting(component=None)\n"
        "print('LOADED', len({m.partition('.')[0] for m in sys.modules} & heavy))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, command],
        env=airflow_environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"LOADED {loaded}" in done.stdout.splitlines(), done.stdout + done.stderr


def test_a_pipelines_folder_that_is_not_there_is_an_import_error(tmp_path: Path, describe: Describe) -> None:
    found = describe(LAKELOCK_PIPELINES=str(tmp_path / "nowhere"))
    assert list(found["dags"]) == [WATCH]
    assert any("no folder of pipeline files" in error for error in found["import_errors"].values())
