-- name: routed
-- One row: thousands would take longer to read.
SELECT json_object_agg(table_name, raw_name ORDER BY table_name) AS raw_names FROM lakelock.tables
WHERE pipeline = %(pipeline)s AND raw_name IS NOT NULL AND NOT is_retired
    AND (%(tables)s::text[] IS NULL OR table_name = ANY (%(tables)s))

-- name: has_routed
SELECT EXISTS (SELECT FROM lakelock.tables WHERE pipeline = %(pipeline)s AND raw_name IS NOT NULL) AS has_routed

-- name: routed_without_parts
-- A table gets its topics when a batch is closed with it. The few without any have an index of their own.
SELECT count(*) AS routed, (
    SELECT json_object_agg(table_name, raw_name) FROM lakelock.tables
    WHERE pipeline = %(pipeline)s AND topics = '{}' AND raw_name IS NOT NULL AND NOT is_retired
) AS raw_names
FROM lakelock.tables
WHERE pipeline = %(pipeline)s AND raw_name IS NOT NULL AND NOT is_retired

-- name: retirements
SELECT table_name, raw_name, table_uuid, retirement FROM lakelock.tables
WHERE pipeline = %(pipeline)s AND retirement IS NOT NULL
ORDER BY table_name

-- name: is_routed
SELECT FROM lakelock.tables WHERE pipeline = %(pipeline)s AND table_name = %(table)s AND raw_name IS NOT NULL

-- name: routed_topics
SELECT topics FROM lakelock.tables WHERE pipeline = %(pipeline)s AND table_name = %(table)s AND raw_name IS NOT NULL

-- name: keep_routed
INSERT INTO lakelock.tables AS t (pipeline, table_name, raw_name)
SELECT %(pipeline)s, w.table_name, w.raw_name
FROM unnest(%(tables)s::text[], %(raw_names)s::text[]) AS w (table_name, raw_name)
ORDER BY w.table_name
ON CONFLICT (pipeline, table_name) DO UPDATE SET raw_name = excluded.raw_name
WHERE t.raw_name IS NULL

-- name: listed
SELECT table_name FROM lakelock.tables
WHERE pipeline = %(pipeline)s AND raw_name IS NULL AND table_uuid IS NOT NULL AND topics <> '{}'
ORDER BY table_name

-- name: lately_routed
SELECT p.table_name
FROM (
    SELECT x.table_name, x.batch_no FROM lakelock.parts x
    WHERE x.batch_no IN (
        SELECT b.batch_no FROM lakelock.batches b
        WHERE b.pipeline = %(pipeline)s AND b.lane = 'live' AND b.is_closed
        ORDER BY b.batch_no DESC LIMIT %(batches)s
    )
    UNION
    SELECT x.table_name, x.batch_no FROM lakelock.parts x
    WHERE x.pipeline = %(pipeline)s AND x.state IN ('planned', 'staged')
) p
JOIN lakelock.tables t ON t.pipeline = %(pipeline)s AND t.table_name = p.table_name
WHERE t.raw_name IS NOT NULL AND t.table_uuid IS NOT NULL AND NOT t.is_retired
GROUP BY p.table_name
ORDER BY max(p.batch_no) DESC, p.table_name
LIMIT %(most)s

-- name: close_batch
UPDATE lakelock.batches
SET is_closed = true, closing = %(closing)s, closed_at = clock_timestamp(), closed_by = %(attempt)s
WHERE batch_no = %(batch_no)s AND attempt = %(attempt)s AND NOT is_closed
RETURNING batch_no

-- name: keep_batch_books
UPDATE lakelock.ranges r
SET read_count = k.read_count, filtered_count = k.filtered_count, unroutable_count = k.unroutable_count
FROM unnest(%(range_ids)s::bigint[], %(read)s::bigint[], %(filtered)s::bigint[], %(unroutable)s::bigint[])
    AS k (range_id, read_count, filtered_count, unroutable_count)
WHERE r.range_id = k.range_id

-- name: add_routed_parts
INSERT INTO lakelock.parts (batch_no, pipeline, table_name, topics)
SELECT %(batch_no)s, %(pipeline)s, w.table_name, array_agg(w.topic ORDER BY w.topic)
FROM unnest(%(tables)s::text[], %(topics)s::text[]) AS w (table_name, topic)
GROUP BY w.table_name
ORDER BY w.table_name

-- name: keep_routed_topics
WITH new AS (
    SELECT w.table_name, array_agg(w.topic) AS topics
    FROM unnest(%(tables)s::text[], %(topics)s::text[]) AS w (table_name, topic)
    GROUP BY w.table_name
), due AS MATERIALIZED (
    SELECT t.table_name, n.topics
    FROM lakelock.tables t JOIN new n USING (table_name)
    WHERE t.pipeline = %(pipeline)s AND NOT t.topics @> n.topics
    ORDER BY t.table_name FOR UPDATE OF t
)
UPDATE lakelock.tables t
SET topics = ARRAY(SELECT DISTINCT x FROM unnest(t.topics || due.topics) AS x ORDER BY x)
FROM due
WHERE t.pipeline = %(pipeline)s AND t.table_name = due.table_name

-- name: sources
-- Ranges of backfills lie before the declared starts: live ones do not wait for them.
WITH held_up AS MATERIALIZED (
    SELECT s.topic_id, s.partition, r.offsets, x.is_closed
    FROM (
        SELECT batch_no, false AS is_closed FROM lakelock.batches WHERE pipeline = %(pipeline)s AND NOT is_closed
        UNION ALL
        SELECT batch_no, true FROM lakelock.parts
        WHERE pipeline = %(pipeline)s AND target = '*' AND state IN ('planned', 'staged')
    ) x JOIN lakelock.ranges r USING (batch_no) JOIN lakelock.streams s USING (stream_id)
)
SELECT s.topic, s.topic_id, s.partition, s.start_offset, f.frontier,
    least(f.frontier, min(lower(h.offsets)) FILTER (WHERE NOT h.is_closed AND upper(h.offsets) > s.start_offset)) AS closed_to,
    least(f.frontier, min(lower(h.offsets)) FILTER (WHERE h.is_closed AND upper(h.offsets) > s.start_offset)) AS letters_to,
    json_agg(json_build_array(lower(h.offsets), upper(h.offsets)) ORDER BY h.offsets)
        FILTER (WHERE h.is_closed AND upper(h.offsets) <= s.start_offset) AS letters_of_backfills
FROM lakelock.streams s
CROSS JOIN LATERAL (
    SELECT CASE WHEN s.next_offset < 9223372036854775807 THEN s.next_offset
        ELSE coalesce(s.retired_offset, s.start_offset) END AS frontier
) f
LEFT JOIN held_up h ON h.topic_id = s.topic_id AND h.partition = s.partition
WHERE s.pipeline = %(pipeline)s AND s.lane = 'live'
GROUP BY s.stream_id, f.frontier
ORDER BY s.topic, s.topic_id, s.partition

-- name: for_all_tables
SELECT s.topic, s.topic_id, s.partition, lower(r.offsets) AS start_offset, upper(r.offsets) AS end_offset
FROM lakelock.batches b JOIN lakelock.ranges r USING (batch_no) JOIN lakelock.streams s USING (stream_id)
WHERE b.pipeline = %(pipeline)s AND b.lane <> 'live' AND (NOT b.is_closed OR b.closing IS NOT NULL)

-- name: before_starts
-- No matter whether parts of a batch for all tables were given up since: that other tables have no records of it stays true.
SELECT s.topic, s.topic_id, s.partition, lower(r.offsets) AS start_offset, upper(r.offsets) AS end_offset,
    b.closing IS NOT NULL AS is_for_all,
    NOT b.is_closed OR EXISTS (
        SELECT FROM lakelock.parts p
        WHERE p.batch_no = b.batch_no AND p.state IN ('planned', 'staged') AND p.target <> ''
    ) AS is_held_up
FROM lakelock.batches b JOIN lakelock.ranges r USING (batch_no) JOIN lakelock.streams s USING (stream_id)
JOIN lakelock.streams x ON x.pipeline = b.pipeline AND x.lane = 'live' AND x.topic_id = s.topic_id AND x.partition = s.partition
WHERE b.pipeline = %(pipeline)s AND b.lane <> 'live' AND upper(r.offsets) <= x.start_offset
    AND (b.closing IS NOT NULL OR NOT b.is_closed OR r.state <> 'aborted')

-- name: open_ranges
SELECT p.table_name, s.topic, s.topic_id, s.partition, lower(r.offsets) AS start_offset, upper(r.offsets) AS end_offset
FROM lakelock.parts p JOIN lakelock.ranges r USING (batch_no) JOIN lakelock.streams s USING (stream_id)
WHERE p.pipeline = %(pipeline)s AND p.table_name = ANY (%(tables)s) AND p.state IN ('planned', 'staged') AND p.target = ''
    AND s.topic = ANY (p.topics)
ORDER BY p.table_name, s.topic, s.topic_id, s.partition, r.offsets

-- name: decided
WITH open AS (
    SELECT batch_no FROM lakelock.batches WHERE pipeline = %(pipeline)s AND NOT is_closed
    UNION
    -- Dead letters hold up all ranges of their batch: they land before its rows.
    SELECT batch_no FROM lakelock.parts
    WHERE pipeline = %(pipeline)s AND state IN ('planned', 'staged') AND target <> ''
), held_up AS (
    SELECT x.topic_id, x.partition, r.offsets
    FROM open JOIN lakelock.ranges r USING (batch_no) JOIN lakelock.streams x USING (stream_id)
)
SELECT s.topic, s.topic_id, s.partition, s.start_offset,
    greatest(s.start_offset, least(
        CASE WHEN s.next_offset < 9223372036854775807 THEN s.next_offset ELSE coalesce(s.retired_offset, s.start_offset) END,
        (SELECT min(lower(h.offsets)) FROM held_up h
         WHERE h.topic_id = s.topic_id AND h.partition = s.partition AND upper(h.offsets) > s.start_offset)
    )) AS decided_to,
    EXISTS (SELECT FROM lakelock.streams WHERE pipeline = %(pipeline)s AND lane <> 'live') AS has_other_lanes
FROM lakelock.streams s
WHERE s.pipeline = %(pipeline)s AND s.lane = 'live'
ORDER BY s.topic, s.topic_id, s.partition

-- name: routed_ranges
WITH closed AS (
    SELECT b.batch_no, b.survey IS NOT NULL AND NOT EXISTS (
        SELECT FROM lakelock.parts p WHERE p.batch_no = b.batch_no AND p.state <> 'committed'
    ) AS is_whole
    FROM lakelock.batches b
    WHERE b.pipeline = %(pipeline)s AND b.lane = 'live' AND b.closing IS NOT NULL
), landed AS (
    SELECT k.range_id, sum(k.read_count) FILTER (WHERE p.target = '' AND t.raw_name IS NOT NULL) AS in_tables,
        sum(k.written_count) FILTER (WHERE p.target = '*') AS letters
    FROM closed c JOIN lakelock.parts p USING (batch_no) JOIN lakelock.books k USING (part_id)
    JOIN lakelock.tables t USING (pipeline, table_name)
    WHERE c.is_whole
    GROUP BY k.range_id
)
SELECT s.topic, s.topic_id, s.partition, lower(r.offsets) AS start_offset, upper(r.offsets) AS end_offset,
    r.read_count, r.filtered_count, r.unroutable_count,
    CASE WHEN c.is_whole THEN coalesce(l.in_tables, 0)::bigint END AS in_tables,
    CASE WHEN c.is_whole THEN coalesce(l.letters, 0)::bigint END AS letters
FROM closed c JOIN lakelock.ranges r USING (batch_no) JOIN lakelock.streams s USING (stream_id)
LEFT JOIN landed l USING (range_id)
WHERE r.read_count IS NOT NULL AND r.state <> 'aborted'
ORDER BY s.topic, s.topic_id, s.partition, r.offsets

-- name: open_tables
-- Thousands of parts may have the same ranges, which are those of their batch.
SELECT o.tables, o.waits_s, x.ranges
FROM (
    SELECT p.batch_no, p.topics, array_agg(DISTINCT p.table_name) AS tables,
        -- Before a batch is closed, no table waits for another.
        extract(epoch FROM statement_timestamp() - min(coalesce(b.closed_at, b.planned_at)))::float8 AS waits_s
    FROM lakelock.parts p JOIN lakelock.batches b USING (batch_no)
    WHERE p.pipeline = %(pipeline)s AND p.state IN ('planned', 'staged') AND p.target = ''
    GROUP BY p.batch_no, p.topics
) o CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object(
        'topic', s.topic, 'topic_id', s.topic_id, 'partition', s.partition,
        'start_offset', lower(r.offsets), 'end_offset', upper(r.offsets)
    )) AS ranges
    FROM lakelock.ranges r JOIN lakelock.streams s USING (stream_id)
    WHERE r.batch_no = o.batch_no AND s.topic = ANY (o.topics)
) x
WHERE x.ranges IS NOT NULL

-- name: marked_s_ago
SELECT extract(epoch FROM clock_timestamp() - ledger_at)::float8 AS ago_s FROM lakelock.tables
WHERE pipeline = %(pipeline)s AND table_name = %(table)s AND ledger ->> 'mark' IS NOT NULL

-- name: surveyed
SELECT b.batch_no, b.survey FROM lakelock.batches b
WHERE b.pipeline = %(pipeline)s AND b.lane = 'live' AND b.is_closed AND b.survey IS NOT NULL
    AND NOT EXISTS (
        SELECT FROM lakelock.ranges r JOIN lakelock.streams s USING (stream_id)
        LEFT JOIN unnest(%(topic_ids)s::text[], %(partitions)s::int[], %(end_offsets)s::bigint[])
            AS w (topic_id, partition, end_offset) ON w.topic_id = s.topic_id AND w.partition = s.partition
        WHERE r.batch_no = b.batch_no AND upper(r.offsets) > coalesce(w.end_offset, 0)
    )
ORDER BY b.batch_no DESC LIMIT 1

-- name: newest_timestamps
SELECT s.topic, s.topic_id, s.partition, max(k.max_timestamp_ms) AS newest_ms
FROM lakelock.ranges r JOIN lakelock.streams s USING (stream_id) JOIN lakelock.books k USING (range_id)
WHERE r.batch_no = %(batch_no)s AND k.max_timestamp_ms IS NOT NULL
GROUP BY s.topic, s.topic_id, s.partition

-- name: has_other_unclosed
SELECT EXISTS (
    SELECT FROM lakelock.batches
    WHERE pipeline = %(pipeline)s AND NOT is_closed AND batch_id <> %(batch_id)s AND lane NOT LIKE 'backfill-%%'
) AS has_other_unclosed

-- name: undecided
SELECT b.batch_no, b.batch_id, b.lane, b.attempt, b.config_digest, c.config
FROM lakelock.batches b JOIN lakelock.configs c ON c.digest = b.config_digest
WHERE b.pipeline = %(pipeline)s AND (
    NOT b.is_closed
    -- One reading decides again on each record.
    OR EXISTS (SELECT FROM lakelock.parts p WHERE p.batch_no = b.batch_no AND p.target = '*' AND p.state = 'planned')
)
ORDER BY b.batch_no

-- name: undecided_parts
SELECT p.part_id FROM lakelock.parts p LEFT JOIN lakelock.tables t USING (pipeline, table_name)
WHERE p.batch_no = %(batch_no)s AND p.state = 'planned' AND (p.target = '*' OR p.target = '' AND t.raw_name IS NOT NULL)

-- name: leave_unrouted
-- The closing of a backfill would show that its tables are complete.
UPDATE lakelock.batches
SET is_closed = true, closing = CASE WHEN lane NOT LIKE 'backfill-%%' THEN closing END,
    closed_at = CASE WHEN lane NOT LIKE 'backfill-%%' THEN closed_at END,
    closed_by = CASE WHEN lane NOT LIKE 'backfill-%%' THEN closed_by END
WHERE batch_no = %(batch_no)s

-- name: reconfigure
UPDATE lakelock.batches b SET config_digest = %(digest)s
WHERE b.batch_no = %(batch_no)s AND b.attempt = %(attempt)s AND NOT b.is_closed
    -- A recovery plans without a survey: tables may have records that the batch's own configuration routed.
    AND b.survey IS NOT NULL
    AND NOT EXISTS (SELECT FROM lakelock.parts p WHERE p.batch_no = b.batch_no)
    -- The registry has one configuration from an offset on: it would take the place of that of the later batch.
    AND NOT EXISTS (
        SELECT FROM lakelock.batches l
        WHERE l.pipeline = b.pipeline AND l.batch_no > b.batch_no AND l.closing IS NOT NULL
    )
    -- An attempt that another one replaced may still be at work with the former configuration.
    AND NOT EXISTS (
        SELECT FROM lakelock.attempts a
        WHERE a.batch_no = b.batch_no AND a.attempt <> b.attempt AND (a.ended_at IS NULL OR a.outcome = 'fenced')
    )
RETURNING b.batch_no
