"""The guards of the product, each with a way to break it and the test that then fails."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutation:
    """In *file* (under plugins/lakelock) the text *old*, there once, becomes *new*; then *test* must fail.

    *invariant* as docs/guarantees.md names it. `quick` ones need no server.
    """

    invariant: str
    breaks: str
    file: str
    old: str
    new: str
    test: str

    @property
    def quick(self) -> bool:
        return self.test.startswith("tests/unit/")


COMMITS = "tests/unit/test_commit_decisions.py::"
ROLLBACKS = "tests/unit/test_rollback_decisions.py::"
PLANS = "tests/unit/test_plan_decisions.py::"
COVERAGE = "tests/unit/test_offsets_and_coverage.py::"
AUDITS = "tests/unit/test_audit.py::"
ORPHANS = "tests/unit/test_orphan_decisions.py::"
TABLE = "tests/integration/test_iceberg_commit.py::"
UPKEEP = "tests/integration/test_iceberg_upkeep.py::"
OUTCOME = "tests/integration/test_iceberg_outcome.py::"
MARKS = "tests/integration/test_wal_marks.py::"
STAGE = "tests/integration/test_wal_stage.py::"
EDGES = "tests/acceptance/test_rollback_edges.py::"
BACK = "tests/acceptance/test_rollback.py::"
HALF_DONE = "tests/acceptance/test_decision_edges.py::"
RECOVER = "tests/acceptance/test_recover.py::"

MUTATIONS = (
    Mutation(
        "once",
        "a part that the table holds lands again",
        "core/commit.py",
        "elif all(self.coverage.contains(r) for r in part.ranges):",
        "elif False:",
        COMMITS + "test_a_part_the_table_holds_is_only_marked",
    ),
    Mutation(
        "once",
        "a part that is in only in part lands whole",
        "core/commit.py",
        "elif any(self.coverage.touches(r) for r in part.ranges):",
        "elif False:",
        COMMITS + "test_a_partial_overlap_is_never_committed_and_what_is_missing_is_told",
    ),
    Mutation(
        "once",
        "coverage takes offsets it has already",
        "core/coverage.py",
        "if self.missing(new.start, new.end) != [(new.start, new.end)]:",
        "if False:",
        COVERAGE + "test_offsets_held_already_cannot_be_added_again",
    ),
    Mutation(
        "prefix",
        "a part lands behind a gap",
        "core/commit.py",
        "        if reached < r.start:",
        "        if False:",
        COMMITS + "test_a_part_behind_a_gap_waits_and_so_does_everything_after_it",
    ),
    Mutation(
        "fence",
        "the table's generation is not looked at",
        "core/commit.py",
        "if identity.generation < now.ledger.generation:",
        "if False:",
        COMMITS + "test_files_of_another_table_generation_or_schema_do_not_land",
    ),
    Mutation(
        "identity",
        "another table of the same name gets the files",
        "core/commit.py",
        "if identity.uuid != self.standing.uuid:",
        "if False:",
        COMMITS + "test_files_of_another_table_generation_or_schema_do_not_land",
    ),
    Mutation(
        "dead letters first",
        "rows land before their dead letters",
        "core/commit.py",
        "elif not part.result.target and (owed := _owed(part, self.dead_letters)):",
        "elif False:",
        COMMITS + "test_a_part_waits_until_its_own_tables_dead_letters_landed",
    ),
    Mutation(
        "topic identity",
        "a topic that was created again is read on",
        "core/plan.py",
        "if now != stream.source.topic_id and not stream.retired:",
        "if False:",
        PLANS + "test_a_recreated_topic_stops_with_both_ids",
    ),
    Mutation(
        "history",
        "offsets that Kafka dropped are passed over",
        "core/plan.py",
        "if span.low_offset > stream.next_offset:",
        "if False:",
        PLANS + "test_history_that_kafka_dropped_is_named_to_the_offset",
    ),
    Mutation(
        "fence",
        "a rollback keeps the generation",
        "core/rollback.py",
        "generation = head.generation + 1",
        "generation = head.generation",
        ROLLBACKS + "test_the_ledger_after_is_the_targets_under_the_next_generation",
    ),
    Mutation(
        "fence",
        "a rollback goes by the target's generation",
        "core/rollback.py",
        "generation = head.generation + 1",
        "generation = (at.generation if at else 0) + 1",
        ROLLBACKS + "test_the_ledger_after_is_the_targets_under_the_next_generation",
    ),
    Mutation(
        "monotone",
        "what was skipped comes back with an older snapshot",
        "core/rollback.py",
        "if i.kind is not Kind.DATA:\n                    grown",
        "if False:\n                    grown",
        ROLLBACKS + "test_what_was_skipped_once_stays_skipped_when_the_table_goes_back_before_it",
    ),
    Mutation(
        "once",
        "what landed after a person looked is skipped",
        "core/rollback.py",
        "seen = head.coverage if shown is None else shown",
        "seen = head.coverage",
        ROLLBACKS + "test_what_landed_after_a_person_looked_is_not_skipped_but_lands_again",
    ),
    Mutation(
        "dead letters first",
        "the dead-letter table forgets what it owes",
        "core/rollback.py",
        "owed = still_owed(before.joined(head.coverage), coverage)",
        "owed = before",
        ROLLBACKS + "test_the_dead_letter_table_remembers_what_it_owes_until_it_has_it_again",
    ),
    Mutation(
        "safe files",
        "files of two generations ago land again",
        "core/follow.py",
        "reached = ledger.generation == known_generation + 1 and ledger.rollback is not None",
        "reached = ledger.rollback is not None",
        ROLLBACKS + "test_parts_land_again_or_are_read_again",
    ),
    Mutation(
        "prefix",
        "what a rollback takes out is not planned again",
        "core/follow.py",
        "redo = lacking(coverage, on_its_way, starts, frontiers, is_wanted)",
        "redo: list[OffsetRange] = []",
        ROLLBACKS + "test_parts_land_again_or_are_read_again",
    ),
    Mutation(
        "once",
        "a topic that went to another table is read for the old one",
        "core/follow.py",
        "if is_wanted(source) and frontier > start:",
        "if frontier > start:",
        ROLLBACKS + "test_what_the_file_no_longer_gives_to_a_table_is_left_to_a_person",
    ),
    Mutation(
        "dead letters first",
        "staged dead letters are given up",
        "core/follow.py",
        "elif part.has_letters and staged:",
        "elif False:",
        ROLLBACKS + "test_staged_dead_letters_are_kept_whatever_else_is_given_up",
    ),
    Mutation(
        "once",
        "ranges are not cut where dead letters are known",
        "core/follow.py",
        "points = [r.start, *sorted(edges), r.end]",
        "points = [r.start, r.end]",
        ROLLBACKS + "test_no_cut_range_is_settled_in_part",
    ),
    Mutation(
        "audit",
        "a hole is not seen",
        "core/audit.py",
        "for a, b in missing(start, end, held_or_open)]",
        "for a, b in missing(start, start, held_or_open)]",
        AUDITS + "test_each_way_to_be_incomplete_is_a_fault_with_its_interval",
    ),
    Mutation(
        "kept files",
        "a clean-up takes data files of another table in the same folder",
        "core/file_names.py",
        ' if match and match["table"] == table_uuid else None',
        " if match else None",
        ORPHANS + "test_data_files_of_other_writers_and_other_tables_are_not",
    ),
    Mutation(
        "kept files",
        "a clean-up takes manifests of another table in the same folder",
        "core/file_names.py",
        "match is not None and table_uuid in match.groups()",
        "match is not None",
        ORPHANS + "test_those_of_another_table_in_the_same_folder_are_not",
    ),
    Mutation(
        "kept snapshots",
        "an expiry takes what another branch still has",
        "adapters/iceberg/snapshots.py",
        "        frozenset(named | elsewhere),\n",
        "        frozenset(named),\n",
        UPKEEP + "test_a_pipeline_on_another_branch_keeps_its_own_snapshots_and_none_of_this_one",
    ),
    Mutation(
        "atomic",
        "the tag stays where it was",
        "adapters/iceberg/snapshots.py",
        "    updates.append(_moved(handle.tag, SnapshotRefType.TAG, handle.tag_ref, snapshot.snapshot_id))\n",
        "",
        TABLE + "test_rows_offsets_and_tag_become_visible_together",
    ),
    Mutation(
        "once",
        "a commit does not ask for the branch it was decided on",
        "adapters/iceberg/snapshots.py",
        "        ref_requirement(handle.branch, handle.branch_ref),\n",
        "",
        TABLE + "test_a_rollback_behind_our_back_refuses_and_the_next_load_stops",
    ),
    Mutation(
        "once",
        "a commit does not ask for the tag it was decided on",
        "adapters/iceberg/snapshots.py",
        "    if metadata.snapshots:\n        requirements.append",
        "    if False:\n        requirements.append",
        TABLE + "test_a_tag_moved_by_hand_refuses",
    ),
    Mutation(
        "identity",
        "a commit does not ask for the table's UUID",
        "adapters/iceberg/snapshots.py",
        "        AssertTableUUID(uuid=metadata.table_uuid),\n",
        "",
        TABLE + "test_an_empty_table_recreated_after_the_load_refuses",
    ),
    Mutation(
        "identity",
        "a commit does not ask for the schema",
        "adapters/iceberg/snapshots.py",
        '        AssertCurrentSchemaId.model_validate({"current-schema-id": metadata.current_schema_id}),\n',
        "",
        TABLE + "test_a_schema_change_after_the_load_refuses",
    ),
    Mutation(
        "fail closed",
        "a table that was rolled back by hand is written to",
        "core/ledger.py",
        "if facts.tag_in_ancestry is not True:",
        "if False:",
        TABLE + "test_a_rollback_behind_our_back_refuses_and_the_next_load_stops",
    ),
    Mutation(
        "fail closed",
        "a table of another installation is written to",
        "core/ledger.py",
        "if facts.owner != installation_id:",
        "if False:",
        "tests/unit/test_ledger.py::test_each_sign_of_another_owner_stops",
    ),
    Mutation(
        "fail closed",
        "a table without its tag counts as new",
        "core/ledger.py",
        "if facts.owner is None or facts.tag_summary is None:\n        lost",
        "if facts.tag_summary is None:\n        return None\n    if False:\n        lost",
        TABLE + "test_a_tag_deleted_by_hand_stops",
    ),
    Mutation(
        "unknown is not failed",
        "a commit that got no answer counts as refused",
        "adapters/iceberg/outcome.py",
        "return Outcome.REFUSED if absent and (moved or (said_no and metadata_moved)) else Outcome.UNKNOWN",
        "return Outcome.REFUSED",
        OUTCOME + "test_a_commit_that_may_still_land_is_unknown_and_nothing_is_deleted",
    ),
    Mutation(
        "unknown is not failed",
        "a commit that landed is not looked for",
        "adapters/iceberg/outcome.py",
        "return Outcome.LANDED if in_branch else Outcome.UNKNOWN",
        "return Outcome.UNKNOWN",
        OUTCOME + "test_a_commit_that_landed_is_never_taken_as_failed",
    ),
    Mutation(
        "no overlap",
        "the database takes overlapping ranges",
        "adapters/migrations/0001_wal.sql",
        "    ) WHERE (state <> 'aborted')\n) WITH",
        "    ) WHERE (state = 'nothing')\n) WITH",
        "tests/integration/test_wal_plan.py::test_the_database_itself_refuses_an_overlap",
    ),
    Mutation(
        "fence",
        "an attempt that was replaced stages",
        "adapters/wal/staging.py",
        'if batch["attempt"] != attempt:',
        "if False:",
        STAGE + "test_a_zombie_stages_nothing_after_a_newer_claim",
    ),
    Mutation(
        "books",
        "books that do not add up are staged",
        "adapters/wal/staging.py",
        "if wrong or written != part.rows:",
        "if False:",
        STAGE + "test_books_that_do_not_add_up_are_never_staged",
    ),
    Mutation(
        "fence",
        "a mark holds for whatever attempt and state",
        "adapters/sql/mark.sql",
        "    AND p.state = 'staged' AND p.attempt = w.attempt AND p.generation = w.generation\nRETURNING p.batch_no, p.target, p.attempt\n\n-- name: commit_snapshot_known",
        "RETURNING p.batch_no, p.target, p.attempt\n\n-- name: commit_snapshot_known",
        MARKS + "test_a_mark_for_another_attempt_or_generation_is_fenced",
    ),
    Mutation(
        "truth",
        "an older ledger takes the place of a newer one",
        "adapters/sql/mark.sql",
        "    OR (excluded.generation, excluded.covered_offsets) >= (t.generation, t.covered_offsets)",
        "    OR true",
        MARKS + "test_the_ledger_cache_never_goes_back",
    ),
    Mutation(
        "fence",
        "a split is done for whatever attempt",
        "adapters/wal/following.py",
        'if batch["attempt"] != attempt:',
        "if False:",
        MARKS + "test_a_planned_part_is_cut_where_dead_letters_are_known",
    ),
    Mutation(
        "once",
        "dead letters are planned again without the rows beside them",
        "adapters/wal/following.py",
        "    if data is None:\n",
        "    if True:\n",
        MARKS + "test_dead_letters_that_are_written_again_take_the_whole_of_their_data_along",
    ),
    Mutation(
        "once",
        "a batch is written while dead letters of it are staged",
        "steps/write.py",
        "    if not coming:\n",
        "    if True:\n",
        EDGES + "test_a_dead_letter_whose_commit_is_under_way_does_not_become_a_row",
    ),
    Mutation(
        "once",
        "dead letters that were left out are read again beside others",
        "core/follow.py",
        "letters.contains(n) and not letters.data.touches(n)}",
        "False}",
        ROLLBACKS + "test_what_was_left_out_of_the_dead_letters_is_read_again_apart",
    ),
    Mutation(
        "fail closed",
        "a cut history counts as the table's beginning",
        "adapters/iceberg/tables.py",
        "if last is None or (last.sequence_number or 0) > 1:",
        "if last is None:",
        EDGES + "test_a_rollback_by_hand_behind_a_cut_history_is_left_to_a_person",
    ),
    Mutation(
        "once",
        "a rollback that was approved once is done twice",
        "steps/rollback.py",
        "if ledger.generation != shown.generation:",
        "if False:",
        EDGES + "test_an_approved_rollback_is_done_once",
    ),
    Mutation(
        "dead letters first",
        "a range that dead letters know in part is written whole",
        "steps/letters.py",
        "return [r for r, n in named if held.touches(n) and not held.contains(n)]",
        "return []",
        EDGES + "test_dead_letters_that_land_while_their_table_goes_back_are_not_told_twice",
    ),
    Mutation(
        "once",
        "records that fit by now are in neither table",
        "steps/letters.py",
        "        if there != b.written:",
        "        if False:",
        EDGES + "test_dead_letters_that_would_fit_by_now_are_not_lost",
    ),
    Mutation(
        "once",
        "dead letters in a table of an older name are forgotten",
        "steps/letters.py",
        "return (self.current, *self.former)",
        "return (self.current,)",
        EDGES + "test_dead_letters_in_a_table_of_an_older_name_are_not_told_again",
    ),
    Mutation(
        "fail closed",
        "a log that was lost begins anew",
        "steps/bind.py",
        "if bound is None and state.ledger is not None and state.ledger.is_used:",
        "if False:",
        EDGES + "test_a_log_restored_to_its_first_moment_does_not_begin_anew",
    ),
    Mutation(
        "fence",
        "batches are planned and written while the log is rebuilt",
        "adapters/wal/planning.py",
        "    if row is not None:\n        raise WalUnusable(",
        "    if False:\n        raise WalUnusable(",
        EDGES + "test_nothing_is_planned_or_claimed_while_the_log_is_rebuilt",
    ),
    Mutation(
        "truth",
        "a log is rebuilt without a table of the file",
        "steps/recover.py",
        "        if missing:\n            raise RecoveryRefused",
        "        if False:\n            raise RecoveryRefused",
        EDGES + "test_no_log_is_rebuilt_without_a_table_of_the_file",
    ),
    Mutation(
        "progress",
        "a mark that a rollback overtakes stops the table",
        "steps/commit.py",
        "RACES = 2",
        "RACES = 0",
        EDGES + "test_a_mark_that_a_rollback_overtakes_is_looked_at_again",
    ),
    Mutation(
        "safe files",
        "files that are gone are committed",
        "steps/commit.py",
        "old = [p for p in decision.append if p.restaged or p.age_s >= VERIFY_FILES_AFTER_S]",
        "old: list[StagedPart] = []",
        BACK + "test_files_that_vanished_meanwhile_are_read_again",
    ),
    Mutation(
        "progress",
        "a rollback whose process died is never noticed",
        "steps/commit.py",
        "        self.follower.settle(table)\n",
        "",
        BACK + "test_a_rollback_whose_process_dies_before_the_log_knows_is_followed_by_whoever_commits",
    ),
    Mutation(
        "fence",
        "recovery rebuilds without a fence",
        "steps/recover.py",
        "            if state.detached or look.reason:",
        "            if state.detached:",
        RECOVER + "test_a_lost_postgres_is_rebuilt_from_the_tables",
    ),
    Mutation(
        "declared gaps",
        "a decision that died half-way looks like a restored log",
        "core/gaps.py",
        "if i.kind not in DECIDED), default=held.start_offset)",
        "if i), default=held.start_offset)",
        HALF_DONE + "test_a_decision_that_died_half_way_is_not_taken_for_a_restored_log",
    ),
    Mutation(
        "declared gaps",
        "a rebuild gives up what only the log's files hold",
        "steps/recover.py",
        "if look.lost and not self.accept_loss:",
        "if False:",
        HALF_DONE + "test_a_rebuild_does_not_throw_away_what_is_staged_and_nowhere_else",
    ),
    Mutation(
        "approved",
        "more is declared lost than was shown",
        "steps/decide.py",
        "if more := approved.beyond(planned.shown):",
        "if (more := approved.beyond(planned.shown)) and False:",
        "tests/acceptance/test_approved.py::test_a_loss_that_grew_after_it_was_shown_is_not_declared",
    ),
)
