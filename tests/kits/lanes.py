"""Names that processes of one test run share: of servers that another of them has started, and of groups of tests."""

from __future__ import annotations

# Environment variable: the file that describes the Airflow of a lane.
SHARED = "LAKELOCK_SHARED_AIRFLOW"

# Tests of which a third are drawn: what runs that a person asks for, or that look after others, do in a real Airflow.
RUNS = "runs in Airflow beside the pipelines' own"

# Tests on Spark of expressions beside one other setting, of which half are drawn.
SQL_BESIDE = "SQL beside another setting"

# Files that show pages in an Airflow of their own, which takes longer to start than they do.
PAGES = "pages in Airflow"
