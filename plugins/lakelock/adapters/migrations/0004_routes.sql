-- Batches of pipelines with routes: their first stage decides which tables have a part.
ALTER TABLE lakelock.batches
    ADD COLUMN is_closed boolean NOT NULL DEFAULT true,
    ADD COLUMN closing text,
    ADD COLUMN closed_at timestamptz,
    ADD COLUMN closed_by text,
    ADD CHECK (closing IS NULL OR is_closed),
    ADD CHECK ((closing IS NULL) = (closed_at IS NULL) AND (closing IS NULL) = (closed_by IS NULL));
CREATE INDEX batches_not_closed ON lakelock.batches (pipeline, batch_no) WHERE NOT is_closed;
COMMENT ON COLUMN lakelock.batches.is_closed IS 'False while the batch may still get parts of routed tables.';
COMMENT ON COLUMN lakelock.batches.closing IS
    'Digest of the tables and books with which a stage closed the batch. Null if it was planned with all its tables.';
COMMENT ON COLUMN lakelock.batches.closed_by IS 'The attempt that closed it.';

ALTER TABLE lakelock.ranges
    ADD COLUMN read_count bigint,
    ADD COLUMN filtered_count bigint,
    ADD COLUMN unroutable_count bigint,
    ADD CHECK (
        (read_count IS NULL) = (filtered_count IS NULL) AND (read_count IS NULL) = (unroutable_count IS NULL)
        AND (read_count IS NULL OR filtered_count >= 0 AND unroutable_count >= 0 AND read_count >= filtered_count + unroutable_count)
    );
COMMENT ON COLUMN lakelock.ranges.read_count IS 'The number of its records that the routes had to decide on. Null without routes.';
COMMENT ON COLUMN lakelock.ranges.filtered_count IS 'Those that a rule leaves out.';
COMMENT ON COLUMN lakelock.ranges.unroutable_count IS 'Those that no table is known for: dead letters of the target *.';

ALTER TABLE lakelock.tables ADD COLUMN raw_name text, ADD COLUMN registry text;
COMMENT ON COLUMN lakelock.tables.registry IS
    'Of that ledger, if it is of a dead-letter table: its routed tables and configurations. It may be large, so it is not in the ledger.';
COMMENT ON COLUMN lakelock.tables.raw_name IS 'The name of a routed table before corrections. Null if the table is not routed.';

ALTER TABLE lakelock.streams ADD COLUMN retired_offset bigint;
COMMENT ON COLUMN lakelock.streams.retired_offset IS 'The frontier when the source was retired, if known.';

COMMENT ON COLUMN lakelock.parts.target IS
    'Empty, or for a part of the dead-letter table the table whose dead letters it holds; * if no table is known for them.';
COMMENT ON TABLE lakelock.books IS
    'The number of records of each range in each table: read = written + dead letters + filtered. Ranges of a table''s topics without a row have no records for it.';
-- A commit of a routed table asks for its open parts. The index of staged parts was of no use for planned ones.
CREATE INDEX parts_open_of_table ON lakelock.parts (pipeline, table_name, batch_no) WHERE state IN ('planned', 'staged');
DROP INDEX lakelock.parts_staged;
CREATE INDEX parts_without_table ON lakelock.parts (pipeline, batch_no) WHERE target = '*' AND state IN ('planned', 'staged');

CREATE OR REPLACE VIEW lakelock.open_work AS
SELECT
    b.pipeline, b.lane, b.batch_id, p.table_name, nullif(p.target, '') AS dead_letters_of, p.state,
    (SELECT string_agg(s.topic || '-' || s.partition || ' ' || r.offsets, ', ' ORDER BY s.topic, s.partition)
     FROM lakelock.ranges r JOIN lakelock.streams s USING (stream_id)
     WHERE r.batch_no = b.batch_no AND (s.topic = ANY (p.topics) OR p.table_name IS NULL)) AS offset_ranges,
    p.row_count, p.file_count, p.size_bytes,
    b.planned_at, p.staged_at, clock_timestamp() - coalesce(p.staged_at, b.planned_at) AS age,
    b.attempt AS working_attempt, b.holder_run AS working_run, clock_timestamp() - b.heartbeat_at AS since_heartbeat,
    p.reason
FROM (
    SELECT batch_no, table_name, target, state, topics, row_count, file_count, size_bytes, staged_at, reason
    FROM lakelock.parts WHERE state IN ('planned', 'staged')
    UNION ALL
    SELECT batch_no, NULL, '', 'not closed', '{}', 0, 0, 0, NULL, NULL FROM lakelock.batches WHERE NOT is_closed
) p JOIN lakelock.batches b USING (batch_no)
ORDER BY b.batch_no, p.table_name, p.target;
COMMENT ON VIEW lakelock.open_work IS
    'Parts to write (planned) or to commit (staged), and batches that may still get parts (not closed), oldest first.';
