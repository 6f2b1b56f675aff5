"""The plugin as Airflow's processes import it: light, and whatever is wrong with the page the api-server answers on."""

from __future__ import annotations

from pathlib import Path

from kits.airflow import airflow_environment, result_of

ASK = """
import json, sys
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient
sys.path.insert(0, {plugins!r})
import importlib
real, imported = importlib.import_module, []
importlib.import_module = lambda name, package=None: (imported.append(name), real(name, package))[1]
import lakelock_plugin
ours = sorted(m for m in sys.modules if m.startswith("lakelock."))
if {broken!r}:
    # As where a file of it is missing or a package of another release is installed.
    sys.modules["lakelock.page.app"] = None
(app,) = (a["app"] for a in lakelock_plugin.LakelockPlugin.fastapi_apps)
client = TestClient(Starlette(routes=[Mount("/lakelock", app)]))
answers = [client.get(path).status_code for path in ("/lakelock/static/style.css", "/lakelock/page")]
views = [(v["destination"], v["href"]) for v in lakelock_plugin.LakelockPlugin.external_views]
print("RESULT " + json.dumps({{"ours": ours, "answers": answers, "views": views,
    "imports": imported.count("lakelock.page.app")}}))
"""


def ask(home: Path, *, broken: bool) -> dict[str, object]:
    environment = airflow_environment(home)
    script = ASK.format(plugins=environment["AIRFLOW__CORE__PLUGINS_FOLDER"], broken=broken)
    found: dict[str, object] = result_of(["-c", script], environment)
    return found


def test_airflow_imports_a_timetable_of_the_library_and_nothing_for_the_page(tmp_path: Path) -> None:
    found = ask(tmp_path, broken=False)
    light = [
        "lakelock.model",
        "lakelock.model.units",
        "lakelock.orchestration",
        "lakelock.orchestration.backfill_timetable",
    ]
    assert found["ours"] == light, "it is imported in every process of Airflow"
    assert found["answers"] == [200, 401]
    assert found["views"] == [["nav", "lakelock/page"], ["dag", "lakelock/page?dag_id={DAG_ID}"]]


def test_a_page_that_cannot_be_imported_answers_so_and_stops_nothing(tmp_path: Path) -> None:
    found = ask(tmp_path, broken=True)
    assert found["answers"] == [503, 503]
    assert found["imports"] == 1, "who asks need not be logged in: not each request may cost an import"
