"""The guards of slices that route their records."""

from __future__ import annotations

from mutations.mutation import Mutation

BLOCKS = "tests/unit/test_block_routes.py::"
HELD = "tests/unit/test_held_records.py::"
PACKED = "tests/unit/test_packed_records.py::"
DETACHED = "tests/unit/test_detached_blocks.py::"
SLICES = "tests/integration/test_routed_slices.py::"

ROUTED_SLICES = (
    Mutation(
        "once",
        "a record that is a dead letter without a table becomes a row of a table as well",
        "workers/slice_routes.py",
        "pairs = ~np.isin(routed.records, out)",
        "pairs = np.ones(len(routed.records), np.bool_)",
        SLICES + "test_what_is_decided_stays_a_dead_letter_alone_and_what_was_lost_may_become_a_row",
    ),
    Mutation(
        "once",
        "a dead letter without a table that was declared lost is written again",
        "workers/slice_routes.py",
        "settled = decided | (among(block, self._lost) & {b.index for b in routed.bad})",
        "settled = decided",
        SLICES + "test_what_is_decided_stays_a_dead_letter_alone_and_what_was_lost_may_become_a_row",
    ),
    Mutation(
        "once",
        "records that a slice holds at the end of a topic are left out",
        "workers/held_records.py",
        "            if self._held:\n                yield from self._released(np.ones(self._tables, np.bool_))",
        "            pass",
        HELD + "test_each_record_is_released_once_for_each_of_its_tables",
    ),
    Mutation(
        "once",
        "tables that have few of the records that a slice holds lose them",
        "workers/held_records.py",
        "self._set_aside(~is_direct)",
        "pass",
        HELD + "test_each_record_is_released_once_for_each_of_its_tables",
    ),
    Mutation(
        "once",
        "files of a table are closed at the end of a topic although another topic follows",
        "workers/slice_parts.py",
        "TopicEnded(topic == topics[-1])",
        "TopicEnded(True)",
        SLICES + "test_targets_have_their_records_and_others_are_told_of",
    ),
    Mutation(
        "once",
        "a piece that a full disk has cut off is taken for a whole one",
        "adapters/parquet/spill.py",
        "if os.writev(self._file.fileno(), parts) < size:",
        "if os.writev(self._file.fileno(), parts) < 0:",
        "tests/unit/test_spill.py::test_a_piece_that_is_cut_off_by_a_full_disk_is_an_error",
    ),
    Mutation(
        "same rows",
        "a record that the quick reader did not take goes by the texts of another one",
        "records/routing/field_texts.py",
        "values.take(rest), np.flatnonzero(np.isin(rest, tombstones))",
        "values[: len(rest)], np.flatnonzero(np.isin(rest, tombstones))",
        BLOCKS + "test_a_block_is_routed_as_each_of_its_records",
    ),
    Mutation(
        "same rows",
        "a record goes by the decision of others that have its texts in other fields",
        "records/routing/numbered_texts.py",
        "pairs = pa.array(numbers << _CODE_BITS | (column - NO_CODE))",
        "pairs = pa.array(numbers + (column - NO_CODE))",
        BLOCKS + "test_records_have_one_number_if_all_their_codes_are_the_same",
    ),
    Mutation(
        "same rows",
        "bounds of a file leave out row groups that have none",
        "adapters/parquet/file_statistics.py",
        "if statistics.num_values and not column.is_floating:",
        "if False:",
        "tests/integration/test_parquet_bounds.py::"
        "test_a_row_group_with_a_value_too_long_for_bounds_is_not_hidden_by_the_others",
    ),
    Mutation(
        "once",
        "a bad record in a block of many tables is in none of them",
        "workers/table_blocks.py",
        "if decoded.news is not None or (first < len(decoded.bad) and decoded.bad[first].index < end):",
        "if decoded.news is not None:",
        "tests/unit/test_alike_targets.py::test_a_section_with_a_bad_record_is_decoded_alone",
    ),
    Mutation(
        "once",
        "a slice says nothing of records for tables that are not among its targets",
        "workers/slice_routes.py",
        "if not is_ours.all():",
        "if False:",
        SLICES + "test_targets_have_their_records_and_others_are_told_of",
    ),
    Mutation(
        "books",
        "dead letters without a table count as routed records",
        "workers/slice_routes.py",
        "books.add(share, dead.get(share.partition, 0), 0)",
        "books.add(share, 0, 0)",
        SLICES + "test_targets_have_their_records_and_others_are_told_of",
    ),
    Mutation(
        "books",
        "a slice that ends early has books of routes up to its end",
        "workers/slice_routes.py",
        "self._books.ended(unread)",
        "self._books.ended([])",
        SLICES + "test_a_slice_that_ends_early_has_books_of_what_it_read",
    ),
    Mutation(
        "same rows",
        "a record in which an object is there twice goes by one of them",
        "records/routing/field_texts.py",
        "for depth in range(1, len(path) + 1):",
        "for depth in range(len(path), len(path) + 1):",
        BLOCKS + "test_a_block_is_routed_as_each_of_its_records",
    ),
    Mutation(
        "same rows",
        "a text that is written with escapes is another one for the rules",
        "records/routing/field_texts.py",
        "return pc.or_(may_be, escaped)",
        "return may_be",
        BLOCKS + "test_a_block_is_routed_as_each_of_its_records",
    ),
    Mutation(
        "readable",
        "a dead letter of records that were held has another record's key",
        "adapters/kafka/detached.py",
        "None if self.sent_keys is None else self.sent_keys.take(indexes),",
        "self.sent_keys,",
        DETACHED + "test_records_of_kept_blocks_in_another_order_are_the_same",
    ),
    Mutation(
        "readable",
        "a record that was held has the headers of another one",
        "adapters/kafka/packed_records.py",
        'at = records[np.argsort(tables, kind="stable")]',
        "at = records",
        PACKED + "test_records_come_back_as_they_were",
    ),
    Mutation(
        "once",
        "records that are held lie where others are",
        "workers/held_records.py",
        "self._used += size_bytes",
        "self._used = size_bytes",
        HELD + "test_each_record_is_released_once_for_each_of_its_tables",
    ),
    Mutation(
        "once",
        "records of more blocks than one call takes to the disk are left out",
        "workers/held_records.py",
        "for at in range(0, len(runs), _RUNS_A_PIECE):",
        "for at in range(0, 1, _RUNS_A_PIECE):",
        HELD + "test_many_small_blocks_are_one_piece_and_more",
    ),
)
