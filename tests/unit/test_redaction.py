"""No setting that a client documents as sensitive has its value in a text, whatever part of it a library shows."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pyiceberg
import pytest
from lakelock.model.redaction import MASK, names_secret, redacted, secrets_of, without_secrets
from psycopg.pq import Conninfo

SECRET = "s3cr3t-planted"
# CONFIGURATION.md of librdkafka: those that it marks as sensitive, and the key as PEM.
LIBRDKAFKA = (
    "ssl.key.password", "ssl.key.pem", "ssl_key", "ssl.keystore.password", "sasl.password", "sasl.oauthbearer.config",
    "sasl.oauthbearer.client.secret", "sasl.oauthbearer.client.credentials.client.secret",
    "sasl.oauthbearer.extensions", "sasl.oauthbearer.assertion.private.key.pem", "sasl.oauthbearer.assertion.private.key.passphrase", "sasl.kerberos.keytab",
)  # fmt: skip
# As docs/configuration.md, docs/security.md and docs/running-on-kubernetes.md of Spark name them, and those of Hadoop's and
# Iceberg's clients that Spark passes on.
SPARK = (
    "spark.authenticate.secret", "spark.connect.authenticate.token", "spark.ssl.keyPassword", "spark.ssl.ui.keyStorePassword",
    "spark.ssl.trustStorePassword", "spark.kerberos.keytab", "spark.executorEnv.AWS_SECRET_ACCESS_KEY",
    "spark.kubernetes.authenticate.submission.oauthToken", "spark.kubernetes.authenticate.driver.oauthToken",
    "spark.hadoop.fs.s3a.access.key", "spark.hadoop.fs.s3a.secret.key", "spark.hadoop.fs.s3a.session.token",
    "spark.hadoop.fs.azure.account.key.acct.dfs.core.windows.net", "spark.hadoop.fs.azure.sas.fixed.token",
    "spark.hadoop.fs.azure.sas.container.acct.blob.core.windows.net",
    "spark.hadoop.fs.azure.account.oauth2.client.secret.acct.dfs.core.windows.net",
    "spark.kafka.clusters.c.sasl.jaas.config", "spark.kafka.clusters.c.ssl.key.password",
    "spark.sql.catalog.lake.credential", "spark.sql.catalog.lake.token", "spark.sql.catalog.lake.jdbc.password",
    "spark.sql.catalog.lake.header.Authorization", "spark.sql.catalog.lake.header.X-Gateway",
    "spark.sql.catalog.lake.adls.sas-token.acct", "spark.sql.catalog.lake.adls.connection-string.acct",
    "spark.sql.catalog.lake.s3.secret-access-key", "spark.sql.catalog.lake.client.session-token",
)  # fmt: skip
PYICEBERG = (
    "adls.account-key", "adls.client-secret", "adls.connection-string", "adls.credential", "adls.sas-token", "adls.token",
    "client.access-key-id", "client.secret-access-key", "client.session-token", "credential", "dynamodb.access-key-id",
    "dynamodb.secret-access-key", "dynamodb.session-token", "gcp.bigquery.credentials-info", "gcs.oauth2.token",
    "gcs.session-kwargs", "glue.access-key-id", "glue.secret-access-key", "glue.session-token", "hdfs.kerberos_ticket",
    "header.", "hf.token", "s3.access-key-id", "s3.secret-access-key", "s3.session-token", "s3.sse-kms-key-id", "token",
)  # fmt: skip
# Constants of PyIceberg with such a word, that are no settings with a secret.
NONE = (
    "auth", "auth.manager", "Authorization", "adls.blob-storage-authority", "adls.dfs-storage-authority", "client_credentials",
    "client_secret", "gcp.bigquery.credential-file", "gcs.oauth2.token-expires-at", "hive.kerberos-authentication", "key",
    "oauth2-server-uri", "urn:ietf:params:oauth:grant-type:token-exchange", "vended-credentials",
)  # fmt: skip
SHOWN = (
    "bootstrap.servers", "sasl.mechanism", "sasl.username", "security.protocol", "ssl.ca.location", "ssl.key.location",
    "sasl.oauthbearer.method", "sasl.oauthbearer.token.endpoint.url", "client.id", "uri", "warehouse", "type", "s3.endpoint",
    "s3.region", "oauth2-server-uri", "scope", "rest.sigv4-enabled", "token-refresh-enabled", "sslrootcert", "sslmode", "passfile",
    "spark.master", "spark.ssl.keyStore", "spark.ssl.keyStoreType", "spark.sql.catalog.lake.uri", "py-io-impl",
    "gcp.bigquery.credential-file",
)  # fmt: skip


def constants_of_pyiceberg() -> set[str]:
    found = set()
    for file in Path(pyiceberg.__file__).parent.rglob("*.py"):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))) if name.isupper():
                    found.add(text)
    return found


def test_each_sensitive_setting_is_known() -> None:
    libpq = [o.keyword.decode() for o in Conninfo.get_defaults() if o.dispchar == b"*"]
    assert "sslpassword" in libpq
    scram = ["scram_client_key", "scram_server_key"]
    for key in (*LIBRDKAFKA, *SPARK, *PYICEBERG, *libpq, *scram):
        assert names_secret(key), key
        text = redacted(f"cannot log in with {SECRET} at h:1", secrets_of({key: SECRET}))
        assert text == f"cannot log in with {MASK} at h:1"


def test_a_setting_that_only_names_a_place_or_a_way_is_shown() -> None:
    assert [key for key in SHOWN if names_secret(key)] == []


def test_a_new_setting_of_pyiceberg_is_checked() -> None:
    """Another release may have one with a name that no rule has judged."""
    words = (
        "secret",
        "token",
        "key",
        "pass",
        "cred",
        "auth",
        "sas",
        "header",
        "private",
        "ticket",
        "connection-string",
    )
    alike = {c for c in constants_of_pyiceberg() if any(w in c.lower() for w in words)}
    assert alike - {"gcs.session-kwargs"} <= {*PYICEBERG, *NONE}
    assert alike >= {"credential", "header.", "adls.sas-token"}


@pytest.mark.parametrize(
    "settings",
    [
        {"credential": f"client:{SECRET}"},
        {"header.Authorization": f"Bearer {SECRET}"},
        {"header.X-Gateway": SECRET},
        {
            "adls.connection-string": f"DefaultEndpointsProtocol=https;AccountName=a;AccountKey={SECRET};EndpointSuffix=e"
        },
        {"sasl.jaas.config": f'org.apache.kafka.common.ScramLoginModule required username="u" password="{SECRET}";'},
        {"sasl.oauthbearer.config": f"principal=p clientSecret={SECRET}"},
        {"gcp.bigquery.credentials-info": '{"type": "t", "private_key": "' + SECRET + '"}'},
        {"auth": {"type": "oauth2", "oauth2": {"client_id": "i", "client_secret": SECRET}}},
        {"auth": {"type": "basic", "basic": {"username": "u", "password": SECRET}}},
        {"uri": f"postgresql+psycopg://u:{SECRET}@h/db"},
        {"uri": f"postgresql://h/db?sslpassword={SECRET}"},
        {"host": f"sc://h:15002/;use_ssl=true;token={SECRET}"},
        {"s3.proxy-uri": f"http://proxy:{SECRET}@h:3128"},
        {"warehouse": f"https://acct.blob.core.windows.net/c?sv=1&sig={SECRET}"},
        {"extra": {"keyfile_dict": {"private_key": SECRET}}},
        {"bad": [{"password": SECRET}]},
    ],
    ids=lambda settings: next(iter(settings)),
)
def test_a_part_of_a_setting_that_is_secret_alone_is_masked_alone(settings: dict[str, Any]) -> None:
    assert SECRET in secrets_of(settings)


def test_words_that_any_text_has_are_no_secrets() -> None:
    found = secrets_of(
        {
            "header.X-Trace": "true",
            "token": "abc",
            "spark.kafka.clusters.c.sasl.jaas.config": "Module required x;",
            "password": None,
            "port": 5432,
        }
    )
    assert redacted("required: true, abc, 5432", found) == "required: true, abc, 5432"


def test_headers_that_are_no_secrets_and_words_of_a_password_are_left() -> None:
    settings = {
        "header.User-Agent": "lakelock",
        "header.X-Iceberg-Access-Delegation": "vended-credentials",
        "header.X-Tenant": "prod",
        "password": "open orders",
    }
    text = "table lakelock.orders of prod: run `bin/lakelock recover FILE`; vended-credentials"
    assert redacted(text, secrets_of(settings)) == text
    assert redacted("open orders", secrets_of(settings)) == MASK


@pytest.mark.parametrize("password", ["12345", "true", "none", "basic"])
def test_a_password_is_masked_whatever_it_is(password: str) -> None:
    assert secrets_of({"password": password}) == {password}
    assert password in secrets_of({"uri": f"postgresql://u:{password}@h/d"})


def test_large_and_deep_values_take_no_time() -> None:
    token = "aB3-" * 64_000
    assert secrets_of({"token": token, "sasl.jaas.config": token}) == {token}
    assert secrets_of({"token": '{"a":' * 100_000})


@pytest.mark.parametrize(
    "uri", [f"jdbc:postgresql://u:{SECRET}@h/db", f"u:{SECRET}@h/db", f"u:{SECRET}/x@h/db", f"http://[{SECRET}"]
)
def test_an_address_that_cannot_be_kept_apart_is_not_shown(uri: str) -> None:
    assert SECRET not in without_secrets(uri)


def test_a_password_is_masked_as_it_is_written_and_as_it_is() -> None:
    assert secrets_of({"uri": "postgresql://u:p%40ss-word@h/d"}) == {"p%40ss-word", "p@ss-word"}
