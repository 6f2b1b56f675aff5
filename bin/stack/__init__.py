"""Servers that lakelock works with, started on a bare machine: Postgres, Kafka, Spark, Airflow."""
