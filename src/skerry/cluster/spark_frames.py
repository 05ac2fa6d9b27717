"""Of a Spark DataFrame, before a run: types of ids, rows, bytes; and the limits of the driver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skerry.cluster.id_types import check_id_types
from skerry.cluster.spark_engine import own_errors, require_spark
from skerry.errors import InputError
from skerry.optional import require_arrow

INTEGERS = frozenset({"tinyint", "smallint", "int", "bigint"})
WIDEST = 16
"""Bytes of a value in an Arrow column of fixed width: those of a decimal."""
OFFSET = 4
"""Bytes of an Arrow column for each text, beside the text."""


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
    kinds_of = require_spark("pyspark.sql.types")
    to_arrow = require_spark("pyspark.sql.pandas.types").to_arrow_type
    plain = {"timestamp": kinds_of.TimestampNTZType()}  # to be had without a time zone
    try:
        columns = [
            arrow.array([], to_arrow(plain.get(field.dataType.typeName(), field.dataType)))
            for field in fields
        ]
    except (TypeError, NotImplementedError, AssertionError) as error:
        raise InputError(f"{shown}: ids cannot be of this type: {error}") from None
    check_id_types(zip(types, columns, strict=True))


def size_of(frame: Any, columns: Sequence[str]) -> tuple[int, int]:
    """Rows of a DataFrame, and bytes of these columns in Arrow; one job."""
    functions = require_spark("pyspark.sql.functions")
    kinds = dict(frame.dtypes)
    texts = [name for name in columns if kinds[name] in ("string", "binary")]
    sums = [functions.sum(functions.octet_length(f"`{name}`")) for name in texts]
    with own_errors():
        rows, *lengths = frame.agg(functions.count(functions.lit(1)), *sums).first()
    widths = [OFFSET if name in texts else _width(kinds[name]) for name in columns]
    return int(rows), sum(int(each or 0) for each in lengths) + int(rows) * sum(widths)


def _width(kind: str) -> int:
    """Bytes of a value of fixed width."""
    narrow = {"tinyint": 1, "boolean": 1, "smallint": 2, "int": 4, "date": 4}
    return narrow.get(kind, WIDEST if kind.startswith("decimal") else 8)


def driver_limits(session: Any) -> tuple[int, int]:
    """Bytes of the heap of the driver's JVM, and of results that it accepts; 0: any number."""
    jvm, context = session._jvm, session.sparkContext
    text = context.getConf().get("spark.driver.maxResultSize", "1g")
    limit = jvm.org.apache.spark.network.util.JavaUtils.byteStringAsBytes(text)
    return int(jvm.java.lang.Runtime.getRuntime().maxMemory()), int(limit)
