-- name: parts_of_batch
SELECT part_id, table_name, target, state, attempt, topics
FROM lakelock.parts
WHERE batch_no = %(batch_no)s
ORDER BY part_id

-- name: ranges_of_batch
SELECT r.range_id, s.topic, s.topic_id, s.partition, lower(r.offsets) AS start_offset, upper(r.offsets) AS end_offset
FROM lakelock.ranges r JOIN lakelock.streams s USING (stream_id)
WHERE r.batch_no = %(batch_no)s

-- name: ranges_to_end
SELECT r.range_id, r.stream_id, s.topic, s.topic_id, s.partition, lower(r.offsets) AS start_offset,
    upper(r.offsets) AS end_offset, s.next_offset
FROM lakelock.ranges r JOIN lakelock.streams s USING (stream_id)
WHERE r.batch_no = %(batch_no)s AND r.state = 'open'
ORDER BY s.topic_id, s.partition
FOR UPDATE OF s

-- name: end_range
UPDATE lakelock.ranges SET offsets = int8range(lower(offsets), %(end)s, '[)') WHERE range_id = %(range_id)s

-- name: move_frontier_back
UPDATE lakelock.streams SET next_offset = %(end)s WHERE stream_id = %(stream_id)s

-- name: stage_part
UPDATE lakelock.parts p
SET state = 'staged', attempt = b.attempt, table_uuid = %(uuid)s, generation = %(generation)s,
    layout = %(layout)s, row_count = %(row_count)s, file_count = %(file_count)s,
    size_bytes = %(size_bytes)s, file_details = %(file_details)s, staged_at = clock_timestamp(), reason = NULL
FROM lakelock.batches b
WHERE b.batch_no = p.batch_no AND b.batch_no = %(batch_no)s AND b.attempt = %(attempt)s
    AND p.table_name = %(table)s AND p.target = '' AND p.state = 'planned'
RETURNING p.part_id

-- name: stage_dead_letters
INSERT INTO lakelock.parts (
    batch_no, pipeline, table_name, target, state, attempt, table_uuid, generation, layout, row_count,
    file_count, size_bytes, file_details, staged_at
)
SELECT b.batch_no, b.pipeline, %(table)s, %(target)s, 'staged', b.attempt, %(uuid)s, %(generation)s, %(layout)s,
     %(row_count)s, %(file_count)s, %(size_bytes)s, %(file_details)s, clock_timestamp()
FROM lakelock.batches b
WHERE b.batch_no = %(batch_no)s AND b.attempt = %(attempt)s
RETURNING part_id

-- name: insert_files
INSERT INTO lakelock.files (part_id, file_no, path, row_count, size_bytes)
SELECT %(part_id)s, f.file_no, f.path, f.row_count, f.size_bytes
FROM unnest(%(paths)s::text[], %(row_counts)s::bigint[], %(sizes)s::bigint[])
    WITH ORDINALITY AS f (path, row_count, size_bytes, file_no)

-- name: insert_books
INSERT INTO lakelock.books (
    part_id, range_id, read_count, written_count, dead_count, filtered_count, min_timestamp_ms, max_timestamp_ms
)
SELECT %(part_id)s, k.*
FROM unnest(
    %(range_ids)s::bigint[], %(read)s::bigint[], %(written)s::bigint[], %(dead)s::bigint[], %(filtered)s::bigint[],
    %(min_timestamps_ms)s::bigint[], %(max_timestamps_ms)s::bigint[]
) AS k

-- name: keep_dead_letter_starts
INSERT INTO lakelock.table_streams (stream_id, table_name, target, start_offset)
SELECT r.stream_id, %(table)s, %(target)s, lower(r.offsets)
FROM lakelock.books k JOIN lakelock.ranges r USING (range_id)
WHERE k.part_id = %(part_id)s
ORDER BY r.stream_id
ON CONFLICT (stream_id, table_name, target) DO NOTHING
