ALTER TABLE lakelock.batches ADD COLUMN progress text;
COMMENT ON COLUMN lakelock.batches.progress IS 'How far the attempt was at its last heartbeat, for people.';
