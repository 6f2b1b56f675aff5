"""Required fields inside null structs: Iceberg allows them to be null, Arrow's Parquet writer refuses them."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc


def may_hide(kind: pa.DataType) -> bool:
    """Whether a column of this type has a struct with a required field, at any depth."""
    if pa.types.is_struct(kind):
        return any(not f.nullable or may_hide(f.type) for f in kind)
    if pa.types.is_map(kind):
        return may_hide(kind.key_type) or may_hide(kind.item_type)
    return pa.types.is_list(kind) and may_hide(kind.value_type)


def without_hidden(array: pa.Array) -> pa.Array:
    """Give a value to each required field that is null only because its struct is; readers never see that value."""
    if not may_hide(array.type):
        return array
    if array.offset:
        # A slice's children are those of the whole array.
        array = pa.concat_arrays([array])
    nulls = array.is_null() if array.null_count else None
    if pa.types.is_struct(array.type):
        children = [_with_a_value(f, without_hidden(array.field(n)), array) for n, f in enumerate(array.type)]
        return pa.StructArray.from_arrays(children, fields=list(array.type), mask=nulls)
    if pa.types.is_map(array.type):
        keys, items = without_hidden(array.keys), without_hidden(array.items)
        return pa.MapArray.from_arrays(array.offsets, keys, items, type=array.type, mask=nulls)
    return pa.ListArray.from_arrays(array.offsets, without_hidden(array.values), type=array.type, mask=nulls)


def _with_a_value(field: pa.Field, child: pa.Array, struct: pa.StructArray) -> pa.Array:
    """*child* without nulls if they are all due to null structs; any other null is left for the writer to refuse."""
    if field.nullable or not child.null_count or pc.any(pc.and_(child.is_null(), struct.is_valid())).as_py():
        return child
    return _all_valid(child)


def _all_valid(array: pa.Array) -> pa.Array:
    """Turn nulls into the values stored beneath them."""
    kind = array.type
    if isinstance(array, pa.ExtensionArray):
        return pa.ExtensionArray.from_storage(kind, _all_valid(array.storage))
    if pa.types.is_struct(kind):
        return pa.StructArray.from_arrays([array.field(n) for n in range(kind.num_fields)], fields=list(kind))
    if pa.types.is_map(kind):
        return pa.MapArray.from_arrays(array.offsets, array.keys, array.items, type=kind)
    if pa.types.is_list(kind):
        return pa.ListArray.from_arrays(array.offsets, array.values, type=kind)
    return pa.Array.from_buffers(kind, len(array), [None, *array.buffers()[1:]], 0, array.offset)
