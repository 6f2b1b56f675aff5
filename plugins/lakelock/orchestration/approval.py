"""A question to a person, whose *Reject* shows in Airflow's grid: the task is skipped, as all that follows it.

Imported at every parse of a DAG file that asks.
"""

from __future__ import annotations

from typing import Any

from airflow.providers.standard.operators.hitl import ApprovalOperator
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException, DownstreamTasksSkipped

ASKED = "asked"
OTHERWISE = (
    "the tables have changed since this run asked, and Airflow keeps the text of a question: an answer would approve "
    "changes that it does not show. Nothing was changed. Start a new run."
)


class Approval(ApprovalOperator):  # type: ignore[misc]
    """Airflow's own ends in success whatever the answer was, so a run looks as if it had been approved.

    What *look* gave when it was asked is kept as long as the question, for whoever acts on the answer.
    """

    def __init__(self, *, look: str, **settings: Any) -> None:
        super().__init__(**settings)
        self.look = look

    def execute(self, context: Any) -> Any:
        from airflow.sdk.execution_time.context import NEVER_EXPIRE

        ti, store = context["ti"], context["task_state_store"]
        shown = ti.xcom_pull(task_ids=self.look)
        # It outlives a task that is cleared, as Airflow's question does, whose text is the first one for ever.
        asked = store.get(ASKED)
        if asked is None and ti.try_number == 1:
            store.set(ASKED, shown, retention=NEVER_EXPIRE)
        elif asked != shown:
            # Or it is not known: a site may have what tasks keep cleared away when they end.
            raise AirflowFailException(OTHERWISE)
        ti.xcom_push(key=ASKED, value=shown)
        self.body = shown["text"]
        return super().execute(context)

    def execute_complete(self, context: Any, event: dict[str, Any]) -> Any:
        try:
            return super().execute_complete(context, event)
        except DownstreamTasksSkipped:
            by = (event["responded_by_user"] or {}).get("name") or "somebody"
            said = f"rejected by {by}: nothing was changed"
            self.log.info("%s", said)
            raise AirflowSkipException(said) from None
