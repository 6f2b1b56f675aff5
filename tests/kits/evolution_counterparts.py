"""Cases of other tools' tests of schema changes, with records of our own and the changes that lakelock makes for them.

The entries of `conversions.evolution_peers` have their names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lakelock.model.column_types import Column, ColumnType, ListOf, Struct
from lakelock.model.type_notation import parse_type


@dataclass(frozen=True, slots=True)
class Asked:
    """Records for a table of *columns* by type (`!`: required), and the *changes* for all of them at once.

    *declared* are types that the file gives new columns, *schema* those that the records' own schema gives.
    """

    columns: dict[str, str | ColumnType]
    records: Sequence[dict[str, Any]]
    changes: Sequence[str]
    declared: dict[str, str] = field(default_factory=dict)
    schema: dict[str, str] = field(default_factory=dict)
    ignores_case: bool = False


def _required(**types: str) -> Struct:
    return Struct(tuple(Column(name, parse_type(kind), True) for name, kind in types.items()))


ID: dict[str, str | ColumnType] = {"id": "long"}
AT = "2031-05-06T07:08:09Z"
ALL: dict[str, Any] = {"i": 7, "do": 0.5, "s": "x", "b": True, "tsz": AT, "li": ["x"], "ma": {"k": "x"}, "null": None}
ALL_NEW = ("i: new, long", "do: new, double", "s: new, string", "b: new, boolean", "tsz: new, timestamptz",
           "li: new, list<string>", "ma: new, struct<`k`: string>")  # fmt: skip
ALL_FIELDS = "`i`: long, `do`: double, `s`: string, `b`: boolean, `tsz`: timestamptz, `li`: list<string>, `ma`: struct<`k`: string>"
# What a schema gives, and JSON does not have.
TYPES = {"i": "int", "fl": "float", "dec": "decimal(9, 2)", "u": "uuid", "d": "date"}
TYPED = {"i": 7, "fl": 0.5, "dec": "Aw==", "u": "0f1e2d3c-0000-4000-8000-000000000001", "d": 19}
TYPED_NEW = tuple(f"{name}: new, {kind}" for name, kind in TYPES.items())
TYPED_FIELDS = ", ".join(f"`{name}`: {kind}" for name, kind in TYPES.items())
TYPED_STRUCT = f"struct<{TYPED_FIELDS}>"


def _nested(kind: str, levels: int) -> str:
    return kind if levels == 0 else _nested(f"list<{kind}>", levels - 1)


def _deep(value: Any, levels: int) -> Any:
    return value if levels == 0 else [_deep(value, levels - 1)]


KAFKA_CONNECT: dict[str, Asked] = {
    "testMissingColumnDetectionMap": Asked(ID, [ALL], ALL_NEW),
    "testMissingColumnDetectionMapNested": Asked(ID, [{"st": ALL}], [f"st: new, struct<{ALL_FIELDS}>"]),
    "testMissingColumnDetectionMapListValue": Asked(
        {"stli": "list<struct<a: long>>"}, [{"stli": [{"st": ALL}, {"st": ALL}]}], [f"stli.element.st: new, struct<{ALL_FIELDS}>"]
    ),
    "testMissingColumnDetectionStruct": Asked(ID, [TYPED], TYPED_NEW, schema=TYPES),
    "testMissingColumnDetectionStructNested": Asked(
        ID, [{"st": TYPED}], [f"st: new, {TYPED_STRUCT}"], schema={"st": TYPED_STRUCT}
    ),
    "testMissingColumnDetectionStructListValue": Asked(
        {"stli": "list<struct<a: long>>"}, [{"stli": [{"st": TYPED}]}], [f"stli.element.st: new, {TYPED_STRUCT}"],
        schema={"stli": f"list<struct<st: {TYPED_STRUCT}>>"},
    ),
    "testMissingColumnDetectionStructMapValue": Asked(
        {"stma": "map<string, struct<a: long>>"}, [{"stma": {"k": {"st": TYPED}, "l": {"st": TYPED}}}],
        [f"stma.value.st: new, {TYPED_STRUCT}"], schema={"stma": f"map<string, struct<st: {TYPED_STRUCT}>>"},
    ),
    "testNestedSchemaEvolutionStructWithNullValue": Asked({"o": "struct<a: int>"}, [{"o": None}], []),
    "testNoSchemaEvolutionStructWithNullValue": Asked({"o": "struct<a: int>"}, [{"o": None}], []),
    "testNestedSchemaEvolutionListOfStructsWithNullValue": Asked(
        {"l": "list<struct<p: int, d: struct<n: string>>>"}, [{"l": [{"p": 1, "d": None}]}, {"l": [{"d": {"price": 2.5}}]}],
        ["l.element.d.price: new, double"],
    ),
    "testNestedSchemaEvolutionMapOfStructsWithNullValue": Asked(
        {"m": "map<string, struct<d: struct<n: string>>>"}, [{"m": {"k": {"d": None}}}, {"m": {"k": {"d": {"v": "x"}}}}],
        ["m.value.d.v: new, string"],
    ),
    "testNestedSchemaEvolutionStructInStructWithNullParent": Asked(
        {"c": "struct<d: struct<n: string>>"}, [{"c": None}, {"c": {"d": {"email": "x"}}}], ["c.d.email: new, string"]
    ),
    "testNestedSchemaEvolutionTypePromotionWithNullValue": Asked(
        {"o": "struct<a: int, b: float>"}, [{"o": None}, {"o": {"a": 2**40, "b": 1e300}}], ["o.a: long now", "o.b: double now"]
    ),
    "testNestedSchemaEvolutionMakeOptionalWithNullValue": Asked(
        {"o": _required(a="int", b="string")}, [{"o": None}, {"o": {"a": None}}],
        ["o.a: optional now", "o.b: optional now"],
    ),
    "testSchemaEvolutionForFieldAndNestedFieldsAcrossTwoRecords": Asked(
        {"o": "struct<x: int>!"}, [{"o": None}, {"o": {"x": 1, "y": "a"}}], ["o.y: new, string", "o: optional now"]
    ),
    "testNoNestedSchemaEvolutionMapKeyWithNullValue": Asked({"m": "map<string, string>"}, [{"m": None}, {"m": {"k": "x"}}], []),
    "testEvolveTypeDetectionStruct": Asked(
        {"ii": "int", "ff": "float", "small": "int"}, [{"ii": 2**40, "ff": 16777217, "small": 1}], ["ii: long now", "ff: double now"]
    ),
    "testEvolveTypeDetectionStructNested": Asked(
        {"st": "struct<ii: int, ff: float>"}, [{"st": {"ii": 2**40, "ff": 16777217}}], ["st.ii: long now", "st.ff: double now"]
    ),
    "testApplySchemaUpdates": Asked(
        {"i": "int!", "f": "float"}, [{"i": None, "f": 1e300, "s": "x"}], ["f: double now", "s: new, string", "i: optional now"]
    ),
    "testApplyNestedSchemaUpdates": Asked(
        {"st": Struct((*_required(i="int").fields, Column("f", parse_type("float"))))}, [{"st": {"f": 1e300, "s": "x"}}],
        ["st.f: double now", "st.s: new, string", "st.i: optional now"],
    ),
    "testApplySchemaUpdatesNoUpdates": Asked({"i": "int", "f": "float"}, [{"i": 1, "f": 0.5}], []),
    "testNeedsDataTypeUpdate": Asked(
        {"f": "float", "i": "int", "j": "int", "g": "float", "s": "string"},
        [{"f": 1e300, "i": 2**40, "j": "x", "g": "x", "s": 1}], ["f: double now", "i: long now"],
    ),
    "testToIcebergType": Asked(ID, [TYPED], TYPED_NEW, schema=TYPES),
    "testInferIcebergType": Asked(ID, [ALL], ALL_NEW),
    "testInferIcebergTypeEmpty": Asked(
        ID, [{"a": None, "b": [], "c": [None], "d": [{}], "e": {}, "f": {"g": None}, "h": {"i": {"j": None}}}], []
    ),
    "testAddColumn": Asked(ID, [{"x": "a"}], ["x: new, string"]),
    "testUpdateType": Asked({"n": "int"}, [{"n": 2**40}], ["n: long now"]),
    "testMakeOptional": Asked({"n": "int!"}, [{"n": None}], ["n: optional now"]),
    "testEvolveAddsFractionalDecimalColumn": Asked(
        ID, [{"amount": 0.001}], ["amount: new, decimal(9, 3)"], declared={"amount": "decimal(9, 3)"}
    ),
    "testEvolveAddsExponentialDecimalColumn": Asked(ID, [{"amount": 1e2}], ["amount: new, double"]),
}  # fmt: skip

_SIX = "struct<`struct4`: struct<`struct5`: struct<`struct6`: struct<`a`: string>>>>"
FLINK: dict[str, Asked] = {
    "testAddTopLevelPrimitives": Asked(ID, [TYPED, {"s": "x", "b": True}], (*TYPED_NEW, "s: new, string", "b: new, boolean"), declared=TYPES),
    "testMakeTopLevelPrimitivesOptional": Asked({"a": "long!", "b": "string!"}, [{}], ["a: optional now", "b: optional now"]),
    "testPreserveUnusedColumns": Asked({"a": "string", "b": "struct<c: string, d: string>", "e": "int"}, [{"a": "x"}], []),
    "testIdentifyFieldsByName": Asked({"a": "long", "b": "string"}, [{"b": "x", "a": 1}], []),
    "testAddTopLevelListOfPrimitives": Asked(ID, [{"l": [1]}, {"l": [0.5]}], ["l: new, list<double>"]),
    "testMakeTopLevelListOfPrimitivesOptional": Asked({"l": ListOf(parse_type("long"), True)}, [{}, {"l": [1]}], []),
    "testAddTopLevelMapOfPrimitives": Asked(
        ID, [{"m": {"k": 1}}], ["m: new, map<string, long>"], declared={"m": "map<string, long>"}
    ),
    "testAddTopLevelStructOfPrimitives": Asked(ID, [{"s": ALL}], [f"s: new, struct<{ALL_FIELDS}>"]),
    "testAddNestedPrimitive": Asked({"s": "struct<a: long>"}, [{"s": {"b": 0.5}}], ["s.b: new, double"]),
    "testMakeNestedPrimitiveOptional": Asked({"s": _required(a="long")}, [{"s": {}}], ["s.a: optional now"]),
    "testAddNestedPrimitives": Asked(
        {"s": "struct<a: long>"}, [{"s": {"b": 0.5, "c": True, "d": "x"}}],
        ["s.b: new, double", "s.c: new, boolean", "s.d: new, string"],
    ),
    "testAddNestedLists": Asked(ID, [{"l": _deep(0.5, 9)}], [f"l: new, {_nested('double', 9)}"]),
    "testAddNestedStruct": Asked(
        {"struct1": "struct<struct2: struct<a: long>>"},
        [{"struct1": {"struct2": {"struct3": {"struct4": {"struct5": {"struct6": {"a": "x"}}}}}}}],
        [f"struct1.struct2.struct3: new, {_SIX}"],
    ),
    "testAddNestedMaps": Asked(
        ID, [{"m": {"k": {"k": {"k": "x"}}}}], ["m: new, map<string, map<string, map<string, string>>>"],
        declared={"m": "map<string, map<string, map<string, string>>>"},
    ),
    "testDetectInvalidTopLevelList": Asked({"l": "list<string>"}, [{"l": [1]}], []),
    "testDetectInvalidTopLevelMapValue": Asked({"m": "map<string, string>"}, [{"m": {"k": 1}}], []),
    "testTypePromoteIntegerToLong": Asked({"a": "int!"}, [{"a": 2**31}], ["a: long now"]),
    "testTypePromoteFloatToDouble": Asked({"a": "float!"}, [{"a": 16777217}], ["a: double now"]),
    "testTypeNarrowDoubleToFloatIsLeftToConversion": Asked({"a": "double!"}, [{"a": 0.5}], []),
    "testAddColumnWithResidualNarrowingDoesNotFail": Asked({"a": "long!"}, [{"a": 1, "age": 2}], ["age: new, long"]),
    "testTypePromoteDecimalToFixedScaleWithWiderPrecision": Asked(
        {"a": "decimal(4, 1)!"}, [{"a": 12345.5}], ["a: decimal(6, 1) now"]
    ),
    "testAddPrimitiveToNestedStruct": Asked(
        {"a": "struct<b: struct<l: list<struct<n: int>>>>!"}, [{"a": {"b": {"l": [{"n": 2**40, "t": "x"}]}}}],
        ["a.b.l.element.n: long now", "a.b.l.element.t: new, string"],
    ),
    "testReplaceListWithPrimitive": Asked({"a": "list<string>"}, [{"a": "x"}], []),
    "addNewTopLevelStruct": Asked(
        {"m": "map<string, list<struct<a: string>>>"}, [{"m": {"k": [{"a": "x"}]}, "s": {"d": {"e": "x"}}}],
        ["s: new, struct<`d`: struct<`e`: string>>"],
    ),
    "testAppendNestedStruct": Asked(
        {"s1": "struct<s2: struct<s3: struct<s4: string>>>!"}, [{"s1": {"s2": {"repeat": {"s1": {"s2": {"s3": {"s4": "x"}}}}}}}],
        ["s1.s2.repeat: new, struct<`s1`: struct<`s2`: struct<`s3`: struct<`s4`: string>>>>"],
    ),
    "testMakeNestedStructOptional": Asked(
        {"s1": Struct((Column("s2", Struct((Column("a", parse_type("string")), *_required(repeat="struct<b: string>").fields))),))}, [{"s1": {"s2": {"a": "x"}}}],
        ["s1.s2.repeat: optional now"],
    ),
    "testCaseInsensitiveAddField": Asked(
        {"id": "int", "name": "string"}, [{"ID": 1, "NAME": "x", "AGE": 2}], ["AGE: new, long"], ignores_case=True
    ),
    "testCaseInsensitiveMakeFieldOptional": Asked(
        {"id": "int!", "name": "string"}, [{"NAME": "x"}, {"ID": 1}], ["id: optional now"], ignores_case=True
    ),
    "testCaseInsensitiveNestedStructField": Asked(
        {"s": "struct<a: string>"}, [{"S": {"A": "x", "B": 1}}], ["s.B: new, long"], ignores_case=True
    ),
    "testCaseInsensitiveFieldMatching": Asked({"id": "int", "data": "string"}, [{"ID": 1, "Data": "x"}], [], ignores_case=True),
    "testCaseInsensitiveNestedStruct": Asked({"s": "struct<a: int>"}, [{"S": {"A": 1}}], [], ignores_case=True),
    "testCaseInsensitiveWithMoreColumns": Asked(
        {"id": "int", "data": "string", "extra": "string"}, [{"ID": 1, "DATA": "x"}], [], ignores_case=True
    ),
    "testDifferentType": Asked({"id": "int", "extra": "string"}, [{"id": 2**40, "extra": "x"}], ["id: long now"]),
    "testCompatibleType": Asked({"id": "long", "extra": "string"}, [{"id": 1, "extra": "x"}], []),
    "testRequiredChangeForMatchingField": Asked({"id": "int!", "extra": "string"}, [{"id": None}], ["id: optional now"]),
    "testRequiredChangeForNonMatchingField": Asked({"id": "int", "extra": "string!"}, [{"id": 1}], ["extra: optional now"]),
    "testNoRequiredChangeForNonMatchingField": Asked({"id": "int", "extra": "string"}, [{"id": 1}], []),
    "testStructChanged": Asked({"s": "struct<extra: int>"}, [{"s": {"extra": 2**40}}], ["s.extra: long now"]),
    "testListChanged": Asked({"l": "list<int>"}, [{"l": [2**40]}], ["l.element: long now"]),
    "testSchemaDifferent": Asked({"id": "int", "data": "string"}, [{"id": 1, "data": "x", "extra": "x"}], ["extra: new, string"]),
    "testSchemaWithMoreColumns": Asked({"id": "int", "data": "string", "extra": "string"}, [{"id": 1, "data": "x"}], []),
    "testSchemaEvolutionAddField": Asked({"id": "int", "data": "string"}, [{"id": 1, "data": "x", "extra": "x"}], ["extra: new, string"]),
    "testSchemaEvolutionFieldOrderChanges": Asked({"id": "int", "data": "string"}, [{"id": 1, "extra": "x", "data": "x"}], ["extra: new, string"]),
    "testRowEvolutionNullMissingOptionalField": Asked({"id": "int", "data": "string", "extra": "string"}, [{"id": 1, "data": "x"}], []),
    "testRowEvolutionMakeMissingRequiredFieldOptional": Asked({"id": "int", "data": "string!"}, [{"id": 1}], ["data: optional now"]),
    "testSchemaEvolutionNonBackwardsCompatible": Asked({"id": "int"}, [{"id": "x"}], []),
}  # fmt: skip
