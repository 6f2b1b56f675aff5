-- name: last_dead_letters
-- Ranges with dead letters of the last hour.
SELECT p.pipeline, p.target, s.topic, s.topic_id, s.partition, lower(r.offsets) AS start_offset, upper(r.offsets) AS end_offset
FROM lakelock.parts p
JOIN lakelock.books k USING (part_id)
JOIN lakelock.ranges r USING (range_id)
JOIN lakelock.streams s USING (stream_id)
WHERE p.pipeline = ANY (%(pipelines)s::text[]) AND p.state IN ('committed', 'aborted') AND p.state = 'committed'
    AND p.finished_at > clock_timestamp() - make_interval(secs => %(window_s)s) AND p.target <> '' AND k.written_count > 0

-- name: assigned
-- Registries with dead letters that a redrive assigned to tables: few have some.
SELECT pipeline, registry
FROM lakelock.tables
WHERE pipeline = ANY (%(pipelines)s::text[]) AND registry LIKE '%%"assigned":%%'

-- name: redriven
-- A fifth field in a coverage has redriven dead letters: few have one, and all of it must be decoded.
SELECT pipeline, table_name, ledger ->> 'coverage' AS coverage
FROM lakelock.tables
WHERE (pipeline, table_name) IN (SELECT * FROM unnest(%(of)s::text[], %(tables)s::text[]))
    AND ledger ->> 'coverage' ~ '([|][^"|]*){4}'
