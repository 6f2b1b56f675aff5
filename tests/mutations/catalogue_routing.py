"""The guards of pipelines with routes."""

from __future__ import annotations

from mutations.mutation import Mutation

COVERAGE = "tests/unit/test_offsets_and_coverage.py::"
FILLS = "tests/unit/test_fill_decisions.py::"
ROLLBACKS = "tests/unit/test_rollback_decisions.py::"
ROUTED = "tests/interleavings/test_routed_tables.py::"

ROUTING = (
    Mutation(
        "once",
        "a table's coverage is filled over offsets that are outstanding",
        "model/route_evidence.py",
        "*own.requested, *own.owed, *self.open]",
        "*own.requested, *self.open]",
        FILLS + "test_nothing_that_a_table_owes_is_filled",
    ),
    Mutation(
        "once",
        "a table's coverage is filled over its open parts",
        "model/route_evidence.py",
        "*own.owed, *self.open]",
        "*own.owed]",
        FILLS + "test_an_open_part_is_not_filled_and_those_behind_it_wait",
    ),
    Mutation(
        "once",
        "a table's coverage is filled over batches that are not closed",
        "model/route_evidence.py",
        "end = min(self.closed_to.get(source, start), self.letters_to.get(source, start))",
        "end = self.letters_to.get(source, start)",
        FILLS + "test_a_batch_that_is_not_closed_is_not_filled",
    ),
    Mutation(
        "once",
        "a table's coverage is filled over dead letters without a table that have not landed",
        "model/route_evidence.py",
        "end = min(self.closed_to.get(source, start), self.letters_to.get(source, start))",
        "end = self.closed_to.get(source, start)",
        FILLS + "test_a_fill_waits_for_the_dead_letters_without_a_table_of_each_batch_it_covers",
    ),
    Mutation(
        "once",
        "a part is committed before the dead letters without a table of its batch",
        "ingest/commit_decision.py",
        "        elif undecided := self._undecided(part):",
        "        elif undecided := []:",
        FILLS + "test_a_part_waits_for_the_dead_letters_without_a_table_of_its_own_batch",
    ),
    Mutation(
        "once",
        "a part that is newer than the evidence is taken for filled",
        "ingest/commit_decision.py",
        "[r for p in parts for r in p.ranges]) if evidence else []",
        "[]) if evidence else []",
        FILLS + "test_a_part_that_is_newer_than_the_evidence_is_never_taken_for_filled",
    ),
    Mutation(
        "prefix",
        "a routed table's coverage is filled behind a gap",
        "ingest/commit_decision.py",
        "if covered.prefix_end >= r.start and covered.missing(r.start, r.end):",
        "if covered.missing(r.start, r.end):",
        FILLS + "test_coverage_stays_a_prefix",
    ),
    Mutation(
        "once",
        "offsets that a rollback removed are not outstanding",
        "rollback/decision.py",
        "    if filled is not None:",
        "    if False:",
        FILLS + "test_a_rollback_keeps_what_was_only_filled_and_owes_what_it_removed",
    ),
    Mutation(
        "once",
        "a rollback keeps ranges of the parts that it removes",
        "rollback/decision.py",
        "out += without(taken_out(version.coverage, at), version.ranges)",
        "out += taken_out(version.coverage, at)",
        FILLS + "test_a_rollback_keeps_what_was_only_filled_and_owes_what_it_removed",
    ),
    Mutation(
        "once",
        "a rollback forgets what an earlier one removed",
        "rollback/decision.py",
        "gone = united([*head.coverage.owed, *taken_out",
        "gone = united([*taken_out",
        FILLS + "test_what_was_owed_before_a_rollback_still_is",
    ),
    Mutation(
        "once",
        "offsets that are back are still outstanding",
        "model/coverage.py",
        "requested, owed = (uncovered(pairs, [(new.start, new.end)]) for pairs in (self.requested, self.owed))",
        "requested, owed = uncovered(self.requested, [(new.start, new.end)]), self.owed",
        COVERAGE + "test_what_a_table_owes_goes_as_it_lands",
    ),
    Mutation(
        "once",
        "records are read again for a routed table under the rules of today",
        "model/log_state.py",
        "routed = self.registry.pieces(r) if self.registry and table in self.registry.tables else []",
        "routed: list[ConfiguredRange] = []",
        ROLLBACKS + "test_a_routed_table_is_read_again_under_the_configurations_that_routed_it",
    ),
    Mutation(
        "once",
        "a range of which some records are dead letters without a table is read again as a whole",
        "ingest/replan_decision.py",
        "for target in (table, NO_TABLE))",
        "for target in (table,))",
        ROLLBACKS + "test_re_reads_are_cut_where_dead_letters_without_a_table_begin_or_end",
    ),
    Mutation(
        "once",
        "a commit does not commit the dead letters without a table first",
        "ingest/commit.py",
        "        if evidence is None or not evidence.lacks_letters:\n            return []",
        "        return []",
        ROUTED + "test_dead_letters_without_a_table_are_committed_before_what_covers_them",
    ),
    Mutation(
        "once",
        "re-reads of a routed table are planned without the registry",
        "ingest/context.py",
        "registry=registry)",
        "registry=None)",
        ROUTED + "test_re_reads_of_a_routed_table_are_routed_as_they_were",
    ),
    Mutation(
        "once",
        "a batch is written though its dead letters without a table have not landed",
        "ingest/readiness.py",
        "decided_by = {**self.ranges, **({NO_TABLE: [p.range for p in self.batch.ranges]} if is_routed else {})}",
        "decided_by = dict(self.ranges)",
        ROUTED + "test_a_re_read_waits_for_dead_letters_without_a_table_and_is_split_where_they_have_landed_since",
    ),
    Mutation(
        "fail closed",
        "outstanding offsets that no part has are waited for silently",
        "ingest/commit_draft.py",
        "coming = evidence is not None and (evidence.lacks_letters or not all(b.closed for b in planned))",
        "coming = evidence is not None",
        ROUTED + "test_an_offset_that_no_open_part_has_and_that_is_owed_is_reported",
    ),
    Mutation(
        "fail closed",
        "a batch that is not closed is taken for a hole",
        "ingest/commit_draft.py",
        "evidence.lacks_letters or not all(b.closed for b in planned))",
        "evidence.lacks_letters)",
        ROUTED + "test_a_batch_that_is_not_closed_stops_later_ones_and_is_no_hole",
    ),
)
