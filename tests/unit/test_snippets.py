"""Programs that people copy: they name what the table has, whatever it is called, and no secret."""

from __future__ import annotations

import ast
import shlex
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.adapters.iceberg.snippets import reading, registering

SECRET = "hunter2&more"
SQL = {
    "type": "sql",
    "uri": f"postgresql+psycopg://lake:{SECRET}@db:5432/iceberg?sslmode=require",
    "warehouse": "s3://lake/w",
}
REST = {"type": "rest", "uri": "https://c.example.com", "credential": f"id:{SECRET}", "s3.secret-access-key": SECRET}
OF_A_USER = {"type": "sql", "uri": "sqlite:////tmp/it's.db", "warehouse": f"s3://user:{SECRET}@lake/w"}
NAMES = st.text(st.characters(exclude_characters=".", exclude_categories=["Cs"]), min_size=1)


def call_of(program: str) -> tuple[str, dict[str, str]]:
    """Name and properties of the one `load_catalog` in a program."""
    (found,) = [
        n
        for n in ast.walk(ast.parse(program))
        if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "load_catalog"
    ]
    name, properties = found.args[0], found.keywords[0].value
    return ast.literal_eval(name), ast.literal_eval(properties)


def texts(program: str) -> list[Any]:
    return [n.value for n in ast.walk(ast.parse(program)) if isinstance(n, ast.Constant)]


@pytest.mark.parametrize("properties", [SQL, REST, OF_A_USER])
def test_no_secret_is_shown_and_what_is_left_out_is_named(properties: dict[str, str]) -> None:
    snippets = reading("a.b", "main", "lake", properties, "sc://spark:15002")
    said = "".join(s.program + s.needs for s in snippets) + registering("a.b", "s3://lake/m.json", "lake", properties)
    assert SECRET not in said
    shown = call_of(snippets[0].program)[1]
    for key in properties.keys() - shown.keys():
        assert key in snippets[0].needs


def test_an_address_keeps_its_user_and_says_that_it_has_a_password_and_parameters() -> None:
    duckdb = reading("a.b", "main", "lake", SQL, None)[0]
    name, properties = call_of(duckdb.program)
    assert (name, properties["uri"]) == ("lake", "postgresql+psycopg://lake@db:5432/iceberg")
    assert "password" in duckdb.needs
    assert "parameters" in duckdb.needs


def test_a_catalog_without_secrets_needs_nothing_more() -> None:
    properties = {"type": "sql", "uri": "sqlite:////tmp/c.db", "warehouse": "file:///w"}
    duckdb, polars, _ = reading("a.b", "main", "lake", properties, None)
    for one in (duckdb, polars):
        assert (one.needs, call_of(one.program)) == ("", ("lake", properties))
    assert "(with " not in registering("a.b", "file:///m.json", "lake", properties)


@given(NAMES, NAMES, NAMES)
def test_whatever_a_table_is_called_the_programs_name_it(namespace: str, name: str, catalog: str) -> None:
    table = f"{namespace}.{name}"
    duckdb, polars, spark = reading(table, "main", catalog, {"type": "sql", "uri": "sqlite:///c.db"}, "sc://h:1")
    assert table in texts(duckdb.program)
    assert table in texts(polars.program)
    quoted = ".".join(f"`{p.replace('`', '``')}`" for p in (catalog, namespace, name))
    assert f"SELECT * FROM {quoted} LIMIT 10" in texts(spark.program)
    line = registering(table, f"file:///{name}.json", catalog, {"type": "sql", "uri": "sqlite:///c.db"})
    _, _, program = shlex.split(line)
    assert {table, f"file:///{name}.json"} <= set(texts(program))


def test_another_branch_than_main_is_what_is_read() -> None:
    duckdb, polars, spark = reading("a.b", "staging", "lake", {"type": "sql", "uri": "sqlite:///c.db"}, None)
    assert '.use_ref("staging")' in duckdb.program
    assert '.use_ref("staging")' in polars.program
    assert "VERSION AS OF 'staging'" in spark.program
