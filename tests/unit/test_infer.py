from __future__ import annotations

import json
from typing import Any

from lakelock.core.infer import infer_schema


def types(*records: Any) -> dict[str, object]:
    inferred = infer_schema([json.dumps(r).encode() for r in records])
    return {str(f["name"]): f["type"] for f in inferred.fields}


def test_kinds_become_the_narrowest_type_that_holds_all_of_them() -> None:
    first = {"i": 1, "d": 1, "b": True, "s": "x", "at": "2026-11-21T04:00:00Z", "day": "2026-11-21", "n": None}
    second = {"i": None, "d": 1.5, "s": "2026-11-21T04:00:00Z", "at": "2026-11-21T04:00:00.5+01:00", "late": [1]}
    assert types(first, second) == {
        "i": "long", "d": "double", "b": "boolean", "s": "string", "at": "timestamptz", "day": "string", "n": "string",
        "late": {"type": "list", "element": "long", "element-required": False},
    }  # fmt: skip


def test_structs_are_merged_over_records() -> None:
    assert types({"st": {"x": 1}}, {"st": {"y": "a"}}) == {
        "st": {
            "type": "struct",
            "fields": [
                {"name": "x", "type": "long", "required": False},
                {"name": "y", "type": "string", "required": False},
            ],
        }
    }


def test_a_zoneless_time_is_never_taken_for_an_instant() -> None:
    assert types({"at": "2026-11-21T04:00:00"}) == {"at": "string"}


def test_conflicts_nulls_and_other_values_are_noted_not_guessed_away() -> None:
    values = [b'{"a":1,"b":null}', b'{"a":2}', b'{"a":"x"}', b"[1]", b"{"]
    inferred = infer_schema(values)
    assert [(f["name"], f["type"]) for f in inferred.fields] == [("a", "long"), ("b", "string")]
    assert inferred.not_objects == 2
    assert any("2 × integer against 1 × text" in n for n in inferred.notes)
    assert any("'b': only nulls" in n for n in inferred.notes)
