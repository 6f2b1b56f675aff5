"""A question to a person, whose *Reject* shows in Airflow's grid: the task is skipped, as all that follows it.

Imported at every parse of a DAG file that asks.
"""

from __future__ import annotations

from typing import Any

from airflow.providers.standard.operators.hitl import ApprovalOperator
from airflow.sdk.exceptions import AirflowSkipException, DownstreamTasksSkipped


class Approval(ApprovalOperator):  # type: ignore[misc]
    """Airflow's own ends in success whatever the answer was, so a run looks as if it had been approved."""

    def execute_complete(self, context: Any, event: dict[str, Any]) -> Any:
        try:
            return super().execute_complete(context, event)
        except DownstreamTasksSkipped:
            by = (event["responded_by_user"] or {}).get("name") or "somebody"
            said = f"rejected by {by}: nothing was changed"
            self.log.info("%s", said)
            raise AirflowSkipException(said) from None
