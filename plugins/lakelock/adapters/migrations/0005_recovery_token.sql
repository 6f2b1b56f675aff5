ALTER TABLE lakelock.recoveries ADD COLUMN token text, ADD COLUMN ended_at timestamptz;
COMMENT ON TABLE lakelock.recoveries IS
    'The last recovery of each pipeline that rebuilds its log: from when everything open was given up until it says again what the tables say.';
COMMENT ON COLUMN lakelock.recoveries.token IS 'Which recovery it is: one that another took over from ends nothing.';
COMMENT ON COLUMN lakelock.recoveries.ended_at IS 'Null while nothing may be planned or claimed.';
