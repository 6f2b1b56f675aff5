"""The page in Airflow: what pipelines and tables stand at, read-only; whoever acts does it through Airflow's own API.

Imported by nothing but the first request to it: Airflow loads `lakelock_plugin.py` alone.
"""
