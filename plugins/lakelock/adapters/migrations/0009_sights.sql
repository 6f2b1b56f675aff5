CREATE TABLE lakelock.sights (
    pipeline text PRIMARY KEY,
    seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen json NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE lakelock.sights IS
    'What lakelock_watch saw of each pipeline last, and since when it is so. Without it lateness counts from the next look.';
