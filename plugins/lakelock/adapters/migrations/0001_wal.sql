CREATE TABLE lakelock.installation (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    installation_id uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO lakelock.installation DEFAULT VALUES;
COMMENT ON TABLE lakelock.installation IS
    'The identity of this write-ahead log. Every table carries the id, and lakelock refuses tables of another installation.';

-- json, not jsonb: the order of keys is part of a configuration (columns are applied in their order).
CREATE TABLE lakelock.configs (
    digest text PRIMARY KEY,
    config json NOT NULL,
    used_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE lakelock.configs IS
    'Resolved pipeline configurations by digest. A batch is written, redone and committed under the one it names.';
COMMENT ON COLUMN lakelock.configs.used_at IS 'Last time a batch was planned under it, to the hour.';

CREATE TABLE lakelock.streams (
    stream_id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    pipeline text NOT NULL,
    lane text NOT NULL,
    topic text NOT NULL,
    topic_id text NOT NULL,
    partition int NOT NULL CHECK (partition >= 0),
    start_offset bigint NOT NULL CHECK (start_offset >= 0),
    next_offset bigint NOT NULL CHECK (next_offset >= start_offset),
    UNIQUE (pipeline, lane, topic_id, partition)
) WITH (fillfactor = 70);
COMMENT ON TABLE lakelock.streams IS 'A source (topic id, partition) in a lane of a pipeline, and its frontier.';
COMMENT ON COLUMN lakelock.streams.start_offset IS 'The first offset that the pipeline was to read.';
COMMENT ON COLUMN lakelock.streams.next_offset IS 'The frontier: the next offset to plan.';

CREATE TABLE lakelock.batches (
    batch_no bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    batch_id uuid NOT NULL UNIQUE,
    pipeline text NOT NULL,
    lane text NOT NULL,
    config_digest text NOT NULL REFERENCES lakelock.configs,
    planned_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    attempt text,
    holder_run text,
    heartbeat_at timestamptz,
    progress text,
    survey jsonb,
    CHECK ((attempt IS NULL) = (heartbeat_at IS NULL) AND (attempt IS NULL) = (holder_run IS NULL))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX batches_by_pipeline ON lakelock.batches (pipeline, batch_no);
COMMENT ON TABLE lakelock.batches IS 'Offset ranges planned together. batch_no grows in planning order.';
COMMENT ON COLUMN lakelock.batches.attempt IS 'The one attempt whose results count; null while no run works on the batch.';
COMMENT ON COLUMN lakelock.batches.heartbeat_at IS 'The last heartbeat of that attempt, by this server''s clock.';
COMMENT ON COLUMN lakelock.batches.progress IS 'The attempt''s progress at its last heartbeat, for display.';
COMMENT ON COLUMN lakelock.batches.survey IS 'How far every source was planned with the batch; its commits compute the valid-through timestamp from it.';

CREATE TABLE lakelock.attempts (
    batch_no bigint NOT NULL REFERENCES lakelock.batches,
    attempt text NOT NULL,
    run text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    heartbeat_at timestamptz,
    ended_at timestamptz,
    outcome text,
    PRIMARY KEY (batch_no, attempt)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON TABLE lakelock.attempts IS
    'Executions of a batch. The heartbeat of the current one is in batches. Outcome fenced: a newer attempt took over.';

-- A range [stream, stream] lets GiST compare streams without the btree_gist extension.
CREATE TABLE lakelock.ranges (
    range_id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    batch_no bigint NOT NULL REFERENCES lakelock.batches,
    stream_id int NOT NULL REFERENCES lakelock.streams,
    offsets int8range NOT NULL,
    leader_epoch int,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'aborted')),
    CONSTRAINT ranges_half_open CHECK (
        NOT isempty(offsets) AND lower_inc(offsets) AND NOT upper_inc(offsets)
        AND NOT lower_inf(offsets) AND NOT upper_inf(offsets) AND lower(offsets) >= 0
    ),
    CONSTRAINT ranges_do_not_overlap EXCLUDE USING gist (
        int4range(stream_id, stream_id, '[]') WITH &&,
        offsets WITH &&
    ) WHERE (state <> 'aborted')
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX ranges_by_batch ON lakelock.ranges (batch_no);
COMMENT ON TABLE lakelock.ranges IS 'The offsets [start, end) that a batch reads from each stream. Open ranges never overlap.';
COMMENT ON COLUMN lakelock.ranges.leader_epoch IS 'Leader epoch under which the end offset was read.';
COMMENT ON COLUMN lakelock.ranges.state IS 'aborted: every part of the batch was aborted, and the offsets may be planned again.';

CREATE TABLE lakelock.parts (
    part_id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    batch_no bigint NOT NULL REFERENCES lakelock.batches,
    pipeline text NOT NULL,
    table_name text NOT NULL,
    target text NOT NULL DEFAULT '',
    topics text[] NOT NULL DEFAULT '{}',
    state text NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'staged', 'committed', 'aborted')),
    attempt text,
    table_uuid text,
    generation bigint,
    schema_id int,
    spec_id int,
    row_count bigint NOT NULL DEFAULT 0,
    file_count int NOT NULL DEFAULT 0,
    size_bytes bigint NOT NULL DEFAULT 0,
    file_details bytea,
    staged_at timestamptz,
    finished_at timestamptz,
    snapshot_id bigint,
    commit_id text,
    reason text,
    restaged boolean NOT NULL DEFAULT false,
    CHECK (
        state NOT IN ('staged', 'committed')
        OR (attempt, table_uuid, generation, schema_id, spec_id, staged_at) IS NOT NULL
    ),
    CHECK ((state IN ('committed', 'aborted')) = (finished_at IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX parts_by_batch ON lakelock.parts (batch_no);
CREATE UNIQUE INDEX parts_one_of_each_table ON lakelock.parts (batch_no, table_name) WHERE target = '';
-- Dead letters of a batch may come from several attempts; of these parts only one is open, apart from restaged ones.
CREATE UNIQUE INDEX parts_one_open_of_each_target ON lakelock.parts (batch_no, table_name, target)
    WHERE state IN ('planned', 'staged') AND NOT restaged;
CREATE INDEX parts_open ON lakelock.parts (pipeline, batch_no) WHERE state IN ('planned', 'staged');
CREATE INDEX parts_planned ON lakelock.parts (pipeline, batch_no) WHERE state = 'planned';
CREATE INDEX parts_staged ON lakelock.parts (pipeline, table_name, batch_no) WHERE state = 'staged';
CREATE INDEX parts_finished ON lakelock.parts (pipeline, finished_at) WHERE state IN ('committed', 'aborted');
-- The page reads this for each table: a pipeline may have hundreds of tables, and thousands of parts that are kept.
CREATE INDEX parts_committed ON lakelock.parts (pipeline, table_name, finished_at)
    WHERE state = 'committed' AND target = '';
COMMENT ON TABLE lakelock.parts IS 'The share of one table in one batch: planned -> staged -> committed, or aborted.';
COMMENT ON COLUMN lakelock.parts.target IS
    'Empty, or for a part of the dead-letter table the table whose dead letters it holds.';
COMMENT ON COLUMN lakelock.parts.topics IS 'The topics of the batch that this table takes.';
COMMENT ON COLUMN lakelock.parts.attempt IS 'The attempt that staged the part last.';
COMMENT ON COLUMN lakelock.parts.generation IS 'The table''s generation that the files were written under.';
COMMENT ON COLUMN lakelock.parts.file_details IS 'Manifest entries of the files: a line of JSON each, in file order, zstd.';
COMMENT ON COLUMN lakelock.parts.snapshot_id IS 'The snapshot that committed the part, if known.';
COMMENT ON COLUMN lakelock.parts.restaged IS
    'A rollback took out the committed part. Its files are checked for existence before they are committed again.';

CREATE TABLE lakelock.files (
    part_id bigint NOT NULL REFERENCES lakelock.parts,
    file_no int NOT NULL,
    path text NOT NULL,
    row_count bigint NOT NULL CHECK (row_count >= 0),
    size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
    PRIMARY KEY (part_id, file_no)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON TABLE lakelock.files IS 'The immutable data files of a staged part.';

CREATE TABLE lakelock.books (
    part_id bigint NOT NULL REFERENCES lakelock.parts,
    range_id bigint NOT NULL REFERENCES lakelock.ranges,
    read_count bigint NOT NULL CHECK (read_count >= 0),
    written_count bigint NOT NULL CHECK (written_count >= 0),
    dead_count bigint NOT NULL CHECK (dead_count >= 0),
    filtered_count bigint NOT NULL CHECK (filtered_count >= 0),
    min_timestamp_ms bigint,
    max_timestamp_ms bigint,
    PRIMARY KEY (part_id, range_id),
    CONSTRAINT books_balance CHECK (read_count = written_count + dead_count + filtered_count)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX books_by_range ON lakelock.books (range_id);
COMMENT ON TABLE lakelock.books IS
    'The number of records of each range in each table: read = written + dead letters + filtered.';

CREATE TABLE lakelock.tables (
    pipeline text NOT NULL,
    table_name text NOT NULL,
    topics text[] NOT NULL DEFAULT '{}',
    table_uuid text,
    bound_at timestamptz,
    generation bigint,
    covered_offsets numeric,
    ledger json,
    ledger_at timestamptz,
    awaited_generation bigint,
    PRIMARY KEY (pipeline, table_name)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON TABLE lakelock.tables IS 'Tables that a pipeline writes to.';
COMMENT ON COLUMN lakelock.tables.topics IS 'All topics that the table ever took.';
COMMENT ON COLUMN lakelock.tables.table_uuid IS 'The table that the name was first bound to. lakelock refuses another table of that name.';
COMMENT ON COLUMN lakelock.tables.ledger IS 'Cache: the newest ledger seen in the table. The table itself decides.';
COMMENT ON COLUMN lakelock.tables.covered_offsets IS 'The number of offsets in that ledger. An older ledger never replaces a newer one.';
COMMENT ON COLUMN lakelock.tables.awaited_generation IS
    'The generation of a rollback that has begun. Until the log reaches it, each commit reads the table first.';

-- Totals per table and source are in the tables' own ledgers: losing or restoring the log does not harm them.
CREATE TABLE lakelock.table_streams (
    stream_id int NOT NULL REFERENCES lakelock.streams,
    table_name text NOT NULL,
    target text NOT NULL DEFAULT '',
    start_offset bigint NOT NULL,
    PRIMARY KEY (stream_id, table_name, target)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON TABLE lakelock.table_streams IS 'The offset at which a table begins in a stream.';
COMMENT ON COLUMN lakelock.table_streams.start_offset IS 'The start of the first range that was planned for the table.';

CREATE TABLE lakelock.events (
    event_id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    batch_no bigint NOT NULL REFERENCES lakelock.batches,
    edge text NOT NULL,
    table_name text,
    target text,
    attempt text,
    detail text
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX events_by_batch ON lakelock.events (batch_no);
COMMENT ON TABLE lakelock.events IS 'Each state change of a batch or part, in order.';

CREATE TABLE lakelock.recoveries (
    pipeline text PRIMARY KEY,
    began_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    who text NOT NULL,
    token text,
    ended_at timestamptz
);
COMMENT ON TABLE lakelock.recoveries IS
    'The last rebuild of each pipeline''s log. It begins when all open work is given up, and ends when the log agrees with the tables.';
COMMENT ON COLUMN lakelock.recoveries.token IS 'Identifies the recovery. One that another recovery took over from cannot end it.';
COMMENT ON COLUMN lakelock.recoveries.ended_at IS 'Null until the rebuild ends. Until then, nothing may be planned or claimed.';

CREATE TABLE lakelock.sights (
    pipeline text PRIMARY KEY,
    seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen json NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE lakelock.sights IS
    'What lakelock_watch last saw of each pipeline, and since when. Without a row, lateness counts from the next check.';

CREATE VIEW lakelock.open_work AS
SELECT
    b.pipeline, b.lane, b.batch_id, p.table_name, nullif(p.target, '') AS dead_letters_of, p.state,
    (SELECT string_agg(s.topic || '-' || s.partition || ' ' || r.offsets, ', ' ORDER BY s.topic, s.partition)
     FROM lakelock.ranges r JOIN lakelock.streams s USING (stream_id)
     WHERE r.batch_no = b.batch_no AND s.topic = ANY (p.topics)) AS offset_ranges,
    p.row_count, p.file_count, p.size_bytes,
    b.planned_at, p.staged_at, clock_timestamp() - coalesce(p.staged_at, b.planned_at) AS age,
    b.attempt AS working_attempt, b.holder_run AS working_run, clock_timestamp() - b.heartbeat_at AS since_heartbeat,
    p.reason
FROM lakelock.parts p JOIN lakelock.batches b USING (batch_no)
WHERE p.state IN ('planned', 'staged')
ORDER BY b.batch_no, p.table_name, p.target;
COMMENT ON VIEW lakelock.open_work IS 'Parts to write (planned) or to commit (staged), oldest first.';

CREATE VIEW lakelock.commits AS
SELECT
    p.pipeline, p.table_name, p.snapshot_id, p.commit_id, max(p.finished_at) AS committed_at,
    count(*) AS parts, sum(p.row_count)::bigint AS row_count, sum(p.file_count)::bigint AS file_count,
    sum(p.size_bytes)::bigint AS size_bytes, array_agg(DISTINCT b.batch_id) AS batch_ids
FROM lakelock.parts p JOIN lakelock.batches b USING (batch_no)
WHERE p.state = 'committed'
GROUP BY p.pipeline, p.table_name, p.snapshot_id, p.commit_id
ORDER BY committed_at DESC;
COMMENT ON VIEW lakelock.commits IS 'Commits with details that are still kept, newest first, and the batches in each.';

CREATE VIEW lakelock.batch_files AS
SELECT
    b.pipeline, b.batch_id, p.table_name, nullif(p.target, '') AS dead_letters_of, p.state, p.attempt, p.snapshot_id,
    f.path, f.row_count, f.size_bytes, p.staged_at
FROM lakelock.files f JOIN lakelock.parts p USING (part_id) JOIN lakelock.batches b USING (batch_no);
COMMENT ON VIEW lakelock.batch_files IS 'The files that each batch wrote, for batches with details that are still kept.';
