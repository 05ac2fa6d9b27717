"""A Spark DataFrame as the input of a run: columns of integers, or ids that are numbered first.

Ids that are not integers get numbers in their own order, by a sort and two joins of Spark, so that
no two ids can be taken for one. The table of numbers is written as state: every later job reads the
same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple, Self

from skerry.cluster.choice import driver_refusal
from skerry.cluster.driver import LabelFiles
from skerry.cluster.edge_input import EdgeReader, TablePart, batches_of_ends
from skerry.cluster.id_types import IdCodec
from skerry.cluster.solve import ClusterInput
from skerry.cluster.spark_engine import (
    STATE_ERROR,
    SparkExecutor,
    SparkSource,
    classic_context,
    own_errors,
    spark_module,
)
from skerry.cluster.spark_types import check_spark_types
from skerry.cluster.state import StateFolder
from skerry.errors import InputError, UnsupportedError
from skerry.formats.columns import choose_ends, column_numbers
from skerry.formats.options import ReadOptions
from skerry.graph.arrow import byte_count
from skerry.graph.edge_source import EdgeSource
from skerry.graph.threshold import Threshold
from skerry.ids.content_sum import ContentSum
from skerry.inputs.edge_sources import read_options
from skerry.inputs.tables import table_source
from skerry.option_checks import byte_count as bytes_of_size
from skerry.optional import require_arrow
from skerry.request import InputOptions

WORKER_MEMORY = 1 << 30
"""Bytes that the Python process of a task may use, if the caller does not say."""
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
        self.session = df.sparkSession
        self.options = options
        self._state = StateFolder("")
        self.columns = _columns(df, options)
        self._types = {name: dict(df.dtypes)[name] for name in self.columns}
        self.df = df
        self._vertices = vertices
        self._held: Any = None
        if vertices is not None:
            frame, name = self._vertex_column[0]
            self._types["vertices"] = dict(frame.dtypes)[name]
        fields = [(df, name) for name in self.columns] + self._vertex_column
        check_spark_types(self._types, [frame.schema[name] for frame, name in fields])

    def __enter__(self) -> Self:
        """Within the block, the DataFrame is computed once: Spark keeps the columns needed."""
        if not self.df.is_cached:
            self._held = self._selected.persist()
        return self

    def __exit__(self, *exception: object) -> None:
        held, self._held = self._held, None
        if held is not None:
            with suppress(Exception):  # a Ctrl-C may have ended Spark
                held.unpersist()

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
        is_local = str(self.session.conf.get("spark.master", "")).startswith("local")
        if classic_context(self.session) is not None:
            return is_local
        return is_local and self.session.client.host in ("localhost", "127.0.0.1")

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

    @property
    def edges(self) -> Any:
        """The columns ``src``, ``dst`` and perhaps ``weight``; loops for further vertices."""
        return self._selected if self._held is None else self._held

    @cached_property
    def _selected(self) -> Any:
        functions = spark_module("pyspark.sql.functions")
        source, target = self.columns
        columns = [
            functions.col(_quoted(source)).alias("src"),
            functions.col(_quoted(target)).alias("dst"),
        ]
        if self.options.threshold is not None:
            (number,) = column_numbers("the DataFrame", self.df.columns, self._weight)
            weight = functions.col(_quoted(self.df.columns[number]))
            columns.append(weight.cast("double").alias("weight"))
        if self._vertices is None:
            return self.df.select(*columns)
        frame = self.df.select(*columns, functions.lit(False).alias(FURTHER))
        for vertices, name in self._vertex_column:
            column = functions.col(_quoted(name))
            loops = [column.alias("src"), column.alias("dst")]
            if self.options.threshold is not None:  # no threshold drops a loop of infinite weight
                loops.append(functions.lit(float("inf")).alias("weight"))
            loops.append(functions.lit(True).alias(FURTHER))
            frame = frame.unionByName(vertices.select(*loops))
        return frame

    @property
    def _weight(self) -> Any:
        return "weight" if self.options.weight is None else self.options.weight

    @cached_property
    def survey(self) -> Survey:
        """What the edges are, by one job that reads all of them, and checks them."""
        function = _surveyed(self.read, self.options.selection)
        with self.executor.named("read edges"), own_errors():
            rows = self.edges.mapInArrow(function, "counts array<long>, checksum string").collect()
        count, further, size = (sum(row[0][i] for row in rows) for i in range(3))
        total = ContentSum()
        for row in rows:
            total = total.plus((row[0][3], int(row[1])))
        return Survey(len(rows), count, further, size, total)

    def content(self, tasks: int) -> ContentSum:
        """The sum of all edges and further vertices."""
        del tasks
        return self.survey.content

    def prepare(self, state: StateFolder, tasks: int) -> None:
        """Numbers ids that are not integers; ``state`` is where that is written."""
        del tasks
        self._state = state
        if state.exists(IDS_DONE):
            return
        functions = spark_module("pyspark.sql.functions")
        edges = self._used_edges
        ids = edges.select("src").union(edges.select("dst")).toDF("id")
        ordered = ids.distinct().orderBy("id")
        numbers = ordered.withColumn("number", functions.monotonically_increasing_id())
        with self.executor.named("number ids"), own_errors():
            numbers.write.mode("overwrite").parquet(state.file(IDS))
        state.write_json(IDS_DONE, {})

    @property
    def _used_edges(self) -> Any:
        """The edges without those with a null or an empty text, which the caller leaves out."""
        ends = ("src", "dst")
        edges = self.edges.filter(" and ".join(f"{name} is not null" for name in ends))
        if "string" in self._types.values():
            edges = edges.filter(" and ".join(f"{name} != ''" for name in ends))
        return edges

    @property
    def numbers(self) -> Any:
        """The table of ids and their numbers."""
        reader = self.session.read.option("parquet.page.verify-checksum.enabled", "true")
        return reader.parquet(self._state.file(IDS))

    @property
    def integer_edges(self) -> Any:
        """The edges between integers."""
        if not self.translates:
            return self.edges
        weight = ["weight"] if self.options.threshold is not None else []
        first = self.numbers.toDF("src", "first")
        second = self.numbers.toDF("dst", "second")
        joined = self._used_edges.join(first, "src", "left").join(second, "dst", "left")
        numbers = [self._required(name) for name in ("first", "second")]
        return joined.select(*numbers, *weight).toDF("src", "dst", *weight)

    def _required(self, column: str) -> Any:
        """A column of a left join; a row without a partner is an error, not left out."""
        functions = spark_module("pyspark.sql.functions")
        lost = functions.raise_error(
            f"{STATE_ERROR}{self._state.file(IDS)}: an id has no number there, a file of the run's "
            "state was lost or changed; remove the folder of the state and run again"
        )
        return functions.coalesce(functions.col(column), lost)

    def read_tasks(self, tasks: int) -> int:
        """As many as there are partitions, or fewer: what does not fit is divided in a task."""
        return tasks if self.translates else max(1, min(tasks, self.survey.partitions))

    def source(self, tasks: int, reader: EdgeReader) -> SparkSource:
        """The edges in so many partitions."""
        if not self.survey.rows:  # Spark would leave out the stages of a frame without rows
            return SparkSource(None, tasks, reader)
        frame = self.integer_edges
        if self.translates:  # joins have as many as Spark decides
            frame = frame.repartition(tasks)
        elif self.survey.partitions != tasks:
            frame = frame.coalesce(tasks)
        return SparkSource(frame, tasks, reader)

    def all_edges(self) -> EdgeSource:
        """All edges, in this process."""
        with self.executor.named("all edges"), own_errors():
            return table_source(_table_of(self.edges), self.read)

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
        if hasattr(self.edges, "toArrow"):
            return self.session.createDataFrame(table)
        schema = spark_module("pyspark.sql.pandas.types").from_arrow_schema(table.schema)
        return self.session.createDataFrame(table.to_pandas(), schema)  # Spark 3.5

    def graph(self) -> ClusterInput:
        """What is solved."""
        survey = self.survey

        def reader() -> EdgeReader:
            kinds = {NUMPY_TYPES.get(kind, "int64") for kind in self._types.values()}
            widest = max(kinds, key=lambda kind: int(kind[3:]))
            codec = IdCodec("int64" if self.translates else widest)
            return EdgeReader(self.read, self.options.selection, codec)

        return ClusterInput(
            self.all_edges,
            survey.rows - survey.further,
            reader,
            self.options,
            survey.num_bytes * 3 // 2,  # the table, and what is made of it on the way
            refusal=driver_refusal(survey.num_bytes, *driver_limits(self.session)),
            further=survey.further,
        )


IDS = "ids"
IDS_DONE = "ids.json"
"""Is there when all ids have numbers."""
FURTHER = "further"
"""A column of loops that are further vertices."""


class Survey(NamedTuple):
    """The edges and loops of a DataFrame."""

    partitions: int
    rows: int
    further: int
    """Rows that are further vertices."""
    num_bytes: int
    """As Arrow columns."""
    content: ContentSum


def _surveyed(
    options: ReadOptions, threshold: Threshold | None
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """The function of a task that reads a partition: a row with counts and the sum of hashes."""

    def survey(batches: Iterable[Any]) -> Iterator[Any]:
        arrow = require_arrow("Spark")
        rows = further = size = 0
        content = ContentSum()
        for batch in batches:
            table = arrow.Table.from_batches([batch])
            rows += len(table)
            size += byte_count(batch)
            if FURTHER in table.column_names:
                further += sum(chunk.true_count for chunk in table[FURTHER].chunks)
            for _, ends in batches_of_ends([TablePart(table)], options, threshold):
                content = content.plus(ContentSum.of(*ends))
        counts = arrow.array([[rows, further, size, content.rows]], arrow.list_(arrow.int64()))
        yield arrow.record_batch([counts, [str(content.checksum)]], names=["counts", "checksum"])

    return survey


def _table_of(frame: Any) -> Any:
    """A DataFrame as an Arrow table, with any version of Spark."""
    if hasattr(frame, "toArrow"):
        return frame.toArrow()
    arrow = require_arrow("Spark")

    def serialized(batches: Iterable[Any]) -> Iterator[Any]:
        arrow = require_arrow("Spark")
        for batch in batches:
            sink = arrow.BufferOutputStream()
            with arrow.ipc.new_stream(sink, batch.schema) as writer:
                writer.write_batch(batch)
            yield arrow.record_batch([[sink.getvalue().to_pybytes()]], names=["data"])

    rows = frame.mapInArrow(serialized, "data binary").collect()
    tables = [arrow.ipc.open_stream(bytes(row[0])).read_all() for row in rows]
    if tables:
        return arrow.concat_tables(tables)
    return spark_module("pyspark.sql.pandas.types").to_arrow_schema(frame.schema).empty_table()


def _columns(df: Any, options: InputOptions) -> tuple[str, str]:
    """The columns of the ends of edges: as named, or those that are clear."""
    ends = choose_ends("the DataFrame", df.columns, read_options(options))
    if any(len(end) > 1 for end in ends):
        raise UnsupportedError("the DataFrame: an id of several columns; make one of them")
    (source,), (target,) = ends
    return df.columns[source], df.columns[target]


def _quoted(name: str) -> str:
    """The name of a column, as Spark reads it."""
    return "`" + name.replace("`", "``") + "`"


def driver_limits(session: Any) -> tuple[int, int]:
    """Bytes of the heap of the driver's JVM, and of results that it accepts; 0: any number."""
    heap = session.conf.get("spark.driver.memory", "1g")
    results = session.conf.get("spark.driver.maxResultSize", "1g")
    heap = f"{heap}m" if heap.isdigit() else heap  # Spark reads a plain number as MiB
    return _bytes(heap), 0 if results in ("0", "0b") else _bytes(results)


def _bytes(size: str) -> int:
    return bytes_of_size("spark.driver", size) or 0
