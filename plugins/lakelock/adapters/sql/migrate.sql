-- name: lock
SELECT pg_advisory_xact_lock(hashtext('lakelock.migrate'))

-- name: found
CREATE SCHEMA IF NOT EXISTS lakelock

-- name: found_table
CREATE TABLE IF NOT EXISTS lakelock.migrations (
    name text PRIMARY KEY,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
)

-- name: describe
COMMENT ON SCHEMA lakelock IS
    'The write-ahead log of lakelock. Views to read: open_work, commits, batch_files.'

-- name: record
INSERT INTO lakelock.migrations (name, checksum) VALUES (%(name)s, %(checksum)s)
