"""The guards of records that slices send to other tasks."""

from __future__ import annotations

from mutations.mutation import Mutation

OUTPUTS = "tests/unit/test_shuffled_outputs.py::"
SHUFFLING = "tests/unit/test_shuffling.py::"

SHUFFLES = (
    Mutation(
        "once",
        "a batch is staged although a task received other records than a slice sent it",
        "workers/shuffled_outputs.py",
        "    if received == sent:\n",
        "    if True:\n",
        OUTPUTS + "test_other_records_than_were_sent_fail_the_job",
    ),
    Mutation(
        "once",
        "a lost record and a doubled one between two runs of a slice look like none",
        "workers/shuffled_records.py",
        "np.add.at(sums, inverse, _hashed(block.offsets[records]))",
        "np.add.at(sums, inverse, block.offsets[records].astype(np.uint64))",
        OUTPUTS + "test_offsets_with_the_same_number_and_sum_are_told_apart",
    ),
    Mutation(
        "once",
        "a task may lose records that it has received",
        "workers/shuffled_outputs.py",
        "    if books.read != sent:\n",
        "    if False:\n",
        OUTPUTS + "test_a_task_that_counts_other_records_than_it_got_is_a_defect",
    ),
    Mutation(
        "once",
        "dead letters of a table whose records are read again are there twice",
        "workers/shuffled_outputs.py",
        "if d.table not in void",
        "if True",
        OUTPUTS + "test_news_of_one_task_are_of_all_records_of_the_table",
    ),
    Mutation(
        "once",
        "once columns have followed, only some of a table's shuffled records are read again",
        "workers/shuffled_outputs.py",
        "news=replace(one, ranges=ranges)",
        "news=one",
        OUTPUTS + "test_news_of_one_task_are_of_all_records_of_the_table",
    ),
    Mutation(
        "once",
        "books of a shuffled table cover offsets that a slice has left unread",
        "workers/shuffled_outputs.py",
        "            end = ends.get(r.source, r.end)\n",
        "            end = r.end\n",
        OUTPUTS + "test_books_end_where_a_slice_ended",
    ),
    Mutation(
        "once",
        "the first record of a slice's range counts as one of the slice before",
        "workers/range_books.py",
        'np.searchsorted(starts, block.offsets[indexes], "right") - 1',
        'np.searchsorted(starts, block.offsets[indexes], "left") - 1',
        OUTPUTS + "test_a_partition_with_several_ranges_is_counted_by_offset",
    ),
    Mutation(
        "once",
        "a table whose expressions Spark evaluates is shuffled past them",
        "ingest/shuffling.py",
        "if t.is_routed and t.expressions is None",
        "if t.is_routed",
        SHUFFLING + "test_neither_static_tables_nor_those_with_expressions_are_shuffled",
    ),
)
