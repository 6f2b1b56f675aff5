"""The page in Airflow: the state of pipelines and tables, read-only. Actions go through Airflow's own API.

Airflow loads `lakelock_plugin.py` alone; this package is imported at the first request.
"""
