"""Lineage of commits for Airflow's OpenLineage provider; nothing if a site lacks or disables it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from lakelock.adapters.openlineage.names import DatasetName, table_name, table_symlink, topic_name
from lakelock.app.runtime import Runtime
from lakelock.ingest.outcome import CommitOutcome

logger = logging.getLogger(__name__)

PROVIDER = "airflow.providers.openlineage"


def report(context: Any, runtime: Runtime, landed: Sequence[CommitOutcome]) -> None:
    """Let the provider report topics and tables when the task succeeds.

    Errors are only logged, because the commits have landed.
    """
    if not landed:
        return
    try:
        lineage = _lineage(runtime, landed) if _is_wanted() else None
    except Exception:
        logger.exception("commits are not reported to OpenLineage")
        return
    if lineage is None:
        return
    # The provider calls this method if a task has it. A decorated function has none, so it is set on its operator.
    context["task"].get_openlineage_facets_on_complete = lambda _: lineage


def _is_wanted() -> bool:
    if find_spec(PROVIDER) is None:
        return False
    from airflow.providers.openlineage import conf

    return not conf.is_disabled()


def _lineage(runtime: Runtime, landed: Sequence[CommitOutcome]) -> Any:
    from airflow.providers.openlineage.extractors import OperatorLineage
    from openlineage.client.event_v2 import InputDataset

    servers = runtime.kafka_config["bootstrap.servers"]
    topics = sorted({r.source.topic for outcome in landed for r in outcome.ranges})
    tables = dict.fromkeys(outcome.table for outcome in landed)
    return OperatorLineage(
        inputs=[InputDataset(*topic_name(servers, topic)) for topic in topics],
        outputs=[_output(runtime, table, [o for o in landed if o.table == table]) for table in tables],
    )


def _output(runtime: Runtime, table: str, landed: Sequence[CommitOutcome]) -> Any:
    from openlineage.client.event_v2 import OutputDataset
    from openlineage.client.facet_v2 import dataset_version_dataset, output_statistics_output_dataset, symlinks_dataset

    name = table_name(runtime.tables.load(table).location)
    symlink: DatasetName = table_symlink(runtime.catalog[1].get("uri", ""), table)
    return OutputDataset(
        *name,
        facets={
            "version": dataset_version_dataset.DatasetVersionDatasetFacet(str(landed[-1].version_id)),
            "symlinks": symlinks_dataset.SymlinksDatasetFacet(
                [symlinks_dataset.Identifier(symlink.namespace, symlink.name, "TABLE")]
            ),
        },
        outputFacets={
            "outputStatistics": output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(
                rowCount=sum(outcome.rows for outcome in landed)
            )
        },
    )
