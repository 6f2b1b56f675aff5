"""A Structured Streaming application for bench_peers.py: a query over a topic for each line of standard input.

Takes its settings as JSON: those of Spark, the bootstrap servers, the topic, the schema, and of consumers. A line of standard input is JSON
with a table and a checkpoint folder, one of standard output is JSON with the query's start and end and the rows of its batches.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col, from_json


def rows_of(spark: SparkSession, settings: dict[str, Any]) -> DataFrame:
    kafka = {
        "kafka.bootstrap.servers": settings["bootstrap"],
        "subscribe": settings["topic"],
        "startingOffsets": "earliest",
        **{f"kafka.{name}": value for name, value in settings["kafka"].items()},
    }
    records = spark.readStream.format("kafka").options(**kafka).load()
    return records.select(from_json(col("value").cast("string"), settings["schema"]).alias("record")).select("record.*")


def query(spark: SparkSession, settings: dict[str, Any], table: str, checkpoint: str) -> dict[str, Any]:
    began = time.time()
    writer = rows_of(spark, settings).writeStream.format("iceberg").outputMode("append").trigger(availableNow=True)
    running = writer.option("checkpointLocation", checkpoint).toTable(table)
    running.awaitTermination()
    ended = time.time()
    return {"began": began, "ended": ended, "rows": [p["numInputRows"] for p in running.recentProgress]}


def main() -> None:
    settings = json.loads(sys.argv[1])
    builder = SparkSession.builder.appName("bench")
    for name, value in settings["spark"].items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    print(json.dumps({"ready": time.time()}), flush=True)
    for line in sys.stdin:
        wanted = json.loads(line)
        print(json.dumps(query(spark, settings, wanted["table"], wanted["checkpoint"])), flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
