-- Each step asks for a few of a pipeline's thousands of tables.
CREATE INDEX tables_unsettled ON lakelock.tables (pipeline, table_name)
    WHERE awaited_generation > coalesce(generation, 0) AND NOT is_retired;
CREATE INDEX tables_retired ON lakelock.tables (pipeline, table_name) WHERE retirement IS NOT NULL;
CREATE INDEX tables_without_topics ON lakelock.tables (pipeline, table_name) WHERE topics = '{}';
