"""Masks of personal data: what a column holds instead of a text. Pipeline files are checked by them: no heavy library."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lakelock.model.column_types import Binary, ColumnType, Text
from lakelock.model.type_notation import type_text
from lakelock.records.casts import Reading
from lakelock.records.reasons import NOT_AN_OBJECT, NOT_COMPRESSED, UNREADABLE, Reason

if TYPE_CHECKING:
    import pyarrow as pa

SHA256, HMAC, REDACT = "sha256", "hmac_sha256", "redact"
HASHES = (SHA256, HMAC)
# With a number of characters, as Unicode counts code points.
COUNTS = ("keep_first", "keep_last", "truncate")
KINDS = (*HASHES, REDACT, *COUNTS)
STAR = "*"
# Kinds whose messages quote something of a record that has no field.
_QUOTING = (NOT_AN_OBJECT, NOT_COMPRESSED, UNREADABLE)
# No text has more characters.
_MOST = 1 << 40
# The digest of each value as hexadecimal text, or as bytes in a column of bytes; with a key, its HMAC.
Digest = Callable[["pa.Array", bytes | None], "pa.Array"]


@dataclass(frozen=True, slots=True)
class Mask:
    """*argument* is a text, a number of characters, or the id of the connection that has the key."""

    kind: str
    argument: str | int | None = None

    @property
    def key_id(self) -> str | None:
        return str(self.argument) if self.kind == HMAC else None


def unfit_mask(kind: ColumnType, mask: Mask) -> str | None:
    """Why a column of type *kind* cannot have the mask, as the end of a sentence; None if it can."""
    # Of fixed bytes only some could hold a digest.
    if isinstance(kind, Text) or (kind == Binary() and mask.kind in HASHES):
        return None
    types = "string and binary" if mask.kind in HASHES else "string"
    return f"mask {mask.kind} is for {types}, not for {type_text(kind)}"


def masked(values: pa.Array, mask: Mask, key: bytes | None, digest: Digest) -> pa.Array:
    """*values* of text (or bytes, for a digest) under the mask, of the same type. Null stays null."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if mask.kind in HASHES:
        return digest(values, key)
    if mask.kind == REDACT:
        return pc.if_else(values.is_valid(), pa.scalar(mask.argument, values.type), pa.scalar(None, values.type))
    count = min(int(mask.argument or 0), _MOST)
    if mask.kind == "truncate":
        return pc.utf8_slice_codeunits(values, 0, count)
    hidden = pc.max_element_wise(pc.subtract(pc.utf8_length(values), count), 0, skip_nulls=False)
    stars = pc.binary_repeat(pa.scalar(STAR, values.type), hidden)
    if mask.kind == "keep_first":
        parts = [pc.utf8_slice_codeunits(values, 0, count), stars]
    else:
        shown = pc.utf8_slice_codeunits(values, -count) if count else pc.utf8_slice_codeunits(values, 0, 0)
        parts = [stars, shown]
    return pc.binary_join_element_wise(*parts, pa.scalar("", values.type))


def leaks(
    masks: Mapping[str, Mask],
    readings: Mapping[str, Reading],
    columns: Sequence[str],
    inputs_by_derived: Mapping[str, Sequence[str]] | None = None,
) -> list[str]:
    """Sentences on columns that hold what a mask hides in another: the same field, one around it, or the whole value.

    *inputs_by_derived* has the inputs that the SQL of each derived column uses.
    """
    return [
        *(
            f"column {other!r} holds what mask hides in column {name!r}"
            for name in masks
            for other in dict.fromkeys((*columns, *masks))
            if other not in masks and _shows(name, other, readings)
        ),
        *(
            f"column {derived!r} may show what mask hides in column {name!r}: its SQL uses input {used!r}"
            for name in masks
            for derived, inputs in (inputs_by_derived or {}).items()
            for used in inputs
            if _shows(name, used, readings)
        ),
    ]


def _shows(masked: str, other: str, readings: Mapping[str, Reading]) -> bool:
    """Whether the fields of the second column contain that of the *masked* one."""
    own, of_other = (readings.get(name, Reading((name,))) for name in (masked, other))
    return not own.whole and (of_other.whole or own.path[: len(of_other.path)] == of_other.path)


def discreet(
    reason: Reason, masks: Mapping[str, Mask], readings: Mapping[str, Reading], renamed: Mapping[str, str]
) -> Reason:
    """The reason without the value at fault if it is, or may hold, one that a mask hides.

    Columns that were *renamed* also take fields of their old names.
    """
    of_masks = [readings.get(name, Reading((name,))) for name in masks]
    of_masks += [Reading((old,)) for old, now in renamed.items() if now in masks]
    if reason.field is None:
        # Of such a record, the message quotes a part, which may hold any field.
        may_quote = (masks and reason.kind in _QUOTING) or any(r.whole for r in of_masks)
        return Reason(reason.kind, f"{reason.kind} (a column has a mask)") if may_quote else reason
    for reading in of_masks:
        path = ".".join(reading.path)
        if reading.whole or f"{path}.".startswith(f"{reason.field}.") or f"{reason.field}.".startswith(f"{path}."):
            return Reason(reason.kind, f"field {reason.field!r}: {reason.kind} (its column has a mask)", reason.field)
    return reason
