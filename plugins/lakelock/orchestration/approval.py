"""An approval whose *Reject* shows in Airflow's grid: the task and all tasks after it are skipped.

Imported at every parse of a DAG file that asks for an approval.
"""

from __future__ import annotations

from typing import Any

from airflow.providers.standard.operators.hitl import ApprovalOperator
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException, DownstreamTasksSkipped

QUESTION = "asked"
OTHERWISE = (
    "the tables have changed since this run asked for approval, but Airflow still shows the old preview: you would approve "
    "changes that it does not show. Nothing was changed. Start a new run."
)


class Approval(ApprovalOperator):  # type: ignore[misc]
    """An approval that is skipped if rejected. Airflow's own succeeds with any answer, as if the run were approved.

    The result of *preview* at the time of the question is kept as long as the question, for the tasks that act on the
    answer.
    """

    def __init__(self, *, preview: str, **settings: Any) -> None:
        super().__init__(**settings)
        self.preview = preview

    def execute(self, context: Any) -> Any:
        from airflow.sdk.execution_time.context import NEVER_EXPIRE

        ti, store = context["ti"], context["task_state_store"]
        shown = ti.xcom_pull(task_ids=self.preview)
        # Kept even if the task is cleared, because Airflow keeps the question, with its first text, as well.
        shown_before = store.get(QUESTION)
        if shown_before is None and ti.try_number == 1:
            store.set(QUESTION, shown, retention=NEVER_EXPIRE)
        elif shown_before != shown:
            # It may also be missing: a site may clear the state of tasks when they end.
            raise AirflowFailException(OTHERWISE)
        ti.xcom_push(key=QUESTION, value=shown)
        self.body = shown["text"]
        return super().execute(context)

    def execute_complete(self, context: Any, event: dict[str, Any]) -> Any:
        try:
            return super().execute_complete(context, event)
        except DownstreamTasksSkipped:
            by = (event["responded_by_user"] or {}).get("name") or "an unknown user"
            said = f"rejected by {by}: nothing was changed"
            self.log.info("%s", said)
            raise AirflowSkipException(said) from None
