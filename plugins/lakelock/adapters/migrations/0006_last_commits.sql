-- What a page asks of each table: a pipeline may have hundreds, and thousands of parts that are kept.
CREATE INDEX parts_committed ON lakelock.parts (pipeline, table_name, finished_at)
    WHERE state = 'committed' AND target = '';
