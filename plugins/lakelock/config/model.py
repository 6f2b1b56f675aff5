"""A pipeline file as one model; descriptions of fields are what docs/configuration.md and editors show."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cached_property
from typing import Annotated, Any

from pydantic import Field, PrivateAttr, ValidationError

from lakelock.config.alert_sections import Alerts
from lakelock.config.commit_sections import Catalog, Commit, DeadLetters
from lakelock.config.metadata_sections import MetadataColumns
from lakelock.config.route_section import Route
from lakelock.config.routing import TablesOfRules, feeds, router
from lakelock.config.run_sections import BatchLimits, Publish, Schedule, Spark, Wal
from lakelock.config.section import Section
from lakelock.config.source_sections import SourceTopics, Value
from lakelock.config.table_sections import Table, TableSettings
from lakelock.config.upkeep_sections import BackfillRuns, Maintenance
from lakelock.errors import State, WalUnusable
from lakelock.records.metadata import OF_HEADER
from lakelock.records.routing.router import Router
from lakelock.records.routing.templates import Rendered

NAME_PATTERN = r"^[a-z][a-z0-9_]*$"


class PipelineSettings(Section):
    """What a pipeline file and the resolved pipeline have in common."""

    owner: Annotated[str, Field(min_length=1)] = Field(default="lakelock", description="Owner of the DAG.")
    tags: tuple[Annotated[str, Field(min_length=1, max_length=100)], ...] = Field(
        default=(), description="Tags of the DAG."
    )
    schedule: Schedule = Field(default=Schedule(), description="When runs start.")
    source: SourceTopics = Field(description="Topics to read.")
    value: Value = Field(default=Value(), description="Format of record values.")
    tables: tuple[Table, ...] = Field(
        default=(), description="Target tables. Every topic needs at least one table, unless there is a `route`."
    )
    route: Route | None = Field(
        default=None,
        description="Rules for tables that are created as their records appear. See [routing](routing.md).",
    )
    metadata_columns: MetadataColumns = Field(
        default=MetadataColumns(), description="Columns with the origin of a row; `false` for none."
    )
    catalog: Catalog = Field(default=Catalog(), description="Catalog of the tables.")
    dead_letters: DeadLetters = Field(default=DeadLetters(), description="Records that cannot be decoded or converted.")
    commit: Commit = Field(default=Commit(), description="When staged files are committed.")
    maintenance: Maintenance = Field(default=Maintenance(), description="Maintenance of the tables, and when it runs.")
    backfill: BackfillRuns = Field(default=BackfillRuns(), description="The runs of a backfill.")
    alerts: Alerts = Field(
        default=Alerts(), description="Incidents that `lakelock_watch` reports, and the notifiers that it calls."
    )
    batch: BatchLimits = Field(default=BatchLimits(), description="The size of one batch.")
    spark: Spark = Field(default=Spark(), description="The Spark server that writes batches.")
    wal: Wal = Field(default=Wal(), description="The write-ahead log.")
    publish: Publish = Field(default=Publish(), description="Progress that other tools can see.")


class PipelineFile(PipelineSettings):
    """A lakelock pipeline: bounded ranges of Kafka topics into Iceberg tables, each record exactly once."""

    table_defaults: TableSettings = Field(
        default=TableSettings(), description=("Defaults for every entry of `tables`: maps merge, lists replace.")
    )


class Pipeline(PipelineSettings):
    """A resolved pipeline: defaults merged, environment filled in, names final."""

    name: Annotated[str, Field(pattern=NAME_PATTERN)]
    # Of a pipeline with routed tables: itself without them, and their names without corrections.
    _file: Pipeline | None = PrivateAttr(default=None)
    _routed: dict[str, str] = PrivateAttr(default_factory=dict)

    def with_routed(self, tables: Mapping[str, str]) -> Pipeline:
        """The pipeline whose `tables` also has those that rules made, which are given with their names without corrections.

        Its resolved form and its digest are those of the file. A table that the file lists is no routed one.
        """
        file = self._file or self
        if file.route is None:
            return file
        routed = dict(tables)
        for listed in file.tables:
            routed.pop(listed.name, None)
        out = Pipeline.model_construct(**{**dict(file), "tables": TablesOfRules(file.tables, file.route, routed)})
        out._file, out._routed = file, routed
        return out

    @property
    def raw_names(self) -> Mapping[str, str]:
        """The names of routed tables before corrections, by table."""
        return self._routed

    def is_routed(self, table: str) -> bool:
        return table in self._routed

    def may_be_shuffled(self, table: str) -> bool:
        """Whether a shuffle may distribute the table's records. Spark evaluates expressions where they are read."""
        return self.is_routed(table) and self.table(table).expressions is None

    @cached_property
    def router(self) -> Router | None:
        """What tasks route records by, with the routed tables as known ones; None for a pipeline without `route`."""
        if self.route is None:
            return None
        rules = router(self.route, self.entries, self.dead_letter_table, self.value)
        return replace(rules, known=self._routed)

    @property
    def dead_letter_table(self) -> str:
        if self.dead_letters.table:
            return self.dead_letters.table
        namespace = self.route.namespace if not self.entries and self.route else self.entries[0].name.rpartition(".")[0]
        return f"{namespace}.{self.name}__dead_letters"

    @property
    def group(self) -> str | None:
        """The consumer group that mirrors committed offsets; None where none does."""
        return f"{self.publish.group_prefix}{self.name}" if self.publish.group else None

    @property
    def metadata_columns_by_key(self) -> dict[str, str]:
        """Keys of `lakelock.records.metadata` to the names of the columns that are wanted."""
        columns = self.metadata_columns
        whole = {key: name for key, name in columns if name and key != "header"}
        return whole | {f"{OF_HEADER}{header}": name for header, name in (columns.header or {}).items()}

    @property
    def job_s(self) -> float:
        """The seconds that a Spark job of a batch may read for."""
        return (self.batch.max_seconds or self.schedule.batch_every or timedelta(seconds=30)).total_seconds()

    @property
    def entries(self) -> tuple[Table, ...]:
        """The tables that the file lists."""
        return (self._file or self).tables

    @cached_property
    def _listed(self) -> dict[str, Table]:
        return {t.name: t for t in self.entries}

    def table(self, name: str) -> Table:
        if isinstance(self.tables, TablesOfRules) and name in self._routed:
            return self.tables.made(name)
        return self._listed[name]

    def has_table(self, name: str) -> bool:
        return name in self._listed or name in self._routed

    @property
    def is_replaceable(self) -> bool:
        """Whether `replace` can read intervals of its records again into its tables."""
        return self.route is None

    def feeds(self, table: str, topic: str) -> bool:
        """Whether a table of this name takes the topic."""
        if table in self._routed:
            return self._could_feed(table, topic)
        found = self._listed.get(table)
        return found is not None and self.takes(found, topic)

    def takes(self, table: Table, topic: str) -> bool:
        """Records of *topic* go to *table*; of a routed table, whether they could."""
        if table.name in self._routed:
            return self._could_feed(table.name, topic)
        return not table.topics or topic in table.topics

    def _could_feed(self, routed: str, topic: str) -> bool:
        return self.route is not None and feeds(self.route, Rendered(routed, self._routed[routed]), topic)

    def taken_by_entries(self, topics: Sequence[str]) -> dict[str, list[str]]:
        """Those of *topics* that each entry of `tables` takes, by its name, if there are any."""
        return {t.name: taken for t in self.entries if (taken := [x for x in topics if self.takes(t, x)])}

    def resolved(self) -> dict[str, Any]:
        """Plain JSON without secrets and with every default written out; `from_resolved` reads it, also in a year.

        Alerts and the length of a backfill's runs are of the file alone: no batch follows from them, and a notifier's arguments
        may hold anything.
        """
        if self._file is not None:
            return self._file.resolved()
        plain: dict[str, Any] = self.model_dump(mode="json", exclude_none=True, exclude={"alerts", "backfill"})
        plain["dead_letters"]["table"] = self.dead_letter_table
        return plain

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the resolved form, independent of key order."""
        text = json.dumps(self.resolved(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    @classmethod
    def from_resolved(cls, resolved: Mapping[str, Any]) -> Pipeline:
        """The pipeline a batch was planned with, of the same digest. Raises WalUnusable where this release cannot read it."""
        try:
            return cls.model_validate(dict(resolved))
        except ValidationError as fault:
            lines = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in fault.errors())
            raise WalUnusable(
                f"a stored configuration of pipeline {resolved.get('name')!r} cannot be read by this release ({lines}).",
                State.NOTHING_CHANGED,
                "Run the release that planned with it, or a later one.",
            ) from None
