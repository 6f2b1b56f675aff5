"""What happens to the pipeline's own processes and commits."""

from __future__ import annotations

from scenarios.entry import (
    ANY_POINT,
    ATTEMPTS,
    BAD_INPUT,
    COMMIT,
    CONNECTION,
    CUT,
    DECIDED,
    HANDS,
    HOURS,
    KILLS,
    LOUD,
    MARKS,
    OUTCOME,
    PLAN,
    POINTS,
    REBINDING,
    RESTARTS,
    RUNS,
    SPARK,
    SPOILED,
    STAGE,
    STEPS,
    TABLES,
    UPKEEP,
    Group,
    Scenario,
)

WRITING = Group(
    "Writing",
    (
        Scenario(
            "S01",
            "a writer dies while it writes files",
            "the same ranges are read again. No snapshot ever names the first files, and `orphans` deletes them",
            (
                KILLS + "test_a_process_killed_at_each_stage_loses_and_doubles_nothing",
                ANY_POINT,
                UPKEEP + "test_files_of_a_lost_attempt_go_when_they_are_old",
            ),
        ),
        Scenario(
            "S02",
            "a writer dies with its files closed, before they are recorded, or before it gets the answer that they are",
            "they are recorded completely or not at all. A retry finds them staged and ends, or reads the ranges again",
            (ANY_POINT, STAGE + "test_staging_again_under_the_same_attempt_has_no_effect"),
        ),
        Scenario(
            "S03",
            "an error interrupts the recording of files",
            "files, ranges and books enter the log in one transaction",
            (
                STAGE + "test_a_stage_that_breaks_half_way_leaves_nothing",
                CONNECTION + "test_a_call_cut_at_commit_is_done_exactly_once",
            ),
        ),
        Scenario(
            "S04",
            "a committer dies before it has sent anything",
            "the next committer takes everything that is staged",
            (ANY_POINT, BAD_INPUT + "test_a_catalog_that_is_gone_keeps_staged_files_for_the_next_run"),
        ),
        Scenario(
            "S05",
            "a commit succeeded, and the process died before it marked the log",
            "the table shows that it holds the ranges. They are marked, and not committed again",
            (KILLS + "test_a_snapshot_without_its_mark_is_marked_not_repeated", ANY_POINT),
        ),
        Scenario(
            "S06",
            "a commit was started and never succeeded, and two processes repair that at the same time",
            "the same files are committed once",
            (
                KILLS + "test_committers_that_race_land_each_part_once",
                MARKS + "test_twin_committers_both_succeed_and_leave_one_mark",
                ANY_POINT,
            ),
        ),
        Scenario(
            "S07",
            "the catalog refuses a commit again and again",
            "the parts stay staged. They are committed later, in order with newer ones",
            (
                STEPS + "test_a_table_that_others_keep_moving_gets_everything_in_order_with_a_later_commit",
                COMMIT + "test_a_refused_commit_deletes_nothing",
            ),
        ),
        Scenario(
            "S08",
            "the consumer group cannot be set after a commit",
            "committed rows stay and their event is sent. The next publish sets the group",
            (
                RUNS + "test_a_failed_publish_makes_the_run_red_and_keeps_the_event",
                "tests/unit/test_publish.py::test_the_log_is_folded_also_when_the_group_cannot_be_set",
                STEPS + "test_the_consumer_group_is_a_copy_that_decides_nothing",
            ),
        ),
        Scenario(
            "S09",
            "a process dies after everything was committed, before it has reported that",
            "no step after the mark is needed for a record to be there once",
            (ANY_POINT, RESTARTS + "test_killed_servers_and_tasks_cost_time_and_nothing_else"),
        ),
        Scenario(
            "S10",
            "the outcome of a commit is unknown: a time-out, a 5xx, a reset, or the catalog's database fails during COMMIT",
            "lakelock reads the table before it sends or deletes anything again",
            (
                SPOILED + "test_a_commit_is_in_the_table_once_whatever_it_was_answered",
                CUT + "test_a_commit_whose_connection_breaks_at_commit_lands_once",
                OUTCOME + "test_a_commit_that_may_still_land_is_unknown_and_nothing_is_deleted",
            ),
        ),
        Scenario(
            "S11",
            "the answer to a commit that succeeded is a conflict",
            "lakelock finds the commit in the table, and keeps its manifests",
            (
                SPOILED + "test_a_commit_is_in_the_table_once_whatever_it_was_answered",
                OUTCOME + "test_a_commit_that_landed_is_never_taken_as_failed",
            ),
        ),
        Scenario(
            "S12",
            "Airflow starts a task again while the first execution still runs",
            "one of the two has an effect. The other one finds the work done, or is fenced",
            (HANDS + "test_a_task_that_a_person_changes_while_it_runs_loses_and_doubles_nothing", ANY_POINT),
        ),
        Scenario(
            "S13",
            "tasks of old runs are cleared or marked",
            "rows in the table are not written again. If a marked task left work undone, the next run does it",
            (
                HANDS + "test_old_runs_that_are_cleared_whole_and_new_ones_all_at_once_move_nothing_twice",
                HANDS + "test_a_task_that_a_person_changes_while_it_runs_loses_and_doubles_nothing",
            ),
        ),
        Scenario(
            "S14",
            "several runs execute at the same time",
            "a range has one batch, a batch has one attempt, and a part is committed once",
            (
                HANDS + "test_old_runs_that_are_cleared_whole_and_new_ones_all_at_once_move_nothing_twice",
                PLAN + "test_planners_that_race_for_a_backlog_cover_it_without_gap_or_overlap",
                STEPS + "test_first_runs_at_once_make_one_table_with_each_record_once",
            ),
        ),
        Scenario(
            "S15",
            "Spark tasks outlive their driver",
            "the next attempt stops them. Files that they still write are in a folder of their own, which no snapshot names",
            (
                POINTS + "test_tasks_that_outlive_their_driver_or_die_alone_lose_and_double_nothing",
                SPARK + "test_what_a_killed_client_left_running_is_stopped_by_the_next_attempt",
            ),
        ),
        Scenario(
            "S16",
            "the disk is full",
            "the attempt fails and reports it. Nothing of it is staged, and the next attempt starts from the beginning",
            (
                STEPS + "test_a_disk_that_is_full_in_the_middle_of_a_file_costs_nothing_but_the_attempt",
                OUTCOME + "test_storage_that_fails_before_anything_is_sent_is_no_unknown_outcome",
            ),
        ),
        Scenario(
            "S17",
            "the object store answers with errors now and then",
            "attempts and commits fail cleanly, and never commit fewer files than the books say",
            (
                STEPS + "test_storage_that_fails_now_and_then_costs_attempts_and_no_record",
                BAD_INPUT + "test_an_unwritable_warehouse_names_the_path",
            ),
        ),
        Scenario(
            "S18",
            "an attempt writes its files after those of another attempt were committed",
            "every file has a name of its own, and no committed path is written again",
            (STEPS + "test_an_attempt_that_writes_late_rewrites_no_file_that_was_committed",),
        ),
    ),
)

ZOMBIES = Group(
    "Zombies and takeovers",
    (
        Scenario(
            "S19",
            "a writer wakes up after its twin has finished",
            "it stages nothing",
            (
                KILLS + "test_a_frozen_write_that_wakes_up_after_its_twin_stages_nothing",
                STAGE + "test_a_zombie_stages_nothing_after_a_newer_claim",
                ANY_POINT,
            ),
        ),
        Scenario(
            "S20",
            "a committer wakes up just before its swap, and after the swap of its twin",
            "the swap is refused, because branch and tag differ from those that its decision was based on",
            (COMMIT + "test_two_commits_from_one_load_land_once", ANY_POINT),
        ),
        Scenario(
            "S21",
            "an attempt starts with information from before other attempts continued",
            "the claim returns the rest of the batch. A replaced attempt cannot claim it again",
            (ATTEMPTS + "test_an_old_attempt_cannot_take_the_batch_back_from_a_silent_one", ANY_POINT),
        ),
        Scenario(
            "S22",
            "a planner records an outdated plan",
            "a plan that does not begin at the frontier is refused as a whole, within its own transaction",
            (
                PLAN + "test_a_range_that_does_not_begin_at_the_frontier_is_refused_whole",
                PLAN + "test_two_planners_of_the_same_range_one_wins",
            ),
        ),
        Scenario(
            "S23",
            "Postgres refuses a claim",
            "no work starts, and the next run tries again",
            (
                CONNECTION + "test_a_server_that_stays_away_is_unreachable_and_nothing_was_changed",
                LOUD + "test_a_log_that_only_takes_reading_stops_every_step",
            ),
        ),
        Scenario(
            "S24",
            "work on one table waits for a lock that another session holds",
            "it gives up after a limited time. Other tables have commit tasks of their own",
            (
                CONNECTION + "test_a_lock_that_another_session_holds_is_not_waited_for_without_end",
                RUNS + "test_one_tables_failure_stops_no_other_table",
            ),
        ),
        Scenario(
            "S25",
            "a person starts a task again, based on an outdated view",
            "the task first reads log and table. Superseded work ends as already staged, as fenced, or with nothing to do",
            (
                HANDS + "test_old_runs_that_are_cleared_whole_and_new_ones_all_at_once_move_nothing_twice",
                KILLS + "test_a_frozen_write_that_wakes_up_after_its_twin_stages_nothing",
            ),
        ),
        Scenario(
            "S26",
            "the holder of a batch falls silent, and several attempts want to take over",
            "one of them does, once the heartbeat is stale by Postgres' clock",
            (
                ATTEMPTS + "test_of_twins_that_take_over_a_silent_batch_one_works",
                ATTEMPTS + "test_another_run_has_to_wait_until_the_heartbeat_is_stale",
                BAD_INPUT + "test_a_run_that_dies_after_the_claim_is_taken_over",
            ),
        ),
        Scenario(
            "S27",
            "the connection that held a lock breaks, and its owner continues",
            "no step relies on a lock beyond its transaction. The attempt's id decides",
            (
                CONNECTION + "test_a_connection_lost_between_calls_is_opened_again",
                STAGE + "test_a_stage_that_races_with_a_claim_is_whole_or_fenced",
            ),
        ),
        Scenario(
            "S28",
            "two processes both consider themselves the committer",
            "there is no election. Any number of processes may commit, and the table accepts each part once",
            (
                KILLS + "test_committers_that_race_land_each_part_once",
                OUTCOME + "test_racing_writers_land_each_range_once",
            ),
        ),
        Scenario(
            "S29",
            "a late publisher sets the consumer group back",
            "lag tools see the older offsets until the next publish. Nothing else reads them",
            (
                STEPS + "test_the_consumer_group_is_a_copy_that_decides_nothing",
                MARKS + "test_the_ledger_cache_never_goes_back",
            ),
        ),
    ),
)

SEVERAL = Group(
    "Several tables, missing tables",
    (
        Scenario(
            "S30",
            "one table of a batch was committed, and another one was not",
            "each table continues from its own ledger. The consumer group stays at the slowest table",
            (STEPS + "test_tables_of_one_batch_that_land_one_by_one_hold_each_record_once",),
        ),
        Scenario(
            "S31",
            "a part is late, and later parts are there",
            "they wait, so the table's offsets of a source have no hole",
            (
                STEPS + "test_what_is_late_is_waited_for_and_lands_in_order",
                DECIDED + "test_a_part_behind_a_gap_waits_and_so_does_everything_after_it",
            ),
        ),
        Scenario(
            "S32",
            "a valid-through time would be reported although a partition is missing",
            "lakelock guesses no time, and reports no hour as complete",
            (
                HOURS + "test_a_source_that_is_absent_holds_an_hour_back_until_it_is_retired",
                HOURS + "test_no_record_of_an_hour_that_is_reported_is_missing_or_comes_later",
                "tests/acceptance/test_hours.py::test_records_of_an_open_transaction_hold_their_hour_back",
            ),
        ),
        Scenario(
            "S33",
            "one record goes into several tables, and the process dies between them",
            "each table has it once, or its dead letter once",
            (
                STEPS + "test_tables_of_one_batch_that_land_one_by_one_hold_each_record_once",
                "tests/integration/test_write_slice.py::test_a_record_that_does_not_fit_becomes_one_dead_letter_for_each_table_that_takes_its_topic",
            ),
        ),
        Scenario(
            "S34",
            "a table is gone when it should get a commit",
            "that table stops with an error, and its staged files are kept for it",
            (
                BAD_INPUT + "test_a_dropped_table_stops_and_goes_on_when_it_is_registered_again",
                COMMIT + "test_a_dropped_table_is_missing",
            ),
        ),
        Scenario(
            "S35",
            "another table has the name of one that was dropped",
            "nothing is written to it until a person decides so with `rebind`",
            (
                TABLES + "test_a_table_that_is_replaced_in_the_moment_of_its_commit_is_not_written_to",
                BAD_INPUT + "test_a_replaced_table_is_never_written_to",
                REBINDING + "test_a_table_that_was_replaced_is_filled_again",
            ),
        ),
        Scenario(
            "S36",
            "a table was renamed",
            "the old name is missing, and the table is known under the new one. Both stop, and nothing is written twice",
            (
                TABLES + "test_a_table_that_is_renamed_before_its_commit_gets_it_under_its_old_name_again",
                TABLES + "test_the_new_name_of_a_renamed_table_in_the_file_stops_before_anything_is_written_twice",
            ),
        ),
        Scenario(
            "S37",
            "several first runs create and adopt one table at the same time",
            "one of them does, and the others continue with it",
            (
                STEPS + "test_first_runs_at_once_make_one_table_with_each_record_once",
                "tests/integration/test_iceberg_create.py::test_eight_creators_at_once_make_one_table",
                COMMIT + "test_two_adoptions_of_a_table_with_rows_land_once",
            ),
        ),
    ),
)
