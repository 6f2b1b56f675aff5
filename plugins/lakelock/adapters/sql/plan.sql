-- name: keep_config
INSERT INTO lakelock.configs AS c (digest, config)
SELECT %(digest)s, %(config)s::json
-- DO UPDATE locks a row even if its WHERE leaves it unchanged, and these locks would precede those of tables.
WHERE NOT EXISTS (
    SELECT FROM lakelock.configs k
    WHERE k.digest = %(digest)s AND k.used_at >= clock_timestamp() - interval '1 hour'
)
ON CONFLICT (digest) DO UPDATE SET used_at = clock_timestamp()
WHERE c.used_at < clock_timestamp() - interval '1 hour'

-- name: declare_streams
INSERT INTO lakelock.streams (pipeline, lane, topic, topic_id, partition, start_offset, next_offset)
SELECT %(pipeline)s, %(lane)s, s.topic, s.topic_id, s.partition, s.start_offset, s.start_offset
FROM unnest(%(topics)s::text[], %(topic_ids)s::text[], %(partitions)s::int[], %(starts)s::bigint[])
    AS s (topic, topic_id, partition, start_offset)
ORDER BY s.topic_id, s.partition
ON CONFLICT (pipeline, lane, topic_id, partition) DO NOTHING

-- name: lock_streams
SELECT s.stream_id, s.topic_id, s.partition, s.next_offset
FROM lakelock.streams s
JOIN unnest(%(topic_ids)s::text[], %(partitions)s::int[]) AS w (topic_id, partition)
    ON w.topic_id = s.topic_id AND w.partition = s.partition
WHERE s.pipeline = %(pipeline)s AND s.lane = %(lane)s
ORDER BY s.topic_id, s.partition
FOR UPDATE OF s

-- name: find_batch
SELECT batch_no FROM lakelock.batches WHERE batch_id = %(batch_id)s

-- name: move_frontiers
UPDATE lakelock.streams s
SET next_offset = r.end_offset
FROM unnest(%(stream_ids)s::int[], %(start_offsets)s::bigint[], %(end_offsets)s::bigint[])
    AS r (stream_id, start_offset, end_offset)
WHERE s.stream_id = r.stream_id AND s.next_offset = r.start_offset
RETURNING s.stream_id

-- name: insert_batch
INSERT INTO lakelock.batches (batch_id, pipeline, lane, config_digest, survey, is_closed)
VALUES (%(batch_id)s, %(pipeline)s, %(lane)s, %(digest)s, %(survey)s::jsonb, %(closed)s)
RETURNING batch_no

-- name: survey
SELECT survey FROM lakelock.batches WHERE batch_id = %(batch_id)s

-- name: insert_ranges
INSERT INTO lakelock.ranges (batch_no, stream_id, offsets, leader_epoch)
SELECT %(batch_no)s, r.stream_id, int8range(r.start_offset, r.end_offset, '[)'), r.leader_epoch
FROM unnest(%(stream_ids)s::int[], %(start_offsets)s::bigint[], %(end_offsets)s::bigint[], %(leader_epochs)s::int[])
    AS r (stream_id, start_offset, end_offset, leader_epoch)
ORDER BY r.stream_id

-- name: insert_part
INSERT INTO lakelock.parts (batch_no, pipeline, table_name, topics)
VALUES (%(batch_no)s, %(pipeline)s, %(table)s, %(topics)s::text[])

-- name: keep_table_topics
INSERT INTO lakelock.tables AS t (pipeline, table_name, topics)
VALUES (%(pipeline)s, %(table)s, %(topics)s::text[])
ON CONFLICT (pipeline, table_name) DO UPDATE
SET topics = ARRAY(SELECT DISTINCT x FROM unnest(t.topics || excluded.topics) AS x ORDER BY x)
WHERE NOT t.topics @> excluded.topics

-- name: keep_table_starts
INSERT INTO lakelock.table_streams (stream_id, table_name, start_offset)
SELECT r.stream_id, %(table)s, lower(r.offsets)
FROM lakelock.ranges r JOIN lakelock.streams s USING (stream_id)
WHERE r.batch_no = %(batch_no)s AND s.topic = ANY (%(topics)s::text[])
ORDER BY r.stream_id
ON CONFLICT (stream_id, table_name, target) DO NOTHING
