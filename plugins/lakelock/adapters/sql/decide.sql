-- name: lock_batches
SELECT batch_no FROM lakelock.batches WHERE pipeline = %(pipeline)s ORDER BY batch_no FOR UPDATE

-- name: lock_streams
SELECT topic, topic_id, partition, next_offset
FROM lakelock.streams
WHERE pipeline = %(pipeline)s AND lane = %(lane)s
ORDER BY topic_id, partition
FOR UPDATE

-- name: move_frontier
UPDATE lakelock.streams
SET retired_offset = CASE WHEN %(next_offset)s = 9223372036854775807 AND next_offset < 9223372036854775807
        THEN next_offset ELSE retired_offset END,
    next_offset = %(next_offset)s
WHERE pipeline = %(pipeline)s AND lane = %(lane)s AND topic_id = %(topic_id)s AND partition = %(partition)s

-- name: batches_of_parts
SELECT p.part_id, b.batch_id, b.lane, b.attempt, b.config_digest, c.config
FROM lakelock.parts p JOIN lakelock.batches b USING (batch_no) JOIN lakelock.configs c ON c.digest = b.config_digest
WHERE p.part_id = ANY (%(part_ids)s::bigint[])

-- name: all_parts
SELECT part_id FROM lakelock.parts
WHERE pipeline = %(pipeline)s AND table_name = %(table)s AND state <> 'aborted'

-- name: open_parts
SELECT part_id FROM lakelock.parts
WHERE pipeline = %(pipeline)s AND table_name = %(table)s AND state IN ('planned', 'staged')

-- name: retire_table
UPDATE lakelock.tables SET is_retired = true, retirement = %(retirement)s, awaited_generation = NULL
WHERE pipeline = %(pipeline)s AND table_name = %(table)s

-- name: end_retirement
UPDATE lakelock.tables SET is_retired = false, retirement = %(retirement)s
WHERE pipeline = %(pipeline)s AND table_name = %(table)s

-- name: set_uuid
UPDATE lakelock.tables
SET table_uuid = %(uuid)s, bound_at = clock_timestamp(), awaited_generation = NULL,
    generation = NULL, covered_offsets = NULL, ledger = NULL, registry = NULL, ledger_at = NULL
WHERE pipeline = %(pipeline)s AND table_name = %(table)s
