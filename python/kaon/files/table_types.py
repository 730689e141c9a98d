"""Which columns of the tables of others are read, and as what."""

from __future__ import annotations

from typing import Any

from kaon.files.array_forms import package


def plain_type(type: Any) -> Any:
    """Return what `plain_values` makes of values of a type of Arrow."""
    pyarrow = package("pyarrow")
    if pyarrow.types.is_run_end_encoded(type):
        return plain_type(type.value_type)
    if pyarrow.types.is_decimal(type):
        return pyarrow.float64()
    return pyarrow.large_list(pyarrow.uint8()) if _is_bytes(type) else type


def plain_values(array: Any) -> Any:
    """Return runs as values, decimals as floats, bytes as lists of numbers, others as they are."""
    pyarrow = package("pyarrow")
    if pyarrow.types.is_run_end_encoded(array.type):
        return plain_values(package("pyarrow.compute").run_end_decode(array))
    if pyarrow.types.is_decimal(array.type):
        text = array.cast(pyarrow.string())  # pyarrow's own floats differ from it in the last bit
        return text.cast(pyarrow.float64())
    if not _is_bytes(array.type):
        return array
    array = array.cast(pyarrow.large_binary())
    is_there, offsets, values = array.buffers()
    size = values.size if values else 0
    return pyarrow.Array.from_buffers(
        plain_type(array.type),
        len(array),
        [is_there, offsets],
        offset=array.offset,
        children=[pyarrow.Array.from_buffers(pyarrow.uint8(), size, [None, values])],
    )


def stored_field(field: Any) -> Any | None:
    """Return a field of Arrow as it is stored; None if it is left out.

    Dates, times and durations are numbers, with their unit; floats of 16 bits have 32.
    """
    stored = stored_type(field.type)
    if stored is None or stored == field.type:
        return stored and field
    types = package("pyarrow").types
    unit = "d" if types.is_date32(field.type) else "ms" if types.is_date64(field.type) else ""
    if types.is_temporal(field.type):
        unit = unit or field.type.unit
    metadata = {**(field.metadata or {}), **({b"unit": unit.encode()} if unit else {})}
    return field.with_type(stored).with_metadata(metadata)


def stored_type(type: Any) -> Any | None:
    """Return the type that values of a type of Arrow are stored as; None if they are not."""
    pyarrow = package("pyarrow")
    types = pyarrow.types
    if types.is_float16(type):
        return pyarrow.float32()
    if types.is_temporal(type) and not types.is_interval(type):
        return pyarrow.int32() if type.bit_width == 32 else pyarrow.int64()
    if types.is_dictionary(type):
        return type if _is_text(type.value_type) else stored_type(type.value_type)
    if types.is_struct(type):
        fields = [stored_field(type.field(i)) for i in range(type.num_fields)]
        return pyarrow.struct(fields) if fields and all(fields) else None
    if types.is_map(type):
        pair = stored_field(type.key_field), stored_field(type.item_field)
        return pyarrow.map_(*pair) if all(pair) else None
    if types.is_list(type) or types.is_large_list(type) or types.is_fixed_size_list(type):
        element = stored_field(type.value_field)
        if element is None:
            return None
        if types.is_fixed_size_list(type):
            return pyarrow.list_(element, type.list_size) if type.list_size else None
        return pyarrow.list_(element) if types.is_list(type) else pyarrow.large_list(element)
    is_number = types.is_integer(type) or types.is_floating(type) or types.is_boolean(type)
    return type if is_number or _is_text(type) else None


def has_gaps(array: Any) -> bool:
    """Return whether a value is null for which nothing can stand.

    Lists and strings may be absent, floats NaN; numbers, truth values and structs are there.
    """
    types, type = package("pyarrow").types, array.type
    if types.is_struct(type):
        return array.null_count > 0 or any(has_gaps(inside) for inside in array.flatten())
    if types.is_map(type):
        return has_gaps(array.items)
    if hasattr(type, "value_field"):
        is_fixed = types.is_fixed_size_list(type)
        return (is_fixed and array.null_count > 0) or has_gaps(array.flatten())
    may_lack = types.is_floating(type) or types.is_dictionary(type) or _is_text(type)
    return not may_lack and array.null_count > 0


def _is_bytes(type: Any) -> bool:
    types = package("pyarrow").types
    is_binary = types.is_binary(type) or types.is_large_binary(type)
    return is_binary or types.is_fixed_size_binary(type) or str(type) == "binary_view"


def _is_text(type: Any) -> bool:
    types = package("pyarrow").types
    is_string = types.is_string(type) or types.is_large_string(type)
    return is_string or str(type) == "string_view"  # which older versions do not know
