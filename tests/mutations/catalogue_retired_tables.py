"""The guards of routed tables that are retired."""

from __future__ import annotations

from mutations.mutation import Mutation

RACES = "tests/interleavings/test_registry_races.py::"
RETIRED = "tests/interleavings/test_retired_tables.py::"
BACK = "tests/interleavings/test_retired_tables_that_come_back.py::"
DYING = "tests/interleavings/test_retirements_that_die.py::"
TAILS = "tests/unit/test_tail_decisions.py::"
RETIREMENTS = "tests/unit/test_retirements.py::"
AND_RECOVERIES = "tests/interleavings/test_retirements_and_recoveries.py::"
REBINDS = "tests/interleavings/test_rebinds_and_lost_logs.py::"
WAL_ROUTES = "tests/integration/test_wal_routes.py::"

RETIRED_TABLES = (
    Mutation(
        "once",
        "an attempt that began before a table was retired closes its batch with the table",
        "ingest/closing_decision.py",
        "if known.is_retired or known.retirement.has(sorted(ranges)):",
        "if False:",
        BACK + "test_a_stage_of_before_a_retirement",
    ),
    Mutation(
        "once",
        "records for a retired table make the table again",
        "ingest/routed_batch.py",
        "            retired=self.retired,",
        "            retired=frozenset(),",
        RETIRED + "test_records_of_a_retired_table_become_dead_letters",
    ),
    Mutation(
        "once",
        "after a lost log, rows of a table that was retired since become dead letters as well",
        "model/retirement.py",
        "        return any(start <= r.start and r.end <= end for start, end in own)",
        "        return bool(own)",
        DYING + "test_a_tail_below_the_retirement_is_read_again_without_the_table",
    ),
    Mutation(
        "progress",
        "after a lost log, records of before a retirement make the table again",
        "ingest/routed_batch.py",
        "            left_out=frozenset(away),",
        "            left_out=frozenset(),",
        DYING + "test_a_tail_below_the_retirement_is_read_again_without_the_table",
    ),
    Mutation(
        "once",
        "a recovery plans a batch across the beginning of a retirement",
        "recovery/rebuild_decision.py",
        "            frontiers[source] = max(frontiers[source], end)",
        "            pass",
        DYING + "test_a_log_that_is_lost",
    ),
    Mutation(
        "once",
        "a recovery reads a range across the edge of a retirement in one batch",
        "ingest/unclosed_decision.py",
        "edges.setdefault(source, set()).update(registry.retirement_edges(source))",
        "pass",
        TAILS + "test_a_retired_table_gets_records_in_no_batch_or_in_all_of_one",
    ),
    Mutation(
        "once",
        "a recovery puts ranges in which a table is retired, and others, into one batch",
        "ingest/unclosed_decision.py",
        "(piece.digest, is_lost, registry.retired_at(piece.range))",
        "(piece.digest, is_lost, frozenset())",
        TAILS + "test_a_retired_table_gets_records_in_no_batch_or_in_all_of_one",
    ),
    Mutation(
        "once",
        "a batch that was planned while a table was retired gives it records after a rebind",
        "model/registry.py",
        "out[name] = t._replace(retirement=out.get(name, t).retirement.joined(t.retirement))",
        "out[name] = t if t.is_retired else t._replace(retirement=NEVER)",
        BACK + "test_dead_letters_that_are_planned_again_are_decided_as_before",
    ),
    Mutation(
        "progress",
        "a recovery asks for a retired table that was dropped",
        "recovery/examination.py",
        "seen = {*before, *out.unknown, *out.unadopted, *out.registry.retired, *(f.about for f in out.found)}",
        "seen = {*before, *out.unknown, *out.unadopted, *(f.about for f in out.found)}",
        DYING + "test_a_recovery_asks_for_no_retired_table",
    ),
    Mutation(
        "once",
        "a table is retired for records that a recovery reads again and that it has",
        "gaps/decision.py",
        "if not b.closed and not b.has_survey for p in b.ranges)",
        "if False for p in b.ranges)",
        REBINDS + "test_a_recovery_that_comes_before_the_log_retires_a_table_refuses_it",
    ),
    Mutation(
        "once",
        "Postgres retires a table beside a batch of a recovery that is not closed",
        "adapters/wal/recorded_decisions.py",
        "    refuse_reread(table, read_planned(connection, pipeline))\n",
        "",
        WAL_ROUTES + "test_a_table_is_not_retired_while_a_batch_reads_for_all_tables_again",
    ),
    Mutation(
        "once",
        "a commit in flight is committed to a table that is retired",
        "gaps/retired_table.py",
        "            self._fence(registered, said, planned.ranges)",
        "            pass",
        RETIRED + "test_a_commit_in_flight_does_not_land",
    ),
    Mutation(
        "once",
        "a late attempt that creates a retired table makes the registry forget that it is retired",
        "model/registry.py",
        "name: self.tables[name]._replace(uuid=t.uuid) if name in self.tables else t",
        "name: t._replace(raw_name=self.tables[name].raw_name) if name in self.tables else t",
        RETIREMENTS + "test_a_registry_keeps_it",
    ),
    Mutation(
        "once",
        "parts of a table are given up before the dead-letter table has its retirement, so the mark passes them",
        "gaps/retired_table.py",
        "        registered.retired(self.context, log.retire_table(pipeline, table), said, self.pause)\n"
        '        log.give_up_parts(pipeline, table, f"retired by {who}: {why}")',
        "        retirement = log.retire_table(pipeline, table)\n"
        '        log.give_up_parts(pipeline, table, f"retired by {who}: {why}")\n'
        "        registered.retired(self.context, retirement, said, self.pause)",
        DYING + "test_a_log_that_is_lost",
    ),
    Mutation(
        "once",
        "a commit that saw less forgets what another process named as behind",
        "ingest/marking.py",
        "return without(behind, [*decided, *now.known])",
        "return []",
        RACES + "test_a_commit_that_saw_less_keeps_what_another_one_named_as_behind",
    ),
    Mutation(
        "once",
        "dead letters go to a table that had them as an entry",
        "redrive/assignment.py",
        "refuse_names(pipeline, self.context.log, new, len(there)",
        "refuse_names(pipeline, self.context.log, (), len(there)",
        RACES + "test_letters_go_to_no_table_that_was_an_entry",
    ),
    Mutation(
        "identity",
        "a retirement retires the table that took the name since",
        "gaps/registered_table.py",
        "if known != self.own:",
        "if False:",
        RACES + "test_a_retirement_does_not_retire_the_table_that_took_the_name_since",
    ),
    Mutation(
        "once",
        "a retirement takes a table that cannot be read for one that is gone, and a commit in flight succeeds later",
        "gaps/retired_table.py",
        "        except TableMissing:\n            return None",
        "        except Exception:\n            return None",
        RETIRED + "test_a_table_that_cannot_be_read_is_not_gone",
    ),
    Mutation(
        "identity",
        "a decision does not outlive a dead-letter table that is named back",
        "gaps/registered_table.py",
        "whole, decisions = inheriting(ledger, self.others), (*ledger.decisions, *said)",
        "whole, decisions = ledger, (*ledger.decisions, *said)",
        RACES + "test_the_former_dead_letter_table_that_is_named_back_has_the_decision_of_then",
    ),
    Mutation(
        "progress",
        "after a lost log, what a retired table was behind with stops every run",
        "recovery/tail_decision.py",
        "and name not in retired",
        "and True",
        RACES + "test_a_recovery_reads_nothing_for_a_retired_table_that_was_behind",
    ),
    Mutation(
        "names",
        "dead letters go to a table that was made for another name",
        "redrive/new_tables.py",
        "if log.keep_routed(pipeline.name, {name: raw_name}).get(name) != raw_name:",
        "if log.keep_routed(pipeline.name, {name: raw_name}) is None:",
        RACES + "test_letters_are_for_no_table_that_was_made_for_another_name",
    ),
    Mutation(
        "once",
        "a retirement that a recovery overtook is of offsets that the table has",
        "gaps/registered_table.py",
        "            if ledger.generation != self.generation:",
        "            if False:",
        AND_RECOVERIES + "test_a_retirement_that_a_recovery_overtakes_is_refused",
    ),
    Mutation(
        "once",
        "a retirement begins within a recovery",
        "gaps/retired_table.py",
        '        refuse_while_recovering(self.context, table, ". Then retire it.")\n        given_up =',
        "        given_up =",
        AND_RECOVERIES + "test_a_retirement_does_not_begin_within_a_recovery",
    ),
    Mutation(
        "fail closed",
        "a table is retired by a restored log before records that it has",
        "gaps/registered_table.py",
        "    if ledger.mark is not None and (marked :=",
        "    if False and (marked :=",
        AND_RECOVERIES + "test_a_restored_log_with_an_open_batch_that_is_marked_retires_nothing",
    ),
)
