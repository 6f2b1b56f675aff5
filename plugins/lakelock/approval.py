"""A question to a person, whose *Reject* shows in Airflow's grid: the task is skipped, as all that follows it.

Imported at every parse of a DAG file that asks.
"""

from __future__ import annotations

from typing import Any

from airflow.providers.standard.operators.hitl import ApprovalOperator
from airflow.sdk.exceptions import AirflowSkipException, DownstreamTasksSkipped

ASKED = "asked"


class Approval(ApprovalOperator):  # type: ignore[misc]
    """Airflow's own ends in success whatever the answer was, so a run looks as if it had been approved.

    What *look* gave is kept with the question, for whoever acts on the answer.
    """

    def __init__(self, *, look: str, **settings: Any) -> None:
        super().__init__(body="{{ ti.xcom_pull(task_ids='" + look + "')['text'] }}", **settings)
        self.look = look

    def execute(self, context: Any) -> Any:
        # The text of the question was rendered just now, of the same.
        context["ti"].xcom_push(key=ASKED, value=context["ti"].xcom_pull(task_ids=self.look))
        return super().execute(context)

    def execute_complete(self, context: Any, event: dict[str, Any]) -> Any:
        try:
            return super().execute_complete(context, event)
        except DownstreamTasksSkipped:
            by = (event["responded_by_user"] or {}).get("name") or "somebody"
            said = f"rejected by {by}: nothing was changed"
            self.log.info("%s", said)
            raise AirflowSkipException(said) from None
