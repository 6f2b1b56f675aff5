"""The page in Chromium without a server: its files, and answers that its own functions make of values of the core.

Values are samples by type: known ones, or None wherever a field may be None. So each field that can be unknown is, and a new
field is without anybody naming it here.
"""

from __future__ import annotations

import dataclasses
import json
import mimetypes
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import NoneType, SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints
from unittest.mock import patch
from urllib.parse import parse_qsl, unquote, urlsplit

from lakelock.adapters.duckdb.page import Cause, FileOffsets, SampledDeadLetter
from lakelock.adapters.iceberg.page_snapshots import BroughtRange, ChangedColumns, RolledBack, SnapshotView
from lakelock.adapters.iceberg.sampling import Sampled
from lakelock.adapters.iceberg.snippets import Snippet
from lakelock.adapters.parquet.first_rows import RowSample
from lakelock.adapters.wal.page_queries import PartAt
from lakelock.adapters.wal.page_rows import CommittedBatch
from lakelock.config import Pipeline
from lakelock.model.batches import StreamState
from lakelock.model.column_types import Column, Integer
from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage, Totals
from lakelock.model.evolutions import ColumnsChanged
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.operator_log import Decided, What
from lakelock.model.overview import BatchView, Fence, LandedInTime, OpenParts, PipelineView, TableView
from lakelock.model.table_files import FileView
from lakelock.monitor.alerts import Runs
from lakelock.monitor.status import PipelineStatus, SourceStatus
from lakelock.page import answers, page_dialogs, schema_answers, table_answers
from lakelock.page.access import KINDS
from lakelock.page.json_values import answer
from lakelock.page.logs import Opened
from lakelock.ports import TableState
from lakelock.ports.tables import PastColumns

from kits.columns import columns, layout
from kits.page import config_of

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

ORIGIN = "http://page.test"
STATIC = Path(answers.__file__).parent / "static"
PIPELINE, TOPIC = "p1", "topic1"
TABLE = f"lake.{PIPELINE}_t1"
DEAD_LETTERS = f"lake.{PIPELINE}__dead_letters"
TOPIC_ID = f"id-of-{TOPIC}"
REDRIVEN = 17
KINDS_OF_SNAPSHOTS = (
    "commit", "redrive", "replace", "rollback", "adoption", "columns", "compaction", "manifests", "decision", "registry", "mark",
    "upkeep", "other", "foreign",
)  # fmt: skip
OVERVIEW = f"{ORIGIN}/lakelock/page"
OF_PIPELINE = f"{OVERVIEW}?pipeline={PIPELINE}"
OF_TABLE = f"{OF_PIPELINE}&table={TABLE}"
SPARK_UI = "https://spark.example.com"

COLUMNS = (
    Column("id", Integer(64), required=True, doc="its number"),
    *columns({"#": "binary", "nested": "list<struct<a: string, b: struct<c: long>>>"}),
)

T = TypeVar("T")
_NOW = datetime.now(UTC)
_NOW_MS = int(_NOW.timestamp() * 1000)
_SAMPLES: dict[object, object] = {
    int: 7,
    float: 7.5,
    str: "text",
    bool: False,
    bytes: b"bytes",
    datetime: _NOW,
    What: What.PAUSE,
}


class Answers:
    """Of one pipeline with a table and its dead letters."""

    def __init__(self, known: bool) -> None:
        self._known = known
        self.stopped = ""
        self.broken: set[str] = set()
        self.runs = Runs()
        self.missing: tuple[Source, ...] = ()
        self.stale: tuple[str, ...] = ()
        self._sources = [Source(TOPIC, TOPIC_ID, n) for n in range(3)]
        self._ledgers = {t: self._ledger() for t in (TABLE, DEAD_LETTERS)} if known else {}
        self.view = self._sample(
            PipelineView,
            pipeline=PIPELINE,
            at=_NOW,
            sights=None,
            reached={},
            tables=(self._table(TABLE), self._table(DEAD_LETTERS, is_dead_letter_table=True)),
            table_count=1,
            found=2,
            batches=tuple(self._sample(BatchView, planned_parts=n) for n in (0, 7)),
        )
        wishes = {"columns": {"id": {"type": "long"}, "more": {"type": "string"}}, "partition_by": ["bucket(16, id)"]}
        self._pipeline = Pipeline.from_resolved({**config_of(PIPELINE, 1), "tables": [{"name": TABLE, **wishes}]})
        self._reader: Any = SimpleNamespace(
            fences=lambda name: [self._sample(Fence)],
            decisions=lambda name, limit: [(t, d.line) for t, led in self._ledgers.items() for d in led.decisions],
            batches=lambda *key: [self._sample(CommittedBatch) for _ in range(3)],
            parts_at=lambda *key: [self._sample(PartAt)],
        )
        self._log: Any = SimpleNamespace(
            streams=lambda name, lane: [StreamState(s, 0, 4000) for s in self._sources],
            ledgers=lambda name, *tables: self._ledgers,
            generations=lambda name: dict.fromkeys((TABLE, DEAD_LETTERS), 0),
            dead_letter_tables=lambda name: [DEAD_LETTERS],
        )

    @property
    def _opened(self) -> Opened:
        return Opened("lakelock_postgres", self.view, self._reader, self._pipeline, runs=self.runs)

    def overview(self) -> bytes:
        return _body(answers.overview([PIPELINE], [self.view], True, {PIPELINE: self.runs}, self.broken))

    def silent_overview(self) -> bytes:
        """As long as the log does not answer."""
        return _body(answers.overview([PIPELINE], [], False, {}, set()))

    def of(self, rest: str) -> bytes:
        """What `/api/pipelines/<pipeline>` answers to *rest*."""
        table = unquote(rest.removeprefix("/tables/").split("/")[0])
        routes: dict[str, Callable[[], Any]] = {
            "": lambda: answers.pipeline(self._opened, self.dags(), self._log, SPARK_UI if self._known else ""),
            "/dags": lambda: answer({"dags": self.dags()}),
            "/lag": lambda: answers.lag(self._opened, self._status(), self._log, self._pipeline),
            "/tables": lambda: answers.table(self._opened, table, self._log, self._pipeline),
            "/tables/snapshots": lambda: table_answers.snapshots(self._opened, table, self._tables(), 100),
            "/tables/files": lambda: table_answers.files(self._opened, table, self._tables(), 50),
            "/tables/file": lambda: table_answers.file(self._opened, table, self._tables(), "text"),
            "/tables/where": lambda: table_answers.where(self._opened, table, self._tables(), TOPIC, 0, REDRIVEN),
            "/tables/dead-letters": lambda: table_answers.dead_letters(
                self._opened, table, self._tables(), self._log, True
            ),
            "/tables/definition": lambda: schema_answers.definition(
                self._opened, table, self._tables(), [self._sample(Snippet)]
            ),
            "/tables/steps": lambda: schema_answers.steps(self._opened, table, self._tables(), self._pipeline),
            "/tables/rows": lambda: schema_answers.rows(self._opened, table, self._tables(), True),
        }
        steps = rest.split("/")
        name = rest if steps[1:2] != ["tables"] else "/".join(["", "tables", *steps[3:]])
        with (
            patch.object(table_answers, "SnapshotViews", lambda tables, pipeline: self._views()),
            patch.object(table_answers, "FileViews", lambda tables: self._views()),
            patch.object(schema_answers, "sample", lambda *key: self._rows()),
        ):
            return _body(routes[name]())

    def _sample(self, kind: type[T], /, **given: object) -> T:
        hints = get_type_hints(kind)
        assert dataclasses.is_dataclass(kind)
        made = {f.name: self._value(hints[f.name]) for f in dataclasses.fields(kind) if f.name not in given}
        # Moments of our own days: one of 1970 is what a browser makes of nothing.
        made |= {name: _NOW_MS for name, value in made.items() if name.endswith("_ms") and value is not None}
        return kind(**made, **given)

    def _value(self, hint: Any) -> object:
        choices = get_args(hint)
        if NoneType in choices:
            return self._value(next(c for c in choices if c is not NoneType)) if self._known else None
        if hint in _SAMPLES:
            return _SAMPLES[hint]
        return () if choices else self._sample(hint)

    def _table(self, name: str, is_dead_letter_table: bool = False) -> TableView:
        landed = tuple(LandedInTime(n, n) for n in range(12))
        return self._sample(
            TableView,
            table=name,
            is_dead_letter_table=is_dead_letter_table,
            bound=True,
            landed=landed,
            is_unsettled=True,
            planned=OpenParts(),
        )

    def _ledger(self) -> Ledger:
        gaps = [Interval(2000 + n, 2001 + n, 1, kind) for n, kind in enumerate(Kind) if kind is not Kind.DATA]
        intervals, requested = (Interval(10, 2000), *gaps, Interval(2010, 3000)), ((0, 10), (2005, 2010))
        covered = SourceCoverage(10, intervals, Totals(2980), requested, ((REDRIVEN, REDRIVEN + 1),))
        at = tuple(OffsetRange(s, REDRIVEN, REDRIVEN + 1) for s in self._sources)
        said = Decided(What.REPLACE, _NOW, "somebody", "columns fixed", ranges=at)
        coverage = Coverage(dict.fromkeys(self._sources, covered))
        return Ledger("installation", PIPELINE, "commit", 0, "digest", coverage, decisions=(said,))

    def _status(self) -> PipelineStatus:
        sources = tuple(self._sample(SourceStatus, source=s, end_offset=107) for s in self._sources)
        return PipelineStatus(PIPELINE, _NOW, sources, (), {}, stopped=self.stopped, missing=self.missing)

    def dags(self) -> Any:
        run = {
            "run_id": "manual__1",
            "state": "success",
            "asks": False,
            "run_after": _NOW,
            "ended_at": _NOW if self._known else None,
        }
        about = {
            "paused": True,
            "stale": False,
            "may_run": True,
            "next_run_after": _NOW if self._known else None,
            "runs": [run],
        }
        gone = {"stale": True, "may_run": False, "next_run_after": None}
        return [
            {"dag_id": f"{kind}__{PIPELINE}", "kind": kind, **about, **(gone if kind in self.stale else {})}
            for kind in KINDS
        ]

    def _tables(self) -> Any:
        # Whose place in the history is unknown is held all the same.
        state = self._sample(
            TableState,
            ledger=self._ledger(),
            detached=False,
            properties={},
            handle=None,
            name=TABLE,
            columns=COLUMNS,
            layout=layout(COLUMNS),
        )
        changed = self._sample(ColumnsChanged, changes=("nested.element.b.c: new, long",))
        return SimpleNamespace(
            load=lambda name, detached: state,
            dead_letters=lambda *key: [],
            columns_changed=lambda state: [changed] if self._known else [],
            past_columns=lambda state: PastColumns(),
            refusal=lambda state, edit: "",
        )

    def _rows(self) -> Sampled:
        cells = ["text" if self._known else None] * 3
        return self._sample(Sampled, sample=RowSample(("id", "#", "nested"), [cells] * 10, 1), files=("text",))

    def _views(self) -> Any:
        snapshots = [
            self._sample(
                SnapshotView,
                kind=kind,
                ranges=(self._sample(BroughtRange, topic_id=TOPIC_ID),),
                decided=("decided by somebody",) if kind == "decision" else (),
                columns=ChangedColumns(("x: new, long",), 1, f"topic {TOPIC}, partition 0, offset 7")
                if kind == "columns"
                else None,
            )
            for kind in KINDS_OF_SNAPSHOTS
        ]
        files = [self._sample(FileView, path="text"), self._sample(FileView, path="more")]
        dead_letter = self._sample(SampledDeadLetter, target=TABLE, topic=TOPIC, partition=0, offset=REDRIVEN)
        covered = [self._sample(FileOffsets, rows=1), self._sample(FileOffsets, rows=7)]
        return SimpleNamespace(
            snapshots=lambda state, limit: (snapshots, len(snapshots)),
            rollbacks=lambda state: [
                self._sample(RolledBack, line=f"from snapshot {n}, skip, by somebody: bad") for n in (9, 8)
            ],
            brought_by=lambda *key: (snapshots[0] if self._known else None, False),
            redriven_by=lambda *key: (snapshots[1] if self._known else None, False),
            replaced_by=lambda *key: (snapshots[2] if self._known else None, False),
            files=lambda state, columns: files,
            offsets_of_file=lambda *key: covered,
            rows_at=lambda *key: (files[:1] if self._known else [], False),
            dead_letters=lambda *key: ([self._sample(Cause, target=TABLE)], [dead_letter], 1, 2),
        )


Reply = tuple[int, dict[str, str], bytes]


class Stage:
    """Answers what the page asks in one browser's page; *replace* puts another answer in front of a path's own."""

    def __init__(self, page: Page, known: bool = True) -> None:
        self.answers = Answers(known)
        self.requests: list[str] = []
        # Of the request that is being answered.
        self.query: dict[str, str] = {}
        self._others: dict[str, Callable[[], Reply | None]] = {}
        page.route(f"{ORIGIN}/**", self._reply)

    def replace(self, path: str, make: Callable[[], Reply | None]) -> None:
        """*path* as below `/lakelock/api/`; None is for the answer of its own."""
        self._others[path] = make

    def _reply(self, route: Route) -> None:
        address = urlsplit(route.request.url)
        path = unquote(address.path).removeprefix("/lakelock/")
        self.query = dict(parse_qsl(address.query))
        status, headers, body = self._made(path)
        route.fulfill(status=status, headers=headers, body=body)

    def _made(self, path: str) -> Reply:
        if path == "static/forms.js":
            return 200, {"Content-Type": "text/javascript"}, page_dialogs.script().encode()
        if not path.startswith("api/"):
            file = STATIC / ("page.html" if path == "page" else path.removeprefix("static/"))
            return 200, {"Content-Type": mimetypes.guess_type(file.name)[0] or ""}, file.read_bytes()
        requested = path.removeprefix("api/")
        self.requests.append(requested)
        other = self._others.get(requested, lambda: None)()
        if other is not None:
            return other
        own = (
            self.answers.overview()
            if requested == "overview"
            else self.answers.of(requested.removeprefix(f"pipelines/{PIPELINE}"))
        )
        return 200, {"Content-Type": "application/json"}, own


def away(detail: str, **headers: str) -> Reply:
    """As the page's routes answer where a server that they need does not."""
    return 503, {"Content-Type": "application/json", **headers}, json.dumps({"detail": detail}).encode()


def _body(response: Any) -> bytes:
    body: bytes = response.body
    return body
