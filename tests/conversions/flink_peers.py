"""Tests of tables and commits in Flink's dynamic sink, and what lakelock has in their place: one entry a test."""

from __future__ import annotations

from conversions.peer_entries import Counterpart, Group, better, never, same
from conversions.routing_peers import BY_FIELD, DROPPED, FORBIDDEN, OWN_SETTINGS, ROUTING

KILLS = "tests/acceptance/test_kills.py::"
RACE = KILLS + "test_committers_that_race_land_each_part_once"
MARKED = KILLS + "test_a_snapshot_without_its_mark_is_marked_not_repeated"
KILLED = KILLS + "test_a_process_killed_at_each_stage_loses_and_doubles_nothing"
SHARED = "tests/interleavings/test_shared_commits.py::"
ONE_EACH = SHARED + "test_two_tasks_commit_all_tables_each_its_own"
MEET = SHARED + "test_two_tasks_that_meet_at_a_table_commit_it_once"
IN_ORDER = ROUTING + "test_no_part_lands_before_what_precedes_it"
LOST = ROUTING + "test_a_lost_postgres_is_rebuilt_and_only_the_tail_is_read_again"
FAULT = "tests/integration/test_routed_slices.py::test_a_table_that_cannot_be_written_stops_no_other"
TOGETHER = "tests/acceptance/test_scenarios.py::test_many_writes_land_in_one_commit_and_are_published_only_then"
CREATED = "tests/integration/test_iceberg_create.py::"
AS_DECLARED = CREATED + "test_columns_keys_partitions_sort_order_and_properties_are_as_declared"
EXISTS = CREATED + "test_creating_what_exists_changes_nothing"
CREATORS = CREATED + "test_eight_creators_at_once_make_one_table"
WRITER = "tests/integration/test_table_writer.py::test_files_roll_at_the_tables_size_and_follow_its_properties"
BRANCH = "tests/integration/test_iceberg_commit.py::test_another_branch_is_written_to_without_touching_main"
MOVED_SPEC = "tests/integration/test_iceberg_moving_tables.py::test_a_new_partition_spec_refuses_a_commit_that_was_slow"
CHANGED = (
    "tests/acceptance/test_changed_tables.py::test_what_becomes_of_staged_files_and_later_records_is_what_the_page_says"
)
EVOLVED = "tests/acceptance/test_evolution.py::test_columns_change_once_for_a_batch"
NARROW = "tests/unit/test_counterparts.py::test_a_number_that_would_be_narrowed_is_a_dead_letter"
IN_ANY_CASE = "tests/acceptance/test_case.py::test_columns_follow_records_in_any_case"
READ_AGAIN = "tests/integration/test_iceberg_internals.py::test_a_pointer_that_others_moved_is_followed"
PATHS = "tests/acceptance/test_scenarios.py::test_an_attempt_that_writes_late_rewrites_no_file_that_was_committed"
SPECS = "tests/acceptance/test_landing.py::test_staged_files_land_after_a_compaction_of_all_others_and_a_change_of_columns_and_partitions"

_JOB = "lakelock's jobs have no operators: each slice is written by one task of Spark or one process"
_APPENDS = "lakelock only appends"
_BRANCH = "a pipeline has one branch (`catalog.branch`) for all of its tables"
_SPEC = "a record has no partition spec: rows go into those of the table, whose spec its owner or `apply` changes"
_DROPS = "lakelock drops no column: a field that records no longer have is null"
_NO_CACHE = "each batch reads the tables' metadata as it is then: no entry of a cache is too old"
_CASE = "a name that differs in case alone is another field, whose record is a dead letter"
_PROPERTIES = "a table's own write properties, or `properties` of its rule; a job has none"
_ONCE = "the table itself has the offsets of its commits: a repeated one adds nothing, whichever process makes it"
_ALWAYS = "the table is created with the columns of all records of the batch that go to it"


def _never(why: str, *names: str) -> tuple[Counterpart, ...]:
    return tuple(never(name, why) for name in names)


SINK = Group(
    "Tables and commits of Flink's dynamic sink",
    "`TestDynamicIcebergSink`, the 24 of 33 tests that are not above",
    (
        same("TestDynamicIcebergSink.testWrite", BY_FIELD),
        *_never(
            _JOB,
            "TestDynamicIcebergSink.testNoShuffleTopology",
            "TestDynamicIcebergSink.testSlotSharingGroup",
            "TestDynamicIcebergSink.testForwardWrite",
            "TestDynamicIcebergSink.testMixedForwardAndShuffleWrite",
        ),
        same("TestDynamicIcebergSink.testWriteWithNullBranch", BRANCH, why=_BRANCH),
        same("TestDynamicIcebergSink.testWritePartitioned", OWN_SETTINGS, why="`partition_by` of the rule"),
        never("TestDynamicIcebergSink.testWritePartitionedAdjustSchemaIdsInSpec", _SPEC, CHANGED),
        same("TestDynamicIcebergSink.testMultipleTables", BY_FIELD),
        same("TestDynamicIcebergSink.testMultipleTablesPartitioned", OWN_SETTINGS, why="`partition_by` of the rule"),
        never("TestDynamicIcebergSink.testPartitionSpecEvolution", _SPEC, CHANGED),
        never("TestDynamicIcebergSink.testMultipleBranches", _BRANCH, BRANCH),
        same("TestDynamicIcebergSink.testWriteMultipleTablesWithSchemaChanges", OWN_SETTINGS, EVOLVED),
        *_never(_APPENDS, "TestDynamicIcebergSink.testUpsert", "TestDynamicIcebergSink.testUpsertV3"),
        never("TestDynamicIcebergSink.testMultiFormatVersion", f"{_APPENDS}; it writes tables of format version 2"),
        better("TestDynamicIcebergSink.testCommitFailedBeforeOrAfterCommit", _ONCE, KILLED, MARKED),
        better("TestDynamicIcebergSink.testCommitsOnceWhenConcurrentDuplicateCommit", _ONCE, RACE, MEET),
        better("TestDynamicIcebergSink.testSkipsAlreadyCommittedDataAfterJobIdChanges", _ONCE, LOST),
        same("TestDynamicIcebergSink.testCommitsOncePerTableBranchAndCheckpoint", ONE_EACH, TOGETHER),
        *_never(
            _JOB,
            "TestDynamicIcebergSink.testOperatorUidsAreDeterministic",
            "TestDynamicIcebergSink.testOperatorUidsFormat",
            "TestDynamicIcebergSink.testGeneratorDefaultParallelism",
            "TestDynamicIcebergSink.testFallBackParallelismFromConfig",
        ),
    ),
)
TABLES = Group(
    "Creating and following tables in Flink's dynamic sink",
    "`TestTableUpdater`, 12 tests, `TestDynamicTableUpdateOperator`, 5 tests, and `TestTableMetadataCache`, 8 tests",
    (
        better("TestTableUpdater.testTableCreation", _ALWAYS, BY_FIELD, AS_DECLARED),
        same("TestTableUpdater.testTableAlreadyExists", EXISTS, CREATORS),
        never("TestTableUpdater.testBranchCreationAndCaching", f"{_BRANCH}; it is not created", BRANCH),
        same("TestTableUpdater.testSpecCreation", AS_DECLARED, OWN_SETTINGS),
        never("TestTableUpdater.testInvalidateOldCacheEntryOnUpdate", _NO_CACHE, READ_AGAIN),
        better(
            "TestTableUpdater.testAddColumnWithDataConverterNarrowing",
            "no number is narrowed: its record is a dead letter",
            NARROW,
        ),
        never(
            "TestTableUpdater.testAddColumnWithDateToTimestampConversion",
            "such text is no date-time: a cast reads it, or the record is a dead letter",
        ),
        better(
            "TestTableUpdater.testLastResultInvalidation",
            "another table of the name is not written to, until you `rebind` it",
            DROPPED,
            "tests/interleavings/test_routed_recoveries.py::test_another_table_of_the_name_is_not_taken",
        ),
        same("TestTableUpdater.testCaseSensitivity", IN_ANY_CASE, why="with `case_sensitive: false`"),
        never("TestTableUpdater.testDropUnusedColumns", _DROPS),
        same("TestTableUpdater.testNamespaceAndTableCreation", OWN_SETTINGS),
        same("TestTableUpdater.testTableCreationWithExistingNamespace", BY_FIELD),
        same("TestDynamicTableUpdateOperator.testDynamicTableUpdateOperatorNewTable", BY_FIELD),
        same("TestDynamicTableUpdateOperator.testDynamicTableUpdateOperatorSchemaChange", OWN_SETTINGS),
        same("TestDynamicTableUpdateOperator.testCaseInSensitivity", IN_ANY_CASE, why="with `case_sensitive: false`"),
        same("TestDynamicTableUpdateOperator.testDynamicTableUpdateOperatorPreserveUnusedColumns", OWN_SETTINGS),
        never("TestDynamicTableUpdateOperator.testDynamicTableUpdateOperatorDropUnusedColumns", _DROPS),
        *_never(
            _NO_CACHE,
            "TestTableMetadataCache.testCaching",
            "TestTableMetadataCache.testCacheInvalidationAfterSchemaChange",
            "TestTableMetadataCache.testCachingDisabled",
            "TestTableMetadataCache.testNoCacheRefreshingBeforeRefreshIntervalElapses",
        ),
        same("TestTableMetadataCache.testNoSuchNamespaceExceptionHandling", OWN_SETTINGS, why="it is created"),
        same("TestTableMetadataCache.testNoSuchTableExceptionHandling", BY_FIELD, FORBIDDEN, why="it is created"),
        never("TestTableMetadataCache.testCaseInsensitiveCaching", _NO_CACHE),
        never("TestTableMetadataCache.testCaseSensitiveCachingDoesNotMatch", _CASE),
    ),
)
COMMITS = Group(
    "Writers and committers of Flink's dynamic sink",
    "`TestDynamicCommitter`, 11 tests, `TestDynamicWriteResultAggregator`, 3 tests, `TestDynamicWriter`, 9 tests, and "
    "`TestHashKeyGenerator`, 1 of 18 tests (the others are about writers of one table)",
    (
        same("TestDynamicCommitter.testCommit", ONE_EACH),
        better("TestDynamicCommitter.testSkipsCommitRequestsForPreviousCheckpoints", _ONCE, MARKED, RACE),
        better("TestDynamicCommitter.testSkipsAlreadyCommittedDataAfterJobIdChanges", _ONCE, LOST),
        same("TestDynamicCommitter.testCommitsLandInCheckpointOrderAcrossJobIds", IN_ORDER),
        *_never(
            _APPENDS,
            "TestDynamicCommitter.testCommitDeleteInDifferentFormatVersion",
            "TestDynamicCommitter.testCommitOnlyDataInDifferentFormatVersion",
        ),
        same("TestDynamicCommitter.testTableBranchAtomicCommitForAppendOnlyData", TOGETHER),
        better("TestDynamicCommitter.testTableBranchAtomicCommitWithFailures", _ONCE, KILLED, MARKED),
        same("TestDynamicCommitter.testCommitDeltaTxnWithAppendFiles", TOGETHER, why="appends alone"),
        never("TestDynamicCommitter.testReplacePartitions", f"{_APPENDS}: no batch replaces partitions"),
        better("TestDynamicCommitter.testThrowsValidationExceptionOnDuplicateCommit", _ONCE, RACE, MEET),
        same("TestDynamicWriteResultAggregator.testAggregatesWriteResultsForTwoTables", ONE_EACH),
        same("TestDynamicWriteResultAggregator.testPreventOutputFileFactoryCacheEvictionDuringFlush", PATHS),
        same("TestDynamicWriteResultAggregator.testAggregatesWriteResultsForOneTable", SPECS),
        better("TestDynamicWriter.testDynamicWriter", "a table that cannot be written stops no other", BY_FIELD, FAULT),
        same("TestDynamicWriter.testDynamicWriterPropertiesDefault", WRITER),
        *_never(
            _PROPERTIES,
            "TestDynamicWriter.testFlinkConfigOverridesTableProperties",
            "TestDynamicWriter.testWritePropertiesOverrideFlinkConfig",
            "TestDynamicWriter.testFlinkConfigFileFormat",
            "TestDynamicWriter.testFlinkConfigTargetFileSize",
        ),
        *_never(
            _APPENDS,
            "TestDynamicWriter.testDynamicWriterUpsert",
            "TestDynamicWriter.testDynamicWriterUpsertNoEqualityFields",
        ),
        same("TestDynamicWriter.testUniqueFileSuffixOnFactoryRecreation", PATHS),
        never("TestHashKeyGenerator.testMultipleTables", _JOB),
    ),
)
GROUPS = (SINK, TABLES, COMMITS)
