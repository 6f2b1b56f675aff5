-- name: registers_backfills
-- A registry may name thousands of tables: it is searched only if there are batches of other lanes.
SELECT table_name FROM lakelock.tables
WHERE pipeline = %(pipeline)s AND registry LIKE '%%"backfills":%%'
    AND EXISTS (SELECT FROM lakelock.streams WHERE pipeline = %(pipeline)s AND lane <> 'live')

-- name: victims
WITH finished AS MATERIALIZED (
    SELECT b.batch_no FROM lakelock.batches b
    WHERE b.pipeline = %(pipeline)s AND b.is_closed AND (b.lane = 'live' OR %(with_others)s)
        AND NOT EXISTS (
            SELECT FROM lakelock.parts p WHERE p.batch_no = b.batch_no AND p.state IN ('planned', 'staged')
        )
), old AS (
    SELECT batch_no FROM finished ORDER BY batch_no DESC OFFSET %(keep_batches)s
), first AS (
    SELECT batch_no FROM old ORDER BY batch_no LIMIT %(max_batches)s
), locked AS MATERIALIZED (
    SELECT b.batch_no FROM lakelock.batches b JOIN first USING (batch_no)
    ORDER BY b.batch_no FOR UPDATE OF b SKIP LOCKED
), sized AS (
    SELECT l.batch_no, coalesce(sum(p.file_count), 0) AS files
    FROM locked l LEFT JOIN lakelock.parts p USING (batch_no)
    GROUP BY l.batch_no
), running AS (
    SELECT batch_no, sum(files) OVER (ORDER BY batch_no) - files AS files_before FROM sized
)
SELECT batch_no FROM running WHERE files_before < %(max_files)s ORDER BY batch_no

-- name: drop_events
DELETE FROM lakelock.events WHERE batch_no = ANY (%(batch_nos)s::bigint[])

-- name: drop_attempts
DELETE FROM lakelock.attempts WHERE batch_no = ANY (%(batch_nos)s::bigint[])

-- name: drop_books
DELETE FROM lakelock.books k USING lakelock.parts p
WHERE p.part_id = k.part_id AND p.batch_no = ANY (%(batch_nos)s::bigint[])

-- name: drop_files
DELETE FROM lakelock.files f USING lakelock.parts p
WHERE p.part_id = f.part_id AND p.batch_no = ANY (%(batch_nos)s::bigint[])

-- name: drop_parts
DELETE FROM lakelock.parts WHERE batch_no = ANY (%(batch_nos)s::bigint[])

-- name: drop_ranges
DELETE FROM lakelock.ranges WHERE batch_no = ANY (%(batch_nos)s::bigint[])

-- name: drop_lane_starts
DELETE FROM lakelock.table_streams t USING lakelock.streams s
WHERE s.stream_id = t.stream_id AND s.pipeline = %(pipeline)s AND s.lane <> 'live'
    AND NOT EXISTS (SELECT FROM lakelock.ranges r WHERE r.stream_id = s.stream_id)

-- name: drop_lanes
DELETE FROM lakelock.streams s
WHERE s.pipeline = %(pipeline)s AND s.lane <> 'live'
    AND NOT EXISTS (SELECT FROM lakelock.ranges r WHERE r.stream_id = s.stream_id)

-- name: drop_batches
DELETE FROM lakelock.batches WHERE batch_no = ANY (%(batch_nos)s::bigint[])

-- name: drop_configs
DELETE FROM lakelock.configs c
WHERE c.used_at < clock_timestamp() - interval '1 day'
    AND NOT EXISTS (SELECT FROM lakelock.batches b WHERE b.config_digest = c.digest)
    AND NOT EXISTS (SELECT FROM lakelock.tables t WHERE t.ledger ->> 'config_digest' = c.digest)
