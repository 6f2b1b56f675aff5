-- name: installation
SELECT installation_id FROM lakelock.installation

-- name: config
SELECT config FROM lakelock.configs WHERE digest = %(digest)s

-- name: newest_config
SELECT c.config
FROM (
    (SELECT config_digest, true AS is_live FROM lakelock.batches
     WHERE pipeline = %(pipeline)s AND lane = 'live' ORDER BY batch_no DESC LIMIT 1)
    UNION ALL
    -- Re-reads may have an older configuration; after a log was lost there may be no other batches.
    (SELECT config_digest, false FROM lakelock.batches WHERE pipeline = %(pipeline)s ORDER BY batch_no DESC LIMIT 1)
) b
JOIN lakelock.configs c ON c.digest = b.config_digest
ORDER BY b.is_live DESC LIMIT 1

-- name: streams
SELECT topic, topic_id, partition, start_offset, next_offset
FROM lakelock.streams
WHERE pipeline = %(pipeline)s AND lane = %(lane)s
ORDER BY topic, topic_id, partition

-- name: paces
SELECT n.offsets, extract(epoch FROM s.staged_at - a.started_at)::float8 AS seconds
FROM (
    SELECT batch_no, closed_by, closed_at FROM lakelock.batches
    WHERE pipeline = %(pipeline)s AND lane = 'live' ORDER BY batch_no DESC LIMIT 10
) b
CROSS JOIN LATERAL (
    SELECT p.attempt, p.staged_at FROM lakelock.parts p
    WHERE p.batch_no = b.batch_no AND p.target = '' AND p.staged_at IS NOT NULL
    UNION ALL
    SELECT b.closed_by, b.closed_at WHERE b.closed_at IS NOT NULL
    ORDER BY staged_at, attempt LIMIT 1
) s
CROSS JOIN LATERAL (
    SELECT sum(upper(r.offsets) - lower(r.offsets))::bigint AS offsets FROM lakelock.ranges r WHERE r.batch_no = b.batch_no
) n
JOIN lakelock.attempts a ON a.batch_no = b.batch_no AND a.attempt = s.attempt
ORDER BY b.batch_no DESC

-- name: has_begun
SELECT EXISTS (SELECT FROM lakelock.tables WHERE pipeline = %(pipeline)s)
    -- A pipeline with routes may have no tables yet.
    OR EXISTS (SELECT FROM lakelock.streams WHERE pipeline = %(pipeline)s AND lane = 'live') AS has_begun

-- name: planned_batches
SELECT batch_no FROM lakelock.parts WHERE pipeline = %(pipeline)s AND state = 'planned'
UNION
SELECT batch_no FROM lakelock.batches WHERE pipeline = %(pipeline)s AND NOT is_closed
ORDER BY batch_no

-- name: batches
SELECT b.batch_no, b.batch_id, b.pipeline, b.lane, b.config_digest, c.config, b.attempt, b.is_closed,
    b.survey IS NOT NULL AS has_survey,
    ARRAY(
        SELECT CASE p.target WHEN '' THEN p.table_name ELSE p.target END FROM lakelock.parts p
        WHERE p.batch_no = b.batch_no AND p.state = 'planned' ORDER BY 1
    ) AS planned_tables
FROM lakelock.batches b JOIN lakelock.configs c ON c.digest = b.config_digest
WHERE b.batch_no = ANY (%(batch_nos)s::bigint[])
ORDER BY b.batch_no

-- name: ranges
SELECT r.batch_no, s.topic, s.topic_id, s.partition, lower(r.offsets) AS start_offset, upper(r.offsets) AS end_offset,
    r.leader_epoch
FROM lakelock.ranges r JOIN lakelock.streams s USING (stream_id)
WHERE r.batch_no = ANY (%(batch_nos)s::bigint[])
ORDER BY r.batch_no, s.topic, s.topic_id, s.partition, r.offsets

-- name: staged_parts
SELECT p.part_id, b.batch_id, b.batch_no, b.lane, p.attempt, b.config_digest, p.staged_at,
    extract(epoch FROM clock_timestamp() - p.staged_at)::float8 AS age_s,
    p.table_name, p.target, p.table_uuid, p.generation, p.layout, p.file_details, p.restaged
FROM lakelock.parts p JOIN lakelock.batches b USING (batch_no)
WHERE p.pipeline = %(pipeline)s AND p.state = 'staged'
    AND (%(tables)s::text[] IS NULL OR p.table_name = ANY (%(tables)s))
ORDER BY p.batch_no, p.table_name, p.target, p.part_id

-- name: staged_file_counts
SELECT table_name, sum(file_count)::bigint AS file_count FROM lakelock.parts
WHERE pipeline = %(pipeline)s AND state = 'staged' AND table_name = ANY (%(tables)s)
GROUP BY table_name

-- name: tables_to_commit
SELECT table_name, table_uuid, topics, raw_name IS NOT NULL AS is_routed, coalesce(generation, 0) AS generation,
    coalesce(awaited_generation > coalesce(generation, 0) AND NOT is_retired, false) AS is_unsettled, ledger IS NOT NULL AS has_ledger
FROM lakelock.tables
WHERE pipeline = %(pipeline)s AND table_name = ANY (%(tables)s)

-- name: files
SELECT part_id, path, row_count, size_bytes
FROM lakelock.files
WHERE part_id = ANY (%(part_ids)s::bigint[])
ORDER BY part_id, file_no

-- name: books
SELECT p.part_id, s.topic, s.topic_id, s.partition, lower(r.offsets) AS start_offset, upper(r.offsets) AS end_offset,
    coalesce(k.read_count, 0) AS read_count, coalesce(k.written_count, 0) AS written_count,
    coalesce(k.dead_count, 0) AS dead_count, coalesce(k.filtered_count, 0) AS filtered_count,
    k.min_timestamp_ms, k.max_timestamp_ms
FROM lakelock.parts p JOIN lakelock.ranges r USING (batch_no) JOIN lakelock.streams s USING (stream_id)
LEFT JOIN lakelock.books k ON k.part_id = p.part_id AND k.range_id = r.range_id
WHERE p.part_id = ANY (%(part_ids)s::bigint[])
    -- Data covers all ranges of its topics, those without records too.
    AND (k.part_id IS NOT NULL OR p.target = '' AND s.topic = ANY (p.topics))
ORDER BY p.part_id, s.topic, s.topic_id, s.partition, r.offsets

-- name: staged_tables
SELECT p.table_name, extract(epoch FROM clock_timestamp() - min(p.staged_at))::float8 AS age_s,
    sum(p.size_bytes)::bigint AS size_bytes,
    bool_or(p.row_count > 0 OR EXISTS (
        SELECT FROM lakelock.books k WHERE k.part_id = p.part_id AND k.dead_count > 0
    )) AS has_records,
    bool_and(t.ledger IS NULL) AS is_first,
    bool_or(t.raw_name IS NOT NULL AND NOT t.is_retired) IS TRUE AS is_routed
FROM lakelock.parts p LEFT JOIN lakelock.tables t USING (pipeline, table_name)
WHERE p.pipeline = %(pipeline)s AND p.state = 'staged'
GROUP BY p.table_name
ORDER BY p.table_name

-- name: bind
INSERT INTO lakelock.tables AS t (pipeline, table_name, table_uuid, bound_at)
VALUES (%(pipeline)s, %(table)s, %(uuid)s, clock_timestamp())
ON CONFLICT (pipeline, table_name) DO UPDATE
SET table_uuid = coalesce(t.table_uuid, excluded.table_uuid), bound_at = coalesce(t.bound_at, excluded.bound_at)
RETURNING table_uuid

-- name: bound
SELECT table_name, table_uuid FROM lakelock.tables
WHERE pipeline = %(pipeline)s AND table_uuid IS NOT NULL AND NOT is_retired
    AND (%(tables)s::text[] IS NULL OR table_name = ANY (%(tables)s))
ORDER BY table_name

-- name: bound_uuid
SELECT table_uuid FROM lakelock.tables
WHERE pipeline = %(pipeline)s AND table_name = %(table)s

-- name: dead_letter_tables
SELECT table_name FROM lakelock.tables
WHERE pipeline = %(pipeline)s AND table_uuid IS NOT NULL AND topics = '{}' AND raw_name IS NULL
ORDER BY table_name

-- name: unsettled
SELECT table_name FROM lakelock.tables
WHERE pipeline = %(pipeline)s AND awaited_generation > coalesce(generation, 0) AND NOT is_retired

-- name: generations
SELECT table_name, coalesce(generation, 0) AS generation FROM lakelock.tables
WHERE pipeline = %(pipeline)s AND (%(tables)s::text[] IS NULL OR table_name = ANY (%(tables)s))

-- name: declared_starts
SELECT s.topic, s.topic_id, s.partition,
    -- A routed table takes part from the beginning, with no records at first.
    CASE WHEN t.raw_name IS NULL THEN coalesce(ts.start_offset, s.next_offset) ELSE s.start_offset END AS start_offset
FROM lakelock.streams s
JOIN lakelock.tables t ON t.pipeline = s.pipeline AND t.table_name = %(table)s
LEFT JOIN lakelock.table_streams ts
    ON ts.stream_id = s.stream_id AND ts.table_name = t.table_name AND ts.target = ''
WHERE s.pipeline = %(pipeline)s AND s.lane = %(lane)s
    -- A source retired before the table had a part in it is not something that the table lacks.
    AND (s.topic = ANY (t.topics) AND (s.next_offset < 9223372036854775807 OR t.raw_name IS NOT NULL)
        OR ts.stream_id IS NOT NULL)
ORDER BY s.topic, s.topic_id, s.partition

-- name: ledgers
SELECT table_name, ledger, registry FROM lakelock.tables
WHERE pipeline = %(pipeline)s AND ledger IS NOT NULL AND NOT is_retired
    AND (%(tables)s::text[] IS NULL OR table_name = ANY (%(tables)s))
ORDER BY table_name

-- name: has_ledger
SELECT EXISTS (
    SELECT FROM lakelock.tables WHERE pipeline = %(pipeline)s AND table_name = %(table)s AND ledger IS NOT NULL
) AS has_ledger

-- name: first_ledger
SELECT ledger, registry FROM lakelock.tables
WHERE pipeline = %(pipeline)s AND table_name = %(table)s AND ledger IS NOT NULL
    -- As long as no commit has stored a later one.
    AND (table_uuid IS NULL OR ledger_at <= bound_at)

-- name: recent
WITH open AS (
    SELECT part_id FROM lakelock.parts
    WHERE pipeline = %(pipeline)s AND state IN ('planned', 'staged')
    ORDER BY batch_no DESC, part_id DESC LIMIT %(limit)s
), finished AS (
    SELECT part_id FROM lakelock.parts
    WHERE pipeline = %(pipeline)s AND state IN ('committed', 'aborted')
    ORDER BY finished_at DESC, part_id DESC LIMIT %(limit)s
)
SELECT p.part_id, p.batch_no, b.batch_id, p.table_name, p.target, p.state, p.topics, p.row_count, p.file_count,
    p.size_bytes, p.version_id, coalesce(p.finished_at, p.staged_at, b.planned_at) AS at
FROM lakelock.parts p JOIN lakelock.batches b USING (batch_no)
WHERE p.part_id IN (SELECT part_id FROM open UNION ALL SELECT part_id FROM finished)
ORDER BY p.finished_at DESC NULLS FIRST, CASE WHEN p.finished_at IS NULL THEN p.batch_no END DESC, p.part_id DESC
LIMIT %(limit)s

-- name: open_parts
SELECT table_name, state, topics, batch_no
FROM lakelock.parts
WHERE pipeline = %(pipeline)s AND state IN ('planned', 'staged') AND target = ''
ORDER BY table_name, batch_no

-- name: unclosed_ranges
SELECT s.topic, s.topic_id, s.partition, lower(r.offsets) AS start_offset, upper(r.offsets) AS end_offset
FROM lakelock.batches b JOIN lakelock.ranges r USING (batch_no) JOIN lakelock.streams s USING (stream_id)
WHERE b.pipeline = %(pipeline)s AND NOT b.is_closed AND (%(with_backfills)s OR b.lane NOT LIKE 'backfill-%%')
ORDER BY s.topic, s.topic_id, s.partition, r.offsets

-- name: notify
SELECT pg_notify(%(channel)s, '')
