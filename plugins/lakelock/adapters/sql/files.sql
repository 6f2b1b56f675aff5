-- name: now
SELECT clock_timestamp() AS now

-- name: staged
SELECT f.path
FROM lakelock.files f JOIN lakelock.parts p USING (part_id)
WHERE p.table_name = %(table)s AND p.state = 'staged'

-- name: layouts
SELECT DISTINCT p.layout, CASE p.state WHEN 'committed' THEN p.version_id END AS committed_by
FROM lakelock.parts p
WHERE p.table_name = %(table)s AND p.state IN ('staged', 'committed')

-- name: batches
SELECT b.batch_id::text AS batch_id, b.attempt,
    NOT b.is_closed OR EXISTS (
        SELECT FROM lakelock.parts p WHERE p.batch_no = b.batch_no AND p.state IN ('planned', 'staged')
    ) AS is_open
FROM lakelock.batches b
WHERE b.batch_id = ANY (%(batch_ids)s::uuid[])

-- name: of_batches
SELECT f.path
FROM lakelock.files f JOIN lakelock.parts p USING (part_id) JOIN lakelock.batches b USING (batch_no)
WHERE b.batch_id = ANY (%(batch_ids)s::uuid[]) AND p.state IN ('staged', 'committed')
