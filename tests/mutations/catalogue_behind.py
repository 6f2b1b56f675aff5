"""The guards of tables that are behind the mark of a pipeline with routes."""

from __future__ import annotations

from mutations.mutation import Mutation

CUTS = "tests/unit/test_cuts.py::"
BEHIND = "tests/interleavings/test_tables_behind.py::"
REBOUND = "tests/interleavings/test_routed_rebinding.py::"

TABLES_BEHIND = (
    Mutation(
        "once",
        "after a lost log, a table does not get what the ledger says it lacks",
        "recovery/tail_decision.py",
        "name: list(ranges) for name, ranges in routes.behind.items() if",
        "name: list(ranges) for name, ranges in () if",
        BEHIND + "test_a_recovery_reads_what_a_table_behind_lacks_for_it_alone",
    ),
    Mutation(
        "once",
        "after a lost log, nothing is read for a table that is behind and gone",
        "recovery/tail_decision.py",
        "if routes.is_routed(name) and name not in retired",
        "if any(s.table == name for s in stands)",
        BEHIND + "test_a_table_that_was_never_created_gets_what_it_lacks_after_a_lost_log",
    ),
    Mutation(
        "progress",
        "after a lost log, a table reads again what it has got since the mark was written",
        "recovery/tail_decision.py",
        "without(united([*lack.get(stand.table, ()), *own.owed, *own.requested]), own.ranges)",
        "united([*lack.get(stand.table, ()), *own.owed, *own.requested])",
        BEHIND + "test_what_a_table_behind_has_got_since_is_not_read_again",
    ),
    Mutation(
        "once",
        "the mark passes a table without naming it",
        "ingest/marking.py",
        "return before._replace(mark=mark, behind={table: ranges for table, ranges in lack.items() if ranges})",
        "return before._replace(mark=mark, behind={})",
        CUTS + "test_the_mark_passes_a_table_that_is_late_and_says_what_it_lacks",
    ),
    Mutation(
        "progress",
        "one table that cannot be committed holds the mark",
        "ingest/marking.py",
        "if of.waits_s >= behind_after_s}",
        "if False}",
        BEHIND + "test_the_mark_passes_a_table_that_waits_for_long_until_it_has_caught_up",
    ),
    Mutation(
        "once",
        "the mark passes tables whose parts have only just been staged",
        "ingest/marking.py",
        "if of.waits_s >= behind_after_s}",
        "}",
        CUTS + "test_others_wait_for_a_table_that_has_not_waited_for_long",
    ),
    Mutation(
        "fail closed",
        "any number of tables is named as behind",
        "ingest/marking.py",
        "return named | late if len(named | late) <= MOST_BEHIND else named",
        "return named | late",
        CUTS + "test_with_too_many_tables_behind_the_mark_waits",
    ),
    Mutation(
        "progress",
        "a table that is behind holds the mark again once others are late, too",
        "ingest/marking.py",
        "<= MOST_BEHIND else named",
        "<= MOST_BEHIND else set()",
        CUTS + "test_tables_that_are_behind_stay_so_beside_too_many_others",
    ),
    Mutation(
        "once",
        "of too many ranges that a table lacks, some are not named",
        "model/consistent_cut.py",
        "[(some[0][0], some[-1][1])]",
        "[some[0]]",
        CUTS + "test_too_many_ranges_of_a_table_are_one_of_each_source",
    ),
    Mutation(
        "once",
        "a mark that was drawn up before a recovery is written after it",
        "ingest/marking.py",
        "if ledger is None or newest is None or ledger.paused or is_ahead(state, known):",
        "if ledger is None or newest is None or ledger.paused:",
        BEHIND + "test_a_mark_of_before_a_recovery_is_not_written",
    ),
    Mutation(
        "publish",
        "a consumer group passes records that a table behind lacks",
        "ingest/publish.py",
        "log.routed_progress(pipeline).complete if",
        "log.routed_progress(pipeline).decided if",
        BEHIND + "test_groups_stay_where_a_table_lacks_records",
    ),
    Mutation(
        "progress",
        "the cut of the last records waits for further ones",
        "app/runtime.py",
        "publish_due=self.file.route is not None and marking.is_due(self.steps)",
        "publish_due=False",
        "tests/interleavings/test_routed_batches.py::test_the_cut_of_the_last_records_waits_for_no_further_ones",
    ),
    Mutation(
        "once",
        "a table that took the place of another counts as complete until the next mark",
        "gaps/registered_table.py",
        "{**ledger.behind, self.name: lacks} if lacks else",
        "",
        REBOUND + "test_a_new_table_is_behind_until_it_has_what_the_former_one_had",
    ),
    Mutation(
        "once",
        "a mark claims a new table that the log does not have yet",
        "ingest/marking.py",
        "        empty = [t for t in refilled if bound.get(t) != registry.tables[t].uuid]\n",
        "",
        REBOUND + "test_a_new_table_is_behind_until_it_has_what_the_former_one_had",
    ),
    Mutation(
        "once",
        "a mark that was drawn up before a rebind claims the new table",
        "ingest/marking.py",
        "        now = context.log.routed_progress(context.pipeline.name)\n    after",
        "    after",
        REBOUND + "test_a_mark_of_before_a_rebind_does_not_claim_the_new_table",
    ),
)
