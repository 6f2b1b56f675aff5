-- name: lock_batches
SELECT batch_no, batch_id, pipeline
FROM lakelock.batches
WHERE batch_id = ANY (%(batch_ids)s::uuid[])
ORDER BY batch_no
FOR UPDATE

-- name: commit_parts
UPDATE lakelock.parts p
SET state = 'committed', finished_at = statement_timestamp(), version_id = %(version_id)s, commit_id = %(commit_id)s
FROM unnest(
    %(batch_nos)s::bigint[], %(part_ids)s::bigint[], %(targets)s::text[], %(attempts)s::text[], %(generations)s::bigint[]
) AS w (batch_no, part_id, target, attempt, generation)
WHERE p.batch_no = w.batch_no AND p.part_id = w.part_id AND p.table_name = %(table)s AND p.target = w.target
    AND p.state = 'staged' AND p.attempt = w.attempt AND p.generation = w.generation
RETURNING p.batch_no, p.part_id

-- name: commit_version_known
UPDATE lakelock.parts p
SET version_id = coalesce(p.version_id, %(version_id)s), commit_id = coalesce(p.commit_id, %(commit_id)s)
FROM unnest(
    %(batch_nos)s::bigint[], %(part_ids)s::bigint[], %(targets)s::text[], %(attempts)s::text[], %(generations)s::bigint[]
) AS w (batch_no, part_id, target, attempt, generation)
WHERE p.batch_no = w.batch_no AND p.part_id = w.part_id AND p.table_name = %(table)s AND p.target = w.target
    AND p.state = 'committed' AND p.attempt = w.attempt AND p.generation = w.generation
RETURNING p.batch_no, p.part_id

-- name: add_commit_events
INSERT INTO lakelock.events (batch_no, edge, table_name, target, attempt, detail)
SELECT w.batch_no, 'committed', %(table)s, nullif(w.target, ''), w.attempt, %(detail)s
FROM unnest(%(batch_nos)s::bigint[], %(targets)s::text[], %(attempts)s::text[]) AS w (batch_no, target, attempt)

-- name: keep_ledger
INSERT INTO lakelock.tables AS t (pipeline, table_name, generation, covered_offsets, ledger, registry, ledger_at)
VALUES (%(pipeline)s, %(table)s, %(generation)s, %(covered_offsets)s, %(ledger)s::json, %(registry)s, clock_timestamp())
ON CONFLICT (pipeline, table_name) DO UPDATE
SET generation = excluded.generation, covered_offsets = excluded.covered_offsets, ledger = excluded.ledger,
    registry = excluded.registry, ledger_at = excluded.ledger_at
WHERE t.ledger IS NULL
    OR (excluded.generation, excluded.covered_offsets) >= (t.generation, t.covered_offsets)

-- name: part_now
SELECT state, attempt, generation FROM lakelock.parts
WHERE batch_no = %(batch_no)s AND part_id = %(part_id)s AND table_name = %(table)s AND target = %(target)s

-- name: replan_part
UPDATE lakelock.parts
SET state = 'planned', reason = %(reason)s, row_count = 0, file_count = 0, size_bytes = 0, file_details = NULL
WHERE batch_no = %(batch_no)s AND part_id = %(part_id)s AND table_name = %(table)s AND target = %(target)s
    AND state = 'staged' AND attempt = %(attempt)s AND generation = %(generation)s
RETURNING part_id

-- name: committed_sibling
SELECT part_id FROM lakelock.parts
WHERE batch_no = %(batch_no)s AND table_name = %(target)s AND target = '' AND state = 'committed'

-- name: replan_sibling
UPDATE lakelock.parts
SET state = 'planned', reason = %(reason)s, row_count = 0, file_count = 0, size_bytes = 0, file_details = NULL
WHERE batch_no = %(batch_no)s AND table_name = %(target)s AND target = '' AND state = 'staged'
RETURNING part_id, table_name

-- name: committed_routed
SELECT p.part_id FROM lakelock.parts p JOIN lakelock.tables t USING (pipeline, table_name)
WHERE p.batch_no = %(batch_no)s AND p.target = '' AND p.state = 'committed' AND t.raw_name IS NOT NULL
LIMIT 1

-- name: replan_routed
UPDATE lakelock.parts p
SET state = 'planned', reason = %(reason)s, row_count = 0, file_count = 0, size_bytes = 0, file_details = NULL
FROM lakelock.tables t
WHERE t.pipeline = p.pipeline AND t.table_name = p.table_name AND t.raw_name IS NOT NULL
    AND p.batch_no = %(batch_no)s AND p.target = '' AND p.state = 'staged'
RETURNING p.part_id, p.table_name

-- name: abort_routed_letters
UPDATE lakelock.parts p
SET state = 'aborted', finished_at = clock_timestamp(), reason = %(reason)s, file_details = NULL
FROM lakelock.tables t
WHERE p.batch_no = %(batch_no)s AND p.state = 'staged' AND p.target NOT IN ('', '*')
    AND t.pipeline = p.pipeline AND t.table_name = p.target AND t.raw_name IS NOT NULL
RETURNING p.part_id, p.table_name, p.target

-- name: abort_part
UPDATE lakelock.parts
SET state = 'aborted', finished_at = clock_timestamp(), reason = %(reason)s, file_details = NULL
WHERE batch_no = %(batch_no)s AND part_id = %(part_id)s AND table_name = %(table)s AND target = %(target)s
    AND state = 'staged' AND attempt = %(attempt)s AND generation = %(generation)s
RETURNING part_id

-- name: forget_files
DELETE FROM lakelock.files WHERE part_id = ANY (%(part_ids)s::bigint[])

-- name: forget_books
DELETE FROM lakelock.books WHERE part_id = ANY (%(part_ids)s::bigint[])

-- name: free_ranges
UPDATE lakelock.ranges r
SET state = 'aborted'
WHERE r.batch_no = %(batch_no)s
    -- Tables that are not known yet may need them.
    AND EXISTS (SELECT FROM lakelock.batches b WHERE b.batch_no = r.batch_no AND b.is_closed)
    AND NOT EXISTS (
        SELECT FROM lakelock.parts p WHERE p.batch_no = r.batch_no AND p.target = '' AND p.state <> 'aborted'
    )
