ALTER TABLE lakelock.parts ADD COLUMN restaged boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN lakelock.parts.restaged IS
    'It was committed once, and a rollback took it out: its files are looked for before they land again.';
-- A range of a batch may have got its dead letters from one attempt, and another range of it from the next.
DROP INDEX lakelock.parts_one_open_of_each_target;
CREATE UNIQUE INDEX parts_one_open_of_each_target ON lakelock.parts (batch_no, table_name, target)
    WHERE state IN ('planned', 'staged') AND NOT restaged;
CREATE INDEX parts_open ON lakelock.parts (pipeline, batch_no) WHERE state IN ('planned', 'staged');
ALTER TABLE lakelock.tables ADD COLUMN awaited_generation bigint;
COMMENT ON COLUMN lakelock.tables.awaited_generation IS
    'A rollback to it was begun: while the log is behind it, whoever commits looks at the table first.';
