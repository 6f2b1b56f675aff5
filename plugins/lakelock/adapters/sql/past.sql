-- name: tables
SELECT table_name, topics, table_uuid IS NOT NULL AS is_made, topics = '{}' AND table_uuid IS NOT NULL AND raw_name IS NULL AS is_dead_letter_table
FROM lakelock.tables
WHERE pipeline = %(pipeline)s
ORDER BY table_name

-- name: open_parts
SELECT table_name, count(*) FILTER (WHERE state = 'planned')::int AS planned, count(*) FILTER (WHERE state = 'staged')::int AS staged
FROM lakelock.parts
WHERE pipeline = %(pipeline)s AND state IN ('planned', 'staged')
GROUP BY table_name

-- name: seen
WITH newest AS (
    SELECT batch_no FROM lakelock.batches WHERE pipeline = %(pipeline)s AND lane = 'live' ORDER BY batch_no DESC LIMIT %(limit)s
)
SELECT (SELECT count(*)::int FROM newest) AS batches,
    (SELECT avg(p.file_count)::float8 FROM lakelock.parts p JOIN newest USING (batch_no)
     WHERE p.target = '' AND p.state IN ('staged', 'committed') AND p.file_count > 0) AS files,
    (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM p.staged_at - a.started_at))::float8
     FROM lakelock.attempts a JOIN newest USING (batch_no)
     JOIN lakelock.parts p ON p.batch_no = a.batch_no AND p.attempt = a.attempt AND p.target = ''
     WHERE p.staged_at IS NOT NULL AND p.file_count > 0) AS write_s,
    (SELECT avg(n.tables)::float8 FROM (
        SELECT count(DISTINCT t.table_name) AS tables
        FROM newest JOIN lakelock.batches b USING (batch_no)
        LEFT JOIN lakelock.parts p ON p.batch_no = b.batch_no AND p.target = ''
        LEFT JOIN lakelock.tables t ON t.pipeline = p.pipeline AND t.table_name = p.table_name AND t.raw_name IS NOT NULL
        WHERE b.closing IS NOT NULL GROUP BY b.batch_no
     ) n) AS routed
