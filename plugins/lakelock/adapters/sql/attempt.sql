-- name: lock_batch
SELECT batch_no, pipeline, lane, attempt, holder_run, heartbeat_at, is_closed, closing,
    survey IS NULL AS without_survey,
    extract(epoch FROM clock_timestamp() - heartbeat_at)::float8 AS silent_s
FROM lakelock.batches
WHERE batch_id = %(batch_id)s
FOR UPDATE

-- name: take_batch
UPDATE lakelock.batches b
SET attempt = %(attempt)s, holder_run = %(run)s, heartbeat_at = clock_timestamp(), progress = NULL
WHERE b.batch_no = %(batch_no)s
    AND (
        b.attempt IS NULL
        OR b.attempt = %(attempt)s
        OR (
            (b.holder_run = %(run)s
                OR b.heartbeat_at < clock_timestamp() - make_interval(secs => %(stale_after_s)s))
            AND NOT EXISTS (
                SELECT FROM lakelock.attempts a WHERE a.batch_no = b.batch_no AND a.attempt = %(attempt)s
            )
        )
    )
RETURNING b.batch_no

-- name: was_attempt
SELECT outcome FROM lakelock.attempts WHERE batch_no = %(batch_no)s AND attempt = %(attempt)s

-- name: begin_attempt
INSERT INTO lakelock.attempts (batch_no, attempt, run)
VALUES (%(batch_no)s, %(attempt)s, %(run)s)
ON CONFLICT (batch_no, attempt) DO UPDATE SET run = excluded.run, ended_at = NULL, outcome = NULL

-- name: end_attempt
UPDATE lakelock.attempts
SET ended_at = clock_timestamp(), outcome = %(outcome)s, heartbeat_at = %(heartbeat_at)s
WHERE batch_no = %(batch_no)s AND attempt = %(attempt)s AND ended_at IS NULL

-- name: heartbeat
UPDATE lakelock.batches
SET heartbeat_at = clock_timestamp(), progress = %(progress)s
WHERE batch_id = %(batch_id)s AND attempt = %(attempt)s
RETURNING batch_no

-- name: leave_batch
UPDATE lakelock.batches
SET attempt = NULL, holder_run = NULL, heartbeat_at = NULL, progress = NULL
WHERE batch_no = %(batch_no)s AND attempt = %(attempt)s
RETURNING batch_no

-- name: add_event
INSERT INTO lakelock.events (batch_no, edge, table_name, target, attempt, detail)
VALUES (%(batch_no)s, %(edge)s, %(table)s, nullif(%(target)s, ''), %(attempt)s, %(detail)s)
