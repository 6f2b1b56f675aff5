-- name: pipelines
SELECT s.pipeline, count(*) FILTER (WHERE s.next_offset < 9223372036854775807)::int AS partitions,
    count(DISTINCT s.topic) FILTER (WHERE s.next_offset < 9223372036854775807)::int AS topics,
    r.who AS recovery_of
FROM lakelock.streams s
LEFT JOIN lakelock.recoveries r ON r.pipeline = s.pipeline AND r.token IS NOT NULL AND r.ended_at IS NULL
WHERE s.lane = 'live' AND s.pipeline = ANY (%(pipelines)s::text[])
GROUP BY s.pipeline, r.who
ORDER BY s.pipeline

-- name: chosen
-- Tables in the order in which they are shown, and how many there are. A table is late if one of its open parts, which are
-- counted as in open_parts, is older than late_s.
WITH w AS (
    SELECT * FROM unnest(%(pipelines)s::text[], %(late_s)s::float8[]) AS w (pipeline, late_s)
), waiting AS (
    SELECT p.pipeline, p.table_name, min(coalesce(p.staged_at, b.planned_at)) AS since
    FROM lakelock.parts p JOIN lakelock.batches b USING (batch_no)
    WHERE p.pipeline = ANY (%(pipelines)s::text[]) AND p.state IN ('planned', 'staged') AND NOT p.restaged
        AND CASE p.state WHEN 'staged' THEN p.row_count > 0 ELSE b.lane = 'live' END
    GROUP BY p.pipeline, p.table_name
), listed AS (
    SELECT t.pipeline, t.table_name, o.since, t.topics = '{}' AND t.table_uuid IS NOT NULL AND t.raw_name IS NULL AS is_dead_letter_table,
        coalesce(o.since < clock_timestamp() - make_interval(secs => w.late_s), false)
            OR t.table_name = ANY (%(gone)s::text[]) AS is_late,
        position(
            %(find)s IN lower(CASE WHEN %(in_pipelines)s THEN t.pipeline || ' ' ELSE '' END || t.table_name)
        ) > 0 AS has_text, t.bound_at
    FROM lakelock.tables t JOIN w USING (pipeline) LEFT JOIN waiting o USING (pipeline, table_name)
    WHERE NOT t.is_retired
), found AS (
    SELECT *, has_text AND (%(only)s::text IS NULL OR table_name = %(only)s OR is_dead_letter_table) AS is_found
    FROM listed
), placed AS (
    SELECT *, row_number() OVER (
        PARTITION BY pipeline, is_found
        ORDER BY %(order)s = 'behind' AND NOT is_late,
            CASE WHEN %(order)s = 'latest' OR %(order)s = 'behind' AND is_late THEN since END NULLS LAST,
            is_dead_letter_table, table_name
    ) AS place
    FROM found
)
SELECT pipeline, count(*) FILTER (WHERE NOT is_dead_letter_table)::int AS table_count,
    count(*) FILTER (WHERE is_late)::int AS behind, count(*) FILTER (WHERE is_found)::int AS found,
    min(bound_at) AS begun_at,
    array_agg(table_name ORDER BY place) FILTER (
        WHERE is_found AND place > %(skip)s AND (%(most)s::int IS NULL OR place <= %(skip)s + %(most)s)
    ) AS tables
FROM placed
GROUP BY pipeline

-- name: tables
SELECT pipeline, table_name, topics = '{}' AND table_uuid IS NOT NULL AND raw_name IS NULL AS is_dead_letter_table, bound_at, coalesce(generation, 0) AS generation,
    coalesce(awaited_generation > coalesce(generation, 0), false) AS is_unsettled, ledger_at,
    ledger ->> 'rollback' AS rollback,
    CASE WHEN ledger ->> 'decisions' ~ '\["(pause|resume)",' THEN ledger ->> 'decisions' END AS decisions
FROM lakelock.tables
WHERE pipeline = ANY (%(pipelines)s::text[]) AND table_name = ANY (%(tables)s::text[])

-- name: settings
SELECT b.pipeline, b.planned_at, c.config -> 'commit' ->> 'max_latency' AS max_latency,
    (c.config -> 'commit' ->> 'min_bytes')::bigint AS min_bytes
FROM unnest(%(pipelines)s::text[]) AS w (pipeline)
CROSS JOIN LATERAL (
    SELECT x.pipeline, x.config_digest, x.planned_at FROM lakelock.batches x
    WHERE x.pipeline = w.pipeline ORDER BY x.batch_no DESC LIMIT 1
) b
JOIN lakelock.configs c ON c.digest = b.config_digest

-- name: open_parts
SELECT p.pipeline, p.table_name, p.state, count(*)::int AS parts, sum(p.row_count)::bigint AS row_count,
    sum(p.size_bytes)::bigint AS size_bytes,
    coalesce(sum(r.offsets) FILTER (WHERE p.target = ''), 0)::bigint AS offsets,
    -- Parts that a rollback removed were staged long ago and are no sign of trouble; re-reads wait their turn.
    extract(epoch FROM min(coalesce(p.staged_at, b.planned_at)) FILTER (
        WHERE NOT p.restaged AND CASE p.state WHEN 'staged' THEN p.row_count > 0 ELSE b.lane = 'live' END
    ))::float8 AS since_s,
    extract(epoch FROM clock_timestamp() - min(coalesce(p.staged_at, b.planned_at)))::float8 AS age_s,
    bool_or(p.row_count > 0 OR EXISTS (
        SELECT FROM lakelock.books k WHERE k.part_id = p.part_id AND k.dead_count > 0
    )) AS has_records
FROM lakelock.parts p
JOIN lakelock.batches b USING (batch_no)
LEFT JOIN LATERAL (
    SELECT sum(upper(x.offsets) - lower(x.offsets)) AS offsets
    FROM lakelock.ranges x JOIN lakelock.streams s USING (stream_id)
    WHERE x.batch_no = p.batch_no AND s.topic = ANY (p.topics)
) r ON true
WHERE p.pipeline = ANY (%(pipelines)s::text[]) AND p.state IN ('planned', 'staged') AND p.table_name = ANY (%(tables)s::text[])
GROUP BY p.pipeline, p.table_name, p.state

-- name: open_batches
SELECT b.pipeline, b.batch_id::text AS batch_id, b.lane, b.holder_run,
    extract(epoch FROM clock_timestamp() - b.planned_at)::float8 AS age_s,
    extract(epoch FROM clock_timestamp() - b.heartbeat_at)::float8 AS silent_s,
    o.planned, o.staged, o.reason,
    CASE WHEN o.planned > 0 AND b.heartbeat_at > clock_timestamp() - interval '30 seconds' THEN b.progress END AS progress,
    b.is_closed, coalesce(n.offsets, 0)::bigint AS offsets, coalesce(n.ranges, '[]') AS ranges,
    (
        SELECT a.outcome FROM lakelock.attempts a
        WHERE a.batch_no = b.batch_no AND b.attempt IS NULL AND a.ended_at IS NOT NULL
        ORDER BY a.ended_at DESC LIMIT 1
    ) AS last_outcome
FROM unnest(%(pipelines)s::text[]) AS w (pipeline)
CROSS JOIN LATERAL (
    SELECT p.batch_no, count(*) FILTER (WHERE p.state = 'planned')::int AS planned,
        count(*) FILTER (WHERE p.state = 'staged')::int AS staged, max(p.reason) AS reason
    FROM (
        SELECT y.batch_no, y.state, y.reason FROM lakelock.parts y
        WHERE y.pipeline = w.pipeline AND y.state IN ('planned', 'staged')
        UNION ALL
        -- A batch that is not closed has something to write.
        SELECT y.batch_no, 'planned', NULL FROM lakelock.batches y WHERE y.pipeline = w.pipeline AND NOT y.is_closed
    ) p JOIN lakelock.batches x USING (batch_no)
    GROUP BY p.batch_no, x.lane
    -- There may be thousands of re-reads: live batches come first, so that the limit never hides them.
    ORDER BY x.lane <> 'live', p.batch_no LIMIT %(limit)s
) o
JOIN lakelock.batches b USING (batch_no)
LEFT JOIN LATERAL (
    SELECT sum(x.length) AS offsets, json_agg(json_build_object(
        'topic', x.topic, 'topic_id', x.topic_id, 'partition', x.partition, 'start_offset', x.first, 'end_offset', x.last
    ) ORDER BY x.place) FILTER (WHERE x.place <= %(ranges)s) AS ranges
    FROM (
        SELECT s.topic, s.topic_id, s.partition, lower(r.offsets) AS first, upper(r.offsets) AS last,
            upper(r.offsets) - lower(r.offsets) AS length, row_number() OVER (ORDER BY s.topic, s.topic_id, s.partition) AS place
        FROM lakelock.ranges r JOIN lakelock.streams s USING (stream_id)
        WHERE r.batch_no = b.batch_no
    ) x
) n ON true
ORDER BY b.pipeline, b.batch_no

-- name: last_staged
-- Of re-reads: their batches wait for one another.
SELECT b.pipeline, split_part(b.lane, '-', 1) AS kind,
    extract(epoch FROM clock_timestamp() - max(p.staged_at))::float8 AS staged_s
FROM (
    SELECT x.batch_no, x.staged_at FROM lakelock.parts x
    WHERE x.pipeline = ANY (%(pipelines)s::text[]) AND x.state = 'staged'
    UNION ALL
    SELECT x.batch_no, x.staged_at FROM lakelock.parts x
    WHERE x.pipeline = ANY (%(pipelines)s::text[]) AND x.state IN ('committed', 'aborted')
        AND x.finished_at > clock_timestamp() - make_interval(secs => %(within_s)s)
) p
JOIN lakelock.batches b USING (batch_no)
WHERE b.lane <> 'live' AND p.staged_at IS NOT NULL
GROUP BY 1, 2

-- name: last_parts
-- The last commit, and the newest record of the last live batch: records of re-reads are old anyway.
SELECT t.pipeline, t.table_name, n.version_id, k.newest_ms
FROM lakelock.tables t
CROSS JOIN LATERAL (
    SELECT p.part_id, p.version_id
    FROM lakelock.parts p
    WHERE p.pipeline = t.pipeline AND p.table_name = t.table_name AND p.state = 'committed' AND p.target = ''
    ORDER BY p.finished_at DESC LIMIT 1
) n
LEFT JOIN LATERAL (
    SELECT x.part_id
    FROM (
        SELECT p.part_id, p.batch_no, p.finished_at
        FROM lakelock.parts p
        WHERE p.pipeline = t.pipeline AND p.table_name = t.table_name AND p.state = 'committed' AND p.target = ''
        ORDER BY p.finished_at DESC LIMIT 500
    ) x
    JOIN lakelock.batches b USING (batch_no)
    WHERE b.lane = 'live'
    ORDER BY x.finished_at DESC LIMIT 1
) l ON true
LEFT JOIN LATERAL (
    SELECT max(b.max_timestamp_ms) AS newest_ms FROM lakelock.books b WHERE b.part_id = coalesce(l.part_id, n.part_id)
) k ON true
WHERE t.pipeline = ANY (%(pipelines)s::text[]) AND t.table_name = ANY (%(tables)s::text[])

-- name: last_hour
SELECT p.pipeline, p.table_name, nullif(p.target, '') AS target,
    floor(extract(epoch FROM clock_timestamp() - p.finished_at) / %(bucket_s)s)::int AS buckets_ago,
    sum(p.row_count)::bigint AS row_count, sum(p.size_bytes)::bigint AS size_bytes
FROM lakelock.parts p
WHERE p.pipeline = ANY (%(pipelines)s::text[]) AND p.state IN ('committed', 'aborted') AND p.state = 'committed'
    AND p.finished_at > clock_timestamp() - make_interval(secs => %(window_s)s)
    AND (p.table_name = ANY (%(tables)s::text[]) OR p.target = ANY (%(tables)s::text[]) OR p.target = '*')
GROUP BY 1, 2, 3, 4

-- name: decisions
SELECT table_name, ledger ->> 'decisions' AS decisions
FROM lakelock.tables
WHERE pipeline = %(pipeline)s AND ledger ->> 'decisions' <> '[]'

-- name: fences
SELECT b.batch_id::text AS batch_id, a.run, a.ended_at,
    (SELECT n.run FROM lakelock.attempts n WHERE n.batch_no = a.batch_no AND n.started_at > a.started_at
     ORDER BY n.started_at LIMIT 1) AS next_run
FROM lakelock.batches b JOIN lakelock.attempts a USING (batch_no)
WHERE b.pipeline = %(pipeline)s AND a.outcome = 'fenced'
ORDER BY a.ended_at DESC LIMIT %(limit)s

-- name: table_batches
SELECT b.batch_id::text AS batch_id, b.planned_at, p.finished_at, p.row_count, p.file_count, p.size_bytes, p.version_id, a.run,
    (SELECT coalesce(sum(k.dead_count), 0)::bigint FROM lakelock.books k WHERE k.part_id = p.part_id) AS dead_count
FROM (
    SELECT x.* FROM lakelock.parts x
    WHERE x.pipeline = %(pipeline)s AND x.state IN ('committed', 'aborted') AND x.state = 'committed'
        AND x.table_name = %(table)s
    ORDER BY x.finished_at DESC, x.part_id DESC LIMIT %(limit)s
) p
JOIN lakelock.batches b USING (batch_no)
LEFT JOIN lakelock.attempts a ON a.batch_no = p.batch_no AND a.attempt = p.attempt
ORDER BY p.finished_at DESC, p.part_id DESC

-- name: parts_with_offset
SELECT b.batch_id::text AS batch_id, p.state, b.holder_run, p.version_id, lower(r.offsets) AS start_offset,
    upper(r.offsets) AS end_offset, s.topic, s.topic_id, s.partition, a.run
FROM lakelock.streams s
JOIN lakelock.ranges r USING (stream_id)
JOIN lakelock.parts p USING (batch_no)
JOIN lakelock.batches b USING (batch_no)
LEFT JOIN lakelock.attempts a ON a.batch_no = p.batch_no AND a.attempt = p.attempt
WHERE s.pipeline = %(pipeline)s AND s.topic = %(topic)s AND s.partition = %(partition)s
    AND p.table_name = %(table)s AND p.target = '' AND p.state <> 'aborted' AND s.topic = ANY (p.topics)
    -- Written like the expression of the exclusion constraint, so that its index is used.
    AND int4range(r.stream_id, r.stream_id, '[]') && int4range(s.stream_id, s.stream_id, '[]')
    AND r.offsets && int8range(%(offset)s, %(offset)s, '[]') AND r.state <> 'aborted'
ORDER BY b.batch_no DESC
