"""Programs to copy: reading a table with other engines, and registering a table again. They contain no secrets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from lakelock.model.redaction import password_may_be_elsewhere, password_of, without_secrets

# PyIceberg properties that are safe to show. Any other may be secret, so only its name is shown.
_PLACES = frozenset(
    {
        "type", "uri", "warehouse", "py-io-impl", "client.region", "s3.endpoint", "s3.region", "s3.force-virtual-addressing",
        "gcs.project-id", "gcs.service.host", "adls.account-name", "adls.account-host", "glue.region", "glue.id", "scope",
        "oauth2-server-uri", "rest.sigv4-enabled", "rest.signing-name", "rest.signing-region",
    }
)  # fmt: skip
ROWS = 10


@dataclass(frozen=True, slots=True)
class Snippet:
    """A program for one engine; `needs` are the parts that the reader has to add, empty if it runs as it is."""

    engine: str
    program: str
    needs: str


@dataclass(frozen=True, slots=True)
class CatalogCall:
    """`load_catalog(…)` in Python, and what it needs in addition."""

    text: str
    needs: str


def catalog_call(name: str, properties: Mapping[str, str]) -> CatalogCall:
    """PyIceberg's call for the catalog *name*, without secret *properties*."""
    shown = {k: _place(k, v) for k, v in sorted(properties.items()) if k in _PLACES}
    hidden = sorted(properties.keys() - _PLACES)
    needs = []
    if password_of(properties.get("uri", "")) is not None:
        needs.append("the catalog's password (in PGPASSWORD, for Postgres)")
    if "?" in properties.get("uri", ""):
        needs.append("the parameters of the catalog's address")
    if hidden:
        needs.append(f"these properties of the connection {name}: {', '.join(hidden)}")
    given = ", ".join(f"{_text(k)}: {_text(v)}" for k, v in shown.items())
    return CatalogCall(f"load_catalog({_text(name)}, **{{{given}}})", " and ".join(needs))


def reading(table: str, branch: str, catalog: str, properties: Mapping[str, str], spark: str | None) -> list[Snippet]:
    """Programs that read the *branch* of a *table* with DuckDB, polars and Spark.

    *spark* is a Connect server's address; None leaves the session to the reader.
    """
    call, is_main = catalog_call(catalog, properties), branch == "main"
    scan = f"table.scan(limit={ROWS})" + ("" if is_main else f".use_ref({_text(branch)})")
    duckdb = f"""\
import duckdb
from pyiceberg.catalog import load_catalog

catalog = {call.text}
table = catalog.load_table({_text(table)})
# Without a limit all rows are read; row_filter and selected_fields make it less.
rows = {scan}.to_arrow()
duckdb.sql("SELECT * FROM rows").show()
"""
    polars = f"""\
from pyiceberg.catalog import load_catalog

catalog = {call.text}
table = catalog.load_table({_text(table)})
print({scan}.to_polars())
"""
    session = "SparkSession.builder" + ("" if spark is None else f".remote({_text(spark)})") + ".getOrCreate()"
    name = ".".join(f"`{part.replace('`', '``')}`" for part in (catalog, *table.split(".")))
    version = "" if is_main else f" VERSION AS OF {_sql_text(branch)}"
    by_spark = f"""\
from pyspark.sql import SparkSession

spark = {session}
spark.sql({_text(f"SELECT * FROM {name}{version} LIMIT {ROWS}")}).show()
"""
    knows = f"a Spark whose spark.sql.catalog.{catalog} is this catalog"
    return [
        Snippet("PyIceberg and DuckDB", duckdb, call.needs),
        Snippet("PyIceberg and polars", polars, call.needs),
        Snippet("Spark", by_spark, knows),
    ]


def registering(table: str, metadata_file: str, catalog: str, properties: Mapping[str, str]) -> str:
    """A shell command that registers a dropped *table* again."""
    call = catalog_call(catalog, properties)
    program = (
        f"from pyiceberg.catalog import load_catalog; {call.text}.register_table({_text(table)}, "
        f"{_text(metadata_file)})"
    )
    # Only texts contain single quotes; the shell's enclose the whole program.
    unquoted = program.replace("'", "\\x27")
    line = f"python -c '{unquoted}'"
    return f"{line} (with {call.needs})" if call.needs else line


def _place(key: str, value: str) -> str:
    if key != "uri":
        return without_secrets(value) if "://" in value else value
    try:
        parts = urlsplit(value)
    except ValueError:
        return "…"
    if password_may_be_elsewhere(value, parts):
        return "…"
    if not parts.netloc:
        return value.partition("?")[0]
    user, _, host = parts.netloc.rpartition("@")
    # The user name is not secret, and no catalog can be reached without it.
    name = user.partition(":")[0]
    return urlunsplit((parts.scheme, f"{name}@{host}" if name else host, parts.path, "", ""))


def _text(value: str) -> str:
    """*value* as a Python literal."""
    return json.dumps(value, ensure_ascii=False)


def _sql_text(value: str) -> str:
    """*value* as a Spark SQL literal."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
