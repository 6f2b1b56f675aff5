"""The guards of batches whose tables become known while they are written."""

from __future__ import annotations

from mutations.mutation import Mutation

BATCHES = "tests/interleavings/test_routed_batches.py::"
KNOWN = "tests/interleavings/test_known_tables.py::"

ROUTED_BATCHES = (
    Mutation(
        "identity",
        "a restored log stays without tables that are registered",
        "ingest/registration.py",
        "    if len(registered) + len(known.keys() - registered.keys()) != routed:\n",
        "    if False:\n",
        KNOWN + "test_a_log_without_a_registered_name_gets_it",
    ),
    Mutation(
        "once",
        "a record of another name than its table's is lost between two passes",
        "ingest/passes.py",
        "if routed.collide(wanted):",
        "if False:",
        BATCHES + "test_records_of_two_names_in_one_batch_are_rows_of_the_first_and_dead_letters",
    ),
    Mutation(
        "progress",
        "a batch waits for ever for a table of another name, which could not be made",
        "ingest/passes.py",
        "                asked = routed.wanted(outputs)\n",
        "                asked = wanted\n",
        BATCHES + "test_a_batch_does_not_wait_for_a_table_whose_name_another_one_got",
    ),
    Mutation(
        "once",
        "a batch is closed without a table whose columns could not follow",
        "ingest/routed_batch.py",
        "with_records = {*self.asked, *faulty}",
        "with_records = set(self.asked)",
        BATCHES + "test_a_table_whose_columns_cannot_follow_gets_its_records_from_the_next_attempt",
    ),
    Mutation(
        "once",
        "a batch is closed without a table that could not be created",
        "ingest/routed_batch.py",
        "with_records = {*self.asked, *faulty}",
        "with_records = set[str]()",
        BATCHES + "test_a_table_that_could_not_be_created_gets_its_records_from_the_next_attempt",
    ),
    Mutation(
        "once",
        "a table has rows, and is registered without its UUID",
        "ingest/routed_batch.py",
        "RegisteredTable(self.raw_names[name], uuids.get(name))",
        "RegisteredTable(self.raw_names[name], None)",
        BATCHES + "test_a_table_that_was_bound_after_its_registration_is_registered_with_its_uuid",
    ),
    Mutation(
        "once",
        "an older attempt registers its configuration for offsets of another batch",
        "model/registry.py",
        "if first is None or (first.range.start, first.digest) != (r.start, one.digest):",
        "if {p.digest for p in out.pieces(r)} != {one.digest}:",
        BATCHES + "test_an_older_attempt_does_not_register_offsets_that_its_batch_gave_back",
    ),
    Mutation(
        "once",
        "offsets that another tool removed from a routed table are filled",
        "recovery/adoption.py",
        "filled = () if by_hand and state.name in self.routed else None",
        "filled = None",
        BATCHES + "test_a_table_that_was_set_back_by_hand_owes_what_was_removed",
    ),
    Mutation(
        "progress",
        "a batch with dead letters of before cannot be closed",
        "ingest/routed_batch.py",
        "return replace(books, dead=new, filtered=books.filtered + books.dead - new)",
        "return books",
        BATCHES + "test_dead_letters_without_a_table_are_not_written_again_after_the_log_is_lost",
    ),
    Mutation(
        "fence",
        "a commit names the registry of the commit before, though it has changed",
        "adapters/iceberg/snapshot_builder.py",
        'if side.key != codec.REGISTRY or not path.endswith(f"-{digest}.json"):',
        "if side.key != codec.REGISTRY or not path:",
        "tests/integration/test_iceberg_retention.py::test_the_registry_is_written_again_only_if_it_changes",
    ),
    Mutation(
        "progress",
        "a view of a table from before its rebind stops the run",
        "ingest/commit_draft.py",
        "            if view is not ahead:\n                raise",
        "            raise",
        "tests/interleavings/test_shared_commits.py::test_a_table_that_is_rebound_after_it_was_read_stops_nothing",
    ),
    Mutation(
        "once",
        "a batch that is registered before an earlier one gets the rules of that one",
        "ingest/routed_batch.py",
        "log.planned(self.file.name) if log.has_other_unclosed(self.file.name, self.batch.batch_id) else []",
        "[]",
        "tests/interleavings/test_edited_routes.py::test_an_edit_that_was_taken_back_applies_to_its_batch_alone",
    ),
)
