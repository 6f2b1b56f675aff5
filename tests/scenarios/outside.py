"""What others do: to the table, to Kafka, to its records."""

from __future__ import annotations

from scenarios.entry import (
    ANY_POINT,
    AUDIT,
    BAD_INPUT,
    BROKER,
    COMMIT,
    DECIDED,
    DECISIONS,
    EDITED,
    GOES_BACK,
    KAFKA_SIDE,
    LOSSES,
    LOUD,
    REBUILT,
    RECOVERED,
    RETENTION,
    ROLLBACK,
    SLICE,
    STEPS,
    TABLES,
    UPKEEP,
    Group,
    Scenario,
)

PLANS = "tests/unit/test_plan_decisions.py::"
COVERAGE = "tests/unit/test_offsets_and_coverage.py::"

OTHERS = Group(
    "Rollback, expiry and other writers",
    (
        Scenario(
            "S38",
            "a person rolls a table back",
            "the removed rows are committed again, read again, or recorded as skipped, as the person chose",
            (
                GOES_BACK + "test_what_a_rollback_takes_out_comes_back_once",
                GOES_BACK + "test_what_is_skipped_stays_out_and_is_recorded",
            ),
        ),
        Scenario(
            "S39",
            "another tool rolls a table back",
            "the pipeline stops until `recover` adopts that, in one of the three modes",
            (
                RECOVERED + "test_a_table_rolled_back_by_hand_is_adopted",
                COMMIT + "test_a_rollback_behind_our_back_refuses_and_the_next_load_stops",
            ),
        ),
        Scenario(
            "S40",
            "a commit is in progress while the table is rolled back",
            "it is refused, and files of the older generation are never committed",
            (
                GOES_BACK + "test_a_part_written_under_the_old_generation_never_lands",
                GOES_BACK + "test_what_is_on_its_way_is_fenced_and_not_lost",
                ANY_POINT,
            ),
        ),
        Scenario(
            "S41",
            "the table changed, and then returned to exactly the snapshot that a commit was based on",
            "lakelock prepares the commit again",
            (
                TABLES + "test_a_table_that_went_on_and_came_back_to_the_very_snapshot_is_checked_again",
                COMMIT + "test_a_head_that_came_back_does_not_let_a_stale_commit_in",
            ),
        ),
        Scenario(
            "S42",
            "a table is rolled back into the middle of one commit",
            "a commit has no middle",
            cannot="A commit is one snapshot, with its files, offsets and tag.",
        ),
        Scenario(
            "S43",
            "the snapshots that carried the offsets have expired",
            "each own snapshot carries all offsets, and the tag keeps the newest one. If the history is truncated all the same, the pipeline stops",
            (
                RETENTION + "test_old_snapshots_expire_on_the_way_and_their_metadata_files_go",
                LOUD + "test_expired_ancestry_stops_until_a_person_has_looked",
                UPKEEP + "test_old_snapshots_go_with_their_files_and_once_more_nothing_does",
            ),
        ),
        Scenario(
            "S44",
            "an expiry and a rollback happen at the same time",
            "one of them is refused and decides again. No snapshot that is needed expires",
            (
                UPKEEP + "test_a_rollback_in_flight_to_what_expires_cannot_land",
                UPKEEP + "test_both_go_on_while_records_are_committed_and_tables_go_back",
            ),
        ),
        Scenario(
            "S45",
            "another engine compacts the table",
            "rows and offsets stay as they are. A concurrent commit is tried again",
            (
                "tests/integration/test_iceberg_readers.py::test_spark_compaction_between_our_commits_keeps_rows_and_ledger",
                TABLES + "test_appends_deletes_and_rewrites_of_others_beside_commits_change_nothing_of_ours",
            ),
        ),
        Scenario(
            "S46",
            "other writers append, delete and overwrite beside the commits",
            "each commit succeeds once. `audit` counts rows of other writers separately, and reports lakelock's rows that are missing",
            (
                TABLES + "test_appends_deletes_and_rewrites_of_others_beside_commits_change_nothing_of_ours",
                AUDIT + "test_rows_that_came_or_went_behind_our_back_are_counted",
            ),
        ),
        Scenario(
            "S47",
            "a clean-up deletes files that are staged and not committed yet",
            "`orphans` never does this. If another tool did, lakelock reads the part from Kafka again",
            (
                UPKEEP + "test_files_of_a_part_that_was_given_up_go_and_what_is_staged_or_committed_stays",
                UPKEEP + "test_an_attempt_that_is_still_writing_keeps_its_files_however_old",
                ROLLBACK + "test_files_that_vanished_meanwhile_are_read_again",
            ),
        ),
        Scenario(
            "S48",
            "records are written to a branch, inspected, then published or rejected",
            "if `main` is moved to them, they are there once. If they are rejected, a person decides whether they are committed again or skipped",
            (
                TABLES + "test_what_is_written_to_a_branch_is_published_or_rejected_as_a_whole",
                COMMIT + "test_another_branch_is_written_to_without_touching_main",
            ),
        ),
        Scenario(
            "S49",
            "a commit is rebased, and loses the tag that should move with it",
            "lakelock never rebases. Branch and tag move in one swap, or not at all",
            (
                COMMIT + "test_rows_offsets_and_tag_become_visible_together",
                COMMIT + "test_a_foreign_append_after_the_load_refuses_and_the_next_load_builds_on_it",
            ),
        ),
        Scenario(
            "S50",
            "only one of two references that a commit requires is checked",
            "the swap requires branch and tag, and either one alone refuses it",
            (
                COMMIT + "test_a_tag_moved_by_hand_refuses",
                COMMIT + "test_a_head_that_came_back_does_not_let_a_stale_commit_in",
            ),
        ),
        Scenario(
            "S51",
            "another tool copies, truncates or overwrites lakelock's properties",
            "a copy has no effect. Truncated or foreign properties stop the table until they are fixed",
            (
                LOUD + "test_our_properties_copied_by_another_tool_into_its_own_snapshot_change_nothing",
                LOUD + "test_snapshot_properties_that_another_tool_wrote_or_cut_stop_until_they_are_fixed",
                COMMIT + "test_a_property_deleted_by_hand_stops",
            ),
        ),
        Scenario(
            "S52",
            "two pipelines of one name, or with the same records, write one table",
            "the second one is refused",
            (
                LOUD + "test_a_second_installation_with_a_pipeline_of_the_same_name_is_kept_out",
                EDITED + "test_a_file_that_was_renamed_does_not_put_its_records_into_the_table_again",
            ),
        ),
    ),
)

KAFKA = Group(
    "Kafka",
    (
        Scenario(
            "S53",
            "Kafka deletes offsets before they are planned, or between plan and read",
            "the pipeline stops and names the exact interval, until a person accepts the loss, which is recorded",
            (
                BAD_INPUT + "test_offsets_that_retention_took_stop_with_the_exact_interval",
                BAD_INPUT + "test_offsets_that_retention_takes_between_plan_and_write_stop_with_the_exact_interval",
                DECISIONS + "test_a_planned_batch_that_kafka_dropped_in_part_is_cut",
            ),
        ),
        Scenario(
            "S54",
            "the topic ends before an offset that was read",
            "the pipeline stops and names the missing interval",
            (KAFKA_SIDE + "test_a_log_that_lost_its_end_stops_with_the_exact_interval",),
        ),
        Scenario(
            "S55",
            "a topic is deleted and created again, with more records than before",
            "its id differs, so lakelock reads none of its records as those of the old topic. `rebind` continues with the new one",
            (
                KAFKA_SIDE
                + "test_a_topic_created_again_with_more_records_between_plan_and_read_is_never_read_for_the_old_one",
                BAD_INPUT + "test_a_topic_deleted_and_created_again_stops_and_its_staged_records_still_land",
                DECISIONS + "test_a_topic_that_was_created_again_is_gone_on_with",
            ),
        ),
        Scenario(
            "S56",
            "partitions are added",
            "each is read from its first record, including records that arrived between plan and write",
            (
                STEPS + "test_partitions_added_between_plan_and_write_come_with_the_next_batch",
                KAFKA_SIDE + "test_new_partitions_begin_at_their_first_record_and_idle_ones_hold_nobody_up",
            ),
        ),
        Scenario(
            "S57",
            "transactions leave markers and aborted records",
            "such offsets have no record, and the range still ends at its end",
            (
                KAFKA_SIDE + "test_transactions_committed_aborted_and_hanging",
                SLICE + "test_aborted_records_are_not_read_and_a_range_without_visible_records_has_books_of_zeros",
            ),
        ),
        Scenario(
            "S58",
            "a transaction never ends",
            "its partition is read up to it, and the others continue",
            (
                KAFKA_SIDE + "test_transactions_committed_aborted_and_hanging",
                BROKER + "test_an_open_transaction_ends_the_readable_records_before_the_high_watermark",
            ),
        ),
        Scenario(
            "S59",
            "Kafka compacts a range between plan and read",
            "the remaining records are read, and the books say how many there were",
            (
                KAFKA_SIDE + "test_compaction_between_plan_and_read_takes_records_and_no_offset_is_missed",
                SLICE + "test_a_range_ends_although_compaction_took_its_last_records",
            ),
        ),
        Scenario(
            "S60",
            "a partition is idle, or delivers only aborted records",
            "an idle partition costs no snapshot and delays nothing. Without visible records, its offsets still advance",
            (
                KAFKA_SIDE + "test_new_partitions_begin_at_their_first_record_and_idle_ones_hold_nobody_up",
                KAFKA_SIDE + "test_transactions_committed_aborted_and_hanging",
                COMMIT + "test_a_range_without_records_makes_a_snapshot_without_files",
            ),
        ),
        Scenario(
            "S61",
            "all records of a range are filtered out",
            "the range is completed once",
            ("tests/acceptance/test_tombstones.py::test_a_range_of_tombstones_alone_is_covered_once",),
        ),
        Scenario(
            "S62",
            "a commit names some partitions and not others",
            "the others stay as they are. Only `retire` ends a partition",
            (
                COVERAGE + "test_what_is_added_for_one_source_leaves_all_others_as_they_were",
                LOSSES + "test_a_partition_that_is_to_be_read_no_longer_is_left_behind",
            ),
        ),
        Scenario(
            "S63",
            "ranges are finished out of order",
            "offsets advance only over ranges without a hole",
            (
                DECIDED + "test_whatever_is_offered_in_whatever_order_each_offset_lands_once_and_as_a_prefix",
                STEPS + "test_what_is_late_is_waited_for_and_lands_in_order",
            ),
        ),
        Scenario(
            "S64",
            "a transaction over several partitions is split over two batches",
            "each of its records is there once, but they may become visible at different times",
            limit="Not promised: plans read the last stable offset of each partition separately ([guarantees](../guarantees.md#the-promise)).",
        ),
        Scenario(
            "S65",
            "no offsets are stored: the first run, a lost or expired group, a lost log",
            "only the first plan follows `source.start`. Without a log, lakelock reads nothing before it has examined the tables",
            (
                PLANS + "test_start_is_earliest_latest_a_time_or_named_offsets",
                REBUILT + "test_a_take_over_that_died_before_the_log_was_rebuilt_stops_all_runs",
                STEPS + "test_the_consumer_group_is_a_copy_that_decides_nothing",
            ),
        ),
        Scenario(
            "S66",
            "writes and commits happen at different times",
            "one commit may include many writes. Only committed offsets are published",
            (STEPS + "test_many_writes_land_in_one_commit_and_are_published_only_then",),
        ),
        Scenario(
            "S67",
            "a topic gets a record only now and then",
            "the record is committed once it is old enough by Postgres' clock, even if it is the only one",
            (
                STEPS + "test_little_data_is_committed_once_it_is_old_enough",
                DECIDED + "test_offsets_without_rows_wait_longer_than_rows",
            ),
        ),
    ),
)

RECORDS = Group(
    "Records and schemas",
    (
        Scenario(
            "S68",
            "records cannot be read or do not fit",
            "each becomes one dead letter with its bytes and the reason. It is committed before its batch, and is in the books",
            (
                SLICE + "test_many_bad_records_cost_no_good_one_and_keep_their_bytes",
                BAD_INPUT + "test_dead_letters_land_before_the_rows_that_wait_for_them",
                BAD_INPUT + "test_too_many_dead_letters_stop_before_anything_is_staged",
            ),
        ),
        Scenario(
            "S69",
            "the schema registry is down, or does not know a schema",
            "the fault of a server makes no dead letters",
            cannot="No format of this release has a schema registry.",
        ),
        Scenario(
            "S70",
            "columns are added, dropped or renamed between write and commit",
            "the part is committed once: as it is after an added or renamed column, written again after a dropped one",
            (
                TABLES + "test_what_was_written_before_the_table_was_altered_lands_once_as_it_is_or_written_again",
                BAD_INPUT
                + "test_a_table_altered_between_stage_and_commit_is_written_again_and_landed_dead_letters_stay_decided",
            ),
        ),
        Scenario(
            "S71",
            "the partitioning changes between write and commit",
            "the part is committed as it is. No file is committed under a spec that it was not written with",
            (
                TABLES + "test_what_was_written_before_the_table_was_altered_lands_once_as_it_is_or_written_again",
                COMMIT + "test_files_land_under_the_partition_spec_they_were_written_with",
            ),
        ),
        Scenario(
            "S72",
            "files without field ids enter the table",
            "only files of the pipeline's own writer are staged, and each of their columns has its id",
            (
                SLICE + "test_all_types_are_stored_as_iceberg_has_them",
                "tests/integration/test_table_writer.py::test_what_is_committed_is_what_readers_find_and_prune_by",
            ),
        ),
        Scenario(
            "S73",
            "deletes and inserts of one key occur within a batch and across batches",
            "the last one wins",
            cannot="lakelock only appends to tables, and has no upserts in this release.",
        ),
    ),
)
