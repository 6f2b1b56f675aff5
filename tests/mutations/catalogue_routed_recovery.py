"""The guards of recoveries, rebinds and audits of pipelines with routes."""

from __future__ import annotations

from mutations.mutation import Mutation

TAILS = "tests/unit/test_tail_decisions.py::"
DECIDED = "tests/unit/test_decided_records.py::"
AUDITED = "tests/unit/test_routed_audit.py::"
RECOVERED = "tests/interleavings/test_routed_recoveries.py::"
LETTERS = "tests/interleavings/test_letters_of_routed_recoveries.py::"
NEW = "tests/interleavings/test_lost_logs_with_new_tables.py::"
REBOUND = "tests/interleavings/test_routed_rebinding.py::"

ROUTED_RECOVERY = (
    Mutation(
        "progress",
        "a routed table belongs to an installation before it is registered",
        "ingest/new_tables.py",
        "            return self.prepare.existing(self.pipeline, table, sample, bound)",
        "            return self.prepare.prepared(self.pipeline, table, sample)",
        NEW + "test_a_killed_process_leaves_no_table_that_is_stuck",
    ),
    Mutation(
        "fence",
        "a registered table without a commit is not fenced",
        "recovery/recover.py",
        "            give_ledgers(self.context, examined.unadopted, self.pause)\n",
        "",
        NEW + "test_a_registered_table_without_a_commit_is_fenced_by_a_recovery",
    ),
    Mutation(
        "progress",
        "after a lost log, routed tables are read again from the start, which Kafka has deleted",
        "recovery/tail_decision.py",
        "[*routes.mark.ranges, *_given_up(routed)]",
        "_given_up(routed)",
        RECOVERED + "test_a_table_without_rows_for_long_needs_nothing_that_kafka_has_deleted",
    ),
    Mutation(
        "once",
        "after a lost log, a routed table does not get back what a rollback removed",
        "recovery/tail_decision.py",
        "*own.owed]), own.ranges)",
        "]), own.ranges)",
        RECOVERED + "test_what_a_rollback_took_out_is_read_for_that_table_alone",
    ),
    Mutation(
        "progress",
        "after a lost log, a routed table is read from its own end on, though it has no records there",
        "recovery/rebuild_decision.py",
        "for stand in (s for s in stands if not routes.is_routed(s.table)):",
        "for stand in stands:",
        TAILS + "test_a_table_without_rows_for_long_is_not_read_from_its_own_end",
    ),
    Mutation(
        "progress",
        "after a lost log, a routed table waits for offsets that have no records for it, and nothing reads them again",
        "recovery/adoption.py",
        "after = replace(after, coverage=after.coverage.owing_within(self.mark.ranges))",
        "pass",
        REBOUND + "test_what_a_table_owes_above_the_mark_is_settled_by_the_batches_of_all_tables",
    ),
    Mutation(
        "once",
        "after a lost log, outstanding offsets above everything else are routed by other rules",
        "recovery/rebuild_decision.py",
        "ends = [covered.end_offset, *(end for _, end in covered.owed)]",
        "ends = [covered.end_offset]",
        TAILS + "test_what_a_table_owes_is_read_for_it_alone_below_the_mark_and_with_all_others_above",
    ),
    Mutation(
        "once",
        "after a lost log, dead letters without a table do not move the frontier",
        "recovery/rebuild_decision.py",
        "        if plain in frontiers:",
        "        if plain in frontiers and not routes.registry.configs:",
        TAILS + "test_letters_without_a_table_move_the_frontier",
    ),
    Mutation(
        "once",
        "after a lost log, a batch has offsets that were routed by two configurations",
        "recovery/tail_decision.py",
        "while at < len(out) and (out[at][0] != key or _room(out[at][2], max_offsets) <= 0):",
        "while at < len(out) and _room(out[at][2], max_offsets) <= 0:",
        TAILS + "test_no_batch_of_a_tail_has_offsets_of_two_configurations",
    ),
    Mutation(
        "once",
        "a recovery keeps a configuration under which nothing was committed, and later offsets are read again by it",
        "recovery/recover.py",
        "            self._cut_configs(preview)\n",
        "",
        RECOVERED + "test_a_configuration_under_which_nothing_was_committed_is_cut",
    ),
    Mutation(
        "fence",
        "a recovery does not fence a table that was registered after its preview",
        "recovery/recover.py",
        "self._examiner.look_at(sorted(examined.registry.tables), bound, examined):",
        "():",
        RECOVERED + "test_a_table_that_is_registered_until_the_fence_is_fenced_as_well",
    ),
    Mutation(
        "fence",
        "a recovery fences only tables that the file or the log names",
        "recovery/examination.py",
        "        self.look_at(sorted(out.registry.tables), bound, out)\n",
        "",
        RECOVERED + "test_a_table_that_is_gone_is_named_and_not_created",
    ),
    Mutation(
        "once",
        "a log is rebuilt without a routed table that exists",
        "recovery/loss_preview.py",
        "*of_file(pipeline), *routed}",
        "*of_file(pipeline)}",
        RECOVERED + "test_no_log_is_rebuilt_without_a_routed_table_that_cannot_be_read",
    ),
    Mutation(
        "identity",
        "a recovery takes another table for a registered one",
        "recovery/examination.py",
        "known = {**{name: t.uuid for name, t in registered.items() if t.uuid is not None}, **bound}",
        "known = dict(bound)",
        RECOVERED + "test_a_table_that_is_gone_is_named_and_not_created",
    ),
    Mutation(
        "unknown is not failed",
        "a log behind the mark is not taken for a restored one",
        "recovery/rebuild_decision.py",
        "known |= {source: covered.end_offset for source, covered in (stand.ledger.mark or {}).items()}",
        "pass",
        TAILS + "test_a_log_behind_the_mark_was_restored_or_lost",
    ),
    Mutation(
        "once",
        "an attempt writes a batch of a restored log that is complete in all tables",
        "ingest/attempt.py",
        "            if not batch.closed and current.ledger is not None:",
        "            if False:",
        RECOVERED + "test_a_restored_log_is_behind_the_mark",
    ),
    Mutation(
        "once",
        "a record that a routed table has becomes a dead letter without a table",
        "ingest/part_results.py",
        "        refuse_decided(books, held(), dead_letters.coverage)",
        "        pass",
        LETTERS + "test_a_record_that_a_table_has_becomes_no_dead_letter_without_a_table",
    ),
    Mutation(
        "once",
        "a dead letter of a table becomes one without a table as well",
        "ingest/decided_records.py",
        "if target and source == r.source and _has_data(covered, r):",
        "if False:",
        DECIDED + "test_no_record_becomes_a_letter_where_the_letters_of_its_batch_are_committed",
    ),
    Mutation(
        "identity",
        "a rebind does not register the new table",
        "gaps/rebind.py",
        "registered.replaced_by(self.context, self.context.tables.load(table), self.pause)",
        "pass",
        RECOVERED + "test_a_table_that_is_gone_is_named_and_not_created",
    ),
    Mutation(
        "identity",
        "a rebind that wakes up names the table that it made once",
        "gaps/registered_table.py",
        "if known != self.own:",
        "if False:",
        REBOUND + "test_a_rebind_that_wakes_up_does_not_name_the_table_that_it_made",
    ),
    Mutation(
        "once",
        "a log that is lost after a rebind forgets what the new table lacks",
        "gaps/rebind.py",
        "coverage = coverage.owing(registered.owed(context, list(now.again)))",
        "pass",
        REBOUND + "test_a_log_that_is_lost_after_a_rebind_knows_what_the_new_table_owes",
    ),
    Mutation(
        "once",
        "an audit takes outstanding offsets of a routed table for offsets without records",
        "audit/routed_audit.py",
        "return without(united([*ahead, *evidence.open]), own.ranges)",
        "return without(united([*ahead, *evidence.open, *own.owed]), own.ranges)",
        AUDITED + "test_what_a_table_owes_is_missing_until_it_is_on_its_way",
    ),
)
