-- Totals per table and source are in each table's own ledger, where a lost or restored log cannot harm them.
DROP VIEW lakelock.table_books;
ALTER TABLE lakelock.table_streams
    DROP COLUMN folded_batches,
    DROP COLUMN folded_end_offset,
    DROP COLUMN read_count,
    DROP COLUMN written_count,
    DROP COLUMN dead_count,
    DROP COLUMN filtered_count,
    DROP COLUMN min_timestamp_ms,
    DROP COLUMN max_timestamp_ms;
COMMENT ON TABLE lakelock.table_streams IS 'Where a table begins in a stream.';
