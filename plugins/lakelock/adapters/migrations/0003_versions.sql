-- Table formats name the states of a table in their own ways: in Iceberg, a version is a snapshot.
ALTER TABLE lakelock.parts RENAME COLUMN snapshot_id TO version_id;
ALTER VIEW lakelock.commits RENAME COLUMN snapshot_id TO version_id;
ALTER VIEW lakelock.batch_files RENAME COLUMN snapshot_id TO version_id;
COMMENT ON COLUMN lakelock.parts.version_id IS 'The version of the table (in Iceberg, the snapshot) that committed the part, if known.';
