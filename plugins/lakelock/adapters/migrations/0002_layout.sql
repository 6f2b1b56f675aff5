-- A part records the layout that its files were written for as one text, which only the table's adapter reads.
ALTER TABLE lakelock.parts ADD COLUMN layout text;
UPDATE lakelock.parts SET layout = format('schema %s, partition spec %s', schema_id, spec_id) WHERE schema_id IS NOT NULL;
-- This also drops the constraint that names both columns.
ALTER TABLE lakelock.parts DROP COLUMN schema_id, DROP COLUMN spec_id;
ALTER TABLE lakelock.parts ADD CHECK (
    state NOT IN ('staged', 'committed')
    OR (attempt, table_uuid, generation, layout, staged_at) IS NOT NULL
);
