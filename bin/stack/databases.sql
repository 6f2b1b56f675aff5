-- The Postgres image creates the database lakelock itself.
CREATE DATABASE airflow;
CREATE DATABASE iceberg;
