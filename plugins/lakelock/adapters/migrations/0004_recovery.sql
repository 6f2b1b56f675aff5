CREATE TABLE lakelock.recoveries (
    pipeline text PRIMARY KEY,
    began_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    who text NOT NULL
);
COMMENT ON TABLE lakelock.recoveries IS
    'Pipelines whose log is being rebuilt: from when everything open was given up until it says again what the tables say.';
