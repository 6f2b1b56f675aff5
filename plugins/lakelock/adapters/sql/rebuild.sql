-- name: begin
-- None if another recovery than %(after)s began last. The second execution after an answer that was lost finds its own.
INSERT INTO lakelock.recoveries AS r (pipeline, who, token) VALUES (%(pipeline)s, %(who)s, %(token)s)
ON CONFLICT (pipeline) DO UPDATE
SET who = excluded.who, token = excluded.token, began_at = clock_timestamp(), ended_at = NULL
WHERE r.token IN (%(after)s, excluded.token)
RETURNING token

-- name: last
SELECT who, began_at, token, ended_at FROM lakelock.recoveries WHERE pipeline = %(pipeline)s

-- name: lock
SELECT FROM lakelock.recoveries WHERE pipeline = %(pipeline)s FOR UPDATE

-- name: finish
UPDATE lakelock.recoveries SET ended_at = clock_timestamp(), left_out = %(left_out)s::text[] WHERE pipeline = %(pipeline)s

-- name: left_out
SELECT t.table_name
FROM lakelock.recoveries r
JOIN lakelock.tables t ON t.pipeline = r.pipeline AND t.table_name = ANY (r.left_out) AND NOT t.is_retired
WHERE r.pipeline = %(pipeline)s
ORDER BY t.table_name

-- name: rebound
UPDATE lakelock.recoveries SET left_out = array_remove(left_out, %(table)s)
WHERE pipeline = %(pipeline)s AND %(table)s = ANY (left_out)

-- name: written_tables
SELECT DISTINCT table_name FROM lakelock.parts
WHERE pipeline = %(pipeline)s AND state IN ('staged', 'committed')
ORDER BY table_name

-- name: staged_tables
SELECT DISTINCT table_name FROM lakelock.parts WHERE pipeline = %(pipeline)s AND state = 'staged' ORDER BY table_name

-- name: lock_batches
SELECT batch_no FROM lakelock.batches WHERE pipeline = %(pipeline)s ORDER BY batch_no FOR UPDATE

-- name: lock_streams
SELECT stream_id FROM lakelock.streams WHERE pipeline = %(pipeline)s ORDER BY topic_id, partition FOR UPDATE

-- name: abort_parts
UPDATE lakelock.parts
SET state = 'aborted', finished_at = clock_timestamp(), reason = %(reason)s, file_details = NULL
WHERE pipeline = %(pipeline)s AND state <> 'aborted'
RETURNING batch_no, table_name, target, attempt

-- name: abort_ranges
UPDATE lakelock.ranges r SET state = 'aborted'
FROM lakelock.batches b
WHERE b.batch_no = r.batch_no AND b.pipeline = %(pipeline)s AND r.state <> 'aborted'

-- name: leave_batches
UPDATE lakelock.batches SET attempt = NULL, holder_run = NULL, heartbeat_at = NULL
WHERE pipeline = %(pipeline)s AND attempt IS NOT NULL

-- name: close_batches
-- The closing of a backfill would show that its tables are complete.
UPDATE lakelock.batches
SET is_closed = true, closing = CASE WHEN lane NOT LIKE 'backfill-%%' THEN closing END,
    closed_at = CASE WHEN lane NOT LIKE 'backfill-%%' THEN closed_at END,
    closed_by = CASE WHEN lane NOT LIKE 'backfill-%%' THEN closed_by END
WHERE pipeline = %(pipeline)s AND (NOT is_closed OR lane LIKE 'backfill-%%' AND closing IS NOT NULL)

-- name: end_attempts
UPDATE lakelock.attempts a SET ended_at = clock_timestamp(), outcome = 'fenced'
FROM lakelock.batches b
WHERE b.batch_no = a.batch_no AND b.pipeline = %(pipeline)s AND a.ended_at IS NULL

-- name: frontiers_back
UPDATE lakelock.streams SET next_offset = start_offset WHERE pipeline = %(pipeline)s AND lane = %(lane)s

-- name: set_streams
INSERT INTO lakelock.streams (pipeline, lane, topic, topic_id, partition, start_offset, next_offset, retired_offset)
SELECT %(pipeline)s, %(lane)s, s.topic, s.topic_id, s.partition, s.start_offset, s.next_offset, s.retired_offset
FROM unnest(
    %(topics)s::text[], %(topic_ids)s::text[], %(partitions)s::int[], %(start_offsets)s::bigint[],
    %(next_offsets)s::bigint[], %(retired_offsets)s::bigint[]
) AS s (topic, topic_id, partition, start_offset, next_offset, retired_offset)
ORDER BY s.topic_id, s.partition
ON CONFLICT (pipeline, lane, topic_id, partition) DO UPDATE
SET start_offset = excluded.start_offset, next_offset = excluded.next_offset, retired_offset = excluded.retired_offset

-- name: set_table
INSERT INTO lakelock.tables AS t (pipeline, table_name, topics, table_uuid, bound_at)
VALUES (%(pipeline)s, %(table)s, %(topics)s::text[], %(uuid)s, clock_timestamp())
ON CONFLICT (pipeline, table_name) DO UPDATE
SET topics = ARRAY(SELECT DISTINCT x FROM unnest(t.topics || excluded.topics) AS x ORDER BY x),
    table_uuid = excluded.table_uuid, awaited_generation = NULL,
    -- The cached ledger may be later than the state to which the table was restored.
    generation = NULL, covered_offsets = NULL, ledger = NULL, registry = NULL

-- name: set_table_starts
INSERT INTO lakelock.table_streams (stream_id, table_name, start_offset)
SELECT s.stream_id, %(table)s, w.start_offset
FROM unnest(%(topic_ids)s::text[], %(partitions)s::int[], %(start_offsets)s::bigint[])
    AS w (topic_id, partition, start_offset)
JOIN lakelock.streams s
    ON s.pipeline = %(pipeline)s AND s.lane = %(lane)s AND s.topic_id = w.topic_id AND s.partition = w.partition
ORDER BY s.stream_id
ON CONFLICT (stream_id, table_name, target) DO UPDATE SET start_offset = excluded.start_offset

-- name: set_registered
INSERT INTO lakelock.tables AS t (pipeline, table_name, raw_name, table_uuid, bound_at, is_retired, retirement)
SELECT %(pipeline)s, w.table_name, w.raw_name, w.table_uuid, CASE WHEN w.table_uuid IS NOT NULL THEN clock_timestamp() END,
    w.is_retired, w.retirement
FROM unnest(
    %(tables)s::text[], %(raw_names)s::text[], %(uuids)s::text[], %(are_retired)s::boolean[], %(retirements)s::text[]
) AS w (table_name, raw_name, table_uuid, is_retired, retirement)
ORDER BY w.table_name
ON CONFLICT (pipeline, table_name) DO UPDATE
SET raw_name = excluded.raw_name, table_uuid = coalesce(excluded.table_uuid, t.table_uuid),
    bound_at = coalesce(t.bound_at, excluded.bound_at), is_retired = excluded.is_retired, retirement = excluded.retirement

-- name: tail_ranges
INSERT INTO lakelock.ranges (batch_no, stream_id, offsets)
SELECT %(batch_no)s, s.stream_id, int8range(w.start_offset, w.end_offset, '[)')
FROM unnest(%(topic_ids)s::text[], %(partitions)s::int[], %(start_offsets)s::bigint[], %(end_offsets)s::bigint[])
    AS w (topic_id, partition, start_offset, end_offset)
JOIN lakelock.streams s
    ON s.pipeline = %(pipeline)s AND s.lane = %(lane)s AND s.topic_id = w.topic_id AND s.partition = w.partition
ORDER BY s.stream_id
