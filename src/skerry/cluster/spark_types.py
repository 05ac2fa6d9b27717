"""Which columns of a Spark DataFrame may be ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skerry.cluster.id_types import check_id_types
from skerry.cluster.spark_engine import spark_module
from skerry.errors import InputError
from skerry.optional import require_arrow

INTEGERS = frozenset({"tinyint", "smallint", "int", "bigint"})


def check_spark_types(types: Mapping[str, str], fields: Sequence[Any]) -> None:
    """Raises unless columns of ids are of one type; integers may be of any width.

    Parameters
    ----------
    types
        Spark's name of the type of each column.
    fields
        The same columns as fields of their schemas.

    Raises
    ------
    InputError
        If ids are of different types, which Spark's union would cast, or of one that is no id.
    """
    shown = ", ".join(f"{name} is {kind}" for name, kind in types.items())
    kinds = set(types.values())
    if len(kinds) > 1 and not kinds <= INTEGERS:
        raise InputError(
            f"ids must be of one type, and {shown}: cast one of them, for instance "
            'df.withColumn("dst", col("dst").cast("string"))'
        )
    if any(" collate " in kind for kind in kinds):
        raise InputError(
            f"{shown}: a collation takes different texts for one id; use the collation UTF8_BINARY"
        )
    arrow = require_arrow("Spark")
    kinds_of = spark_module("pyspark.sql.types")
    to_arrow = spark_module("pyspark.sql.pandas.types").to_arrow_type
    plain = {"timestamp": kinds_of.TimestampNTZType()}  # to be had without a time zone
    try:
        columns = [
            arrow.array([], to_arrow(plain.get(field.dataType.typeName(), field.dataType)))
            for field in fields
        ]
    except (TypeError, NotImplementedError, AssertionError) as error:
        raise InputError(f"{shown}: ids cannot be of this type: {error}") from None
    check_id_types(zip(types, columns, strict=True))
