"""Which types of columns can be ids, and the one type in which those of both ends are compared."""

from __future__ import annotations

import pyarrow as pa

from skerry.errors import InputError

__all__ = ["common_type", "is_number"]


def is_number(kind: pa.DataType) -> bool:
    """Whether a column of this type can hold weights."""
    return bool(
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    )


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type of the values, without a dictionary or an extension around it."""
    while True:
        if pa.types.is_dictionary(kind):
            kind = kind.value_type
        elif isinstance(kind, pa.BaseExtensionType):
            kind = kind.storage_type
        else:
            return kind


def _is_text(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def _is_binary(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind)
    )


def common_type(
    file: str, one_name: str, one: pa.DataType, other_name: str, other: pa.DataType
) -> pa.DataType:
    """The type in which the ids of both ends can be compared."""
    for name, kind in ((one_name, one), (other_name, other)):
        plain = _plain(kind)
        if pa.types.is_floating(plain):
            raise InputError(
                f"{file}: column {name} is {kind}: ids cannot be floating-point numbers; store "
                "them as integers (a missing id makes pandas turn them into floats: drop such rows)"
            )
        if pa.types.is_nested(plain):
            raise InputError(
                f"{file}: column {name} is {kind}: ids are single values; an id made of several "
                'columns is source=("a", "b"), target=("c", "d")'
            )
    one, other = _plain(one), _plain(other)
    if one.equals(other):
        return one
    if pa.types.is_null(one) or pa.types.is_null(other):
        return other if pa.types.is_null(one) else one
    if pa.types.is_integer(one) and pa.types.is_integer(other):
        return _common_integer(one, other)
    for same, wide in ((_is_text, pa.large_string()), (_is_binary, pa.large_binary())):
        if same(one) and same(other):
            return wide
    if pa.types.is_temporal(one) and pa.types.is_temporal(other):
        finest = pa.timestamp("ns", getattr(one, "tz", None) or getattr(other, "tz", None))
        if pa.types.is_timestamp(one) and pa.types.is_timestamp(other):
            return finest
    raise InputError(
        f"{file}: column {one_name} is {one} and column {other_name} {other}: the ids of both ends "
        "must be of one kind"
    )


def _common_integer(one: pa.DataType, other: pa.DataType) -> pa.DataType:
    signed = [kind for kind in (one, other) if pa.types.is_signed_integer(kind)]
    width = max(one.bit_width, other.bit_width)
    if len(signed) == 1:  # then the signed one is widened, or must do without its sign
        unsigned = other if signed[0] is one else one
        if unsigned.bit_width == 64:
            return pa.uint64()
        return getattr(pa, f"int{max(2 * unsigned.bit_width, signed[0].bit_width)}")()
    return getattr(pa, f"{'int' if signed else 'uint'}{width}")()
