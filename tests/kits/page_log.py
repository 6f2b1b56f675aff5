"""The page's answers over a log, without a server."""

from __future__ import annotations

import json
from typing import Any

import duckdb
from lakelock.page import answers, schema_answers, table_answers
from lakelock.page.logs import Opened
from lakelock.page.page_sources import Sources

from kits.world import World


class PageAnswers:
    """The page's answers about one world, as the routes make them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.sources = Sources(["lakelock_postgres"], lambda conn_id, team: world.connections[conn_id])

    @property
    def opened(self) -> Opened:
        return self.sources.open(self.world.name)

    def lag(self) -> Any:
        opened = self.opened
        planned = self.sources.planned(opened, [t.table for t in opened.view.tables])
        return self._plain(answers.lag(opened, self.sources.status(opened), self.sources.log(opened), planned))

    def pipeline(self) -> Any:
        opened = self.opened
        return self._plain(answers.pipeline(opened, [], self.sources.log(opened), self.sources.spark_ui(opened)))

    def table(self) -> Any:
        opened = self.opened
        planned = self.sources.planned(opened, [self.world.table])
        return self._plain(answers.table(opened, self.world.table, self.sources.log(opened), planned))

    def of_table(self, what: str, *arguments: Any) -> Any:
        """One of the table's own answers."""
        opened = self.opened
        answer = getattr(table_answers, what)
        return self._plain(answer(opened, self.world.table, self.sources.tables(opened), *arguments))

    def dead_letters(self, with_contents: bool, table: str | None = None) -> Any:
        """Of the world's table, or from the page of *table*."""
        opened = self.opened
        of, tables = table or self.world.table, self.sources.tables(opened)
        return self._plain(table_answers.dead_letters(opened, of, tables, self.sources.log(opened), with_contents))

    def schema(self, what: str, *arguments: Any, table: str | None = None) -> Any:
        """A table's definition or rows."""
        opened = self.opened
        answer = getattr(schema_answers, what)
        return self._plain(answer(opened, table or self.world.table, self.sources.tables(opened), *arguments))

    def steps(self, table: str | None = None) -> Any:
        """What `apply` would do to a table."""
        name = table or self.world.table
        return self.schema("steps", self.sources.planned(self.opened, [name]), table=name)

    @staticmethod
    def _plain(response: Any) -> Any:
        return json.loads(response.body)


def dead_letters(world: World) -> list[tuple[int, int, str]]:
    """(partition, offset, reason) of each dead letter."""
    found = world.catalog.load_table(f"{world.table}__dead_letters")
    files = [task.file.file_path.removeprefix("file://") for task in found.scan().plan_files()]
    found_rows: list[tuple[int, int, str]] = duckdb.sql(
        f'SELECT partition, "offset", reason FROM read_parquet({files!r})'
    ).fetchall()
    return found_rows
