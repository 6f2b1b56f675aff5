"""Transforms of three other tools, and the settings of a table that do the same, each with a record."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

# Keys of a pipeline file with their values in one line: of a table, but for those of `OF_PIPELINE`.
Settings = tuple[str, ...]
OF_PIPELINE = ("source", "value", "metadata_columns")
FILTERED = "filtered"


@dataclass(frozen=True, slots=True)
class Record:
    """As Kafka has it; the page calls the value *called* where it cannot show it."""

    value: bytes | None
    called: str = ""
    topic: str = "orders"
    partition: int = 0
    offset: int = 0
    key: bytes | None = None
    headers: Sequence[tuple[str, bytes | None]] = ()
    timestamp_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Transform:
    """*theirs* is Markdown. The record becomes a *row*, with these values as shown by column, or else *other*.

    *other* is `FILTERED`, or the kind of a dead letter.
    """

    theirs: str
    record: Record
    row: Mapping[str, str] | None
    settings: Settings = ()
    other: str = ""
    needs_spark: bool = False


class Words(NamedTuple):
    """A transform without a case, and why."""

    theirs: str
    why: str


class Tool(NamedTuple):
    title: str
    source: str
    transforms: tuple[Transform | Words, ...]


def _of(value: object, **more: object) -> Record:
    return Record(value.encode() if isinstance(value, str) else json.dumps(value).encode(), **more)  # type: ignore[arg-type]


def row(theirs: str, record: Record | object, becomes: Mapping[str, str], *settings: str) -> Transform:
    return Transform(theirs, record if isinstance(record, Record) else _of(record), becomes, settings)


def dead(theirs: str, record: object, kind: str, *settings: str) -> Transform:
    return Transform(theirs, _of(record), None, settings, kind)


def sql(theirs: str, record: Record | object, becomes: Mapping[str, str] | None, *settings: str) -> Transform:
    """Filtered if it becomes nothing."""
    found = record if isinstance(record, Record) else _of(record)
    return Transform(theirs, found, becomes, settings, FILTERED if becomes is None else "", needs_spark=True)


_IGNORE = "new_fields: ignore"
_AT, _STAMP = "2019-05-15T15:19:25.250Z", 1557933565250
_AT_SHOWN = "2019-05-15T15:19:25.250000Z"
_INSTANT = "columns: {{id: long, at: {{type: timestamptz, field: created, cast: {}}}}}"
_METADATA = "metadata_columns: {partition: p, offset: o, topic: t, timestamp: at, timestamp_type: kind}"
_STAMPED = _of({"id": 1}, partition=3, offset=42, timestamp_ms=_STAMP)
_ITEMS = {"id": 1, "items": [{"name": "pen", "price": 2}, {"name": "ink", "price": 5}]}

KAFKA_DELTA_INGEST = Tool(
    "kafka-delta-ingest",
    "Transforms of [delta-io/kafka-delta-ingest](https://github.com/delta-io/kafka-delta-ingest) at commit `c6d42de`: its "
    "options `--transform`, and the coercions that it makes without an option",
    (
        row("`city: user.home.city`, a JMESPath to a field", {"id": 1, "user": {"home": {"city": "Bern"}}},
            {"id": "1", "city": '"Bern"'}, "columns: {id: long, city: {type: string, field: user.home.city}}"),
        row("the same, with a result of null", {"id": 1, "user": None},
            {"id": "1", "city": "null"}, "columns: {id: long, city: {type: string, field: user.home.city}}"),
        dead("any transform, of a message that is no object", [1], "not a JSON object", "columns: {id: long}"),
        sql("``first: items[0].name``, an element", _ITEMS, {"first": '"pen"'},
            'columns: {items: "list<struct<name: string, price: long>>", first: {type: string, sql: "items[0].name"}}',
            _IGNORE),
        sql("``total: sum(items[].price)``, a function of JMESPath", _ITEMS, {"total": "7"},
            'columns: {items: "list<struct<name: string, price: long>>", '
            'total: {type: long, sql: "aggregate(items, 0L, (sum, item) -> sum + item.price)"}}',
            _IGNORE),
        sql("``name: join(' ', [first, last])``", {"first": "Ann", "last": "Lee"}, {"name": '"Ann Lee"'},
            'columns: {first: string, last: string, name: {type: string, sql: "concat_ws(\' \', first, last)"}}'),
        sql("`meta.id: id`, a field of an object", {"id": 1}, {"meta": '{"id": 1}'},
            'columns: {id: long, meta: {type: "struct<id: long>", sql: "named_struct(\'id\', id)"}}'),
        row("``date: substr(created, `0`, `10`)``, a text", {"created": _AT},
            {"created": _AT_SHOWN, "date": '"2019-05-15"'},
            "columns: {created: timestamptz, date: {type: string, field: created, cast: stringify, mask: {truncate: 10}}}"),
        row("the same, for a date", {"created": _AT}, {"created": _AT_SHOWN, "date": "2019-05-15"},
            "columns: {created: timestamptz, date: {type: date, field: created, cast: truncate_time}}"),
        sql("``year: substr(created, `2`, `2`)``, another start", {"created": _AT}, {"year": '"19"'},
            'columns: {created: string, year: {type: string, sql: "substring(created, 3, 2)"}}'),
        row("`at: epoch_seconds_to_iso8601(created)`", {"id": 1, "created": 1557933565},
            {"id": "1", "at": "2019-05-15T15:19:25Z"}, _INSTANT.format("epoch_s")),
        row("the same, with a fraction or a number as text", {"id": 1, "created": "1557933565.25"},
            {"id": "1", "at": _AT_SHOWN}, _INSTANT.format("[epoch_s, text]")),
        row("`at: epoch_millis_to_iso8601(created)`", {"id": 1, "created": _STAMP},
            {"id": "1", "at": _AT_SHOWN}, _INSTANT.format("epoch_ms")),
        row("`at: epoch_micros_to_iso8601(created)`", {"id": 1, "created": _STAMP * 1000},
            {"id": "1", "at": _AT_SHOWN}, _INSTANT.format("epoch_us")),
        row("`at: epoch_millis_to_micro(created)`", {"id": 1, "created": -1},
            {"id": "1", "at": "1969-12-31T23:59:59.999000Z"}, _INSTANT.format("epoch_ms")),
        row("`p: kafka.partition`, `o: kafka.offset`, `t: kafka.topic`, `at: kafka.timestamp`, "
            "`kind: kafka.timestamp_type`", _STAMPED,
            {"id": "1", "p": "3", "o": "42", "at": _AT_SHOWN, "kind": '"CreateTime"', "t": '"orders"'},
            _METADATA, "columns: {id: long}"),
        row("coercion of a value to a string", '{"id": 1, "note": {"a": [1.50]}}',
            {"id": "1", "note": '"{\\"a\\": [1.50]}"'}, "columns: {id: long, note: {type: string, cast: stringify}}"),
        row("the same, of null: it becomes the text `null`", {"id": 1, "note": None},
            {"id": "1", "note": "null"}, "columns: {id: long, note: {type: string, cast: stringify}}"),
        row("coercion of text to a timestamp", {"id": 1, "at": "2019-05-15T17:19:25.250+02:00"},
            {"id": "1", "at": _AT_SHOWN}, "columns: {id: long, at: timestamptz}"),
        dead("the same, of text that is none: it stays as it is", {"id": 1, "at": "soon"},
             "text that is no timestamptz", "columns: {id: long, at: timestamptz}"),
        row("`--decompress_gzip`", Record(gzip.compress(b'{"id": 1}'), '`{"id": 1}`, compressed by gzip'),
            {"id": "1"}, "value: {decompress: gzip}", "columns: {id: long}"),
        Words("`--dlq_transform`", "not needed: [dead letters](json.md#dead-letters) have topic, offset, time and reason"),
    ),
)  # fmt: skip

_CHANGE = {"before": None, "after": {"id": 1, "name": "ann"}, "op": "c", "ts_ms": _STAMP}
_DMS = {"data": {"id": 1, "name": "ann"}, "metadata": {"operation": "insert", "record-type": "data"}}
ICEBERG_SINK = Tool(
    "Apache Iceberg sink",
    "Transforms of the Iceberg sink for Kafka Connect ([apache/iceberg](https://github.com/apache/iceberg) at commit "
    "`7f879b1`), and its routing by a field",
    (
        row("`CopyValue`", {"id": 1}, {"id": "1", "copy": "1"}, "columns: {id: long, copy: {type: long, field: id}}"),
        row("`KafkaMetadataTransform`", _STAMPED,
            {"id": "1", "p": "3", "o": "42", "at": _AT_SHOWN, "t": '"orders"'},
            "metadata_columns: {partition: p, offset: o, topic: t, timestamp: at}", "columns: {id: long}"),
        row("`KafkaMetadataTransform` with `external_field: cluster,eu`", {"id": 1},
            {"id": "1", "cluster": '"eu"'}, "columns: {id: long, cluster: {type: string, constant: eu}}"),
        Words("`KafkaMetadataTransform` with `nested: true`", "not needed: each is a column of its own"),
        row("`JsonToMapTransform`", {"id": 1, "labels": {"a": "x"}}, {"id": "1", "labels": '{"a": "x"}'},
            'columns: {id: long, labels: "map<string, string>"}'),
        row("`JsonToMapTransform` with `json.root: true`", {"id": 1, "labels": {}},
            {"payload": '"{\\"id\\": 1, \\"labels\\": {}}"'},
            "columns: {payload: {type: json, field: $}}", _IGNORE),
        row("the same of a text within the record", {"id": 1, "labels": '{"a": "x"}'},
            {"id": "1", "labels": '{"a": "x"}'},
            "parse_json: [labels]", 'columns: {id: long, labels: "map<string, string>"}'),
        row("`DebeziumTransform`, the new state", _CHANGE,
            {"id": "1", "name": '"ann"', "op": '"c"', "ts": _AT_SHOWN},
            "columns: {id: {type: long, field: after.id}, name: {type: string, field: after.name}, "
            "op: string, ts: {type: timestamptz, field: ts_ms, cast: epoch_ms}}", _IGNORE),
        row("`DmsTransform`, the new state", _DMS, {"id": "1", "name": '"ann"', "op": '"insert"'},
            "columns: {id: {type: long, field: data.id}, name: {type: string, field: data.name}, "
            "op: {type: string, field: metadata.operation}}", _IGNORE),
        row("`MongoDebeziumTransform`, the new state", {"after": '{"_id": {"$oid": "5f"}, "n": 7}', "op": "c"},
            {"id": '"5f"', "n": "7"},
            "parse_json: [after]", "columns: {id: {type: string, field: after._id.$oid}, n: {type: long, field: after.n}}",
            _IGNORE),
        Words("the same three, deletes and updates", "*not yet*: keyed tables"),
        sql("`iceberg.tables.route-field: kind` with `iceberg.table.NAME.route-regex: order`",
            {"id": 1, "kind": "order"}, {"id": "1", "kind": '"order"'},
            "columns: {id: long, kind: string}", "where: \"kind = 'order'\""),
        sql("the same, of a record for another table", {"id": 1, "kind": "visit"}, None,
            "columns: {id: long, kind: string}", "where: \"kind = 'order'\""),
        Words("`iceberg.tables.dynamic-enabled`", "[`route`](routing.md), by the same field for all tables"),
    ),
)  # fmt: skip

_TRACED = _of({"id": 1}, headers=[("trace", b"7f"), ("host", b"a")])
_PERSON = {"id": 1, "user": {"name": "ann", "home": {"city": "Bern"}}}
KAFKA_CONNECT = Tool(
    "Kafka Connect",
    "The transforms that Kafka Connect has, by the names of their classes, and its predicates",
    (
        row("`ReplaceField` with `renames: orderId:id`", {"orderId": 1}, {"id": "1"},
            "columns: {id: {type: long, field: orderId}}"),
        row("`ReplaceField` with `include: id`", {"id": 1, "debug": [2]}, {"id": "1"}, "columns: {id: long}", _IGNORE),
        row("`ReplaceField` with `exclude: debug`", {"id": 1, "debug": [2]}, {"id": "1"},
            "columns: {id: long}", "drop_fields: [debug]"),
        dead("the same, of a record with another field", {"id": 1, "more": 2}, "unknown field",
             "columns: {id: long}", "drop_fields: [debug]", "new_fields: dead_letter"),
        row("`Flatten` with `delimiter: _`", _PERSON, {"id": "1", "user_name": '"ann"', "user_home_city": '"Bern"'},
            'flatten: {separator: "_"}', "columns: {id: long, user_name: string, user_home_city: string}"),
        row("`ExtractField` with `field: after`", {"after": {"id": 1}}, {"id": "1"},
            "columns: {id: {type: long, field: after.id}}"),
        row("`HoistField` with `field: line`", {"id": 1}, {"line": '"{\\"id\\": 1}"'},
            "columns: {line: {type: json, field: $}}", _IGNORE),
        row("`InsertField` with `static.field: region`, `static.value: eu-1`", {"id": 1},
            {"id": "1", "region": '"eu-1"'}, "columns: {id: long, region: {type: string, constant: eu-1}}"),
        row("`InsertField` with `topic.field`, `partition.field`, `offset.field`, `timestamp.field`", _STAMPED,
            {"id": "1", "p": "3", "o": "42", "at": _AT_SHOWN, "t": '"orders"'},
            "metadata_columns: {partition: p, offset: o, topic: t, timestamp: at}", "columns: {id: long}"),
        row("`InsertHeader`", {"id": 1}, {"id": "1", "source": '"shop"'},
            "columns: {id: long, source: {type: string, constant: shop}}"),
        row("`DropHeaders` with `headers: host`", _TRACED, {"id": "1", "trace": '"7f"'},
            "metadata_columns: {partition: false, offset: false, timestamp: false, header: {trace: trace}}",
            "columns: {id: long}"),
        Words("`HeaderFrom`", "not needed: [headers](json.md#columns-that-are-not-in-the-json) and fields can be columns"),
        Words("`ValueToKey`", "not needed: a column takes any field"),
        row("`MaskField` with `replacement: ***`", {"id": 1, "name": "ann"}, {"id": "1", "name": '"***"'},
            'columns: {id: long, name: {type: string, mask: {redact: "***"}}}'),
        row("`MaskField` of a number", {"id": 1, "salary": 5000}, {"id": "1", "salary": "0"},
            "columns: {id: long, salary: {type: long, constant: 0}}", "drop_fields: [salary]"),
        row("`Cast` with `spec: id:string,amount:float64,paid:boolean`", {"id": 7, "amount": "2.5", "paid": "true"},
            {"id": '"7"', "amount": "2.5", "paid": "true"},
            "columns: {id: {type: string, cast: stringify}, amount: {type: double, cast: text}, "
            "paid: {type: boolean, cast: text}}"),
        row("`Cast` of a fraction to an integer, which it cuts off: here it is rounded", {"n": 2.7}, {"n": "3"},
            "columns: {n: {type: long, cast: round}}"),
        dead("the same, if no fraction may be lost", {"n": 2.7}, "not an integer", "columns: {n: long}"),
        row("`TimestampConverter` with `target.type: Timestamp`", {"at": _STAMP}, {"at": _AT_SHOWN},
            "columns: {at: {type: timestamptz, cast: epoch_ms}}"),
        row("`TimestampConverter` with `format: dd/MM/yyyy HH:mm`", {"at": "15/05/2019 15:19"},
            {"at": "2019-05-15T15:19:00Z"},
            'columns: {at: {type: timestamptz, zone: UTC, cast: "pattern:dd/MM/yyyy HH:mm"}}'),
        row("`TimestampConverter` with `target.type: Date`", {"at": _STAMP}, {"at": "2019-05-15"},
            "columns: {at: {type: date, cast: [epoch_ms, truncate_time]}}"),
        sql("`TimestampConverter` with `target.type: string`", {"at": _AT}, {"day": '"15.05.2019"'},
            'columns: {at: timestamptz, day: {type: string, sql: "date_format(at, \'dd.MM.yyyy\')"}}'),
        Words("`SetSchemaMetadata`", "not needed: the table has the schema"),
        row("`TimestampRouter`, a table for each day: one table, whose partitions are days",
            {"at": _AT}, {"at": _AT_SHOWN}, "columns: {at: timestamptz}", "partition_by: [day(at)]"),
        row("`RegexRouter`, several topics into one table", _of({"id": 1}, topic="orders-eu"), {"id": "1"},
            'source: {topics_regex: "orders-.*"}', "columns: {id: long}"),
        Transform("`Filter` with `RecordIsTombstone`", Record(None, "no value"), None,
                  ("value: {tombstones: skip}", "columns: {id: long}"), FILTERED),
        row("`Filter` with `TopicNameMatches`", _of({"id": 1}, topic="orders-eu"), {"id": "1"},
            "topics: [orders-eu]", "columns: {id: long}"),
        sql("`Filter` with `HasHeaderKey`", _TRACED, None,
            "metadata_columns: {partition: false, offset: false, timestamp: false, header: {trace: trace}}",
            "columns: {id: long}", 'where: "trace IS NULL"'),
    ),
)  # fmt: skip
TOOLS = (KAFKA_DELTA_INGEST, ICEBERG_SINK, KAFKA_CONNECT)
TRANSFORMS = [t for tool in TOOLS for t in tool.transforms if isinstance(t, Transform)]
RUN = [t for t in TRANSFORMS if not t.needs_spark]
WITH_SQL = [t for t in TRANSFORMS if t.needs_spark]
