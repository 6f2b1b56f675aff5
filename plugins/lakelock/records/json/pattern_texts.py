"""Texts by a pattern, as ISO 8601."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from lakelock.records.time_patterns import TimePattern


def iso_texts(pattern: TimePattern, texts: pa.Array, date: bool, time: bool) -> pa.Array:
    """As ISO 8601 text with the date, the time of day, or both; null where the pattern does not match."""
    found = pc.extract_regex(texts, pattern.regex)
    part = {name: pc.struct_field(found, name) for name in pattern.fields}
    pieces: list[pa.Array | str] = []
    if date:
        pieces += [part["year"], "-", _two(part["month"]), "-", _two(part["day"])]
    if time:
        pieces += ["T"] if date else []
        pieces += [_two(part["hour"]), ":", part.get("minute", "00"), ":", part.get("second", "00")]
        if "fraction" in part:
            pieces += [".", part["fraction"]]
        if "offset" in part and date:
            pieces.append(_with_colon(part["offset"]))
    return pc.binary_join_element_wise(*[_large(piece) for piece in (*pieces, "")])


def _large(piece: pa.Array | str) -> pa.Array | pa.Scalar:
    return pa.scalar(piece, pa.large_string()) if isinstance(piece, str) else piece


def _two(digits: pa.Array) -> pa.Array:
    return pc.utf8_lpad(digits, 2, "0")


def _with_colon(offset: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(offset, r"^([+-]\d{2})(\d{2})$", r"\1:\2")
