"""Versions, artifacts and names of the stack; docker-compose.yaml is checked against them."""

from __future__ import annotations

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]

KAFKA_VERSION = "4.3.0"
POSTGRES_VERSION = "18"
SPARK_VERSION = "4.1.2"
AIRFLOW_VERSION = "3.3.2"
ICEBERG_VERSION = "1.12.0"
POSTGRES_JDBC_VERSION = "42.7.8"

KAFKA_ARTIFACT = ("org.apache.kafka", "kafka_2.13", KAFKA_VERSION)
ICEBERG_SPARK_ARTIFACT = ("org.apache.iceberg", "iceberg-spark-runtime-4.1_2.13", ICEBERG_VERSION)
POSTGRES_JDBC_ARTIFACT = ("org.postgresql", "postgresql", POSTGRES_JDBC_VERSION)

# Iceberg's own REST catalog server, for tests: exactly these jars, as (group, name, version, classifier). Its other
# dependencies (Hadoop, Jackson, logging) are in the pyspark package, and the Postgres driver above stores its tables.
REST_ICEBERG_VERSION = "1.11.0"
REST_JETTY_VERSION = "12.1.5"
REST_ARTIFACTS = (
    ("org.apache.iceberg", "iceberg-open-api", REST_ICEBERG_VERSION, "test-fixtures"),
    ("org.apache.iceberg", "iceberg-core", REST_ICEBERG_VERSION, ""),
    ("org.apache.iceberg", "iceberg-core", REST_ICEBERG_VERSION, "tests"),
    ("org.apache.iceberg", "iceberg-api", REST_ICEBERG_VERSION, ""),
    ("org.apache.iceberg", "iceberg-common", REST_ICEBERG_VERSION, ""),
    ("org.apache.iceberg", "iceberg-bundled-guava", REST_ICEBERG_VERSION, ""),
    ("org.eclipse.jetty.ee10", "jetty-ee10-servlet", REST_JETTY_VERSION, ""),
    ("org.eclipse.jetty.compression", "jetty-compression-common", REST_JETTY_VERSION, ""),
    ("org.eclipse.jetty.compression", "jetty-compression-gzip", REST_JETTY_VERSION, ""),
    ("org.eclipse.jetty.compression", "jetty-compression-server", REST_JETTY_VERSION, ""),
    ("org.eclipse.jetty", "jetty-http", REST_JETTY_VERSION, ""),
    ("org.eclipse.jetty", "jetty-io", REST_JETTY_VERSION, ""),
    ("org.eclipse.jetty", "jetty-security", REST_JETTY_VERSION, ""),
    ("org.eclipse.jetty", "jetty-server", REST_JETTY_VERSION, ""),
    ("org.eclipse.jetty", "jetty-session", REST_JETTY_VERSION, ""),
    ("org.eclipse.jetty", "jetty-util", REST_JETTY_VERSION, ""),
    ("jakarta.servlet", "jakarta.servlet-api", "6.0.0", ""),
    ("org.apache.httpcomponents.core5", "httpcore5", "5.4", ""),
    ("com.github.ben-manes.caffeine", "caffeine", "3.2.0", ""),
)

# Peers of lakelock, for tests/benchmarks/bench_peers.py alone: each with its dependencies as Maven knows them. The sink's
# distribution is not in Maven's repositories, and its own descriptor does not name the writers of file formats.
CONNECT_ARTIFACTS = (
    ("org.apache.kafka", "connect-runtime", KAFKA_VERSION, ""),
    ("org.slf4j", "slf4j-simple", "1.7.36", ""),
)
SINK_ARTIFACTS = (
    ("org.apache.iceberg", "iceberg-kafka-connect", ICEBERG_VERSION, ""),
    ("org.apache.iceberg", "iceberg-parquet", ICEBERG_VERSION, ""),
    ("org.apache.iceberg", "iceberg-orc", ICEBERG_VERSION, ""),
    (*POSTGRES_JDBC_ARTIFACT, ""),
)
# Exactly these; all else is in the pyspark package. Clients and pool have the versions of Spark's own descriptor.
# Delegation tokens have not changed since 4.1.1, and not every mirror has a newer artifact of them.
STREAMING_ARTIFACTS = (
    ("org.apache.spark", "spark-sql-kafka-0-10_2.13", SPARK_VERSION, ""),
    ("org.apache.spark", "spark-token-provider-kafka-0-10_2.13", "4.1.1", ""),
    ("org.apache.kafka", "kafka-clients", "3.9.1", ""),
    ("org.apache.commons", "commons-pool2", "2.12.1", ""),
)

MIN_JAVA = 17
POSTGRES_USER = "lakelock"
DATABASES = ("airflow", "lakelock", "iceberg")
# SQL catalogs separate tables by the catalog's name, and Airflow's Iceberg connections name theirs by their id.
CATALOG = "iceberg_default"

# One node: nothing must wait for replicas on brokers that do not exist.
KAFKA_SETTINGS = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.listener.names": "CONTROLLER",
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "4",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "transaction.state.log.num.partitions": "4",
    "group.initial.rebalance.delay.ms": "0",
    "auto.create.topics.enable": "false",
}

SPARK_SETTINGS = {
    # A pipeline that runs once an hour keeps its session.
    "spark.connect.session.manager.defaultSessionTimeout": "24h",
    # A job whose client is gone frees its slots within half a minute instead of five minutes.
    "spark.connect.execute.manager.detachedTimeout": "15s",
    "spark.connect.execute.manager.maintenanceInterval": "5s",
    "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
}


def spark_catalog(name: str, uri: str, warehouse: str) -> dict[str, str]:
    """Settings for Spark SQL to see PyIceberg's SQL catalog at the JDBC *uri* as `name.<namespace>.<table>`."""
    prefix = f"spark.sql.catalog.{name}"
    return {
        prefix: "org.apache.iceberg.spark.SparkCatalog",
        f"{prefix}.type": "jdbc",
        f"{prefix}.uri": uri,
        f"{prefix}.jdbc.schema-version": "V1",
        f"{prefix}.jdbc.user": POSTGRES_USER,
        f"{prefix}.warehouse": warehouse,
        f"{prefix}.cache-enabled": "false",
    }


JVM_SETTINGS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

AIRFLOW_SETTINGS = {
    "AIRFLOW__CORE__EXECUTOR": "LocalExecutor",
    "AIRFLOW__CORE__PARALLELISM": "4",
    "AIRFLOW__CORE__LOAD_EXAMPLES": "false",
    "AIRFLOW__CORE__DAGS_ARE_PAUSED_AT_CREATION": "false",
    "AIRFLOW__CORE__MIN_SERIALIZED_DAG_UPDATE_INTERVAL": "2",
    "AIRFLOW__DAG_PROCESSOR__REFRESH_INTERVAL": "5",
    "AIRFLOW__DAG_PROCESSOR__MIN_FILE_PROCESS_INTERVAL": "10",
    "AIRFLOW__SCHEDULER__SCHEDULER_IDLE_SLEEP_TIME": "0.5",
    # Tasks that died with their scheduler or worker are started again within a minute instead of five.
    "AIRFLOW__SCHEDULER__ORPHANED_TASKS_CHECK_INTERVAL": "10",
    "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT": "60",
    # A restart of the api-server must not kill running tasks.
    "AIRFLOW__WORKERS__MAX_FAILED_HEARTBEATS": "20",
}
