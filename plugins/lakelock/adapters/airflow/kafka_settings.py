"""Settings for Kafka clients, derived from an Airflow connection."""

from __future__ import annotations

from lakelock.adapters.airflow.connections import Connection
from lakelock.errors import ConnectionFault

# Settings that lakelock chooses itself; connections often have them for other consumers.
_KAFKA_OWN = frozenset(
    {
        "group.id",
        "group.instance.id",
        "group.protocol",
        "auto.offset.reset",
        "enable.auto.commit",
        "auto.commit.interval.ms",
        "enable.auto.offset.store",
        "enable.partition.eof",
        "isolation.level",
        "transactional.id",
        "enable.idempotence",
    }
)
_REMOVE_IT = "Remove the setting from its extra, or use another connection."
_KAFKA_CALLABLES = frozenset({"error_cb", "throttle_cb", "stats_cb", "log_cb", "oauth_cb", "on_commit", "logger"})


def kafka_config(connection: Connection) -> dict[str, str]:
    """librdkafka configuration: the extra, as in Airflow's Kafka provider, without the settings that lakelock chooses.

    Raises ConnectionFault for values that would break the guarantees if they were applied.
    """
    config = {key: connection.text(key, value) for key, value in connection.extra.items() if value is not None}
    for key in config.keys() & _KAFKA_CALLABLES:
        raise ConnectionFault(
            f"connection {connection.conn_id!r}: {key} is a callable, which cannot be sent to Spark tasks.",
            do=_REMOVE_IT,
        )
    if config.get("isolation.level", "read_committed") != "read_committed":
        raise ConnectionFault(
            f"connection {connection.conn_id!r}: isolation.level must be read_committed. Otherwise lakelock would read "
            "aborted transactions.",
            do=_REMOVE_IT,
        )
    if config.get("enable.auto.commit", "false") != "false":
        raise ConnectionFault(
            f"connection {connection.conn_id!r}: enable.auto.commit must be false. lakelock commits offsets with the "
            "table.",
            do=_REMOVE_IT,
        )
    if not config.get("bootstrap.servers"):
        raise ConnectionFault(
            f"connection {connection.conn_id!r}: its extra has no bootstrap.servers.",
            do='Write {"bootstrap.servers": "host:9092"}.',
        )
    return {key: value for key, value in config.items() if key not in _KAFKA_OWN}
