-- Beside the database that the Postgres image makes itself.
CREATE DATABASE airflow;
CREATE DATABASE iceberg;
