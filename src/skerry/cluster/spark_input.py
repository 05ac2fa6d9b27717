"""A Spark DataFrame as the input of a run: columns of integers, or ids that are numbered first.

Ids that are not integers get numbers in their own order, by a sort and two joins of Spark, so that
no two ids can be taken for one. The table of numbers is written as state: every later job reads the
same numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from skerry.cluster.choice import driver_refusal
from skerry.cluster.content_stages import ContentReader, SumContent, content_of_reports
from skerry.cluster.driver import LabelFiles
from skerry.cluster.edge_input import EdgeReader
from skerry.cluster.id_types import IdCodec, check_id_types
from skerry.cluster.solve import ClusterInput
from skerry.cluster.spark_engine import (
    STATE_ERROR,
    SparkExecutor,
    SparkSource,
    own_errors,
    require_spark,
)
from skerry.cluster.stage import Step
from skerry.cluster.state import StateFolder
from skerry.errors import InputError
from skerry.formats.options import ReadOptions
from skerry.graph.edge_source import EdgeSource
from skerry.ids.content_sum import ContentSum
from skerry.inputs.edge_sources import read_options
from skerry.inputs.tables import table_source
from skerry.optional import require_arrow
from skerry.request import InputOptions

WORKER_MEMORY = 1 << 30
"""Bytes that the Python process of a task may use, if the caller does not say."""
BYTES_OF_WEIGHT = 8
NUMPY_TYPES = {"tinyint": "int8", "smallint": "int16", "int": "int32", "bigint": "int64"}


class SparkEngine:
    """A Spark session and an input for it."""

    worker_memory = WORKER_MEMORY

    def __init__(self, df: Any, vertices: Any, options: InputOptions) -> None:
        if not hasattr(df, "mapInArrow") or not hasattr(df, "sparkSession"):
            raise InputError(
                f"cannot read edges from {type(df).__module__}.{type(df).__qualname__}: pass a "
                "Spark DataFrame"
            )
        require_spark()
        self.session = df.sparkSession
        self.options = options
        self._state = ""
        columns = [str(options.source), str(options.target)]
        missing = [name for name in columns if name not in df.columns]
        if missing:
            raise InputError(
                f"the DataFrame has no column {', '.join(missing)}; its columns are "
                f"{', '.join(df.columns)}: name the ends with src= and dst="
            )
        self._types = {name: dict(df.dtypes)[name] for name in columns}
        self.df = df
        self._vertices = vertices
        if vertices is not None:
            frame, name = self._vertex_column[0]
            self._types["vertices"] = dict(frame.dtypes)[name]
        fields = [(df, name) for name in columns] + self._vertex_column
        check_spark_types(self._types, [frame.schema[name] for frame, name in fields])

    @property
    def _vertex_column(self) -> list[tuple[Any, str]]:
        """The frame of further vertices and its column, if there is one."""
        if self._vertices is None:
            return []
        names = self._vertices.columns
        return [(self._vertices, "id" if "id" in names else names[0])]

    @cached_property
    def executor(self) -> SparkExecutor:
        """Runs stages."""
        return SparkExecutor(self.session)

    @property
    def single_machine(self) -> bool:
        """Whether the master is local, so that executors see the folders of this machine."""
        return str(self.session.sparkContext.master).startswith("local")

    @property
    def translates(self) -> bool:
        """Whether ids are of a type that is numbered first."""
        return any(kind not in NUMPY_TYPES for kind in self._types.values())

    @cached_property
    def read(self) -> ReadOptions:
        """How batches of `edges` are read."""
        options = self.options._replace(source="src", target="dst", weight=None)
        if self.options.threshold is not None:
            options = options._replace(weight="weight")
        return read_options(options)

    @cached_property
    def edges(self) -> Any:
        """The columns ``src``, ``dst`` and perhaps ``weight``; loops for further vertices."""
        functions = require_spark("pyspark.sql.functions")
        columns = [
            functions.col(f"`{self.options.source}`").alias("src"),
            functions.col(f"`{self.options.target}`").alias("dst"),
        ]
        if self.options.threshold is not None:
            name = self.options.weight or "weight"
            columns.append(functions.col(f"`{name}`").cast("double").alias("weight"))
        frame = self.df.select(*columns)
        for vertices, name in self._vertex_column:
            column = functions.col(f"`{name}`")
            loops = [column.alias("src"), column.alias("dst")]
            if self.options.threshold is not None:  # no threshold drops a loop of infinite weight
                loops.append(functions.lit(float("inf")).alias("weight"))
            frame = frame.unionByName(vertices.select(*loops))
        return frame

    def content(self, tasks: int) -> ContentSum:
        """The sum of all edges and further vertices, in the partitions that there are."""
        del tasks
        reader = ContentReader(self.read, self.options.selection)
        source = SparkSource(self.edges, 1, reader)
        return content_of_reports(self.executor.run([Step(SumContent(), 1)], source))

    def prepare(self, state: StateFolder, tasks: int) -> None:
        """Numbers ids that are not integers; ``state`` is where that is written."""
        del tasks
        self._state = state.file("ids")
        edges = self.edges
        nulls = edges.filter("src is null or dst is null")
        if self.options.on_null == "error" and not nulls.isEmpty():
            raise InputError('an end of an edge is null; on_null="drop" leaves such edges out')
        if not self._numbers_exist():
            ids = edges.select("src").union(edges.select("dst")).toDF("id")
            functions = require_spark("pyspark.sql.functions")
            ordered = ids.filter("id is not null").distinct().orderBy("id")
            numbers = ordered.withColumn("number", functions.monotonically_increasing_id())
            with own_errors():
                numbers.write.mode("overwrite").parquet(self._state)

    def _numbers_exist(self) -> bool:
        """Whether an earlier run has numbered the ids completely."""
        jvm = self.session._jvm
        path = jvm.org.apache.hadoop.fs.Path(f"{self._state}/_SUCCESS")
        return bool(path.getFileSystem(self.session._jsc.hadoopConfiguration()).exists(path))

    @property
    def numbers(self) -> Any:
        """The table of ids and their numbers."""
        reader = self.session.read.option("parquet.page.verify-checksum.enabled", "true")
        return reader.parquet(self._state)

    @property
    def integer_edges(self) -> Any:
        """The edges between integers."""
        if not self.translates:
            return self.edges
        weight = ["weight"] if self.options.threshold is not None else []
        first = self.numbers.toDF("src", "first")
        second = self.numbers.toDF("dst", "second")
        edges = self.edges.filter("src is not null and dst is not null")
        joined = edges.join(first, "src", "left").join(second, "dst", "left")
        numbers = [self._required(name) for name in ("first", "second")]
        return joined.select(*numbers, *weight).toDF("src", "dst", *weight)

    def _required(self, column: str) -> Any:
        """A column of a left join; a row without a partner is an error, not left out."""
        functions = require_spark("pyspark.sql.functions")
        lost = functions.raise_error(
            f"{STATE_ERROR}{self._state}: an id has no number there, a file of the run's state was "
            "lost or changed; remove the folder of the state and run again"
        )
        return functions.coalesce(functions.col(column), lost)

    def read_tasks(self, tasks: int) -> int:
        """As many as there are partitions, or fewer: what does not fit is divided in a task."""
        return max(1, min(tasks, int(self.integer_edges.rdd.getNumPartitions())))

    def source(self, tasks: int, reader: EdgeReader) -> SparkSource:
        """The edges in so many partitions."""
        frame = self.integer_edges
        if frame.rdd.getNumPartitions() != tasks:
            frame = frame.coalesce(tasks)
        return SparkSource(frame, tasks, reader)

    def all_edges(self) -> EdgeSource:
        """All edges, in this process."""
        return table_source(self.edges.toArrow(), self.read)

    def read_labels(self, labels: LabelFiles) -> Any:
        """A DataFrame of label files; numbers become ids again."""
        frame = self.session.read.parquet(*labels.paths)
        if not self.translates:
            return frame
        ids = self.numbers.toDF("original", "id")
        components = self.numbers.toDF("smallest", "component")
        joined = frame.join(ids, "id", "left").join(components, "component", "left")
        columns = [self._required(name) for name in ("original", "smallest")]
        return joined.select(*columns).toDF("id", "component")

    def export(self, labels: LabelFiles, folder: StateFolder) -> None:
        """Writes labels; Spark's own mark of success is not written, ours comes last."""
        writer = self.read_labels(labels).write.mode("append")
        with own_errors():
            writer.option("mapreduce.fileoutputcommitter.marksuccessfuljobs", "false").parquet(
                folder.path
            )

    def read_table(self, table: Any) -> Any:
        """A DataFrame of a table."""
        return self.session.createDataFrame(table)

    def graph(self) -> ClusterInput:
        """What is solved."""
        columns = [str(self.options.source), str(self.options.target)]
        count, gathered = size_of(self.df, columns)
        further = 0
        for frame, name in self._vertex_column:
            further, size = size_of(frame, [name, name])
            gathered += size
        if self.options.threshold is not None:
            gathered += BYTES_OF_WEIGHT * (count + further)

        def reader() -> EdgeReader:
            kinds = {NUMPY_TYPES.get(kind, "int64") for kind in self._types.values()}
            widest = max(kinds, key=lambda kind: int(kind[3:]))
            codec = IdCodec("int64" if self.translates else widest)
            return EdgeReader(self.read, self.options.selection, codec)

        return ClusterInput(
            self.all_edges,
            count,
            reader,
            self.options,
            gathered * 3 // 2,  # the table, and what is made of it on the way
            refusal=driver_refusal(gathered, *driver_limits(self.session)),
            further=further,
        )


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
