"""What the pipeline stands on: Postgres, configuration, releases, machines, catalogs."""

from __future__ import annotations

from scenarios.entry import (
    ANY_POINT,
    BROKEN,
    BROKER,
    COMMIT,
    CONNECTION,
    EDITED,
    LOST_LOGS,
    LOUD,
    MIGRATIONS,
    RECOVER,
    RESTARTS,
    RETENTION,
    ROLLED_BACK,
    RUNS,
    SPOILED,
    STEPS,
    Group,
    Scenario,
)

FAULTS = "tests/integration/test_iceberg_faults.py::"

POSTGRES = Group(
    "Postgres",
    (
        Scenario(
            "S74",
            "Postgres is lost, or restored to an earlier point in time",
            "the log is rebuilt from the tables. Staged work that the log lost is read again, and no record is there twice",
            (
                LOST_LOGS + "test_a_lost_postgres_is_rebuilt_from_the_tables",
                RECOVER + "test_a_restored_postgres_ends_with_each_record_once",
                ANY_POINT,
            ),
        ),
        Scenario(
            "S75",
            "Postgres fails in the middle of a step",
            "the step waits for a while, then fails. Each call was done completely or not at all",
            (
                CONNECTION + "test_a_restart_of_postgres_is_waited_for",
                CONNECTION + "test_a_commit_nobody_can_answer_for_is_unknown_and_done_or_not_done_whole",
                RESTARTS + "test_killed_servers_and_tasks_cost_time_and_nothing_else",
            ),
        ),
        Scenario(
            "S76",
            "the log's address leads to a replica",
            "lakelock refuses it, also if the server becomes a replica while connected",
            (
                CONNECTION + "test_a_replica_is_refused",
                CONNECTION + "test_a_server_that_becomes_a_replica_while_connected_is_refused",
            ),
        ),
    ),
)

VERSIONS = Group(
    "Configuration and versions",
    (
        Scenario(
            "S77",
            "the pipeline file is edited between two steps",
            "a batch is written and committed as it was planned. The edit applies from the next batch on",
            (
                STEPS + "test_an_edited_file_applies_from_the_next_batch_and_takes_no_range_twice",
                EDITED + "test_parts_staged_for_a_table_that_left_the_file_still_land",
                ROLLED_BACK + "test_a_table_gets_nothing_of_a_topic_that_went_to_another",
            ),
        ),
        Scenario(
            "S78",
            "a pipeline is renamed, or Kafka gets another address",
            "sources are identified by topic id, so another address changes nothing. The table refuses a pipeline with another name",
            (
                STEPS + "test_another_address_of_the_same_cluster_is_the_same_source",
                EDITED + "test_a_file_that_was_renamed_does_not_put_its_records_into_the_table_again",
            ),
        ),
        Scenario(
            "S79",
            "an older release runs beside a newer one",
            "it refuses a log or a ledger that it does not know",
            (
                MIGRATIONS + "test_a_log_of_a_newer_release_is_refused_by_work_and_by_migrate",
                LOUD + "test_snapshot_properties_that_another_tool_wrote_or_cut_stop_until_they_are_fixed",
            ),
        ),
        Scenario(
            "S80",
            "machines are upgraded one after the other",
            "a new release does nothing before its migration ran, and an old one does nothing after it",
            (
                MIGRATIONS + "test_a_later_migration_is_applied_to_what_is_there",
                MIGRATIONS + "test_a_log_of_a_newer_release_is_refused_by_work_and_by_migrate",
            ),
        ),
        Scenario(
            "S81",
            "a release is rolled back",
            "the older release stops before it does anything, and does not read the consumer group instead",
            (
                MIGRATIONS + "test_a_log_of_a_newer_release_is_refused_by_work_and_by_migrate",
                STEPS + "test_the_consumer_group_is_a_copy_that_decides_nothing",
            ),
        ),
        Scenario(
            "S82",
            "an old log comes back after the pipeline ran without it",
            "the tables show that it belongs to another installation, or that it is behind. It commits nothing twice",
            (
                LOST_LOGS + "test_the_log_that_was_not_lost_after_all_writes_no_more",
                RECOVER + "test_a_restored_postgres_ends_with_each_record_once",
            ),
        ),
        Scenario(
            "S83",
            "offsets are taken over from another system",
            "once, with a record of it",
            cannot="lakelock takes over nothing. A new pipeline begins at `source.start`, which may name offsets.",
        ),
        Scenario(
            "S84",
            "settings would break the guarantees",
            "they are refused before anything starts",
            (
                "tests/unit/test_connections.py::test_kafka_settings_that_would_break_guarantees_are_refused",
                "tests/unit/test_spark_submit_settings.py::test_a_driver_that_would_outlive_its_task_is_refused",
            ),
        ),
        Scenario(
            "S85",
            "a right is missing in Kafka, Postgres or the catalog",
            "the message names the right, and no secret. With the right, the work continues",
            (
                BROKER + "test_a_wrong_password_and_a_missing_right_are_denied",
                CONNECTION + "test_missing_rights_are_named",
                FAULTS + "test_an_unknown_login_is_denied",
            ),
        ),
    ),
)

REST = Group(
    "The rest",
    (
        Scenario(
            "S86",
            "clocks differ",
            "Postgres' clock decides about attempts and ages. A commit far behind the table's newest change is refused",
            (
                LOUD + "test_a_clock_behind_the_head_stops_until_it_is_set",
                COMMIT + "test_a_clock_behind_the_table_is_refused_and_a_little_skew_is_not",
            ),
        ),
        Scenario(
            "S87",
            "snapshots, manifests and the log grow forever",
            "their number levels off",
            (
                RETENTION + "test_old_snapshots_expire_on_the_way_and_their_metadata_files_go",
                RETENTION + "test_many_small_manifests_are_merged_and_every_entry_keeps_its_history",
                "tests/integration/test_wal_small_for_ever.py::test_the_log_levels_off",
            ),
        ),
        Scenario(
            "S88",
            "the catalog accepts the connection and never answers",
            "lakelock gives up after a while. The outcome of a commit is then unknown, and is read from the table",
            (
                FAULTS + "test_a_rest_catalog_that_hangs_is_unreachable",
                SPOILED + "test_a_commit_is_in_the_table_once_whatever_it_was_answered",
            ),
        ),
        Scenario(
            "S89",
            "one table is broken",
            "it delays no other table, neither in a run nor in a window, and catches up once it is fixed",
            (
                BROKEN + "test_a_table_that_cannot_be_written_holds_up_no_other_and_catches_up",
                EDITED + "test_a_broken_table_does_not_end_the_window_of_the_others",
                RUNS + "test_one_tables_failure_stops_no_other_table",
            ),
        ),
        Scenario(
            "S90",
            "a pipeline is deleted and created again under its name while an old attempt still writes",
            "log and ledger outlive the file. The old attempt is fenced, and the new pipeline continues after the old one",
            (STEPS + "test_a_pipeline_that_was_deleted_and_made_again_fences_the_attempt_of_the_old_one",),
        ),
        Scenario(
            "S91",
            "two committers each write the offsets of their own partitions",
            "neither loses those of the other: the ledger is built on the state that the swap requires",
            (STEPS + "test_committers_of_different_partitions_keep_each_others_offsets",),
        ),
        Scenario(
            "S92",
            "a catalog accepts two commits that are based on the same state",
            "`check` tests for that, and refuses such a catalog",
            (
                "tests/integration/test_iceberg_check.py::test_a_catalog_that_lets_stale_commits_in_is_unfit",
                "tests/acceptance/test_rest_cycle.py::test_check_refuses_a_catalog_whose_compare_and_swap_does_not_hold",
            ),
        ),
    ),
)
