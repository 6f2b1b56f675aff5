"""Datasets are named as OpenLineage's own integrations name them, or lineage ends where two tools meet."""

from __future__ import annotations

import pytest
from lakelock.adapters.openlineage.names import table_name, table_symlink, topic_name


@pytest.mark.parametrize(
    ("servers", "namespace"),
    [
        ("b1:9093,b2:9093", "kafka://b1:9093"),
        (" b1 , b2", "kafka://b1:9092"),
        ("SASL_SSL://b1:9094", "kafka://b1:9094"),
        ("[::1]:9092", "kafka://[::1]:9092"),
        ("[::1]", "kafka://[::1]:9092"),
    ],
)
def test_a_topic_is_named_by_the_first_server(servers: str, namespace: str) -> None:
    assert topic_name(servers, "orders") == (namespace, "orders")


@pytest.mark.parametrize(
    ("location", "namespace", "name"),
    [
        ("s3://lake/shop/orders", "s3://lake", "shop/orders"),
        ("s3a://lake/shop/orders/", "s3://lake", "shop/orders"),
        ("gs://lake/shop", "gs://lake", "shop"),
        ("abfss://box@account.dfs.core.windows.net/shop", "abfss://box@account.dfs.core.windows.net", "shop"),
        ("hdfs://name:8020/shop/orders", "hdfs://name:8020", "/shop/orders"),
        ("file:///tmp/lake/shop", "file", "/tmp/lake/shop"),
        ("/tmp/lake/shop", "file", "/tmp/lake/shop"),
    ],
)
def test_a_table_is_named_by_where_it_lies(location: str, namespace: str, name: str) -> None:
    assert table_name(location) == (namespace, name)


def test_a_catalogs_secrets_are_no_part_of_a_name() -> None:
    found = table_symlink("postgresql+psycopg://lake:hunter2@pg:5432/iceberg?sslpassword=x", "shop.orders")
    assert found == ("postgresql+psycopg://pg:5432/iceberg", "shop.orders")
