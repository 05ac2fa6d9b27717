"""Which Arrow types can be ids, and the common type in which the ids of both ends are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skerry.errors import InputError
from skerry.graph.arrow import check_meaning, plain_type
from skerry.ids import exact_types
from skerry.optional import require_arrow

if TYPE_CHECKING:
    import pyarrow as pa


PURPOSE = "reading tables"


def is_number(kind: pa.DataType) -> bool:
    """Whether a column of this type can hold weights; a column of nulls has no other type."""
    types = require_arrow(PURPOSE, "pyarrow.types")
    tests = (types.is_integer, types.is_floating, types.is_decimal, types.is_null)
    return any(is_kind(kind) for is_kind in tests)


def is_text(kind: pa.DataType) -> bool:
    """Whether a column of this plain type holds texts."""
    types = require_arrow(PURPOSE, "pyarrow.types")
    return bool(types.is_string(kind) or types.is_large_string(kind))


def _is_binary(kind: pa.DataType) -> bool:
    types = require_arrow(PURPOSE, "pyarrow.types")
    return bool(types.is_binary(kind) or types.is_large_binary(kind))


def kind_of(kind: pa.DataType | str) -> str:
    """What ids of a type can be compared with: all of its kind, in whatever width they are stored.

    Types of delimited text are given by name.
    """
    if isinstance(kind, str):
        return {"int64": "integer", "uint64": "integer", "string": "text"}.get(kind, kind)
    types = require_arrow(PURPOSE, "pyarrow.types")
    plain = plain_type(kind)
    if types.is_integer(plain):
        return "integer"
    if is_text(plain):
        return "text"
    if types.is_decimal(plain):
        return f"decimal of {plain.bit_width} bits and scale {plain.scale}"
    return "binary" if _is_binary(plain) else str(plain)


def common_type(
    file: str, source_name: str, source: pa.DataType, target_name: str, target: pa.DataType
) -> pa.DataType:
    """The type in which the ids of a source column and a target column can be compared."""
    pa = require_arrow(PURPOSE)
    for name, kind in ((source_name, source), (target_name, target)):
        check_meaning(f"{file}: column {name}", kind)
        plain = plain_type(kind)
        if pa.types.is_floating(plain):
            raise InputError(
                f"{file}: column {name} is {kind}: ids cannot be floating-point numbers; store "
                "them as integers (a missing id makes pandas turn them into floats: use its "
                "type Int64, or drop such rows)"
            )
        if pa.types.is_nested(plain):
            raise InputError(
                f"{file}: column {name} is {kind}: ids are single values; an id made of several "
                'columns is source=("a", "b"), target=("c", "d")'
            )
    source, target = plain_type(source), plain_type(target)
    if source.equals(target):
        return source
    if pa.types.is_null(source) or pa.types.is_null(target):
        return target if pa.types.is_null(source) else source
    if pa.types.is_integer(source) and pa.types.is_integer(target):
        return _common_integer(source, target)
    common = exact_types.common_type(source, target)
    if common is not None:
        return common
    raise InputError(
        f"{file}: column {source_name} is {source} and column {target_name} {target}: the ids of "
        "both ends must be of one kind"
    )


def _common_integer(source: pa.DataType, target: pa.DataType) -> pa.DataType:
    pa = require_arrow(PURPOSE)
    signed = [kind for kind in (source, target) if pa.types.is_signed_integer(kind)]
    width = max(source.bit_width, target.bit_width)
    if len(signed) == 1:  # then the signed type is widened, or loses its sign
        unsigned = target if signed[0] is source else source
        if unsigned.bit_width == 64:
            return pa.uint64()
        return getattr(pa, f"int{max(2 * unsigned.bit_width, signed[0].bit_width)}")()
    return getattr(pa, f"{'int' if signed else 'uint'}{width}")()
