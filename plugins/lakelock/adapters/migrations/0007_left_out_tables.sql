-- Routed tables that were gone when a log was rebuilt.
ALTER TABLE lakelock.recoveries ADD COLUMN left_out text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN lakelock.recoveries.left_out IS
    'Routed tables that the rebuild was without, and that were not rebound since: only they say which offsets they have.';
