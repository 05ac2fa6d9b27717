"""A Ray Dataset, or files, as the input of a run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from skerry.cluster.content_stages import ContentReader, SumContent, content_of_reports
from skerry.cluster.counted import counted
from skerry.cluster.driver import LabelFiles
from skerry.cluster.edge_input import (
    BlobReader,
    EdgeReader,
    IdReader,
    InputPart,
    VertexPart,
    as_id_column,
    edge_bound,
    has_integers,
    integer_codec,
    parts_of_files,
)
from skerry.cluster.id_stages import ListIds, TaskIds, number_steps, row_steps
from skerry.cluster.ray_engine import RayExecutor, TaskInput, require_ray
from skerry.cluster.solve import ClusterInput
from skerry.cluster.stage import Step
from skerry.cluster.state import StateError, StateFolder
from skerry.errors import InputError, UnsupportedError
from skerry.formats.options import ReadOptions
from skerry.graph.edge_source import Batch, EdgeSource
from skerry.ids.content_sum import ContentSum
from skerry.inputs.edge_sources import read_options, with_id_kind
from skerry.inputs.tables import table_source
from skerry.machine import memory_total
from skerry.optional import require_arrow
from skerry.request import InputOptions

HELD_SHARE = 32
"""A task holds as much of its messages as this part of its memory, and writes the rest to disk."""


@dataclass(frozen=True)
class BlockPart:
    """Blocks of a Ray Dataset, which a task fetches one after the other."""

    block: Any

    def open(self, options: ReadOptions) -> EdgeSource:
        """The edges of the block."""
        return table_source(require_ray().get(self.block), options)


class RayEngine:
    """A Ray cluster and an input for it."""

    def __init__(
        self,
        dataset: Any,
        options: InputOptions,
        address: str | None,
        num_gpus: float = 0,
        memory: int | None = None,
    ) -> None:
        self.input = dataset
        self._memory = memory
        self.options = options
        self._address = address
        self._num_gpus = num_gpus
        self._ids = StateFolder("")
        self._tasks = 0
        self.is_files = isinstance(dataset, str | os.PathLike | list | tuple)
        if not self.is_files and not hasattr(dataset, "iter_internal_ref_bundles"):
            raise InputError(
                f"cannot read edges from {type(dataset).__module__}.{type(dataset).__qualname__}: "
                "pass a Ray Dataset, or paths of files"
            )

    @cached_property
    def ray(self) -> Any:
        """Ray, initialized."""
        ray = require_ray()
        if not ray.is_initialized():
            ray.init(address=self._address, log_to_driver=False)
        return ray

    @cached_property
    def executor(self) -> RayExecutor:
        """Runs stages on all CPUs, or on all GPUs."""
        known = self.ray.cluster_resources()
        held = None if self._memory is None else self._memory // HELD_SHARE
        if not self._num_gpus:
            return RayExecutor(max(1, int(known.get("CPU", 1))), held=held)
        if known.get("GPU", 0) < self._num_gpus:
            raise UnsupportedError(
                f"num_gpus={self._num_gpus:g}, and the cluster has {known.get('GPU', 0):g} GPUs"
            )
        return RayExecutor(int(known["GPU"] / self._num_gpus), self._num_gpus, held)

    @property
    def single_machine(self) -> bool:
        """Whether the cluster is one machine, and it is this one."""
        nodes = [node for node in self.ray.nodes() if node.get("Alive")]
        return len(nodes) == 1

    @property
    def worker_memory(self) -> int:
        """The share of a CPU in the memory of the cluster, as Ray knows it."""
        known = int(self.ray.cluster_resources().get("memory", 0)) or memory_total()
        return known // self.executor.workers

    @cached_property
    def read(self) -> ReadOptions:
        """How parts are read."""
        return read_options(self.options)

    def parts(self, wanted: int) -> list[InputPart]:
        """The input in parts that tasks can read."""
        if self.is_files:
            return parts_of_files(self.input, self.read, self.options.format, wanted)[0]
        return [BlockPart(reference) for reference in self.blocks]

    @cached_property
    def dataset(self) -> Any:
        """The columns of the data set that are needed, computed here, once."""
        if isinstance(self.input, self.ray.data.dataset.MaterializedDataset):
            return self.input
        needed = self.input.map_batches(
            NeededColumns(self.read), batch_size=None, batch_format="pyarrow", zero_copy_batch=True
        )
        return needed.materialize()

    @cached_property
    def _counted_blocks(self) -> list[tuple[Any, int]]:
        """References to the blocks of the data set, and their rows."""
        blocks = [
            block
            for bundle in self.dataset.iter_internal_ref_bundles()
            for block in zip(bundle.block_refs, bundle.metadata, strict=True)
        ]
        # A block without rows may be without columns, too.
        return [(block, metadata.num_rows) for block, metadata in blocks if metadata.num_rows]

    @property
    def blocks(self) -> list[Any]:
        """References to the blocks of the data set."""
        return [block for block, _ in self._counted_blocks]

    @property
    def rows(self) -> int:
        """Rows of the data set."""
        return sum(rows for _, rows in self._counted_blocks)

    @cached_property
    def translates(self) -> bool:
        """Whether ids are no integers, and are numbered first."""
        return not has_integers(self._all_parts(1), self.read)

    def content(self, tasks: int) -> ContentSum:
        """The sum of all edges and further vertices."""
        reader = ContentReader(self.read, self.options.selection)
        steps = [Step(SumContent(), tasks)]
        return content_of_reports(self.executor.run(steps, self._inputs(tasks, [reader] * tasks)))

    def prepare(self, state: StateFolder, tasks: int) -> None:
        """Numbers ids, by tasks that read the same parts as later."""
        self._ids, self._tasks = state, tasks
        reader = IdReader(self.read, self.options.selection)
        lists = [Step(ListIds(state, tasks), tasks)]
        reports = self.executor.run(lists, self._inputs(tasks, [reader] * tasks))
        self.executor.run(counted(number_steps(state, reports, tasks, tasks)))

    def read_tasks(self, tasks: int) -> int:
        """Few: what does not fit is joined by and by. Ids that were numbered are listed by task."""
        self._tasks = tasks
        return tasks if self.translates else min(tasks, self.executor.workers)

    def export(self, labels: LabelFiles, folder: StateFolder) -> None:
        """Writes labels under their ids."""
        reports = self.executor.run(counted(row_steps(labels, folder, self._tasks)))
        written = sum(each["rows"] for each in reports)
        if written != labels.vertices:
            raise StateError(f"{folder.path}: {written:,} of {labels.vertices:,} rows written")

    def read_labels(self, labels: LabelFiles) -> Any:
        """A data set of files. Ray's has no columns where files have no rows."""
        paths: Any = labels.paths
        if self.translates:
            folder = StateFolder(labels.state.file("rows"))
            self.export(labels, folder)
            paths = folder.path
        if not labels.vertices:
            return self.read_table(require_arrow("Ray", "pyarrow.parquet").read_table(paths))
        return self.ray.data.read_parquet(paths)

    def source(self, tasks: int, reader: EdgeReader) -> list[TaskInput]:
        """For each task, parts in succession."""
        if not self.translates:
            return self._inputs(tasks, [reader] * tasks)
        readers = [replace(reader, ids=TaskIds(self._ids, task)) for task in range(tasks)]
        return self._inputs(tasks, readers)

    def _all_parts(self, wanted: int) -> list[InputPart]:
        """The input and the further vertices, which may be all ids that there are."""
        parts = self.parts(wanted)
        if self.options.vertices is not None:
            parts = [*parts, VertexPart(self.options.vertices)]
        return parts

    def _inputs(self, tasks: int, readers: Sequence[BlobReader]) -> list[TaskInput]:
        parts = self._all_parts(tasks)
        ends = [len(parts) * task // tasks for task in range(tasks + 1)]
        return [
            TaskInput(tuple(parts[begin:end]), each)
            for (begin, end), each in zip(pairwise(ends), readers, strict=True)
        ]

    def all_edges(self) -> EdgeSource:
        """All edges, read by this process."""
        if self.is_files:
            source = parts_of_files(self.input, self.read, self.options.format, 1)[1]
            return with_id_kind(source, self.options).edges
        sources = (BlockPart(reference).open(self.read) for reference in self.blocks)
        first = next(sources, None) or table_source(_no_rows(self.dataset, self.read), self.read)

        def batches(threads: int) -> Iterator[Batch]:
            for reference in self.blocks:
                yield from BlockPart(reference).open(self.read).open(threads)

        return replace(first, name="the data set", open=batches, open_at=None)

    def read_table(self, table: Any) -> Any:
        """A data set of a table."""
        return self.ray.data.from_arrow(table)


class NeededColumns:
    """Leaves out the columns of a table that are no ends and no weight of edges."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options

    def __call__(self, table: Any) -> Any:
        """The table, or all of it where its columns are not clear: reading it says why."""
        if any(isinstance(each, int) for each in (self._options.source, self._options.target)):
            return table  # numbers of columns would be others
        try:
            facts = table_source(table, self._options).facts
        except InputError:
            return table
        names = [*facts.source, *facts.target, *([facts.weight] if facts.weight else [])]
        return table.select(list(dict.fromkeys(names)))


def _no_rows(dataset: Any, read: ReadOptions) -> Any:
    """A table of the data set's columns; of those that are asked for, if it has lost its schema."""
    schema = dataset.schema()
    if schema is not None and schema.names:
        return schema.base_schema.empty_table()
    arrow = require_arrow("Ray")
    columns = [read.source or "src", read.target or "dst", *([read.weight] if read.weight else [])]
    names = [each for column in columns for each in (column if type(column) is tuple else [column])]
    return arrow.schema([(str(name), arrow.int64()) for name in dict.fromkeys(names)]).empty_table()


def ray_input(engine: RayEngine) -> ClusterInput:
    """What is solved."""
    if engine.is_files:
        num_edges = edge_bound(engine.input, engine.all_edges(), engine.options.format)
    else:
        num_edges = engine.rows

    def reader() -> EdgeReader:
        codec = integer_codec(engine.all_edges(), engine.parts(1), engine.read)
        return EdgeReader(engine.read, engine.options.selection, codec)

    vertices = engine.options.vertices
    return ClusterInput(
        engine.all_edges,
        num_edges,
        reader,
        engine.options,
        further=0 if vertices is None else len(as_id_column(vertices)),
        exact=not engine.is_files or engine.all_edges().num_edges is not None,
    )
