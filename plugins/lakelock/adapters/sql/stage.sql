-- name: parts_of_batch
SELECT p.part_id, p.table_name, p.target, p.state, p.attempt, p.topics, t.raw_name IS NOT NULL AS is_routed,
    t.table_uuid
FROM lakelock.parts p LEFT JOIN lakelock.tables t USING (pipeline, table_name)
WHERE p.batch_no = %(batch_no)s
ORDER BY p.part_id

-- name: ranges_of_batch
SELECT r.range_id, s.topic, s.topic_id, s.partition, lower(r.offsets) AS start_offset, upper(r.offsets) AS end_offset,
    r.unroutable_count
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

-- name: stage_parts
UPDATE lakelock.parts p
SET state = 'staged', attempt = b.attempt, table_uuid = w.table_uuid, generation = w.generation, layout = w.layout,
    row_count = w.row_count, file_count = w.file_count, size_bytes = w.size_bytes, file_details = w.file_details,
    staged_at = clock_timestamp(), reason = NULL
FROM lakelock.batches b, unnest(
    %(tables)s::text[], %(targets)s::text[], %(uuids)s::text[], %(generations)s::bigint[], %(layouts)s::text[],
    %(row_counts)s::bigint[], %(file_counts)s::int[], %(sizes)s::bigint[], %(file_details)s::bytea[]
) AS w (table_name, target, table_uuid, generation, layout, row_count, file_count, size_bytes, file_details)
WHERE b.batch_no = p.batch_no AND b.batch_no = %(batch_no)s AND b.attempt = %(attempt)s
    AND p.table_name = w.table_name AND p.target = w.target AND p.state = 'planned'
RETURNING p.part_id, p.table_name, p.target

-- name: stage_dead_letters
INSERT INTO lakelock.parts (
    batch_no, pipeline, table_name, target, state, attempt, table_uuid, generation, layout, row_count,
    file_count, size_bytes, file_details, staged_at
)
SELECT b.batch_no, b.pipeline, w.table_name, w.target, 'staged', b.attempt, w.table_uuid, w.generation, w.layout,
    w.row_count, w.file_count, w.size_bytes, w.file_details, clock_timestamp()
FROM lakelock.batches b, unnest(
    %(tables)s::text[], %(targets)s::text[], %(uuids)s::text[], %(generations)s::bigint[], %(layouts)s::text[],
    %(row_counts)s::bigint[], %(file_counts)s::int[], %(sizes)s::bigint[], %(file_details)s::bytea[]
) AS w (table_name, target, table_uuid, generation, layout, row_count, file_count, size_bytes, file_details)
WHERE b.batch_no = %(batch_no)s AND b.attempt = %(attempt)s
ORDER BY w.table_name, w.target
RETURNING part_id, table_name, target

-- name: insert_files
INSERT INTO lakelock.files (part_id, file_no, path, row_count, size_bytes)
SELECT f.part_id, f.file_no, f.path, f.row_count, f.size_bytes
FROM unnest(
    %(part_ids)s::bigint[], %(file_nos)s::int[], %(paths)s::text[], %(row_counts)s::bigint[], %(sizes)s::bigint[]
) AS f (part_id, file_no, path, row_count, size_bytes)

-- name: insert_books
INSERT INTO lakelock.books (
    part_id, range_id, read_count, written_count, dead_count, filtered_count, min_timestamp_ms, max_timestamp_ms
)
SELECT k.*
FROM unnest(
    %(part_ids)s::bigint[], %(range_ids)s::bigint[], %(read)s::bigint[], %(written)s::bigint[], %(dead)s::bigint[],
    %(filtered)s::bigint[], %(min_timestamps_ms)s::bigint[], %(max_timestamps_ms)s::bigint[]
) AS k

-- name: add_events
INSERT INTO lakelock.events (batch_no, edge, table_name, target, attempt, detail)
SELECT %(batch_no)s, 'staged', w.table_name, nullif(w.target, ''), %(attempt)s, w.detail
FROM unnest(%(tables)s::text[], %(targets)s::text[], %(details)s::text[]) WITH ORDINALITY
    AS w (table_name, target, detail, number)
ORDER BY w.number

-- name: keep_dead_letter_starts
INSERT INTO lakelock.table_streams (stream_id, table_name, target, start_offset)
SELECT r.stream_id, p.table_name, p.target, lower(r.offsets)
FROM lakelock.parts p JOIN lakelock.books k USING (part_id) JOIN lakelock.ranges r USING (range_id)
WHERE p.part_id = ANY (%(part_ids)s::bigint[])
ORDER BY r.stream_id, p.table_name, p.target
ON CONFLICT (stream_id, table_name, target) DO NOTHING
