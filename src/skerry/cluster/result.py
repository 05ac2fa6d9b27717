"""The answer of a run on a cluster: counts here, labels in files or as the engine's data set."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, Protocol

import numpy as np

from skerry.cluster.driver import LabelFiles
from skerry.cluster.stage import Executor, Inbox, Message, Step, report
from skerry.cluster.state import LABELS, StateError, StateFolder
from skerry.engines.dispatch import dispatch
from skerry.errors import TargetError
from skerry.formats.source import is_remote, remote_filesystem
from skerry.ids.content_sum import ContentSum
from skerry.optional import require_arrow
from skerry.request import InputOptions, SolveOptions
from skerry.result.components import Components
from skerry.result.plan import Plan
from skerry.result.verify import Verification

SUCCESS = "_SUCCESS"
SUMMARY = "_summary.parquet"
FILE_ROWS = 1 << 22
"""Rows of a file that one process writes."""


class Answer(Protocol):
    """Where the labels are."""

    @property
    def count(self) -> int:
        """Number of components."""
        ...

    @property
    def vertices(self) -> int:
        """Number of ids."""
        ...

    def write(self, folder: StateFolder) -> list[str]:
        """Writes files with the columns ``id`` and ``component``; returns their names."""
        ...

    def dataset(self) -> Any:
        """The labels as the engine's data set."""
        ...

    def collect(self) -> Components:
        """The labels as a result in this process."""
        ...

    def verify(self) -> Verification:
        """Checks the labels against the input."""
        ...


class DistributedComponents:
    """The components of a graph that an engine has solved.

    Immutable; threads may share it.
    """

    def __init__(self, answer: Answer, plan: Plan) -> None:
        self._answer = answer
        self._plan = plan

    @property
    def count(self) -> int:
        """Number of components."""
        return self._answer.count

    @property
    def num_vertices(self) -> int:
        """Number of ids."""
        return self._answer.vertices

    @property
    def plan(self) -> Plan:
        """What ran, where, why and how long."""
        return self._plan

    @property
    def dataset(self) -> Any:
        """The columns ``id`` and ``component`` as a Ray Dataset or a Spark DataFrame.

        The component is the smallest of its ids. Rows come in any order.
        """
        return self._answer.dataset()

    def collect(self) -> Components:
        """Brings the labels to this process, as a result of one machine.

        That has all that such a result has: names after earlier clusters, what changed, the best
        record of each component. Takes about 64 bytes for each id.

        Returns
        -------
        skerry.Components
            The same components, under the same ids.

        Examples
        --------
        >>> import skerry.ray  # doctest: +SKIP
        >>> result = skerry.ray.distributed_components("pairs/")  # doctest: +SKIP
        >>> today = result.collect().named_after("yesterday.parquet")  # doctest: +SKIP
        >>> today.write("today.parquet")  # doctest: +SKIP
        """
        return self._answer.collect()

    def verify(self) -> Verification:
        """Checks that every edge joins equal labels, and counts components by a second route.

        Returns
        -------
        Verification
            True when the labels are right; otherwise its message says what is wrong.
        """
        return self._answer.verify()

    def checked(self) -> DistributedComponents:
        """This result, after it was verified.

        Returns
        -------
        DistributedComponents
            The same labels; the plan says that they were verified.

        Raises
        ------
        StateError
            If the labels are wrong.
        """
        verification = self.verify()
        if not verification:
            raise StateError(f"the labels are WRONG: {verification.message}")
        notes = (*self._plan.notes, f"verified: {verification.message}")
        return DistributedComponents(self._answer, replace(self._plan, notes=notes))

    def write(self, path: str) -> None:
        """Writes the labels as a Parquet data set.

        Parameters
        ----------
        path
            A folder that does not exist yet or is empty, or an address (``s3://...``) that all
            workers can write to. ``_SUCCESS`` is written last: without it, the data set is not
            complete. ``_summary.parquet`` has the counts. If writing fails, or is interrupted, the
            files are removed again.

        Raises
        ------
        TargetError
            If there are files in the folder.
        """
        folder = StateFolder(str(path))
        with filled_or_empty(folder):
            self._fill(folder)

    def _fill(self, folder: StateFolder) -> None:
        arrow = require_arrow("writing Parquet files")
        parquet = require_arrow("writing Parquet files", "pyarrow.parquet")
        names = self._answer.write(folder)
        summary = {
            "vertices": [self.num_vertices],
            "components": [self.count],
            "files": [len(names)],
            "method": [self._plan.algorithm],
            "engine": [self._plan.engine],
            "seconds": [self._plan.seconds],
        }
        with folder.writable(SUMMARY) as file:
            parquet.write_table(arrow.table(summary), file)
        with folder.writable(SUCCESS) as file:
            file.write(b"")

    def __repr__(self) -> str:
        return (
            f"DistributedComponents({self.count:,} components of {self.num_vertices:,} ids, "
            f"{self._plan.algorithm} on {self._plan.device})"
        )


@dataclass(frozen=True)
class CopyLabels:
    """Copies a file of labels, after it was checked."""

    labels: LabelFiles
    target: StateFolder

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        del inbox
        name = f"part-{task:05}.parquet"
        facts = self.target.write_pairs(name, self.labels.read(task), self.labels.codec)
        yield report({"name": name, "facts": facts})


@dataclass(frozen=True)
class FileAnswer:
    """Labels in files of the run's state."""

    labels: LabelFiles
    executor: Executor
    read: Callable[[LabelFiles], Any]
    """The engine's data set of labels."""
    check: Callable[[LabelFiles], Verification]
    export: Callable[[LabelFiles, StateFolder], None] | None = None
    """Writes labels under ids that were numbered; None: the files are copied as they are."""
    keep: Any = None
    """The temporary folder of the state; None: the caller has named one."""

    @property
    def count(self) -> int:
        """Number of components."""
        return self.labels.components

    @property
    def vertices(self) -> int:
        """Number of ids."""
        return self.labels.vertices

    def write(self, folder: StateFolder) -> list[str]:
        """Writes all rows, in parallel."""
        if self.export is not None:
            self.export(self.labels, folder)
            return [f"part-{number:05}" for number in range(len(self.labels.names))]
        tasks = len(self.labels.names)
        reports = self.executor.run([Step(CopyLabels(self.labels, folder), tasks)])
        written = {each["name"]: ContentSum(*each["facts"]) for each in reports}
        if sum(each.rows for each in written.values()) != self.vertices or len(written) != tasks:
            raise StateError(f"{folder.path}: not all files were written; remove it")
        return sorted(written)

    def dataset(self) -> Any:
        """The files."""
        if self.keep is not None:
            self.keep.keep_until_exit()
        return self.read(self.labels)

    def collect(self) -> Components:
        """Solves once more what the labels are: a star for each component."""
        paths: Any = self.labels.paths
        if self.export is not None:
            folder = StateFolder(self.labels.state.file("rows"))
            self.labels.state.remove("rows")
            self.export(self.labels, folder)
            paths = folder.path
        read = InputOptions(source=LABELS[0], target=LABELS[1], ids="external")
        return dispatch(paths, read, SolveOptions())

    def verify(self) -> Verification:
        """Checks the labels against the input."""
        return self.check(self.labels)


@dataclass(frozen=True)
class StreamAnswer:
    """The result of one process."""

    result: Components
    read: Callable[[Any], Any]
    """The engine's data set of a table."""

    @property
    def count(self) -> int:
        """Number of components."""
        return self.result.count

    @property
    def vertices(self) -> int:
        """Number of ids."""
        return self.result.plan.vertices

    def write(self, folder: StateFolder) -> list[str]:
        """Writes the table."""
        parquet = require_arrow("writing Parquet files", "pyarrow.parquet")
        table = self.result.table().rename_columns(LABELS)
        names = []
        for number, begin in enumerate(range(0, max(1, len(table)), FILE_ROWS)):
            names.append(f"part-{number:05}.parquet")
            with folder.writable(names[-1]) as file:
                parquet.write_table(table.slice(begin, FILE_ROWS), file)
        return names

    def dataset(self) -> Any:
        """The table."""
        return self.read(self.result.table().rename_columns(LABELS))

    def collect(self) -> Components:
        """The result itself."""
        return self.result

    def verify(self) -> Verification:
        """As on one machine."""
        return self.result.verify()


def conclude_check(
    reports: list[dict[str, int]], labels: LabelFiles, second_count: int
) -> Verification:
    """What the reports of `check_stages` and a second count of components mean."""
    totals = {name: sum(each[name] for each in reports) for name in reports[0]}
    problem = ""
    if totals["missing"]:
        problem = f"{totals['missing']:,} ends of edges have no label"
    elif totals["repeated"]:
        problem = "an id has more than one label"
    elif totals["different"]:
        problem = f"{totals['different']:,} edges join ids with different labels"
    elif totals["components"] != second_count:
        problem = f"{totals['components']:,} components, but {second_count:,} by the second route"
    elif (totals["vertices"], totals["components"]) != (labels.vertices, labels.components):
        problem = "the files do not hold what was reported"
    message = problem or (
        f"{second_count:,} components: all {totals['edges']:,} different edges of the tasks join "
        "equal labels, and a second route counts as many components"
    )
    return Verification(not problem, message, np.empty(0, np.uint64))


OWN_NAMES = ("part-", ".part-", "_summary", "._summary", "_temporary", "_SUCCESS", "._SUCCESS")
"""How the names begin of what skerry and Spark write to it."""


@contextmanager
def filled_or_empty(folder: StateFolder) -> Iterator[None]:
    """Around what fills a folder: if that fails or is interrupted, its files are removed.

    Raises
    ------
    TargetError
        If there are files in it before.
    """
    if _names(folder):
        raise TargetError(f"{folder.path}: exists and is not empty; name another folder")
    try:
        yield
    except BaseException:
        with suppress(Exception):  # the first error is the one to show
            _remove_own(folder)
        raise


def _names(folder: StateFolder) -> list[str]:
    if is_remote(folder.path):
        system, inner = remote_filesystem(folder.path)
        listed = system.ls(inner, detail=False) if system.exists(inner) else []
        return [PurePosixPath(each).name for each in listed]
    path = folder.local
    if path.is_file():
        return [path.name]
    return [each.name for each in path.iterdir()] if path.is_dir() else []


def _remove_own(folder: StateFolder) -> None:
    names = [name for name in _names(folder) if name.startswith(OWN_NAMES)]
    if is_remote(folder.path):
        system, inner = remote_filesystem(folder.path)
        for name in names:
            system.rm(f"{inner}/{name}", recursive=True)
        return
    for name in names:
        path = folder.local / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    with suppress(OSError):  # something of another's is in it
        folder.local.rmdir()
