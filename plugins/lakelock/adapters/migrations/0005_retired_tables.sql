-- Routed tables that an operator retired.
ALTER TABLE lakelock.tables
    ADD COLUMN is_retired boolean NOT NULL DEFAULT false,
    ADD COLUMN retirement text,
    ADD CHECK (NOT is_retired OR retirement IS NOT NULL AND raw_name IS NOT NULL);
COMMENT ON COLUMN lakelock.tables.retirement IS
    'Offsets of which the table gets no records, as JSON: they are dead letters of the target *. Also of a table that was retired once.';
