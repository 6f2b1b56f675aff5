"""Faults of a pipeline file are reported at once, with file, line and key, and with what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest
from lakelock.config import load_pipeline
from lakelock.errors import ConfigFaults

TABLES = "tables: [{name: n.t}]\n"
SOURCE = "source: {topics: [a]}\n"
COLUMNS = SOURCE + "tables:\n- name: n.t\n  columns:\n"


def faults_of(folder: Path, text: str, defaults: str = "", name: str = "p.yaml") -> list[str]:
    (folder / name).write_text(text, encoding="utf-8")
    if defaults:
        (folder / "_defaults.yaml").write_text(defaults, encoding="utf-8")
    with pytest.raises(ConfigFaults) as raised:
        load_pipeline(folder / name, {})
    first, *lines = str(raised.value).splitlines()
    assert first.startswith(f"pipeline {Path(name).stem} has {len(lines)} error")
    return [line.strip() for line in lines]


# One case a line: what is wrong, the file, the report.
CASES = {
    "not YAML": ("source: {topics: [a]}\ntables: [", "p.yaml:3: not YAML: "),
    "not a map": ("- a\n", "p.yaml:1: must be a map of keys"),
    "an alias of itself": ("source: {topics: &a [*a]}\n" + TABLES, "p.yaml:1: source.topics[0]: an alias that contains itself"),
    "a key twice": (SOURCE + TABLES + "owner: a\nowner: b\n", "p.yaml:4: owner: written twice, first in line 3"),
    "a nested key twice": ("source:\n  topics: [a]\n  topics: [b]\n" + TABLES, "p.yaml:3: source.topics: written twice"),
    "no source": (TABLES, "p.yaml:1: source is missing"),
    "no tables": (SOURCE, "p.yaml:1: tables is missing"),
    "empty tables": (SOURCE + "tables: []\n", "p.yaml:2: tables: must not be empty"),
    "a table without a name": (SOURCE + "tables:\n  - {topics: [a]}\n", "p.yaml:3: tables[0]: name is missing"),
    "the pipeline's name": (SOURCE + TABLES + "name: x\n", "p.yaml:3: name: a pipeline has the name of its file"),
    "a window that nothing keeps": (
        SOURCE + TABLES + "commit: {rollback_window: 8d, keep_snapshots: 9999}\n",
        "p.yaml:3: commit.rollback_window: is longer than maintenance.expire_after (7d)",
    ),
    "a window with too many commits": (
        SOURCE + TABLES + "schedule: {batch_every: 10s}\ncommit: {rollback_window: 1d}\n",
        "p.yaml:4: commit.rollback_window: with a commit every 10s it has up to 8640 snapshots, and commit.keep_snapshots is 1000",
    ),
    "orphans that are young": (
        SOURCE + TABLES + "maintenance: {orphans_after: 10m}\n",
        "p.yaml:3: maintenance.orphans_after: must be at least 1h",
    ),
    "a backfill in squares of seven hours": (
        SOURCE + TABLES + "backfill: {interval: 7h}\n",
        "p.yaml:3: backfill.interval: must divide a day, as 15m and 6h do, or be whole days",
    ),
    "a backfill in squares of a day and a half": (
        SOURCE + TABLES + "backfill:\n  interval: 36h\n",
        "p.yaml:4: backfill.interval: must divide a day",
    ),
    "a backfill of a run a second": (
        SOURCE + TABLES + "backfill: {interval: 1s}\n",
        "p.yaml:3: backfill.interval: must be at least 1m",
    ),
    "a deadline that no window meets": (
        "schedule: {every: 5m, batch_every: 10s}\n" + SOURCE + TABLES + "alerts: {deadline: 5m}\n",
        "p.yaml:4: alerts.deadline: every run would miss it: a window takes 5m",
    ),
    "records that are never late": (
        SOURCE + TABLES + "publish: {max_lateness: 30s}\n",
        "p.yaml:3: publish.max_lateness: must be at least 1m",
    ),
    "an unknown key": (SOURCE + TABLES + "ownr: x\n", "p.yaml:3: ownr: unknown key 'ownr'; did you mean 'owner'?"),
    "an unknown nested key": ("source: {topcs: [a]}\n" + TABLES, "did you mean 'topics'?"),
    "a key of another place": (SOURCE + TABLES + "max_latency: 5s\n", "it belongs at commit.max_latency"),
    "a key of a table": (SOURCE + TABLES + "columns: {a: int}\n", "it belongs at value.csv.columns or tables[].columns"),
    "a letter too few": (SOURCE + TABLES + "table: [{name: n.t}]\n", "did you mean 'tables'?"),
    "a key of no place": (SOURCE + TABLES + "wal: {zzz: 1}\n", "unknown key 'zzz'; known here: conn_id"),
    "a key of columns": (SOURCE + "tables:\n- name: n.t\n  columns:\n    a: {type: int, requird: true}\n", "did you mean 'required'?"),
    "text for a list": ("source: {topics: a}\n" + TABLES, "p.yaml:1: source.topics: must be a list"),
    "a boolean for text": ("source: {topics: [on]}\n" + TABLES, "source.topics[0]: must be text (put it in quotes)"),
    "text for a map": (SOURCE + TABLES + "commit: soon\n", "p.yaml:3: commit: must be a map of keys"),
    "text for a number": (SOURCE + TABLES + "batch: {max_records: many}\n", "batch.max_records: must be a whole number"),
    "a number too small": (SOURCE + TABLES + "batch: {max_records: 0}\n", "must be greater than or equal to 1"),
    "a ratio above one": (SOURCE + TABLES + "dead_letters: {stop_at: {ratio: 2}}\n", "less than or equal to 1"),
    "the whole value in a number": (SOURCE + "tables:\n- {name: n.t, columns: {a: {type: long, field: $}}}\n", "field '$' is the whole value"),
    "a field for a metadata column": (SOURCE + "tables:\n- {name: n.t, columns: {_kafka_offset: {type: long, field: o}}}\n", "is a metadata column, which no field fills"),
    "two columns of one field": (SOURCE + "tables:\n- {name: n.t, columns: {a: long, b: {type: string, field: a}}}\n", "columns read field 'a' as different types"),
    "a column of a field and one within": (SOURCE + "tables:\n- {name: n.t, columns: {a: long, b: {type: string, field: a.b}}}\n", "a column reads field 'a' whole"),
    "a struct and a column within": (SOURCE + "tables:\n- {name: n.t, columns: {a: 'struct<b: long>', c: {type: string, field: a.b}}}\n", "two columns read field 'a.b'"),
    "a rest that is a number": (SOURCE + "tables:\n- {name: n.t, columns: {a: long}, new_fields: {json_column: a}}\n", "must be an optional string"),
    "a rest with a field of its own": (SOURCE + "tables:\n- {name: n.t, columns: {a: {type: string, field: b}}, new_fields: {json_column: a}}\n", "so it has no field, cast or constant of its own"),
    "new fields by two names": (SOURCE + "tables:\n- {name: n.t, columns: {a: long}, new_fields: ignore, unknown_fields: ignore}\n", "give new_fields alone"),
    "an unknown format": (SOURCE + TABLES + "value: {format: avro}\n", "value.format: must be one of json, connect_json, csv, raw, none"),
    "a duration without unit": (SOURCE + TABLES + "schedule: {every: 5}\n", "must be a duration with its unit"),
    "a bad duration": (SOURCE + TABLES + "schedule: {every: 5 minits}\n", "'5 minits' is not a duration"),
    "a zero duration": (SOURCE + TABLES + "schedule: {every: 0s}\n", "'0s' is not a duration above zero"),
    "a bad size": (SOURCE + TABLES + "commit: {min_bytes: 5 XB}\n", "'5 XB' is not a size"),
    "a negative size": (SOURCE + TABLES + "commit: {min_bytes: -1}\n", "must be greater than or equal to 0"),
    "a bad cron": (SOURCE + TABLES + "schedule: {cron: '61 * * * *'}\n", "is not a cron expression"),
    "a cron that never comes": (SOURCE + TABLES + "schedule: {cron: '0 0 31 2 *'}\n", "there is no such day"),
    "six fields of cron": (SOURCE + TABLES + "schedule: {cron: '* * * * * *'}\n", "write five fields"),
    "every and cron": (SOURCE + TABLES + "schedule: {cron: '* * * * *', every: 5m}\n", "either every or cron"),
    "a window of cron": (SOURCE + TABLES + "schedule: {cron: '* * * * *', batch_every: 5s}\n", "batch_every: needs every"),
    "a window too short": (SOURCE + TABLES + "schedule: {every: 5s, batch_every: 5s}\n", "must be shorter than every"),
    "an unknown time zone": (SOURCE + TABLES + "schedule: {timezone: Mars/X}\n", "'Mars/X' is not a time zone"),
    "no topics": ("source: {}\n" + TABLES, "source: needs topics or topics_regex"),
    "a topic twice": ("source: {topics: [a, a]}\n" + TABLES, "topic 'a' is listed 2 times"),
    "a bad regex": ("source: {topics_regex: '('}\n" + TABLES, "not a regular expression"),
    "a start of no kind": ("source: {topics: [a], start: soon}\n" + TABLES, "'soon' is none of: earliest, latest"),
    "a start without a zone": ("source: {topics: [a], start: 2026-01-01T00:00:00}\n" + TABLES, "has no time zone"),
    "a start of another topic": ("source: {topics: [a], start: {b: {0: 1}}}\n" + TABLES, "'b' is not in source.topics"),
    "a negative start": ("source: {topics: [a], start: {a: {0: -1}}}\n" + TABLES, "-1 is not an offset"),
    "a table without namespace": (SOURCE + "tables: [{name: t}]\n", "tables[0].name: must be namespace.table"),
    "a table twice": (SOURCE + "tables: [{name: n.t}, {name: n.t}]\n", "table 'n.t' is listed 2 times"),
    "a table of another topic": (SOURCE + "tables: [{name: n.t, topics: [b]}, {name: n.u}]\n", "'b' is not in source.topics"),
    "a topic without table": ("source: {topics: [a, b]}\ntables: [{name: n.t, topics: [a]}]\n", "'b' goes to no table"),
    "a regex without table": ("source: {topics_regex: a}\ntables: [{name: n.t, topics: [a]}]\n", "at least one table must take"),
    "the dead letters' table": (SOURCE + TABLES + "dead_letters: {table: n.t}\n", "must be a table of its own"),
    "an unknown type": (SOURCE + "tables: [{name: n.t, columns: {a: lon}}]\n", "tables[0].columns.a: type 'lon' cannot be read"),
    "a column without type": (SOURCE + "tables: [{name: n.t, columns: {a: }}]\n", "columns.a: needs a type"),
    "types for some": (SOURCE + "tables: [{name: n.t, columns: {a: int, b: {zone: UTC}}}]\n", "columns.b: has no type, but other"),
    "a zone of a number": (SOURCE + "tables: [{name: n.t, columns: {a: {type: int, zone: UTC}}}]\n", "not for int"),
    "metadata of another type": (SOURCE + "tables: [{name: n.t, columns: {_kafka_offset: string}}]\n", "its type must be long"),
    "metadata names twice": (SOURCE + TABLES + "metadata_columns: {offset: x, partition: x}\n", "names must differ"),
    "metadata name of no kind": (SOURCE + TABLES + "metadata_columns: {offset: 3}\n", "must be a column name, or false"),
    "a header's name twice": (SOURCE + TABLES + "metadata_columns: {header: {a: x, b: x}}\n", "names must differ"),
    "a header of another type": (SOURCE + "tables: [{name: n.t, columns: {x: long}}]\nmetadata_columns: {header: {a: x}}\n", "for header 'a', so its type must be string or binary"),
    "headers of another type": (SOURCE + "tables: [{name: n.t, columns: {h: 'list<string>'}}]\nmetadata_columns: {headers: h}\n", "for headers, so its type must be list<struct<"),
    "a header without a column": (SOURCE + TABLES + "metadata_columns: {header: {a: ''}}\n", "metadata_columns.header.a: must not be empty"),
    "headers in a list": (SOURCE + TABLES + "metadata_columns: {header: [a]}\n", "metadata_columns.header: must be a map of keys"),
    "an unknown identifier": (SOURCE + "tables: [{name: n.t, columns: {a: int}, id_columns: [b]}]\n", "column 'b' is not declared"),
    "an optional identifier": (SOURCE + "tables: [{name: n.t, columns: {a: int}, id_columns: [a]}]\n", "'a' must be required"),
    "a bad partitioning": (SOURCE + "tables: [{name: n.t, partition_by: ['days(']}]\n", "tables[0].partition_by[0]: "),
    "an unknown partition column": (SOURCE + "tables: [{name: n.t, columns: {a: int}, partition_by: [b]}]\n", "'b' is not declared"),
    "an unknown sort column": (SOURCE + "tables: [{name: n.t, columns: {a: int}, sort_by: [b desc]}]\n", "'b' is not declared"),
    "a cast of no kind": (COLUMNS + "    a: {type: int, cast: txt}\n", "p.yaml:5: tables[0].columns.a.cast: 'txt' is no cast; there are json, "),
    "a list for a cast": (COLUMNS + "    a: {type: int, cast: [[text]]}\n", "columns.a.cast: ['text'] is no cast"),
    "no casts": (COLUMNS + "    a: {type: int, cast: []}\n", "columns.a.cast: must be one or a list of: json, "),
    "a number for a cast": (COLUMNS + "    a: {type: int, cast: 5}\n", "columns.a.cast: must be one or a list of: json, "),
    "a cast twice": (COLUMNS + "    a: {type: int, cast: [text, text]}\n", "columns.a.cast: has a cast twice"),
    "a pattern of no kind": (COLUMNS + "    a: {type: date, cast: 'pattern:dd.MM.yy'}\n", "columns.a.cast: 'yy' is not known; there are yyyy"),
    "a pattern that guesses": (COLUMNS + "    a: {type: date, cast: 'pattern:dMyyyy'}\n", "columns.a.cast: a digit between d and M"),
    "a cast of another type": (COLUMNS + "    a: {type: int, cast: epoch_s}\n", "p.yaml:5: tables[0].columns.a: cast 'epoch_s' is not for int"),
    "a pattern for a number": (COLUMNS + "    a: {type: int, cast: 'pattern:dd.MM.yyyy'}\n", "is for date, time, timestamp and timestamptz, not for int"),
    "a pattern without its time": (COLUMNS + "    a: {type: timestamp, cast: 'pattern:dd.MM.yyyy'}\n", "has no hour"),
    "a pattern with a time": (COLUMNS + "    a: {type: date, cast: 'pattern:dd.MM.yyyy HH'}\n", "only cast 'truncate_time' drops"),
    "json with another cast": (COLUMNS + "    a: {type: string, cast: [json, null]}\n", "columns.a: each of the casts json and unscaled stands alone"),
    "type json with a cast": (COLUMNS + "    a: {type: json, cast: stringify}\n", "p.yaml:5: tables[0].columns.a: type json takes any value"),
    "json within a type": (COLUMNS + "    a: list<json>\n", "columns.a: field 'element': type 'list<json>' cannot be read"),
    "an epoch without a zone": (COLUMNS + "    a: {type: timestamp, cast: epoch_s}\n", "columns.a: an epoch is an instant, so a column of type timestamp needs a zone"),
    "days for a timestamp": (COLUMNS + "    a: {type: timestamptz, cast: epoch_days}\n", "columns.a: cast 'epoch_days' is not for timestamptz"),
    "text of no number": (COLUMNS + "    a: {type: date, cast: text}\n", "columns.a: cast 'text' is for numbers"),
    "a field without a name": (COLUMNS + "    a: {type: int, field: ''}\n", "p.yaml:5: tables[0].columns.a.field: must be a field such as event.created, or a list of names"),
    "a field with an empty name": (COLUMNS + "    a: {type: int, field: a..b}\n", "columns.a.field: must be a field such as event.created"),
    "a field of no names": (COLUMNS + "    a: {type: int, field: []}\n", "columns.a.field: must be a field such as event.created"),
    "a field of numbers": (COLUMNS + "    a: {type: int, field: [a, 5]}\n", "columns.a.field: must be a field such as event.created"),
    "the whole value as a number": (COLUMNS + "    a: {type: int, field: $}\n", "columns.a: field '$' is the whole value, which only a string"),
    "the whole value by a cast": (COLUMNS + "    a: {type: string, field: $, cast: stringify}\n", "columns.a: field '$' is the whole value"),
    "a field of a metadata column": (COLUMNS + "    _kafka_offset: {type: long, field: b}\n", "columns._kafka_offset: is a metadata column, which no field fills"),
    "new fields of no kind": (COLUMNS + "    a: int\n  new_fields: drop\n", "p.yaml:6: tables[0].new_fields: must be evolve, dead_letter or ignore"),
    "columns that evolve with raw values": (SOURCE + "value: {format: raw}\ntables:\n- {name: n.t, new_types: evolve}\n", "p.yaml:4: tables[0].new_types: columns evolve with the fields of JSON, and value.format is raw"),
    "new fields without a column": (COLUMNS + "    a: int\n  new_fields: {}\n", "tables[0].new_fields: json_column is missing"),
    "new fields of another key": (COLUMNS + "    a: int\n  new_fields: {json_column: r, cast: json}\n", "p.yaml:6: tables[0].new_fields.cast: unknown key 'cast'"),
    "new fields twice": (COLUMNS + "    a: int\n  new_fields: ignore\n  unknown_fields: ignore\n", "p.yaml:6: tables[0].new_fields: give new_fields alone"),
    "new fields in a number": (COLUMNS + "    a: int\n  new_fields: {json_column: a}\n", "p.yaml:6: tables[0].new_fields: column 'a' must be an optional string, or left out"),
    "new fields in a required column": (COLUMNS + "    a: {type: string, required: true}\n  new_fields: {json_column: a}\n", "column 'a' must be an optional string"),
    "new fields in a column with a field": (COLUMNS + "    a: {type: string, field: b}\n  new_fields: {json_column: a}\n", "so it has no field, cast or constant of its own"),
    "new fields in a metadata column": (COLUMNS + "    a: int\n  new_fields: {json_column: _kafka_offset}\n", "column '_kafka_offset' is a metadata column"),
    "an unset variable": (SOURCE + "tables: [{name: '${NS}.t'}]\n", "tables[0].name: environment variable 'NS' is not set"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_fault_is_reported_alone_with_its_place_and_cure(tmp_path: Path, case: str) -> None:
    text, expected = CASES[case]
    faults = faults_of(tmp_path, text)
    assert len(faults) == 1, faults
    assert expected in faults[0]


def test_all_faults_are_reported_at_once_in_the_order_of_lines(tmp_path: Path) -> None:
    faults = faults_of(
        tmp_path,
        """ownr: team
schedule: {every: 5 minits, timezone: Mars/X}
source:
  topics: [a, a]
tables:
  - name: n.t
    topics: [b]
    colums: {}
    columns: {id: lon, n: int}
    id_columns: [n]
commit: {min_bytes: lots}
""",
    )
    assert [f.split(": ", 2)[:2] for f in faults] == [
        ["p.yaml:1", "ownr"],
        ["p.yaml:2", "schedule.every"],
        ["p.yaml:2", "schedule.timezone"],
        ["p.yaml:4", "source.topics"],
        ["p.yaml:4", "source.topics"],
        ["p.yaml:7", "tables[0].topics"],
        ["p.yaml:8", "tables[0].colums"],
        ["p.yaml:9", "tables[0].columns.id"],
        ["p.yaml:10", "tables[0].id_columns"],
        ["p.yaml:11", "commit.min_bytes"],
    ]


def test_a_fault_of_the_defaults_names_their_file_and_is_reported_once_for_many_tables(tmp_path: Path) -> None:
    faults = faults_of(
        tmp_path,
        SOURCE + "tables: [{name: n.a}, {name: n.b}]\nbach: {}\n",
        defaults="owner: x\ntable_defaults:\n  unknown_fields: drop\n",
    )
    assert faults[0].startswith("p.yaml:3: bach: unknown key 'bach'; did you mean 'batch'?")
    assert faults[1].startswith("_defaults.yaml:3: table_defaults.unknown_fields: must be dead_letter or ignore")
    assert len(faults) == 2


def test_table_defaults_have_no_name(tmp_path: Path) -> None:
    faults = faults_of(tmp_path, SOURCE + TABLES + "table_defaults: {name: n.x}\n")
    assert faults == ["p.yaml:3: table_defaults.name: tables have a name of their own; leave this key out"]


@pytest.mark.parametrize("name", ["Flights.yaml", "my-flights.yaml", "1st.yaml"])
def test_a_file_name_that_is_no_pipeline_name_is_reported(tmp_path: Path, name: str) -> None:
    [fault] = faults_of(tmp_path, SOURCE + TABLES, name=name)
    assert "the file name is the pipeline's name" in fault


def test_a_file_that_is_not_text_is_reported(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigFaults, match=r"p\.yaml:1: cannot be read"):
        load_pipeline(tmp_path / "p.yaml")


def test_a_declared_name_may_have_dots_of_its_own(tmp_path: Path) -> None:
    columns = "columns: {'a.b': string, s: 'struct<`c.d`: string>'}"
    text = (
        f"source: {{topics: [t]}}\ntables: [{{name: n.t, {columns}, partition_by: ['`a.b`'], sort_by: ['`s.c.d`']}}]\n"
    )
    (tmp_path / "p.yaml").write_text(text)
    (table,) = load_pipeline(tmp_path / "p.yaml", {}).tables
    assert (table.partition_by, table.sort_by) == (("`a.b`",), ("`s.c.d`",))
    (fault,) = faults_of(tmp_path, text.replace("'`a.b`'", "'`a.c`'"), name="q.yaml")
    assert "column 'a.c' is not declared" in fault
