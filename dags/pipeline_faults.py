"""Shows the faults of all pipeline files among Airflow's import errors. Defines no DAG, so its error hides none."""

from __future__ import annotations

from airflow.sdk import get_parsing_context
from lakelock.config import BrokenPipeline
from lakelock.errors import ConfigFaults
from lakelock.orchestration import dag_builder

if get_parsing_context().dag_id is None:
    messages = [p.message for p in dag_builder.pipelines(__file__, "") if isinstance(p, BrokenPipeline)]
    if messages:
        raise ConfigFaults("\n".join(messages))
