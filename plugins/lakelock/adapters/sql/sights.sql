-- name: last
SELECT pipeline, seen FROM lakelock.sights WHERE pipeline = ANY (%(pipelines)s::text[])

-- name: keep
INSERT INTO lakelock.sights (pipeline, seen) VALUES (%(pipeline)s, %(seen)s::json)
ON CONFLICT (pipeline) DO UPDATE SET seen = excluded.seen, seen_at = clock_timestamp()

-- name: coverages
SELECT pipeline, table_name, ledger ->> 'coverage' AS coverage
FROM lakelock.tables
WHERE pipeline = ANY (%(pipelines)s::text[]) AND ledger IS NOT NULL AND NOT is_retired
