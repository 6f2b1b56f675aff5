-- name: lock_batches
SELECT b.batch_no
FROM lakelock.batches b
WHERE b.batch_no IN (
    SELECT p.batch_no FROM lakelock.parts p
    WHERE p.pipeline = %(pipeline)s AND p.table_name = %(table)s
        AND p.state IN ('planned', 'staged', 'committed')
)
ORDER BY b.batch_no
FOR UPDATE

-- name: lock_table
SELECT table_uuid, generation, raw_name, is_retired, retirement FROM lakelock.tables
WHERE pipeline = %(pipeline)s AND table_name = %(table)s
FOR UPDATE

-- name: parts
SELECT part_id, batch_no, target, state, layout
FROM lakelock.parts
WHERE pipeline = %(pipeline)s AND table_name = %(table)s AND state IN ('planned', 'staged', 'committed')
ORDER BY batch_no, part_id

-- name: ranges_of_data
SELECT p.part_id, s.topic, s.topic_id, s.partition, lower(r.offsets) AS start_offset, upper(r.offsets) AS end_offset
FROM lakelock.parts p JOIN lakelock.ranges r USING (batch_no) JOIN lakelock.streams s USING (stream_id)
WHERE p.part_id = ANY (%(part_ids)s::bigint[]) AND s.topic = ANY (p.topics)
ORDER BY p.part_id, s.topic_id, s.partition

-- name: mark
UPDATE lakelock.parts
SET state = 'committed', finished_at = clock_timestamp()
WHERE part_id = ANY (%(part_ids)s::bigint[])
RETURNING batch_no, table_name, target, attempt

-- name: restage
UPDATE lakelock.parts
SET state = 'staged', generation = %(generation)s, restaged = true, finished_at = NULL,
    version_id = NULL, commit_id = NULL, reason = %(reason)s
WHERE part_id = ANY (%(part_ids)s::bigint[])
RETURNING batch_no, table_name, target, attempt

-- name: abort
UPDATE lakelock.parts p
SET state = 'aborted', finished_at = clock_timestamp(), reason = %(reason)s, file_details = NULL
WHERE p.part_id = ANY (%(part_ids)s::bigint[])
RETURNING p.batch_no, p.table_name, p.target, p.attempt

-- name: abort_planned
UPDATE lakelock.parts
SET state = 'aborted', finished_at = clock_timestamp(), reason = %(reason)s
WHERE batch_no = %(batch_no)s AND table_name = %(table)s AND target = '' AND state = 'planned'
RETURNING part_id

-- name: await_generation
UPDATE lakelock.tables SET awaited_generation = %(generation)s
WHERE pipeline = %(pipeline)s AND table_name = %(table)s
