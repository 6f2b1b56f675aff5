"""The guards of rules that are edited while a routed table is gone."""

from __future__ import annotations

from mutations.mutation import Mutation

EDITED = "tests/interleavings/test_edited_routes_and_lost_logs.py::"
WITHOUT = "tests/interleavings/test_rules_edited_without_a_table.py::"

EDITED_RULES = (
    Mutation(
        "once",
        "after a recovery without a table, batches are planned by other rules",
        "app/runtime.py",
        "            refuse_edited=self._refuse_edited,\n",
        "",
        WITHOUT + "test_nothing_is_planned_by_other_rules_until_the_table_is_back",
    ),
    Mutation(
        "once",
        "after a recovery without a table, a batch that is planned gets other rules",
        "ingest/attempt.py",
        "                self.routed.refuse_edited()\n",
        "                pass\n",
        WITHOUT + "test_a_batch_that_was_planned_before_the_edit_is_not_written_by_other_rules",
    ),
    Mutation(
        "once",
        "a table that is back after a recovery without it is not asked which records it has",
        "ingest/edited_rules.py",
        "        if table.ledger is not None and (there",
        "        if False and (there",
        WITHOUT + "test_nothing_is_planned_by_other_rules_until_the_table_is_back",
    ),
    Mutation(
        "once",
        "offsets that a table which is gone may have are planned by other rules than those of then",
        "recovery/rebuild_decision.py",
        "        frontiers[source] = max(frontiers[source], first)",
        "        pass",
        EDITED + "test_a_recovery_plans_from_where_the_last_rules_begin",
    ),
)
